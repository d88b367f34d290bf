import type { Settings } from '../argo/index.ts'
import { defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'
import { type FieldType, groupOf, type Manifest, structNamed, throughType } from '../kube/index.ts'
import { formatGoDuration, parseGoDuration } from '../text/index.ts'

/** Writes a value as its type does; undefined when the type cannot hold it. */
type Recode = (value: Json) => { readonly value: Json } | undefined

interface KnownField {
  readonly path: readonly string[]
  readonly recode: Recode
}

/** Fields of custom resources that hold a type of Kubernetes, by `group/Kind`. */
export type KnownTypes = ReadonlyMap<string, readonly KnownField[]>

/**
 * The known type fields of the settings. An override counts for exactly the group and kind that its key names; types
 * that nobody knows are left out, as Argo CD does with a line in its log. Rollouts of argoproj.io have their pod spec
 * known unless an override for them names fields of its own.
 *
 * Source: argo-cd v3.5.1 util/argo/normalizers/knowntypes_normalizer.go
 */
export function compileKnownTypes(overrides: Settings['overrides']): KnownTypes {
  const types = new Map<string, KnownField[]>()
  for (const [key, override] of Object.entries(overrides)) {
    const groupKind = splitOverrideKey(key)
    for (const { field, type } of override.knownTypeFields ?? []) {
      const recode = recodeOf(type)
      if (recode === undefined) continue
      const name = `${groupKind.group}/${groupKind.kind}`
      const known = { path: field.split('.'), recode }
      types.set(name, [...(types.get(name) ?? []), known])
    }
  }
  if (!types.has('argoproj.io/Rollout')) {
    const recode = recodeOf('core/v1/PodSpec')!
    types.set('argoproj.io/Rollout', [{ path: ['spec', 'template', 'spec'], recode }])
  }
  return types
}

/** `group/Kind`, or `Kind` of the core group; anything else counts as the empty group and kind. */
export function splitOverrideKey(key: string): { readonly group: string; readonly kind: string } {
  const parts = key.split('/')
  if (parts.length === 1) return { group: '', kind: parts[0]! }
  return parts.length === 2 ? { group: parts[0]!, kind: parts[1]! } : { group: '', kind: '' }
}

function recodeOf(name: string): Recode | undefined {
  if (name === 'core/Quantity') return typed({ kind: 'scalar', scalar: 'quantity' })
  if (name === 'meta/v1/Duration') return duration
  const match = /^core\/v1\/([A-Za-z0-9]+)$/.exec(name)
  const struct = match === null ? undefined : structNamed(`core/v1.${match[1]}`)
  return struct === undefined ? undefined : typed({ kind: 'struct', struct })
}

const typed =
  (type: FieldType): Recode =>
  (value) =>
    throughType(value, type, { strict: false, fields: 'all' })

const duration: Recode = (value) => {
  const nanos = typeof value === 'string' ? parseGoDuration(value) : undefined
  return nanos === undefined ? undefined : { value: formatGoDuration(nanos) }
}

/** An object with its known fields in the form of their types. After the first that does not fit nothing more is done. */
export function normalizeKnownTypes(manifest: Manifest, types: KnownTypes): Manifest {
  if (typeof manifest.apiVersion !== 'string') return manifest
  let result: JsonObject = manifest
  for (const { path, recode } of types.get(`${groupOf(manifest.apiVersion)}/${manifest.kind}`) ??
    []) {
    const change = recodeAt(result, path, recode)
    result = change.value
    if (!change.ok) break
  }
  return result as Manifest
}

interface Change {
  readonly value: JsonObject
  /** False when some value did not fit its type; what was done before it stays. */
  readonly ok: boolean
}

function recodeAt(object: JsonObject, path: readonly string[], recode: Recode): Change {
  const [step, ...rest] = path
  if (step === undefined || !Object.hasOwn(object, step)) return { value: object, ok: true }
  const value = object[step] as Json
  if (Array.isArray(value)) return recodeItems(object, step, value, rest, recode)
  if (rest.length === 0) {
    const recoded = recode(value)
    if (recoded === undefined) return { value: object, ok: false }
    return { value: withKey(object, step, recoded.value), ok: true }
  }
  if (!isObject(value)) return { value: object, ok: true }
  const inner = recodeAt(value, rest, recode)
  return { value: withKey(object, step, inner.value), ok: inner.ok }
}

/** Lists on the way are walked through; items that are no objects are left alone. */
function recodeItems(
  object: JsonObject,
  key: string,
  list: readonly Json[],
  rest: readonly string[],
  recode: Recode,
): Change {
  let ok = true
  const items = list.map((item) => {
    if (!ok || !isObject(item)) return item
    if (rest.length > 0) {
      const inner = recodeAt(item, rest, recode)
      ok = inner.ok
      return inner.value
    }
    const recoded = recode(item)
    ok = recoded !== undefined
    return recoded?.value ?? item
  })
  return { value: withKey(object, key, items), ok }
}

function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  const copy: { [key: string]: Json } = { ...object }
  defineKey(copy, key, value)
  return copy
}
