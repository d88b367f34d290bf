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

function recodeStruct(object: JsonObject, struct: StructType, options: TypedOptions): JsonObject {
  const out: { [key: string]: Json } = {}
  const seen = options.fields === 'all' ? new Map<string, Json>() : undefined
  for (const key of Object.keys(object)) {
    const field = struct.field(key)
    if (field === undefined) {
      if (options.strict) throw new Misfit(key)
      continue
    }
    const value = recodeValue(object[key] as Json, field.type, options)
    if (options.fields === 'held') out[field.name] = value
    else if (seen !== undefined) seen.set(field.name, value)
    else if (field.name === key && !isOmitted(value, field)) defineKey(out, key, value)
  }
  if (seen !== undefined) {
    for (const field of struct.fields) {
      const value = seen.has(field.name) ? (seen.get(field.name) as Json) : zero(field.type)
      if (!isOmitted(value, field)) out[field.name] = value
    }
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
      return value.map((item: Json) => recodeValue(item, type.of, options))
    case 'map': {
      if (value === null) return null
      if (!isObject(value)) throw new Misfit('map')
      const out: { [key: string]: Json } = {}
      for (const key of Object.keys(value)) {
        defineKey(out, key, recodeValue(value[key] as Json, type.of, options))
      }
      return out
    }
    case 'struct':
      if (value === null) return options.fields === 'held' ? {} : zero(type)
      if (!isObject(value)) throw new Misfit('struct')
      return recodeStruct(value, type.struct, options)
  }
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
