import { compareStrings } from '../../json/index.ts'
import { FunctionFailure } from './errors.ts'
import { formatValue, sprintf } from './format.ts'
import {
  ComplexNumber,
  type GoObject,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
} from './value.ts'
import { visit } from './walk.ts'

/** Truth as `if` sees it: nil, false, zero and empty are false; every struct is true. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value !== ''
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
    default:
  }
  if (value === null || value === undefined) return false
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (value instanceof TypedMap) return value.map.size > 0
  if (value instanceof TypedSlice) return value.items.length > 0
  if (value instanceof SizedInt) return value.value !== 0n
  if (value instanceof ComplexNumber) return value.real !== 0 || value.imaginary !== 0
  return true
}

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string'

function basicKind(value: Value): BasicKind | undefined {
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    case 'number':
      return 'float'
    case 'bigint':
      return 'int'
    default:
  }
  if (value instanceof SizedInt) return value.kind.startsWith('u') ? 'uint' : 'int'
  return value instanceof ComplexNumber ? 'complex' : undefined
}

function integer(value: Value): bigint {
  return typeof value === 'bigint' ? value : (value as SizedInt).value
}

function isNilValue(value: Value): boolean {
  if (value === null || value === undefined) return true
  return (value instanceof TypedMap || value instanceof TypedSlice) && value.isNil
}

/** One comparison of `eq`. */
export function equal(a: Value, b: Value): boolean {
  const ka = basicKind(a)
  const kb = basicKind(b)
  if (ka !== kb) {
    if ((ka === 'int' && kb === 'uint') || (ka === 'uint' && kb === 'int')) {
      return integer(a) === integer(b)
    }
    if (a !== null && a !== undefined && b !== null && b !== undefined) {
      throw new FunctionFailure(
        `incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`,
      )
    }
    return false
  }
  switch (ka) {
    case 'bool':
    case 'string':
    case 'float':
      return a === b
    case 'int':
    case 'uint':
      return integer(a) === integer(b)
    case 'complex': {
      const [x, y] = [a as ComplexNumber, b as ComplexNumber]
      return x.real === y.real && x.imaginary === y.imaginary
    }
    default:
      return equalOther(a, b)
  }
}

function equalOther(a: Value, b: Value): boolean {
  const nilA = isNilValue(a)
  const nilB = isNilValue(b)
  if (a !== null && a !== undefined && b !== null && b !== undefined && shape(a) !== shape(b)) {
    throw new FunctionFailure(
      `non-comparable types ${sprintf('%s', [a])}: ${typeName(a)}, ${typeName(b)}: ${formatValue(b)}`,
    )
  }
  if (nilA || nilB) return nilA === nilB
  if (shape(b) === 'map' || shape(b) === 'slice') {
    throw new FunctionFailure(`non-comparable type ${sprintf('%s', [b])}: ${typeName(b)}`)
  }
  return a === b || sameStruct(a, b)
}

function shape(value: Value): string {
  if (Array.isArray(value) || value instanceof Uint8Array || value instanceof TypedSlice)
    return 'slice'
  if (value instanceof Map || value instanceof TypedMap) return 'map'
  return (value as GoObject).kind
}

function sameStruct(a: Value, b: Value): boolean {
  if (!(a instanceof Struct) || !(b instanceof Struct)) return false
  if (a.kind === 'ptr' || a.goType !== b.goType) return false
  return deepEqualValues(a, b)
}

/** `lt`. */
export function less(a: Value, b: Value): boolean {
  const ka = basicKind(a)
  const kb = ka === undefined ? undefined : basicKind(b)
  if (ka === undefined || kb === undefined) throw new FunctionFailure('invalid type for comparison')
  if (ka !== kb) {
    if ((ka === 'int' && kb === 'uint') || (ka === 'uint' && kb === 'int')) {
      return integer(a) < integer(b)
    }
    throw new FunctionFailure(
      `incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`,
    )
  }
  switch (ka) {
    case 'float':
      return (a as number) < (b as number)
    case 'string':
      return compareStrings(a as string, b as string) < 0
    case 'int':
    case 'uint':
      return integer(a) < integer(b)
    default:
      throw new FunctionFailure('invalid type for comparison')
  }
}

/** reflect.DeepEqual: types must be the same, so int 1 and float 1 differ. */
export function deepEqualValues(a: Value, b: Value): boolean {
  if (a === b) return !(typeof a === 'number' && Number.isNaN(a))
  if (a === null || a === undefined || b === null || b === undefined) {
    return (a === null || a === undefined) && (b === null || b === undefined)
  }
  if (typeof a !== 'object' || typeof b !== 'object') return false
  visit()
  if (typeName(a) !== typeName(b)) return false
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return a.length === b.length && a.every((byte, i) => byte === b[i])
  }
  if (Array.isArray(a) && Array.isArray(b)) return sameItems(a, b)
  if (a instanceof Map && b instanceof Map) return sameEntries(a, b)
  if (a instanceof TypedMap && b instanceof TypedMap) {
    return a.isNil === b.isNil && sameEntries(a.map, b.map)
  }
  if (a instanceof TypedSlice && b instanceof TypedSlice) {
    return a.isNil === b.isNil && sameItems(a.items, b.items)
  }
  if (a instanceof SizedInt && b instanceof SizedInt) return a.value === b.value
  if (a instanceof ComplexNumber && b instanceof ComplexNumber) {
    return a.real === b.real && a.imaginary === b.imaginary
  }
  if (a instanceof Struct && b instanceof Struct) return sameEntries(a.fields, b.fields)
  return false
}

function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => deepEqualValues(item, b[i]))
}

function sameEntries(a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    if (!b.has(key) || !deepEqualValues(value, b.get(key))) return false
  }
  return true
}
