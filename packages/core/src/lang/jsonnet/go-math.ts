// Elementary functions to the last bit as Go computes them on amd64: JavaScript's own differ from Go's in the last
// digit of one result in four, and programs print 17 digits. Polynomials and their coefficients are those of Cephes
// (trigonometry), FreeBSD's msun (logarithm) and SLEEF (exponential), which Go's math package uses too.

/** A polynomial, highest power first. */
function horner(z: number, coefficients: readonly number[]): number {
  let sum = coefficients[0]!
  for (let i = 1; i < coefficients.length; i++) sum = sum * z + coefficients[i]!
  return sum
}

const view = new DataView(new ArrayBuffer(8))

/** Fraction in [0.5, 1) and power of two. */
export function frexp(value: number): readonly [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0]
  if (Math.abs(value) < 2 ** -1022) {
    const [fraction, exponent] = frexp(value * 2 ** 54)
    return [fraction, exponent - 54]
  }
  view.setFloat64(0, value)
  const high = view.getUint16(0)
  view.setUint16(0, (high & 0x800f) | (1022 << 4))
  return [view.getFloat64(0), ((high >> 4) & 0x7ff) - 1022]
}

/** value · 2^exponent, rounded once. */
function ldexp(value: number, exponent: number): number {
  if (value === 0 || !Number.isFinite(value)) return value
  const [fraction, own] = frexp(value)
  const sum = own + exponent
  if (sum > 1024) return value < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (sum < -1074) return value < 0 ? -0 : 0
  return sum >= -1021 ? fraction * 2 * 2 ** (sum - 1) : fraction * 2 ** (sum + 53) * 2 ** -53
}

/** a · b as two doubles whose sum is exact. */
function product(a: number, b: number): readonly [number, number] {
  const split = (x: number): readonly [number, number] => {
    const scaled = 134217729 * x // 2^27 + 1
    const high = scaled - (scaled - x)
    return [high, x - high]
  }
  const [ah, al] = split(a)
  const [bh, bl] = split(b)
  const whole = a * b
  return [whole, ah * bh - whole + ah * bl + al * bh + al * bl]
}

/** a · b + c rounded once, for the moderate values that occur here. */
function fma(a: number, b: number, c: number): number {
  const [whole, rest] = product(a, b)
  const sum = whole + c
  const part = sum - whole
  const lost = whole - (sum - part) + (c - part)
  return sum + (lost + rest)
}

const expTerms = [
  2.48015873015873e-5, 0.0001984126984126984, 0.001388888888888889, 0.008333333333333333,
  0.041666666666666664, 0.16666666666666666, 0.5, 1,
]

/** e^x. Go uses fused multiplication where the processor has it, as all do that matter. */
export function exp(x: number): number {
  if (Number.isNaN(x) || x === Number.POSITIVE_INFINITY) return x
  if (x === Number.NEGATIVE_INFINITY) return 0
  if (x > 7.09782712893384e2) return Number.POSITIVE_INFINITY
  const power = roundEven(Math.LOG2E * x)
  if (power >= 1024) return Number.POSITIVE_INFINITY // Parity: earlier than need be
  if (power < -1075) return 0
  let rest = fma(-power, 0.693147180559663, x)
  rest = fma(-power, 2.8235290563031577e-13, rest)
  rest *= 0.0625
  let series = expTerms[0]!
  for (let i = 1; i < expTerms.length; i++) series = fma(rest, series, expTerms[i]!)
  let value = rest * series
  for (let i = 0; i < 3; i++) value *= value + 2
  value = fma(value, value + 2, 1)
  return ldexp(value, power)
}

function roundEven(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  if (rest !== 0.5) return Math.round(x)
  return floor % 2 === 0 ? floor : floor + 1
}

const ln2High = 0.6931471803691238
const ln2Low = 1.9082149292705877e-10
const oddLog = [0.14798198605116586, 0.1818357216161805, 0.2857142874366239, 0.6666666666666735]
const evenLog = [0.15313837699209373, 0.22222198432149784, 0.3999999999940942]

/** The natural logarithm. */
export function log(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Math.log(x)
  let [fraction, k] = frexp(x)
  if (fraction < Math.SQRT1_2) {
    fraction *= 2
    k--
  }
  const f = fraction - 1
  const s = f / (2 + f)
  const s2 = s * s
  const s4 = s2 * s2
  const r = s2 * horner(s4, oddLog) + s4 * horner(s4, evenLog)
  const half = 0.5 * f * f
  return k * ln2High - (half - (s * (half + r) + k * ln2Low) - f)
}

/** x^y: by squaring for the whole part of y, through exp and log for the rest. */
export function pow(x: number, y: number): number {
  if (y === 1) return x
  if (y === 0.5) return Math.sqrt(x)
  if (y === -0.5) return 1 / Math.sqrt(x)
  let whole = Math.trunc(Math.abs(y))
  let rest = Math.abs(y) - whole
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y) || (rest !== 0 && x < 0)) return x ** y
  if (whole >= 2 ** 63) return x ** y
  let value = 1
  let exponent = 0
  if (rest !== 0) {
    if (rest > 0.5) {
      rest--
      whole++
    }
    value = exp(rest * log(x))
  }
  let [base, power] = frexp(x)
  for (let i = BigInt(whole); i !== 0n; i >>= 1n) {
    if (Math.abs(power) > 4096) {
      exponent += power
      break
    }
    if ((i & 1n) === 1n) {
      value *= base
      exponent += power
    }
    base *= base
    power *= 2
    if (base < 0.5) {
      base += base
      power--
    }
  }
  return y < 0 ? ldexp(1 / value, -exponent) : ldexp(value, exponent)
}

const quarters = [0.7853981256484985, 3.774894707930798e-8, 2.6951514290790595e-15]
const huge = 2 ** 29

/** The eighth of the circle, made even, and what is left of a positive angle. */
function reduce(x: number): readonly [number, number] {
  if (x >= huge) return reduceHuge(x)
  let eighth = Math.trunc(x * (4 / Math.PI))
  if (eighth % 2 === 1) eighth++
  const [a, b, c] = quarters as [number, number, number]
  return [eighth % 8, x - eighth * a - eighth * b - eighth * c]
}

const piBits = 1280n
let fourOverPi: bigint | undefined

/** By Machin's formula, in units of 2^-piBits. */
function computeFourOverPi(): bigint {
  const one = 1n << (piBits + 64n)
  const arcTangent = (inverse: bigint): bigint => {
    let sum = 0n
    let power = one / inverse
    for (let n = 1n; power !== 0n; n += 2n) {
      sum += n % 4n === 1n ? power / n : -(power / n)
      power /= inverse * inverse
    }
    return sum
  }
  const quarterPi = 4n * arcTangent(5n) - arcTangent(239n)
  return (one << piBits) / quarterPi
}

/** x · 4/π with all its digits: whole part modulo 8, and the fraction cut to 53 bits. */
function reduceHuge(x: number): readonly [number, number] {
  fourOverPi ??= computeFourOverPi()
  // above 2^29 a double has at most 23 binary places
  const scaled = x < 2 ** 53 ? BigInt(x * 2 ** 23) : BigInt(x) << 23n
  const turned = (scaled * fourOverPi) >> 23n
  const eighth = Number((turned >> piBits) % 8n)
  const fraction = turned & ((1n << piBits) - 1n)
  const spare = BigInt(Math.max(0, fraction.toString(2).length - 53))
  const rest = Number(fraction >> spare) * 2 ** Number(spare - piBits + 200n) * 2 ** -200
  const odd = eighth % 2 === 1
  return [odd ? (eighth + 1) % 8 : eighth, (odd ? rest - 1 : rest) * (Math.PI / 4)]
}

const sine = [
  1.5896230157654656e-10, -2.5050747762857807e-8, 2.7557313621385722e-6, -0.0001984126982958954,
  0.008333333333322118, -0.1666666666666663,
]
const cosine = [
  -1.1358536521387682e-11, 2.087570084197473e-9, -2.755731417929674e-7, 2.4801587288851704e-5,
  -0.0013888888888873056, 0.041666666666666595,
]

function sineNearZero(z: number): number {
  const zz = z * z
  return z + z * zz * horner(zz, sine)
}

function cosineNearZero(z: number): number {
  const zz = z * z
  return 1 - 0.5 * zz + zz * zz * horner(zz, cosine)
}

export function sin(x: number): number {
  const angle = Math.abs(x)
  if (!Number.isFinite(x) || x === 0) return Math.sin(x)
  const [eighth, rest] = reduce(angle)
  const value = eighth % 4 === 2 ? cosineNearZero(rest) : sineNearZero(rest)
  return x < 0 !== eighth > 3 ? -value : value
}

export function cos(x: number): number {
  const angle = Math.abs(x)
  if (!Number.isFinite(x)) return Math.cos(x)
  const [eighth, rest] = reduce(angle)
  const value = eighth % 4 === 2 ? sineNearZero(rest) : cosineNearZero(rest)
  return eighth === 2 || eighth === 4 ? -value : value
}

const tangentTop = [-13093.693918138379, 1153516.6483858742, -17956525.197648488]
const tangentBottom = [
  1, 13681.296347069296, -1320892.3444021097, 25008380.18233579, -53869575.592945464,
]

export function tan(x: number): number {
  const angle = Math.abs(x)
  if (!Number.isFinite(x) || x === 0) return Math.tan(x)
  const [eighth, rest] = reduce(angle)
  const zz = rest * rest
  let value = rest
  if (zz > 1e-14) {
    value = rest + rest * ((zz * horner(zz, tangentTop)) / horner(zz, tangentBottom))
  }
  if (eighth % 4 === 2) value = -1 / value
  return x < 0 ? -value : value
}

const arcTop = [
  -0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361,
  -64.85021904942025,
]
const arcBottom = [
  1, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137,
  194.5506571482614,
]
const halfPiRest = 6.123233995736766e-17

function arcSmall(x: number): number {
  const z = x * x
  return x * ((z * horner(z, arcTop)) / horner(z, arcBottom)) + x
}

function arcPositive(x: number): number {
  if (x <= 0.66) return arcSmall(x)
  if (x > 2.414213562373095) return Math.PI / 2 - arcSmall(1 / x) + halfPiRest
  return Math.PI / 4 + arcSmall((x - 1) / (x + 1)) + 0.5 * halfPiRest
}

export function atan(x: number): number {
  if (x === 0) return x
  return x > 0 ? arcPositive(x) : -arcPositive(-x)
}

export function asin(x: number): number {
  const size = Math.abs(x)
  if (x === 0 || size > 1) return Math.asin(x)
  const root = Math.sqrt(1 - x * x)
  const value = size > 0.7 ? Math.PI / 2 - arcPositive(root / size) : arcPositive(size / root)
  return x < 0 ? -value : value
}

export function acos(x: number): number {
  return Math.PI / 2 - asin(x)
}

export function atan2(y: number, x: number): number {
  if (y === 0 || x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return Math.atan2(y, x)
  const angle = atan(y / x)
  if (x > 0) return angle
  return angle <= 0 ? angle + Math.PI : angle - Math.PI
}

export function hypot(x: number, y: number): number {
  const large = Math.max(Math.abs(x), Math.abs(y))
  if (large === 0 || !Number.isFinite(large)) return Math.hypot(x, y)
  const ratio = Math.min(Math.abs(x), Math.abs(y)) / large
  return large * Math.sqrt(1 + ratio * ratio)
}
