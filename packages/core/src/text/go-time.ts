import { quoteGo } from './go-quote.ts'
import { isNamedZone, zoneName } from './zone-names.ts'

/** Where a wall clock stands: a name and the seconds east of UTC at an instant. */
export interface Zone {
  readonly name: string
  at(unixSeconds: number): { readonly offset: number; readonly abbreviation: string }
}

/** An instant with a zone to show it in, as Go's time.Time without the monotonic clock. */
export interface GoTime {
  readonly unixSeconds: number
  /** 0 to 999,999,999. */
  readonly nanos: number
  readonly zone: Zone
}

/** Year, month and so on of an instant in its zone. */
export interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** 1 is the first of January. */
  readonly yearDay: number
  readonly offset: number
  readonly abbreviation: string
}

export const utc: Zone = { name: 'UTC', at: () => ({ offset: 0, abbreviation: 'UTC' }) }

/** The process zone of the Argo CD image. */
export const localZone: Zone = { name: 'Local', at: () => ({ offset: 0, abbreviation: 'UTC' }) }

/** time.Time{}: the first instant of year 1. */
export const zeroTime: GoTime = { unixSeconds: -62_135_596_800, nanos: 0, zone: utc }

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
export const weekdayNames: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]

/** A zone that never changes; the abbreviation is its name. */
export function fixedZone(name: string, offset: number): Zone {
  return { name, at: () => ({ offset, abbreviation: name }) }
}

const zones = new Map<string, Zone | undefined>()

/** time.LoadLocation by IANA name; undefined for an unknown one. '' and 'UTC' are UTC. */
export function loadZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc
  if (name === 'Local') return localZone
  if (!zones.has(name)) {
    if (zones.size > 1_000) zones.clear()
    zones.set(name, makeZone(name))
  }
  return zones.get(name)
}

function makeZone(name: string): Zone | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return undefined
  let wall: Intl.DateTimeFormat
  let label: Intl.DateTimeFormat
  try {
    const base = { timeZone: name, hourCycle: 'h23' } as const
    wall = new Intl.DateTimeFormat('en-US', {
      ...base,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      era: 'short',
    })
    label = new Intl.DateTimeFormat('en-US', { ...base, timeZoneName: 'short' })
  } catch {
    return undefined
  }
  return {
    name,
    at: (seconds) => {
      const date = new Date(seconds * 1000)
      const part: { [type: string]: string } = {}
      for (const { type, value } of wall.formatToParts(date)) part[type] = value
      const year = part['era'] === 'BC' ? 1 - Number(part['year']) : Number(part['year'])
      const local =
        daysFromCivil(year, Number(part['month']), Number(part['day'])) * 86_400 +
        Number(part['hour']) * 3600 +
        Number(part['minute']) * 60 +
        Number(part['second'])
      const offset = local - seconds
      const shown = label.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value
      return { offset, abbreviation: abbreviate(name, shown ?? '', offset) }
    },
  }
}

function abbreviate(name: string, shown: string, offset: number): string {
  // the mean time of a place, which clocks kept before there were zones
  if (offset % 900 !== 0) return 'LMT'
  const known = zoneName(name, offset)
  if (known !== undefined) return known
  if (!isNamedZone(name) && shown !== '' && !/^(GMT|UTC)/.test(shown)) return shown
  const hours = Math.trunc(Math.abs(offset) / 3600)
  const minutes = Math.trunc((Math.abs(offset) % 3600) / 60)
  return (offset < 0 ? '-' : '+') + two(hours) + (minutes === 0 ? '' : two(minutes))
}

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

function civilFromDays(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  }
}

/** The calendar fields of an instant in its zone. */
export function civilOf(time: GoTime): CivilTime {
  const { offset, abbreviation } = time.zone.at(time.unixSeconds)
  const local = time.unixSeconds + offset
  const days = Math.floor(local / 86_400)
  const rest = local - days * 86_400
  const date = civilFromDays(days)
  return {
    ...date,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(date.year, 1, 1) + 1,
    offset,
    abbreviation,
  }
}

/** time.Time.Add of a duration in nanoseconds. */
export function addNanos(time: GoTime, nanos: bigint): GoTime {
  const total = BigInt(time.unixSeconds) * 1_000_000_000n + BigInt(time.nanos) + nanos
  let seconds = total / 1_000_000_000n
  let rest = total % 1_000_000_000n
  if (rest < 0n) {
    rest += 1_000_000_000n
    seconds -= 1n
  }
  return { unixSeconds: Number(seconds), nanos: Number(rest), zone: time.zone }
}

/** Nanoseconds from `earlier` to `later`. */
export function nanosBetween(later: GoTime, earlier: GoTime): bigint {
  return (
    BigInt(later.unixSeconds - earlier.unixSeconds) * 1_000_000_000n +
    BigInt(later.nanos - earlier.nanos)
  )
}

/** time.Date: fields may be out of range and are normalised. */
export function dateInZone(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  nanos: number,
  zone: Zone,
): GoTime {
  const months = year * 12 + (month - 1)
  const y = Math.floor(months / 12)
  const wall =
    (daysFromCivil(y, months - y * 12 + 1, 1) + day - 1) * 86_400 +
    hour * 3600 +
    minute * 60 +
    second
  const guess = zone.at(wall).offset
  const offset = zone.at(wall - guess).offset
  return { unixSeconds: wall - offset, nanos, zone }
}

/** RFC 3339 with nanoseconds as time.Time marshals to JSON. */
export const layoutRfc3339Nano = '2006-01-02T15:04:05.999999999Z07:00'

function two(value: number): string {
  return String(value).padStart(2, '0')
}

const zonePattern = /^(?:[-Z]07:00:00|[-Z]070000|[-Z]07:00|[-Z]0700|[-Z]07)/
const tokenPattern =
  /^(?:2006|January|Jan|Monday|Mon|MST|002|01|02|03|04|05|06|15|__2|_2(?!006)|PM|pm|1|2|3|4|5)/

interface Chunk {
  /** Literal text before the token. */
  readonly prefix: string
  /** '' at the end of the layout. */
  readonly token: string
}

const layouts = new Map<string, readonly Chunk[]>()

/** Cuts a layout into literals and the parts of Go's reference time `Mon Jan 2 15:04:05 MST 2006`. */
function chunksOf(layout: string): readonly Chunk[] {
  const known = layouts.get(layout)
  if (known !== undefined) return known
  const out: Chunk[] = []
  let prefix = ''
  let i = 0
  while (i < layout.length) {
    const token = tokenAt(layout, i)
    if (token === '') prefix += layout[i++]
    else {
      out.push({ prefix, token })
      prefix = ''
      i += token.length
    }
  }
  out.push({ prefix, token: '' })
  if (layouts.size > 500) layouts.clear()
  layouts.set(layout, out)
  return out
}

function tokenAt(layout: string, at: number): string {
  const rest = layout.slice(at, at + 12)
  const char = rest[0]!
  if (char === '-' || char === 'Z') return zonePattern.exec(rest)?.[0] ?? ''
  if (char === '.' || char === ',') {
    const digits = /^[.,](0+|9+)(?![0-9])/.exec(layout.slice(at))
    return digits === null ? '' : digits[0]
  }
  if (rest.startsWith('_2006')) return ''
  const token = tokenPattern.exec(rest)?.[0] ?? ''
  // `Jan` and `Mon` only where the word ends
  if ((token === 'Jan' || token === 'Mon') && /^[a-z]/.test(rest.slice(3))) return ''
  return token
}

/** time.Time.Format. */
export function formatGoTime(time: GoTime, layout: string): string {
  const civil = civilOf(time)
  let out = ''
  for (const { prefix, token } of chunksOf(layout)) {
    out += prefix
    if (token !== '') out += formatToken(token, time, civil)
  }
  return out
}

function formatToken(token: string, time: GoTime, civil: CivilTime): string {
  const hour12 = civil.hour % 12 === 0 ? 12 : civil.hour % 12
  switch (token) {
    case '2006':
      return civil.year < 0
        ? '-' + String(-civil.year).padStart(4, '0')
        : String(civil.year).padStart(4, '0')
    case '06':
      return two(Math.max(0, civil.year % 100))
    case 'January':
      return monthNames[civil.month - 1]!
    case 'Jan':
      return monthNames[civil.month - 1]!.slice(0, 3)
    case '01':
      return two(civil.month)
    case '1':
      return String(civil.month)
    case 'Monday':
      return weekdayNames[civil.weekday]!
    case 'Mon':
      return weekdayNames[civil.weekday]!.slice(0, 3)
    case '02':
      return two(civil.day)
    case '2':
      return String(civil.day)
    case '_2':
      return String(civil.day).padStart(2, ' ')
    case '002':
      return String(civil.yearDay).padStart(3, '0')
    case '__2':
      return String(civil.yearDay).padStart(3, ' ')
    case '15':
      return two(civil.hour)
    case '03':
      return two(hour12)
    case '3':
      return String(hour12)
    case '04':
      return two(civil.minute)
    case '4':
      return String(civil.minute)
    case '05':
      return two(civil.second)
    case '5':
      return String(civil.second)
    case 'PM':
      return civil.hour >= 12 ? 'PM' : 'AM'
    case 'pm':
      return civil.hour >= 12 ? 'pm' : 'am'
    case 'MST':
      return civil.abbreviation === '' ? numericZone('-0700', civil.offset) : civil.abbreviation
    default:
      return token[0] === '.' || token[0] === ','
        ? fraction(token, time.nanos)
        : numericZone(token, civil.offset)
  }
}

function fraction(token: string, nanos: number): string {
  const digits = String(nanos)
    .padStart(9, '0')
    .slice(0, token.length - 1)
    .padEnd(token.length - 1, '0')
  if (token[1] === '0') return token[0] + digits
  const trimmed = digits.replace(/0+$/, '')
  return trimmed === '' ? '' : token[0] + trimmed
}

function numericZone(token: string, offset: number): string {
  if (token[0] === 'Z' && offset === 0) return 'Z'
  const magnitude = Math.abs(offset)
  const colon = token.includes(':') ? ':' : ''
  const parts = [two(Math.floor(magnitude / 3600))]
  if (token.length > 3) parts.push(two(Math.floor((magnitude % 3600) / 60)))
  if (token.length > 6) parts.push(two(magnitude % 60))
  return (offset < 0 ? '-' : '+') + parts.join(colon)
}

/** time.ParseError's text. */
export class TimeIssue {
  readonly message: string
  constructor(layout: string, value: string, element: string, rest: string, message: string) {
    this.message =
      message === ''
        ? `parsing time ${quoteGo(value)} as ${quoteGo(layout)}: cannot parse ${quoteGo(rest)} as ${quoteGo(element)}`
        : `parsing time ${quoteGo(value)}${message}`
  }
}

interface Draft {
  year: number
  month: number
  day: number
  yearDay: number
  hour: number
  minute: number
  second: number
  nanos: number
  pm: boolean | undefined
  utc: boolean
  offset: number | undefined
  zoneName: string
}

/** time.ParseInLocation. */
export function parseGoTime(layout: string, value: string, zone: Zone): GoTime | TimeIssue {
  const draft: Draft = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    pm: undefined,
    utc: false,
    offset: undefined,
    zoneName: '',
  }
  let rest = value
  const chunks = chunksOf(layout)
  for (const [index, { prefix, token }] of chunks.entries()) {
    const skipped = skipLiteral(rest, prefix)
    if (typeof skipped !== 'string') return new TimeIssue(layout, value, prefix, skipped.rest, '')
    rest = skipped
    if (token === '') {
      if (rest !== '')
        return new TimeIssue(layout, value, '', rest, `: extra text: ${quoteGo(rest)}`)
      break
    }
    const hold = rest
    const result = readToken(token, rest, draft, chunks[index + 1]!)
    if (result === undefined) return new TimeIssue(layout, value, token, hold, '')
    rest = result.rest
    if (result.outOfRange !== undefined) {
      return new TimeIssue(layout, value, token, rest, `: ${result.outOfRange} out of range`)
    }
  }
  return finish(draft, layout, value, rest, zone)
}

function finish(
  draft: Draft,
  layout: string,
  value: string,
  rest: string,
  zone: Zone,
): GoTime | TimeIssue {
  const issue = (message: string): TimeIssue => new TimeIssue(layout, value, '', rest, message)
  let { year, month, day, hour } = draft
  if (draft.pm === true && hour < 12) hour += 12
  else if (draft.pm === false && hour === 12) hour = 0
  if (draft.yearDay >= 0) {
    const limit = daysFromCivil(year + 1, 1, 1) - daysFromCivil(year, 1, 1)
    if (draft.yearDay < 1 || draft.yearDay > limit) return issue(': day-of-year out of range')
    const date = civilFromDays(daysFromCivil(year, 1, 1) + draft.yearDay - 1)
    if (month >= 0 && month !== date.month) return issue(': day-of-year does not match month')
    if (day >= 0 && day !== date.day) return issue(': day-of-year does not match day')
    month = date.month
    day = date.day
  }
  if (month < 0) month = 1
  if (day < 0) day = 1
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)
  if (day < 1 || day > next - daysFromCivil(year, month, 1)) return issue(': day out of range')
  const make = (where: Zone): GoTime =>
    dateInZone(year, month, day, hour, draft.minute, draft.second, draft.nanos, where)
  if (draft.utc) return make(utc)
  if (draft.offset !== undefined) {
    const time = make(fixedZone(draft.zoneName, draft.offset))
    const local = zone.at(time.unixSeconds)
    const same =
      local.offset === draft.offset &&
      (draft.zoneName === '' || draft.zoneName === local.abbreviation)
    return same ? { ...time, zone } : time
  }
  if (draft.zoneName !== '') {
    const time = make(zone)
    if (zone.at(time.unixSeconds).abbreviation === draft.zoneName) return time
    const gmt = /^GMT([+-]\d+)$/.exec(draft.zoneName)
    return make(fixedZone(draft.zoneName, gmt === null ? 0 : Number(gmt[1]) * 3600))
  }
  return make(zone)
}

/** Removes a literal; a run of spaces in the layout matches any run of spaces in the value. */
function skipLiteral(value: string, prefix: string): string | { readonly rest: string } {
  let rest = value
  let i = 0
  while (i < prefix.length) {
    if (prefix[i] === ' ') {
      if (rest !== '' && rest[0] !== ' ') return { rest }
      while (prefix[i] === ' ') i++
      rest = rest.replace(/^ +/, '')
      continue
    }
    if (rest[0] !== prefix[i]) return { rest }
    i++
    rest = rest.slice(1)
  }
  return rest
}

interface TokenResult {
  readonly rest: string
  readonly outOfRange?: string | undefined
}

function readNumber(
  rest: string,
  fixed: boolean,
  low: number,
  high: number,
  what: string,
  store: (n: number) => void,
): TokenResult | undefined {
  const match = (fixed ? /^\d\d/ : /^\d\d?/).exec(rest)
  if (match === null) return undefined
  const value = Number(match[0])
  store(value)
  return {
    rest: rest.slice(match[0].length),
    outOfRange: value < low || value > high ? what : undefined,
  }
}

function readName(
  rest: string,
  names: readonly string[],
  store: (index: number) => void,
): TokenResult | undefined {
  const index = names.findIndex(
    (name) => rest.slice(0, name.length).toLowerCase() === name.toLowerCase(),
  )
  if (index === -1) return undefined
  store(index)
  return { rest: rest.slice(names[index]!.length) }
}

function readToken(
  token: string,
  rest: string,
  draft: Draft,
  next: Chunk,
): TokenResult | undefined {
  const short = (names: readonly string[]): readonly string[] =>
    names.map((name) => name.slice(0, 3))
  switch (token) {
    case '2006':
      if (!/^\d{4}/.test(rest)) return undefined
      draft.year = Number(rest.slice(0, 4))
      return { rest: rest.slice(4) }
    case '06':
      // read as an integer, which may have a sign
      if (!/^[+\d-]\d/.test(rest)) return undefined
      draft.year = Number(rest.slice(0, 2)) + (Number(rest.slice(0, 2)) >= 69 ? 1900 : 2000)
      return { rest: rest.slice(2) }
    case 'January':
      return readName(rest, monthNames, (index) => (draft.month = index + 1))
    case 'Jan':
      return readName(rest, short(monthNames), (index) => (draft.month = index + 1))
    case '1':
    case '01':
      return readNumber(rest, token === '01', 1, 12, 'month', (n) => (draft.month = n))
    case 'Monday':
      return readName(rest, weekdayNames, () => undefined)
    case 'Mon':
      return readName(rest, short(weekdayNames), () => undefined)
    case '2':
    case '_2':
    case '02':
      return readNumber(
        token === '_2' ? rest.replace(/^ /, '') : rest,
        token === '02',
        0,
        99,
        'day',
        (n) => (draft.day = n),
      )
    case '002':
    case '__2': {
      const text = token === '__2' ? rest.replace(/^ {1,2}/, '') : rest
      const match = (token === '002' ? /^\d{3}/ : /^\d{1,3}/).exec(text)
      if (match === null) return undefined
      draft.yearDay = Number(match[0])
      return { rest: text.slice(match[0].length) }
    }
    case '15':
      return readNumber(rest, false, 0, 23, 'hour', (n) => (draft.hour = n))
    case '3':
    case '03':
      return readNumber(rest, token === '03', 0, 12, 'hour', (n) => (draft.hour = n))
    case '4':
    case '04':
      return readNumber(rest, token === '04', 0, 59, 'minute', (n) => (draft.minute = n))
    case '5':
    case '05': {
      const result = readNumber(rest, token === '05', 0, 59, 'second', (n) => (draft.second = n))
      const extra = /^[.,](\d+)/.exec(result?.rest ?? '')
      const wanted = next.prefix === '' && /^[.,]/.test(next.token)
      if (result === undefined || result.outOfRange !== undefined || extra === null || wanted)
        return result
      draft.nanos = nanosOf(extra[1]!)
      return { rest: result.rest.slice(extra[0].length) }
    }
    case 'PM':
    case 'pm': {
      const word = rest.slice(0, 2)
      if (word === token) draft.pm = true
      else if (word === (token === 'PM' ? 'AM' : 'am')) draft.pm = false
      else return undefined
      return { rest: rest.slice(2) }
    }
    case 'MST':
      return readZoneName(rest, draft)
    default:
      return token[0] === '.' || token[0] === ','
        ? readFraction(token, rest, draft)
        : readOffset(token, rest, draft)
  }
}

function nanosOf(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'))
}

function readFraction(token: string, rest: string, draft: Draft): TokenResult | undefined {
  const match = /^[.,](\d+)/.exec(rest)
  if (token[1] === '9') {
    if (match === null) return { rest }
    draft.nanos = nanosOf(match[1]!)
    return { rest: rest.slice(match[0].length) }
  }
  const size = token.length
  if (match === null || match[0].length < size) return undefined
  draft.nanos = nanosOf(rest.slice(1, size))
  return { rest: rest.slice(size) }
}

function readOffset(token: string, rest: string, draft: Draft): TokenResult | undefined {
  if (token[0] === 'Z' && rest[0] === 'Z') {
    draft.utc = true
    return { rest: rest.slice(1) }
  }
  const shape = token.slice(1).replace(/\d\d/g, '(\\d\\d)')
  const match = new RegExp(`^([+-])${shape}`).exec(rest)
  if (match === null) return undefined
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)]
  draft.offset = (hours * 3600 + minutes * 60 + seconds) * (match[1] === '-' ? -1 : 1)
  const outOfRange =
    seconds > 60 ? 'second' : minutes > 60 ? 'minute' : hours > 24 ? 'hour' : undefined
  return {
    rest: rest.slice(match[0].length),
    outOfRange: outOfRange === undefined ? undefined : `time zone offset ${outOfRange}`,
  }
}

function readZoneName(rest: string, draft: Draft): TokenResult | undefined {
  if (rest.startsWith('UTC')) {
    draft.utc = true
    return { rest: rest.slice(3) }
  }
  const match = /^(?:ChST|MeST|GMT(?:[+-]\d{1,2})?|[+-]\d\d(?:\d\d)?|[A-Z]{5}|[A-Z]{3,4})/.exec(
    rest,
  )
  if (match === null) return undefined
  const name = match[0]
  if (/^[A-Z]{5}$/.test(name) && name[4] !== 'T') return undefined
  if (/^[A-Z]{4}$/.test(name) && name[3] !== 'T' && name !== 'WITA') return undefined
  draft.zoneName = name
  return { rest: rest.slice(name.length) }
}
