import { readFile } from 'node:fs/promises'
import { ClusterError } from '@litecd/core/errors'
import type { Connection } from './connection.ts'
import { type ExecCredential, runExecPlugin } from './exec-plugin.ts'

/** What to show with one request. The certificate belongs to the TLS session, the rest to the request. */
export interface Identity {
  readonly authorization?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
}

/** Where identities come from over time: tokens are rotated, plugins' credentials expire. */
export interface IdentitySource {
  current(): Promise<Identity>
  /** After a 401: drops what is remembered. True when the next `current` may give something else. */
  renew(): boolean
}

const tokenFileAgeMs = 60_000 // client-go v0.36.1 transport/token_source.go: cached for a minute

function fixed(identity: Identity): IdentitySource {
  return { current: async () => identity, renew: () => false }
}

function fromTokenFile(path: string, rest: Identity): IdentitySource {
  let token: string | undefined
  let readAt = 0
  return {
    async current() {
      if (token === undefined || Date.now() - readAt > tokenFileAgeMs) {
        try {
          token = (await readFile(path, 'utf8')).trim()
        } catch (error) {
          // While the kubelet swaps the file, the token before it is still good.
          if (token === undefined) {
            const message = `failed to read token file ${JSON.stringify(path)}`
            throw new ClusterError('CLUSTER_CONFIG', message, { cause: error })
          }
        }
        readAt = Date.now()
      }
      return { ...rest, authorization: `Bearer ${token}` }
    },
    renew() {
      readAt = 0
      return true
    },
  }
}

function fromPlugin(connection: Connection, rest: Identity): IdentitySource {
  const plugin = connection.credentials.exec!
  let held: Promise<ExecCredential> | undefined
  let expiresAt = Number.POSITIVE_INFINITY
  const fetch = (): Promise<ExecCredential> => {
    const run = runExecPlugin(plugin, connection)
    held = run
    run.then(
      (credential) => {
        expiresAt = credential.expiresAt ?? Number.POSITIVE_INFINITY
      },
      () => {
        // A plugin that failed is asked again by the next request.
        if (held === run) held = undefined
      },
    )
    return run
  }
  return {
    async current() {
      if (Date.now() >= expiresAt) held = undefined
      const { token, clientCertificate, clientKey } = await (held ?? fetch())
      return {
        ...rest,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(clientCertificate === undefined || clientKey === undefined
          ? {}
          : { clientCertificate, clientKey }),
      }
    },
    renew() {
      held = undefined
      expiresAt = Number.POSITIVE_INFINITY
      return true
    },
  }
}

/**
 * The identities of a connection. Order of preference: token file, token, user name, plugin; explicit credentials keep
 * a plugin from running. Source: client-go v0.36.1 plugin/pkg/client/auth/exec, transport/round_trippers.go.
 */
export function identitySource(connection: Connection): IdentitySource {
  const { credentials } = connection
  const rest: Identity =
    credentials.clientCertificate === undefined || credentials.clientKey === undefined
      ? {}
      : { clientCertificate: credentials.clientCertificate, clientKey: credentials.clientKey }
  if (credentials.tokenFile !== undefined) return fromTokenFile(credentials.tokenFile, rest)
  if (credentials.token !== undefined) {
    return fixed({ ...rest, authorization: `Bearer ${credentials.token}` })
  }
  if (credentials.username !== undefined) {
    const pair = `${credentials.username}:${credentials.password ?? ''}`
    return fixed({ ...rest, authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
  }
  if (credentials.exec !== undefined) return fromPlugin(connection, rest)
  return fixed(rest)
}
