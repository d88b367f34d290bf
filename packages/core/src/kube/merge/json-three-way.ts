import { deepEqual, defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'

export interface ThreeWayInput {
  /** What was applied last; `{}` when nothing is known. */
  readonly original: JsonObject
  /** What is to be applied. */
  readonly modified: JsonObject
  /** What is there. */
  readonly current: JsonObject
}

/**
 * The JSON merge patch (RFC 7396) that brings `modified` onto `current`: what `modified` adds or changes, and null for
 * what `original` had and `modified` has no more. Lists are replaced whole. A null in `modified` deletes, unless `original`
 * has the same null; nulls in list elements are left out. Empty when there is nothing to do.
 *
 * Numbers in the patch are doubles, as the library that Kubernetes uses makes them: a changed integer beyond 2^53 is
 * rounded.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/util/jsonmergepatch, gopkg.in/evanphx/json-patch.v4 merge.go
 */
export function threeWayJsonMerge(input: ThreeWayInput): JsonObject {
  return mergeLevel(input.original, input.modified, input.current)
}

function mergeLevel(
  original: JsonObject | undefined,
  modified: JsonObject,
  current: JsonObject | undefined,
): JsonObject {
  const patch: { [key: string]: Json } = {}
  for (const key of Object.keys(modified)) {
    const wanted = modified[key] as Json
    const before = own(original, key)
    const now = own(current, key)
    if (isObject(wanted)) {
      // An object in `original` may take keys away even where `current` has nothing or something else.
      const inner = mergeLevel(
        isObject(before) ? before : undefined,
        wanted,
        isObject(now) ? now : undefined,
      )
      const isNew = !isObject(now) && Object.keys(wanted).length === 0
      if (isNew || Object.keys(inner).length > 0) defineKey(patch, key, inner)
    } else if (wanted === null) {
      if (before !== null) defineKey(patch, key, null)
    } else if (now === undefined || !sameValue(now, wanted)) {
      defineKey(patch, key, patchValue(wanted))
    }
  }
  if (original !== undefined) {
    for (const key of Object.keys(original)) {
      if (!Object.hasOwn(modified, key)) defineKey(patch, key, null)
    }
  }
  return patch
}

function own(object: JsonObject | undefined, key: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

function sameValue(a: Json, b: Json): boolean {
  return deepEqual(a, b) || (mayHoldBigint(b) && deepEqual(doubles(a), doubles(b)))
}

function mayHoldBigint(value: Json): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null)
}

function doubles(value: Json): Json {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(doubles)
  if (!isObject(value)) return value
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) defineKey(out, key, doubles(value[key] as Json))
  return out
}

/** A list or scalar as it stands in a patch: doubles, and no null fields in objects inside lists. */
function patchValue(value: Json): Json {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(patchValue)
  if (!isObject(value)) return value
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    if (value[key] !== null) defineKey(out, key, patchValue(value[key] as Json))
  }
  return out
}
