import type { Cluster } from '@litecd/core/adapters'
import { type Settings, trackingNameOf } from '@litecd/core/argo'
import { ClusterError } from '@litecd/core/errors'
import type { Manifest } from '@litecd/core/kube'
import { isExcluded } from '@litecd/core/normalize'
import type { ArgoObjects } from '@litecd/k8s-adapter/argocd'
import { type CacheChange, ClusterCache } from '@litecd/k8s-adapter/cache'
import { KubeClient } from '@litecd/k8s-adapter/client'
import { createCluster } from '@litecd/k8s-adapter/cluster'
import type { Logger } from './log/index.ts'
import type { DestinationPort } from './loops/index.ts'

interface Destination {
  readonly stamp: string
  readonly cluster: Cluster
  readonly cache: ClusterCache
  readonly client: KubeClient
  /** The same cluster with the rights of users that syncs impersonate. */
  readonly as: Map<string, Cluster>
}

/** The clusters in use: one client and one cache each, opened when the first Application asks. */
export class Clusters implements DestinationPort {
  private readonly log: Logger
  private readonly argo: () => ArgoObjects
  private readonly onChange: (change: CacheChange) => void
  private readonly open = new Map<string, Destination>()

  constructor(log: Logger, argo: () => ArgoObjects, onChange: (change: CacheChange) => void) {
    this.log = log
    this.argo = argo
    this.onChange = onChange
  }

  /** Settings or Secrets changed: what is reached or watched in another way now is opened anew. */
  follow(): void {
    const { tracking } = this.argo().settings().settings
    for (const [server, destination] of this.open) {
      if (this.stampOf(server) !== destination.stamp) {
        destination.cache.stop()
        destination.client.close()
        this.open.delete(server)
        continue
      }
      destination.cache
        .trackBy((live) => trackingNameOf(live, tracking), JSON.stringify(tracking))
        .catch((error: unknown) => this.log.warn('cache', { server, error: String(error) }))
    }
  }

  async cluster(server: string, user?: string): Promise<Cluster> {
    const destination = this.open.get(server) ?? this.connect(server)
    if (user === undefined) return destination.cluster
    const known = destination.as.get(user)
    if (known !== undefined) return known
    const { cache, client } = destination
    const own = createCluster({
      client: client.as({ user }),
      // what is there is seen with the controller's rights, what is done is done with the user's
      live: cache,
      onWrite: (key, live) => cache.wrote(key, live),
    })
    destination.as.set(user, own)
    return own
  }

  private connect(server: string): Destination {
    const entry = this.argo().cluster(server)
    const stamp = this.stampOf(server)
    if (entry === undefined || stamp === undefined) {
      throw new ClusterError(
        'CLUSTER_NOT_FOUND',
        `rpc error: code = NotFound desc = cluster "${server}" not found`,
      )
    }
    const client = new KubeClient(entry.connection, { userAgent: 'argocd-application-controller' })
    const { settings } = this.argo().settings()
    const cache: ClusterCache = new ClusterCache(client, {
      instanceOf: (live: Manifest) => trackingNameOf(live, settings.tracking),
      tracking: JSON.stringify(settings.tracking),
      excludes: (kind) => isExcluded(kind, server, settings),
      onChange: this.onChange,
      onError: (kind, error) =>
        this.log.warn('watch', {
          server,
          kind: `${kind.group}/${kind.kind}`,
          error: error.message,
        }),
      server,
    })
    const destination: Destination = {
      stamp,
      client,
      cache,
      as: new Map(),
      cluster: createCluster({
        client,
        live: cache,
        onWrite: (key, live) => cache.wrote(key, live),
      }),
    }
    this.open.set(server, destination)
    return destination
  }

  stop(): void {
    for (const { cache, client } of this.open.values()) {
      cache.stop()
      client.close()
    }
    this.open.clear()
  }

  /** Another text whenever the connection, or what is watched over it, is another one. */
  private stampOf(server: string): string | undefined {
    const entry = this.argo().cluster(server)
    if (entry === undefined) return undefined
    const { exclusions, inclusions }: Settings = this.argo().settings().settings
    return `${entry.stamp} ${JSON.stringify([exclusions, inclusions])}`
  }
}
