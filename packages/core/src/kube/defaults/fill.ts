import { isObject, type Json, type JsonObject } from '../../json/index.ts'

/** Gives a struct its defaults; the same object when it has them all. */
export type Rule = (object: JsonObject) => JsonObject

/** Fields that are pointers, lists or maps in Go: unset when absent or null. */
export function whenNil(object: JsonObject, defaults: JsonObject): JsonObject {
  return fill(object, defaults, (value) => value === undefined || value === null)
}

/** Fields that are strings and numbers in Go: unset when empty or zero as well; lists when they are empty. */
export function whenEmpty(object: JsonObject, defaults: JsonObject): JsonObject {
  return fill(object, defaults, isEmpty)
}

export function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0)
  )
}

function fill(
  object: JsonObject,
  defaults: JsonObject,
  isUnset: (value: Json | undefined) => boolean,
): JsonObject {
  let result: { [key: string]: Json } | undefined
  for (const key of Object.keys(defaults)) {
    if (!isUnset(object[key])) continue
    result ??= { ...object }
    result[key] = defaults[key] as Json
  }
  return result ?? object
}

/** The object with a field replaced; the same object when the field is what it was. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  return object[key] === value ? object : { ...object, [key]: value }
}

/** Changes a struct-valued field. A field that is not set counts as an empty struct and stays unset if nothing changes. */
export function inField(
  object: JsonObject,
  key: string,
  change: (inner: JsonObject) => JsonObject,
): JsonObject {
  const inner = objectAt(object, key) ?? {}
  const changed = change(inner)
  return changed === inner ? object : { ...object, [key]: changed }
}

/** Changes every item of a list-valued field. */
export function inItems(
  object: JsonObject,
  key: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const list = object[key]
  if (!Array.isArray(list)) return object
  let touched = false
  const items = list.map((item: Json) => {
    const changed = isObject(item) ? change(item) : item
    touched ||= changed !== item
    return changed
  })
  return touched ? { ...object, [key]: items } : object
}

export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key]
  return isObject(value) ? value : undefined
}

export const nilRule =
  (defaults: JsonObject): Rule =>
  (object) =>
    whenNil(object, defaults)

export const emptyRule =
  (defaults: JsonObject): Rule =>
  (object) =>
    whenEmpty(object, defaults)
