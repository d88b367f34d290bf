import { isObject, type Json, type JsonObject } from '../../json/index.ts'

// The keys that a strategic merge patch may hold beside the fields of the object.
export const patchMarker = '$patch'
export const retainKeysMarker = '$retainKeys'
export const orderPrefix = '$setElementOrder/'
export const deletePrefix = '$deleteFromPrimitiveList/'

/** Without every object that carries `$patch`; undefined when the value itself does. */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined)
  }
  if (!isObject(value)) return value
  if (Object.hasOwn(value, patchMarker)) return undefined
  let copy: { [key: string]: Json } | undefined
  for (const key of Object.keys(value)) {
    const child = value[key] as Json
    const kept = withoutDirectives(child)
    if (kept === child) continue
    copy ??= { ...value }
    if (kept === undefined) delete copy[key]
    else copy[key] = kept
  }
  return copy ?? value
}

/** Without null fields at any depth; nulls that are list items stay. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const copy: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    if (value[key] !== null) copy[key] = withoutNulls(value[key] as Json)
  }
  return copy
}

export function isDeletion(item: Json): item is JsonObject {
  return isObject(item) && item[patchMarker] === 'delete'
}
