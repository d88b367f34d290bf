import type { Instant, LitecdEvent } from '../adapters/index.ts'
import {
  type Application,
  type AppProject,
  type Condition,
  hasMultipleSources,
  type Operation,
  type OperationPhase,
  type ResourceStatus,
  type SelfHealSettings,
  type Settings,
  type SyncOperation,
  type SyncStatusCode,
  sourcesOf,
} from '../argo/index.ts'
import { deepEqual, type Json } from '../json/index.ts'
import { decideWindows } from '../project/index.ts'
import { isCompletedPhase, parseTime } from '../sync/index.ts'

/** What a comparison found, as far as it matters to automated sync. */
export interface ComparedState {
  readonly status: SyncStatusCode
  /** Concrete revisions by index of the source; one for a single source. */
  readonly revisions: readonly string[]
  /** As they go to `.status.resources`. */
  readonly resources: readonly ResourceStatus[]
  readonly settings: Pick<Settings, 'selfHeal'>
  readonly now: Instant
}

export interface AutoSyncDecision {
  /** False leaves SyncError conditions as they are: a closed sync window says nothing about earlier errors. */
  readonly evaluated: boolean
  /** The SyncError conditions that replace those there are. */
  readonly conditions: readonly Condition[]
  /** To be written to `.operation`, `.status.operationState` removed in the same write. */
  readonly operation?: Operation
  readonly events: readonly LitecdEvent[]
  /** Refresh at comparison level 2 after this. */
  readonly requeueAfterMs?: number
}

const nothing: AutoSyncDecision = { evaluated: true, conditions: [], events: [] }

/** No automated sync, and nothing wrong with that. */
export const noAutoSync: AutoSyncDecision = nothing
const defaultRetryLimit = 5

/**
 * Whether an automated sync begins now. Only what is OutOfSync is synced, once for each revision and source; a failed
 * attempt is not repeated, a successful one only to heal.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go autoSync, alreadyAttemptedSync
 */
export function decideAutoSync(
  app: Application,
  project: AppProject,
  compared: ComparedState,
): AutoSyncDecision {
  const { resources, now } = compared
  if (!decideWindows(project, app, { manual: false }, now).allowed) {
    return { ...nothing, evaluated: false }
  }
  const automated = app.spec.syncPolicy?.automated
  if (automated === undefined || automated === null || automated.enabled === false) return nothing
  if (app.operation !== undefined && app.operation !== null) return nothing
  if ((app.metadata.deletionTimestamp ?? '') !== '') return nothing
  if (compared.status !== 'OutOfSync') return nothing

  const prune = automated.prune ?? false
  const different = resources.filter((resource) => resource.status !== 'Synced')
  if (!prune && different.every(({ requiresPruning }) => requiresPruning === true)) return nothing

  const revisions = hasMultipleSources(app.spec)
    ? compared.revisions
    : [compared.revisions[0] ?? '']
  const previous = previousAttempt(app, revisions)
  let heal: Pick<SyncOperation, 'resources' | 'autoHealAttemptsCount'> = {}
  if (previous.same) {
    if (previous.phase !== 'Succeeded') {
      const reason = app.status?.operationState?.message ?? ''
      return syncError(`Failed last sync attempt to ${goList(previous.revisions)}: ${reason}`)
    }
    if (automated.selfHeal !== true) return nothing
    const attempts = app.status?.operationState?.operation.sync?.autoHealAttemptsCount ?? 0
    const wait = healDelay(app, attempts, compared.settings.selfHeal, now)
    if (wait > 0) return { ...nothing, requeueAfterMs: wait }
    heal = { autoHealAttemptsCount: attempts + 1, ...healItems(different) }
  }
  const wipes = resources.every(({ requiresPruning }) => requiresPruning === true)
  if (prune && automated.allowEmpty !== true && wipes) {
    const text = `Skipping sync attempt to ${goList(revisions)}: auto-sync will wipe out all resources`
    return syncError(text)
  }
  const message = `Initiated automated sync to '${revisions.join(', ')}'`
  return {
    ...nothing,
    operation: automatedOperation(app, revisions, heal),
    events: [{ type: 'Normal', reason: 'OperationStarted', message }],
  }
}

function syncError(message: string): AutoSyncDecision {
  return { ...nothing, conditions: [{ type: 'SyncError', message }] }
}

/** Go prints a list of strings in brackets, with spaces between. */
function goList(items: readonly string[]): string {
  return `[${items.join(' ')}]`
}

/** Parity: without a namespace, so that objects of one name in several namespaces are all synced. */
function healItems(different: readonly ResourceStatus[]): Pick<SyncOperation, 'resources'> {
  if (different.length === 0) return {}
  return {
    resources: different.map(({ group, kind, name }) => ({
      ...(group === undefined || group === '' ? {} : { group }),
      kind,
      name: name ?? '',
    })),
  }
}

function automatedOperation(
  app: Application,
  revisions: readonly string[],
  heal: Pick<SyncOperation, 'resources' | 'autoHealAttemptsCount'>,
): Operation {
  const policy = app.spec.syncPolicy
  const several = hasMultipleSources(app.spec)
  const source = sourcesOf(app.spec)[0]
  const options = policy?.syncOptions ?? []
  const sync: SyncOperation = {
    ...(several || source === undefined ? {} : { source }),
    ...(several
      ? { sources: app.spec.sources ?? [], revisions }
      : revisions[0] === undefined || revisions[0] === ''
        ? {}
        : { revision: revisions[0] }),
    ...(policy?.automated?.prune === true ? { prune: true } : {}),
    ...(options.length === 0 ? {} : { syncOptions: options }),
    ...heal,
  }
  return {
    sync,
    initiatedBy: { automated: true },
    retry: policy?.retry ?? { limit: defaultRetryLimit },
  }
}

interface PreviousAttempt {
  /** The last operation synced just this. */
  readonly same: boolean
  readonly phase: OperationPhase | undefined
  readonly revisions: readonly string[]
}

function previousAttempt(app: Application, desired: readonly string[]): PreviousAttempt {
  const state = app.status?.operationState ?? undefined
  if (state === undefined) return { same: false, phase: undefined, revisions: [] }
  const result = state.syncResult ?? undefined
  // without a result something went wrong before anything was looked at, and would again
  if (result === undefined) {
    return { same: isCompletedPhase(state.phase), phase: state.phase, revisions: [] }
  }
  const several = hasMultipleSources(app.spec)
  const revisions = several ? (result.revisions ?? []) : [result.revision ?? '']
  const attempt = { phase: state.phase, revisions }
  if (!deepEqual(revisions, desired)) return { ...attempt, same: false }
  const [was, is] = several
    ? [result.sources, app.spec.sources]
    : [result.source, sourcesOf(app.spec)[0] ?? { repoURL: '' }]
  return { ...attempt, same: deepEqual(was as unknown as Json, is as unknown as Json) }
}

/**
 * What is left of the pause before the next heal, in milliseconds, counted from the end of the last operation: none
 * before the first, then a growing one.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go selfHealRemainingBackoff
 */
function healDelay(
  app: Application,
  attempts: number,
  settings: SelfHealSettings,
  now: Instant,
): number {
  const finished = parseTime(app.status?.operationState?.finishedAt)
  const since = finished === undefined ? 0 : now - finished
  return pauseBefore(attempts, settings) - since
}

/** The cap does not hold back the first pause, and a factor of 0 keeps it as it is. */
function pauseBefore(attempts: number, settings: SelfHealSettings): number {
  const { backoffInitialMs, backoffFactor, backoffCapMs } = settings
  if (backoffInitialMs <= 0) return settings.timeoutMs
  if (attempts === 0) return 0
  if (attempts === 1 || backoffFactor === 0) return backoffInitialMs
  const pause = backoffInitialMs * backoffFactor ** (attempts - 1)
  return backoffCapMs > 0 ? Math.min(backoffCapMs, pause) : pause
}
