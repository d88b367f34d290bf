import { deepEqual, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  applyIgnoreRules,
  type Ignored,
  type IgnoreRule,
  type RuleSource,
} from '../normalize/index.ts'
import { fieldChanges, formatPath } from './fields.ts'
import { type DiffPair, prepare, withKindRules } from './pairs.ts'
import type { DiffRules } from './rules.ts'

/** Differences that are there, but do not count, and why. Paths only: values may be secret. */
export interface IgnoredDifference {
  readonly because:
    | { readonly type: 'rule'; readonly rule: IgnoreRule }
    | { readonly type: 'manager'; readonly manager: string }
  /** As {@link formatPath} writes them; those of managers as Kubernetes does: `.spec.replicas`. */
  readonly paths: readonly string[]
}

/**
 * What rules and trusted managers hide of a pair: fields of the target that the live object does not have, or has with
 * another value. Rules that hide nothing are left out.
 */
export function ignoredDifferences(
  { target: given, live: found }: Pick<DiffPair, 'target' | 'live'>,
  rules: DiffRules,
): readonly IgnoredDifference[] {
  if (given === undefined || found === undefined) return []
  const { target, live, removed } = prepare(given, found, rules)
  const out: IgnoredDifference[] = removed.map(({ manager, fields }) => ({
    because: { type: 'manager', manager },
    paths: fields,
  }))
  const [wanted, actual] = [target, live].map((manifest) => takenBy(manifest, rules))
  for (const [rule, values] of wanted!) {
    const others = actual!.get(rule)
    const paths = [...values]
      .filter(([path, value]) => !deepEqual(value, others?.get(path)))
      .map(([path]) => path)
    if (paths.length > 0) out.push({ because: { type: 'rule', rule }, paths })
  }
  return out
}

/** What each rule takes from an object: values by path. */
function takenBy(
  manifest: Manifest,
  rules: DiffRules,
): ReadonlyMap<IgnoreRule, ReadonlyMap<string, Json>> {
  let before: Json = withKindRules(manifest, rules)
  const { applied }: Ignored = applyIgnoreRules(before as Manifest, rules.ignore)
  const taken = new Map<IgnoreRule, ReadonlyMap<string, Json>>()
  for (const { rule, after } of applied) {
    const changes = fieldChanges(before as Manifest, (after ?? {}) as Manifest)
    const values = changes.map(({ path, before: value }): readonly [string, Json] => [
      formatPath(path),
      value ?? null,
    ])
    taken.set(rule, new Map(values))
    before = after
  }
  return taken
}

/** Where a rule is written: `spec.ignoreDifferences[0]`, or `resource.customizations of apps/Deployment`. */
export function formatSource(source: RuleSource): string {
  return source.from === 'application'
    ? `spec.ignoreDifferences[${source.index}]`
    : `resource.customizations of ${source.override}`
}
