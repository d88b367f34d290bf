import {
  FunctionFailure,
  formatValue,
  int64,
  TypedSlice,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { parseGoInt } from '../../../text/index.ts'
import { toFloat64, toInt64 } from './convert.ts'
import {
  addDecimals,
  type Decimal,
  decimalOf,
  decimalToNumber,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from './decimal.ts'
import { define, type FunctionList } from './define.ts'

type Operation = (a: Decimal, b: Decimal) => Decimal

function decimals(first: Value, rest: readonly Value[], operation: Operation): number {
  return decimalToNumber(
    rest.reduce<Decimal>(
      (total, value) => operation(total, decimalOf(toFloat64(value))),
      decimalOf(toFloat64(first)),
    ),
  )
}

export const numberFunctions: FunctionList = [
  ['int64', define('a', ([v]) => int64(toInt64(v)))],
  ['int', define('a', ([v]) => toInt64(v))],
  ['float64', define('a', ([v]) => toFloat64(v))],
  [
    'toDecimal',
    define('a', ([v]) => {
      const value = parseGoInt(formatValue(v), 8)
      return int64(typeof value === 'bigint' ? value : 0n)
    }),
  ],
  ['seq', define('i*', (params, { run }) => seq(params.map(Number), run))],
  [
    'until',
    define('i', ([count], { run }) =>
      intSlice(untilStep(0, Number(count), count < 0n ? -1 : 1, run)),
    ),
  ],
  [
    'untilStep',
    define('iii', ([start, stop, step], { run }) =>
      intSlice(untilStep(Number(start), Number(stop), Number(step), run)),
    ),
  ],
  ['add1', define('a', ([v]) => int64(toInt64(v) + 1n))],
  [
    'add',
    define('a*', (args) => int64(args.reduce((sum: bigint, v: Value) => sum + toInt64(v), 0n))),
  ],
  ['sub', define('aa', ([a, b]) => int64(toInt64(a) - toInt64(b)))],
  ['div', define('aa', ([a, b]) => int64(toInt64(a) / divisor(b)))],
  ['mod', define('aa', ([a, b]) => int64(toInt64(a) % divisor(b)))],
  [
    'mul',
    define('aa*', ([a, ...rest]) =>
      int64(
        rest.reduce(
          (product: bigint, v: Value) => BigInt.asIntN(64, product * toInt64(v)),
          toInt64(a),
        ),
      ),
    ),
  ],
  ['add1f', define('a', ([v]) => decimals(v, [1n], addDecimals))],
  ['addf', define('a*', (args) => decimals(0, args, addDecimals))],
  ['subf', define('aa*', ([a, ...rest]) => decimals(a, rest, subtractDecimals))],
  ['divf', define('aa*', ([a, ...rest]) => decimals(a, rest, divideDecimals))],
  ['mulf', define('aa*', ([a, ...rest]) => decimals(a, rest, multiplyDecimals))],
  ['biggest', define('aa*', (args) => int64(extreme(args, (a, b) => b > a)))],
  ['max', define('aa*', (args) => int64(extreme(args, (a, b) => b > a)))],
  ['min', define('aa*', (args) => int64(extreme(args, (a, b) => b < a)))],
  ['maxf', define('aa*', (args) => Math.max(...args.map(toFloat64)))],
  ['minf', define('aa*', (args) => Math.min(...args.map(toFloat64)))],
  ['ceil', define('a', ([v]) => Math.ceil(toFloat64(v)))],
  ['floor', define('a', ([v]) => Math.floor(toFloat64(v)))],
  ['round', define('aif*', ([v, places, on]) => round(toFloat64(v), Number(places), on ?? 0.5))],
]

function divisor(value: Value): bigint {
  const number = toInt64(value)
  if (number === 0n) throw new FunctionFailure('runtime error: integer divide by zero')
  return number
}

function extreme(args: readonly Value[], better: (a: bigint, b: bigint) => boolean): bigint {
  return args.map(toInt64).reduce((best, value) => (better(best, value) ? value : best))
}

interface Meter {
  checkItems(count: number): void
  charge(steps: number): void
}

function untilStep(start: number, stop: number, step: number, run: Meter): number[] {
  if (stop < start ? step >= 0 : step <= 0) return []
  const count = Math.max(0, Math.ceil((stop - start) / step))
  run.checkItems(count)
  run.charge(count)
  return Array.from({ length: count }, (_, i) => start + i * step)
}

/** A `[]int`. */
function intSlice(numbers: readonly number[]): TypedSlice {
  return new TypedSlice('int', numbers.map(BigInt))
}

function seq(params: readonly number[], run: Meter): string {
  const [first = 0, second = 0, third = 0] = params
  const list = (start: number, end: number, step: number, direction: number): string =>
    untilStep(start, end + direction, step, run).join(' ')
  switch (params.length) {
    case 1: {
      const direction = first < 1 ? -1 : 1
      return list(1, first, direction, direction)
    }
    case 2: {
      const direction = second < first ? -1 : 1
      return list(first, second, direction, direction)
    }
    case 3:
      if (third < first && second > 0) return ''
      return list(first, third, second, third < first ? -1 : 1)
    default:
      return ''
  }
}

/** Negative numbers always go down, since the fraction that decides is negative. */
function round(value: number, places: number, on: number): number {
  const power = 10 ** places
  const digit = power * value
  const fraction = digit - Math.trunc(digit)
  return (fraction >= on ? Math.ceil(digit) : Math.floor(digit)) / power
}
