import { type Arguments, type Library, register } from './arguments.ts'
import type { Machine } from './machine.ts'
import { Matcher, type PatternMatch } from './patterns.ts'
import { isTrue, LuaFunction, LuaTable, type LuaValue, numberText, typeOf } from './values.ts'

/** Opens the library `string`, and the methods of texts with it. */
export function openString(machine: Machine): void {
  const table = new LuaTable()
  register(machine, table, functions)
  table.set('gfind', table.get('gmatch'))
  machine.globals.set('string', table)
  const meta = new LuaTable()
  meta.set('__index', table)
  machine.textMeta = meta
}

const functions: Library = {
  byte: (args) => {
    const text = args.text(1)
    const from = args.optionalInteger(2, 1)
    const [start, end] = range(text, from, args.optionalInteger(3, from))
    args.machine.step(end - start)
    return Array.from({ length: end - start }, (_, index) => text.charCodeAt(start + index))
  },
  char: (args) => [
    args.values.map((_, index) => String.fromCharCode(args.integer(index + 1) & 255)).join(''),
  ],
  find: (args) => find(args, true),
  format: (args) => [format(args)],
  gmatch: (args) => {
    const text = args.text(1)
    const matcher = new Matcher(args.machine, text, args.text(2))
    let at = 0
    const next = (): LuaValue[] => {
      const found = at > text.length ? undefined : matcher.find(at)
      if (found === undefined) return [undefined]
      at = found.end > found.start ? found.end : found.end + 1
      return whole(text, found)
    }
    return [new LuaFunction('gmatch_iterator', next)]
  },
  gsub: (args) => replace(args),
  len: (args) => [args.text(1).length],
  lower: (args) => [changeCase(args, /[A-Z]+/g, (part) => part.toLowerCase())],
  match: (args) => find(args, false),
  rep: (args) => {
    const text = args.text(1)
    const count = Math.max(0, args.integer(2))
    args.machine.allocate(text.length * count)
    return [text.repeat(count)]
  },
  reverse: (args) => [cost(args, args.text(1)).split('').reverse().join('')],
  sub: (args) => {
    const text = args.text(1)
    const [start, end] = range(text, args.integer(2), args.optionalInteger(3, -1))
    return [cost(args, text.slice(start, end))]
  },
  upper: (args) => [changeCase(args, /[a-z]+/g, (part) => part.toUpperCase())],
}

function cost(args: Arguments, text: string): string {
  args.machine.allocate(text.length)
  return text
}

function changeCase(args: Arguments, letters: RegExp, change: (part: string) => string): string {
  return cost(args, args.text(1)).replace(letters, change)
}

/** Lua's positions, from 1 or from the end, as a half-open range. */
function range(text: string, from: number, to: number): readonly [number, number] {
  const start = from < 0 ? Math.max(0, text.length + from) : Math.max(0, from - 1)
  const end = to < 0 ? text.length + to + 1 : Math.min(to, text.length)
  return [start, Math.max(start, end)]
}

function whole(text: string, { start, end, captures }: PatternMatch): LuaValue[] {
  return captures.length === 0 ? [text.slice(start, end)] : [...captures]
}

function find(args: Arguments, givesPlace: boolean): LuaValue[] {
  const text = args.text(1)
  const pattern = args.text(2)
  const init = args.optionalInteger(3, 1)
  const from = init < 0 ? Math.max(0, text.length + init) : Math.max(0, init - 1)
  if (from > text.length) return [undefined]
  args.machine.step(text.length)
  if (givesPlace && (isTrue(args.at(4)) || !/[\^$*+?.([%-]/.test(pattern))) {
    const place = text.indexOf(pattern, from)
    return place < 0 ? [undefined] : [place + 1, place + pattern.length]
  }
  const found = new Matcher(args.machine, text, pattern).find(from)
  if (found === undefined) return [undefined]
  if (!givesPlace) return whole(text, found)
  return [found.start + 1, found.end, ...found.captures]
}

function replace(args: Arguments): LuaValue[] {
  const { machine } = args
  const text = args.text(1)
  const pattern = args.text(2)
  const by = args.at(3)
  if (
    typeof by !== 'string' &&
    typeof by !== 'number' &&
    !(by instanceof LuaTable) &&
    !(by instanceof LuaFunction)
  ) {
    args.wrong(3, `string or table or function expected, got ${typeOf(by)}`)
  }
  const limit = args.optionalInteger(4, Number.POSITIVE_INFINITY)
  const matcher = new Matcher(machine, text, pattern)
  const isAnchored = pattern.startsWith('^')
  const parts: string[] = []
  let at = 0
  let copied = 0
  let count = 0
  while (count < limit && at <= text.length) {
    const found = matcher.find(at)
    if (found === undefined) break
    count++
    parts.push(text.slice(copied, found.start))
    const part = replacement(machine, text, found, by)
    machine.allocate(part.length + found.start - copied)
    parts.push(part)
    copied = found.end
    at = found.end > found.start ? found.end : found.end + 1
    if (isAnchored) break
  }
  parts.push(cost(args, text.slice(copied)))
  return [parts.join(''), count]
}

function replacement(machine: Machine, text: string, found: PatternMatch, by: LuaValue): string {
  const matched = text.slice(found.start, found.end)
  const values = whole(text, found)
  if (typeof by === 'string' || typeof by === 'number') {
    return machine.text(by).replace(/%([\s\S]?)/g, (_, letter: string) => {
      if (letter === '0') return matched
      if (letter < '1' || letter > '9') return letter
      const value = values[Number(letter) - 1]
      return value === undefined ? machine.fail('invalid capture index') : machine.text(value)
    })
  }
  const made =
    by instanceof LuaFunction ? machine.call(by, values)[0] : machine.index(by, values[0])
  if (made === undefined || made === false) return matched
  if (typeof made === 'string') return made
  if (typeof made === 'number') return numberText(made)
  return machine.fail(`invalid replacement value (a ${typeOf(made)})`)
}

/** `string.format`, the directives of C. */
function format(args: Arguments): string {
  const { machine } = args
  let position = 1
  return args
    .text(1)
    .replace(
      /%([-+ #0]*)(\d{0,2})(?:\.(\d{0,2}))?([\s\S]?)/g,
      (all, flags: string, width: string, precision: string | undefined, letter: string) => {
        if (letter === '%') return '%'
        position++
        const text = directive(args, position, letter, precision, flags)
        if (text === undefined) return machine.fail(`invalid option '${all}' to 'format'`)
        const padded = pad(text, flags, Number(width || '0'), 'diuoxXeEfgG'.includes(letter))
        return cost(args, padded)
      },
    )
}

function pad(text: string, flags: string, width: number, isNumber: boolean): string {
  if (text.length >= width) return text
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || !isNumber) return text.padStart(width)
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}

function directive(
  args: Arguments,
  position: number,
  letter: string,
  precision: string | undefined,
  flags: string,
): string | undefined {
  const digits = precision === undefined ? undefined : Number(precision || '0')
  const signed = (text: string, value: number): string =>
    value >= 0 && flags.includes('+') ? `+${text}` : text
  switch (letter) {
    case 'c':
      return String.fromCharCode(args.integer(position) & 255)
    case 'd':
    case 'i':
    case 'u': {
      const value = args.integer(position)
      return signed(numberText(value), value)
    }
    case 'o':
      return args.integer(position).toString(8)
    case 'x':
      return args.integer(position).toString(16)
    case 'X':
      return args.integer(position).toString(16).toUpperCase()
    case 'e':
    case 'E': {
      const value = args.number(position)
      const text = value.toExponential(digits ?? 6).replace(/e([+-])(\d)$/, 'e$10$2')
      return signed(letter === 'E' ? text.toUpperCase() : text, value)
    }
    case 'f': {
      const value = args.number(position)
      return signed(value.toFixed(digits ?? 6), value)
    }
    case 'g':
    case 'G': {
      const value = args.number(position)
      const text = general(value, digits ?? 6)
      return signed(letter === 'G' ? text.toUpperCase() : text, value)
    }
    case 'q':
      return `"${args.text(position).replace(/["\\\n]/g, '\\$&')}"`
    case 's': {
      const text = args.machine.text(args.any(position))
      return digits === undefined ? text : text.slice(0, digits)
    }
    default:
      return undefined
  }
}

function general(value: number, digits: number): string {
  if (value === 0 || !Number.isFinite(value)) return numberText(value)
  const exponent = Number(value.toExponential(Math.max(0, digits - 1)).split('e')[1])
  if (exponent >= -4 && exponent < Math.max(1, digits)) {
    return String(Number(value.toPrecision(Math.max(1, digits))))
  }
  const [mantissa, power] = value.toExponential(Math.max(0, digits - 1)).split('e') as [
    string,
    string,
  ]
  const short = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  return `${short}e${power[0]}${power.slice(1).padStart(2, '0')}`
}
