import type { Clock, Cluster, Instant, LitecdEvent } from '../adapters/index.ts'
import type {
  Application,
  ApplicationSource,
  AppProject,
  ComparedTo,
  Condition,
  OperationPhase,
  OperationState,
  RevisionHistory,
  Settings,
  SyncOperation,
} from '../argo/index.ts'
import { instanceNameOf } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { createMergePatch, type Json, type JsonObject } from '../json/index.ts'
import type { ClusterFacts, Manifest, ResourceKey } from '../kube/index.ts'
import { decideWindows } from '../project/index.ts'
import {
  type Assessment,
  appendHistory,
  type BeatEnd,
  beginBeat,
  closeBeat,
  completedEvent,
  isCompletedPhase,
  isRemembered,
  newSyncResult,
  nextRetryAt,
  type PermissionCheck,
  pairTargets,
  parseTime,
  resolvedSyncResult,
  type SyncStep,
  type SyncWorld,
  stageOf,
  stateAfter,
  type TaskOutcome,
  withNamespaceMetadata,
  withRows,
} from '../sync/index.ts'
import { performStep } from './perform.ts'

/** What a beat wants compared: not the spec, but what the operation names, at the revisions it is pinned to. */
export interface SyncCompareRequest {
  /** `revisions` belong to `sources` by index; '' means the source's own targetRevision. */
  readonly sources: readonly ApplicationSource[]
  readonly revisions: readonly string[]
  /** The Application is one of several sources, even when there is only one. */
  readonly multiple: boolean
  /** Manifests (JSON texts) that replace the rendered ones. */
  readonly manifests: readonly string[]
}

/** The comparison of an operation's beat: made anew, past the cache of revisions. */
export interface SyncComparison {
  /** Concrete; what was asked for where it could not be resolved; '' for several sources. */
  readonly revision: string
  readonly revisions?: readonly string[]
  readonly comparedTo: Pick<ComparedTo, 'source' | 'sources'>
  /** All conditions of the Application as they are after this comparison. */
  readonly conditions: readonly Condition[]
  /** Normalised, hooks among them. */
  readonly targets: readonly Manifest[]
  readonly live: readonly Manifest[]
  readonly facts: ClusterFacts
  readonly permits: PermissionCheck
  readonly assess: (live: Manifest) => Assessment
  readonly modified: (key: ResourceKey) => boolean | undefined
  /** For `RespectIgnoreDifferences=true`: the target with the live object's values at ignored fields. */
  readonly keepIgnored?: (target: Manifest, live: Manifest) => Manifest
}

export interface OperateInput {
  /** As the API server has it now, not as a cache remembers it: an operation that is over must not run again. */
  readonly app: Application
  readonly settings: Settings
  /** Undefined where it could not be loaded; `projectError` then says why. */
  readonly project: AppProject | undefined
  readonly projectError?: string
  /** May throw LitecdError; its message becomes the operation's. */
  readonly compare: (request: SyncCompareRequest) => Promise<SyncComparison>
  /**
   * The destination with the identity that syncs. May throw LitecdError with the words that users see (an unknown
   * cluster, no service account to impersonate).
   */
  readonly connect: () => Promise<Cluster>
}

/** A JSON merge patch of the Application against what was stored before. */
export interface StoredChange {
  readonly patch: JsonObject
  readonly state: OperationState
}

export interface OperatePorts {
  readonly clock: Clock
  /** Stores a change; throwing ends the beat, which can be begun again. */
  readonly save: (change: StoredChange) => Promise<void>
  /** Sees every step with its outcomes, for recordings. */
  readonly trace?: (step: SyncStep, outcomes: readonly TaskOutcome[]) => void
  /** Answers a step instead of the cluster that `connect` gives, for replays. */
  readonly perform?: (
    step: Exclude<SyncStep, { readonly kind: 'save' }>,
  ) => Promise<readonly TaskOutcome[]>
}

export interface OperateResult {
  /** Undefined where nothing was asked for. */
  readonly state: OperationState | undefined
  readonly events: readonly LitecdEvent[]
  /** Look again after this; undefined waits for a change in the cluster or of the Application. */
  readonly requeueAfterMs?: number
  /** Not earlier than this, whatever happens: what was applied may not show its health yet. */
  readonly pauseMs: number
  /** The operation is over: refresh the Application at this comparison level. */
  readonly refreshLevel?: 2 | 3
}

/**
 * One beat of an operation: starts it, or resumes it from `.status.operationState`, acts until there is something to
 * wait for, and stores where it stands. Lost halfway, it is begun again.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go processRequestedAppOperation, controller/sync.go SyncAppState
 */
export async function operate(input: OperateInput, ports: OperatePorts): Promise<OperateResult> {
  const { app, settings } = input
  const stage = stageOf(app, settings.timeouts.syncMs, ports.clock.now())
  if (stage.stage === 'idle') return { state: undefined, events: [], pauseMs: 0 }
  if (stage.stage === 'waiting') {
    const state = app.status?.operationState
    return { state, events: [], pauseMs: 0, requeueAfterMs: stage.afterMs }
  }
  const store = new Store(app, ports)
  if (stage.stage === 'ended') {
    await store.write(stage.state)
    return { state: stage.state, events: [completedEvent(stage.state)], pauseMs: 0 }
  }
  if (stage.changed) await store.write(stage.state)

  const terminating = stage.state.phase === 'Terminating'
  const outcome = await runBeat(input, stage.state, store, ports)
  const now = ports.clock.now()
  const closed = closeBeat(outcome.state, { terminating, timedOut: stage.timedOut }, now)
  await store.write(closed, outcome.history)
  const over = isCompletedPhase(closed.phase)
  const delay = over ? undefined : delayOf(closed, outcome, settings.timeouts.syncMs, now)
  return {
    state: closed,
    events: over ? [completedEvent(closed)] : [],
    pauseMs: outcome.pauseMs,
    ...(delay === undefined ? {} : { requeueAfterMs: delay }),
    ...(over && isReal(app) ? { refreshLevel: isAutomated(closed) ? 2 : 3 } : {}),
  }
}

function isReal(app: Application): boolean {
  const sync = app.operation?.sync
  return sync !== undefined && sync !== null && sync.dryRun !== true
}

function isAutomated(state: OperationState): boolean {
  return state.operation.initiatedBy?.automated ?? false
}

const blockedRecheckMs = 60_000 // windows begin and end on whole minutes

function delayOf(
  state: OperationState,
  outcome: BeatOutcome,
  syncTimeoutMs: number,
  now: Instant,
): number | undefined {
  const delays: number[] = []
  if (outcome.blocked) delays.push(blockedRecheckMs)
  if (outcome.pauseMs > 0) delays.push(outcome.pauseMs)
  const finished = parseTime(state.finishedAt)
  if (finished !== undefined) {
    const due = nextRetryAt(state.operation.retry, finished, state.retryCount ?? 0)
    delays.push('at' in due ? Math.max(0, due.at - now) : 0)
  }
  if (syncTimeoutMs > 0) {
    delays.push(Math.max(0, (parseTime(state.startedAt) ?? now) + syncTimeoutMs - now) + 1)
  }
  return delays.length === 0 ? undefined : Math.min(...delays)
}

interface BeatOutcome {
  readonly state: OperationState
  readonly pauseMs: number
  readonly blocked: boolean
  readonly history?: readonly RevisionHistory[]
}

function stopped(state: OperationState, phase: OperationPhase, message: string): BeatOutcome {
  return { state: { ...state, phase, message }, pauseMs: 0, blocked: false }
}

async function runBeat(
  input: OperateInput,
  begun: OperationState,
  store: Store,
  ports: OperatePorts,
): Promise<BeatOutcome> {
  const { app, project } = input
  if (project === undefined) {
    const message = `Failed to load application project: ${input.projectError ?? 'unknown'}`
    return stopped(begun, 'Error', message)
  }
  const sync: SyncOperation | undefined | null = begun.operation.sync
  if (sync === undefined || sync === null) {
    return stopped(begun, 'Error', 'Invalid operation request: no operation specified')
  }
  const result = begun.syncResult ?? newSyncResult(app, begun.operation)
  const state: OperationState = { ...begun, syncResult: result }
  const blocked = blockedBy(project, app, state, ports.clock.now())
  if (blocked !== undefined) return blocked

  const sources = result.sources ?? []
  const multiple = sources.length > 0
  const compared = await attempt(() =>
    input.compare({
      sources: multiple ? sources : [result.source ?? { repoURL: '' }],
      revisions: multiple ? (result.revisions ?? []) : [result.revision ?? ''],
      multiple,
      manifests: sync.manifests ?? [],
    }),
  )
  if ('refusal' in compared) return stopped(state, 'Error', compared.refusal)
  const comparison = compared.value
  const pinned: OperationState = {
    ...state,
    syncResult: resolvedSyncResult(result, comparison.revision, comparison.revisions),
  }
  const objection = objectionOf(sync, comparison)
  if (objection !== undefined) return stopped(pinned, objection.phase, objection.message)
  const connected = await attempt(input.connect)
  if ('refusal' in connected) return stopped(pinned, 'Error', connected.refusal)
  const targets = await attempt(async () => syncTargetsOf(app, sync, comparison))
  if ('refusal' in targets) {
    return stopped(pinned, 'Error', `Failed to normalize target resources: ${targets.refusal}`)
  }
  const world = syncWorldOf(input, comparison, targets.value)
  const end = await driveBeat(pinned, world, connected.value, store, ports)
  return outcomeOf(input, pinned, comparison, end, ports.clock.now())
}

/** A closed window changes at most the message; an operation that is to be terminated waits as well. */
function blockedBy(
  project: AppProject,
  app: Application,
  state: OperationState,
  now: Instant,
): BeatOutcome | undefined {
  const start = parseTime(state.startedAt)
  const question = {
    manual: !isAutomated(state),
    ...(start === undefined ? {} : { operationStart: start }),
  }
  const verdict = decideWindows(project, app, question, now)
  if (verdict.allowed) return undefined
  const text = 'Sync operation blocked by sync window'
  const message = verdict.error === undefined ? text : `${text}: ${verdict.error}`
  return {
    state: state.phase === 'Running' ? { ...state, message } : state,
    pauseMs: 0,
    blocked: true,
  }
}

/** What keeps an operation from touching anything. */
export function objectionOf(
  sync: SyncOperation,
  comparison: SyncComparison,
): { readonly phase: OperationPhase; readonly message: string } | undefined {
  const shared = comparison.conditions.find(({ type }) => type === 'SharedResourceWarning')
  if (shared !== undefined && (sync.syncOptions ?? []).includes('FailOnSharedResource=true')) {
    return { phase: 'Failed', message: `Shared resource found: ${shared.message}` }
  }
  const errors = comparison.conditions.filter(
    ({ type }) => type === 'ComparisonError' || type === 'InvalidSpecError',
  )
  if (errors.length === 0) return undefined
  const message = errors.map((error) => `${error.type}: ${error.message}`).join(';')
  return { phase: 'Error', message }
}

export function syncTargetsOf(
  app: Application,
  sync: SyncOperation,
  comparison: SyncComparison,
): readonly Manifest[] {
  const { targets, live, facts, keepIgnored } = comparison
  if (!(sync.syncOptions ?? []).includes('RespectIgnoreDifferences=true')) return targets
  if (keepIgnored === undefined) return targets
  const namespace = app.spec.destination.namespace ?? ''
  const { pairs, hooks } = pairTargets(targets, live, namespace, facts)
  const kept = pairs.flatMap((pair) => {
    if (pair.target === undefined) return []
    return [pair.live === undefined ? pair.target : keepIgnored(pair.target, pair.live)]
  })
  return [...kept, ...hooks]
}

export function syncWorldOf(
  { app, settings }: Pick<OperateInput, 'app' | 'settings'>,
  comparison: SyncComparison,
  targets: readonly Manifest[],
): SyncWorld {
  const { facts, live, permits, assess, modified } = comparison
  return {
    app,
    instance: instanceNameOf(app, settings.controllerNamespace),
    tracking: settings.tracking,
    facts,
    revision: comparison.revision,
    targets,
    live,
    permits,
    assess,
    modified,
    waveDelayMs: settings.timeouts.syncWaveDelayMs,
  }
}

async function driveBeat(
  state: OperationState,
  world: SyncWorld,
  cluster: Cluster,
  store: Store,
  ports: OperatePorts,
): Promise<BeatEnd> {
  const beat = beginBeat(state, world)
  // without the metadata in force, a comparison in the middle of a beat would take it for changed
  const begun = {
    ...state,
    syncResult: withNamespaceMetadata(state.syncResult ?? {}, world.app),
  }
  let next = beat.next([])
  while (next.done !== true) {
    const step = next.value
    if (step.kind === 'save') {
      const message = step.message === undefined ? {} : { message: step.message }
      await store.write({ ...withRows(begun, step.resources), ...message })
      ports.trace?.(step, [])
      next = beat.next([])
    } else {
      const outcomes = await (ports.perform ?? ((asked) => performStep(asked, cluster)))(step)
      ports.trace?.(step, outcomes)
      next = beat.next(outcomes)
    }
  }
  return next.value
}

function outcomeOf(
  { app }: OperateInput,
  pinned: OperationState,
  comparison: SyncComparison,
  end: BeatEnd,
  now: Instant,
): BeatOutcome {
  const ended = stateAfter(pinned, end)
  const state: OperationState = {
    ...ended,
    syncResult: withNamespaceMetadata(ended.syncResult ?? {}, app),
  }
  const { pauseMs } = end
  if (state.phase !== 'Succeeded' || !isRemembered(state.operation)) {
    return { state, pauseMs, blocked: false }
  }
  const { revision, revisions, comparedTo } = comparison
  const history = appendHistory(app, state, { revision, revisions, comparedTo }, now)
  return { state, pauseMs, blocked: false, history }
}

type Attempt<T> = { readonly value: T } | { readonly refusal: string }

/** A LitecdError is an answer here; anything else is a fault and goes on. */
async function attempt<T>(make: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await make() }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { refusal: error.message }
  }
}

/** Writes changes of the operation state as merge patches against what was written last. */
class Store {
  private readonly ports: OperatePorts
  private stored: JsonObject

  constructor(app: Application, ports: OperatePorts) {
    this.ports = ports
    this.stored = statusOf(app.status?.operationState, app.status?.history)
  }

  async write(state: OperationState, history?: readonly RevisionHistory[]): Promise<void> {
    const wanted = statusOf(state, history ?? (this.stored['history'] as never))
    const change = createMergePatch(this.stored, wanted)
    const over = isCompletedPhase(state.phase)
    if (change === undefined && !over) return
    const patch: JsonObject = {
      ...(change === undefined ? {} : { status: change }),
      ...(over ? { operation: null } : {}),
    }
    await this.ports.save({ patch, state })
    this.stored = wanted
  }
}

function statusOf(
  state: OperationState | undefined,
  history: readonly RevisionHistory[] | undefined,
): JsonObject {
  return {
    ...(state === undefined || state === null ? {} : { operationState: state as unknown as Json }),
    ...(history === undefined || history === null ? {} : { history: history as unknown as Json }),
  }
}
