const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?(Z|[-+]\d\d:\d\d))|(?: +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?))?$/

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * A date or a time in RFC 3339 as Go prints it, undefined when the text is neither.
 *
 * Source: go.yaml.in/yaml v3.0.4 resolve.go `allowedTimestampFormats`, with what Go's time.Parse lets pass.
 */
export function parseTimestamp(text: string): string | undefined {
  if (text.length < 8 || text.charCodeAt(4) !== 0x2d) return undefined
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, year, month, day] = match as unknown as [string, string, string, string]
  const hour = match[4] ?? match[9] ?? '0'
  const minute = match[5] ?? match[10] ?? '0'
  const second = match[6] ?? match[11] ?? '0'
  const zone = match[8] ?? 'Z'
  const days =
    month === '2' || month === '02'
      ? isLeap(Number(year))
        ? 29
        : 28
      : monthDays[Number(month) - 1]
  if (days === undefined || Number(day) < 1 || Number(day) > days) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (zone !== 'Z' && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60)) {
    return undefined
  }
  const fraction = (match[7] ?? match[12] ?? '').slice(0, 9).replace(/0+$/, '')
  return (
    `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}` +
    (fraction === '' ? '' : '.' + fraction) +
    zoneText(zone)
  )
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function two(digits: string): string {
  return digits.padStart(2, '0')
}

/** Go prints an offset of zero as `Z` and carries 60 minutes over into the hours. */
function zoneText(zone: string): string {
  if (zone === 'Z') return zone
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))
  if (minutes === 0) return 'Z'
  const hours = Math.floor(minutes / 60)
  return `${zone[0]}${two(String(hours))}:${two(String(minutes % 60))}`
}
