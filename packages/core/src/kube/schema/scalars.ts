import { goFloat, type Json } from '../../json/index.ts'
import {
  decodeBase64,
  encodeBase64,
  formatGoTime,
  parseGoTime,
  TimeIssue,
  utc,
  zeroTime,
} from '../../text/index.ts'
import { canonicalQuantity } from '../quantity.ts'
import type { ScalarType } from './types.ts'

/** A value that the Go type of its field cannot hold. */
export class Misfit extends Error {}

/** What a Go field of this type holds when nothing was decoded into it. */
export function zeroOf(scalar: ScalarType): Json {
  switch (scalar) {
    case 'string':
      return ''
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    default:
      return null
  }
}

/** A JSON value, not null, decoded into a Go scalar and encoded again. Throws Misfit. */
export function recode(value: Json, scalar: ScalarType): Json {
  switch (scalar) {
    case 'string':
      return expectString(value)
    case 'bool':
      if (typeof value !== 'boolean') throw new Misfit('bool')
      return value
    case 'int32':
      return integer(value, 31n)
    case 'int64':
      return integer(value, 63n)
    case 'bytes':
      return bytes(value)
    case 'quantity':
      return quantity(value)
    case 'intOrString':
      return typeof value === 'string' ? value : integer(value, 31n)
    case 'time':
      return time(expectString(value), seconds)
    case 'microTime':
      return time(expectString(value), micros)
    case 'raw':
    case 'fields':
      return value
  }
}

/** True for what `omitempty` leaves out. */
export function isEmptyScalar(value: Json, scalar: ScalarType): boolean {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return value === '' || value === null
    case 'bool':
      return value === false
    case 'int32':
    case 'int64':
      return value === 0
    default:
      return false // structs in Go
  }
}

function expectString(value: Json): string {
  if (typeof value !== 'string') throw new Misfit('string')
  return value
}

function integer(value: Json, bits: bigint): Json {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    if (bits === 63n || (value >= -(2 ** 31) && value < 2 ** 31)) return value === 0 ? 0 : value
  } else if (typeof value === 'bigint' && value >= -(1n << bits) && value < 1n << bits) return value
  throw new Misfit(`int${bits + 1n}`)
}

const ascii = /^[\x00-\x7f]*$/

function bytes(value: Json): Json {
  if (Array.isArray(value)) {
    const numbers = value.map((item) => (item === null ? 0 : (item as number)))
    if (!numbers.every((item) => Number.isInteger(item) && item >= 0 && item < 256)) {
      throw new Misfit('[]byte')
    }
    return encodeBase64(Uint8Array.from(numbers))
  }
  const text = expectString(value)
  if (!ascii.test(text)) throw new Misfit('[]byte')
  const decoded = decodeBase64(new TextEncoder().encode(text))
  if (!(decoded instanceof Uint8Array)) throw new Misfit('[]byte')
  return encodeBase64(decoded)
}

function quantity(value: Json): Json {
  const text =
    typeof value === 'string'
      ? value.replace(/^[ \u0085\u00a0]+|[ \u0085\u00a0]+$/g, '')
      : typeof value === 'number'
        ? goFloat(value)
        : typeof value === 'bigint'
          ? value.toString()
          : ''
  const canonical = canonicalQuantity(text)
  if (canonical === undefined) throw new Misfit('Quantity')
  return canonical
}

const seconds = '2006-01-02T15:04:05Z07:00'
const micros = '2006-01-02T15:04:05.000000Z07:00'

/** Null for the zero time, as Kubernetes writes it. */
function time(text: string, layout: string): Json {
  const parsed = parseGoTime(layout, text, utc)
  if (parsed instanceof TimeIssue) throw new Misfit('Time')
  if (parsed.unixSeconds === zeroTime.unixSeconds && parsed.nanos === 0) return null
  return formatGoTime({ ...parsed, zone: utc }, layout)
}
