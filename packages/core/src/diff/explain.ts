import { isLitecdError } from '../errors/index.ts'
import { deepEqual, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  applyIgnoreRules,
  type Ignored,
  type IgnoreRule,
  type RuleSource,
} from '../normalize/index.ts'
import { addDefaults } from './defaults.ts'
import { fieldChanges } from './fields.ts'
import { type DiffPair, prepare, withKindRules } from './pairs.ts'
import { formatPath } from './path.ts'
import { remarshal } from './remarshal.ts'
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

/** Why two values that are written differently count as equal. */
export type Equalled =
  /** `0.5` and `500m`. */
  | 'spelling'
  /** An empty value that Kubernetes leaves out. */
  | 'empty'
  /** What holds for the kind, such as `stringData` of Secrets. */
  | 'kind'
  /** A default of Kubernetes 1.36. */
  | 'default'

export interface EqualledField {
  readonly path: string
  readonly because: Equalled
}

/**
 * Fields that differ as they are written and do not differ once both sides are written as Kubernetes would. Paths only:
 * values may be secret. Defaults are those that the live object has and the target leaves to the API server.
 */
export function equalledFields(
  { target: given, live: found }: Pick<DiffPair, 'target' | 'live'>,
  rules: DiffRules,
): readonly EqualledField[] {
  if (given === undefined || found === undefined) return []
  const { target, live } = prepare(given, found, rules)
  const [typedTarget, typedLive] = [remarshal(target), remarshal(live)]
  const [wanted, actual] = [withKindRules(target, rules), withKindRules(live, rules)]
  const [typed, final] = [pathsOf(typedLive, typedTarget), pathsOf(actual, wanted)]
  const defaults = defaultsOf(wanted)
  return fieldChanges(live, target).flatMap(
    ({ path, change, before }): readonly EqualledField[] => {
      const text = formatPath(path)
      if (change === 'move') return []
      if (change === 'remove') {
        const isDefault = defaults.has(text) && deepEqual(defaults.get(text), before)
        return isDefault ? [{ path: text, because: 'default' }] : []
      }
      if (final.has(text)) return []
      const byType = change === 'add' ? 'empty' : 'spelling'
      return [{ path: text, because: typed.has(text) ? 'kind' : byType }]
    },
  )
}

function pathsOf(live: Manifest, target: Manifest): ReadonlySet<string> {
  return new Set(fieldChanges(live, target).map(({ path }) => formatPath(path)))
}

/** What Kubernetes adds to an object, by path. */
function defaultsOf(manifest: Manifest): ReadonlyMap<string, Json> {
  const { apiVersion, kind } = manifest
  const full = orElse(() => addDefaults(manifest, { apiVersion, kind }, 'target'), manifest)
  const added = fieldChanges(manifest, full as Manifest).filter(({ change }) => change === 'add')
  return new Map(added.map(({ path, after }) => [formatPath(path), after ?? null]))
}

function orElse<T>(step: () => T, otherwise: T): T {
  try {
    return step()
  } catch (error) {
    if (isLitecdError(error)) return otherwise
    throw error
  }
}

/** Where a rule is written: `spec.ignoreDifferences[0]`, or `resource.customizations of apps/Deployment`. */
export function formatSource(source: RuleSource): string {
  return source.from === 'application'
    ? `spec.ignoreDifferences[${source.index}]`
    : `resource.customizations of ${source.override}`
}
