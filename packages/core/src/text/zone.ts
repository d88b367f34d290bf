const formats = new Map<string, Intl.DateTimeFormat | undefined>()

/**
 * How far the clocks of an IANA zone are ahead of UTC at an instant, in milliseconds; undefined for a zone that is not
 * known. '' and 'UTC' are UTC, and so is 'Local', since core knows no local zone.
 */
export function zoneOffsetMs(zone: string, at: number): number | undefined {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0
  const format = formatOf(zone)
  if (format === undefined) return undefined
  const second = Math.floor(at / 1_000) * 1_000
  const parts: { [type: string]: number } = {}
  for (const part of format.formatToParts(second)) parts[part.type] = Number(part.value)
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second: s = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, s) - second
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, makeFormat(zone))
  return formats.get(zone)
}

function makeFormat(zone: string): Intl.DateTimeFormat | undefined {
  // Intl takes offsets such as +05:00 for zones, Go does not
  if (!/^[A-Za-z]/.test(zone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return undefined
  }
}
