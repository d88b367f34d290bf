import type { Instant } from '../adapters/index.ts'

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/

/** An RFC 3339 time as Go reads it; undefined for any other text. */
export function parseTime(text: string | undefined): Instant | undefined {
  if (text === undefined || !rfc3339.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** RFC 3339 in UTC with whole seconds, the form of every time in `.status`. */
export function formatTime(at: Instant): string {
  return new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', 'Z')
}

/** Go's Kitchen layout: `3:04PM`, in UTC since core knows no local zone. */
export function formatKitchen(at: Instant): string {
  const date = new Date(at)
  const hour = date.getUTCHours()
  const minute = String(date.getUTCMinutes()).padStart(2, '0')
  return `${hour % 12 || 12}:${minute}${hour < 12 ? 'AM' : 'PM'}`
}
