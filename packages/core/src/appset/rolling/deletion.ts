import type { Application } from '../../argo/index.ts'
import { compareStrings } from '../../json/index.ts'
import type { ApplicationSet } from '../types.ts'
import { planSteps, rollingSteps } from './steps.ts'

/** How long to wait before one looks again whether an Application is gone. */
const lookMs = 10_000 // argo-cd v3.5.1 progressivesync PerformReverseDeletion requeueTime
const patienceMs = 120_000 // staleCacheThreshold there

/** True when the Applications of a set go one by one, those of the last step first. */
export function reversedDeletion(set: ApplicationSet): boolean {
  const order = set.spec.strategy?.deletionOrder ?? ''
  return rollingSteps(set).length > 0 && order.toLowerCase() === 'reverse'
}

export type ReverseStep =
  | { readonly kind: 'delete'; readonly application: Application; readonly againMs: number }
  | { readonly kind: 'wait'; readonly application: Application; readonly againMs: number }
  /** It takes so long that one has to ask whether it is still there. */
  | { readonly kind: 'verify'; readonly application: Application; readonly failure: string }
  /** Nothing is left in any step; the rest goes with the set. */
  | { readonly kind: 'done' }

/**
 * What to do next about the Applications of a set that is being deleted in reverse order. Steps go by the labels that the
 * Applications have now; within a step by name. `gone` are names of which one knows better than `current`.
 *
 * Source: argo-cd v3.5.1 applicationset/progressivesync/progressive_sync.go PerformReverseDeletion
 */
export function reverseStep(
  set: ApplicationSet,
  current: readonly Application[],
  now: number,
  gone: ReadonlySet<string> = new Set(),
): ReverseStep {
  const { stepOf } = planSteps(rollingSteps(set), current)
  const stepped = (app: Application): number => stepOf.get(app.metadata.name) ?? -1
  const [application] = current
    .filter((app) => stepped(app) >= 0 && !gone.has(app.metadata.name))
    .sort((a, b) => stepped(b) - stepped(a) || compareStrings(a.metadata.name, b.metadata.name))
  if (application === undefined) return { kind: 'done' }
  const { deletionTimestamp } = application.metadata
  if (deletionTimestamp === undefined) return { kind: 'delete', application, againMs: lookMs }
  if (now - Date.parse(deletionTimestamp) > patienceMs) {
    const failure = 'application has not been deleted in over 2 minutes'
    return { kind: 'verify', application, failure }
  }
  return { kind: 'wait', application, againMs: lookMs }
}
