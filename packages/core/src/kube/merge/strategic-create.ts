import {
  compareStrings,
  deepEqual,
  defineKey,
  isObject,
  type Json,
  type JsonObject,
} from '../../json/index.ts'
import type { FieldType } from '../schema/index.ts'
import { orderPrefix, patchMarker, retainKeysMarker } from './directives.ts'
import type { ThreeWayInput } from './json-three-way.ts'
import { diffKeyedLists, diffScalarLists } from './list-patch.ts'
import {
  elementType,
  type FieldPatch,
  listField,
  objectField,
  type PatchKind,
  patchFailed,
  rootType,
} from './patch-schema.ts'
import type { ObjectPatch, Versions } from './versions.ts'

/**
 * The strategic merge patch that brings `modified` onto `current`: its additions and changes against `current`, and the
 * deletion of what `original` had and `modified` has no more. Directives (`$setElementOrder`, `$retainKeys`, `$patch`,
 * `$deleteFromPrimitiveList`) are those that the API server understands. Empty when there is nothing to do.
 *
 * Throws CompareError PATCH_FAILED: the kind is not built in, a field that differs is unknown, list items lack their
 * merge key or are of several types, or an object holds a `$patch` of its own.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/util/strategicpatch (CreateThreeWayMergePatch with overwrite)
 */
export function threeWayStrategicMerge(
  input: ThreeWayInput & { readonly kind: PatchKind },
): JsonObject {
  const { current, original, modified } = input
  const versions = { current, previous: original, wanted: modified }
  return diffObjects(versions, rootType(input.kind), false, true).patch
}

/** The strategic merge patch that turns `before` into `after`; deletions included. Throws as the three-way form does. */
export function twoWayStrategicMerge(
  before: JsonObject,
  after: JsonObject,
  kind: PatchKind,
): JsonObject {
  return diffObjects({ current: before, previous: before, wanted: after }, rootType(kind), false)
    .patch
}

function diffObjects(
  { current, previous, wanted }: Versions<JsonObject>,
  type: FieldType,
  retainKeys: boolean,
  isRoot = false,
): ObjectPatch {
  const draft = new Draft()
  for (const key of Object.keys(wanted)) {
    const value = wanted[key] as Json
    const now = own(current, key)
    const before = own(previous, key)
    if (key === patchMarker) {
      // Because: a manifest is no patch; what a directive in it should do is anybody's guess.
      throw patchFailed(`invalid value for special key: ${patchMarker}`)
    } else if (isObject(value)) {
      diffObjectField(key, { current: now, previous: before, wanted: value }, type, draft)
    } else if (Array.isArray(value)) {
      diffListField(key, { current: now, previous: before, wanted: value }, type, draft)
    } else if (now === undefined || !deepEqual(now, value)) {
      draft.set(key, value, { adds: true })
    }
  }
  for (const key of Object.keys(previous ?? {})) {
    if (!Object.hasOwn(wanted, key)) draft.set(key, null, { deletes: true })
  }
  if (draft.deletes || isRoot) for (const check of draft.checks) check()
  if (retainKeys) {
    const kept = Object.keys(wanted).filter((key) => wanted[key] !== null)
    const adds = current !== undefined && (draft.adds || hasExtraKey(current, wanted))
    const deletes = previous !== undefined && (draft.deletes || hasExtraKey(previous, wanted))
    if (kept.length > 0 && (adds || deletes)) {
      draft.set(retainKeysMarker, kept.sort(compareStrings), { adds, deletes })
    }
  }
  return draft
}

class Draft implements ObjectPatch {
  readonly patch: { [key: string]: Json } = {}
  adds = false
  deletes = false
  readonly checks: (() => void)[] = []

  set(
    key: string,
    value: Json,
    from: { readonly adds?: boolean; readonly deletes?: boolean },
  ): void {
    defineKey(this.patch, key, value)
    this.adds ||= from.adds === true
    this.deletes ||= from.deletes === true
  }
}

function own(object: JsonObject | undefined, key: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

function hasExtraKey(base: JsonObject, wanted: JsonObject): boolean {
  return Object.keys(base).some((key) => base[key] !== null && !Object.hasOwn(wanted, key))
}

interface FieldVersions<T> {
  readonly current: Json | undefined
  readonly previous: Json | undefined
  readonly wanted: T
}

function diffObjectField(
  key: string,
  versions: FieldVersions<JsonObject>,
  type: FieldType,
  draft: Draft,
): void {
  const { wanted } = versions
  const current = isObject(versions.current) ? versions.current : undefined
  const previous = isObject(versions.previous) ? versions.previous : undefined
  const isNew = current === undefined
  const field = lookUp(objectField, type, key, { current, previous, wanted })
  if (field === undefined) {
    if (isNew) draft.set(key, wanted, { adds: true })
  } else if (field.strategy === 'replace') {
    draft.set(key, wanted, { adds: true })
  } else {
    const inner = diffObjects({ current, previous, wanted }, field.type, field.retainKeys)
    if (isNew || inner.adds || inner.deletes) {
      draft.set(key, inner.patch, { adds: isNew || inner.adds, deletes: inner.deletes })
    }
  }
}

/**
 * The facts of a field whose value is an object or a list, or undefined when they do not matter: the field is wholly
 * new, or the struct does not have it but it is the same everywhere. An unknown field that differs throws.
 */
function lookUp<T extends Json>(
  find: (type: FieldType, key: string) => FieldPatch,
  type: FieldType,
  key: string,
  { current, previous, wanted }: Versions<T>,
): FieldPatch | undefined {
  if (current === undefined && previous === undefined) return undefined
  try {
    return find(type, key)
  } catch (error) {
    const same = (value: T | undefined): boolean => value === undefined || deepEqual(value, wanted)
    if (same(current) && same(previous)) return undefined
    throw error
  }
}

function diffListField(
  key: string,
  versions: FieldVersions<readonly Json[]>,
  type: FieldType,
  draft: Draft,
): void {
  const { wanted } = versions
  const current = Array.isArray(versions.current) ? (versions.current as Json[]) : undefined
  const previous = Array.isArray(versions.previous) ? (versions.previous as Json[]) : undefined
  const field = lookUp(listField, type, key, { current, previous, wanted })
  if (field?.strategy !== 'merge') {
    if (current === undefined || !deepEqual(current, wanted)) draft.set(key, wanted, { adds: true })
    return
  }
  const lists = { current, previous, wanted }
  for (const base of [current, previous]) if (base?.length) elementType(base, wanted)
  const keyed = isObject((wanted[0] ?? current?.[0] ?? previous?.[0]) as Json)
  const list = keyed ? diffKeyedLists(lists, field, diffObjects) : diffScalarLists(lists)
  if (list.check !== undefined) draft.checks.push(list.check)
  if (list.items.length > 0 || current === undefined) {
    draft.set(key, list.items, {
      adds: list.adds || current === undefined,
      deletes: list.deletes && keyed,
    })
  }
  if (list.deletions.length > 0) {
    draft.set(`$deleteFromPrimitiveList/${key}`, list.deletions, { deletes: true })
  }
  if (list.order.length > 0) {
    draft.set(orderPrefix + key, list.order, { adds: list.adds, deletes: list.deletes })
  }
}
