import { log, pow } from '../go-math.ts'
import { numberText } from '../numbers.ts'
import { checkNumber, modulo } from '../operators.ts'
import type { Caller } from '../site.ts'

export interface FormatFlags {
  readonly alternate: boolean
  readonly zero: boolean
  readonly left: boolean
  readonly blank: boolean
  readonly plus: boolean
}

function sign(negative: boolean, flags: FormatFlags): string {
  return negative ? '-' : flags.plus ? '+' : flags.blank ? ' ' : ''
}

function zeroPad(text: string, width: number): string {
  const missing = Math.ceil(width - text.length)
  return missing > 0 ? '0'.repeat(missing) + text : text
}

/** A whole number in a radix; digits come from arithmetic on doubles, as in the original. */
export function renderInteger(
  negative: boolean,
  magnitude: number,
  minChars: number,
  minDigits: number,
  flags: FormatFlags,
  radix: number,
  prefix: string,
): string {
  let digits = magnitude === 0 ? '0' : ''
  for (let n = magnitude; n !== 0; n = Math.floor(n / radix)) {
    digits = numberText(n % radix) + digits
  }
  if (magnitude !== 0) digits = prefix + digits
  const room = minChars - (negative || flags.blank || flags.plus ? 1 : 0)
  return sign(negative, flags) + zeroPad(digits, Math.max(room, minDigits))
}

export function renderHex(
  value: number,
  minChars: number,
  minDigits: number,
  flags: FormatFlags,
  capitals: boolean,
): string {
  const numerals = capitals ? '0123456789ABCDEF' : '0123456789abcdef'
  let digits = ''
  for (let n = Math.floor(Math.abs(value)); n !== 0; n = Math.floor(n / 16)) {
    digits = numerals[n % 16]! + digits
  }
  const negative = value < 0
  const marks = (negative || flags.blank || flags.plus ? 1 : 0) + (flags.alternate ? 2 : 0)
  const prefix = flags.alternate ? (capitals ? '0X' : '0x') : ''
  const padded = zeroPad(digits === '' ? '0' : digits, Math.max(minChars - marks, minDigits))
  return sign(negative, flags) + prefix + padded
}

const bare: FormatFlags = { alternate: false, zero: false, left: false, blank: false, plus: false }

/** Decimal form, rounded half up in doubles. */
export function renderDecimal(
  value: number,
  zeros: number,
  flags: FormatFlags,
  point: boolean,
  trailing: boolean,
  precision: number,
  caller: Caller,
): string {
  const magnitude = Math.abs(value)
  const denominator = checkNumber(pow(10, precision), caller)
  const numerator = checkNumber(magnitude * denominator + 0.5, caller)
  const whole = magnitude === 0 ? 0 : Math.floor(checkNumber(numerator / denominator, caller))
  const fraction = modulo(Math.floor(numerator), denominator, caller)
  const dot = precision === 0 && !point ? 0 : 1
  const text = renderInteger(value < 0, whole, zeros - precision - dot, 0, flags, 10, '')
  if (precision === 0) return text + (point ? '.' : '')
  if (!trailing && !(fraction > 0)) return text
  const digits = renderInteger(false, fraction, precision, 0, bare, 10, '')
  return text + '.' + (trailing ? digits : digits.replace(/0+$/, ''))
}

const signed: FormatFlags = { ...bare, plus: true }

export function renderScientific(
  value: number,
  zeros: number,
  flags: FormatFlags,
  trailing: boolean,
  capitals: boolean,
  precision: number,
  caller: Caller,
): string {
  const exponent = value === 0 ? 0 : Math.floor(log(Math.abs(value)) / log(10))
  const tail =
    (capitals ? 'E' : 'e') + renderInteger(exponent < 0, Math.abs(exponent), 3, 0, signed, 10, '')
  // 10 to the power -324 is 0 in doubles
  const mantissa =
    exponent === -324 ? (value * 10) / pow(10, exponent + 1) : value / pow(10, exponent)
  const room = zeros - tail.length
  return renderDecimal(mantissa, room, flags, flags.alternate, trailing, precision, caller) + tail
}
