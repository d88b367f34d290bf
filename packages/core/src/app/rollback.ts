import type { Instant, LitecdEvent } from '../adapters/index.ts'
import {
  type Application,
  type ApplicationSource,
  type AppProject,
  annotationAutoRollback,
  annotationRollbackState,
  type Condition,
  encodeSource,
  hasMultipleSources,
  type Operation,
  type OperationState,
  parseGoBool,
  type RevisionHistory,
  type Settings,
  sourcesOf,
} from '../argo/index.ts'
import { deepEqual, formatJson, isObject, type Json, parseJson } from '../json/index.ts'
import { decideWindows } from '../project/index.ts'
import { isCompletedPhase } from '../sync/index.ts'
import { sha256, textToBytes, toHex } from '../text/index.ts'

/** What a comparison found, as far as it matters to rollbacks. */
export interface RollbackInput {
  readonly health: string
  /** Concrete revisions by index of the source; one for a single source. */
  readonly revisions: readonly string[]
  /** False where sources could not be loaded: nothing is then known of what is wanted. */
  readonly loaded: boolean
  readonly settings: Pick<Settings, 'autoRollback'>
  readonly now: Instant
}

export interface RollbackDecision {
  /** What an automated sync would sync is known to be bad, or is about to be: it must not begin. */
  readonly holds: boolean
  /** RolledBackWarning conditions that replace those there are. */
  readonly conditions: readonly Condition[]
  readonly operation?: Operation
  readonly events: readonly LitecdEvent[]
  /** To be stored before the operation begins. */
  readonly annotations?: { readonly [key: string]: string }
}

/** Revisions with the sources that they belong to; equal ones deploy the same. */
interface Deployment {
  readonly revisions: readonly string[]
  /** Digest of the sources. */
  readonly sources: string
}

/** What is remembered from sync to sync, in an annotation. */
interface RollbackState {
  /** What was Healthy last. */
  readonly healthy?: Deployment
  /** What was left, and why. */
  readonly bad?: Deployment & { readonly reason: string }
}

/** Marks operations that this room has begun. */
const marker = { name: 'Reason', value: annotationAutoRollback }
const defaultRetryLimit = 5 // as for automated syncs

const nothing: RollbackDecision = { holds: false, conditions: [], events: [] }

/**
 * Whether an Application goes back to what was Healthy last: when the sync of what it wants has failed after all its
 * attempts, or has made it Degraded. What it came from is remembered and not synced automatically again; another commit
 * or another source is.
 *
 * Of our own; Argo CD has nothing of the kind. Its memory is an annotation, which Argo CD does not read; its condition has
 * a type of its own, which Argo CD does not touch; its operation is that of a rollback by hand.
 */
export function decideRollback(
  app: Application,
  project: AppProject,
  input: RollbackInput,
): RollbackDecision {
  if (!isEnabled(app, input.settings)) return nothing
  if (!input.loaded) return { ...nothing, conditions: known(app) }
  const state = readState(app)
  const wanted = deploymentOf(app, input.revisions)
  const isBad = state.bad !== undefined && same(state.bad, wanted)
  const operation = app.status?.operationState ?? undefined
  const busy =
    (app.operation ?? undefined) !== undefined ||
    (app.metadata.deletionTimestamp ?? '') !== '' ||
    (operation !== undefined && !isCompletedPhase(operation.phase))
  const attempt = operation === undefined ? undefined : attemptOf(operation)
  if (busy || attempt === undefined || !same(attempt, wanted)) {
    return isBad ? held(state, operation) : forgetting(app, state, wanted)
  }
  const reason = faultOf(operation!, input, state, wanted)
  if (reason === undefined) {
    const well = operation!.phase === 'Succeeded' && input.health === 'Healthy'
    if (well) return { ...nothing, ...storing(app, { healthy: wanted }) }
    return isBad && operation!.phase !== 'Succeeded' ? held(state, operation) : nothing
  }
  return goBack(app, project, input.now, state, { ...wanted, reason })
}

/** What was said last, for as long as nobody knows what is wanted. */
function known(app: Application): readonly Condition[] {
  return (app.status?.conditions ?? [])
    .filter(({ type }) => type === 'RolledBackWarning')
    .map(({ type, message }) => ({ type, message }))
}

function isEnabled(app: Application, settings: Pick<Settings, 'autoRollback'>): boolean {
  return parseGoBool(app.metadata.annotations?.[annotationAutoRollback]) ?? settings.autoRollback
}

/** Why what was synced last is to be left; undefined where it may stay. */
function faultOf(
  operation: OperationState,
  input: RollbackInput,
  state: RollbackState,
  wanted: Deployment,
): string | undefined {
  const message = operation.message ?? ''
  if (operation.phase === 'Failed' || operation.phase === 'Error') {
    // somebody ended it on purpose; the sync timeout did not
    const ended = message.startsWith('Operation terminat') && !message.includes('sync timeout')
    return ended ? undefined : `its sync failed: ${message}`
  }
  // once it was Healthy, what happened later is not the sync's fault
  const wasHealthy = state.healthy !== undefined && same(state.healthy, wanted)
  return input.health === 'Degraded' && !wasHealthy ? 'its sync made it Degraded' : undefined
}

function goBack(
  app: Application,
  project: AppProject,
  now: Instant,
  state: RollbackState,
  bad: NonNullable<RollbackState['bad']>,
): RollbackDecision {
  const { healthy } = state
  const entry =
    healthy === undefined || same(healthy, bad)
      ? undefined
      : app.status?.history?.findLast((one) => same(deployedBy(one), healthy))
  const from = revisionText(bad.revisions)
  if (entry === undefined) {
    const message = `Revision ${from} is not rolled back although ${bad.reason}: no other revision in the history is known to have been Healthy`
    return { ...nothing, conditions: [{ type: 'RolledBackWarning', message }] }
  }
  const next = { healthy: healthy!, bad }
  if (!decideWindows(project, app, { manual: false }, now).allowed) {
    const message = `Revision ${from} is to be rolled back because ${bad.reason}: a sync window is closed`
    return { ...nothing, holds: true, conditions: [{ type: 'RolledBackWarning', message }] }
  }
  const message = `Initiated rollback from '${from}' to '${revisionText(healthy!.revisions)}': ${bad.reason}`
  return {
    holds: true,
    conditions: [{ type: 'RolledBackWarning', message: rolledBack(next) }],
    operation: rollbackOperation(app, entry),
    events: [{ type: 'Warning', reason: 'OperationStarted', message }],
    ...storing(app, next),
  }
}

/** What is wanted is known to be bad: it stays where it was brought. */
function held(state: RollbackState, operation: OperationState | undefined): RollbackDecision {
  const failed =
    operation !== undefined &&
    isOurs(operation) &&
    isCompletedPhase(operation.phase) &&
    operation.phase !== 'Succeeded'
  const addition = failed ? `. The rollback failed: ${operation.message ?? ''}` : ''
  const message = rolledBack(state) + addition
  return { holds: true, conditions: [{ type: 'RolledBackWarning', message }], events: [] }
}

function rolledBack({ bad, healthy }: RollbackState): string {
  const to = revisionText(healthy?.revisions ?? [])
  return `Revision ${revisionText(bad?.revisions ?? [])} was rolled back to ${to} because ${bad?.reason ?? ''}. It is not synced automatically again; the next commit is`
}

/** Something else is wanted now; the bad revision is remembered until something is Healthy. */
function forgetting(app: Application, state: RollbackState, wanted: Deployment): RollbackDecision {
  const { healthy, bad } = state
  // back to what was there before: nothing is bad any more
  const again = bad !== undefined && healthy !== undefined && same(healthy, wanted)
  return again ? { ...nothing, ...storing(app, { healthy }) } : nothing
}

/**
 * As Argo CD's rollback: the entry's sources and revisions, no hooks.
 *
 * Source: argo-cd v3.5.1 server/application/application.go Rollback
 */
function rollbackOperation(app: Application, entry: RevisionHistory): Operation {
  const policy = app.spec.syncPolicy
  const options = policy?.syncOptions ?? []
  const several = (entry.sources?.length ?? 0) > 0
  return {
    sync: {
      ...(several
        ? { sources: entry.sources ?? [], revisions: entry.revisions ?? [] }
        : { source: entry.source ?? { repoURL: '' }, revision: entry.revision ?? '' }),
      ...(policy?.automated?.prune === true ? { prune: true } : {}),
      ...(options.length === 0 ? {} : { syncOptions: options }),
      syncStrategy: { apply: {} },
    },
    info: [marker],
    initiatedBy: { automated: true },
    retry: policy?.retry ?? { limit: defaultRetryLimit },
  }
}

function isOurs({ operation }: OperationState): boolean {
  return (operation.info ?? []).some(({ name, value }) => {
    return name === marker.name && value === marker.value
  })
}

/** What a whole, real sync has tried; undefined for any other operation. */
function attemptOf(state: OperationState): Deployment | undefined {
  const { sync } = state.operation
  const result = state.syncResult
  if (sync === undefined || sync === null || sync.dryRun === true) return undefined
  if ((sync.resources?.length ?? 0) > 0 || result === undefined || isOurs(state)) return undefined
  return (result.sources?.length ?? 0) > 0
    ? { revisions: result.revisions ?? [], sources: digest(result.sources ?? []) }
    : {
        revisions: [result.revision ?? ''],
        sources: digest(result.source === undefined ? [] : [result.source]),
      }
}

function deploymentOf(app: Application, revisions: readonly string[]): Deployment {
  return {
    revisions: hasMultipleSources(app.spec) ? revisions : [revisions[0] ?? ''],
    sources: digest(sourcesOf(app.spec)),
  }
}

function deployedBy(entry: RevisionHistory): Deployment {
  return (entry.sources?.length ?? 0) > 0
    ? { revisions: entry.revisions ?? [], sources: digest(entry.sources ?? []) }
    : {
        revisions: [entry.revision ?? ''],
        sources: digest(entry.source === undefined ? [] : [entry.source]),
      }
}

function same(a: Deployment, b: Deployment): boolean {
  return a.sources === b.sources && deepEqual(a.revisions as Json, b.revisions as Json)
}

function digest(sources: readonly ApplicationSource[]): string {
  return toHex(sha256(textToBytes(formatJson(sources.map(encodeSource) as unknown as Json)))).slice(
    0,
    16,
  )
}

function revisionText(revisions: readonly string[]): string {
  return revisions.join(', ')
}

function storing(app: Application, state: RollbackState): Pick<RollbackDecision, 'annotations'> {
  const text = formatJson(state as unknown as Json)
  if (app.metadata.annotations?.[annotationRollbackState] === text) return {}
  return { annotations: { [annotationRollbackState]: text } }
}

/** What cannot be read was not written by us, and is as good as nothing. */
function readState(app: Application): RollbackState {
  const text = app.metadata.annotations?.[annotationRollbackState]
  if (text === undefined) return {}
  let value: Json
  try {
    value = parseJson(text)
  } catch {
    return {}
  }
  if (!isObject(value)) return {}
  const healthy = readDeployment(value['healthy'])
  const bad = readDeployment(value['bad'])
  const reason = isObject(value['bad']) ? value['bad']['reason'] : undefined
  return {
    ...(healthy === undefined ? {} : { healthy }),
    ...(bad === undefined ? {} : { bad: { ...bad, reason: String(reason ?? '') } }),
  }
}

function readDeployment(value: Json | undefined): Deployment | undefined {
  if (!isObject(value) || typeof value['sources'] !== 'string') return undefined
  const { revisions } = value
  if (!Array.isArray(revisions) || !revisions.every((one) => typeof one === 'string')) {
    return undefined
  }
  return { revisions: revisions as readonly string[], sources: value['sources'] }
}
