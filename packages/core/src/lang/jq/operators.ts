import { defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { compare, described, integer, isNumber, JqError, preview, truthy } from './values.ts'

const maxRepeat = 10_000_000

/** A binary operator on two values. Throws JqError. */
export type BinaryOperator = (left: Json, right: Json) => Json

export const operators: { readonly [symbol: string]: BinaryOperator } = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': modulo,
  '==': (left, right) => compare(left, right) === 0,
  '!=': (left, right) => compare(left, right) !== 0,
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  '//': (left, right) => (truthy(left) ? left : right),
}

function cannot(verb: string, left: Json, right: Json): JqError {
  return new JqError(`cannot ${verb}: ${described(left)} and ${described(right)}`)
}

/** True when both are whole numbers, which are added and multiplied without losing digits. */
function whole(left: number | bigint, right: number | bigint): boolean {
  return (
    (typeof left === 'bigint' || Number.isSafeInteger(left)) &&
    (typeof right === 'bigint' || Number.isSafeInteger(right))
  )
}

export function add(left: Json, right: Json): Json {
  if (isNumber(left) && isNumber(right)) {
    if (whole(left, right)) return integer(BigInt(left) + BigInt(right))
    return Number(left) + Number(right)
  }
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length === 0) return right
    return right.length === 0 ? left : [...left, ...right]
  }
  if (isObject(left) && isObject(right)) {
    if (Object.keys(left).length === 0) return right
    return Object.keys(right).length === 0 ? left : { ...left, ...right }
  }
  if (left === null) return right
  if (right === null) return left
  throw cannot('add', left, right)
}

function subtract(left: Json, right: Json): Json {
  if (isNumber(left) && isNumber(right)) {
    if (whole(left, right)) return integer(BigInt(left) - BigInt(right))
    return Number(left) - Number(right)
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.filter((item: Json) => !right.some((other: Json) => compare(item, other) === 0))
  }
  throw cannot('subtract', left, right)
}

function multiply(left: Json, right: Json): Json {
  if (isNumber(left) && isNumber(right)) {
    if (whole(left, right)) return integer(BigInt(left) * BigInt(right))
    return Number(left) * Number(right)
  }
  if (isObject(left) && isObject(right)) return merged(left, right)
  if (typeof left === 'string' && isNumber(right)) return repeated(left, Number(right))
  if (isNumber(left) && typeof right === 'string') return repeated(right, Number(left))
  throw cannot('multiply', left, right)
}

function merged(left: JsonObject, right: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...left }
  for (const key of Object.keys(right)) {
    const old = Object.hasOwn(out, key) ? out[key] : undefined
    const value = right[key] as Json
    defineKey(out, key, isObject(old) && isObject(value) ? merged(old, value) : value)
  }
  return out
}

function repeated(text: string, times: number): Json {
  if (times < 0 || Number.isNaN(times)) return null
  const count = Math.trunc(Math.min(times, 2 ** 31))
  if (text.length * count > maxRepeat) {
    throw new JqError(`repeat string result too large: ${preview(text)} * ${preview(times)}`)
  }
  return text.repeat(count)
}

function divide(left: Json, right: Json): Json {
  if (isNumber(left) && isNumber(right)) {
    if (Number(right) === 0) {
      throw new JqError(`cannot divide ${described(left)} by: ${described(right)}`)
    }
    if (typeof left === 'number' && typeof right === 'number') return left / right
    if (whole(left, right)) {
      const [a, b] = [BigInt(left), BigInt(right)]
      if (a % b === 0n) return integer(a / b)
    }
    return Number(left) / Number(right)
  }
  if (typeof left === 'string' && typeof right === 'string') return splitText(left, right)
  throw cannot('divide', left, right)
}

export function splitText(text: string, separator: string): Json {
  if (text === '') return []
  return separator === '' ? [...text] : text.split(separator)
}

function modulo(left: Json, right: Json): Json {
  if (!isNumber(left) || !isNumber(right)) throw cannot('modulo', left, right)
  if (Number.isNaN(Number(left)) || Number.isNaN(Number(right))) return Number.NaN
  const [a, b] = [toBig(left), toBig(right)]
  if (b === 0n) throw new JqError(`cannot modulo ${described(left)} by: ${described(right)}`)
  return integer(a % b)
}

function toBig(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value
  if (!Number.isFinite(value)) return value > 0 ? 2n ** 63n - 1n : -(2n ** 63n)
  return BigInt(Math.trunc(value))
}

export function negate(value: Json): Json {
  if (!isNumber(value)) throw new JqError(`cannot negate: ${described(value)}`)
  if (typeof value === 'bigint') return integer(-value)
  return value === 0 ? 0 : -value
}

export function plus(value: Json): Json {
  if (!isNumber(value)) throw new JqError(`cannot plus: ${described(value)}`)
  return value
}
