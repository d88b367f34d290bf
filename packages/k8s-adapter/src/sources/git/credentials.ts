import { createSign } from 'node:crypto'
import { SourceError } from '@litecd/core/errors'
import { basicAuthorization, httpRequest } from '../http/index.ts'
import { isSshUrl, type RepositorySettings } from '../repository.ts'

/** How we show a git server who we are. */
export interface GitCredentials {
  /** Value of the Authorization header; undefined for an anonymous request. */
  readonly authorization?: string
  /** PEM text of a private key. */
  readonly sshPrivateKey?: string
}

/** Tokens that were obtained from an identity provider, kept until shortly before they expire. */
export class TokenCache {
  readonly #tokens = new Map<string, { readonly token: string; readonly expiresAt: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  async get(
    key: string,
    obtain: () => Promise<{ token: string; expiresAt: number }>,
  ): Promise<string> {
    const known = this.#tokens.get(key)
    if (known !== undefined && known.expiresAt - 60_000 > this.#now()) return known.token
    const fresh = await obtain()
    this.#tokens.set(key, fresh)
    return fresh.token
  }

  now(): number {
    return this.#now()
  }
}

/**
 * The first credential of a repository that applies: password or bearer token, what the URL holds, SSH key, GitHub App.
 *
 * @throws SourceError SOURCE_REFUSED when a token cannot be had, RENDER_UNSUPPORTED for Google and Azure identities
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/repository_types.go GetGitCreds
 */
export async function gitCredentials(
  repository: RepositorySettings,
  tokens: TokenCache,
  signal?: AbortSignal,
): Promise<GitCredentials> {
  const { username, password, bearerToken } = repository
  if (bearerToken !== '') return { authorization: `Bearer ${bearerToken}` }
  if (password !== '')
    return { authorization: basicAuthorization(username || 'x-access-token', password) }
  const inUrl = /^https?:\/\/([^/@:]*):([^/@]*)@/i.exec(repository.url)
  if (inUrl !== null) {
    return { authorization: basicAuthorization(decode(inUrl[1]!), decode(inUrl[2]!)) }
  }
  if (repository.sshPrivateKey !== '') return { sshPrivateKey: repository.sshPrivateKey }
  if (repository.githubAppPrivateKey !== '' && repository.githubAppID !== '') {
    const key = `${repository.githubAppEnterpriseBaseUrl}|${repository.githubAppID}|${repository.githubAppInstallationID}|${repository.githubAppInstallationID === '' ? repository.url : ''}`
    const token = await tokens.get(key, () => githubAppToken(repository, tokens.now(), signal))
    return { authorization: basicAuthorization('x-access-token', token) }
  }
  const cloud =
    repository.gcpServiceAccountKey !== ''
      ? 'Google Cloud service accounts'
      : repository.useAzureWorkloadIdentity || repository.azureServicePrincipalClientSecret !== ''
        ? 'Azure identities'
        : undefined
  if (cloud !== undefined && !isSshUrl(repository.url)) {
    throw new SourceError(
      'RENDER_UNSUPPORTED',
      `${cloud} cannot be used for git repositories yet`,
      {
        hint: 'give the repository a password or a bearer token',
      },
    )
  }
  return {}
}

/**
 * An installation token of a GitHub App. Without an installation id the installation of the repository's owner is used.
 *
 * Source: docs.github.com "Authenticating as a GitHub App installation"
 */
async function githubAppToken(
  repository: RepositorySettings,
  now: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const base = repository.githubAppEnterpriseBaseUrl.replace(/\/+$/, '') || 'https://api.github.com'
  const seconds = Math.floor(now / 1000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: seconds - 30, exp: seconds + 540, iss: repository.githubAppID })}`
  let signature: string
  try {
    signature = createSign('RSA-SHA256')
      .update(unsigned)
      .sign(repository.githubAppPrivateKey, 'base64url')
  } catch {
    throw new SourceError('SOURCE_REFUSED', 'could not parse private key of the GitHub App')
  }
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
  ): Promise<{ readonly [key: string]: unknown }> => {
    const response = await httpRequest({
      url: base + path,
      method,
      headers: { accept: 'application/vnd.github+json' },
      authorization: `Bearer ${unsigned}.${signature}`,
      proxy: { proxy: repository.proxy, noProxy: repository.noProxy },
      tls: { insecure: repository.insecure },
      timeoutMs: 15_000,
      maxBytes: 1_000_000,
      ...(method === 'POST' ? { body: new Uint8Array(0) } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    if (response.status < 200 || response.status > 299) {
      throw new SourceError(
        'SOURCE_REFUSED',
        `could not get a token of the GitHub App: received non 2xx response status "${response.statusText}" when fetching ${base}${path}`,
      )
    }
    return JSON.parse(response.body.toString('utf8'))
  }
  let installation = repository.githubAppInstallationID
  if (installation === '') {
    const owner = /[/:]([^/:]+)\/[^/]+?\/?$/.exec(repository.url)?.[1] ?? ''
    installation = String(
      (await ask('GET', `/users/${encodeURIComponent(owner)}/installation`))['id'] ?? '',
    )
  }
  const answer = await ask('POST', `/app/installations/${installation}/access_tokens`)
  return {
    token: String(answer['token'] ?? ''),
    expiresAt: Date.parse(String(answer['expires_at'] ?? '')) || now + 55 * 60_000,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
