import { compareStrings } from '../../json/index.ts'
import { floatText } from '../../text/index.ts'
import { budgetExceeded, fail, machine, spend } from './machine.ts'
import { toText } from './manifest.ts'
import { fieldNames, indexObject, joinObjects } from './object.ts'
import type { Caller } from './site.ts'
import {
  ArrayValue,
  FunctionValue,
  ObjectValue,
  type Slot,
  typeName,
  type Value,
  wrongType,
} from './values.ts'

export function needNumber(value: Value, caller: Caller): number {
  return typeof value === 'number' ? value : wrongType(value, 'number', caller)
}

export function needString(value: Value, caller: Caller): string {
  return typeof value === 'string' ? value : wrongType(value, 'string', caller)
}

export function needBoolean(value: Value, caller: Caller): boolean {
  return typeof value === 'boolean' ? value : wrongType(value, 'boolean', caller)
}

export function needArray(value: Value, caller: Caller): ArrayValue {
  return value instanceof ArrayValue ? value : wrongType(value, 'array', caller)
}

export function needObject(value: Value, caller: Caller): ObjectValue {
  return value instanceof ObjectValue ? value : wrongType(value, 'object', caller)
}

export function needFunction(value: Value, caller: Caller): FunctionValue {
  return value instanceof FunctionValue ? value : wrongType(value, 'function', caller)
}

/** A whole number that fits 32 bits, as indexes and sizes must. */
export function needInt(value: Value, caller: Caller): number {
  const number = needNumber(value, caller)
  if ((number | 0) !== number) fail(`Expected an integer, but got ${floatText(number)}`, caller)
  return number | 0
}

export function checkNumber(value: number, caller: Caller): number {
  if (value - value === 0) return value
  return fail(Number.isNaN(value) ? 'Not a number' : 'Overflow', caller)
}

export function checkString(text: string, caller: Caller): string {
  if (text.length > machine.limits.stringLength) stringTooLong(caller)
  return text
}

export function stringTooLong(caller: Caller): never {
  budgetExceeded(`a string of more than ${machine.limits.stringLength} characters`, caller)
}

/** Refuses to make an array of that many elements. */
export function checkLength(length: number, caller: Caller): void {
  if (length > machine.limits.arrayLength) {
    budgetExceeded(`an array of more than ${machine.limits.arrayLength} elements`, caller)
  }
}

export function plus(left: Value, right: Value, caller: Caller): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    return checkNumber(left + right, caller)
  }
  if (typeof right === 'string') return concat(toText(left, caller), right, caller)
  if (typeof left === 'string') return concat(left, toText(right, caller), caller)
  if (left instanceof ObjectValue) {
    return right instanceof ObjectValue
      ? joinObjects(left, right)
      : wrongType(right, 'object', caller)
  }
  if (left instanceof ArrayValue) return concatArrays(left, needArray(right, caller), caller)
  if (typeof left === 'number') return wrongType(right, 'number', caller)
  return wrongType(left, undefined, caller)
}

function concat(left: string, right: string, caller: Caller): string {
  if (left.length + right.length > machine.limits.stringLength) stringTooLong(caller)
  return left + right
}

function concatArrays(left: ArrayValue, right: ArrayValue, caller: Caller): ArrayValue {
  if (right.items.length === 0) return left
  if (left.items.length === 0) return right
  checkLength(left.items.length + right.items.length, caller)
  spend((left.items.length + right.items.length) >> 4, caller)
  const items: Slot[] = left.items.concat(right.items)
  return new ArrayValue(items)
}

export function minus(left: Value, right: Value, caller: Caller): number {
  const x = needNumber(left, caller)
  return checkNumber(x - needNumber(right, caller), caller)
}

export function times(left: Value, right: Value, caller: Caller): number {
  const x = needNumber(left, caller)
  return checkNumber(x * needNumber(right, caller), caller)
}

export function divide(left: Value, right: Value, caller: Caller): number {
  const x = needNumber(left, caller)
  const y = needNumber(right, caller)
  if (y === 0) fail('Division by zero.', caller)
  return checkNumber(x / y, caller)
}

/** The remainder with the sign of the left side. */
export function modulo(left: Value, right: Value, caller: Caller): number {
  const x = needNumber(left, caller)
  const y = needNumber(right, caller)
  if (y === 0) fail('Division by zero.', caller)
  return checkNumber(x % y, caller)
}

/** Below, at or above zero. Numbers, strings by code point, and arrays of these. */
export function compare(left: Value, right: Value, caller: Caller): number {
  if (typeof left === 'number') {
    const y = needNumber(right, caller)
    return left < y ? -1 : left > y ? 1 : 0
  }
  if (typeof left === 'string') return compareStrings(left, needString(right, caller))
  if (!(left instanceof ArrayValue)) return wrongType(left, undefined, caller)
  const other = needArray(right, caller)
  const length = Math.min(left.items.length, other.items.length)
  spend(length, caller)
  for (let i = 0; i < length; i++) {
    const x = left.at(i, caller)
    const order = compare(x, other.at(i, caller), caller)
    if (order !== 0) return order
  }
  return left.items.length - other.items.length
}

/** Deep equality over elements and visible fields. */
export function equals(left: Value, right: Value, caller: Caller): boolean {
  if (left === null || typeof left !== 'object') return left === right
  if (left instanceof ArrayValue) {
    if (!(right instanceof ArrayValue) || left.items.length !== right.items.length) return false
    spend(left.items.length, caller)
    for (let i = 0; i < left.items.length; i++) {
      const x = left.at(i, caller)
      if (!equals(x, right.at(i, caller), caller)) return false
    }
    return true
  }
  if (left instanceof ObjectValue) {
    if (!(right instanceof ObjectValue)) return false
    const names = fieldNames(left, false, caller)
    const others = fieldNames(right, false, caller)
    spend(names.length, caller)
    if (names.length !== others.length || names.some((name, i) => name !== others[i])) return false
    for (const name of names) {
      const x = indexObject(left, name, caller)
      if (!equals(x, indexObject(right, name, caller), caller)) return false
    }
    return true
  }
  if (right instanceof FunctionValue) fail('Cannot test equality of functions', caller)
  return false
}

const safe = Number.MAX_SAFE_INTEGER

/** `& | ^ << >>` on 64-bit integers. Arguments are truncated and must be safe integers. */
export function bitwise(
  op: '&' | '|' | '^' | '<<' | '>>',
  left: Value,
  right: Value,
  caller: Caller,
): number {
  const x = needNumber(left, caller)
  const y = needNumber(right, caller)
  for (const value of [x, y]) {
    if (value < -safe || value > safe) {
      fail(
        `Bitwise operator argument ${floatText(value)} outside of range [${-safe}, ${safe}]`,
        caller,
      )
    }
  }
  const shift = op === '<<' || op === '>>'
  if (shift && y < 0) fail('Shift by negative exponent.', caller)
  const a = BigInt(Math.trunc(x))
  const b = BigInt(Math.trunc(y))
  switch (op) {
    case '&':
      return Number(a & b)
    case '|':
      return Number(a | b)
    case '^':
      return Number(a ^ b)
    case '<<':
      return Number(BigInt.asIntN(64, a << (b % 64n)))
    case '>>':
      return Number(a >> (b % 64n))
  }
}

/** `~x` on a 64-bit integer; beyond its range Go's conversion gives the smallest one. */
export function complement(value: Value, caller: Caller): number {
  const x = Math.trunc(needNumber(value, caller))
  if (x >= 2 ** 63 || x < -(2 ** 63)) return 2 ** 63
  return Number(~BigInt(x))
}

/** std.primitiveEquals: null, booleans, numbers and strings only. */
export function primitiveEquals(left: Value, right: Value, caller: Caller): boolean {
  const type = typeName(left)
  if (type !== typeName(right)) return false
  if (type === 'function') fail('Cannot test equality of functions', caller)
  if (type === 'array' || type === 'object') {
    fail(`primitiveEquals operates on primitive types, got ${type}`, caller)
  }
  return left === right
}
