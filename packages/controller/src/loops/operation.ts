import {
  compareForSync,
  deleteApplication,
  type OperateInput,
  type OperatePorts,
  type OperateResult,
  operate,
} from '@litecd/core/app'
import { type Application, projectNameOf } from '@litecd/core/argo'
import { ClusterError } from '@litecd/core/errors'
import type { Json } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import {
  deletionIdentityOf,
  inClusterServer,
  resolveDestination,
  type SyncIdentity,
  syncIdentityOf,
} from '@litecd/core/project'
import { chosenWorld, type LoopContext } from './ports.ts'

/** Beats of syncs: one call of core's `operate` a visit. */
export class OperationLoop {
  private readonly context: LoopContext
  /** Until when an operation rests after a wave, whatever happens in the cluster. */
  private readonly rests = new Map<string, number>()

  constructor(context: LoopContext) {
    this.context = context
  }

  async work(key: string): Promise<void> {
    const { argo, clock, log, events } = this.context
    const known = argo.application(key)
    if (known === undefined) {
      this.rests.delete(key)
      this.context.recordings?.forget(key)
      return
    }
    if (!hasWork(known)) return
    const rest = this.rests.get(key)
    if (rest !== undefined && clock.now() < rest) {
      this.context.operate(key, rest - clock.now())
      return
    }
    const app = await argo.read(key)
    if (app === undefined || !hasWork(app)) return
    if (app.operation === undefined || app.operation === null) {
      await this.finish(key, app)
      return
    }
    const { settings } = argo.settings()
    const clusters = argo.clusters()
    const projectName = projectNameOf(app)
    const project = argo.project(projectName)
    const resolved = resolveDestination(app.spec.destination, clusters)
    const { recordings } = this.context
    const run = (input: OperateInput, ports: OperatePorts): Promise<OperateResult> =>
      recordings === undefined ? operate(input, ports) : recordings.beat(key, input, ports)
    const result = await run(
      {
        app,
        settings,
        project,
        projectError: `error getting app project "${projectName}": appproject.argoproj.io "${projectName}" not found`,
        compare: async (request) => {
          if (project === undefined) throw new ClusterError('CLUSTER_NOT_FOUND', 'no project')
          return compareForSync(
            app,
            request,
            { project, clusters, settings },
            {
              clock,
              sources: this.context.sources,
              ...chosenWorld(this.context),
              cluster: await this.destination(resolved),
            },
          )
        },
        connect: () =>
          this.destination(resolved, (server) =>
            project === undefined
              ? { user: undefined }
              : syncIdentityOf(project, app, server, settings.impersonation),
          ),
      },
      {
        clock,
        save: async ({ patch }) => {
          await argo.patch(key, patch)
        },
      },
    )
    for (const event of result.events) events.emit(app as unknown as Manifest, event)
    log.debug('operated', {
      application: key,
      phase: result.state?.phase,
      message: result.state?.message,
    })
    this.next(key, result)
  }

  /** One visit to an Application that is being deleted and has nothing else to do. */
  private async finish(key: string, app: Application): Promise<void> {
    const { argo, clock, events, sources } = this.context
    const clusters = argo.clusters()
    const resolved = resolveDestination(app.spec.destination, clusters)
    const { settings } = argo.settings()
    const project = argo.project(projectNameOf(app))
    const result = await deleteApplication(
      {
        app,
        settings,
        project,
        clusters,
        connect: () =>
          this.destination(resolved, (server) =>
            project === undefined
              ? { user: undefined }
              : deletionIdentityOf(project, app, server, settings.impersonation),
          ),
      },
      { clock, sources, ...chosenWorld(this.context) },
    )
    if (result.conditions !== undefined) {
      await argo.patch(key, { status: { conditions: result.conditions as unknown as Json } })
    }
    if (result.finalizers !== undefined) {
      await argo.patch(key, { metadata: { finalizers: result.finalizers } })
    }
    for (const event of result.events) events.emit(app as unknown as Manifest, event)
    if (result.requeueAfterMs !== undefined) this.context.operate(key, result.requeueAfterMs)
  }

  private next(key: string, result: OperateResult): void {
    if (result.pauseMs > 0) this.rests.set(key, this.context.clock.now() + result.pauseMs)
    else this.rests.delete(key)
    if (result.requeueAfterMs !== undefined) this.context.operate(key, result.requeueAfterMs)
    if (result.refreshLevel !== undefined) this.context.refresh(key, result.refreshLevel)
  }

  /** A destination, with the rights of the identity that acts there; with the controller's own where none is asked for. */
  private async destination(
    resolved: ReturnType<typeof resolveDestination>,
    identityAt: (server: string) => SyncIdentity = () => ({ user: undefined }),
  ): ReturnType<LoopContext['destinations']['cluster']> {
    if ('error' in resolved) throw new ClusterError('CLUSTER_NOT_FOUND', resolved.error)
    const server = resolved.cluster.server || inClusterServer
    const identity = identityAt(server)
    if ('error' in identity) throw new ClusterError('CLUSTER_CONFIG', identity.error)
    return this.context.destinations.cluster(server, identity.user)
  }
}

/** Something is asked for, or under way. */
function hasWork(app: Application): boolean {
  return (
    (app.operation !== undefined && app.operation !== null) ||
    app.metadata.deletionTimestamp !== undefined
  )
}
