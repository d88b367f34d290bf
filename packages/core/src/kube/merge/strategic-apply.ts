import { deepEqual, defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { FieldType } from '../schema/index.ts'
import {
  deletePrefix,
  isDeletion,
  orderPrefix,
  patchMarker,
  retainKeysMarker,
  withoutDirectives,
  withoutNulls,
} from './directives.ts'
import { goText, goTypeOf } from './go-values.ts'
import { checkOrder, identity, indexOf, interleave, noMergeKey } from './order.ts'
import {
  elementType,
  type FieldPatch,
  listField,
  objectField,
  type PatchKind,
  patchFailed,
  rootType,
} from './patch-schema.ts'

/**
 * `current` with a strategic merge patch applied, as the API server does it for a built-in kind.
 *
 * Throws CompareError PATCH_FAILED: the kind is not built in, an object or a list is patched in a field that the struct
 * does not have, a directive is malformed, list items lack their merge key or are of several types.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/util/strategicpatch (StrategicMergePatch)
 */
export function applyStrategicMerge(
  current: JsonObject,
  patch: JsonObject,
  kind: PatchKind,
): JsonObject {
  return mergeObjects(current, patch, rootType(kind))
}

type Draft = { [key: string]: Json }

function mergeObjects(current: JsonObject, patch: JsonObject, type: FieldType): JsonObject {
  if (Object.hasOwn(patch, patchMarker)) {
    const { [patchMarker]: directive, ...fields } = patch
    if (directive === 'replace') return fields
    if (directive === 'delete') return {}
    throw patchFailed(`unknown patch type: ${goText(directive)} in map: ${goText(patch)}`)
  }
  const result = retainKeys(current, patch)
  const done = new Set<string>()
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue
    const field = key.slice(orderPrefix.length)
    if (setOrder(result, patch, field, type)) done.add(field)
  }
  for (const key of Object.keys(patch)) {
    if (key === retainKeysMarker || key.startsWith(orderPrefix) || done.has(key)) continue
    const change = patch[key] as Json
    if (key.startsWith(deletePrefix)) deleteScalars(result, key.slice(deletePrefix.length), change)
    else mergeField(result, key, change, type)
  }
  return result
}

function mergeField(result: Draft, key: string, change: Json, type: FieldType): void {
  if (change === null) {
    delete result[key]
    return
  }
  const now = Object.hasOwn(result, key) ? (result[key] as Json) : undefined
  if (isObject(change) && isObject(now)) {
    const field = objectField(type, key)
    const merged = field.strategy === 'replace' ? change : mergeObjects(now, change, field.type)
    defineKey(result, key, merged)
  } else if (Array.isArray(change) && Array.isArray(now)) {
    const field = listField(type, key)
    defineKey(result, key, field.strategy === 'merge' ? mergedList(now, change, field) : change)
  } else {
    const same = now !== undefined && goTypeOf(now) === goTypeOf(change)
    const kept = withoutDirectives(same ? change : withoutNulls(change))
    if (kept === undefined) delete result[key]
    else defineKey(result, key, kept)
  }
}

/** `$retainKeys` names all keys that may stay; a patch that sets another one contradicts itself. */
function retainKeys(current: JsonObject, patch: JsonObject): Draft {
  if (!Object.hasOwn(patch, retainKeysMarker)) return { ...current }
  const list = patch[retainKeysMarker]
  if (!Array.isArray(list)) throw patchFailed('invalid patch format of retainKeys')
  const kept = new Set(list as readonly Json[])
  for (const key of Object.keys(patch)) {
    const isDirective =
      key === retainKeysMarker || key.startsWith(orderPrefix) || key.startsWith(deletePrefix)
    if (!isDirective && patch[key] !== null && !kept.has(key)) {
      throw patchFailed('invalid patch format of retainKeys')
    }
  }
  const result: Draft = {}
  for (const key of Object.keys(current)) {
    if (kept.has(key)) defineKey(result, key, current[key] as Json)
  }
  return result
}

/** Merges the list of `key` and puts it in the order that the patch asks for. False when there is no list at all. */
function setOrder(result: Draft, patch: JsonObject, key: string, type: FieldType): boolean {
  const order = asList(patch[orderPrefix + key] as Json)
  const now = Object.hasOwn(result, key) ? asList(result[key] as Json) : undefined
  const change = Object.hasOwn(patch, key) ? asList(patch[key] as Json) : undefined
  const field = listField(type, key)
  checkOrder(change ?? [], order, field.mergeKey)
  let merged: readonly Json[]
  let liveOrder = now ?? []
  if (now === undefined) {
    if (change === undefined) return false
    merged = withoutDirectives(change) as readonly Json[]
  } else if (change === undefined) merged = now
  else if (field.strategy !== 'merge') merged = change
  else {
    const list = mergeLists(now, change, field)
    merged = interleave(list.merged, list.changes, list.base, field.mergeKey)
    // Parity: the library deletes and appends in the array that it then takes for the live order, so new items count
    // as standing where deleted ones made room.
    liveOrder = list.merged.slice(0, now.length)
  }
  elementType(now ?? [], change ?? [])
  defineKey(result, key, interleave(merged, order, liveOrder, field.mergeKey))
  return true
}

function asList(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value
  throw patchFailed(`expected a []interface {}, but received a ${goTypeOf(value)}`)
}

function mergedList(
  current: readonly Json[],
  patch: readonly Json[],
  field: FieldPatch,
): readonly Json[] {
  const { merged, changes, base } = mergeLists(current, patch, field)
  return interleave(merged, changes, base, field.mergeKey)
}

interface MergedList {
  /** The live items that stay, then the new ones; the order is still to be set. */
  readonly merged: readonly Json[]
  readonly base: readonly Json[]
  readonly changes: readonly Json[]
}

function mergeLists(
  current: readonly Json[],
  patch: readonly Json[],
  field: FieldPatch,
): MergedList {
  if (current.length === 0 && patch.length === 0) return { merged: [], base: [], changes: [] }
  const type = elementType(current, patch)
  if (type !== 'map[string]interface {}') {
    const both = [...current, ...patch]
    const merged = both.filter((item, i) => indexOf(both, item, '') === i)
    return { merged, base: current, changes: patch }
  }
  const { mergeKey } = field
  if (mergeKey === '') throw patchFailed('cannot merge lists without merge key for struct')
  const { base, changes } = followDirectives(current, patch as readonly JsonObject[], mergeKey)
  const merged = [...base]
  for (const change of changes) {
    const at = indexOf(merged, identity(change, mergeKey), mergeKey)
    if (at < 0) merged.push(change)
    else merged[at] = mergeObjects(merged[at] as JsonObject, change, field.type)
  }
  return { merged, base, changes }
}

/** Carries out `$patch` of single items: delete takes away all items of that key, replace the whole list. */
function followDirectives(
  current: readonly Json[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { readonly base: readonly Json[]; readonly changes: readonly JsonObject[] } {
  let base = current
  let replace = false
  const changes: JsonObject[] = []
  for (const item of patch) {
    if (!Object.hasOwn(item, patchMarker)) {
      changes.push(item)
      continue
    }
    const directive = item[patchMarker] as Json
    if (isDeletion(item)) {
      if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey)
      const gone = item[mergeKey] as Json
      base = base.filter((other) => !(isObject(other) && deepEqual(other[mergeKey], gone)))
    } else if (directive === 'replace') replace = true
    else if (directive === 'merge') {
      throw patchFailed('merging lists cannot yet be specified in the patch')
    } else {
      throw patchFailed(`unknown patch type: ${goText(directive)} in map: ${goText(item)}`)
    }
  }
  return replace ? { base: changes, changes: [] } : { base, changes }
}

function deleteScalars(result: Draft, key: string, gone: Json): void {
  const now = Object.hasOwn(result, key) ? result[key] : undefined
  if (!Array.isArray(now) || !Array.isArray(gone)) return
  if (now.length === 0 && gone.length === 0) return
  elementType(now, gone)
  defineKey(
    result,
    key,
    now.filter((item: Json) => indexOf(gone, item, '') < 0),
  )
}
