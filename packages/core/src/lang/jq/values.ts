import { compareStrings, isObject, type Json, type JsonObject } from '../../json/index.ts'

/** A failure of the running program that `try` can catch; `value` is what `catch` gets. */
export class JqError {
  readonly value: Json
  /** The message as gojq prints it; for `error(v)` it is made of the value. */
  readonly message: string
  constructor(message: string, value: Json = message) {
    this.message = message
    this.value = value
  }
}

export function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'bigint':
      return 'number'
    case 'object':
      return 'object'
    default:
      return typeof value
  }
}

export function isNumber(value: Json): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** A bigint as a number where that is exact, as integers are kept. */
export function integer(value: bigint): number | bigint {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : value
}

export function truthy(value: Json): boolean {
  return value !== null && value !== false
}

export function sortedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareStrings)
}

const ranks: { readonly [type: string]: number } = {
  null: 0,
  number: 3,
  string: 4,
  array: 5,
  object: 6,
}

function rank(value: Json): number {
  if (typeof value === 'boolean') return value ? 2 : 1
  return ranks[typeOf(value)]!
}

/** jq's order of all values: null, false, true, numbers, strings, arrays, objects; NaN is less than any number. */
export function compare(a: Json, b: Json): number {
  if (a === b) return typeof a === 'number' && Number.isNaN(a) ? -1 : 0
  if (isNumber(a) && isNumber(b)) {
    if (typeof a === 'number' && Number.isNaN(a)) return -1
    if (typeof b === 'number' && Number.isNaN(b)) return 1
    return a < b ? -1 : a > b ? 1 : 0
  }
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    const shared = Math.min(a.length, b.length)
    for (let i = 0; i < shared; i++) {
      const order = compare(a[i] as Json, b[i] as Json)
      if (order !== 0) return order
    }
    return a.length - b.length
  }
  if (isObject(a) && isObject(b)) return compareObjects(a, b)
  return rank(a) - rank(b)
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const keys = sortedKeys(a)
  const order = compare(keys, sortedKeys(b))
  if (order !== 0) return order
  for (const key of keys) {
    const inner = compare(a[key] as Json, b[key] as Json)
    if (inner !== 0) return inner
  }
  return 0
}

/** JSON as gojq prints it: keys sorted, NaN null, infinities the largest number, no HTML escapes. */
export function encode(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return encodeNumber(value)
  if (typeof value === 'string') return encodeString(value)
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`
  if (isObject(value)) {
    const entries = sortedKeys(value).map(
      (key) => `${encodeString(key)}:${encode(value[key] as Json)}`,
    )
    return `{${entries.join(',')}}`
  }
  return String(value)
}

function encodeNumber(value: number): string {
  if (Number.isNaN(value)) return 'null'
  const finite = Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
  if (Object.is(finite, -0)) return '-0'
  const magnitude = Math.abs(finite)
  if (magnitude !== 0 && (magnitude < 1e-6 || magnitude >= 1e21)) return finite.toExponential()
  return String(finite)
}

function encodeString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/\u007f/g, '\\u007f')
}

/** A value in an error message: its JSON, cut after 30 bytes. */
export function preview(value: Json): string {
  const text = encode(value)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= 30) return text
  const type = typeOf(value)
  const tail =
    type === 'string' ? ' ..."' : type === 'array' ? ' ...]' : type === 'object' ? ' ...}' : ' ...'
  let cut = 0
  let size = 0
  for (const char of text) {
    size += new TextEncoder().encode(char).length
    if (size > 30 - tail.length) break
    cut += char.length
  }
  return text.slice(0, cut) + tail
}

/** `number (1)`; null has no second part. */
export function described(value: Json): string {
  return value === null ? 'null' : `${typeOf(value)} (${preview(value)})`
}

/** The characters of a text, as jq counts them. */
export function codePoints(text: string): string[] {
  return [...text]
}

/** An index: fractions are cut toward zero; huge numbers stay at the end. Undefined for what is no number. */
export function toInteger(value: Json): number | undefined {
  if (!isNumber(value)) return undefined
  const number = Number(value)
  if (Number.isNaN(number)) return Number.MIN_SAFE_INTEGER
  return Math.trunc(Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER))
}
