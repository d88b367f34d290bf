/**
 * A JSON value. Integers that a double cannot hold exactly are `bigint`; every other number is `number`, so that
 * int64 and uint64 survive a round trip as they do through Go's `unstructured` objects.
 */
export type Json = JsonScalar | JsonArray | JsonObject
export type JsonScalar = null | boolean | number | bigint | string
export type JsonArray = readonly Json[]
export interface JsonObject {
  readonly [key: string]: Json
}

/** True for a JSON object, false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for null, booleans, numbers and strings. */
export function isScalar(value: unknown): value is JsonScalar {
  return value === null || typeof value !== 'object'
}
