import { isObject, type Json, type JsonObject } from '../json/index.ts'

const decoding = 'error unmarshaling JSON: while decoding JSON: '

/**
 * What Go's decoder says to a value that is to be a list of objects; undefined when it is one. A null is an empty object.
 *
 * Source: Go 1.26 encoding/json UnmarshalTypeError, sigs.k8s.io/yaml v1.6 Unmarshal
 */
export function objectsProblem(value: Json): string | undefined {
  if (value === null) return undefined
  if (!Array.isArray(value)) return cannot(value, '[]map[string]interface {}')
  const bad = (value as readonly Json[]).find((item) => item !== null && !isObject(item))
  return bad === undefined ? undefined : cannot(bad, 'map[string]interface {}')
}

/** The objects of a value that `objectsProblem` has nothing against. */
export function objectsIn(value: Json): readonly JsonObject[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).map((item) => (isObject(item) ? item : {}))
    : []
}

export function cannot(value: Json, type: string): string {
  return `${decoding}json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'number'
}
