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
  const parts = split(text)
  if (parts === undefined) return undefined
  if (/^0*$/.test(parts.digits)) return '0'
  return asWritten(text, parts) ?? print(amountOf(parts))
}

/**
 * A quantity rounded up to thousandths, as Kubernetes does it in resource lists; in canonical form. The text must be a
 * valid quantity.
 */
export function quantityInMilli(text: string): string {
  const parts = split(text)
  if (parts === undefined || parts.scale.exponent - parts.fraction.length >= -3) return text
  const amount = amountOf(parts)
  if (amount.exponent >= -3) return text
  const divisor = 10n ** BigInt(-3 - amount.exponent)
  return print({ ...amount, mantissa: divideUp(amount.mantissa, divisor), exponent: -3 })
}

/** The sum of two valid quantities, in the suffix family of the first (of the second when the first is zero). */
export function addQuantities(a: string, b: string): string {
  const [left, right] = [amountOf(split(a)!), amountOf(split(b)!)]
  const exponent = Math.min(left.exponent, right.exponent)
  const sum = aligned(left, exponent) + aligned(right, exponent)
  const format = left.mantissa === 0n ? right.format : left.format
  if (sum === 0n) return '0'
  return print({ negative: sum < 0n, mantissa: sum < 0n ? -sum : sum, exponent, format })
}

/** Negative when `a` is less than `b`, zero when they are equal in value. Both must be valid quantities. */
export function compareQuantities(a: string, b: string): number {
  const [left, right] = [amountOf(split(a)!), amountOf(split(b)!)]
  const exponent = Math.min(left.exponent, right.exponent)
  const difference = aligned(left, exponent) - aligned(right, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function aligned(amount: Amount, exponent: number): bigint {
  const size = amount.mantissa * 10n ** BigInt(Math.min(amount.exponent - exponent, maxLength))
  return amount.negative ? -size : size
}

interface Parts {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
  /** Without the point. */
  readonly digits: string
  readonly scale: Scale
}

function split(text: string): Parts | undefined {
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
  const scale = interpret(suffix)
  if (scale === undefined) return undefined
  const whole = leading.replace(/^0+/, '') || '0'
  const parts = { negative: sign === '-', whole, fraction, digits: whole + fraction, scale }
  return leading + fraction === '' && !isQuick(parts) ? undefined : parts
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
function isQuick({ whole, fraction, scale: { format, exponent } }: Parts): boolean {
  if (format === 'binary') {
    return fraction === '' && 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0
  }
  return whole.length + fraction.length <= 18 && exponent - fraction.length >= -9
}

/** The text itself where Kubernetes takes it for canonical without computing. */
function asWritten(text: string, parts: Parts): string | undefined {
  if (!isQuick(parts)) return undefined
  const { digits, fraction, scale } = parts
  if (scale.format === 'binary') return (BigInt(digits) & 7n) === 0n ? undefined : text
  const round = (scale.exponent - fraction.length) % 3 === 0
  return round && !digits.endsWith('000') && digits[0] !== '0' ? text : undefined
}

interface Amount {
  readonly negative: boolean
  /** Value is `mantissa` × 10^`exponent`. */
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: Format
}

function amountOf({ negative, digits, fraction, scale }: Parts): Amount {
  const { format, exponent } = scale
  const places = fraction.length
  if (format !== 'binary')
    return { negative, format, ...roundedUp(BigInt(digits), exponent - places) }
  let { mantissa, exponent: power } = roundedUp(BigInt(digits) << BigInt(exponent), -places)
  if (compare(mantissa, power, maxInt64) > 0) {
    mantissa = maxInt64
    power = 0
  }
  const small = compare(mantissa, power, 1n) < 0
  return { negative, mantissa, exponent: power, format: small ? 'decimal' : format }
}

/** At most nano precision; what is lost is rounded up. */
function roundedUp(
  mantissa: bigint,
  exponent: number,
): { readonly mantissa: bigint; readonly exponent: number } {
  if (exponent >= -9 || mantissa === 0n) return { mantissa, exponent: Math.max(exponent, -9) }
  const drop = -9 - exponent
  if (drop > mantissa.toString().length) return { mantissa: 1n, exponent: -9 }
  return { mantissa: divideUp(mantissa, 10n ** BigInt(drop)), exponent: -9 }
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

function print({ negative, mantissa, exponent, format }: Amount): string {
  const sign = negative ? '-' : ''
  if (format === 'binary' && compare(mantissa, exponent, 1024n) >= 0) {
    const whole = integerOf(mantissa, exponent)
    if (whole !== undefined) return sign + printBinary(whole)
  }
  return sign + printDecimal(mantissa, exponent, format === 'exponent')
}

function integerOf(mantissa: bigint, exponent: number): bigint | undefined {
  if (exponent >= 0) return mantissa * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  return mantissa % divisor === 0n ? mantissa / divisor : undefined
}

function printBinary(value: bigint): string {
  let mantissa = value
  let power = 0
  while (mantissa !== 0n && mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power += 10
  }
  return `${mantissa}${binarySuffixes.get(power) ?? ''}`
}

function printDecimal(mantissa: bigint, exponent: number, asExponent: boolean): string {
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
  return digits + suffix
}
