import {
  type CallContext,
  FunctionFailure,
  integerOf,
  SizedInt,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import {
  addNanos,
  formatGoDuration,
  formatGoTime,
  type GoTime,
  loadZone,
  localZone,
  nanosBetween,
  parseDuration,
  parseGoDuration,
  parseGoInt,
  parseGoTime,
  roundGoDuration,
  TimeIssue,
  utc,
  zeroTime,
} from '../../../text/index.ts'
import { define, type FunctionList } from './define.ts'
import { hostOf } from './host.ts'
import { TimeValue } from './time-value.ts'

const htmlLayout = '2006-01-02'

const inZone = define('sas', ([layout, value, zone], context) =>
  dateInZone(layout, value, zone, context),
)
const modify = define('st', ([text, value]) => {
  const nanos = parseGoDuration(text)
  return nanos === undefined ? value : new TimeValue(addNanos(value.time, nanos))
})
const mustModify = define('st', ([text, value]) => {
  const nanos = parseGoDuration(text)
  if (nanos !== undefined) return new TimeValue(addNanos(value.time, nanos))
  const parsed = parseDuration(text)
  throw new FunctionFailure('error' in parsed ? parsed.error : `time: invalid duration "${text}"`)
})

export const dateFunctions: FunctionList = [
  ['now', define('', (_, context) => new TimeValue(currentTime(context), true))],
  ['date', define('sa', ([layout, value], context) => dateInZone(layout, value, 'Local', context))],
  ['dateInZone', inZone],
  ['date_in_zone', inZone],
  ['htmlDate', define('a', ([value], context) => dateInZone(htmlLayout, value, 'Local', context))],
  [
    'htmlDateInZone',
    define('as', ([value, zone], context) => dateInZone(htmlLayout, value, zone, context)),
  ],
  ['dateModify', modify],
  ['date_modify', modify],
  ['mustDateModify', mustModify],
  ['must_date_modify', mustModify],
  [
    'ago',
    define('a', ([value], context) => {
      const now = currentTime(context)
      const since = nanosBetween(now, timeOf(value, false) ?? now)
      return formatGoDuration(roundGoDuration(since, 1_000_000_000n))
    }),
  ],
  [
    'duration',
    define('a', ([value]) =>
      formatGoDuration(BigInt.asIntN(64, secondsOf(value) * 1_000_000_000n)),
    ),
  ],
  ['durationRound', define('a', ([value], context) => durationRound(value, context))],
  [
    'toDate',
    define('ss', ([layout, text]) => {
      const time = parseGoTime(layout, text, localZone)
      return new TimeValue(time instanceof TimeIssue ? zeroTime : time)
    }),
  ],
  [
    'mustToDate',
    define('ss', ([layout, text]) => {
      const time = parseGoTime(layout, text, localZone)
      if (time instanceof TimeIssue) throw new FunctionFailure(time.message)
      return new TimeValue(time)
    }),
  ],
  ['unixEpoch', define('t', ([value]) => String(value.time.unixSeconds))],
]

function currentTime(context: CallContext): GoTime {
  return { ...hostOf(context).chance.now(), zone: localZone }
}

/** A time, or Unix seconds; undefined for anything else, which stands for now. */
function timeOf(value: Value, int32: boolean): GoTime | undefined {
  if (value instanceof TimeValue) return value.time
  if (typeof value !== 'bigint') {
    if (!(value instanceof SizedInt)) return undefined
    if (value.goType !== 'int64' && !(int32 && value.goType === 'int32')) return undefined
  }
  return { unixSeconds: Number(integerOf(value)!), nanos: 0, zone: localZone }
}

function dateInZone(layout: string, value: Value, zone: string, context: CallContext): string {
  const time = timeOf(value, true) ?? currentTime(context)
  return formatGoTime({ ...time, zone: loadZone(zone) ?? utc }, layout)
}

/** Only a text of digits and an int64 are read. */
function secondsOf(value: Value): bigint {
  if (typeof value === 'string') {
    const seconds = parseGoInt(value, 10)
    return typeof seconds === 'bigint' ? seconds : 0n
  }
  return value instanceof SizedInt && value.goType === 'int64' ? value.value : 0n
}

const units: readonly (readonly [string, bigint])[] = [
  ['y', 365n * 86_400n],
  ['mo', 30n * 86_400n],
  ['d', 86_400n],
  ['h', 3_600n],
  ['m', 60n],
  ['s', 1n],
]

function durationRound(value: Value, context: CallContext): string {
  let nanos = 0n
  if (typeof value === 'string') nanos = parseGoDuration(value) ?? 0n
  else if (value instanceof TimeValue) nanos = nanosBetween(currentTime(context), value.time)
  else if (value instanceof SizedInt && value.goType === 'int64') nanos = value.value
  const size = nanos < 0n ? -nanos : nanos
  for (const [name, seconds] of units) {
    const unit = seconds * 1_000_000_000n
    if (size > unit) return `${size / unit}${name}`
  }
  return '0s'
}
