import type { Instant } from '../adapters/index.ts'
import {
  type Application,
  annotationRefresh,
  encodeSource,
  hasMultipleSources,
  type Settings,
  sourcesOf,
} from '../argo/index.ts'
import { deepEqual, type Json } from '../json/index.ts'
import { isCompletedPhase, parseTime } from '../sync/index.ts'

/**
 * How much of a comparison is made anew. 0: only the summary; 1: the revision compared last; 2: the target revision,
 * perhaps from a cache; 3: the target revision, asked anew.
 */
export type ComparisonLevel = 0 | 1 | 2 | 3

export interface RefreshDecision {
  readonly level: ComparisonLevel
  /** Past every cache of manifests. */
  readonly hard: boolean
}

/**
 * Whether an Application is due, and how thoroughly. `requested` is what the host itself asks for since the last look.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go needRefreshAppStatus
 */
export function decideRefresh(
  app: Application,
  settings: Settings,
  now: Instant,
  requested: ComparisonLevel | undefined,
): RefreshDecision | undefined {
  const annotation = app.metadata.annotations?.[annotationRefresh]
  if (annotation !== undefined) return { level: 3, hard: annotation === 'hard' }
  const { spec, status } = app
  const compared = status?.sync?.comparedTo
  const same = (a: unknown, b: unknown): boolean =>
    deepEqual((a ?? null) as Json, (b ?? null) as Json)
  // what was compared is stored in the encoder's form
  const sources = sourcesOf(spec).map(encodeSource)
  const sourceChanged = hasMultipleSources(spec)
    ? !same(sources, compared?.sources)
    : !same(sources[0] ?? { repoURL: '' }, compared?.source ?? { repoURL: '' })
  if (sourceChanged) return { level: 3, hard: false }
  const reconciledAt = parseTime(status?.reconciledAt)
  const { reconciliationMs, hardReconciliationMs } = settings.timeouts
  const expired = (timeoutMs: number): boolean =>
    timeoutMs > 0 && (reconciledAt === undefined || now - reconciledAt > timeoutMs)
  if (expired(hardReconciliationMs)) return { level: 2, hard: true }
  if (reconciledAt === undefined || expired(reconciliationMs)) return { level: 2, hard: false }
  const fields = ['server', 'name', 'namespace'] as const
  const destinationChanged = fields.some(
    (field) => (spec.destination[field] ?? '') !== (compared?.destination?.[field] ?? ''),
  )
  if (destinationChanged) return { level: 2, hard: false }
  const metadata = spec.syncPolicy?.managedNamespaceMetadata
  const syncResult = status?.operationState?.syncResult
  if (
    metadata !== undefined &&
    syncResult !== undefined &&
    !same(metadata, syncResult.managedNamespaceMetadata)
  ) {
    return { level: 2, hard: false }
  }
  if (!same(emptyIsAbsent(spec.ignoreDifferences), emptyIsAbsent(compared?.ignoreDifferences))) {
    return { level: 2, hard: false }
  }
  return requested === undefined ? undefined : { level: requested, hard: false }
}

/**
 * The level of the look that belongs to the end of an operation, where that may not have happened: nobody has compared
 * the Application at such a level since. For a controller that has just started and does not know what its predecessor
 * came to.
 */
export function missedLook(app: Application): ComparisonLevel | undefined {
  const state = app.status?.operationState
  if (state === undefined || state === null || !isCompletedPhase(state.phase)) return undefined
  const sync = state.operation.sync
  if (sync === undefined || sync === null || sync.dryRun === true) return undefined
  const finished = parseTime(state.finishedAt)
  const reconciled = parseTime(app.status?.reconciledAt)
  // times are whole seconds, so that the same one says nothing
  if (finished === undefined || (reconciled !== undefined && reconciled > finished))
    return undefined
  return state.operation.initiatedBy?.automated === true ? 2 : 3
}

function emptyIsAbsent<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list !== undefined && list.length > 0 ? list : undefined
}
