import type { Json } from '../../json/index.ts'
import {
  civilOf,
  dateInZone,
  type GoTime,
  monthNames,
  utc,
  weekdayNames,
} from '../../text/index.ts'
import type { JqFunctions } from './native.ts'
import { cannotApply } from './paths.ts'
import { isNumber, JqError, preview, toInteger } from './values.ts'

// Broken-down time is [year, month from 0, day, hour, minute, second with fraction, weekday, day of the year from 0].

function brokenDown(seconds: number): Json {
  const whole = Math.trunc(seconds)
  const nanos = Math.trunc((seconds - Math.floor(seconds)) * 1e9)
  const time = civilOf({ unixSeconds: whole, nanos, zone: utc })
  return [
    time.year,
    time.month - 1,
    time.day,
    time.hour,
    time.minute,
    time.second + nanos / 1e9,
    time.weekday,
    time.yearDay - 1,
  ]
}

function instantOf(name: string, value: Json, args: readonly Json[]): GoTime {
  if (!Array.isArray(value)) throw cannotApply(name, args, value)
  const shown = args.length === 0 ? name : `${name}(${args.map(preview).join('; ')})`
  const numbers = (value as readonly Json[]).slice(0, 8).map((item) => {
    if (isNumber(item)) return item
    throw new JqError(
      `${shown} cannot be applied to ${preview(value)}: expected an array of 8 numbers`,
    )
  })
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbers.map((n) => toInteger(n)!)
  const second = Number(numbers[5] ?? 0)
  const nanos = Math.trunc((second - Math.floor(second)) * 1e9)
  return dateInZone(year, month + 1, day, hour, minute, Math.trunc(second), nanos, utc)
}

function epochOf(time: GoTime): number {
  return time.unixSeconds + time.nanos / 1e9
}

interface Shape {
  readonly width: number
  /** What fills up numbers and words; '' for nothing. */
  readonly fill: string | undefined
  readonly letters: 'as they are' | 'upper' | 'other'
}

const shortcuts: { readonly [letter: string]: string } = {
  c: '%a %b %e %H:%M:%S %Y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
  v: '%e-%b-%Y',
  r: '%I:%M:%S %p',
  F: '%Y-%m-%d',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  h: '%b',
}

function formatTime(time: GoTime, format: string): string {
  return format.replace(
    /%([-_0^#]*)(\d*)(:{0,3}z|.)/gs,
    (all, flags: string, width: string, letter: string) => {
      const shortcut = Object.hasOwn(shortcuts, letter) ? shortcuts[letter] : undefined
      if (shortcut !== undefined) return formatTime(time, shortcut)
      const last = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0]
      return (
        directive(time, letter, {
          width: Math.min(Number(width), 1024),
          fill: last === '-' ? '' : last === '_' ? ' ' : last,
          letters: flags.includes('^') ? 'upper' : flags.includes('#') ? 'other' : 'as they are',
        }) ?? all
      )
    },
  )
}

function directive(time: GoTime, letter: string, shape: Shape): string | undefined {
  const civil = civilOf(time)
  const number = (value: number, width: number, fill = '0'): string => {
    const digits = String(Math.abs(value))
    const by = shape.fill ?? fill
    const sign = value < 0 ? '-' : ''
    if (by === '') return sign + digits
    const wide = Math.max(shape.width || width, 0) - sign.length
    return by === '0'
      ? sign + digits.padStart(wide, '0')
      : (sign + digits).padStart(wide + sign.length, by)
  }
  const word = (value: string): string => {
    const other = value === 'AM' || value === 'PM' ? value.toLowerCase() : value.toUpperCase()
    const written =
      shape.letters === 'upper' ? value.toUpperCase() : shape.letters === 'other' ? other : value
    return shape.fill === '' ? written : written.padStart(shape.width, shape.fill ?? ' ')
  }
  const weekday = weekdayNames[civil.weekday]!
  const month = monthNames[civil.month - 1]!
  switch (letter) {
    case 'Y':
      return number(civil.year, 4)
    case 'y':
      return number(Math.abs(civil.year % 100), 2)
    case 'C':
      return number(Math.trunc(civil.year / 100), 2)
    case 'G':
      return number(isoWeek(time).year, 4)
    case 'g':
      return number(Math.abs(isoWeek(time).year % 100), 2)
    case 'V':
      return number(isoWeek(time).week, 2)
    case 'm':
      return number(civil.month, 2)
    case 'B':
      return word(month)
    case 'b':
      return word(month.slice(0, 3))
    case 'A':
      return word(weekday)
    case 'a':
      return word(weekday.slice(0, 3))
    case 'w':
      return number(civil.weekday, 1)
    case 'u':
      return number(civil.weekday || 7, 1)
    case 'U':
      return number(Math.floor((civil.yearDay + 6 - civil.weekday) / 7), 2)
    case 'W':
      return number(Math.floor((civil.yearDay + 6 - ((civil.weekday + 6) % 7)) / 7), 2)
    case 'd':
      return number(civil.day, 2)
    case 'e':
      return number(civil.day, 2, ' ')
    case 'j':
      return number(civil.yearDay, 3)
    case 'H':
      return number(civil.hour, 2)
    case 'k':
      return number(civil.hour, 2, ' ')
    case 'I':
      return number(civil.hour % 12 || 12, 2)
    case 'l':
      return number(civil.hour % 12 || 12, 2, ' ')
    case 'p':
      return word(civil.hour < 12 ? 'AM' : 'PM')
    case 'P':
      return civil.hour < 12 ? 'am' : 'pm'
    case 'M':
      return number(civil.minute, 2)
    case 'S':
      return number(civil.second, 2)
    case 's':
      return number(time.unixSeconds, 1, ' ')
    case 'f':
      return number(Math.trunc(time.nanos / 1000), 6)
    case 'Z':
      return word('UTC')
    case 'z':
      return '+0000'
    case ':z':
      return '+00:00'
    case '::z':
      return '+00:00:00'
    case ':::z':
      return '+00'
    case 't':
      return '\t'
    case 'n':
      return '\n'
    case '%':
      return '%'
    default:
      return undefined
  }
}

/** The week that holds the Thursday of the same week, and its year. */
function isoWeek(time: GoTime): { readonly year: number; readonly week: number } {
  const { weekday } = civilOf(time)
  const thursday = civilOf({
    ...time,
    unixSeconds: time.unixSeconds + (4 - (weekday || 7)) * 86_400,
  })
  return { year: thursday.year, week: Math.floor((thursday.yearDay - 1) / 7) + 1 }
}

interface Parsed {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  nanos: number
  offset: number
  afternoon: boolean
  yearDay: number
}

type Read = (parsed: Parsed, found: string) => void

function digits(
  count: number,
  low: number,
  high: number,
  read: (parsed: Parsed, n: number) => void,
): readonly [RegExp, Read] {
  return [
    new RegExp(`\\d{1,${count}}`, 'y'),
    (parsed, found) => {
      const value = Number(found)
      if (value < low || value > high) throw new RangeError(found)
      read(parsed, value)
    },
  ]
}

function oneOf(
  names: readonly string[],
  read: (parsed: Parsed, nth: number) => void,
): readonly [RegExp, Read] {
  return [
    new RegExp(names.join('|'), 'iy'),
    (parsed, found) =>
      read(
        parsed,
        names.findIndex((name) => name.toLowerCase() === found.toLowerCase()),
      ),
  ]
}

const short = (names: readonly string[]): readonly string[] => names.map((name) => name.slice(0, 3))
const ignored: Read = () => {}

const readers: { readonly [letter: string]: readonly [RegExp, Read] } = {
  Y: [
    /-?\d{1,4}/y,
    (parsed, found) => {
      parsed.year = Number(found)
    },
  ],
  y: digits(2, 0, 99, (parsed, n) => {
    parsed.year = n < 69 ? 2000 + n : 1900 + n
  }),
  m: digits(2, 1, 12, (parsed, n) => {
    parsed.month = n
  }),
  B: oneOf(monthNames, (parsed, n) => {
    parsed.month = n + 1
  }),
  b: oneOf(short(monthNames), (parsed, n) => {
    parsed.month = n + 1
  }),
  A: oneOf(weekdayNames, ignored as never),
  a: oneOf(short(weekdayNames), ignored as never),
  w: digits(1, 0, 6, () => {}),
  u: digits(1, 1, 7, () => {}),
  d: digits(2, 1, 31, (parsed, n) => {
    parsed.day = n
  }),
  e: [
    / ?\d{1,2}/y,
    (parsed, found) => {
      parsed.day = Number(found)
    },
  ],
  j: digits(3, 1, 366, (parsed, n) => {
    parsed.yearDay = n
  }),
  H: digits(2, 0, 23, (parsed, n) => {
    parsed.hour = n
  }),
  k: [
    / ?\d{1,2}/y,
    (parsed, found) => {
      parsed.hour = Number(found)
    },
  ],
  I: digits(2, 1, 12, (parsed, n) => {
    parsed.hour = n % 12
  }),
  l: [
    / ?\d{1,2}/y,
    (parsed, found) => {
      parsed.hour = Number(found) % 12
    },
  ],
  p: oneOf(['AM', 'PM'], (parsed, n) => {
    parsed.afternoon = n === 1
  }),
  P: oneOf(['AM', 'PM'], (parsed, n) => {
    parsed.afternoon = n === 1
  }),
  M: digits(2, 0, 59, (parsed, n) => {
    parsed.minute = n
  }),
  S: digits(2, 0, 60, (parsed, n) => {
    parsed.second = n
  }),
  f: [
    /\d{1,6}/y,
    (parsed, found) => {
      parsed.nanos = Number(found.padEnd(6, '0')) * 1000
    },
  ],
  s: [
    /-?\d{1,19}/y,
    (parsed, found) => {
      const time = civilOf({ unixSeconds: Number(found), nanos: 0, zone: utc })
      const { year, month, day, hour, minute, second } = time
      Object.assign(parsed, { year, month, day, hour, minute, second })
    },
  ],
  Z: [/UTC|GMT|Z/y, ignored],
  z: [
    /Z|[-+]\d\d(?::?\d\d(?::?\d\d)?)?/y,
    (parsed, found) => {
      if (found === 'Z') return
      const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).match(/\d\d/g)!.map(Number)
      parsed.offset = (found[0] === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds)
    },
  ],
  t: [/[ \t\n\v\f\r]+/y, ignored],
  n: [/[ \t\n\v\f\r]+/y, ignored],
  '%': [/%/y, ignored],
}

function expand(format: string): string {
  return format.replace(/%(.)/gs, (all, letter: string) =>
    Object.hasOwn(shortcuts, letter) ? shortcuts[letter]! : all,
  )
}

/** Reads a time, or tells what is wrong. */
function parseTime(source: string, format: string): GoTime | string {
  const parsed: Parsed = {
    ...{ year: 1900, month: 1, day: 0, hour: 0, minute: 0, second: 0, nanos: 0, offset: 0 },
    ...{ afternoon: false, yearDay: 0 },
  }
  let at = 0
  for (const [piece, colons, letter] of expand(format).matchAll(/%(:{0,3})(.)|[^%]/gs)) {
    if (letter === undefined) {
      if (!source.startsWith(piece, at)) return `expected ${JSON.stringify(piece)}`
      at += piece.length
      continue
    }
    const reader = Object.hasOwn(readers, letter) ? readers[letter] : undefined
    if (reader === undefined || (colons !== '' && letter !== 'z')) {
      return `unexpected format "%${letter}"`
    }
    const [pattern, read] = reader
    pattern.lastIndex = at
    const found = pattern.exec(source)?.[0]
    try {
      if (found === undefined) return `cannot parse "%${letter}"`
      read(parsed, found)
    } catch (error) {
      if (error instanceof RangeError) return `cannot parse "%${letter}"`
      throw error
    }
    at += found.length
  }
  if (at < source.length) return `unparsed string ${JSON.stringify(source.slice(at))}`
  const { year, month, day, hour, minute, second, nanos, offset, afternoon, yearDay } = parsed
  const [m, d] = day === 0 && yearDay > 0 ? [1, yearDay] : [month, day || 1]
  return dateInZone(year, m, d, hour + (afternoon ? 12 : 0), minute, second - offset, nanos, utc)
}

function strptime(value: Json, format: Json): Json {
  if (typeof value !== 'string' || typeof format !== 'string') {
    throw cannotApply('strptime', [format], value)
  }
  const time = parseTime(value, format)
  if (typeof time !== 'string') return brokenDown(epochOf(time))
  throw new JqError(
    `strptime(${preview(format)}) cannot be applied to ${preview(value)}: failed to parse ${JSON.stringify(value)} with ${JSON.stringify(format)}: ${time}`,
  )
}

function strftime(name: string): (value: Json, format: Json) => Json {
  return (value, format) => {
    const broken = isNumber(value) ? brokenDown(Number(value)) : value
    if (!Array.isArray(broken) || typeof format !== 'string') {
      throw cannotApply(name, [format], value)
    }
    return formatTime(instantOf(name, broken, [format]), format)
  }
}

function fromEpoch(name: string): (value: Json) => Json {
  return (value) => {
    if (!isNumber(value)) throw cannotApply(name, [], value)
    return brokenDown(Number(value))
  }
}

// The local zone is UTC, as in Argo CD's image; there is no clock, so `now` is not defined.
export const dateFunctions: JqFunctions = {
  'gmtime/0': fromEpoch('gmtime'),
  'localtime/0': fromEpoch('localtime'),
  'mktime/0': (value) => epochOf(instantOf('mktime', value, [])),
  'strftime/1': (value, [format]) => strftime('strftime')(value, format!),
  'strflocaltime/1': (value, [format]) => strftime('strflocaltime')(value, format!),
  'strptime/1': (value, [format]) => strptime(value, format!),
}
