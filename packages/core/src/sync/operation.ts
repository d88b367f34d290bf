import type { Instant } from '../adapters/index.ts'
import {
  type Application,
  type ApplicationSource,
  type ComparedTo,
  hasMultipleSources,
  type ManagedNamespaceMetadata,
  type Operation,
  type OperationPhase,
  type OperationState,
  type RevisionHistory,
  type SyncOperationResult,
  sourcesOf,
} from '../argo/index.ts'
import { nextRetryAt } from './retry.ts'
import { formatKitchen, formatTime, parseTime } from './time.ts'

export function isCompletedPhase(phase: OperationPhase): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Error'
}

/** A fresh state for an operation that was asked for. */
export function newOperationState(operation: Operation, now: Instant): OperationState {
  return { operation: encodedOperation(operation), phase: 'Running', startedAt: formatTime(now) }
}

/**
 * The operation as Argo CD's encoder writes it: values that mean nothing are left out, `initiatedBy` and `retry` are
 * always there.
 */
function encodedOperation(operation: Operation): Operation {
  const { sync, initiatedBy, retry, ...rest } = operation
  return {
    ...rest,
    ...(sync === undefined || sync === null ? {} : { sync: withoutZeros(sync) }),
    initiatedBy: withoutZeros(initiatedBy ?? {}),
    retry: withoutZeros(retry ?? {}),
  }
}

function withoutZeros<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(
    ([, item]) =>
      item !== false &&
      item !== 0 &&
      item !== '' &&
      item !== null &&
      !(Array.isArray(item) && item.length === 0),
  )
  return Object.fromEntries(entries) as T
}

/** Where an Application's operation stands when a controller looks at it. */
export type OperationStage =
  /** Nothing is asked for. */
  | { readonly stage: 'idle' }
  /** It waits for its next attempt. */
  | { readonly stage: 'waiting'; readonly afterMs: number }
  /** It cannot go on. */
  | { readonly stage: 'ended'; readonly state: OperationState }
  /** A beat is to be run; where `changed`, the state is to be stored before. */
  | {
      readonly stage: 'beat'
      readonly state: OperationState
      readonly changed: boolean
      readonly timedOut: boolean
    }

/**
 * Starts, resumes, times out or retries the operation of an Application. Everything begins from `.operation`: without it
 * nothing is done, whatever `.status.operationState` says.
 *
 * Because: a new operation begins with a clean state. In Argo CD fields of an older state survive in the stored object
 * and act from the second beat on (operation-patched-over-a-finished-one).
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go processRequestedAppOperation
 */
export function stageOf(app: Application, syncTimeoutMs: number, now: Instant): OperationStage {
  if (app.operation === undefined || app.operation === null) return { stage: 'idle' }
  const state = app.status?.operationState
  if (state === undefined || state === null || isCompletedPhase(state.phase)) {
    const fresh = newOperationState(app.operation, now)
    return { stage: 'beat', state: fresh, changed: true, timedOut: false }
  }
  const resumed = { stage: 'beat', state, changed: false, timedOut: false } as const
  if (state.phase === 'Terminating') return resumed
  if (syncTimeoutMs > 0 && now > (parseTime(state.startedAt) ?? now) + syncTimeoutMs) {
    const message = 'operation is terminating due to timeout'
    return {
      stage: 'beat',
      state: { ...state, phase: 'Terminating', message },
      changed: true,
      timedOut: true,
    }
  }
  const finished = parseTime(state.finishedAt)
  return finished === undefined ? resumed : retryStage(app, state, finished, now)
}

/** A running operation with a completion time has failed and waits for its retry. */
function retryStage(
  app: Application,
  state: OperationState,
  finished: Instant,
  now: Instant,
): OperationStage {
  const count = state.retryCount ?? 0
  const due = nextRetryAt(state.operation.retry, finished, count)
  if ('error' in due) {
    return {
      stage: 'ended',
      state: endedState({ ...state, phase: 'Error', message: due.error }, now),
    }
  }
  if (due.at > now) return { stage: 'waiting', afterMs: due.at - now }
  const refresh = state.operation.retry?.refresh ?? false
  const { finishedAt: _finished, syncResult: _result, ...rest } = state
  return {
    stage: 'beat',
    state: {
      ...rest,
      message: `Retrying operation${refresh ? ' with latest revisions' : ''}. Attempt #${count}`,
      // Parity: the operation keeps the revision that it began with; what is synced shows in the result only
      // (retry-with-refresh)
      ...(refresh ? { syncResult: newSyncResult(app, withoutRevisions(state.operation)) } : {}),
    },
    changed: true,
    timedOut: false,
  }
}

function withoutRevisions(operation: Operation): Operation {
  if (operation.sync === undefined || operation.sync === null) return operation
  const { revision: _revision, revisions: _revisions, ...sync } = operation.sync
  return { ...operation, sync }
}

/**
 * What is synced, before anybody knows the commits: the operation's own source where it names one, else the spec's;
 * the revision is the operation's and may be a branch or empty.
 *
 * Source: argo-cd v3.5.1 controller/sync.go newSyncOperationResult
 */
export function newSyncResult(app: Application, operation: Operation): SyncOperationResult {
  const sync = operation.sync ?? {}
  const own = sync.source !== undefined || (sync.sources?.length ?? 0) > 0
  const sources = own ? sync.sources : hasMultipleSources(app.spec) ? app.spec.sources : undefined
  const source = own ? sync.source : sourcesOf(app.spec)[0]
  return {
    revision: sync.revision ?? '',
    source: source ?? emptySource,
    ...(sources === undefined || sources.length === 0 ? {} : { sources }),
    ...(sync.revisions === undefined ? {} : { revisions: sync.revisions }),
  }
}

const emptySource: ApplicationSource = { repoURL: '' }

/** `syncResult` with the commits that were found and the namespace metadata that is in force. */
export function resolvedSyncResult(
  result: SyncOperationResult,
  revision: string,
  revisions: readonly string[] | undefined,
): SyncOperationResult {
  const { revisions: _old, ...rest } = result
  return {
    ...rest,
    revision,
    ...(revisions === undefined || revisions.length === 0 ? {} : { revisions }),
  }
}

/** Parity: without a syncPolicy the metadata of an earlier beat stays. */
export function withNamespaceMetadata(
  result: SyncOperationResult,
  app: Application,
): SyncOperationResult {
  if (app.spec.syncPolicy === undefined || app.spec.syncPolicy === null) return result
  const metadata: ManagedNamespaceMetadata | undefined =
    app.spec.syncPolicy.managedNamespaceMetadata ?? undefined
  const { managedNamespaceMetadata: _old, ...rest } = result
  return metadata === undefined ? rest : { ...rest, managedNamespaceMetadata: metadata }
}

/**
 * The state as it is stored after a beat: a failure that has attempts left becomes a wait, a final one gets its suffixes,
 * and what is completed gets its time.
 *
 * Parity: the announced time is one factor earlier than the real one (automation of retries in argo-cd v3.5.1).
 */
export function closeBeat(
  state: OperationState,
  beat: { readonly terminating: boolean; readonly timedOut: boolean },
  now: Instant,
): OperationState {
  if (state.phase !== 'Failed' && state.phase !== 'Error') return endedState(state, now)
  const count = state.retryCount ?? 0
  const limit = state.operation.retry?.limit ?? 0
  if (!beat.terminating && (count < limit || limit < 0)) {
    const due = nextRetryAt(state.operation.retry, now, count)
    if ('error' in due) {
      const message = `${state.message ?? ''} (failed to retry: ${due.error})`
      return endedState({ ...state, phase: 'Error', message }, now)
    }
    return {
      ...state,
      phase: 'Running',
      finishedAt: formatTime(now),
      retryCount: count + 1,
      message: `${state.message ?? ''}. Retrying attempt #${count + 1} at ${formatKitchen(due.at)}.`,
    }
  }
  const cause = beat.timedOut ? ', triggered by controller sync timeout' : ''
  const retried = count > 0 ? ` (retried ${count} times).` : ''
  return endedState({ ...state, message: `${state.message ?? ''}${cause}${retried}` }, now)
}

function endedState(state: OperationState, now: Instant): OperationState {
  return isCompletedPhase(state.phase) ? { ...state, finishedAt: formatTime(now) } : state
}

/** True where a successful end of this operation is remembered: neither dry runs nor partial syncs are. */
export function isRemembered(operation: Operation): boolean {
  const { sync } = operation
  if (sync === undefined || sync === null) return false
  return sync.dryRun !== true && (sync.resources?.length ?? 0) === 0
}

const defaultHistoryLimit = 10

/**
 * The history with one more entry, cut to `spec.revisionHistoryLimit`. Ids go on from the last entry kept, so with a
 * limit of 0 every entry would be 0.
 *
 * Source: argo-cd v3.5.1 controller/state.go persistRevisionHistory
 */
export function appendHistory(
  app: Application,
  state: OperationState,
  synced: {
    readonly revision: string
    readonly revisions: readonly string[] | undefined
    readonly comparedTo: Pick<ComparedTo, 'source' | 'sources'>
  },
  now: Instant,
): readonly RevisionHistory[] {
  const history = app.status?.history ?? []
  const last = history[history.length - 1]
  const several = (state.syncResult?.sources?.length ?? 0) > 0
  const entry: RevisionHistory = {
    id: last === undefined ? 0 : last.id + 1,
    deployedAt: formatTime(now),
    deployStartedAt: state.startedAt,
    initiatedBy: state.operation.initiatedBy ?? {},
    ...(several
      ? {
          source: emptySource,
          sources: synced.comparedTo.sources ?? [],
          revisions: synced.revisions ?? [],
        }
      : {
          source: synced.comparedTo.source ?? emptySource,
          ...(synced.revision === '' ? {} : { revision: synced.revision }),
        }),
  }
  const limit = Math.max(0, app.spec.revisionHistoryLimit ?? defaultHistoryLimit)
  const all = [...history, entry]
  return limit === 0 ? [] : all.slice(-limit)
}

/** The Event of an operation's end. */
export function completedEvent(state: OperationState): {
  readonly type: 'Normal' | 'Warning'
  readonly reason: 'OperationCompleted'
  readonly message: string
} {
  const partial = (state.operation.sync?.resources?.length ?? 0) > 0
  const words = [
    partial ? 'Partial sync operation' : 'Sync operation',
    ...(state.syncResult === undefined ? [] : ['to', state.syncResult.revision ?? '']),
    ...(state.phase === 'Succeeded' ? ['succeeded'] : ['failed:', state.message ?? '']),
  ]
  return {
    type: state.phase === 'Succeeded' ? 'Normal' : 'Warning',
    reason: 'OperationCompleted',
    message: words.join(' '),
  }
}
