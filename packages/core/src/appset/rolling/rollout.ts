import { compareStrings } from '../../json/index.ts'
import type { ApplicationProgress, ApplicationSet } from '../types.ts'
import {
  hasStarted,
  instantOf,
  observe,
  promote,
  type RolloutInput,
  reachedBy,
} from './progress.ts'
import { planSteps, rollingSteps } from './steps.ts'

export interface RolloutCondition {
  readonly type: 'RolloutProgressing'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export interface Rollout {
  /** What `status.applicationStatus` has to be, by name. */
  readonly progress: readonly ApplicationProgress[]
  readonly condition: RolloutCondition
  /** Names of Applications whose step has been reached, whether they need a sync or not. */
  readonly reached: ReadonlySet<string>
  /** Names of those that are to be synced now: Pending, and no sync has begun since. */
  readonly due: ReadonlySet<string>
  /**
   * After how many milliseconds more of them are due; 0 when none. Times in a status have whole seconds, and a sync must
   * begin in a later one than its entry became Pending, or nobody could tell that it did.
   */
  readonly againMs: number
}

/**
 * One look at a set with the strategy RollingSync: where each of its Applications stands, and which may be synced.
 *
 * Without steps nothing is ordered, and there are no entries. (Argo CD writes and clears them without end.)
 *
 * Source: argo-cd v3.5.1 applicationset/progressivesync/progressive_sync.go PerformProgressiveSyncs
 */
export function rollOut(
  set: ApplicationSet,
  before: readonly ApplicationProgress[],
  input: RolloutInput,
): Rollout {
  const steps = rollingSteps(set)
  const plan = planSteps(steps, input.generated)
  if (steps.length === 0) {
    const none = new Set<string>()
    const condition = rolloutCondition(steps.length, [])
    return { progress: [], condition, reached: none, due: none, againMs: 0 }
  }
  const observed = keepUnlessChanged(before, observe(before, plan, input))
  const reached = reachedBy(observed, plan, input.current)
  const progress = keepUnlessChanged(observed, promote(observed, plan, reached, steps, input.now))
  const { due, againMs } = dueOf(progress, reached, input)
  return { progress, condition: rolloutCondition(steps.length, progress), reached, due, againMs }
}

/**
 * The entries before, unless one of the next has another status, step or message; revisions alone are no reason.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go setAppSetApplicationStatus
 */
function keepUnlessChanged(
  before: readonly ApplicationProgress[],
  next: readonly ApplicationProgress[],
): readonly ApplicationProgress[] {
  const known = new Map(before.map((entry) => [entry.application, entry]))
  const isSame =
    before.length === next.length &&
    next.every((entry) => {
      const old = known.get(entry.application)
      return (
        old?.status === entry.status && old.step === entry.step && old.message === entry.message
      )
    })
  return isSame ? before : [...next].sort((a, b) => compareStrings(a.application, b.application))
}

function dueOf(
  progress: readonly ApplicationProgress[],
  reached: ReadonlySet<string>,
  { current, now }: RolloutInput,
): { readonly due: ReadonlySet<string>; readonly againMs: number } {
  const live = new Map(current.map((app) => [app.metadata.name, app]))
  const due = new Set<string>()
  let againMs = 0
  for (const entry of progress) {
    const app = live.get(entry.application)
    if (entry.status !== 'Pending' || !reached.has(entry.application)) continue
    if (app === undefined || hasStarted(entry, app)) continue
    // its end puts the set in line again
    if (app.operation !== undefined && app.operation !== null) continue
    const since = instantOf(entry.lastTransitionTime)
    const wait = Math.floor(since / 1000) * 1000 + 1000 - now
    if (wait > 0) againMs = Math.max(againMs, wait)
    else due.add(entry.application)
  }
  return { due, againMs }
}

/** Source: argo-cd v3.5.1 progressive_sync.go updateApplicationSetApplicationStatusConditions */
export function rolloutCondition(
  stepCount: number,
  progress: readonly ApplicationProgress[],
): RolloutCondition {
  const open = new Set(
    progress.filter(({ status }) => status !== 'Healthy').map(({ step }) => step),
  )
  const type = 'RolloutProgressing'
  for (let step = 1; step <= stepCount; step++) {
    if (!open.has(String(step))) continue
    return {
      type,
      status: 'True',
      reason: 'ApplicationSetModified',
      message: `ApplicationSet is performing rollout of step ${step}`,
    }
  }
  return {
    type,
    status: 'False',
    reason: 'ApplicationSetRolloutComplete',
    message: 'ApplicationSet Rollout has completed',
  }
}
