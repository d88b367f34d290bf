import { type Library, register } from './arguments.ts'
import { openBase } from './base.ts'
import { type Machine, modulo } from './machine.ts'
import { openString } from './strings.ts'
import { openTable } from './tables.ts'
import { LuaTable, type LuaValue, parseNumber } from './values.ts'

/** Milliseconds since 1970. */
export type LuaClock = () => number

/**
 * The libraries of a script. Closed: the base, `table`, and a safe `os` for `require`. Open: also `string`, `math` and
 * `os`; there is no `io`, `debug` or `coroutine`, and of `os` only what reads the clock.
 *
 * Source: argo-cd v3.5.1 util/lua/lua.go
 */
export function openLibraries(machine: Machine, kind: 'closed' | 'open', clock: LuaClock): void {
  openBase(machine)
  const table = openTable(machine)
  const os = new LuaTable()
  register(machine, os, timeFunctions(clock))
  const loaded = new LuaTable()
  const holder = new LuaTable()
  holder.set('loaded', loaded)
  holder.set('preload', new LuaTable())
  machine.globals.set('package', holder)
  loaded.set('os', os)
  loaded.set('table', table)
  loaded.set('_G', machine.globals)
  if (kind === 'closed') {
    // Argo CD registers the safe functions into the table that it has just opened
    table.set('time', os.get('time'))
    table.set('date', os.get('date'))
    return
  }
  openString(machine)
  loaded.set('string', machine.globals.get('string'))
  const math = new LuaTable()
  register(machine, math, mathFunctions)
  math.set('pi', Math.PI)
  math.set('huge', Number.POSITIVE_INFINITY)
  register(machine, math, { mod: (args) => [modulo(args.number(1), args.number(2))] })
  machine.globals.set('math', math)
  loaded.set('math', math)
  register(machine, os, {
    clock: () => [0],
    difftime: (args) => [args.integer(1) - args.integer(2)],
    getenv: () => [undefined],
  })
  machine.globals.set('os', os)
}

const mathFunctions: Library = {
  abs: (args) => [Math.abs(args.number(1))],
  acos: (args) => [Math.acos(args.number(1))],
  asin: (args) => [Math.asin(args.number(1))],
  atan: (args) => [Math.atan(args.number(1))],
  atan2: (args) => [Math.atan2(args.number(1), args.number(2))],
  ceil: (args) => [Math.ceil(args.number(1))],
  cos: (args) => [Math.cos(args.number(1))],
  cosh: (args) => [Math.cosh(args.number(1))],
  deg: (args) => [(args.number(1) * 180) / Math.PI],
  exp: (args) => [Math.exp(args.number(1))],
  frexp: (args) => [...fraction(args.number(1))],
  ldexp: (args) => [args.number(1) * 2 ** args.integer(2)],
  floor: (args) => [Math.floor(args.number(1))],
  fmod: (args) => [args.number(1) % args.number(2)],
  log: (args) => [Math.log(args.number(1))],
  log10: (args) => [Math.log10(args.number(1))],
  max: (args) => [
    args.values.reduce(
      (most: number, _, index) => Math.max(most, args.number(index + 1)),
      args.number(1),
    ),
  ],
  min: (args) => [
    args.values.reduce(
      (least: number, _, index) => Math.min(least, args.number(index + 1)),
      args.number(1),
    ),
  ],
  modf: (args) => {
    const value = args.number(1)
    return [Math.trunc(value), value - Math.trunc(value)]
  },
  pow: (args) => [args.number(1) ** args.number(2)],
  rad: (args) => [(args.number(1) * Math.PI) / 180],
  sin: (args) => [Math.sin(args.number(1))],
  sinh: (args) => [Math.sinh(args.number(1))],
  sqrt: (args) => [Math.sqrt(args.number(1))],
  tan: (args) => [Math.tan(args.number(1))],
  tanh: (args) => [Math.tanh(args.number(1))],
}

/** A number as a half or more, but less than one, times a power of two. */
function fraction(value: number): readonly [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0]
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1)
  let part = value * 2 ** -exponent
  while (Math.abs(part) < 0.5) {
    part *= 2
    exponent--
  }
  while (Math.abs(part) >= 1) {
    part /= 2
    exponent++
  }
  return [part, exponent]
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** All times are UTC. */
function timeFunctions(clock: LuaClock): Library {
  return {
    time: (args) => {
      if (args.at(1) === undefined) return [Math.floor(clock() / 1000)]
      const table = args.table(1)
      const field = (name: string, otherwise: number): number => {
        const value: LuaValue = table.get(name)
        if (typeof value === 'number') return Math.trunc(value)
        // only the full library reads texts
        if (typeof value !== 'string' || !isOpen(args.machine)) return otherwise
        const number = decimal(value)
        return number === undefined ? otherwise : Math.trunc(number)
      }
      const date = new Date(0)
      date.setUTCFullYear(field('year', -1), field('month', -1) - 1, field('day', -1))
      date.setUTCHours(field('hour', 12), field('min', 0), field('sec', 0))
      return [Math.floor(date.getTime() / 1000)]
    },
    date: (args) => {
      const format = args.optionalText(1, '%c').replace(/^!/, '')
      const seconds = args.at(2) === undefined ? Math.floor(clock() / 1000) : args.integer(2)
      const date = new Date(seconds * 1000)
      if (!format.startsWith('*t')) return [formatDate(format, date)]
      const table = args.machine.newTable()
      const fields: readonly (readonly [string, LuaValue])[] = [
        ['year', date.getUTCFullYear()],
        ['month', date.getUTCMonth() + 1],
        ['day', date.getUTCDate()],
        ['hour', date.getUTCHours()],
        ['min', date.getUTCMinutes()],
        ['sec', date.getUTCSeconds()],
        ['wday', date.getUTCDay() + 1],
        ['yday', 0],
        ['isdst', false],
      ]
      for (const [name, value] of fields) args.machine.store(table, name, value)
      return [table]
    },
  }
}

/** Zeros before a number do not make it octal. */
function decimal(text: string): number | undefined {
  const trimmed = text.replace(/^ +/, '')
  if (!trimmed.startsWith('0') || /^0x/i.test(trimmed)) return parseNumber(trimmed)
  const digits = trimmed.replace(/^0+/, '')
  return digits === '' ? 0 : parseNumber(digits)
}

function isOpen(machine: Machine): boolean {
  return machine.textMeta !== undefined
}

function formatDate(format: string, date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = days[date.getUTCDay()]!
  const month = months[date.getUTCMonth()]!
  const hour = date.getUTCHours()
  const parts: { readonly [letter: string]: string } = {
    // Parity: gopher-lua's layout is in lower case, and stands for itself
    a: 'mon',
    A: day,
    b: month.slice(0, 3),
    B: month,
    d: two(date.getUTCDate()),
    H: two(hour),
    I: two(hour % 12 || 12),
    m: two(date.getUTCMonth() + 1),
    M: two(date.getUTCMinutes()),
    p: hour < 12 ? 'AM' : 'PM',
    P: hour < 12 ? 'am' : 'pm',
    w: String(date.getUTCDay()),
    S: two(date.getUTCSeconds()),
    y: two(date.getUTCFullYear() % 100),
    Y: String(date.getUTCFullYear()),
    z: '+0000',
    Z: 'UTC',
    '%': '%',
  }
  const all: { readonly [letter: string]: string } = {
    ...parts,
    c: `${two(date.getUTCDate())} ${month.slice(0, 3)} ${two(date.getUTCFullYear() % 100)} ${two(hour)}:${parts['M']} UTC`,
    F: `${parts['Y']}-${parts['m']}-${parts['d']}`,
    X: `${parts['H']}:${parts['M']}:${parts['S']}`,
    x: `${parts['H']}/${parts['M']}/${parts['S']}`,
  }
  return format.replace(/%([A-Za-z%])/g, (whole, letter: string) => all[letter] ?? whole)
}
