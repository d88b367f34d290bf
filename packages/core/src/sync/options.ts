import type { PropagationPolicy } from '../adapters/index.ts'
import {
  type Application,
  annotationDeletionApproved,
  annotationMigrationManager,
  type OperationState,
  type SyncOperation,
  syncOptionValue,
} from '../argo/index.ts'
import { parseTime } from './time.ts'

/** The operation's own words, read once for a beat. */
export interface SyncSettings {
  readonly dryRun: boolean
  readonly prune: boolean
  /** Delete and create anew what cannot be patched. */
  readonly force: boolean
  readonly skipHooks: boolean
  readonly replace: boolean
  readonly serverSide: boolean
  readonly validate: boolean
  readonly applyOutOfSyncOnly: boolean
  readonly pruneLast: boolean
  readonly createNamespace: boolean
  readonly skipDryRunOnMissingResource: boolean
  readonly propagation: PropagationPolicy
  /** The `Prune=` value for objects that say nothing themselves. */
  readonly defaultPrune: string | undefined
  /** Objects with `Prune=confirm` may go: somebody approved it after the operation began. */
  readonly pruneConfirmed: boolean
  /** Field manager to migrate from before a server-side apply; undefined switches migration off. */
  readonly migrateFrom: string | undefined
}

/**
 * Options count only as they stand in the operation; the spec's are copied there by whoever starts it. They are matched
 * exactly.
 *
 * Source: argo-cd v3.5.1 controller/sync.go SyncAppState
 */
export function syncSettingsOf(app: Application, state: OperationState): SyncSettings {
  const sync: SyncOperation = state.operation.sync ?? {}
  const options = sync.syncOptions ?? []
  const has = (option: string): boolean => options.includes(option)
  const strategy = sync.syncStrategy
  return {
    dryRun: sync.dryRun ?? false,
    prune: sync.prune ?? false,
    force: forceOf(strategy),
    skipHooks: isGiven(strategy?.apply) || (sync.resources?.length ?? 0) > 0,
    replace: has('Replace=true'),
    serverSide: has('ServerSideApply=true'),
    validate: !has('Validate=false'),
    applyOutOfSyncOnly: has('ApplyOutOfSyncOnly=true'),
    pruneLast: has('PruneLast=true'),
    createNamespace: has('CreateNamespace=true'),
    skipDryRunOnMissingResource: has('SkipDryRunOnMissingResource=true'),
    propagation: propagationOf(options),
    defaultPrune: syncOptionValue(options, 'Prune'),
    pruneConfirmed: isApproved(app, state.startedAt),
    migrateFrom: has('ClientSideApplyMigration=false') ? undefined : migrationManagerOf(app),
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function forceOf(strategy: SyncOperation['syncStrategy']): boolean {
  if (isGiven(strategy?.apply)) return strategy?.apply?.force ?? false
  return strategy?.hook?.force ?? false
}

/** Background wins over foreground, foreground over orphan, whatever their order. */
function propagationOf(options: readonly string[]): PropagationPolicy {
  if (options.includes('PrunePropagationPolicy=background')) return 'Background'
  if (options.includes('PrunePropagationPolicy=foreground')) return 'Foreground'
  if (options.includes('PrunePropagationPolicy=orphan')) return 'Orphan'
  return 'Foreground'
}

function migrationManagerOf(app: Application): string {
  return app.metadata.annotations?.[annotationMigrationManager] || 'kubectl-client-side-apply'
}

/**
 * Whether `argocd.argoproj.io/deletion-approved` holds a time that is not before `since`.
 *
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go IsDeletionConfirmed
 */
export function isApproved(app: Application, since: string): boolean {
  const approved = parseTime(app.metadata.annotations?.[annotationDeletionApproved])
  const begin = parseTime(since)
  return approved !== undefined && begin !== undefined && approved >= begin
}
