import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Headers, WebhookProvider } from '@litecd/core/argo'

/** What senders prove themselves with; '' where nothing is asked for. */
export interface WebhookSecrets {
  readonly github: string
  readonly gitlab: string
  readonly bitbucketUuid: string
  readonly bitbucketServer: string
  readonly gogs: string
  readonly azureUsername: string
  readonly azurePassword: string
}

/**
 * Whether a request proves who sent it. Every comparison takes as long for a wrong value as for the right one.
 *
 * Source: argo-cd v3.5.1 util/webhook/{scm,ghcr}.go, github.com/go-playground/webhooks v6.4.0
 */
export function isGenuine(
  provider: WebhookProvider,
  headers: Headers,
  body: Uint8Array,
  secrets: WebhookSecrets,
): boolean {
  const given = (name: string): string => headers[name] ?? ''
  switch (provider) {
    case 'github':
      return hasSignature(
        given('x-hub-signature-256').replace(/^sha256=/, ''),
        secrets.github,
        body,
      )
    case 'ghcr': {
      const signature = given('x-hub-signature-256')
      const bare = signature.startsWith('sha256=') ? signature.slice('sha256='.length) : ''
      return hasSignature(bare, secrets.github, body)
    }
    case 'gogs':
      return hasSignature(given('x-gogs-signature'), secrets.gogs, body)
    case 'bitbucketserver':
      if (given('x-event-key') === 'diagnostics:ping') return true
      // `sha256=`, whatever it says
      return hasSignature(given('x-hub-signature').slice(7), secrets.bitbucketServer, body)
    case 'gitlab':
      return secrets.gitlab === '' || isSame(given('x-gitlab-token'), secrets.gitlab)
    case 'bitbucket':
      return secrets.bitbucketUuid === '' || isSame(given('x-hook-uuid'), secrets.bitbucketUuid)
    case 'azuredevops':
      return hasCredentials(given('authorization'), secrets)
  }
}

/** Senders that can be checked before their body is read. */
export function isProvenByHeaders(provider: WebhookProvider): boolean {
  return provider === 'gitlab' || provider === 'bitbucket' || provider === 'azuredevops'
}

function hasSignature(hex: string, secret: string, body: Uint8Array): boolean {
  if (secret === '') return true
  return isSame(hex.toLowerCase(), createHmac('sha256', secret).update(body).digest('hex'))
}

function hasCredentials(
  authorization: string,
  { azureUsername, azurePassword }: WebhookSecrets,
): boolean {
  if (azureUsername === '' && azurePassword === '') return true
  const encoded = /^basic +(\S+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return false
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return false
  const user = isSame(text.slice(0, colon), azureUsername)
  const password = isSame(text.slice(colon + 1), azurePassword)
  return user && password
}

/** Also for texts of different length. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
