import { acos, asin, atan, atan2, cos, exp, frexp, hypot, log, pow, sin, tan } from '../go-math.ts'
import { fail } from '../machine.ts'
import {
  checkNumber,
  compare,
  divide,
  modulo,
  needArray,
  needBoolean,
  needNumber,
  times,
} from '../operators.ts'
import { type Caller, Phase } from '../site.ts'
import { typeName, type Value } from '../values.ts'
import { type Definition, type Definitions, lazy, strict1, strict2 } from './define.ts'
import { formatText } from './format.ts'

function numeric(fn: (x: number) => number): Definition {
  return strict1('x', (x, caller) => checkNumber(fn(needNumber(x, caller)), caller))
}

function numeric2(
  parameters: readonly [string, string],
  fn: (x: number, y: number) => number,
): Definition {
  return strict2(parameters, (x, y, caller) => {
    const left = needNumber(x, caller)
    return checkNumber(fn(left, needNumber(y, caller)), caller)
  })
}

function test(fn: (x: number) => boolean): Definition {
  return strict1('x', (x, caller) => fn(needNumber(x, caller)))
}

function booleans(fn: (x: boolean, y: boolean) => boolean): Definition {
  return strict2(['x', 'y'], (x, y, caller) => {
    const left = needBoolean(x, caller)
    return fn(left, needBoolean(y, caller))
  })
}

function needsNumber(value: Value, what: string, caller: Caller): number {
  if (typeof value === 'number') return value
  return fail(`std.${what} expected number, got ${typeName(value)}`, caller)
}

/** Half away from zero. */
function roundHalfAway(value: number): number {
  const whole = Math.trunc(value)
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole
}

function sum(value: Value, caller: Caller): number {
  const { items } = needArray(value, caller)
  let total = 0
  for (let i = 0; i < items.length; i++) {
    total += needNumber(needArray(value, caller).at(i, caller), caller)
  }
  return total
}

function scaled(factor: (x: Value, caller: Caller) => number, line: number): Definition {
  return lazy(['x'], `:${line}`, (args) => factor(args.get(0), args.caller))
}

function logOf(value: Value, caller: Caller): number {
  return checkNumber(log(needNumber(value, caller)), caller)
}

const modPlaces = {
  modulo: new Phase('<std>:259:7-23', 'function <anonymous>'),
  format: new Phase('<std>:261:7-23', 'function <anonymous>'),
  error: new Phase('<std>:263:7-94', 'function <anonymous>'),
}

export const numbers: Definitions = {
  abs: lazy(['n'], ':865:7-58', (args) => {
    const n = needsNumber(args.get(0), 'abs', args.caller)
    // Parity: zero comes back as -0.
    return n > 0 ? n : -n
  }),
  sign: lazy(['n'], ':871:7-59', (args) => {
    const n = needsNumber(args.get(0), 'sign', args.caller)
    return n > 0 ? 1 : n < 0 ? -1 : 0
  }),
  max: lazy(['a', 'b'], ':881:7-70', (args) => {
    const a = needsNumber(args.get(0), 'max first param', args.caller)
    const b = needsNumber(args.get(1), 'max second param', args.caller)
    return Math.max(a, b)
  }),
  min: lazy(['a', 'b'], ':889:7-70', (args) => {
    const a = needsNumber(args.get(0), 'min first param', args.caller)
    const b = needsNumber(args.get(1), 'min second param', args.caller)
    return Math.min(a, b)
  }),
  clamp: lazy(['x', 'minVal', 'maxVal'], ':896:8-18', (args) => {
    const x = args.get(0)
    if (compare(x, args.get(1), args.caller) < 0) return args.get(1)
    return compare(x, args.get(2), args.caller) > 0 ? args.get(2) : x
  }),
  pow: numeric2(['x', 'n'], pow),
  exp: numeric((x) => {
    const result = exp(x)
    return result === 0 && x > 0 ? Number.POSITIVE_INFINITY : result
  }),
  log: numeric(log),
  log2: scaled((x, caller) => logOf(x, caller) / log(2), 271),
  log10: scaled((x, caller) => logOf(x, caller) / log(10), 272),
  exponent: numeric((x) => frexp(x)[1]),
  mantissa: numeric((x) => frexp(x)[0]),
  floor: numeric(Math.floor),
  ceil: numeric(Math.ceil),
  sqrt: numeric(Math.sqrt),
  sin: numeric(sin),
  cos: numeric(cos),
  tan: numeric(tan),
  asin: numeric(asin),
  acos: numeric(acos),
  atan: numeric(atan),
  atan2: numeric2(['y', 'x'], atan2),
  hypot: numeric2(['x', 'y'], hypot),
  round: numeric(roundHalfAway),
  deg2rad: scaled((x, caller) => divide(times(x, Math.PI, caller), 180, caller), 268),
  rad2deg: scaled((x, caller) => divide(times(x, 180, caller), Math.PI, caller), 269),
  isEven: test((x) => Math.trunc(x) % 2 === 0),
  isOdd: test((x) => Math.trunc(x) % 2 !== 0),
  isInteger: test(Number.isInteger),
  isDecimal: test((x) => !Number.isInteger(x)),
  modulo: strict2(['x', 'y'], modulo),
  mod: lazy(['a', 'b'], ':258:8-23', (args) => {
    const a = args.get(0)
    if (typeof a === 'string') return formatText(a, args.get(1), modPlaces.format)
    const b = args.get(1)
    if (typeof a === 'number' && typeof b === 'number') return modulo(a, b, modPlaces.modulo)
    return fail(
      `Operator % cannot be used on types ${typeName(a)} and ${typeName(b)}.`,
      modPlaces.error,
    )
  }),
  xor: booleans((x, y) => x !== y),
  xnor: booleans((x, y) => x === y),
  sum: strict1('arr', sum),
  avg: strict1('arr', (value, caller) => {
    const { length } = needArray(value, caller).items
    if (length === 0) fail('Cannot calculate average of an empty array.', caller)
    return sum(value, caller) / length
  }),
}
