import { annotationDeletionApproved, finalizerHook, type OperationState } from '../argo/index.ts'
import { getPath, setPath } from '../json/index.ts'
import { formatKey, keyOf, type Manifest, nameOf, type ResourceKey } from '../kube/index.ts'
import { goOn, syncBeat } from './beat.ts'
import { destinationOf } from './build.ts'
import { allRows, type BeatContext } from './context.ts'
import { pruneOptionOf } from './messages.ts'
import { stateAfter } from './planner.ts'
import { isDeleting, isNamespaceKind, isPrune, type Task } from './task.ts'
import type {
  Beat,
  BeatEnd,
  RequestError,
  SyncRequest,
  SyncStep,
  SyncWorld,
  TaskOutcome,
} from './types.ts'

/** Something that a sync really does: it writes, prunes, or deletes a hook. */
export interface ForecastAction {
  readonly kind: 'apply' | 'prune' | 'delete'
  readonly request: SyncRequest
  /** Its object was there before. */
  readonly existed: boolean
  /** Set where the API server will refuse it. */
  readonly refusal?: string
}

/** One beat of the sync to come. */
export interface ForecastBeat {
  /** In the order in which the machine asks for them; what stands in one kind and wave runs side by side. */
  readonly actions: readonly ForecastAction[]
  /** Prunes that are left out, with the machine's words. */
  readonly kept: readonly { readonly task: Task; readonly message: string }[]
  readonly end: BeatEnd
  /** Goes on only after somebody has approved: what follows assumes that it was done. */
  readonly confirmation: boolean
}

export interface Forecast {
  readonly beats: readonly ForecastBeat[]
  /** `Running`: it waits for something that will not come by itself. */
  readonly end: BeatEnd
}

export interface ForecastOptions {
  /** The destination namespace is there; read only where the sync would make it. */
  readonly namespaceExists: boolean
  /** Why the API server will refuse a write, as far as that is known; undefined where it will not. */
  readonly refuses: (request: SyncRequest) => string | undefined
}

/**
 * The sync to come, without a cluster: the machine that runs syncs, run forward. Every answer is the good one, unless
 * `refuses` says otherwise: what is applied is there at once, what is deleted is gone at once, and `world.assess` tells
 * the health of what is there. Whoever runs it with another cluster gets the same actions in the same order.
 *
 * A beat sees the world anew; here nothing but the machine changes it, so that the tasks of one beat are used for the
 * next as long as nothing went away.
 */
export function forecastSync(
  begun: OperationState,
  world: SyncWorld,
  options: ForecastOptions,
): Forecast {
  return new Player(begun, world, options).play()
}

class Player {
  private state: OperationState
  private world: SyncWorld
  private readonly options: ForecastOptions
  private readonly live: Map<string, Manifest>
  /** The destination namespace is among the targets. */
  private readonly ownsNamespace: boolean
  private namespaceExists: boolean
  private built: { readonly context: BeatContext; readonly all: readonly Task[] } | undefined
  /** Something is gone or came without being a task: the next beat builds its tasks anew. */
  private stale = true
  private actions: ForecastAction[] = []
  private written: Manifest[] = []

  constructor(state: OperationState, world: SyncWorld, options: ForecastOptions) {
    this.state = state
    this.world = world
    this.options = options
    this.namespaceExists = options.namespaceExists
    this.ownsNamespace = world.targets.some(
      (target) => isNamespaceKind(target) && nameOf(target) === destinationOf(world),
    )
    this.live = new Map(world.live.map((object) => [formatKey(keyOf(object)), object]))
  }

  play(): Forecast {
    const beats: ForecastBeat[] = []
    let before: string | undefined
    for (;;) {
      const ended = this.beat()
      const end = ended.phase === 'Running' ? ended : this.complete(ended)
      const acted = this.actions.length > 0
      const now = acted ? undefined : this.progress()
      const waits = end.phase === 'Running' && now !== undefined && now === before
      before = now
      const confirmation = waits && this.awaitsApproval()
      const kept = this.newlyKept()
      if (acted || kept.length > 0 || end.phase !== 'Running' || waits) {
        beats.push({ actions: this.actions, kept, end, confirmation })
      }
      if (end.phase !== 'Running') return { beats, end }
      if (waits && !confirmation) return { beats, end: this.complete(end) }
      if (confirmation) this.approve()
      this.state = stateAfter(this.state, this.stale ? this.complete(end) : end)
    }
  }

  /** Where every task stands; a beat that changes none of it will not change it the next time either. */
  private progress(): string {
    const tasks = this.built?.all ?? []
    return tasks.map(({ status, operationPhase }) => `${status} ${operationPhase}`).join()
  }

  private beat(): BeatEnd {
    this.actions = []
    const known = this.built
    const beat: Beat =
      this.stale || known === undefined
        ? syncBeat(this.state, this.seen(), (context, all) => (this.built = { context, all }))
        : goOn({ ...known.context, rowsLater: true }, known.all, this.state.message ?? '')
    this.stale = false
    let next = beat.next([])
    while (next.done !== true) next = beat.next(this.answer(next.value))
    // what was applied is what the next beat sees
    for (const { kind, request, refusal } of this.actions) {
      if (kind === 'apply' && refusal === undefined && 'target' in request) {
        ;(request.task as Task).live = request.target
      }
    }
    if (this.actions.some(({ kind }) => kind === 'prune')) this.forgetPruned()
    return next.value
  }

  /**
   * What was pruned is no task any more. Where other prunes are left their waves are turned round anew, and a hook may
   * have had its place there: then the next beat builds its tasks again.
   */
  private forgetPruned(): void {
    if (this.built === undefined) return
    const { context, all } = this.built
    const simple = all.every((task) => !task.hook && (!isPrune(task) || task.status === 'Pruned'))
    if (simple) this.built = { context, all: all.filter((task) => !isPrune(task)) }
    else this.stale = true
  }

  /** The end with all its rows, which a beat that goes on with known tasks leaves out. */
  private complete(end: BeatEnd): BeatEnd {
    if (end.resources.length > 0 || this.built === undefined) return end
    return { ...end, resources: allRows(this.built.context) }
  }

  private seen(): SyncWorld {
    this.settle()
    return { ...this.world, live: [...this.live.values()] }
  }

  private answer(step: SyncStep): readonly TaskOutcome[] {
    if (step.kind === 'save') return []
    const { kind } = step
    return step.requests.map((request) => {
      if (kind === 'read') return { live: this.read(request) }
      if (kind === 'release') return this.release(request)
      // the first look is kubectl's own guess; only a plain update asks the API server
      if (kind === 'dryRun' && request.verb !== 'update') return { message: '' }
      const refusal = this.options.refuses(request)
      if (kind === 'dryRun') {
        return refusal === undefined ? { message: '' } : { error: refused(refusal) }
      }
      const existed = request.task.live !== undefined
      this.actions.push({ kind, request, existed, ...(refusal === undefined ? {} : { refusal }) })
      if (refusal !== undefined) return { error: refused(refusal) }
      if (request.verb === 'delete') {
        this.settle()
        this.live.delete(this.placeOf(request.key))
        if (kind !== 'prune') this.stale = true
      } else if ('target' in request) this.write(request.target)
      return { message: '' }
    })
  }

  /** What was written lately takes its place; most of it is never looked at. */
  private settle(): void {
    for (const object of this.written) this.live.set(this.placeOf(keyOf(object)), object)
    this.written = []
  }

  private read(request: SyncRequest): Manifest | null {
    if (request.verb !== 'get') return null
    this.settle()
    const { key } = request
    const namespace = key.kind === 'Namespace' && key.group === ''
    const found = this.live.get(this.placeOf(key))
    if (found !== undefined || !namespace || key.name !== destinationOf(this.world)) {
      return found ?? null
    }
    return this.namespaceExists
      ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: key.name } }
      : null
  }

  private release(request: SyncRequest): TaskOutcome {
    if (request.verb !== 'release') return { live: null }
    this.settle()
    const { live } = request
    if (isDeleting(live)) {
      this.live.delete(this.placeOf(keyOf(live)))
      this.stale = true
      return { live: null }
    }
    const finalizers = getPath(live, 'metadata', 'finalizers')
    const left = Array.isArray(finalizers) ? finalizers.filter((one) => one !== finalizerHook) : []
    const free = setPath(live, ['metadata', 'finalizers'], left)
    this.live.set(this.placeOf(keyOf(live)), free)
    return { live: free }
  }

  private write(target: Manifest): void {
    if (isNamespaceKind(target) && nameOf(target) === destinationOf(this.world)) {
      this.namespaceExists = true
      // one that nobody asked for belongs to nobody, and is no task any more once it is there
      if (!this.ownsNamespace) {
        this.stale = true
        return
      }
    }
    this.written.push(target)
  }

  /** Cluster-scoped targets carry a namespace that does not count. */
  private placeOf(key: ResourceKey): string {
    const scope = this.world.facts.scopeOf(key)
    return formatKey(scope === 'Cluster' ? { ...key, namespace: '' } : key)
  }

  private awaitsApproval(): boolean {
    if (this.built === undefined) return false
    const { context, all } = this.built
    const { pruneConfirmed, defaultPrune } = context.settings
    return (
      !pruneConfirmed &&
      all.some((task) => isPrune(task) && pruneOptionOf(task, defaultPrune) === 'confirm')
    )
  }

  private approve(): void {
    const { app } = this.world
    const annotations = {
      ...app.metadata.annotations,
      [annotationDeletionApproved]: this.state.startedAt,
    }
    this.world = { ...this.world, app: { ...app, metadata: { ...app.metadata, annotations } } }
    this.stale = true
  }

  private readonly told: Set<string> = new Set()

  private newlyKept(): ForecastBeat['kept'] {
    const out: { readonly task: Task; readonly message: string }[] = []
    for (const task of this.built?.all ?? []) {
      if (task.status !== 'PruneSkipped') continue
      const key = formatKey(keyOf(task.live as Manifest))
      if (this.told.has(key)) continue
      this.told.add(key)
      out.push({ task, message: task.message })
    }
    return out
  }
}

function refused(message: string): RequestError {
  return { message, status: 422, reason: 'Invalid' }
}
