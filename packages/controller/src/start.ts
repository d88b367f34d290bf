import type { Cluster } from '@litecd/core/adapters'
import type { ComparisonLevel } from '@litecd/core/app'
import { type Application, instanceNameOf, trackingNameOf } from '@litecd/core/argo'
import { ClusterError, isLitecdError } from '@litecd/core/errors'
import type { Manifest } from '@litecd/core/kube'
import { ArgoObjects } from '@litecd/k8s-adapter/argocd'
import { type CacheChange, ClusterCache } from '@litecd/k8s-adapter/cache'
import {
  type Connection,
  inClusterConnection,
  KubeClient,
  loadKubeconfig,
} from '@litecd/k8s-adapter/client'
import { createCluster } from '@litecd/k8s-adapter/cluster'
import { createEventSink } from '@litecd/k8s-adapter/events'
import { createSourceFetcher } from '@litecd/k8s-adapter/sources'
import { createLogger, type Logger } from './log/index.ts'
import { ApplicationLoop, type LoopContext, OperationLoop } from './loops/index.ts'
import type { Options } from './options/index.ts'
import { WorkQueue } from './queue/index.ts'

export interface RunningController {
  stop(): Promise<void>
}

/** Builds every adapter, starts watches and loops. Resolves once everything that exists has been seen. */
export async function startController(
  options: Options,
  write: (line: string) => void,
): Promise<RunningController> {
  const log = createLogger(options.logLevel, write)
  const home = await connectionOf(options)
  const client = new KubeClient(home, { userAgent: 'argocd-application-controller' })
  const sources = createSourceFetcher({ cacheDir: options.repoCache })
  const clusters = new Clusters(log, (change) => onLive(change))
  const events = createEventSink({
    client,
    namespace: options.namespace,
    onError: (error) => log.warn('event not written', { error: error.message }),
  })

  const fail =
    (what: string) =>
    (key: string, error: unknown): void => {
      const text = isLitecdError(error)
        ? `${error.code}: ${error.message}`
        : String((error as Error)?.stack ?? error)
      log.error(`${what} failed`, { application: key, error: text })
    }
  const refresh = (key: string, level?: ComparisonLevel, delayMs = 0): void => {
    if (level !== undefined && delayMs > 0) {
      const timer = setTimeout(() => refresh(key, level), delayMs)
      timer.unref()
      return
    }
    if (level !== undefined) applicationLoop.request(key, level)
    looks.add(key, delayMs)
  }
  const context: LoopContext = {
    argo: undefined as never,
    destinations: clusters,
    sources,
    events,
    clock: { now: () => Date.now() },
    log,
    refresh,
    operate: (key, delayMs = 0) => beats.add(key, delayMs),
  }
  const argo = new ArgoObjects({
    client,
    namespace: options.namespace,
    environment: options.environment,
    onApplication: (key, before, now) => {
      if (now === undefined) {
        looks.forget(key)
        beats.forget(key)
      }
      refresh(key, switchedOn(before, now) ? 2 : undefined)
    },
    onSurroundings: () => {
      clusters.follow(argo)
      for (const app of argo.applications()) {
        refresh(`${app.metadata.namespace}/${app.metadata.name}`)
      }
    },
  })
  Object.assign(context, { argo })
  const applicationLoop = new ApplicationLoop(context)
  const operationLoop = new OperationLoop(context)
  const looks = new WorkQueue({
    workers: options.statusWorkers,
    work: (key) => applicationLoop.work(key),
    onError: fail('comparison'),
  })
  const beats = new WorkQueue({
    workers: options.operationWorkers,
    work: (key) => operationLoop.work(key),
    onError: fail('operation'),
  })
  function onLive(change: CacheChange): void {
    for (const app of argo.applications()) {
      const { settings } = argo.settings()
      if (!change.instances.includes(instanceNameOf(app, settings.controllerNamespace))) continue
      const key = `${app.metadata.namespace}/${app.metadata.name}`
      refresh(key, change.root ? 1 : 0)
    }
  }
  await argo.whenSynced()
  clusters.follow(argo)
  looks.start()
  beats.start()
  for (const problem of argo.settings().problems) log.warn('setting not understood', { problem })
  log.info('watching', {
    namespace: options.namespace,
    applications: [...argo.applications()].length,
  })
  return {
    stop: async () => {
      argo.stop()
      await Promise.all([looks.stop(), beats.stop()])
      clusters.stop()
      sources.release()
      client.close()
    },
  }
}

async function connectionOf(options: Options): Promise<Connection> {
  if (options.kubeconfig === undefined) return inClusterConnection()
  return loadKubeconfig({
    path: options.kubeconfig,
    ...(options.context === undefined ? {} : { context: options.context }),
  })
}

/** Switching automated sync or self-heal on asks for a look at once. */
function switchedOn(before: Application | undefined, now: Application | undefined): boolean {
  if (before === undefined || now === undefined) return false
  const old = before.spec.syncPolicy?.automated
  const next = now.spec.syncPolicy?.automated
  const on = (policy: typeof next): boolean => policy !== undefined && policy.enabled !== false
  return (on(next) && !on(old)) || (next?.selfHeal === true && old?.selfHeal !== true)
}

interface Destination {
  readonly stamp: string
  readonly cluster: Cluster
  readonly cache: ClusterCache
  readonly client: KubeClient
}

/** The clusters in use: one client and one cache each, opened when the first Application asks. */
class Clusters {
  private readonly log: Logger
  private readonly onChange: (change: CacheChange) => void
  private readonly open = new Map<string, Destination>()
  private argo: ArgoObjects | undefined

  constructor(log: Logger, onChange: (change: CacheChange) => void) {
    this.log = log
    this.onChange = onChange
  }

  /** Settings or Secrets changed: clusters whose Secret is another one are opened anew. */
  follow(argo: ArgoObjects): void {
    this.argo = argo
    const { tracking } = argo.settings().settings
    for (const [server, destination] of this.open) {
      if (argo.cluster(server)?.stamp !== destination.stamp) {
        destination.cache.stop()
        destination.client.close()
        this.open.delete(server)
        continue
      }
      destination.cache
        .trackBy((live) => trackingNameOf(live, tracking), JSON.stringify(tracking))
        .catch((error: unknown) => this.log.warn('cache', { error: String(error) }))
    }
  }

  async cluster(server: string): Promise<Cluster> {
    const known = this.open.get(server)
    if (known !== undefined) return known.cluster
    const found = this.argo?.cluster(server)
    if (this.argo === undefined || found === undefined) {
      throw new ClusterError(
        'CLUSTER_NOT_FOUND',
        `rpc error: code = NotFound desc = cluster "${server}" not found`,
      )
    }
    const client = new KubeClient(found.connection, { userAgent: 'argocd-application-controller' })
    const { tracking } = this.argo.settings().settings
    const cache: ClusterCache = new ClusterCache(client, {
      instanceOf: (live: Manifest) => trackingNameOf(live, tracking),
      tracking: JSON.stringify(tracking),
      onChange: this.onChange,
      onError: (kind, error) =>
        this.log.warn('watch', { kind: `${kind.group}/${kind.kind}`, error: error.message }),
      server,
    })
    const destination: Destination = {
      stamp: found.stamp,
      client,
      cache,
      cluster: createCluster({
        client,
        live: cache,
        onWrite: (key, live) => cache.wrote(key, live),
      }),
    }
    this.open.set(server, destination)
    return destination.cluster
  }

  stop(): void {
    for (const { cache, client } of this.open.values()) {
      cache.stop()
      client.close()
    }
    this.open.clear()
  }
}
