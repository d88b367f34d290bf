import { normalizeSpec } from '@litecd/core/app'
import {
  type ApplicationProgress,
  type ApplicationSet,
  type ApplicationSetStatus,
  isRollingSync,
  Planner,
  type Rollout,
  reversedDeletion,
  reverseStep,
  rollOut,
  rolloutPatch,
} from '@litecd/core/appset'
import { type Application, finalizerResources } from '@litecd/core/argo'
import { ClusterError, isLitecdError } from '@litecd/core/errors'
import type { ApplicationSetContext } from './set-context.ts'

export function applicationKey({ metadata }: Application): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

export function plannerOf(set: ApplicationSet, context: ApplicationSetContext): Planner {
  const { preservedAnnotations, preservedLabels } = context.settings()
  return new Planner(set, { preservedAnnotations, preservedLabels, normalizeSpec })
}

/** What the status says of the Applications of a set; entries of early versions have no revisions. */
function progressOf(status: ApplicationSetStatus): readonly ApplicationProgress[] {
  return (status.applicationStatus ?? []).map((entry) => ({
    ...entry,
    targetRevisions: entry.targetRevisions ?? [],
  }))
}

/**
 * Takes a set that rolls one step on, and writes how far it is before anything else is written. Undefined for a set that
 * does not roll, or where the feature is off.
 */
export async function rollSet(
  key: string,
  set: ApplicationSet,
  applications: {
    readonly current: readonly Application[]
    readonly generated: readonly Application[]
  },
  planner: Planner,
  context: ApplicationSetContext,
): Promise<Rollout | undefined> {
  const { clock, log, sets, settings } = context
  if (!settings().progressiveSyncs || !isRollingSync(set)) return undefined
  const status = (sets.get(key)?.manifest['status'] ?? {}) as unknown as ApplicationSetStatus
  const differs = (generated: Application, live: Application): boolean => {
    try {
      return planner.specDiffers(generated, live)
    } catch (error) {
      if (!isLitecdError(error) || error.code !== 'APPSET_FAILED') throw error
      // the write will fail with the same words, and say so
      log.warn('specs cannot be compared', { applicationset: key, error: error.message })
      return false
    }
  }
  const now = clock.now()
  const rollout = rollOut(set, progressOf(status), { ...applications, differs, now })
  const patch = rolloutPatch(status, rollout, now)
  if (patch !== undefined) await sets.patch(key, patch, 'status')
  return rollout
}

/** Keeps a set whose Applications go in reverse order from being gone before them. */
export async function holdForReverse(
  key: string,
  set: ApplicationSet,
  { sets, settings }: ApplicationSetContext,
): Promise<void> {
  const { finalizers = [] } = set.metadata
  if (!settings().progressiveSyncs || !reversedDeletion(set)) return
  if (finalizers.includes(finalizerResources)) return
  await sets.patch(key, { metadata: { finalizers: [...finalizers, finalizerResources] } })
}

/**
 * Deletes the next Application of a set that goes in reverse order. True when none of them is left; else the set is put in
 * line again. Throws ClusterError for one that does not go.
 */
export async function deleteNext(
  key: string,
  set: ApplicationSet,
  current: readonly Application[],
  { again, argo, clock }: ApplicationSetContext,
): Promise<boolean> {
  const gone = new Set<string>()
  for (;;) {
    const step = reverseStep(set, current, clock.now(), gone)
    if (step.kind === 'done') return true
    const place = applicationKey(step.application)
    if (step.kind === 'verify') {
      if ((await argo.read(place)) !== undefined) {
        throw new ClusterError('CLUSTER_REFUSED', step.failure, { data: { application: place } })
      }
      gone.add(step.application.metadata.name)
      continue
    }
    if (step.kind === 'delete') await argo.remove(place)
    again(key, step.againMs)
    return false
  }
}
