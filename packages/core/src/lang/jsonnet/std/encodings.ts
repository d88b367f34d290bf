import { type Json, parseJson } from '../../../json/index.ts'
import {
  byteLength,
  bytesToText,
  decodeBase64,
  encodeBase64,
  md5,
  replaceInvalid,
  sha1,
  sha3,
  sha256,
  sha512,
  textToBytes,
  toHex,
} from '../../../text/index.ts'
import { fail, spend } from '../machine.ts'
import { plainObject } from '../object.ts'
import { checkNumber, needArray, needInt, needString } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, typeName, type Value } from '../values.ts'
import { type Definition, type Definitions, strict1 } from './define.ts'
import { parseYamlText } from './parse-yaml.ts'

/** `cost` is the steps that a byte counts. */
function hash(parameter: string, fn: (bytes: Uint8Array) => Uint8Array, cost: number): Definition {
  return strict1(parameter, (value, caller) => {
    const bytes = textToBytes(needString(value, caller))
    spend(bytes.length * cost, caller)
    return toHex(fn(bytes))
  })
}

/** Text of bytes, every invalid byte as U+FFFD. */
export function textOfBytes(bytes: Uint8Array): string {
  return replaceInvalid(bytesToText(bytes))
}

function base64(value: Value, caller: Caller): string {
  const range = (code: number): void => {
    if (code < 0 || code > 255) {
      const allowed = 'invalid codepoint value in the array (must be 0 <= X <= 255)'
      fail(`base64 encountered ${allowed}, got ${code}`, caller)
    }
  }
  if (typeof value === 'string') {
    for (const char of value) range(char.codePointAt(0)!)
    return encodeBase64(textToBytes(value))
  }
  if (!(value instanceof ArrayValue)) {
    const type = typeName(value)
    return fail(
      `base64 can only base64 encode strings / arrays of single bytes, got ${type}`,
      caller,
    )
  }
  const bytes = new Uint8Array(value.items.length)
  for (let i = 0; i < bytes.length; i++) {
    const item = value.at(i, caller)
    if (typeof item !== 'number' || (item | 0) !== item) {
      return fail(
        `base64 encountered a non-integer value in the array, got ${typeName(item)}`,
        caller,
      )
    }
    range(item)
    bytes[i] = item
  }
  return encodeBase64(bytes)
}

function decoded(value: Value, caller: Caller): Uint8Array {
  if (typeof value !== 'string') {
    return fail(`base64DecodeBytes requires a string, got ${typeName(value)}`, caller)
  }
  const length = byteLength(value)
  if (length % 4 !== 0) {
    const what = 'input string appears not to be a base64 encoded string'
    fail(`${what}. Wrong length found (${length})`, caller)
  }
  const bytes = decodeBase64(textToBytes(value))
  if (bytes instanceof Uint8Array) return bytes
  return fail(`failed to decode: illegal base64 data at input byte ${bytes.errorAt}`, caller)
}

function decodeUtf8(value: Value, caller: Caller): string {
  const array = needArray(value, caller)
  const bytes = new Uint8Array(array.items.length)
  for (let i = 0; i < bytes.length; i++) {
    const byte = needInt(array.at(i, caller), caller)
    if (byte < 0 || byte > 255) {
      fail(`Bytes must be integers in range [0, 255], got ${byte}`, caller)
    }
    bytes[i] = byte
  }
  return textOfBytes(bytes)
}

function parseJsonText(value: Value, caller: Caller): Value {
  const text = needString(value, caller)
  const json = parseJson(text, ({ message }) => fail(`failed to parse JSON: ${message}`, caller))
  const large = tooLarge(text)
  if (large !== undefined) {
    const why = `json: cannot unmarshal number ${large} into Go value of type float64`
    fail(`failed to parse JSON: ${why}`, caller)
  }
  return fromJson(json, caller)
}

/** The first number of a valid JSON text that no double can hold. */
function tooLarge(text: string): string | undefined {
  if (!/[eE]\+?\d{3}|\d{300}/.test(text)) return undefined
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const numbers = bare.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []
  return numbers.find((number) => !Number.isFinite(Number(number)))
}

/** JSON as a value. Integers become doubles. */
export function fromJson(json: Json, caller: Caller): Value {
  if (typeof json === 'string') return json.toWellFormed()
  if (typeof json === 'number') return checkNumber(json, caller)
  if (typeof json === 'bigint') return Number(json)
  if (json === null || typeof json === 'boolean') return json
  if (Array.isArray(json)) return new ArrayValue(json.map((item: Json) => fromJson(item, caller)))
  return plainObject(
    Object.entries(json).map(([name, item]) => [name.toWellFormed(), fromJson(item, caller)]),
  )
}

export const encodings: Definitions = {
  md5: hash('s', md5, 1),
  sha1: hash('s', sha1, 1),
  sha256: hash('s', sha256, 1),
  sha512: hash('s', sha512, 40),
  sha3: hash('s', sha3, 40),
  base64: strict1('input', base64),
  base64Decode: strict1('str', (value, caller) => textOfBytes(decoded(value, caller))),
  base64DecodeBytes: strict1('str', (value, caller) => new ArrayValue([...decoded(value, caller)])),
  encodeUTF8: strict1('str', (value, caller) => {
    return new ArrayValue([...textToBytes(needString(value, caller))])
  }),
  decodeUTF8: strict1('arr', decodeUtf8),
  parseJson: strict1('str', parseJsonText),
  parseYaml: strict1('str', (value, caller) => {
    return fromJson(parseYamlText(needString(value, caller), caller), caller)
  }),
}
