import { hasSyncOption } from '../argo/index.ts'
import { CompareError, isLitecdError } from '../errors/index.ts'
import type { Manifest, ResourceKey } from '../kube/index.ts'
import {
  adjustTracking,
  applyIgnoreRules,
  normalizeKind,
  normalizeKnownTypes,
} from '../normalize/index.ts'
import { withContext } from './context.ts'
import { remarshal } from './remarshal.ts'
import type { DiffRules } from './rules.ts'
import { lastAppliedOf, type Prediction, threeWayDiff, twoWayDiff } from './three-way.ts'

/** A target beside the live object at its place; never both absent. */
export interface DiffPair {
  readonly key: ResourceKey
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

export interface ResourceDiff extends DiffPair {
  /** False without a target: that an object is to be pruned is not told here. */
  readonly modified: boolean
  /** Live as it was compared; undefined when there is none. */
  readonly normalizedLive: Manifest | undefined
  /** What live would be after a sync; undefined when there is no target. */
  readonly predictedLive: Manifest | undefined
}

/**
 * Compares each target with its live object, in the order of the pairs.
 *
 * Throws CompareError with Argo CD's message where a single pair cannot be compared: Argo CD then compares none.
 * Source: argo-cd v3.5.1 util/argo/diff/diff.go, gitops-engine/pkg/diff/diff.go
 */
export function diffPairs(pairs: readonly DiffPair[], rules: DiffRules): readonly ResourceDiff[] {
  return withContext('failed to calculate diff', () =>
    pairs.map((pair) => ({ ...pair, ...diffPair(pair, rules) })),
  )
}

type Outcome = Pick<ResourceDiff, 'modified' | 'normalizedLive' | 'predictedLive'>

function diffPair({ target: given, live: found }: DiffPair, rules: DiffRules): Outcome {
  const adjusted =
    given === undefined || found === undefined
      ? found
      : adjustTracking(given, found, rules.tracking)
  const target = given && normalized(remarshal(given), rules)
  const live = adjusted && normalized(remarshal(adjusted), rules)
  if (given === undefined) {
    return { modified: false, normalizedLive: live, predictedLive: undefined }
  }
  if (adjusted === undefined) {
    return { modified: true, normalizedLive: undefined, predictedLive: target }
  }
  if (rules.serverSideDiff) throw unsupported('server-side diff')
  if (rules.structuredMerge || hasSyncOption(given, 'ServerSideApply=true')) {
    throw unsupported('structured merge diff')
  }
  if (target === undefined || live === undefined) {
    throw new CompareError(
      'DIFF_FAILED',
      'failed to construct merge patch for predicted state: Invalid JSON Document',
    )
  }
  return clientSide(target, live, rules)
}

function unsupported(what: string): CompareError {
  return new CompareError('RENDER_UNSUPPORTED', `${what} is not supported yet`)
}

/** Undefined when a rule ignores the object as a whole. */
function normalized(manifest: Manifest, rules: DiffRules): Manifest | undefined {
  const { manifest: rest } = applyIgnoreRules(
    normalizeKind(manifest, rules.ignoreAggregatedRoles),
    rules.ignore,
  )
  return rest && normalizeKnownTypes(rest, rules.knownTypes)
}

/** Three-way with what was applied last; two-way without it, or where the three-way comparison fails. */
function clientSide(target: Manifest, live: Manifest, rules: DiffRules): Prediction {
  const lastApplied = lastAppliedOf(live)
  if (lastApplied === undefined || lastApplied === 'unreadable') return twoWayDiff(target, live)
  const original = normalized(lastApplied, rules)
  try {
    if (original !== undefined) return threeWayDiff(original, target, live)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    // Argo CD logs the failure and goes on without last-applied
  }
  return twoWayDiff(target, live)
}
