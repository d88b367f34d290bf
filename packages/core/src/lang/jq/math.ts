import type { Json } from '../../json/index.ts'
import type { JqFunction, JqFunctions } from './native.ts'
import { cannotApply } from './paths.ts'
import { isNumber } from './values.ts'

function float(name: string, value: Json): number {
  if (!isNumber(value)) throw cannotApply(name, [], value)
  return Number(value)
}

function unary(functions: { readonly [name: string]: (x: number) => number }): JqFunctions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]): [string, JqFunction] => [
      `${name}/0`,
      (value) => run(float(name, value)),
    ]),
  )
}

function binary(functions: {
  readonly [name: string]: (x: number, y: number) => number
}): JqFunctions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]): [string, JqFunction] => [
      `${name}/2`,
      (_value, [x, y]) => run(float(name, x!), float(name, y!)),
    ]),
  )
}

function roundAway(x: number): number {
  return Math.sign(x) * Math.round(Math.abs(x))
}

function roundToEven(x: number): number {
  const floor = Math.floor(x)
  if (x - floor !== 0.5) return Math.round(x)
  return floor % 2 === 0 ? floor : -(-floor - 1)
}

/** A number as a fraction from 0.5 up to 1 and a power of two. */
function frexp(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0]
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1)
  let fraction = x * 2 ** -exponent
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2
    exponent--
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2
    exponent++
  }
  return [fraction, exponent]
}

function ldexp(x: number, exponent: number): number {
  const half = Math.trunc(exponent / 2)
  return x * 2 ** half * 2 ** (Math.trunc(exponent) - half)
}

function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return Number.NaN
  if (!Number.isFinite(y)) return x
  const rest = x - y * roundToEven(x / y)
  return rest === 0 ? Math.sign(x) * 0 : rest
}

// Lanczos' approximation, g = 7, n = 9
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
]

function gamma(x: number): number {
  if (Number.isInteger(x) && x > 0 && x < 171) {
    let product = 1
    for (let i = 2; i < x; i++) product *= i
    return product
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x))
  return Math.exp(logGamma(x))
}

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.abs(Math.PI / Math.sin(Math.PI * x))) - logGamma(1 - x)
  let sum = lanczos[0]!
  for (let i = 1; i < 9; i++) sum += lanczos[i]! / (x - 1 + i)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

export const mathFunctions: JqFunctions = {
  ...unary({
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    sinh: Math.sinh,
    cosh: Math.cosh,
    tanh: Math.tanh,
    asinh: Math.asinh,
    acosh: Math.acosh,
    atanh: Math.atanh,
    floor: Math.floor,
    ceil: Math.ceil,
    round: roundAway,
    nearbyint: roundToEven,
    rint: roundToEven,
    trunc: Math.trunc,
    significand: (x) => (x === 0 || !Number.isFinite(x) ? x : frexp(x)[0] * 2),
    fabs: Math.abs,
    sqrt: Math.sqrt,
    cbrt: Math.cbrt,
    exp: Math.exp,
    exp2: (x) => 2 ** x,
    exp10: (x) => 10 ** x,
    expm1: Math.expm1,
    log: Math.log,
    log2: Math.log2,
    log10: Math.log10,
    log1p: Math.log1p,
    logb: (x) => (x === 0 ? Number.NEGATIVE_INFINITY : frexp(x)[1] - 1),
    gamma,
    tgamma: gamma,
    lgamma: logGamma,
  }),
  ...binary({
    atan2: Math.atan2,
    copysign: (x, y) => (Math.sign(y) < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
    drem: remainder,
    remainder,
    fdim: (x, y) => (x <= y ? 0 : x - y),
    fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
    fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
    fmod: (x, y) => x % y,
    hypot: Math.hypot,
    ldexp,
    scalb: ldexp,
    scalbln: ldexp,
    pow: (x, y) => x ** y,
  }),
  'fma/3': (_value, [x, y, z]) => float('fma', x!) * float('fma', y!) + float('fma', z!),
  'frexp/0': (value) => [...frexp(float('frexp', value))],
  'modf/0': (value) => {
    const x = float('modf', value)
    if (!Number.isFinite(x)) return [Number.isNaN(x) ? x : x < 0 ? -0 : 0, x]
    return [x - Math.trunc(x), Math.trunc(x)]
  },
  'abs/0': (value) => {
    if (typeof value === 'bigint') return value < 0n ? -value : value
    return Math.abs(float('abs', value))
  },
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (value) =>
    isNumber(value) && Math.abs(Number(value)) === Number.POSITIVE_INFINITY,
  'isfinite/0': (value) => isNumber(value) && Math.abs(Number(value)) !== Number.POSITIVE_INFINITY,
  'isnan/0': (value) => (value === null ? false : Number.isNaN(float('isnan', value))),
  'isnormal/0': (value) => {
    if (!isNumber(value)) return false
    const size = Math.abs(Number(value))
    return Number.isFinite(size) && size >= 2 ** -1022
  },
}
