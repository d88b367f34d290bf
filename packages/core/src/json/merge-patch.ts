import { defineKey } from './clone.ts'
import { deepEqual } from './equal.ts'
import { isObject, type Json, type JsonObject } from './value.ts'

/** RFC 7386: `patch` applied to `target`. Returns a new value; null removes, arrays replace. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const result: { [key: string]: Json } = isObject(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const change = patch[key] as Json
    if (change === null) delete result[key]
    else
      defineKey(
        result,
        key,
        mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, change),
      )
  }
  return result
}

/** The smallest RFC 7386 patch from `before` to `after`; undefined when they are equal. */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: { [key: string]: Json } = {}
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) defineKey(patch, key, null)
  for (const key of Object.keys(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    const now = after[key] as Json
    if (isObject(old) && isObject(now)) {
      const inner = createMergePatch(old, now)
      if (inner !== undefined) defineKey(patch, key, inner)
    } else if (!deepEqual(old, now)) {
      defineKey(patch, key, now)
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}
