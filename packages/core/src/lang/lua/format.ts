import { fromBytes, toBytes } from './convert.ts'
import type { Machine } from './machine.ts'
import { type LuaValue, numberText, parseNumber } from './values.ts'

// gopher-lua hands string.format to Go: the verbs, the flags and the complaints are those of Go's Sprintf.

interface Flags {
  readonly minus: boolean
  readonly plus: boolean
  readonly sharp: boolean
  readonly space: boolean
  readonly zero: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

const directive = /%([-+# 0]*)(\d*)(?:\.(\d*))?([\s\S]?)/g
const widest = 1_000_000

/**
 * `string.format`. An argument that is missing or of a wrong type shows in the text (`%!d(string=x)`); it is no error.
 * What is neither text nor number stands there as `tostring` has it.
 */
export function formatText(machine: Machine, format: string, values: readonly LuaValue[]): string {
  let next = 0
  return format.replace(
    directive,
    (_, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%'
      if (verb === '') return '%!(NOVERB)'
      if (next >= values.length) return `%!${verb}(MISSING)`
      const given: Flags = {
        minus: flags.includes('-'),
        plus: flags.includes('+'),
        sharp: flags.includes('#'),
        space: flags.includes(' '),
        zero: flags.includes('0') && !flags.includes('-'),
        width: width === '' ? undefined : Math.min(Number(width), widest),
        precision: precision === undefined ? undefined : Math.min(Number(precision), widest),
      }
      machine.allocate((given.width ?? 0) + (given.precision ?? 0))
      return one(machine, values[next++], verb, given)
    },
  )
}

function one(machine: Machine, value: LuaValue, verb: string, flags: Flags): string {
  if (typeof value === 'number') return formatNumber(value, verb, flags)
  const text = machine.text(value)
  const asText = 'sqvxX'.includes(verb)
  if (value === undefined && !asText) return '&{}'
  if (typeof value === 'boolean' && !asText) {
    const plain = padded(text, flags)
    return verb === 't' ? plain : `%!${verb}(lua.LBool=${plain})`
  }
  if (typeof value === 'string' && 'di'.includes(verb)) {
    return parseNumber(text) === undefined
      ? formatInteger(0, 'd', flags)
      : formatString(text, 's', flags)
  }
  return formatString(text, verb, flags)
}

function formatNumber(value: number, verb: string, flags: Flags): string {
  if ('qs'.includes(verb)) return formatString(numberText(value), verb, flags)
  if ('bcdoxXU'.includes(verb)) return formatInteger(value, verb, flags)
  if (verb === 'i') return formatInteger(value, 'd', flags)
  if ('eEfFgG'.includes(verb)) return formatFloat(value, verb, flags)
  const isInteger = Number.isInteger(value) && Math.abs(value) < 2 ** 63
  if (verb === 'v')
    return isInteger ? formatInteger(value, 'd', flags) : formatFloat(value, 'g', flags)
  return isInteger
    ? `%!${verb}(int64=${formatInteger(value, 'd', flags)})`
    : `%!${verb}(float64=${formatFloat(value, 'g', flags)})`
}

/** What does not fit into 64 bits becomes the least integer, as on the usual machines. */
function toInt64(value: number): bigint {
  const whole = Math.trunc(value)
  const fits = whole >= -(2 ** 63) && whole < 2 ** 63
  return fits ? BigInt(whole) : -(2n ** 63n)
}

const radixes: { readonly [verb: string]: number } = { b: 2, d: 10, o: 8, x: 16, X: 16 }
const prefixes: { readonly [verb: string]: string } = { b: '0b', o: '0', x: '0x', X: '0X' }

function formatInteger(value: number, verb: string, flags: Flags): string {
  const integer = toInt64(value)
  if (verb === 'c') return padded(character(integer), flags)
  if (verb === 'U') {
    const digits = BigInt.asUintN(64, integer).toString(16).toUpperCase()
    return padded(`U+${digits.padStart(Math.max(4, flags.precision ?? 4), '0')}`, {
      ...flags,
      zero: false,
    })
  }
  const isNegative = integer < 0n
  let digits = (isNegative ? -integer : integer).toString(radixes[verb])
  if (verb === 'X') digits = digits.toUpperCase()
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  if (flags.precision === 0 && integer === 0n) return ' '.repeat(flags.width ?? 0)
  let prefix = flags.sharp ? (prefixes[verb] ?? '') : ''
  let least = flags.precision ?? 0
  if (flags.precision === undefined && flags.zero && flags.width !== undefined) {
    least = flags.width - (sign === '' ? 0 : 1)
  }
  digits = digits.padStart(least, '0')
  if (verb === 'o' && digits.startsWith('0')) prefix = ''
  return padded(sign + prefix + digits, { ...flags, zero: false })
}

function character(code: bigint): string {
  const isRune = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn)
  return toBytes(String.fromCodePoint(isRune ? Number(code) : 0xfffd))
}

function formatFloat(value: number, verb: string, flags: Flags): string {
  const lower = verb.toLowerCase()
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  if (!Number.isFinite(value)) {
    const infinite = sign === '' ? '+Inf' : `${sign}Inf`
    const text = Number.isNaN(value) ? `${flags.plus ? '+' : flags.space ? ' ' : ''}NaN` : infinite
    return padded(text, { ...flags, zero: false })
  }
  const magnitude = Math.abs(value)
  let digits =
    lower === 'f'
      ? fixed(magnitude, flags.precision ?? 6)
      : lower === 'e'
        ? exponential(magnitude, flags.precision ?? 6)
        : general(magnitude, flags.precision, flags.sharp)
  if (flags.sharp && lower !== 'g' && !digits.includes('.')) {
    digits = digits.replace(/^(\d+)/, '$1.')
  }
  if (verb !== lower) digits = digits.toUpperCase()
  if (flags.zero && flags.width !== undefined && sign.length + digits.length < flags.width) {
    return sign + digits.padStart(flags.width - sign.length, '0')
  }
  return padded(sign + digits, { ...flags, zero: false })
}

/** Digits of a double, exactly: JavaScript stops at 100 of them and at 1e21. */
function fixed(value: number, digits: number): string {
  if (value >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  return digits <= 100 ? value.toFixed(digits) : value.toFixed(100) + '0'.repeat(digits - 100)
}

function exponential(value: number, digits: number): string {
  const text = value.toExponential(Math.min(digits, 100))
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

function general(value: number, precision: number | undefined, keepsZeros: boolean): string {
  const wanted = precision ?? (keepsZeros ? 6 : undefined)
  const digits = wanted === undefined ? undefined : Math.max(1, wanted)
  const [mantissa, power] = (
    digits === undefined ? value.toExponential() : value.toExponential(Math.min(digits - 1, 100))
  ).split('e') as [string, string]
  const exponent = Number(power)
  // without a precision Go takes six to decide, and the digits that there are
  const all = mantissa.replace('.', '').length
  const shortest = digits === undefined
  const least = shortest ? 6 : Math.max(all > digits && all >= exponent + 1 ? all : digits, 1)
  const trim = (text: string): string =>
    keepsZeros || !text.includes('.') ? text : text.replace(/\.?0+$/, '')
  if (exponent < -4 || exponent >= least) {
    const size = power.slice(1).padStart(2, '0')
    return `${trim(mantissa)}e${power.startsWith('-') ? '-' : '+'}${size}`
  }
  const places = Math.max(0, (shortest ? all : digits) - 1 - exponent)
  const plain = trim(value.toFixed(Math.min(100, places)))
  return keepsZeros && !plain.includes('.') ? `${plain}.` : plain
}

function formatString(text: string, verb: string, flags: Flags): string {
  const cut = flags.precision === undefined ? text : firstRunes(text, flags.precision)
  switch (verb) {
    case 's':
    case 'v':
      return padded(cut, flags)
    case 'q':
      return padded(quoted(cut, flags), flags)
    case 'x':
    case 'X':
      return padded(hexadecimal(text, verb, flags), flags)
    default:
      return `%!${verb}(string=${padded(cut, flags)})`
  }
}

function firstRunes(text: string, count: number): string {
  return toBytes([...fromBytes(text)].slice(0, count).join(''))
}

const escapes: { readonly [char: string]: string } = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

/** As Go's strconv.Quote, or between backquotes where that is asked for and possible. */
function quoted(text: string, { sharp, plus }: Flags): string {
  const runes = [...fromBytes(text)]
  if (
    sharp &&
    runes.every((char) => char === '\t' || (char >= ' ' && char !== '`' && char !== '\x7f'))
  ) {
    return `\`${text}\``
  }
  const parts = runes.map((char) => {
    const code = char.codePointAt(0)!
    const known = escapes[char]
    if (known !== undefined) return known
    if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
    if (plus && code > 0x7e) {
      return code > 0xffff
        ? `\\U${code.toString(16).padStart(8, '0')}`
        : `\\u${code.toString(16).padStart(4, '0')}`
    }
    return toBytes(char)
  })
  return `"${parts.join('')}"`
}

function hexadecimal(text: string, verb: 'x' | 'X', flags: Flags): string {
  const bytes = flags.precision === undefined ? text : text.slice(0, flags.precision)
  if (bytes === '') return ''
  const prefix = flags.sharp ? `0${verb}` : ''
  const pairs = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'))
  const cased = verb === 'X' ? pairs.map((pair) => pair.toUpperCase()) : pairs
  return flags.space ? cased.map((pair) => prefix + pair).join(' ') : prefix + cased.join('')
}

function padded(text: string, { minus, zero, width }: Flags): string {
  if (width === undefined) return text
  const missing = width - [...fromBytes(text)].length
  if (missing <= 0) return text
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text
}
