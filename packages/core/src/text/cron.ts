import { zoneOffsetMs } from './zone.ts'

/** A parsed schedule. Each set holds the values at which the field matches. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Both day fields are restricted, so that either one is enough. */
  readonly eitherDay: boolean
  /** Of a `TZ=` prefix: the schedule is read on the clocks of that zone. */
  readonly zone?: string
}

export type ParsedCron = { readonly schedule: CronSchedule } | { readonly error: string }

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdayNames = 'sun mon tue wed thu fri sat'.split(' ')
const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: monthNames },
  { min: 0, max: 6, names: weekdayNames },
]

/**
 * A schedule of five fields: minute, hour, day of month, month, day of week. `*`, `?`, numbers, names, ranges, lists and
 * steps; no seconds, no `@daily`, and Sunday is 0 only. Errors are the texts of the parser that Argo CD uses.
 *
 * Source: github.com/robfig/cron v3.0.2-0.20210106135023 parser.go, as argo-cd v3.5.1 sets it up
 */
export function parseCron(text: string): ParsedCron {
  if (text === '') return { error: 'empty spec string' }
  let rest = text
  let zone: string | undefined
  const prefix = /^(?:CRON_)?TZ=(\S*)/.exec(text)
  if (prefix !== null) {
    zone = prefix[1] ?? ''
    if (zoneOffsetMs(zone, 0) === undefined) {
      return { error: `provided bad location ${zone}: unknown time zone ${zone}` }
    }
    rest = text.slice(prefix[0].length).trim()
  }
  if (rest.startsWith('@')) return { error: `parser does not accept descriptors: ${rest}` }
  const fields = rest.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== 5) {
    return { error: `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]` }
  }
  const parsed: Field[] = []
  for (const [i, field] of fields.entries()) {
    const one = parseField(field, bounds[i]!)
    if ('error' in one) return one
    parsed.push(one)
  }
  const [minutes, hours, days, months, weekdays] = parsed as [Field, Field, Field, Field, Field]
  return {
    schedule: {
      minutes: minutes.values,
      hours: hours.values,
      days: days.values,
      months: months.values,
      weekdays: weekdays.values,
      eitherDay: !days.star && !weekdays.star,
      ...(zone === undefined ? {} : { zone }),
    },
  }
}

interface Field {
  readonly values: ReadonlySet<number>
  /** Some item was `*` or `?` without a step above 1. */
  readonly star: boolean
}

function parseField(text: string, limits: Bounds): Field | { readonly error: string } {
  const values = new Set<number>()
  let star = false
  for (const item of text.split(',')) {
    if (item === '') continue
    const range = parseRange(item, limits)
    if ('error' in range) return range
    for (let value = range.start; value <= range.end; value += range.step) values.add(value)
    star ||= range.star
  }
  return { values, star }
}

interface Range {
  readonly start: number
  readonly end: number
  readonly step: number
  readonly star: boolean
}

function parseRange(text: string, limits: Bounds): Range | { readonly error: string } {
  const [span = '', stepText, ...surplus] = text.split('/')
  const [low = '', high, ...more] = span.split('-')
  let start: number
  let end: number
  let star = false
  if (low === '*' || low === '?') {
    ;[start, end, star] = [limits.min, limits.max, true]
  } else {
    const first = parseValue(low, limits.names)
    if (typeof first !== 'number') return first
    if (more.length > 0) return { error: `too many hyphens: ${text}` }
    const last = high === undefined ? first : parseValue(high, limits.names)
    if (typeof last !== 'number') return last
    ;[start, end] = [first, last]
  }
  let step = 1
  if (surplus.length > 0) return { error: `too many slashes: ${text}` }
  if (stepText !== undefined) {
    const parsed = parseValue(stepText, undefined)
    if (typeof parsed !== 'number') return parsed
    step = parsed
    // `5/15` means `5-max/15`
    if (high === undefined) end = limits.max
    if (step > 1) star = false
  }
  if (start < limits.min) {
    return { error: `beginning of range (${start}) below minimum (${limits.min}): ${text}` }
  }
  if (end > limits.max) {
    return { error: `end of range (${end}) above maximum (${limits.max}): ${text}` }
  }
  if (start > end) {
    return { error: `beginning of range (${start}) beyond end of range (${end}): ${text}` }
  }
  if (step === 0) return { error: `step of range should be a positive number: ${text}` }
  return { start, end, step, star }
}

function parseValue(
  text: string,
  names: readonly string[] | undefined,
): number | { readonly error: string } {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  if (named !== -1) return names === monthNames ? named + 1 : named
  if (!/^[+-]?\d+$/.test(text)) {
    return {
      error: `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`,
    }
  }
  const value = Number(text)
  if (Math.abs(value) >= 2 ** 63) {
    return {
      error: `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": value out of range`,
    }
  }
  if (value < 0) return { error: `negative number (${value}) not allowed: ${text}` }
  return value
}

const dayMs = 86_400_000

/**
 * The first instant after `at` (strictly, in whole minutes) at which the schedule fires, in milliseconds; undefined when
 * there is none within the five calendar years after `at`. Read on UTC's clock unless the schedule has a zone.
 */
export function nextCron(schedule: CronSchedule, at: number): number | undefined {
  const zone = schedule.zone ?? ''
  const face = at + (zoneOffsetMs(zone, at) ?? 0)
  const found = nextOnFace(schedule, face)
  if (found === undefined || zone === '') return found
  // the offset at the place found may be another one than at `at`
  const guess = found - (zoneOffsetMs(zone, found) ?? 0)
  return found - (zoneOffsetMs(zone, guess) ?? 0)
}

function nextOnFace(schedule: CronSchedule, at: number): number | undefined {
  const earliest = (Math.floor(at / 60_000) + 1) * 60_000
  const lastYear = new Date(Math.floor(at / 1_000 + 1) * 1_000).getUTCFullYear() + 5
  let day = Math.floor(earliest / dayMs) * dayMs
  let from = (earliest - day) / 60_000
  for (;;) {
    const date = new Date(day)
    if (date.getUTCFullYear() > lastYear) return undefined
    if (!schedule.months.has(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
      from = 0
      continue
    }
    if (dayMatches(schedule, date)) {
      const minute = minuteFrom(schedule, from)
      if (minute !== undefined) return day + minute * 60_000
    }
    day += dayMs
    from = 0
  }
}

function dayMatches(schedule: CronSchedule, date: Date): boolean {
  const byDay = schedule.days.has(date.getUTCDate())
  const byWeekday = schedule.weekdays.has(date.getUTCDay())
  return schedule.eitherDay ? byDay || byWeekday : byDay && byWeekday
}

/** The first matching minute of the day that is not before `from`. */
function minuteFrom(schedule: CronSchedule, from: number): number | undefined {
  for (let hour = Math.floor(from / 60); hour < 24; hour++) {
    if (!schedule.hours.has(hour)) continue
    const first = hour === Math.floor(from / 60) ? from % 60 : 0
    for (let minute = first; minute < 60; minute++) {
      if (schedule.minutes.has(minute)) return hour * 60 + minute
    }
  }
  return undefined
}
