// How a quantity ends, and what that multiplies it with.
const decimalExponents: { readonly [suffix: string]: number } = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const binaryExponents: { readonly [suffix: string]: number } = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
}
const decimalSuffixes = new Map(Object.entries(decimalExponents).map(([s, e]) => [e, s]))
const binarySuffixes = new Map(Object.entries(binaryExponents).map(([s, e]) => [e, s]))

const pattern = /^([+-]?)(\d*)(?:(\.)(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/
const maxInt64 = 2n ** 63n - 1n
const maxLength = 10_000

type Format = 'decimal' | 'binary' | 'exponent'

/**
 * A resource quantity in the form in which Kubernetes prints it: `0.5` is `500m`, `1024Mi` is `1Gi`, `1000M` is `1G`.
 * The family of the suffix (decimal, binary, exponent) stays; the largest suffix without a fraction is taken. Text that
 * Kubernetes counts as canonical already is kept to the letter (`1.500`, `+5`), and more than nano precision is rounded
 * up. Undefined when it is no quantity.
 *
 * Source: k8s.io/apimachinery v0.36.1 pkg/api/resource
 */
export function canonicalQuantity(text: string): string | undefined {
  const known = cache.get(text)
  if (known !== undefined) return known
  if (text.length === 0 || text.length > maxLength) return undefined
  const result = canonical(text)
  if (result !== undefined && text.length < 32) {
    if (cache.size > 5_000) cache.clear()
    cache.set(text, result)
  }
  return result
}

const cache = new Map<string, string>()

function canonical(text: string): string | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign, leading, , fraction = '', suffix] = match as unknown as [
    string,
    string,
    string,
    string | undefined,
    string | undefined,
    string,
  ]
  const whole = leading.replace(/^0+/, '') || '0'
  const scale = interpret(suffix)
  if (scale === undefined) return undefined
  const digits = whole + fraction
  if (leading + fraction === '' && !isQuick(whole, fraction, scale)) return undefined
  if (/^0*$/.test(digits)) return '0'
  const kept = isQuick(whole, fraction, scale)
    ? asWritten(text, digits, fraction, scale)
    : undefined
  if (kept !== undefined) return kept
  const amount = scaled(digits, fraction.length, scale)
  return print(sign === '-' ? -1n : 1n, amount)
}

interface Scale {
  readonly format: Format
  /** Power of ten, or of two for the binary format. */
  readonly exponent: number
}

function interpret(suffix: string): Scale | undefined {
  if (Object.hasOwn(decimalExponents, suffix)) {
    return { format: 'decimal', exponent: decimalExponents[suffix]! }
  }
  if (Object.hasOwn(binaryExponents, suffix)) {
    return { format: 'binary', exponent: binaryExponents[suffix]! }
  }
  if (/^[eE][+-]?\d+$/.test(suffix)) {
    const exponent = BigInt(suffix.slice(1).replace('+', ''))
    if (BigInt.asIntN(64, exponent) !== exponent) return undefined
    return { format: 'exponent', exponent: Number(BigInt.asIntN(32, exponent)) }
  }
  return undefined
}

/** True for numbers small enough for the quick way through the library, which differs in detail from the slow one. */
function isQuick(whole: string, fraction: string, { format, exponent }: Scale): boolean {
  if (format === 'binary') {
    return fraction === '' && 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0
  }
  return whole.length + fraction.length <= 18 && exponent - fraction.length >= -9
}

/** The text itself where Kubernetes takes it for canonical without computing. */
function asWritten(
  text: string,
  digits: string,
  fraction: string,
  { format, exponent }: Scale,
): string | undefined {
  if (format === 'binary') return (BigInt(digits) & 7n) === 0n ? undefined : text
  const round = (exponent - fraction.length) % 3 === 0
  return round && !digits.endsWith('000') && digits[0] !== '0' ? text : undefined
}

interface Amount {
  /** Value is `mantissa` × 10^`exponent`. */
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: Format
}

function scaled(digits: string, places: number, { format, exponent }: Scale): Amount {
  if (format !== 'binary') return roundedUp(BigInt(digits), exponent - places, format)
  let { mantissa, exponent: power } = roundedUp(BigInt(digits) << BigInt(exponent), -places, format)
  if (compare(mantissa, power, maxInt64) > 0) {
    mantissa = maxInt64
    power = 0
  }
  return {
    mantissa,
    exponent: power,
    format: compare(mantissa, power, 1n) < 0 ? 'decimal' : format,
  }
}

/** At most nano precision; what is lost is rounded up. */
function roundedUp(mantissa: bigint, exponent: number, format: Format): Amount {
  if (exponent >= -9) return { mantissa, exponent, format }
  const drop = -9 - exponent
  if (drop > mantissa.toString().length) return { mantissa: 1n, exponent: -9, format }
  return { mantissa: divideUp(mantissa, 10n ** BigInt(drop)), exponent: -9, format }
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

function compare(mantissa: bigint, exponent: number, limit: bigint): number {
  const [left, right] =
    exponent < 0
      ? [mantissa, limit * 10n ** BigInt(-exponent)]
      : [mantissa * 10n ** BigInt(exponent), limit]
  return left < right ? -1 : left > right ? 1 : 0
}

function print(sign: bigint, amount: Amount): string {
  const { mantissa, exponent, format } = amount
  if (format === 'binary' && compare(mantissa, exponent, 1024n) >= 0) {
    const whole = integerOf(mantissa, exponent)
    if (whole !== undefined) return printBinary(sign, whole)
  }
  return printDecimal(sign, mantissa, exponent, format === 'exponent')
}

function integerOf(mantissa: bigint, exponent: number): bigint | undefined {
  if (exponent >= 0) return mantissa * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return mantissa % divisor === 0n ? mantissa / divisor : undefined
}

function printBinary(sign: bigint, value: bigint): string {
  let mantissa = value
  let power = 0
  while (mantissa !== 0n && mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power += 10
  }
  return `${sign * mantissa}${binarySuffixes.get(power) ?? ''}`
}

function printDecimal(
  sign: bigint,
  mantissa: bigint,
  exponent: number,
  asExponent: boolean,
): string {
  const text = mantissa.toString()
  const zeros = text.length - text.replace(/0+$/, '').length
  let digits = text.slice(0, text.length - zeros)
  let power = exponent + zeros
  while (power % 3 !== 0) {
    digits += '0'
    power--
  }
  // Parity: beyond the last suffix nothing is printed, so 1000E becomes 1.
  const suffix = asExponent ? (power === 0 ? '' : `e${power}`) : (decimalSuffixes.get(power) ?? '')
  return `${sign < 0n ? '-' : ''}${digits}${suffix}`
}
