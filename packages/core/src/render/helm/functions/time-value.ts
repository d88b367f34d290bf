import {
  type FunctionDef,
  int64,
  type Kind,
  SizedInt,
  Struct,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import {
  addNanos,
  civilOf,
  dateInZone,
  formatGoDuration,
  formatGoTime,
  type GoTime,
  layoutRfc3339Nano,
  localZone,
  monthNames,
  nanosBetween,
  quoteGo,
  utc,
  weekdayNames,
} from '../../../text/index.ts'
import { define } from './define.ts'

/** A time.Time in a template. */
export class TimeValue extends Struct {
  override readonly kind: Kind = 'struct'
  readonly time: GoTime

  constructor(time: GoTime, monotonic = false) {
    const shown = (): string => formatGoTime(time, '2006-01-02 15:04:05.999999999 -0700 MST')
    const fields: readonly (readonly [string, Value])[] = [
      ['wall', new SizedInt('uint64', BigInt(time.nanos))],
      ['ext', int64(BigInt(time.unixSeconds))],
      ['loc', time.zone.name],
    ]
    super('time.Time', fields, {
      methods: methodsOf(time),
      text: { value: () => (monotonic ? `${shown()} m=+0.000000001` : shown()) },
      json: () => formatGoTime(time, layoutRfc3339Nano),
    })
    this.time = time
  }

  override goSyntax(): string {
    const { year, month, day, hour, minute, second } = civilOf(this.time)
    const { name } = this.time.zone
    const zone =
      name === 'UTC' || name === 'Local' ? `time.${name}` : `time.Location(${quoteGo(name)})`
    const { nanos } = this.time
    return `time.Date(${year}, time.${monthNames[month - 1]}, ${day}, ${hour}, ${minute}, ${second}, ${nanos}, ${zone})`
  }
}

/** A time.Duration. */
export function durationValue(nanos: bigint): SizedInt {
  return new SizedInt('int64', nanos, { goType: 'time.Duration', text: formatGoDuration })
}

function named(type: string, value: number, names: readonly string[], from: number): SizedInt {
  return new SizedInt('int', BigInt(value), {
    goType: type,
    text: (index) => names[Number(index) - from] ?? `%!${type.slice(5)}(${index})`,
  })
}

function methodsOf(time: GoTime): { readonly [name: string]: FunctionDef } {
  const civil = (): ReturnType<typeof civilOf> => civilOf(time)
  const int = (pick: () => number): FunctionDef => define('', () => BigInt(pick()))
  const unix = (perSecond: bigint, perNano: bigint): FunctionDef =>
    define('', () => int64(BigInt(time.unixSeconds) * perSecond + BigInt(time.nanos) / perNano))
  const other = (test: (difference: bigint) => boolean): FunctionDef => ({
    params: ['time.Time'],
    call: ([value]) => test(nanosBetween(time, (value as TimeValue).time)),
  })
  return {
    Format: define('s', ([layout]) => formatGoTime(time, layout)),
    String: define('', () => new TimeValue(time).text()!),
    Year: int(() => civil().year),
    Month: define('', () => named('time.Month', civil().month, monthNames, 1)),
    Day: int(() => civil().day),
    Weekday: define('', () => named('time.Weekday', civil().weekday, weekdayNames, 0)),
    YearDay: int(() => civil().yearDay),
    Hour: int(() => civil().hour),
    Minute: int(() => civil().minute),
    Second: int(() => civil().second),
    Nanosecond: int(() => time.nanos),
    Unix: unix(1n, 1_000_000_000n),
    UnixMilli: unix(1_000n, 1_000_000n),
    UnixMicro: unix(1_000_000n, 1_000n),
    UnixNano: unix(1_000_000_000n, 1n),
    UTC: define('', () => new TimeValue({ ...time, zone: utc })),
    Local: define('', () => new TimeValue({ ...time, zone: localZone })),
    IsZero: define('', () => time.unixSeconds === -62_135_596_800 && time.nanos === 0),
    Before: other((difference) => difference < 0n),
    After: other((difference) => difference > 0n),
    Equal: other((difference) => difference === 0n),
    Sub: {
      params: ['time.Time'],
      call: ([value]) => durationValue(nanosBetween(time, (value as TimeValue).time)),
    },
    Add: {
      params: ['time.Duration'],
      call: ([value]) =>
        new TimeValue(addNanos(time, value instanceof SizedInt ? value.value : (value as bigint))),
    },
    AddDate: define('iii', ([years, months, days]) => {
      const { year, month, day, hour, minute, second } = civil()
      const shifted = dateInZone(
        year + Number(years),
        month + Number(months),
        day + Number(days),
        hour,
        minute,
        second,
        time.nanos,
        time.zone,
      )
      return new TimeValue(shifted)
    }),
  }
}
