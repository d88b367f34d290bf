import { hasSyncOption } from '../argo/index.ts'
import { CompareError, isLitecdError } from '../errors/index.ts'
import { formatKey, type GroupKind, type Manifest, type ResourceKey } from '../kube/index.ts'
import {
  adjustTracking,
  applyIgnoreRules,
  normalizeKind,
  normalizeKnownTypes,
  type TrustedFields,
  trustedManagersOf,
  withoutTrustedFields,
} from '../normalize/index.ts'
import { withContext } from './context.ts'
import { remarshal } from './remarshal.ts'
import type { DiffRules } from './rules.ts'
import { keepingSecrets } from './secrets.ts'
import { type DryRunAnswer, serverSideDiff } from './server-side.ts'
import { structuredMergeDiff } from './structured-merge.ts'
import { lastAppliedOf, type Prediction, threeWayDiff, twoWayDiff } from './three-way.ts'

/** A target beside the live object at its place; never both absent. */
export interface DiffPair {
  readonly key: ResourceKey
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
}

/** How a pair was compared; `none` where one side is absent. */
export type DiffStrategy = 'none' | 'two-way' | 'three-way' | 'structured-merge' | 'server-side'

export interface ResourceDiff extends DiffPair {
  readonly strategy: DiffStrategy
  /** False without a target: that an object is to be pruned is not told here. */
  readonly modified: boolean
  /** Live as it was compared; undefined when there is none. */
  readonly normalizedLive: Manifest | undefined
  /** What live would be after a sync; undefined when there is no target. */
  readonly predictedLive: Manifest | undefined
}

/** What only the API server can answer: what a server-side apply of each target would make of its live object. */
export interface DiffNeeds {
  readonly dryRuns: readonly { readonly key: ResourceKey; readonly target: Manifest }[]
}

export interface DiffAnswers {
  /** By the text of the key ({@link formatKey}). */
  readonly dryRuns: ReadonlyMap<string, DryRunAnswer>
}

const noAnswers: DiffAnswers = { dryRuns: new Map() }

/** The kinds for whose comparison a schema is needed that the rules do not have, each once. */
export function schemasNeeded(pairs: readonly DiffPair[], rules: DiffRules): readonly GroupKind[] {
  const kinds = new Map<string, GroupKind>()
  for (const { key, target, live } of pairs) {
    if (target === undefined || live === undefined) continue
    const { apiVersion, kind } = target
    const needed =
      (rules.serverSideDiff && !rules.includeMutationWebhook) ||
      rules.structuredMerge ||
      hasSyncOption(target, 'ServerSideApply=true') ||
      trustedManagersOf(target, rules.trustedManagers).size > 0
    if (!needed || rules.mergeTypes(apiVersion, kind) !== undefined) continue
    kinds.set(`${key.group}/${kind}`, { group: key.group, kind })
  }
  return [...kinds.values()]
}

/**
 * What must be asked before {@link diffPairs}: nothing, unless the rules ask for server-side diff. Dry runs are
 * server-side applies with field manager `argocd-controller`, forced, without validation of fields.
 */
export function diffNeeds(pairs: readonly DiffPair[], rules: DiffRules): DiffNeeds {
  if (!rules.serverSideDiff) return { dryRuns: [] }
  return {
    dryRuns: pairs.flatMap((pair) => {
      if (pair.target === undefined || pair.live === undefined) return []
      const { target } = prepare(pair.target, pair.live, rules)
      return [{ key: pair.key, target: withKindRules(target, rules) }]
    }),
  }
}

/**
 * Compares each target with its live object, in the order of the pairs.
 *
 * Throws CompareError with Argo CD's message where a single pair cannot be compared: Argo CD then compares none.
 * Messages about Secrets hold no values of these. DIFF_FAILED where a dry run that {@link diffNeeds} asks for has no answer.
 * Source: argo-cd v3.5.1 util/argo/diff/diff.go, gitops-engine/pkg/diff/diff.go
 */
export function diffPairs(
  pairs: readonly DiffPair[],
  rules: DiffRules,
  answers: DiffAnswers = noAnswers,
): readonly ResourceDiff[] {
  const prepared = withContext('failed to perform pre-diff normalization', () =>
    pairs.map((pair): DiffPair => {
      const { target, live } = pair
      if (target === undefined || live === undefined) return pair
      return { ...pair, ...prepare(target, live, rules) }
    }),
  )
  return withContext('failed to calculate diff', () =>
    prepared.map((pair, i) => {
      const secrets = [pair.target, pair.live]
      const outcome = keepingSecrets(secrets, () => diffPair(pair, rules, answers))
      return { ...pairs[i]!, ...outcome }
    }),
  )
}

/** The pair without what is no difference whatever the strategy: old tracking, and fields of trusted managers. */
export function prepare(target: Manifest, live: Manifest, rules: DiffRules): TrustedFields {
  const adjusted = adjustTracking(target, live, rules.tracking)
  const managers = trustedManagersOf(target, rules.trustedManagers)
  if (managers.size === 0) return { target, live: adjusted, removed: [] }
  const type = rules.mergeTypes(target.apiVersion, target.kind)
  return withoutTrustedFields(target, adjusted, managers, type)
}

/**
 * Both sides of a pair without what rules and trusted managers ignore, and else as they are; undefined where a rule
 * ignores an object as a whole. For syncs that respect ignored differences.
 *
 * Throws CompareError DIFF_FAILED for managed fields that cannot be read.
 * Source: argo-cd v3.5.1 util/argo/diff/normalize.go Normalize
 */
export function withoutIgnored(
  given: Manifest,
  found: Manifest,
  rules: DiffRules,
): { readonly target: Manifest | undefined; readonly live: Manifest | undefined } {
  const { target, live } = prepare(given, found, rules)
  return { target: ignored(target, rules), live: ignored(live, rules) }
}

type Outcome = Omit<ResourceDiff, keyof DiffPair>

function diffPair(
  { key, target: given, live: found }: DiffPair,
  rules: DiffRules,
  answers: DiffAnswers,
): Outcome {
  if (rules.serverSideDiff && given !== undefined && found !== undefined) {
    return { strategy: 'server-side', ...onServer(key, given, found, rules, answers) }
  }
  const target = given && normalized(given, rules)
  const live = found && normalized(found, rules)
  if (given === undefined) {
    return {
      strategy: 'none',
      modified: false,
      normalizedLive: live,
      predictedLive: undefined,
    }
  }
  if (found === undefined) {
    return {
      strategy: 'none',
      modified: true,
      normalizedLive: undefined,
      predictedLive: target,
    }
  }
  if (target === undefined || live === undefined) {
    throw new CompareError(
      'DIFF_FAILED',
      'failed to construct merge patch for predicted state: Invalid JSON Document',
    )
  }
  if (rules.structuredMerge || hasSyncOption(given, 'ServerSideApply=true')) {
    return { strategy: 'structured-merge', ...structuredMergeDiff(target, live, rules) }
  }
  return clientSide(target, live, rules)
}

function onServer(
  key: ResourceKey,
  given: Manifest,
  found: Manifest,
  rules: DiffRules,
  answers: DiffAnswers,
): Prediction {
  const answer = answers.dryRuns.get(formatKey(key))
  if (answer === undefined) {
    throw new CompareError('DIFF_FAILED', `no dry run of ${formatKey(key)} was answered`)
  }
  const [target, live] = [withKindRules(given, rules), withKindRules(found, rules)]
  const normalize = (manifest: Manifest): Manifest | undefined =>
    ignored(normalizeKind(manifest, rules.ignoreAggregatedRoles), rules)
  return serverSideDiff(target, live, answer, { ...rules, normalize })
}

/** As Kubernetes would write it, with what holds for its kind. */
export function withKindRules(manifest: Manifest, rules: DiffRules): Manifest {
  return normalizeKind(remarshal(manifest), rules.ignoreAggregatedRoles)
}

/** The same with ignore rules and known types; undefined when a rule ignores the object as a whole. */
function normalized(manifest: Manifest, rules: DiffRules): Manifest | undefined {
  return ignored(withKindRules(manifest, rules), rules)
}

function ignored(manifest: Manifest, rules: DiffRules): Manifest | undefined {
  const { manifest: rest } = applyIgnoreRules(manifest, rules.ignore)
  return rest && normalizeKnownTypes(rest, rules.knownTypes)
}

/** Three-way with what was applied last; two-way without it, or where the three-way comparison fails. */
function clientSide(target: Manifest, live: Manifest, rules: DiffRules): Outcome {
  const lastApplied = lastAppliedOf(live)
  if (lastApplied !== undefined && lastApplied !== 'unreadable') {
    const original = ignored(normalizeKind(lastApplied, rules.ignoreAggregatedRoles), rules)
    try {
      if (original !== undefined) {
        return { strategy: 'three-way', ...threeWayDiff(original, target, live) }
      }
    } catch (error) {
      if (!isLitecdError(error)) throw error
      // Argo CD logs the failure and goes on without last-applied
    }
  }
  return { strategy: 'two-way', ...twoWayDiff(target, live) }
}
