import { lowerRune, parseGoInt, trimSpace, upperRune } from '../../../text/index.ts'
import { pointAt, pointLength, pointList, pointSlice } from '../code-points.ts'
import { indexValue } from '../index-value.ts'
import { quoteString } from '../json-text.ts'
import { fail } from '../machine.ts'
import { toText } from '../manifest.ts'
import { checkString, equals, needInt, needNumber, needString } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, force, type Slot, Thunk, typeName, type Value, wrongType } from '../values.ts'
import { join } from './arrays.ts'
import { charText } from './code-point.ts'
import {
  type Arguments,
  type Definition,
  type Definitions,
  lazy,
  strict1,
  strict2,
  strict3,
} from './define.ts'
import { formatText } from './format.ts'
import { length } from './types.ts'

function textDefinition(
  parameter: string,
  fn: (text: string, caller: Caller) => Value,
): Definition {
  return strict1(parameter, (value, caller) => fn(needString(value, caller), caller))
}

/** std.stringChars takes whatever has a length; what cannot be indexed fails when an element is asked for. */
function characters(value: Value, caller: Caller): readonly Slot[] {
  if (typeof value === 'string') return pointList(value)
  if (value instanceof ArrayValue) return value.items
  const count = length(value, caller)
  return Array.from({ length: count }, (_, i) => new Thunk(() => indexValue(value, i, caller), []))
}

function codePoint(value: Value, caller: Caller): number {
  const text = needString(value, caller)
  const count = pointLength(text)
  if (count !== 1) fail(`codepoint takes a string of length 1, got length ${count}`, caller)
  return text.codePointAt(0)!
}

function asciiCase(from: string, change: (text: string) => string): Definition {
  const pattern = new RegExp(from, 'g')
  return lazy(['str'], ':77:19-34', (args) => {
    const value = args.get(0)
    if (typeof value === 'string') return value.replace(pattern, change)
    let out = ''
    for (const slot of characters(value, args.caller)) {
      const char = force(slot, args.caller)
      codePoint(char, args.caller)
      out += String(char).replace(pattern, change)
    }
    return out
  })
}

function substring(text: Value, from: Value, count: Value, caller: Caller): Value {
  const needs = (which: string, what: string, value: Value): never =>
    fail(`substr ${which} parameter should be a ${what}, got ${typeName(value)}`, caller)
  if (typeof text !== 'string') return needs('first', 'string', text)
  if (typeof from !== 'number') return needs('second', 'number', from)
  if (!Number.isInteger(from)) {
    fail(`substr second parameter should be an integer, got ${from.toFixed(6)}`, caller)
  }
  if (from < 0) {
    fail(`substr second parameter should be greater than zero, got ${from.toFixed(6)}`, caller)
  }
  if (typeof count !== 'number') return needs('third', 'number', count)
  if ((count | 0) !== count) {
    fail(`substr third parameter should be an integer, got ${count.toFixed(6)}`, caller)
  }
  if (count < 0) fail(`substr third parameter should be greater than zero, got ${count}`, caller)
  const total = pointLength(text)
  if (from > total) return ''
  return pointSlice(text, from, Math.min(from + count, total))
}

/** std.startsWith and std.endsWith; `start` finds where the second text would begin. */
function affix(start: (whole: number, part: number) => number): Definition {
  return lazy(['a', 'b'], ':52:7-38', (args) => {
    const { caller } = args
    const whole = args.get(0)
    const wholeLength = length(whole, caller)
    const part = args.get(1)
    const partLength = length(part, caller)
    if (wholeLength < partLength) return false
    const piece = substring(whole, start(wholeLength, partLength), partLength, caller)
    return equals(piece, part, caller)
  })
}

function isMember(set: Value, value: Value, caller: Caller): boolean {
  if (typeof set === 'string') return set.includes(needString(value, caller))
  if (!(set instanceof ArrayValue)) {
    return fail('std.member first argument must be an array or a string', caller)
  }
  for (let i = 0; i < set.items.length; i++) {
    if (equals(set.at(i, caller), value, caller)) return true
  }
  return false
}

function strip(left: boolean, right: boolean): Definition {
  return strict2(['str', 'chars'], (value, chars, caller) => {
    if (typeof value !== 'string') return wrongType(value, 'string', caller)
    let from = 0
    let to = pointLength(value)
    if (left) while (from < to && isMember(chars, pointAt(value, from), caller)) from++
    if (right) while (to > from && isMember(chars, pointAt(value, to - 1), caller)) to--
    return pointSlice(value, from, to)
  })
}

function splitArguments(
  name: string,
  text: Value,
  separator: Value,
  limit: Value,
  caller: Caller,
): readonly [string, string, number] {
  const whole = needString(text, caller)
  const cut = needString(separator, caller)
  const max = needInt(limit, caller)
  if (max < -1) {
    fail(`std.${name} third parameter should be -1 or non-negative, got ${max}`, caller)
  }
  if (cut === '') {
    fail(`std.${name} second parameter should have length 1 or greater, got 0`, caller)
  }
  return [whole, cut, max]
}

function splitLimit(text: Value, separator: Value, limit: Value, caller: Caller): Value {
  const [whole, cut, max] = splitArguments('splitLimit', text, separator, limit, caller)
  const parts = whole.split(cut)
  if (max !== -1 && parts.length > max + 1) {
    parts.push(parts.splice(max).join(cut))
  }
  return new ArrayValue(parts)
}

function splitLimitRight(text: Value, separator: Value, limit: Value, caller: Caller): Value {
  const [whole, cut, max] = splitArguments('splitLimitR', text, separator, limit, caller)
  const count = whole.split(cut).length - 1
  const parts: string[] = []
  let rest = whole
  for (let i = max === -1 ? count : Math.min(count, max); i > 0; i--) {
    const at = rest.lastIndexOf(cut)
    parts.push(rest.slice(at + cut.length))
    rest = rest.slice(0, at)
  }
  return new ArrayValue([...parts, rest].reverse())
}

function split(args: Arguments): Value {
  const { caller } = args
  const text = args.get(0)
  if (typeof text !== 'string') {
    return fail(`std.split first parameter must be a String, got ${typeName(text)}`, caller)
  }
  const separator = args.get(1)
  if (typeof separator !== 'string') {
    return fail(`std.split second parameter must be a String, got ${typeName(separator)}`, caller)
  }
  if (separator === '') {
    fail('std.split second parameter must have length 1 or greater, got 0', caller)
  }
  return splitLimit(text, separator, -1, caller)
}

/** Digits of the original accept what lies between 9 and A in ASCII, too. */
function natural(text: string, base: number, caller: Caller): number {
  let value = 0
  for (const char of pointList(text)) {
    const code = char.codePointAt(0)!
    const digit = code >= 97 ? code - 87 : code >= 65 ? code - 55 : code - 48
    if (digit < 0 || digit >= base) fail(`${text} is not a base ${base} integer`, caller)
    value = base * value + digit
  }
  return value
}

function parseBase(base: number, empty: string, place: string): Definition {
  return lazy(['str'], place, (args) => {
    const text = args.get(0)
    if (typeof text !== 'string') {
      return fail(`Expected string, got ${typeName(text)}`, args.caller)
    }
    if (text === '') fail(empty, args.caller)
    return natural(text, base, args.caller)
  })
}

function findSubstring(args: Arguments): Value {
  const { caller } = args
  const pattern = args.get(0)
  if (typeof pattern !== 'string') {
    const type = typeName(pattern)
    return fail(`findSubstr first parameter should be a string, got ${type}`, caller)
  }
  const text = args.get(1)
  if (typeof text !== 'string') {
    return fail(`findSubstr second parameter should be a string, got ${typeName(text)}`, caller)
  }
  const found: number[] = []
  if (pattern === '') return new ArrayValue(found)
  let points = 0
  let counted = 0
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
    points += pointLength(text.slice(counted, at))
    counted = at
    found.push(points)
  }
  return new ArrayValue(found)
}

/** Unicode's simple case folding. */
function folded(text: string): string {
  let out = ''
  for (const char of text) out += char === 'ı' || char === 'İ' ? char : lowerRune(upperRune(char))
  return out
}

const xml: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(fn: (text: string) => string, line: number): Definition {
  return lazy(['str_'], `:${line}`, (args) => {
    return checkString(fn(toText(args.get(0), args.caller)), args.caller)
  })
}

/** std.deepJoin: the texts of nested arrays in a row. */
export function deepJoin(value: Value, caller: Caller): string {
  if (typeof value === 'string') return value
  if (!(value instanceof ArrayValue)) {
    return fail(`Expected string or array, got ${typeName(value)}`, caller)
  }
  let out = ''
  for (let i = 0; i < value.items.length; i++) out += deepJoin(value.at(i, caller), caller)
  return checkString(out, caller)
}

export const strings: Definitions = {
  substr: strict3(['str', 'from', 'len'], substring),
  startsWith: affix(() => 0),
  endsWith: affix((whole, part) => whole - part),
  stripChars: strip(true, true),
  lstripChars: strip(true, false),
  rstripChars: strip(false, true),
  member: strict2(['arr', 'x'], isMember),
  trim: textDefinition('str', trimSpace),
  stringChars: lazy(['str'], ':77:19-34', (args) => {
    return new ArrayValue([...characters(args.get(0), args.caller)])
  }),
  split: lazy(['str', 'c'], ':(116:5)-(119:31)', split),
  splitLimit: strict3(['str', 'c', 'maxsplits'], splitLimit),
  splitLimitR: strict3(['str', 'c', 'maxsplits'], splitLimitRight),
  strReplace: strict3(['str', 'from', 'to'], (text, from, to, caller) => {
    const whole = needString(text, caller)
    const pattern = needString(from, caller)
    const replacement = needString(to, caller)
    if (pattern === '') fail("'from' string must not be zero length.", caller)
    const pieces = whole.split(pattern)
    const grown = whole.length + (pieces.length - 1) * replacement.length
    if (grown > whole.length * 2) checkString({ length: grown } as string, caller)
    return checkString(pieces.join(replacement), caller)
  }),
  asciiUpper: asciiCase('[a-z]', (text) => text.toUpperCase()),
  asciiLower: asciiCase('[A-Z]', (text) => text.toLowerCase()),
  isEmpty: textDefinition('str', (text) => text === ''),
  equalsIgnoreCase: strict2(['str1', 'str2'], (a, b, caller) => {
    const left = needString(a, caller)
    return folded(left) === folded(needString(b, caller))
  }),
  findSubstr: lazy(['pat', 'str'], ':1655:7-82', findSubstring),
  codepoint: strict1('str', codePoint),
  char: strict1('n', (n, caller) => charText(needNumber(n, caller), caller)),
  parseInt: textDefinition('str', (text, caller) => {
    const value = parseGoInt(text, 10)
    if (typeof value !== 'bigint') return fail(`${text} is not a base 10 integer`, caller)
    return Number(value)
  }),
  parseOctal: parseBase(8, 'Not an octal number: ""', ':108:5-22'),
  parseHex: parseBase(16, 'Not hexadecimal: ""', ':113:5-23'),
  lines: lazy(['arr'], ':339:20-30', (args) => {
    const value = args.get(0)
    if (value instanceof ArrayValue) {
      return join('\n', new ArrayValue([...value.items, '']), args.caller)
    }
    // arr + [''] in the original
    if (typeof value === 'string') return wrongType(value, 'array', args.caller)
    if (typeof value === 'number') return wrongType(new ArrayValue([]), 'number', args.caller)
    if (value !== null && typeof value === 'object' && typeName(value) === 'object') {
      return wrongType(new ArrayValue([]), 'object', args.caller)
    }
    return wrongType(value, undefined, args.caller)
  }),
  deepJoin: lazy(['arr'], ':347:7-63', (args) => deepJoin(args.get(0), args.caller)),
  format: lazy(['str', 'vals'], ':820:7-46', (args) => {
    const values = args.get(1)
    return formatText(args.get(0), values, args.caller)
  }),
  resolvePath: lazy(['f', 'r'], ':1632:5-80', (args) => {
    const { caller } = args
    const path = args.get(0)
    if (typeof path !== 'string') {
      return fail(`std.split first parameter must be a String, got ${typeName(path)}`, caller)
    }
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    return folder + needString(args.get(1), caller)
  }),
  escapeStringJson: strict1('str_', (value, caller) => quoteString(toText(value, caller))),
  escapeStringPython: lazy(['str'], ':1041:5-30', (args) => {
    return quoteString(toText(args.get(0), args.caller))
  }),
  escapeStringBash: escaped((text) => `'${text.replaceAll("'", "'\"'\"'")}'`, 1045),
  escapeStringDollars: escaped((text) => text.replaceAll('$', '$$$$'), 1049),
  escapeStringXML: escaped((text) => text.replace(/[<>&"']/g, (char) => xml[char]!), 1057),
}
