import type { YamlDialect } from './problem.ts'
import { parseTimestamp } from './timestamp.ts'

/** What a scalar's text means; `value` is a `bigint` for every integer outside the safe range. */
export interface Resolved {
  readonly tag: '!!null' | '!!bool' | '!!int' | '!!float' | '!!timestamp' | '!!str'
  /** For timestamps the text in RFC 3339. */
  readonly value: null | boolean | number | bigint | string
}

const common: readonly (readonly [Resolved, string])[] = [
  [{ tag: '!!bool', value: true }, 'true True TRUE'],
  [{ tag: '!!bool', value: false }, 'false False FALSE'],
  [{ tag: '!!null', value: null }, '~ null Null NULL'],
  [{ tag: '!!float', value: Number.NaN }, '.nan .NaN .NAN'],
  [{ tag: '!!float', value: Number.POSITIVE_INFINITY }, '.inf .Inf .INF +.inf +.Inf +.INF'],
  [{ tag: '!!float', value: Number.NEGATIVE_INFINITY }, '-.inf -.Inf -.INF'],
]
const onlyV2: readonly (readonly [Resolved, string])[] = [
  [{ tag: '!!bool', value: true }, 'y Y yes Yes YES on On ON'],
  [{ tag: '!!bool', value: false }, 'n N no No NO off Off OFF'],
]

function table(rows: readonly (readonly [Resolved, string])[]): ReadonlyMap<string, Resolved> {
  const words = new Map<string, Resolved>([['', { tag: '!!null', value: null }]])
  for (const [resolved, list] of rows) for (const word of list.split(' ')) words.set(word, resolved)
  return words
}

const wordsV2 = table([...common, ...onlyV2])
const wordsV3 = table(common)

/**
 * The type and value of a scalar without quotes.
 *
 * Source: go.yaml.in/yaml v2.4.3 and v3.0.4 resolve.go
 */
export function resolvePlain(text: string, dialect: YamlDialect): Resolved {
  const first = text.charCodeAt(0)
  if (first >= 0x30 && first <= 0x39) return resolveNumber(text, dialect)
  switch (first) {
    case 0x2b:
    case 0x2d:
    case 0x2e: {
      const word = wordsV3.get(text)
      if (word !== undefined) return word
      return first === 0x2e ? resolveDotted(text) : resolveNumber(text, dialect)
    }
    case 0x7e: // ~
    case 0x6e: // n
    case 0x4e:
    case 0x74: // t
    case 0x54:
    case 0x66: // f
    case 0x46:
    case 0x79: // y
    case 0x59:
    case 0x6f: // o
    case 0x4f:
      if (text.length <= 5) {
        const word = (dialect === 'v2' ? wordsV2 : wordsV3).get(text)
        if (word !== undefined) return word
      }
      break
    default:
      if (text === '') return { tag: '!!null', value: null }
  }
  return { tag: '!!str', value: text }
}

/** Go's ParseFloat takes underscores between digits. */
const dotted = /^\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?$/
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const shortDecimal = /^(?:0|-?[1-9]\d{0,14})$/
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|(0[0-7]*)|([1-9]\d*))$/
const signBehindPrefix = /^0(b|o)([-+])([0-7]+)$/

function resolveDotted(text: string): Resolved {
  return (dotted.test(text) && floatOf(text.replaceAll('_', ''))) || { tag: '!!str', value: text }
}

function resolveNumber(text: string, dialect: YamlDialect): Resolved {
  if (shortDecimal.test(text)) return { tag: '!!int', value: Number(text) }
  const time = parseTimestamp(text)
  if (time !== undefined) return { tag: '!!timestamp', value: time }
  const plain = text.includes('_') ? text.replaceAll('_', '') : text
  return (
    integerOf(plain) ??
    (float.test(plain) ? floatOf(plain) : undefined) ??
    oddIntegerOf(plain, dialect) ?? { tag: '!!str', value: text }
  )
}

/** Go's base-0 integers, in the range of int64, or of uint64 where no sign is written. */
function integerOf(text: string): Resolved | undefined {
  const match = integer.exec(text)
  if (match === null) return undefined
  const [, sign, hex, binary, octal, zero, decimal] = match
  if (hex !== undefined) return intOf('0x', hex, sign!)
  if (binary !== undefined) return intOf('0b', binary, sign!)
  if (decimal !== undefined) return intOf('', decimal, sign!)
  return intOf('0o', octal ?? zero!, sign!)
}

function intOf(prefix: string, digits: string, sign: string): Resolved | undefined {
  const significant = digits.replace(/^0+/, '')
  if (significant.length > 64) return undefined
  const size = significant === '' ? 0n : BigInt(prefix + significant)
  const value = sign === '-' ? -size : size
  if (value < -(2n ** 63n) || value >= 2n ** (sign === '' ? 64n : 63n)) return undefined
  const number = Number(value)
  return { tag: '!!int', value: Number.isSafeInteger(number) ? number : value }
}

/** `0b-101` is -5 to go-yaml, since it hands the sign behind the prefix to a parser that takes one. */
function oddIntegerOf(text: string, dialect: YamlDialect): Resolved | undefined {
  const match = signBehindPrefix.exec(text)
  if (match === null || (match[1] === 'o' && dialect === 'v2')) return undefined
  const digits = match[3]!
  if (match[1] === 'b' && /[2-7]/.test(digits)) return undefined
  return intOf('0' + match[1], digits, match[2]!)
}

/** A number too large for float64 is text in Go. */
function floatOf(text: string): Resolved | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? { tag: '!!float', value } : undefined
}

/** Tags whose text is typed; every other tag leaves a scalar a string. */
const typedTags: ReadonlySet<string> = new Set([
  '!!str',
  '!!bool',
  '!!int',
  '!!float',
  '!!null',
  '!!timestamp',
])

/**
 * The value of a scalar with a tag in short form; `''` lets the text decide.
 *
 * Returns undefined when the text cannot be read as that tag: {@link mismatch} has Go's words for it.
 */
export function resolveTagged(
  tag: string,
  text: string,
  dialect: YamlDialect,
): Resolved | undefined {
  if (tag === '') return resolvePlain(text, dialect)
  if (tag === '!!str' || !typedTags.has(tag)) return { tag: '!!str', value: text }
  const resolved = resolveIgnoring(tag, text, dialect)
  if (resolved.tag === tag) return resolved
  // Parity: uint64 beyond int64 does not convert
  if (tag === '!!float' && resolved.tag === '!!int' && (resolved.value as number) < 2n ** 63n) {
    return { tag, value: Number(resolved.value) }
  }
  return undefined
}

/** A date is one only where no other tag asks for something else. */
function resolveIgnoring(tag: string, text: string, dialect: YamlDialect): Resolved {
  const resolved = resolvePlain(text, dialect)
  return resolved.tag === '!!timestamp' && tag !== '!!timestamp'
    ? { tag: '!!str', value: text }
    : resolved
}

export function mismatch(tag: string, text: string, dialect: YamlDialect): string {
  const found = resolveIgnoring(tag, text, dialect).tag
  return `cannot decode ${found} \`${text}\` as a ${tag}`
}
