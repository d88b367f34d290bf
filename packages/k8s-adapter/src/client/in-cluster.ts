import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClusterError } from '@litecd/core/errors'
import type { Connection } from './connection.ts'

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface InClusterOptions {
  readonly env?: { readonly [name: string]: string | undefined }
  /** Where the service account is mounted; for tests. */
  readonly folder?: string
}

/** True in a pod that has a service account mounted. */
export async function runsInCluster(options: InClusterOptions = {}): Promise<boolean> {
  const env = options.env ?? process.env
  if (!env['KUBERNETES_SERVICE_HOST'] || !env['KUBERNETES_SERVICE_PORT']) return false
  return access(join(options.folder ?? accountFolder, 'token')).then(
    () => true,
    () => false,
  )
}

/**
 * The connection of a pod to its own cluster, as its service account.
 *
 * Throws ClusterError CLUSTER_CONFIG outside of a pod. Source: client-go v0.36.1 rest.InClusterConfig.
 */
export async function inClusterConnection(options: InClusterOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env
  const folder = options.folder ?? accountFolder
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (!host || !port) {
    throw new ClusterError(
      'CLUSTER_CONFIG',
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    )
  }
  const read = (name: string): Promise<string | undefined> =>
    readFile(join(folder, name), 'utf8').catch(() => undefined)
  const ca = await read('ca.crt')
  const namespace = (await read('namespace'))?.trim()
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(ca === undefined ? {} : { ca }),
    ...(namespace ? { namespace } : {}),
    credentials: { tokenFile: join(folder, 'token') },
  }
}
