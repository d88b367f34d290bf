import { defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { isEmptyScalar, Misfit, recode, zeroOf } from './scalars.ts'
import type { Field, FieldType, StructType } from './types.ts'

export interface TypedOptions {
  /** Fail on fields that the struct does not have; otherwise they are dropped. */
  readonly strict: boolean
  /**
   * `all`: every field that Go would write, also those that the input does not have. `given`: only what the input has,
   * under the names that the input uses; of a null that stands for a struct, all fields. `held`: what the struct holds,
   * under its own names: only what the input has, but empty values too that `omitempty` would leave out.
   */
  readonly fields: 'all' | 'given' | 'held'
}

/**
 * An object decoded into its Go struct and encoded again: quantities, times and base64 in canonical form, empty values
 * of `omitempty` fields gone, nulls replaced by the zero value where the type has one.
 *
 * Undefined when the struct cannot hold the object: a value of the wrong type, an invalid quantity, or, when strict, an
 * unknown field.
 *
 * Source: Go 1.26 encoding/json; k8s.io/apimachinery v0.36.1 pkg/runtime/converter.go
 */
export function throughStruct(
  object: JsonObject,
  struct: StructType,
  options: TypedOptions,
): JsonObject | undefined {
  try {
    return recodeStruct(object, struct, options)
  } catch (error) {
    if (error instanceof Misfit) return undefined
    throw error
  }
}

/** The same for a value of any type, such as one known field of a custom resource. */
export function throughType(
  value: Json,
  type: FieldType,
  options: TypedOptions,
): { readonly value: Json } | undefined {
  try {
    return { value: recodeValue(value, type, options) }
  } catch (error) {
    if (error instanceof Misfit) return undefined
    throw error
  }
}

// What comes out as it went in is not copied: most objects are canonical already.

function recodeStruct(object: JsonObject, struct: StructType, options: TypedOptions): JsonObject {
  if (options.fields === 'all') return completed(object, struct, options)
  const isHeld = options.fields === 'held'
  let out: { [key: string]: Json } | undefined
  for (const key of Object.keys(object)) {
    const field = struct.field(key)
    if (field === undefined) {
      if (options.strict) throw new Misfit(key)
      out ??= keysBefore(object, key)
      continue
    }
    const given = object[key] as Json
    const value = recodeValue(given, field.type, options)
    const isKept = isHeld || (field.name === key && !isOmitted(value, field))
    if (out === undefined && isKept && value === given && field.name === key) continue
    out ??= keysBefore(object, key)
    if (isKept) defineKey(out, isHeld ? field.name : key, value)
  }
  return out ?? object
}

/** The part of an object that comes before a key. */
function keysBefore(object: JsonObject, end: string): { [key: string]: Json } {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(object)) {
    if (key === end) break
    defineKey(out, key, object[key] as Json)
  }
  return out
}

/** With all fields of the struct. */
function completed(object: JsonObject, struct: StructType, options: TypedOptions): JsonObject {
  const seen = new Map<string, Json>()
  for (const key of Object.keys(object)) {
    const field = struct.field(key)
    if (field !== undefined) {
      seen.set(field.name, recodeValue(object[key] as Json, field.type, options))
    } else if (options.strict) throw new Misfit(key)
  }
  const out: { [key: string]: Json } = {}
  for (const field of struct.fields) {
    const value = seen.has(field.name) ? (seen.get(field.name) as Json) : zero(field.type)
    if (!isOmitted(value, field)) out[field.name] = value
  }
  return out
}

function recodeValue(value: Json, type: FieldType, options: TypedOptions): Json {
  switch (type.kind) {
    case 'pointer':
      return value === null ? null : recodeValue(value, type.to, options)
    case 'scalar':
      return value === null ? zeroOf(type.scalar) : recode(value, type.scalar)
    case 'list':
      if (value === null) return null
      if (!Array.isArray(value)) throw new Misfit('list')
      return recodeItems(value, type.of, options)
    case 'map':
      if (value === null) return null
      if (!isObject(value)) throw new Misfit('map')
      return recodeMap(value, type.of, options)
    case 'struct':
      if (value === null) return options.fields === 'held' ? {} : zero(type)
      if (!isObject(value)) throw new Misfit('struct')
      return recodeStruct(value, type.struct, options)
  }
}

function recodeItems(list: readonly Json[], type: FieldType, options: TypedOptions): Json {
  let out: Json[] | undefined
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json
    const value = recodeValue(item, type, options)
    if (out === undefined && value !== item) out = list.slice(0, i)
    out?.push(value)
  }
  return out ?? list
}

function recodeMap(map: JsonObject, type: FieldType, options: TypedOptions): Json {
  let out: { [key: string]: Json } | undefined
  for (const key of Object.keys(map)) {
    const item = map[key] as Json
    const value = recodeValue(item, type, options)
    if (out === undefined && value === item) continue
    out ??= keysBefore(map, key)
    defineKey(out, key, value)
  }
  return out ?? map
}

function isOmitted(value: Json, field: Field): boolean {
  if (field.omitZero && value === null) return true
  if (!field.omitEmpty) return false
  const { type } = field
  switch (type.kind) {
    case 'pointer':
      return value === null
    case 'list':
      return value === null || (value as readonly Json[]).length === 0
    case 'map':
      return value === null || Object.keys(value as JsonObject).length === 0
    case 'struct':
      return false
    case 'scalar':
      return isEmptyScalar(value, type.scalar)
  }
}

function zero(type: FieldType): Json {
  switch (type.kind) {
    case 'pointer':
    case 'list':
    case 'map':
      return null
    case 'struct':
      return recodeStruct({}, type.struct, { strict: false, fields: 'all' })
    case 'scalar':
      return zeroOf(type.scalar)
  }
}
