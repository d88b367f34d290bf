import type { TemplateWorld } from '@litecd/core/adapters'
import type { ComparisonLevel } from '@litecd/core/app'
import {
  type Application,
  finalizerResources,
  type HealthSettings,
  instanceNameOf,
  projectNameOf,
} from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import { effectiveProject, loosePermissions } from '@litecd/core/project'
import { ArgoObjects } from '@litecd/k8s-adapter/argocd'
import type { CacheChange } from '@litecd/k8s-adapter/cache'
import { realChance } from '@litecd/k8s-adapter/chance'
import {
  type Connection,
  inClusterConnection,
  KubeClient,
  loadKubeconfig,
} from '@litecd/k8s-adapter/client'
import { openHealthLibrary } from '@litecd/k8s-adapter/disk'
import { createEventSink } from '@litecd/k8s-adapter/events'
import { programJq } from '@litecd/k8s-adapter/process'
import { createSourceFetcher } from '@litecd/k8s-adapter/sources'
import { Clusters } from './clusters.ts'
import { Comparisons } from './comparisons.ts'
import { createLogger, type Logger } from './log/index.ts'
import { ApplicationLoop, type ArgoPort, type LoopContext, OperationLoop } from './loops/index.ts'
import type { Options } from './options/index.ts'
import { WorkQueue } from './queue/index.ts'
import { Recordings } from './recordings.ts'
import { Repositories } from './repositories.ts'
import {
  GithubMetrics,
  ReconcileTimes,
  type Server,
  serve,
  setMetrics,
  webhookMetrics,
} from './serve/index.ts'
import { ApplicationSets } from './sets.ts'
import { UpdateFilter } from './updates.ts'
import { version } from './version.ts'
import { type RunningWebhooks, startWebhooks } from './webhook-listener.ts'

export interface RunningController {
  /** Where health and metrics are served; undefined when they are not. */
  readonly url: string | undefined
  /** Where webhooks are taken; undefined when they are not. */
  readonly webhookUrl: string | undefined
  stop(): Promise<void>
}

/** Builds every adapter, starts watches and loops. Resolves once everything that exists has been seen. */
export async function startController(
  options: Options,
  write: (line: string) => void,
): Promise<RunningController> {
  const log = createLogger(options.logLevel, write)
  const folder = options.healthLibrary
  const health: HealthSettings = {
    library:
      folder === undefined
        ? {}
        : openHealthLibrary(folder, `litecd controller: --health-library ${folder}`),
    unknown: options.healthUnknown,
  }
  const home = await connectionOf(options)
  const client = new KubeClient(home, { userAgent: 'argocd-application-controller' })
  const repositories = new Repositories(client, options.namespace, log)
  const sources = createSourceFetcher({
    cacheDir: options.repoCache,
    repositories: () => repositories.list(),
  })
  const argo: ArgoObjects = new ArgoObjects({
    client,
    namespace: options.namespace,
    environment: options.environment,
    health,
    onApplication,
    onSurroundings,
  })
  const updates = new UpdateFilter()
  const clusters: Clusters = new Clusters(log, () => argo, onLive)
  const comparisons = options.managedResources
    ? new Comparisons(() => argo.settings().settings)
    : undefined
  const port = argoPort(argo, repositories, options.strictProjectDenies)
  const context: LoopContext = {
    argo: port,
    destinations: clusters,
    sources,
    templates: templateWorld(options),
    jq: options.jq === undefined ? undefined : programJq(options.jq),
    events: createEventSink({
      client,
      namespace: options.namespace,
      onError: (error) => log.warn('event not written', { error: error.message }),
    }),
    clock: { now: () => Date.now() },
    log,
    refresh,
    operate: (key, delayMs = 0) => beats.add(key, delayMs),
    ...(options.recordSyncs === undefined
      ? {}
      : { recordings: new Recordings(options.recordSyncs, version, log) }),
    ...(comparisons === undefined
      ? {}
      : { onCompared: (key, app, detail) => comparisons.note(key, app, detail) }),
  }
  const applicationLoop: ApplicationLoop = new ApplicationLoop(context)
  const operationLoop = new OperationLoop(context)
  const looks: WorkQueue = new WorkQueue({
    workers: options.statusWorkers,
    work: (key) => applicationLoop.work(key),
    onError: failed('comparison'),
  })
  const beats: WorkQueue = new WorkQueue({
    workers: options.operationWorkers,
    work: (key) => operationLoop.work(key),
    onError: failed('operation'),
  })

  let sets: ApplicationSets | undefined
  const projectLoop: WorkQueue = new WorkQueue({
    workers: 1,
    work: (name) => {
      tellLoose(port, log, name)
      return releaseProject(name, argo)
    },
    onError: failed('project'),
  })

  function failed(what: string): (key: string, error: unknown) => void {
    return (key, error) => {
      const text = isLitecdError(error)
        ? `${error.code}: ${error.message}`
        : String((error as Error)?.stack ?? error)
      log.error(`${what} failed`, { key, error: text })
    }
  }

  function refresh(key: string, level?: ComparisonLevel, delayMs = 0): void {
    if (level !== undefined && delayMs > 0) {
      setTimeout(() => refresh(key, level), delayMs).unref()
      return
    }
    if (level !== undefined) applicationLoop.request(key, level)
    looks.add(key, delayMs)
  }

  function onApplication(
    key: string,
    before: Application | undefined,
    now: Application | undefined,
  ): void {
    if (now === undefined) {
      looks.forget(key)
      beats.forget(key)
      comparisons?.forget(key)
    }
    sets?.onApplication(before, now)
    refresh(key, switchedOn(before, now) ? 2 : undefined)
  }

  function onSurroundings(what: 'project' | 'settings' | 'cluster', name: string): void {
    if (what === 'project') {
      // Parity: Applications are not looked at again only because their project has changed
      projectLoop.add(name)
      return
    }
    clusters.follow()
    if (what === 'cluster') sets?.onClusters()
    for (const app of argo.applications()) refresh(keyOf(app))
  }

  /** Parity: whatever the cluster, Applications that look for orphans are told by the name of the namespace. */
  function onUntracked(namespace: string): void {
    if (namespace === '') return
    for (const app of argo.applications()) {
      if (app.spec.destination.namespace !== namespace) continue
      if (argo.project(projectNameOf(app))?.spec.orphanedResources === undefined) continue
      refresh(keyOf(app), 0)
    }
  }

  function onLive(change: CacheChange): void {
    if (change.instances.length === 0) {
      onUntracked(change.key.namespace)
      return
    }
    const { settings } = argo.settings()
    const { controllerNamespace } = settings
    if (!updates.counts(change, settings)) {
      log.debug('update does not count', { ...change.key })
      return
    }
    for (const app of argo.applications()) {
      if (!change.instances.includes(instanceNameOf(app, controllerNamespace))) continue
      refresh(keyOf(app), change.root ? 1 : 0)
    }
  }

  let server: Server | undefined
  let webhooks: RunningWebhooks | undefined
  const times = new ReconcileTimes()
  const github = new GithubMetrics()
  const stop = async (): Promise<void> => {
    argo.stop()
    repositories.stop()
    await Promise.all([
      looks.stop(),
      beats.stop(),
      projectLoop.stop(),
      sets?.stop(),
      server?.stop(),
      webhooks?.stop(),
    ])
    clusters.stop()
    sources.release()
    client.close()
  }
  try {
    if (options.port !== 0) {
      server = await serve(options.port, {
        applications: () => argo.applications(),
        queues: { comparison: looks, operation: beats },
        more: () => [
          ...setMetrics(sets?.measured() ?? [], options.setLabels),
          ...times.lines(),
          ...github.lines(),
          ...webhookMetrics(webhooks?.requests ?? new Map()),
        ],
        namespace: options.namespace,
        ...(comparisons === undefined
          ? {}
          : {
              managedResources: (key) =>
                argo.application(key) === undefined ? undefined : comparisons.answer(key),
            }),
      })
    }
    await Promise.all([argo.whenSynced(), repositories.whenSynced()])
  } catch (error) {
    // What watches already would keep the process alive, and nothing would work.
    await stop()
    throw error
  }
  if (options.applicationSets) {
    try {
      sets = new ApplicationSets({
        client,
        namespace: options.namespace,
        environment: options.environment,
        argo,
        sources,
        log,
        onError: failed('applicationset'),
        onLook: (key, seconds) => times.observe(key, seconds),
        onGone: (key) => times.forget(key),
        onCall: (call) => github.observe(call),
      })
    } catch (error) {
      await stop()
      throw error
    }
  }
  if (options.webhook !== undefined) {
    try {
      webhooks = await startWebhooks(options.webhook, {
        argo,
        client,
        namespace: options.namespace,
        workers: options.webhookWorkers,
        sets: () => sets,
        log,
        onError: failed('webhook'),
      })
    } catch (error) {
      await stop()
      throw error
    }
  }
  tellLoose(port, log)
  projectLoop.start()
  looks.start()
  beats.start()
  for (const problem of argo.settings().problems) log.warn('setting not understood', { problem })
  log.info('watching', {
    namespace: options.namespace,
    applications: [...argo.applications()].length,
  })
  return { url: server?.url, webhookUrl: webhooks?.url, stop }
}

/** Argo CD's objects as the loops see them: projects with everything that is scoped to them. */
function argoPort(argo: ArgoObjects, repositories: Repositories, strictDenies: boolean): ArgoPort {
  return {
    application: (key) => argo.application(key),
    applications: () => argo.applications(),
    project: (name) => {
      const project = argo.project(name)
      if (project === undefined) return undefined
      return effectiveProject(
        project,
        {
          repositories: repositories.list().repositories,
          clusters: argo
            .clusterEntries()
            .map((entry) => ({ ...entry, project: entry.project ?? '' })),
        },
        argo.settings().settings.globalProjects,
        (other) => argo.project(other),
        { strictDenies },
      )
    },
    settings: () => argo.settings(),
    clusters: () => argo.clusters(),
    read: (key) => argo.read(key),
    patch: (key, patch) => argo.patch(key, patch),
    startOperation: (key, operation) => argo.startOperation(key, operation),
  }
}

/** Tells what projects permit although their guide promises otherwise; of one project, or of all. */
function tellLoose(argo: ArgoPort, log: Logger, name?: string): void {
  const clusters = argo.clusters()
  for (const app of argo.applications()) {
    const projectName = projectNameOf(app)
    if (name !== undefined && projectName !== name) continue
    const project = argo.project(projectName)
    if (project === undefined || project.strictDenies === true) continue
    for (const why of loosePermissions(app, project, clusters)) {
      log.warn('permitted by a denial', { application: keyOf(app), why })
    }
  }
}

/** A project that is being deleted is let go once no Application refers to it. */
async function releaseProject(name: string, argo: ArgoObjects): Promise<void> {
  const project = argo.project(name)
  const finalizers = project?.metadata.finalizers ?? []
  if (project?.metadata.deletionTimestamp === undefined) return
  if (!finalizers.includes(finalizerResources)) return
  for (const app of argo.applications()) if (projectNameOf(app) === name) return
  await argo.patchProject(name, {
    metadata: { finalizers: finalizers.filter((one) => one !== finalizerResources) },
  })
}

function keyOf(app: Application): string {
  return `${app.metadata.namespace}/${app.metadata.name}`
}

function templateWorld({ realChance: isReal, helmLookup }: Options): TemplateWorld {
  return {
    ...(isReal ? { chance: realChance() } : {}),
    ...(helmLookup === 'none' ? {} : { lookup: helmLookup }),
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
