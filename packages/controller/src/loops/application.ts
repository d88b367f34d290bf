import type { Adapters, Cluster } from '@litecd/core/adapters'
import {
  type ComparisonLevel,
  decideRefresh,
  indexProblem,
  missedLook,
  type Reconciliation,
  type RefreshDecision,
  reconcile,
  setConditions,
} from '@litecd/core/app'
import {
  type Application,
  type ApplicationStatus,
  annotationRefresh,
  annotationSkipReconcile,
  finalizerPostDelete,
  finalizerPreDelete,
  instanceNameOf,
  parseGoBool,
  projectNameOf,
  type Settings,
} from '@litecd/core/argo'
import { ClusterError, isLitecdError } from '@litecd/core/errors'
import { createMergePatch, deepEqual, type Json, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { inClusterServer, resolveDestination } from '@litecd/core/project'
import { chosenWorld, type LoopContext } from './ports.ts'

const tooLarge =
  'Application status exceeds the Kubernetes resource size limit and could not be persisted. The displayed status may be stale. Reduce the number of managed resources, set ApplyOutOfSyncOnly=true, lower spec.revisionHistoryLimit, or split the Application.'

/** Looks at Applications: compares, writes status and spec, begins automated syncs. */
export class ApplicationLoop {
  private readonly context: LoopContext
  private readonly requested = new Map<string, ComparisonLevel>()
  private readonly sourceErrors = new Map<string, number>()
  /** Applications that this process has looked at before. */
  private readonly met = new Set<string>()

  constructor(context: LoopContext) {
    this.context = context
  }

  /** Notes at which level somebody wants the next look; the highest wins. */
  request(key: string, level: ComparisonLevel): void {
    const known = this.requested.get(key)
    if (known === undefined || known < level) this.requested.set(key, level)
  }

  async work(key: string): Promise<void> {
    const { argo, clock, operate } = this.context
    const app = argo.application(key)
    if (app === undefined) {
      this.requested.delete(key)
      this.sourceErrors.delete(key)
      this.met.delete(key)
      return
    }
    if (parseGoBool(app.metadata.annotations?.[annotationSkipReconcile]) === true) return
    if (!this.met.has(key)) {
      this.met.add(key)
      const missed = missedLook(app)
      if (missed !== undefined) this.request(key, missed)
    }
    const { settings } = argo.settings()
    const level = this.requested.get(key)
    const refresh = decideRefresh(app, settings, clock.now(), level)
    if (refresh !== undefined) {
      if (refresh.level === level) this.requested.delete(key)
      await this.look(key, app, settings, refresh)
    } else await this.noteProblem(key, app, settings)
    this.scheduleExpiry(key, settings)
    operate(key)
  }

  /** An Application that is not due still hears at once that its project or destination is gone. */
  private async noteProblem(key: string, app: Application, settings: Settings): Promise<void> {
    const { argo, clock } = this.context
    const project = argo.project(projectNameOf(app))
    const problem = indexProblem(app, project, argo.clusters(), settings)
    if (problem === undefined) return
    const before = app.status?.conditions ?? []
    const after = setConditions(before, [problem], [problem.type], clock.now())
    if (deepEqual(before as unknown as Json, after as unknown as Json)) return
    await argo.patch(key, { status: { conditions: after as unknown as Json } })
  }

  private scheduleExpiry(key: string, { timeouts }: Settings): void {
    const periods = [timeouts.reconciliationMs, timeouts.hardReconciliationMs].filter(
      (ms) => ms > 0,
    )
    if (periods.length === 0) return
    this.context.refresh(key, undefined, Math.min(...periods) + Math.random() * timeouts.jitterMs)
  }

  private async look(
    key: string,
    app: Application,
    settings: Settings,
    refresh: RefreshDecision,
  ): Promise<void> {
    const { argo, log } = this.context
    const { fatal } = argo.settings()
    const adapters = await this.adaptersFor(app, settings)
    const result =
      fatal === undefined
        ? await reconcile(
            app,
            {
              project: argo.project(projectNameOf(app)),
              clusters: argo.clusters(),
              settings,
              refresh,
              isKnown: this.knownInstances(settings),
              sourceErrorSince: this.sourceErrors.get(app.metadata.name),
            },
            adapters,
          )
        : unreadableSettings(app)
    if (result.sourceError) {
      if (!this.sourceErrors.has(app.metadata.name)) {
        this.sourceErrors.set(app.metadata.name, adapters.clock.now())
      }
    } else this.sourceErrors.delete(app.metadata.name)
    log.debug('compared', {
      application: key,
      depth: refresh.level,
      sync: result.status?.sync?.status,
      health: result.status?.health?.status,
    })
    if (result.detail !== undefined) this.context.onCompared?.(key, app, result.detail)
    if (result.status === undefined) return
    await this.store(key, app, result, result.status)
    if (result.requeueAfterMs !== undefined) {
      this.context.refresh(key, 2, result.requeueAfterMs)
    }
  }

  /** Tells whether a tracking name is that of an Application; they are gathered when the first question comes. */
  private knownInstances({ controllerNamespace }: Settings): (instance: string) => boolean {
    let names: ReadonlySet<string> | undefined
    return (instance) => {
      names ??= new Set(
        Array.from(this.context.argo.applications(), (app) =>
          instanceNameOf(app, controllerNamespace),
        ),
      )
      return names.has(instance)
    }
  }

  /** The world of one Application. A destination that cannot be had answers every question with its error. */
  private async adaptersFor(app: Application, settings: Settings): Promise<Adapters> {
    const { argo, clock, destinations, sources } = this.context
    const resolved = resolveDestination(app.spec.destination, argo.clusters())
    const server = 'cluster' in resolved ? resolved.cluster.server : inClusterServer
    let cluster: Cluster
    try {
      cluster = await destinations.cluster(server)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      cluster = brokenCluster(error)
    }
    void settings
    return { clock, sources, cluster, ...chosenWorld(this.context) }
  }

  private async store(
    key: string,
    app: Application,
    result: Reconciliation,
    status: ApplicationStatus,
  ): Promise<void> {
    const { argo, events } = this.context
    if (result.spec !== undefined) {
      const patch = createMergePatch(
        { spec: app.spec as unknown as Json },
        { spec: result.spec as unknown as Json },
      )
      if (patch !== undefined) await argo.patch(key, patch)
    }
    await this.storeFinalizers(key, app, result)
    for (const event of result.events) {
      if (!event.message.startsWith('Initiated')) events.emit(app as unknown as Manifest, event)
    }
    if (result.annotations !== undefined) {
      await argo.patch(key, { metadata: { annotations: result.annotations } })
    }
    if (result.operation !== undefined) {
      const started = await argo.startOperation(key, result.operation)
      if (started === 'started') {
        for (const event of result.events) {
          if (event.message.startsWith('Initiated')) events.emit(app as unknown as Manifest, event)
        }
      }
    }
    await this.storeStatus(key, app, status)
  }

  private async storeStatus(
    key: string,
    app: Application,
    status: ApplicationStatus,
  ): Promise<void> {
    const { argo } = this.context
    // operationState belongs to the operation loop, which may have written it meanwhile
    const before = { ...app.status, operationState: undefined, history: undefined }
    const after = { ...status, operationState: undefined, history: undefined }
    const patch = createMergePatch(
      { metadata: annotationsOf(app), status: clean(before) },
      { metadata: annotationsWithoutRefresh(app), status: clean(after) },
    )
    if (patch === undefined) return
    try {
      await argo.patch(key, patch)
    } catch (error) {
      if (!(error instanceof ClusterError) || error.status !== 413) throw error
      const conditions = [
        ...(app.status?.conditions ?? []).filter(({ type }) => type !== 'UnknownError'),
        { type: 'UnknownError', message: tooLarge },
      ]
      await argo.patch(key, { status: { conditions: conditions as unknown as Json } })
    }
  }

  /** Deletion hooks keep the Application until they ran; without them the finalizers go. */
  private async storeFinalizers(
    key: string,
    app: Application,
    result: Reconciliation,
  ): Promise<void> {
    if (result.deleteHooks === undefined || app.metadata.deletionTimestamp !== undefined) return
    const before = app.metadata.finalizers ?? []
    const wanted = new Map([
      [finalizerPreDelete, result.deleteHooks.pre],
      [finalizerPostDelete, result.deleteHooks.post],
    ])
    let finalizers = [...before]
    for (const [name, present] of wanted) {
      for (const finalizer of [name, `${name}/cleanup`]) {
        if (!present) finalizers = finalizers.filter((item) => item !== finalizer)
        else if (!finalizers.includes(finalizer)) finalizers.push(finalizer)
      }
    }
    const same =
      finalizers.length === before.length && finalizers.every((item, i) => item === before[i])
    if (!same) await this.context.argo.patch(key, { metadata: { finalizers } })
  }
}

function annotationsOf(app: Application): JsonObject {
  const { annotations } = app.metadata
  return annotations === undefined ? {} : { annotations }
}

/** Without the refresh annotation; a map that becomes empty goes, as in Argo CD. */
function annotationsWithoutRefresh(app: Application): JsonObject {
  const { [annotationRefresh]: _done, ...rest } = app.metadata.annotations ?? {}
  return Object.keys(rest).length === 0 ? {} : { annotations: rest }
}

function clean(status: { readonly [key: string]: unknown }): JsonObject {
  return Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined),
  ) as JsonObject
}

/** Settings that Argo CD cannot read leave nothing but Unknown. */
function unreadableSettings(app: Application): Reconciliation {
  const { spec } = app
  return {
    status: {
      ...app.status,
      sync: {
        status: 'Unknown',
        comparedTo: {
          destination: spec.destination,
          ...(spec.source === undefined ? {} : { source: spec.source }),
          ...(spec.sources === undefined ? {} : { sources: spec.sources }),
        },
        ...(spec.source?.targetRevision === undefined
          ? {}
          : { revision: spec.source.targetRevision }),
      },
      health: { ...app.status?.health, status: 'Unknown' },
      resources: [],
    },
    events: [],
    sourceError: false,
  }
}

function brokenCluster(error: Error): Cluster {
  const fail = (): Promise<never> => Promise.reject(error)
  return {
    facts: async () => ({ kubeVersion: '', apiVersions: [], scopeOf: () => undefined }),
    managedLiveObjects: fail,
    get: fail,
    descendants: async () => [],
    topLevel: async () => [],
    apply: fail,
    replace: fail,
    create: fail,
    update: fail,
    delete: fail,
    patch: fail,
  }
}
