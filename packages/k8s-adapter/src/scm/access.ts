import { readFileSync } from 'node:fs'
import type { ScmQuery } from '@litecd/core/adapters'
import { isObject } from '@litecd/core/json'
import { basicAuthorization, type ProxySettings, type TlsSettings } from '../sources/http/index.ts'
import { type AnswerMemory, Api, type ApiCall, type ApiOptions, type ScmLimits } from './api.ts'
import { awsCodeCommit } from './aws/code-commit.ts'
import { processCredentials, roleCredentials } from './aws/credentials.ts'
import type { AwsCredentials } from './aws/signature.ts'
import { azureAccept, azureBase, azureDevOps, azureFacts, explainAzure } from './azure-devops.ts'
import { bitbucketCloud, bitbucketCloudBase, explainBitbucketCloud } from './bitbucket-cloud.ts'
import { bitbucketServer, bitbucketServerBase, explainBitbucketServer } from './bitbucket-server.ts'
import { checkGitea, explainGitea, gitea, giteaBase } from './gitea.ts'
import { explainGithub, github, githubBase } from './github.ts'
import {
  appToken,
  findInstallation,
  type GithubApp,
  githubAppOf,
  type InstallationToken,
  installationToken,
} from './github-app.ts'
import { explainGitlab, gitlab, gitlabBase } from './gitlab.ts'
import {
  asProviderError,
  caValue,
  type ProviderObjects,
  providerError,
  secretValue,
  textOf,
} from './objects.ts'
import { type Provider, prefixed } from './provider.ts'

/** What a process knows that asks hosts of repositories. */
export interface ScmWorld {
  /** Argo CD's own. */
  readonly namespace: string
  readonly objects: ProviderObjects
  readonly strictTokens: boolean
  /** A file of certificates that are trusted besides those of a generator; '' for none. */
  readonly rootCaPath: string
  readonly proxy: ProxySettings | undefined
  readonly environment: { readonly [name: string]: string | undefined }
  readonly limits: ScmLimits
  readonly memory: AnswerMemory
  readonly appTokens: Map<string, InstallationToken>
  readonly installations: Map<string, string>
  readonly awsCredentials: Map<string, AwsCredentials>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly observe: ((call: ApiCall) => void) | undefined
  readonly warn: (message: string) => void
}

/** Whether repositories or pull requests are asked for: messages differ. */
export type Purpose = 'repositories' | 'pullRequests'

/** Opens the provider that a generator names. Throws SourceError of stage `provider` in Argo CD's words. */
export async function openProvider(
  world: ScmWorld,
  request: ScmQuery,
  purpose: Purpose,
  signal?: AbortSignal,
): Promise<Provider> {
  const { provider, config } = request
  const opener = new Opener(world, request, purpose, signal)
  switch (provider) {
    case 'github':
      return github(await opener.github(), config)
    case 'gitlab':
      return gitlab(await opener.gitlab(), config)
    case 'gitea':
      return gitea(await opener.gitea(), config, world.warn)
    case 'bitbucketServer':
      return bitbucketServer(await opener.bitbucketServer(), config)
    case 'bitbucket':
      return bitbucketCloud(await opener.bitbucketCloud(), config, world.warn)
    case 'azureDevOps':
      return azureDevOps(await opener.azure(), config, world.warn)
    case 'awsCodeCommit':
      return opener.aws()
  }
}

/** One generator's credentials and certificates, and the API that they are for. */
class Opener {
  readonly #world: ScmWorld
  readonly #query: ScmQuery
  readonly #purpose: Purpose
  readonly #signal: AbortSignal | undefined

  constructor(world: ScmWorld, query: ScmQuery, purpose: Purpose, signal: AbortSignal | undefined) {
    this.#world = world
    this.#query = query
    this.#purpose = purpose
    this.#signal = signal
  }

  async github(): Promise<Api> {
    const { config } = this.#query
    const pulls = this.#purpose === 'pullRequests'
    const headers = { accept: 'application/vnd.github.v3+json' }
    const appSecret = textOf(config, 'appSecretName')
    if (appSecret !== '') {
      const { objects, namespace } = this.#world
      const app = githubAppOf(
        await objects.secret(namespace, appSecret),
        appSecret,
        pulls
          ? 'error getting GitHub App secret: '
          : 'scm provider: error fetching Github app secret: ',
      )
      const url = textOf(config, 'api') || app.enterpriseUrl
      const organization = textOf(config, pulls ? 'owner' : 'organization')
      const api: Api = this.#api({
        base: githubBase(url),
        headers,
        explain: explainGithub,
        secrets: [app.privateKey],
        authorization: async () => {
          const token = await this.#appToken(app, url, organization)
          api.hide(token)
          return `token ${token}`
        },
      })
      return api
    }
    const own = await this.#secret(
      'tokenRef',
      pulls ? 'error fetching Secret token: ' : 'scm provider: error fetching Github token: ',
    )
    const token = own || this.#variable('GITHUB_TOKEN')
    return this.#api({
      base: githubBase(textOf(config, 'api')),
      headers,
      explain: explainGithub,
      secrets: [token],
      ...(token === '' ? {} : { authorization: async () => `Bearer ${token}` }),
    })
  }

  /** A token of the App's installation, kept until shortly before it ends. */
  async #appToken(app: GithubApp, url: string, organization: string): Promise<string> {
    const { appTokens, installations, now } = this.#world
    const owner = organization.toLowerCase()
    const key = `${githubBase(url)} ${app.id} ${app.installation || owner}`
    const known = appTokens.get(key)
    if (known !== undefined && known.expiresAt - 60_000 > now()) return known.token
    const asApp = (base: string): Api =>
      this.#api({
        base,
        headers: { accept: 'application/vnd.github.v3+json' },
        explain: explainGithub,
        secrets: [app.privateKey],
        authorization: async () => `Bearer ${appToken(app, now())}`,
      })
    let installation = app.installation || installations.get(key)
    if (installation === undefined) {
      installation = await findInstallation(asApp(githubBase(url)), organization, this.#signal)
      installations.set(key, installation)
    }
    // Parity: the token is asked for at the URL as it is written
    const base = url === '' ? githubBase('') : url.endsWith('/') ? url : `${url}/`
    const token = await installationToken(asApp(base), installation, this.#signal)
    appTokens.set(key, token)
    return token.token
  }

  async gitlab(): Promise<Api> {
    const { config } = this.#query
    const ca = await this.#ca()
    const pulls = this.#purpose === 'pullRequests'
    const own = await this.#secret(
      'tokenRef',
      pulls ? 'error fetching Secret token: ' : 'error fetching Gitlab token: ',
    )
    const token = own || this.#variable('GITLAB_TOKEN')
    return this.#api({
      base: gitlabBase(textOf(config, 'api')),
      headers: token === '' ? {} : { 'private-token': token },
      explain: explainGitlab,
      secrets: [token],
      tls: this.#tls(ca),
    })
  }

  async gitea(): Promise<Api> {
    const { config } = this.#query
    const pulls = this.#purpose === 'pullRequests'
    const own = await this.#secret(
      'tokenRef',
      pulls ? 'error fetching Secret token: ' : 'error fetching Gitea token: ',
    )
    const token = own || this.#variable('GITEA_TOKEN')
    const api = this.#api({
      base: giteaBase(textOf(config, 'api')),
      explain: explainGitea,
      secrets: [token],
      ...(config['insecure'] === true ? { tls: { insecure: true } } : {}),
      ...(token === '' ? {} : { authorization: async () => `token ${token}` }),
    })
    const prefix = pulls
      ? ''
      : 'error initializing Gitea service: error creating a new gitea client: '
    await checkGitea(api, this.#signal).catch(asProviderError(prefix))
    return api
  }

  async bitbucketServer(): Promise<Api> {
    const { config } = this.#query
    const ca = await this.#ca()
    const { authorization, secrets } = await this.#bitbucketAuthorization()
    return this.#api({
      base: bitbucketServerBase(textOf(config, 'api')),
      // without them the server takes a request for one of a browser
      headers:
        authorization === undefined
          ? {}
          : { 'x-atlassian-token': 'no-check', 'x-requested-with': 'XMLHttpRequest' },
      explain: explainBitbucketServer,
      secrets,
      tls: this.#tls(ca),
      ...(authorization === undefined ? {} : { authorization: async () => authorization }),
    })
  }

  async bitbucketCloud(): Promise<Api> {
    const { config } = this.#query
    if (this.#purpose === 'pullRequests') {
      const { authorization, secrets } = await this.#bitbucketAuthorization()
      return this.#api({
        base: bitbucketCloudBase(textOf(config, 'api')),
        explain: explainBitbucketCloud,
        secrets,
        ...(authorization === undefined ? {} : { authorization: async () => authorization }),
      })
    }
    const password = await this.#secret(
      'appPasswordRef',
      'error fetching Bitbucket cloud appPassword: ',
    )
    return this.#api({
      base: bitbucketCloudBase(this.#variable('BITBUCKET_API_BASE_URL')),
      explain: explainBitbucketCloud,
      secrets: [password],
      authorization: async () => basicAuthorization(textOf(config, 'user'), password),
    })
  }

  async #bitbucketAuthorization(): Promise<{
    readonly authorization: string | undefined
    readonly secrets: readonly string[]
  }> {
    const { bearerToken, basicAuth } = this.#query.config
    if (isObject(bearerToken)) {
      const token = await this.#value(
        bearerToken['tokenRef'],
        'error fetching Secret Bearer token: ',
      )
      return { authorization: `Bearer ${token}`, secrets: [token] }
    }
    if (isObject(basicAuth)) {
      const password = await this.#value(basicAuth['passwordRef'], 'error fetching Secret token: ')
      const authorization = basicAuthorization(textOf(basicAuth, 'username'), password)
      return { authorization, secrets: [password, authorization.slice('Basic '.length)] }
    }
    return { authorization: undefined, secrets: [] }
  }

  async azure(): Promise<Api> {
    const { config } = this.#query
    const pulls = this.#purpose === 'pullRequests'
    const token = await this.#secret(
      pulls ? 'tokenRef' : 'accessTokenRef',
      pulls ? 'error fetching Secret token: ' : 'error fetching Azure Devops access token: ',
    )
    if (token === '' && !pulls) {
      throw providerError('error initializing Azure Devops service: no access token provided')
    }
    const basic = basicAuthorization('', token)
    return this.#api({
      base: azureBase(textOf(config, 'api'), textOf(config, 'organization')),
      headers: { accept: azureAccept, 'x-tfs-fedauthredirect': 'Suppress' },
      explain: explainAzure,
      facts: azureFacts,
      secrets: token === '' ? [] : [token, basic.slice('Basic '.length)],
      ...(token === '' ? {} : { authorization: async () => basic }),
    })
  }

  aws(): Provider {
    const { config } = this.#query
    const { environment, now, awsCredentials, sleep } = this.#world
    const region =
      textOf(config, 'region') ||
      this.#variable('AWS_REGION') ||
      this.#variable('AWS_DEFAULT_REGION')
    if (region === '') {
      throw providerError(
        'error listing repos: failed to list codecommit repository: operation error CodeCommit: ListRepositories, failed to resolve service endpoint, endpoint rule error, Invalid Configuration: Missing Region',
      )
    }
    const api = this.#api({ base: '', explain: ({ statusText }) => statusText, secrets: [] })
    const aws = { environment, region, api, now }
    const kept = async (
      key: string,
      obtain: () => Promise<AwsCredentials>,
    ): Promise<AwsCredentials> => {
      const known = awsCredentials.get(key)
      if (known !== undefined && (known.expiresAt ?? Infinity) - 60_000 > now()) return known
      const fresh = await obtain().catch(
        prefixed('get identity: get credentials: failed to refresh cached credentials, '),
      )
      if (fresh.expiresAt !== undefined) awsCredentials.set(key, fresh)
      return fresh
    }
    const role = textOf(config, 'role')
    return awsCodeCommit(
      aws,
      config,
      async (signal) => {
        const own = await kept('', () => processCredentials(aws, signal))
        return role === ''
          ? own
          : kept(`${role} ${region}`, () => roleCredentials(aws, role, own, signal))
      },
      sleep,
    )
  }

  #api(
    options: Pick<
      ApiOptions,
      'base' | 'headers' | 'authorization' | 'explain' | 'facts' | 'secrets' | 'tls'
    >,
  ): Api {
    const { limits, memory, now, sleep, proxy, observe } = this.#world
    const { provider, set } = this.#query
    return new Api({
      ...options,
      limits,
      memory,
      now,
      sleep,
      proxy,
      ...(observe === undefined ? {} : { observe: (call) => observe({ ...call, provider, set }) }),
    })
  }

  #secret(field: string, prefix: string): Promise<string> {
    return this.#value(this.#query.config[field], prefix)
  }

  #value(ref: unknown, prefix: string): Promise<string> {
    const { objects, strictTokens } = this.#world
    return secretValue(objects, this.#query.set.namespace, ref, { strict: strictTokens, prefix })
  }

  #ca(): Promise<string | undefined> {
    return caValue(this.#world.objects, this.#query.set.namespace, this.#query.config['caRef'])
  }

  /** Certificates of a generator and of the installation replace the system's, as in Argo CD. */
  #tls(ca: string | undefined): TlsSettings {
    const { rootCaPath, warn } = this.#world
    let all = ca ?? ''
    if (rootCaPath !== '') {
      try {
        all += `\n${readFileSync(rootCaPath, 'utf8')}`
      } catch (error) {
        warn(`scm.root.ca.path: ${(error as Error).message}`)
      }
    }
    const usable = all.includes('-----BEGIN CERTIFICATE-----')
    if (all.trim() !== '' && !usable) warn('caRef or scm.root.ca.path holds no certificates')
    return {
      insecure: this.#query.config['insecure'] === true,
      ...(usable ? { ca: all } : {}),
    }
  }

  #variable(name: string): string {
    return this.#world.environment[name] ?? ''
  }
}
