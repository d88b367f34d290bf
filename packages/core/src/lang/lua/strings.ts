import { type Arguments, type Library, register } from './arguments.ts'
import { fromBytes, toBytes } from './convert.ts'
import { formatText } from './format.ts'
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
  format: (args) => [cost(args, formatText(args.machine, args.text(1), args.values.slice(1)))],
  gmatch: (args) => {
    const text = args.text(1)
    const matcher = new Matcher(args.machine, text, args.text(2))
    let at = 0
    const isAnchored = args.text(2).startsWith('^')
    const next = (): LuaValue[] => {
      const found = at > text.length ? undefined : matcher.find(at)
      if (found === undefined) return [undefined]
      at = isAnchored ? text.length + 1 : found.end > found.start ? found.end : found.end + 1
      return whole(text, found)
    }
    return [new LuaFunction('gmatch_iterator', next)]
  },
  gsub: (args) => replace(args),
  len: (args) => [args.text(1).length],
  lower: (args) => [changeCase(args, (char) => char.toLowerCase())],
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
  upper: (args) => [changeCase(args, (char) => char.toUpperCase())],
}

function cost(args: Arguments, text: string): string {
  args.machine.allocate(text.length)
  return text
}

/** Letter by letter: what becomes two stays one. */
function changeCase(args: Arguments, change: (char: string) => string): string {
  const text = cost(args, args.text(1))
  if (/^[\0-\x7f]*$/.test(text)) return change(text)
  const changed = Array.from(fromBytes(text), (char) => {
    const other = change(char)
    return [...other].length === 1 ? other : char
  })
  return toBytes(changed.join(''))
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
  if (from > text.length) return givesPlace ? [undefined] : []
  args.machine.step(text.length)
  if (givesPlace && (isTrue(args.at(4)) || !/[\^$*+?.([%-]/.test(pattern))) {
    const place = text.indexOf(pattern, from)
    return place < 0 ? [undefined] : [place + 1, place + pattern.length]
  }
  const found = new Matcher(args.machine, text, pattern).find(from)
  if (found === undefined) return givesPlace ? [undefined] : []
  if (!givesPlace) return whole(text, found)
  return [found.start + 1, found.end, ...found.captures]
}

function replace(args: Arguments): LuaValue[] {
  const { machine } = args
  const text = args.text(1)
  const pattern = args.text(2)
  const by = args.at(3)
  if (typeof by !== 'string' && !(by instanceof LuaTable) && !(by instanceof LuaFunction)) {
    args.wrong(3, `string or table or function expected, got ${typeOf(by)}`)
  }
  const given = args.optionalInteger(4, -1)
  const limit = given <= 0 ? Number.POSITIVE_INFINITY : given
  const matcher = new Matcher(machine, text, pattern)
  const isAnchored = pattern.startsWith('^')
  const parts: string[] = []
  let at = 0
  let copied = 0
  let count = 0
  while (count < limit && at <= text.length) {
    const found = matcher.find(at)
    if (found === undefined) break
    // Parity: a limit of 0 is none, unless there is no match at the very beginning
    if (given === 0 && count === 0 && found.start > 0) break
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
  if (typeof by === 'string') {
    return by.replace(/%([\s\S]?)/g, (_, letter: string) => {
      if (letter === '') return '%'
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
