import type { Json } from '../../../json/index.ts'
import { defineKey } from '../../../json/index.ts'
import {
  ComplexNumber,
  FunctionFailure,
  formatValue,
  type GoObject,
  mapOf,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  type ValueMap,
  visit,
} from '../../../lang/gotemplate/index.ts'
import {
  bytesToText,
  compareBytes,
  encodeBase64,
  healText,
  parseGoFloat,
  parseGoInt,
  replaceInvalid,
} from '../../../text/index.ts'
import { CycleGuard } from './cycle-guard.ts'

/** JSON as Go decodes it into `any`: every number is a float64, objects are maps. */
export function goValue(json: Json): Value {
  if (typeof json === 'bigint') return Number(json)
  if (typeof json === 'string') return replaceInvalid(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(goValue)
  return mapOfJson(json as { readonly [key: string]: Json })
}

export function mapOfJson(json: { readonly [key: string]: Json }): ValueMap {
  const map: ValueMap = new Map()
  for (const key of Object.keys(json)) map.set(replaceInvalid(key), goValue(json[key]!))
  return map
}

/** A value as Go marshals it to JSON, or a FunctionFailure for what cannot be. */
export function jsonOf(value: Value): Json {
  return toJson(value, new CycleGuard())
}

function toJson(value: Value, guard: CycleGuard): Json {
  visit()
  switch (typeof value) {
    case 'string':
      return replaceInvalid(value)
    case 'number':
      if (!Number.isFinite(value)) {
        throw new FunctionFailure(`json: unsupported value: ${formatValue(value)}`)
      }
      return value
    case 'boolean':
    case 'bigint':
      return value
    default:
  }
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return encodeBase64(value)
  guard.enter(value)
  const json = Array.isArray(value)
    ? value.map((item) => toJson(item, guard))
    : value instanceof Map
      ? objectOf(value, guard)
      : jsonOfObject(value, guard)
  guard.leave(value)
  return json
}

function objectOf(map: ReadonlyMap<string, Value>, guard: CycleGuard): Json {
  const out: { [key: string]: Json } = {}
  const entries = [...map.keys()].every((key) => key.isWellFormed())
    ? map
    : [...map].sort(([a], [b]) => compareBytes(a, b)) // of keys that become one the last wins
  for (const [key, value] of entries) defineKey(out, replaceInvalid(key), toJson(value, guard))
  return out
}

function jsonOfObject(value: GoObject, guard: CycleGuard): Json {
  if (value instanceof SizedInt) return value.value
  if (value instanceof ComplexNumber)
    throw new FunctionFailure('json: unsupported type: complex128')
  if (value instanceof TypedSlice) {
    if (value.isNil) return null
    if (value.elementType === 'uint8') {
      return encodeBase64(Uint8Array.from(value.items, (item) => Number((item as SizedInt).value)))
    }
    return value.items.map((item) => toJson(item, guard))
  }
  if (value instanceof TypedMap) return value.isNil ? null : objectOf(value.map, guard)
  if (value instanceof Struct) {
    if (value.json !== undefined) return toJson(value.json(), guard)
    const exported = [...value.fields].filter(([name]) => /^\p{Lu}/u.test(name))
    return objectOf(new Map(exported), guard)
  }
  throw new FunctionFailure(`json: unsupported type: ${typeName(value)}`)
}

/** sprig's strval: strings and bytes as they are, errors and Stringers by their method, the rest by `%v`. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return bytesToText(value)
  return formatValue(value)
}

const minInt64 = -(1n << 63n)

/** cast.ToInt64: never fails, what is no integer is 0. */
export function toInt64(value: Value): bigint {
  switch (typeof value) {
    case 'bigint':
      return value
    case 'number': {
      const whole = Math.trunc(value)
      if (Number.isNaN(whole) || whole >= 2 ** 63 || whole < -(2 ** 63)) return minInt64
      return BigInt(whole)
    }
    case 'boolean':
      return value ? 1n : 0n
    case 'string': {
      const number = parseGoInt(trimZeroDecimal(value), 0)
      return typeof number === 'bigint' ? number : 0n
    }
    default:
  }
  if (value instanceof SizedInt && castable(value)) return BigInt.asIntN(64, value.value)
  return 0n
}

/** The named integers that the cast library knows. */
function castable(value: SizedInt): boolean {
  return (
    !value.goType.includes('.') || value.goType === 'time.Month' || value.goType === 'time.Weekday'
  )
}

/** `1.0` and `10.00` read as `1` and `10`; `10.` stays. */
function trimZeroDecimal(text: string): string {
  return text.replace(/(?<=.)\.0+$/, '')
}

/** cast.ToFloat64: never fails, what is no number is 0. */
export function toFloat64(value: Value): number {
  switch (typeof value) {
    case 'number':
      return value
    case 'bigint':
      return Number(value)
    case 'boolean':
      return value ? 1 : 0
    case 'string': {
      const number = parseGoFloat(value)
      return typeof number === 'number' ? number : 0
    }
    default:
  }
  return value instanceof SizedInt && castable(value) ? Number(value.value) : 0
}

/** sprig's empty: nil, zero, false, no length. Structs never are. */
export function isEmpty(value: Value): boolean {
  switch (typeof value) {
    case 'string':
      return value === ''
    case 'number':
      return value === 0
    case 'bigint':
      return value === 0n
    case 'boolean':
      return !value
    default:
  }
  if (value === null || value === undefined) return true
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0
  const map = mapOf(value)
  if (map !== undefined) return map.size === 0
  if (value instanceof TypedSlice) return value.items.length === 0
  if (value instanceof SizedInt) return value.value === 0n
  if (value instanceof ComplexNumber) return value.real === 0 && value.imaginary === 0
  return false
}

/** Two texts put together; halves of a cut character become one again. */
export function joinText(parts: readonly string[], separator: string): string {
  return healText(parts.join(separator))
}
