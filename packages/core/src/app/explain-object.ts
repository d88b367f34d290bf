import { type HealthStatus, hookTypesOf, isHook, type Settings, waveOf } from '../argo/index.ts'
import {
  type DiffRules,
  type DiffStrategy,
  diffPairs,
  type EqualledField,
  equalledFields,
  type FieldChange,
  type FieldOwner,
  fieldChanges,
  type IgnoredDifference,
  ignoredDifferences,
  maskDiff,
  ownersOf,
  type PathStep,
  positionsOf,
} from '../diff/index.ts'
import { assessHealth } from '../health/index.ts'
import { isObject, type Json } from '../json/index.ts'
import type { Manifest, ResourceKey } from '../kube/index.ts'
import type { FieldCause, Origin } from '../render/index.ts'
import { causesOf, type RenderedTarget } from './explain.ts'
import { maskSecret } from './preview-secrets.ts'

/** A field of a target: its value (masked in Secrets) and what made it. */
export interface ExplainedField {
  readonly path: readonly PathStep[]
  readonly value: Json
  readonly causes: readonly FieldCause[]
}

/** A difference that counts: `before` is live, `after` what a sync would make of it. Values of Secrets are masked. */
export interface ExplainedDifference extends FieldChange {
  /** What made the wanted value; empty where the target does not have the field. */
  readonly causes: readonly FieldCause[]
  /** Who owns the live value. */
  readonly owners: readonly FieldOwner[]
}

export interface LiveExplanation {
  readonly status: 'Synced' | 'OutOfSync'
  readonly strategy: DiffStrategy
  readonly differences: readonly ExplainedDifference[]
  /** Differences that do not count, by the rule or manager that takes them. */
  readonly ignored: readonly IgnoredDifference[]
  /** Fields that are written differently and equal all the same. */
  readonly equalled: readonly EqualledField[]
  readonly health?: HealthStatus
}

export interface ObjectExplanation {
  readonly key: ResourceKey
  readonly apiVersion: string
  readonly origin: Origin
  readonly wave: number
  readonly hooks: readonly string[]
  /** Absent where nothing is known of live objects; without a live object its status is OutOfSync with no differences. */
  readonly live?: LiveExplanation
}

/** Every field below a path that holds a value of its own, in the order of the manifest. Empty where there is none. */
export function explainFields(
  target: RenderedTarget,
  below: readonly PathStep[],
  settings: Settings,
): readonly ExplainedField[] {
  const shown = maskSecret(target.manifest)
  const start = positionsOf(shown, below)
  if (start === undefined) return []
  return [...leaves(valueAt(shown, start), below)].map(([path, leaf]) => ({
    path,
    value: leaf,
    causes: causesOf(target, path, settings),
  }))
}

function valueAt(manifest: Manifest, path: readonly (string | number)[]): Json {
  let value: Json = manifest
  for (const step of path) value = (value as { readonly [step: string | number]: Json })[step]!
  return value
}

function* leaves(
  value: Json,
  path: readonly PathStep[],
): Generator<readonly [readonly PathStep[], Json]> {
  if (Array.isArray(value) && value.length > 0) {
    const items = value as readonly Json[]
    const named = nameSteps(items)
    for (const [index, item] of items.entries()) {
      yield* leaves(item, [...path, named ? { name: (item as { name: Json }).name } : index])
    }
  } else if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key])
  } else yield [path, value]
}

/** Whether the items of a list can be told by their names. */
function nameSteps(items: readonly Json[]): boolean {
  const names = items.map((item) => (isObject(item) ? item['name'] : undefined))
  return names.every((name) => typeof name === 'string') && new Set(names).size === items.length
}

/**
 * Where an object comes from, and how it stands against a live object. `live` is undefined where no live objects are
 * known at all, `{}` where they are and this one is not among them. Comparison is done here, never by a cluster: with
 * `ServerSideDiff=true` the result is that of a client-side comparison, which `strategy` tells.
 *
 * Throws CompareError as {@link diffPairs} does.
 */
export function explainObject(
  target: RenderedTarget,
  live: { readonly object?: Manifest } | undefined,
  rules: DiffRules,
  settings: Settings,
): ObjectExplanation {
  const { manifest, key } = target
  const base = {
    key,
    apiVersion: manifest.apiVersion ?? '',
    origin: target.origin.origin,
    wave: waveOf(manifest),
    hooks: isHook(manifest) ? hookTypesOf(manifest) : [],
  }
  if (live === undefined) return base
  return {
    ...base,
    live: compared(target, live.object, { ...rules, serverSideDiff: false }, settings),
  }
}

function compared(
  target: RenderedTarget,
  live: Manifest | undefined,
  rules: DiffRules,
  settings: Settings,
): LiveExplanation {
  const pair = { key: target.key, target: target.manifest, live }
  const [found] = diffPairs([pair], rules)
  const diff = maskDiff(found!, rules, settings.maskedAnnotations)
  const { normalizedLive, predictedLive } = diff
  const changes =
    normalizedLive === undefined || predictedLive === undefined
      ? []
      : fieldChanges(normalizedLive, predictedLive)
  const health = live === undefined ? undefined : assessHealth(live, settings).health
  return {
    status: found!.modified ? 'OutOfSync' : 'Synced',
    strategy: diff.strategy,
    differences: changes.map((change) => ({
      ...change,
      causes: causesOf(target, change.path, settings),
      owners: live === undefined ? [] : ownersOf(live, change.path, rules.mergeTypes),
    })),
    ignored: ignoredDifferences(pair, rules),
    equalled: equalledFields(pair, rules),
    ...(health === undefined ? {} : { health }),
  }
}
