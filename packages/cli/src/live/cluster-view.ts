import { resolve } from 'node:path'
import { isLitecdError, SpecError } from '@litecd/core/errors'
import { type ClusterFacts, formatKey, keyOf, type Manifest } from '@litecd/core/kube'
import type { SyncRequest } from '@litecd/core/sync'
import { KubeClient, loadKubeconfig } from '@litecd/k8s-adapter/client'
import { createCluster, listObjects } from '@litecd/k8s-adapter/cluster'
import type { Io } from '../io.ts'

/** Fields that a dry run leaves behind in no cluster. */
const fieldManager = 'argocd-controller'
const parallel = 8

/** What of a cluster a plan may use. Nothing here changes anything: reads, and writes that the server only tries. */
export interface ClusterView {
  readonly server: string
  /** Every object that may be managed, as it is now. */
  readonly objects: readonly Manifest[]
  readonly facts: ClusterFacts
  /** What the API server says against writes, by the text of the key; requests that it would take are not in it. */
  tryOut(requests: readonly SyncRequest[]): Promise<ReadonlyMap<string, string>>
  close(): void
}

/** Throws ClusterError where the cluster cannot be reached or read, SpecError USAGE for a wrong kubeconfig. */
export async function viewCluster(
  path: string | undefined,
  context: string | undefined,
  io: Io,
): Promise<ClusterView> {
  const connection = await loadKubeconfig({
    env: io.env,
    ...(path === undefined ? {} : { path: resolve(io.cwd, path) }),
    ...(context === undefined ? {} : { context }),
  }).catch((error: unknown) => {
    if (!isLitecdError(error)) throw error
    throw new SpecError('USAGE', `--live: ${error.message}`, { cause: error })
  })
  const client = new KubeClient(connection)
  try {
    const cluster = createCluster({ client })
    const facts = await cluster.facts()
    const objects: Manifest[] = []
    await listObjects(client, (object) => objects.push(object))
    return {
      server: connection.server,
      objects,
      facts,
      tryOut: (requests) => tryOut(requests, createCluster({ client })),
      close: () => client.close(),
    }
  } catch (error) {
    client.close()
    throw error
  }
}

async function tryOut(
  requests: readonly SyncRequest[],
  cluster: ReturnType<typeof createCluster>,
): Promise<ReadonlyMap<string, string>> {
  const refusals = new Map<string, string>()
  const rest = [...requests]
  const work = async (): Promise<void> => {
    for (let request = rest.shift(); request !== undefined; request = rest.shift()) {
      const refusal = await refusalOf(request, cluster)
      if (refusal !== undefined && 'target' in request) {
        refusals.set(formatKey(keyOf(request.target)), refusal)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, rest.length) }, work))
  return refusals
}

/** A dry run on the server. What would be deleted and made anew cannot be tried without deleting it. */
async function refusalOf(
  request: SyncRequest,
  cluster: ReturnType<typeof createCluster>,
): Promise<string | undefined> {
  if (!('target' in request)) return undefined
  const { target, task } = request
  if ('force' in request && request.force) return undefined
  // a hook that is there is deleted before
  if (task.hook && task.live !== undefined) return undefined
  const options = {
    dryRun: 'server',
    serverSide: request.verb === 'apply' && request.serverSide,
    force: false,
    validate: 'validate' in request ? request.validate : true,
    fieldManager,
  } as const
  try {
    switch (request.verb) {
      case 'apply':
        await cluster.apply(target, options)
        break
      case 'create':
        await cluster.create(target, options)
        break
      case 'replace':
        await cluster.replace(target, options)
        break
      case 'update':
        await cluster.update(target, { dryRun: 'server' })
    }
    return undefined
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error.message
  }
}
