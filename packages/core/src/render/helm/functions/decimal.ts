import { FunctionFailure } from '../../../lang/gotemplate/index.ts'

/** value × 10^-scale, exactly. */
export interface Decimal {
  readonly value: bigint
  readonly scale: number
}

/** The shortest decimal that reads back as the number. */
export function decimalOf(number: number): Decimal {
  if (!Number.isFinite(number)) {
    throw new FunctionFailure(
      `Cannot create a Decimal from ${Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf'}`,
    )
  }
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(number.toString())!
  const fraction = match[3] ?? ''
  const scale = fraction.length - Number(match[4] ?? 0)
  const value = BigInt(match[1]! + match[2]! + fraction)
  return scale < 0 ? { value: value * 10n ** BigInt(-scale), scale: 0 } : { value, scale }
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.value * 10n ** BigInt(scale - a.scale), b.value * 10n ** BigInt(scale - b.scale), scale]
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b)
  return { value: x + y, scale }
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b)
  return { value: x - y, scale }
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { value: a.value * b.value, scale: a.scale + b.scale }
}

const divisionDigits = 16 // shopspring/decimal v1.4.0 DivisionPrecision

/** Rounded to 16 decimal places, halves away from zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.value === 0n) throw new FunctionFailure('decimal division by 0')
  const shift = divisionDigits + b.scale - a.scale
  const top = shift >= 0 ? a.value * 10n ** BigInt(shift) : a.value
  const bottom = shift >= 0 ? b.value : b.value * 10n ** BigInt(-shift)
  const negative = top < 0n !== bottom < 0n
  const [x, y] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom]
  const quotient = x / y + ((x % y) * 2n >= y ? 1n : 0n)
  return { value: negative ? -quotient : quotient, scale: divisionDigits }
}

/** The nearest double. */
export function decimalToNumber(decimal: Decimal): number {
  return Number(`${decimal.value}e-${decimal.scale}`)
}
