import { SpecError } from '@litecd/core/errors'
import { formatGoUrl, parseGoUrl } from './go-url.ts'

/**
 * What a repository Secret says. Absent texts are ''. Field names are the Secret's.
 *
 * Source: argo-cd v3.5.1 docs/operator-manual/declarative-setup
 */
export interface RepositorySettings {
  readonly url: string
  /** '' where the Secret does not say; git then. */
  readonly type: '' | 'git' | 'helm' | 'oci'
  readonly name: string
  readonly project: string
  readonly username: string
  readonly password: string
  readonly bearerToken: string
  readonly sshPrivateKey: string
  readonly tlsClientCertData: string
  readonly tlsClientCertKey: string
  readonly insecure: boolean
  readonly enableLfs: boolean
  readonly enableOCI: boolean
  readonly insecureOCIForceHttp: boolean
  readonly forceHttpBasicAuth: boolean
  readonly githubAppID: string
  readonly githubAppInstallationID: string
  readonly githubAppPrivateKey: string
  readonly githubAppEnterpriseBaseUrl: string
  readonly gcpServiceAccountKey: string
  readonly useAzureWorkloadIdentity: boolean
  readonly azureServicePrincipalClientId: string
  readonly azureServicePrincipalClientSecret: string
  readonly azureServicePrincipalTenantId: string
  readonly azureActiveDirectoryEndpoint: string
  readonly proxy: string
  readonly noProxy: string
  /** 0: the whole history counts as there. */
  readonly depth: number
}

/** Everything that is known of repositories: their own Secrets, and templates that apply by prefix of the URL. */
export interface RepositoryList {
  readonly repositories: readonly RepositorySettings[]
  readonly templates: readonly RepositorySettings[]
}

export const noRepositories: RepositoryList = { repositories: [], templates: [] }

/**
 * Reads the data of a Secret (already decoded) labelled `repository` or `repo-creds`.
 *
 * @throws SpecError SETTINGS_INVALID for a boolean or number that is none
 */
export function parseRepositorySecret(
  data: { readonly [key: string]: string },
  kind: 'repository' | 'repo-creds' = 'repository',
): RepositorySettings {
  const text = (key: string): string => data[key] ?? ''
  const flag = (key: string): boolean => {
    const value = text(key)
    if (/^(1|t|T|TRUE|true|True)$/.test(value)) return true
    if (value === '' || /^(0|f|F|FALSE|false|False)$/.test(value)) return false
    throw invalid(
      text('url'),
      `strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
    )
  }
  const whole = (key: string): number => {
    const value = text(key)
    if (value === '') return 0
    if (!/^[+-]?\d+$/.test(value)) {
      throw invalid(
        text('url'),
        `strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`,
      )
    }
    return Number(value)
  }
  // the two kinds of Secret spell these differently
  const id = kind === 'repository' ? 'Id' : 'ID'
  const own = kind === 'repository'
  const type = text('type')
  return {
    url: text('url'),
    type: type === 'helm' || type === 'oci' || type === 'git' ? type : '',
    name: own ? text('name') : '',
    project: own ? text('project') : '',
    username: text('username'),
    password: text('password'),
    bearerToken: text('bearerToken'),
    sshPrivateKey: text('sshPrivateKey'),
    tlsClientCertData: text('tlsClientCertData'),
    tlsClientCertKey: text('tlsClientCertKey'),
    insecure: own && (flag('insecure') || flag('insecureIgnoreHostKey')),
    enableLfs: own && flag('enableLfs'),
    enableOCI: flag('enableOCI'),
    insecureOCIForceHttp: flag('insecureOCIForceHttp'),
    forceHttpBasicAuth: flag('forceHttpBasicAuth'),
    githubAppID: whole('githubAppID') === 0 ? '' : text('githubAppID'),
    githubAppInstallationID:
      whole('githubAppInstallationID') === 0 ? '' : text('githubAppInstallationID'),
    githubAppPrivateKey: text('githubAppPrivateKey'),
    githubAppEnterpriseBaseUrl: text('githubAppEnterpriseBaseUrl'),
    gcpServiceAccountKey: text('gcpServiceAccountKey'),
    useAzureWorkloadIdentity: flag('useAzureWorkloadIdentity'),
    azureServicePrincipalClientId: text(`azureServicePrincipalClient${id}`),
    azureServicePrincipalClientSecret: text('azureServicePrincipalClientSecret'),
    azureServicePrincipalTenantId: text(`azureServicePrincipalTenant${id}`),
    azureActiveDirectoryEndpoint: text('azureActiveDirectoryEndpoint'),
    proxy: text('proxy'),
    noProxy: text('noProxy'),
    depth: own ? Math.max(0, whole('depth')) : 0,
  }
}

function invalid(url: string, why: string): SpecError {
  return new SpecError(
    'SETTINGS_INVALID',
    `unable to get repository ${JSON.stringify(url)}: ${why}`,
  )
}

/** Settings of a repository that no Secret names. */
export function plainRepository(url: string): RepositorySettings {
  return parseRepositorySecret({ url })
}

/**
 * The settings that apply to a URL within a project: its own Secret (that of the project before one without a project,
 * never one of another project), completed by the template with the longest matching prefix when it has no
 * credentials of its own.
 *
 * Source: argo-cd v3.5.1 util/db/repository_secrets.go
 */
export function repositoryFor(
  url: string,
  project: string,
  list: RepositoryList,
): RepositorySettings {
  const same = list.repositories.filter((one) => sameUrl(one.url, url))
  const found =
    same.find((one) => one.project === project) ?? same.findLast((one) => one.project === '')
  const repository = found ?? plainRepository(url)
  if (hasCredentials(repository)) return repository
  const normal = normalizeGitUrl(url)
  let template: RepositorySettings | undefined
  let longest = -1
  for (const one of list.templates) {
    const prefix = normalizeGitUrl(one.url)
    if (normal.startsWith(prefix) && prefix.length > longest) {
      template = one
      longest = prefix.length
    }
  }
  return template === undefined ? repository : completed(repository, template)
}

/** The repository that is known by a name, of the project before one without a project. */
export function repositoryNamed(
  name: string,
  project: string,
  list: RepositoryList,
): RepositorySettings | undefined {
  const same = list.repositories.filter((one) => one.name === name)
  const found =
    same.find((one) => one.project === project) ?? same.findLast((one) => one.project === '')
  return found === undefined ? undefined : repositoryFor(found.url, project, list)
}

/**
 * The settings for charts of a registry that others depend on (`oci://host/path`): its own Secret with or without the
 * scheme, else the template by prefix, else those of the first registry whose URL begins this one or begins with it.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go getHelmRepos
 */
export function registryFor(
  url: string,
  project: string,
  list: RepositoryList,
): RepositorySettings {
  const bare = url.slice('oci://'.length)
  const mine = list.repositories.filter((one) => one.project === project || one.project === '')
  const withoutScheme = (one: RepositorySettings): string => one.url.replace(/^oci:\/\//, '')
  const own = mine.find((one) => withoutScheme(one) === bare)
  if (own !== undefined) return { ...repositoryFor(own.url, project, list), url, enableOCI: true }
  const byTemplate = [bare, url].map((text) => repositoryFor(text, project, list))
  const found =
    byTemplate.find(hasCredentials) ??
    mine.find(
      (one) =>
        (one.enableOCI || one.type === 'oci') &&
        (bare.startsWith(withoutScheme(one)) || withoutScheme(one).startsWith(bare)),
    )
  return { ...plainRepository(url), ...found, url, enableOCI: true }
}

const copiedWhenEmpty = [
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'tlsClientCertData',
  'tlsClientCertKey',
  'githubAppID',
  'githubAppInstallationID',
  'githubAppPrivateKey',
  'githubAppEnterpriseBaseUrl',
  'gcpServiceAccountKey',
  'azureServicePrincipalClientId',
  'azureServicePrincipalClientSecret',
  'azureServicePrincipalTenantId',
  'azureActiveDirectoryEndpoint',
  'proxy',
  'noProxy',
] as const

function completed(
  repository: RepositorySettings,
  template: RepositorySettings,
): RepositorySettings {
  const copied: { -readonly [key in keyof RepositorySettings]?: RepositorySettings[key] } = {}
  for (const key of copiedWhenEmpty) if (repository[key] === '') copied[key] = template[key]
  return {
    ...repository,
    ...copied,
    type: repository.type === '' ? template.type : repository.type,
    enableOCI: template.enableOCI,
    insecureOCIForceHttp: template.insecureOCIForceHttp,
    forceHttpBasicAuth: template.forceHttpBasicAuth,
    useAzureWorkloadIdentity: template.useAzureWorkloadIdentity,
  }
}

// Parity: a GCP key and an Azure client id do not count.
function hasCredentials(one: RepositorySettings): boolean {
  return (
    one.username !== '' ||
    one.password !== '' ||
    one.bearerToken !== '' ||
    one.sshPrivateKey !== '' ||
    one.tlsClientCertData !== '' ||
    one.githubAppPrivateKey !== '' ||
    one.useAzureWorkloadIdentity ||
    one.azureServicePrincipalClientSecret !== ''
  )
}

/**
 * One spelling for every way to write the URL of a repository; '' for a URL that Go cannot parse. For comparison
 * only: case is lost, and `git@host:path` becomes `git@host/path`.
 *
 * Source: argo-cd v3.5.1 util/git/git.go NormalizeGitURL
 */
export function normalizeGitUrl(url: string): string {
  let text = url.trim().toLowerCase()
  if (isSshUrl(text) && !text.startsWith('ssh://')) text = `ssh://${text.replace(':', '/')}`
  if (text.endsWith('.git')) text = text.slice(0, -4)
  const parsed = parseGoUrl(text)
  return 'error' in parsed ? '' : formatGoUrl(parsed).replace(/^ssh:\/\//, '')
}

/** Whether two URLs mean the same repository; what cannot be parsed is compared as it is. */
export function sameUrl(a: string, b: string): boolean {
  const one = normalizeGitUrl(a) || a
  const other = normalizeGitUrl(b) || b
  return one !== '' && one === other
}

/** `ssh://…` with a user, or `user@host:path`. */
export function isSshUrl(url: string): boolean {
  return /^(ssh:\/\/)?([^/:]*?)@[^@]+$/.test(url)
}
