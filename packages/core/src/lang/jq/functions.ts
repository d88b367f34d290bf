import { isObject, type Json, parseJson } from '../../json/index.ts'
import {
  bytesToText,
  decodeBase64,
  encodeBase64,
  queryEscape,
  textToBytes,
  trimSpace,
  trimSpaceLeft,
  trimSpaceRight,
} from '../../text/index.ts'
import { dateFunctions } from './dates.ts'
import { listFunctions, valuesOf } from './lists.ts'
import { mathFunctions } from './math.ts'
import type { JqFunction, JqFunctions } from './native.ts'
import { add, splitText } from './operators.ts'
import { cannotApply, deletePaths, occurrences, setPath } from './paths.ts'
import { regexpFunctions } from './regexps.ts'
import {
  codePoints,
  compare,
  described,
  encode,
  isNumber,
  JqError,
  preview,
  sortedKeys,
  toInteger,
  typeOf,
} from './values.ts'

function text(name: string, value: Json, args: readonly Json[] = []): string {
  if (typeof value !== 'string') throw cannotApply(name, args, value)
  return value
}

/** A function of two texts, the input and an argument. */
const ofTexts =
  (name: string, run: (value: string, argument: string) => Json): JqFunction =>
  (value, [argument]) =>
    run(text(name, value, [argument!]), text2(name, value, argument!))

function text2(name: string, value: Json, argument: Json): string {
  if (typeof argument !== 'string') throw cannotApply(name, [argument], value)
  return argument
}

const ofText =
  (name: string, run: (value: string) => Json): JqFunction =>
  (value) =>
    run(text(name, value))

export function asText(value: Json): string {
  return typeof value === 'string' ? value : encode(value)
}

function length(value: Json): Json {
  if (value === null) return 0
  if (typeof value === 'string') return codePoints(value).length
  if (typeof value === 'bigint') return value < 0n ? -value : value
  if (typeof value === 'number') return Math.abs(value)
  if (Array.isArray(value)) return value.length
  if (isObject(value)) return Object.keys(value).length
  throw cannotApply('length', [], value)
}

function keys(value: Json): Json {
  if (Array.isArray(value)) return value.map((_: Json, i: number) => i)
  if (isObject(value)) return sortedKeys(value)
  throw cannotApply('keys', [], value)
}

function has(value: Json, key: Json): Json {
  if (Array.isArray(value) && isNumber(key)) {
    const index = toInteger(key)!
    return index >= 0 && index < value.length
  }
  if (isObject(value) && typeof key === 'string') return Object.hasOwn(value, key)
  if (value === null) return false
  throw cannotApply('has', [key], value)
}

function sum(value: Json, charge: (amount: number) => void): Json {
  const items = valuesOf(value)
  if (items === undefined) throw cannotApply('add', [], value)
  return total(items, charge)
}

function total(items: readonly Json[], charge: (amount: number) => void): Json {
  if (items.length > 1 && items.every((item) => typeof item === 'string')) return items.join('')
  if (items.length > 1 && items.every((item) => Array.isArray(item))) return items.flat(1)
  return items.reduce<Json>((left, right) => {
    if (Array.isArray(left)) charge(left.length)
    else if (isObject(left)) charge(Object.keys(left).length)
    return add(left, right)
  }, null)
}

function contains(value: Json, part: Json): boolean {
  if (isNumber(value) && isNumber(part)) return compare(value, part) === 0
  if (typeof value === 'string' && typeof part === 'string') return value.includes(part)
  if (Array.isArray(value) && Array.isArray(part)) {
    return part.every((wanted: Json) => value.some((item: Json) => holds(item, wanted)))
  }
  if (isObject(value) && isObject(part)) {
    return Object.keys(part).every(
      (key) => Object.hasOwn(value, key) && holds(value[key] as Json, part[key] as Json),
    )
  }
  if (value === part) return true
  throw cannotApply('contains', [part], value)
}

/** Inside containers, values of different types merely do not contain each other. */
function holds(value: Json, part: Json): boolean {
  try {
    return contains(value, part)
  } catch (error) {
    if (error instanceof JqError) return false
    throw error
  }
}

/** Positions of an argument in a list or a text, handed to `pick`. */
const positions =
  (name: string, pick: (found: readonly number[]) => Json): JqFunction =>
  (value, [argument]) => {
    if (value === null) return null
    if (Array.isArray(value)) {
      return pick(occurrences(value, Array.isArray(argument) ? argument : [argument as Json]))
    }
    if (typeof value !== 'string' || typeof argument !== 'string') {
      throw cannotApply(name, [argument!], value)
    }
    return pick(occurrences(codePoints(value), codePoints(argument)))
  }

function toNumber(value: Json): Json {
  if (isNumber(value)) return value
  if (typeof value !== 'string') throw cannotApply('tonumber', [], value)
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(value)) {
    throw new JqError(`tonumber cannot be applied to ${preview(value)}: invalid number`)
  }
  if (!/^[-+]?\d+$/.test(value)) return Number(value)
  const big = BigInt(value.replace('+', ''))
  return Number.isSafeInteger(Number(big)) ? Number(big) : big
}

function toBoolean(value: Json): Json {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  if (typeof value !== 'string') throw cannotApply('toboolean', [], value)
  throw new JqError(`toboolean cannot be applied to ${preview(value)}: invalid boolean`)
}

function implode(value: Json): Json {
  if (!Array.isArray(value)) throw cannotApply('implode', [], value)
  return value
    .map((item: Json) => {
      const code = toInteger(item)
      if (code === undefined) throw cannotApply('implode', [], value)
      const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      return String.fromCodePoint(valid ? code : 0xfffd)
    })
    .join('')
}

function join(value: Json, separator: Json, charge: (amount: number) => void): Json {
  const items = valuesOf(value)
  if (items === undefined) throw cannotApply('join', [separator], value)
  if (items.length === 0) return ''
  const shown = items.flatMap((item, i): readonly Json[] => [
    i === 0 ? '' : separator,
    isNumber(item) || typeof item === 'boolean' ? encode(item) : item,
  ])
  return total(
    shown.filter((item) => item !== null),
    charge,
  )
}

function fromJson(value: Json): Json {
  const source = text('fromjson', value)
  return parseJson(source, ({ message }) => {
    const words = message === 'unexpected end of JSON input' ? 'unexpected EOF' : message
    throw new JqError(`fromjson cannot be applied to ${preview(value)}: ${words}`)
  })
}

function raise(value: Json): never {
  throw new JqError(`error: ${asText(value)}`, value)
}

const ascii = (from: RegExp, change: (char: string) => string) => (value: string) =>
  value.replace(from, change)

export const functions: JqFunctions = {
  ...listFunctions,
  ...mathFunctions,
  ...regexpFunctions,
  ...dateFunctions,
  'length/0': (value) => length(value),
  'utf8bytelength/0': ofText('utf8bytelength', (value) => textToBytes(value).length),
  'keys/0': (value) => keys(value),
  'has/1': (value, [key]) => has(value, key!),
  'add/0': (value, _args, charge) => sum(value, charge),
  'toboolean/0': toBoolean,
  'tonumber/0': toNumber,
  'tostring/0': asText,
  'type/0': typeOf,
  'contains/1': (value, [part]) => contains(value, part!),
  'inside/1': (value, [whole]) => contains(whole!, value),
  'indices/1': positions('indices', (found) => [...found]),
  'index/1': positions('index', (found) => found[0] ?? null),
  'rindex/1': positions('rindex', (found) => found.at(-1) ?? null),
  'startswith/1': ofTexts('startswith', (value, start) => value.startsWith(start)),
  'endswith/1': ofTexts('endswith', (value, end) => value.endsWith(end)),
  'ltrimstr/1': ofTexts('ltrimstr', (value, start) => withoutStart(value, start)),
  'rtrimstr/1': ofTexts('rtrimstr', (value, end) => withoutEnd(value, end)),
  'trimstr/1': ofTexts('trimstr', (value, both) => withoutEnd(withoutStart(value, both), both)),
  'ltrim/0': ofText('ltrim', trimSpaceLeft),
  'rtrim/0': ofText('rtrim', trimSpaceRight),
  'trim/0': ofText('trim', trimSpace),
  'explode/0': ofText('explode', (value) => codePoints(value).map((char) => char.codePointAt(0)!)),
  'implode/0': implode,
  'split/1': (value, [separator]) => {
    const whole = text('split', value)
    const by = text('split', separator!)
    return whole === '' && by !== '' ? [''] : splitText(whole, by)
  },
  'join/1': (value, [separator], charge) => join(value, separator!, charge),
  'ascii_downcase/0': ofText(
    'ascii_downcase',
    ascii(/[A-Z]/g, (char) => char.toLowerCase()),
  ),
  'ascii_upcase/0': ofText(
    'ascii_upcase',
    ascii(/[a-z]/g, (char) => char.toUpperCase()),
  ),
  'tojson/0': encode,
  'fromjson/0': fromJson,
  'format/1': (value, [name], charge) => {
    const run = Object.hasOwn(formats, `@${text('format', name!)}`)
      ? formats[`@${name}`]
      : undefined
    if (run === undefined) throw new JqError(`format not defined: @${name}`)
    return run(value, [], charge)
  },
  'setpath/2': (value, [path, leaf], charge) => {
    charge(sizeOf(value))
    return setPath(value, path!, leaf!)
  },
  'delpaths/1': (value, [paths], charge) => {
    if (Array.isArray(paths)) charge(paths.length + sizeOf(value))
    return deletePaths(value, paths!)
  },
  ' modified/2': (found, [state, path], charge) => {
    const [whole, gone] = state as unknown as readonly [Json, readonly Json[]]
    charge(sizeOf(whole))
    const [change] = found as readonly Json[]
    return change === undefined
      ? [whole, [...gone, path!]]
      : [setPath(whole, path!, change), gone as Json]
  },
  ' entries/0': (value) => {
    const names = keys(value) as readonly Json[]
    return names.map((key) => ({ key, value: (value as { [key: string]: Json })[key as string]! }))
  },
  'error/0': (value) => raise(value),
  'error/1': (_value, [argument]) => raise(argument!),
  'halt/0': () => {
    throw new JqError('halt error: null', null)
  },
  'halt_error/0': (value) => {
    throw new JqError(`halt error: ${asText(value)}`, value)
  },
  'halt_error/1': (value, [code]) => {
    if (!isNumber(code!)) throw cannotApply('halt_error', [], code!)
    throw new JqError(`halt error: ${asText(value)}`, value)
  },
}

/** How many items are copied when one is changed. */
function sizeOf(value: Json): number {
  return Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0
}

function withoutStart(value: string, start: string): string {
  return value.startsWith(start) ? value.slice(start.length) : value
}

function withoutEnd(value: string, end: string): string {
  return end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value
}

/** The rows of `@csv`, `@tsv` and `@sh`. */
const row =
  (name: string, separator: string, quote: (value: string) => string): JqFunction =>
  (value) => {
    const items = name === 'sh' && !Array.isArray(value) ? [value] : value
    if (!Array.isArray(items)) throw cannotApply(`@${name}`, [], value)
    return items
      .map((item: Json) => {
        if (typeof item === 'object' && item !== null) {
          throw new JqError(`@${name} cannot format an array including: ${described(item)}`)
        }
        if (typeof item === 'string') return quote(item)
        const shown = encode(item)
        return shown === 'null' && name !== 'sh' ? '' : shown
      })
      .join(separator)
  }

function replacing(map: { readonly [char: string]: string }): (value: string) => string {
  const escaped = Object.keys(map).map((char) => char.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const any = new RegExp(escaped.join('|'), 'g')
  return (value) => value.replace(any, (char) => map[char]!)
}

const html = replacing({ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' })
const csv = replacing({ '"': '""', '\0': '\\0' })
const tsv = replacing({ '\t': '\\t', '\r': '\\r', '\n': '\\n', '\\': '\\\\', '\0': '\\0' })
const shell = replacing({ "'": "'\\''", '\0': '\\0' })

function unescapeUri(value: Json): Json {
  const source = asText(value)
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(source)
  if (broken !== null) {
    throw new JqError(
      `@urid cannot be applied to ${preview(value)}: invalid URL escape ${JSON.stringify(broken[0])}`,
    )
  }
  const bytes: number[] = []
  for (const part of source.split(/(%[0-9a-fA-F]{2})/)) {
    if (/^%[0-9a-fA-F]{2}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...textToBytes(part))
  }
  return bytesToText(Uint8Array.from(bytes))
}

function fromBase64(value: Json): Json {
  const source = asText(value).replace(/=.*$/s, '')
  const padded = source + '='.repeat((4 - (source.replace(/[\r\n]/g, '').length % 4)) % 4)
  const decoded = decodeBase64(textToBytes(padded))
  if (decoded instanceof Uint8Array) return bytesToText(decoded)
  throw new JqError(
    `@base64d cannot be applied to ${preview(value)}: illegal base64 data at input byte ${decoded.errorAt}`,
  )
}

/** What stands for `@name`, alone and in `@name "…"`. */
export const formats: JqFunctions = {
  '@text': asText,
  '@json': encode,
  '@html': (value) => html(asText(value)),
  '@uri': (value) => queryEscape(asText(value)).replaceAll('+', '%20'),
  '@urid': unescapeUri,
  '@csv': row('csv', ',', (value) => `"${csv(value)}"`),
  '@tsv': row('tsv', '\t', tsv),
  '@sh': row('sh', ' ', (value) => `'${shell(value)}'`),
  '@base64': (value) => encodeBase64(textToBytes(asText(value))),
  '@base64d': fromBase64,
}

/** Functions with several outputs. */
export const generators: {
  readonly [signature: string]: (value: Json, args: readonly Json[]) => Iterator<Json>
} = {
  ' range/3': (_value, args) => {
    for (const argument of args) if (!isNumber(argument)) throw cannotApply('range', [], argument)
    return range(args[0]!, args[1]!, args[2]!)
  },
}

function* range(from: Json, to: Json, step: Json): Generator<Json> {
  const direction = Math.sign(compare(step, 0))
  for (let value = from; direction * Math.sign(compare(value, to)) < 0; value = add(value, step)) {
    yield value
  }
}
