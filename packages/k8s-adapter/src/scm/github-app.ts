import { createSign } from 'node:crypto'
import { isObject } from '@litecd/core/json'
import { type Api, isSuccess, objectsOf } from './api.ts'
import { providerError, type StoredSecret } from './objects.ts'
import { prefixed, query } from './provider.ts'

export interface GithubApp {
  readonly id: string
  /** '' where it is to be found by the name of the organization. */
  readonly installation: string
  readonly privateKey: string
  /** '' for github.com. */
  readonly enterpriseUrl: string
}

/** What a Secret says about an App. Throws SourceError where it says nothing. */
export function githubAppOf(
  secret: StoredSecret | undefined,
  name: string,
  prefix: string,
): GithubApp {
  if (secret === undefined) {
    throw providerError(
      `${prefix}failed to get secret ${name}: secret ${JSON.stringify(name)} not found`,
    )
  }
  const text = (key: string): string =>
    Object.hasOwn(secret.data, key) ? (secret.data[key] ?? '') : ''
  const privateKey = text('githubAppPrivateKey')
  if (privateKey === '') throw providerError(`${prefix}no github app found for ${name}`)
  return {
    id: text('githubAppID'),
    installation: text('githubAppInstallationID'),
    privateKey,
    enterpriseUrl: text('githubAppEnterpriseBaseUrl'),
  }
}

/**
 * A token by which an App shows that it is itself; two minutes long, as GitHub's clock may run behind ours.
 *
 * Source: ghinstallation v2.19 appsTransport.go
 */
export function appToken(app: GithubApp, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000) - 30
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: seconds, exp: seconds + 120, iss: app.id })}`
  try {
    const signature = createSign('RSA-SHA256').update(unsigned).sign(app.privateKey, 'base64url')
    return `${unsigned}.${signature}`
  } catch {
    // what the library says may hold parts of the key
    throw providerError(
      'failed to create GitHub installation transport: could not parse private key',
    )
  }
}

export interface InstallationToken {
  readonly token: string
  readonly expiresAt: number
}

/** The installation of an App in an organization. `api` speaks as the App itself. */
export async function findInstallation(
  api: Api,
  organization: string,
  signal?: AbortSignal,
): Promise<string> {
  const wanted = organization.toLowerCase()
  for (let page = 1; ; page++) {
    api.checkPages(page)
    const { value, answer } = await api
      .json(`app/installations?${query({ per_page: 100, ...(page > 1 ? { page } : {}) })}`, signal)
      .catch(prefixed('failed to list installations: '))
    for (const one of objectsOf(value)) {
      const { account, id } = one
      if (!isObject(account) || typeof account['login'] !== 'string') continue
      if (account['login'].toLowerCase() === wanted) return String(id)
    }
    if (!/rel="?next"?/.test(answer.headers['link'] ?? '')) break
  }
  throw providerError(`installation not found for org: ${wanted}`, 'SOURCE_NOT_FOUND')
}

/** A token of an installation. `api` speaks as the App itself. */
export async function installationToken(
  api: Api,
  installation: string,
  signal?: AbortSignal,
): Promise<InstallationToken> {
  const answer = await api
    .exchange(`app/installations/${installation}/access_tokens`, {
      method: 'POST',
      body: '',
      signal,
    })
    .catch(prefixed(`could not refresh installation id ${installation}'s token: `))
  if (!isSuccess(answer)) {
    throw api.refusal(
      answer,
      `could not refresh installation id ${installation}'s token: received non 2xx response status "${answer.statusText}" when fetching ${answer.url}`,
    )
  }
  const value = api.parsed(answer)
  const token = isObject(value) ? value['token'] : undefined
  const expires = isObject(value) ? Date.parse(String(value['expires_at'])) : Number.NaN
  if (typeof token !== 'string') {
    throw api.error('SOURCE_CORRUPT', 'the answer of the installation holds no token')
  }
  api.hide(token)
  return { token, expiresAt: Number.isNaN(expires) ? 0 : expires }
}
