/** Decimal digits of a finite number without its sign: 0.`digits` × 10^`point`. */
interface Decimal {
  readonly digits: string
  readonly point: number
}

function shortest(value: number): Decimal {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  if (value === 0) return { digits: '', point: 0 }
  return { digits, point: Number(exponent) + 1 }
}

const buffer = new DataView(new ArrayBuffer(8))

/** Mantissa and power of two of a positive finite number: value = mantissa × 2^exponent. */
function parts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  buffer.setFloat64(0, value)
  const bits = buffer.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 }
}

/** All decimal digits; exact, since every double is a finite decimal. */
function exact(value: number): Decimal {
  if (value === 0) return { digits: '', point: 0 }
  const { mantissa, exponent } = parts(value)
  if (exponent >= 0) {
    const text = (mantissa << BigInt(exponent)).toString()
    return { digits: text, point: text.length }
  }
  const text = (mantissa * 5n ** BigInt(-exponent)).toString()
  return { digits: text, point: text.length + exponent }
}

/** Keeps `count` digits, rounding half to even on the exact value as strconv does. */
function round(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal
  if (count >= digits.length) return decimal
  if (count < 0) return { digits: '', point: 0 }
  const next = digits[count]!
  const rest = /[1-9]/.test(digits.slice(count + 1))
  const odd = count > 0 && (digits.charCodeAt(count - 1) - 48) % 2 === 1
  const up = next > '5' || (next === '5' && (rest || odd))
  const kept = digits.slice(0, count)
  if (!up) return { digits: kept.replace(/0+$/, ''), point }
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString().padStart(count, '0')
  return raised.length > count
    ? { digits: raised.slice(0, -1).replace(/0+$/, '') || '1', point: point + 1 }
    : { digits: raised.replace(/0+$/, ''), point }
}

/**
 * strconv.FormatFloat for 64-bit values. `precision` -1 asks for the shortest text that reads back as the same number.
 * Formats: `e` `E` `f` `g` `G` `x` `X` `b`.
 */
export function formatFloat(value: number, format: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const magnitude = Math.abs(value)
  switch (format) {
    case 'e':
    case 'E':
      return sign + exponential(pick(magnitude, precision, precision + 1), precision, format)
    case 'f':
      return sign + fixed(fixedDigits(magnitude, precision), precision)
    case 'g':
    case 'G':
      return sign + general(magnitude, precision, format)
    case 'x':
    case 'X':
      return sign + hexadecimal(magnitude, precision, format)
    case 'b': {
      const { mantissa, exponent } = parts(magnitude)
      return `${sign}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
    }
    default:
      return '%' + format
  }
}

function pick(value: number, precision: number, digits: number): Decimal {
  return precision < 0 ? shortest(value) : round(exact(value), digits)
}

function fixedDigits(value: number, precision: number): Decimal {
  if (precision < 0) return shortest(value)
  const all = exact(value)
  return round(all, all.point + precision)
}

function exponential(decimal: Decimal, precision: number, letter: string): string {
  const { digits } = decimal
  const fraction =
    precision < 0 ? digits.slice(1) : digits.slice(1, precision + 1).padEnd(precision, '0')
  const exponent = digits === '' ? 0 : decimal.point - 1
  return (
    (digits[0] ?? '0') + (fraction === '' ? '' : '.' + fraction) + letter + exponentText(exponent)
  )
}

function exponentText(exponent: number): string {
  const text = String(Math.abs(exponent))
  return (exponent < 0 ? '-' : '+') + text.padStart(2, '0')
}

function fixed(decimal: Decimal, precision: number): string {
  const { digits, point } = decimal
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  let fraction = point < 0 ? '0'.repeat(-point) + digits : digits.slice(Math.max(point, 0))
  fraction = precision < 0 ? fraction : fraction.slice(0, precision).padEnd(precision, '0')
  return fraction === '' ? whole : whole + '.' + fraction
}

function general(value: number, precision: number, format: string): string {
  const wanted = precision === 0 ? 1 : precision
  const picked = pick(value, wanted, wanted)
  const decimal = { ...picked, digits: picked.digits.replace(/0+$/, '') }
  const { digits, point } = decimal
  let limit = precision < 0 ? 6 : wanted
  if (precision >= 0 && limit > digits.length && digits.length >= point) limit = digits.length
  if (precision < 0) limit = 6
  const exponent = point - 1
  if (digits !== '' && (exponent < -4 || exponent >= limit)) {
    return exponential(decimal, -1, format === 'g' ? 'e' : 'E')
  }
  return fixed(decimal, -1)
}

function hexadecimal(value: number, precision: number, format: string): string {
  let { mantissa, exponent } = parts(value)
  let power = 0
  if (mantissa === 0n) exponent = 0
  else {
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n
      exponent--
    }
    power = exponent + 52
  }
  let shown = mantissa
  if (precision >= 0 && precision < 13) {
    const cut = BigInt(4 * (13 - precision))
    const extra = shown & ((1n << cut) - 1n)
    shown >>= cut
    const half = 1n << (cut - 1n)
    if (extra > half || (extra === half && (shown & 1n) === 1n)) shown++
    shown <<= cut
    if (shown >= 1n << 53n) {
      shown >>= 1n
      power++
    }
  }
  const lead = (shown >> 52n).toString()
  let fraction = (shown & ((1n << 52n) - 1n)).toString(16).padStart(13, '0')
  fraction =
    precision < 0
      ? fraction.replace(/0+$/, '')
      : fraction.slice(0, precision).padEnd(precision, '0')
  const text = `0x${lead}${fraction === '' ? '' : '.' + fraction}p${exponentText(power)}`
  return format === 'X' ? text.toUpperCase() : text
}

/** `%v` of a float64: shortest digits, exponent form below 1e-4 and from 1e6 on (`1e+06`). */
export function floatText(value: number): string {
  if (Number.isInteger(value) && value > -1_000_000 && value < 1_000_000) {
    return Object.is(value, -0) ? '-0' : String(value)
  }
  return formatFloat(value, 'g', -1)
}

/** Why a text is no number: its form, or a value that does not fit. */
export type NumberIssue = 'syntax' | 'range'

const intSyntax = /^([+-]?)(0[xX]|0[oO]|0[bB]|0)?([0-9a-zA-Z_]*)$/

/**
 * strconv.ParseInt (or ParseUint with `unsigned`) for 64 bits. Base 0 reads prefixes, underscores and a leading zero
 * as octal.
 */
export function parseGoInt(
  text: string,
  base: number,
  options: { readonly unsigned?: boolean } = {},
): bigint | NumberIssue {
  const unsigned = options.unsigned ?? false
  let digits = text
  let negative = false
  if (!unsigned && (digits[0] === '+' || digits[0] === '-')) {
    negative = digits[0] === '-'
    digits = digits.slice(1)
  }
  let radix = base
  if (base === 0) {
    const match = intSyntax.exec(digits)
    if (match === null || match[1] !== '') return 'syntax'
    const prefix = (match[2] ?? '').toLowerCase()
    if (!underscoresOk(digits)) return 'syntax'
    radix = prefix === '0x' ? 16 : prefix === '0b' ? 2 : prefix === '' ? 10 : 8
    digits = match[3]!.replaceAll('_', '')
    if (prefix === '0' && digits === '') digits = '0'
  }
  if (digits === '') return 'syntax'
  // no number of so many digits fits, and reading them would take long
  const significant = digits.replace(/^0+/, '')
  if (significant.length > 100) {
    for (const char of significant) if (digitValue(char) >= radix) return 'syntax'
    return 'range'
  }
  let value = 0n
  const big = BigInt(radix)
  for (const char of significant) {
    const digit = digitValue(char)
    if (digit >= radix) return 'syntax'
    value = value * big + BigInt(digit)
    if (value > 1n << 70n) value = 1n << 70n
  }
  if (unsigned) return value < 1n << 64n ? value : 'range'
  if (negative) return value <= 1n << 63n ? -value : 'range'
  return value < 1n << 63n ? value : 'range'
}

function digitValue(char: string): number {
  const code = char.charCodeAt(0)
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 122 && char.length === 1 ? lower - 87 : 99
}

/** Underscores only between digits, or between a base prefix and a digit. */
function underscoresOk(text: string): boolean {
  if (!text.includes('_')) return true
  const body = text.replace(/^0[xXoObB]?/, (prefix) => (prefix.length === 2 ? '' : prefix))
  const prefixed = body.length !== text.length
  const check = prefixed && body.startsWith('_') ? body.slice(1) : body
  return !/^_|__|_$/.test(check)
}

const decimalFloat = /^[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][+-]?\d[\d_]*)?$/
const hexFloat = /^([+-]?)0[xX]([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?\d+)$/

/** strconv.ParseFloat for 64 bits; an overflow is 'range'. */
export function parseGoFloat(text: string): number | NumberIssue {
  if (decimalFloat.test(text)) {
    if (/_(?!\d)|(?<!\d)_/.test(text)) return 'syntax'
    const value = Number(text.replaceAll('_', ''))
    return Number.isFinite(value) ? value : 'range'
  }
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text)
  if (word !== null) {
    if (word[2]!.toLowerCase() === 'nan') return word[1] === '' ? Number.NaN : 'syntax'
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const hex = hexFloat.exec(text)
  if (
    hex === null ||
    hex[2]! + hex[3]! === '' ||
    !underscoresOk(
      text
        .replace(/^[+-]/, '')
        .replace(/[pP].*/, '')
        .replace('.', ''),
    )
  )
    return 'syntax'
  const whole = hex[2]!.replaceAll('_', '')
  const fraction = hex[3]!.replaceAll('_', '')
  const mantissa = BigInt('0x' + (whole + fraction || '0'))
  const value = scale(mantissa, Number(hex[4]) - 4 * fraction.length)
  if (!Number.isFinite(value)) return 'range'
  return hex[1] === '-' ? -value : value
}

/** mantissa × 2^exponent, rounded once to the nearest double. */
function scale(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0
  const bits = mantissa.toString(2).length
  const top = bits + exponent
  if (top > 1024) return Number.POSITIVE_INFINITY
  if (top < -1080) return 0
  const keep = Math.min(53, top + 1074)
  const drop = bits - keep
  let kept = mantissa
  let power = exponent
  if (drop > 0) {
    const cut = BigInt(drop)
    const extra = mantissa & ((1n << cut) - 1n)
    const half = 1n << (cut - 1n)
    kept = mantissa >> cut
    if (extra > half || (extra === half && (kept & 1n) === 1n)) kept++
    power += drop
  }
  const first = Math.max(-1000, Math.min(900, power))
  return Number(kept) * 2 ** first * 2 ** (power - first)
}
