import { describe, expect, it } from 'vitest'
import { nextCron, parseCron } from './cron.ts'
import { zoneOffsetMs } from './zone.ts'

function next(text: string, at: string): string | undefined {
  const parsed = parseCron(text)
  if ('error' in parsed) throw new Error(parsed.error)
  const found = nextCron(parsed.schedule, Date.parse(at))
  return found === undefined ? undefined : new Date(found).toISOString()
}

describe('nextCron', () => {
  it.each([
    ['* * * * *', '2026-01-13T10:00:00Z', '2026-01-13T10:01:00.000Z'],
    ['* * * * *', '2026-01-13T10:00:59.999Z', '2026-01-13T10:01:00.000Z'],
    ['0 9 * * 1-4', '2026-01-13T09:00:00Z', '2026-01-14T09:00:00.000Z'],
    ['0 9 * * MON-thu', '2026-01-16T09:00:00Z', '2026-01-19T09:00:00.000Z'],
    ['*/20 * * * *', '2026-01-13T10:41:00Z', '2026-01-13T11:00:00.000Z'],
    ['5/20 * * * *', '2026-01-13T10:26:00Z', '2026-01-13T10:45:00.000Z'],
    ['0 0 29 2 *', '2026-01-13T10:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 1 JAN ?', '2026-01-13T10:00:00Z', '2027-01-01T00:00:00.000Z'],
    // either day field is enough when both are restricted
    ['0 0 15 * FRI', '2026-01-13T10:00:00Z', '2026-01-15T00:00:00.000Z'],
    ['0 0 20 * FRI', '2026-01-13T10:00:00Z', '2026-01-16T00:00:00.000Z'],
    // a step above 1 takes the star's freedom away
    ['0 0 */10 * FRI', '2026-01-13T10:00:00Z', '2026-01-16T00:00:00.000Z'],
    ['0 0 */1 * FRI', '2026-01-13T10:00:00Z', '2026-01-16T00:00:00.000Z'],
    ['30 4 1,15 * *', '2026-01-15T04:30:00Z', '2026-02-01T04:30:00.000Z'],
    ['TZ=America/New_York 0 22 * * *', '2026-07-15T02:30:00Z', '2026-07-16T02:00:00.000Z'],
    ['CRON_TZ=UTC 0 22 * * *', '2026-07-15T02:30:00Z', '2026-07-15T22:00:00.000Z'],
  ])('%s after %s', (text, at, want) => expect(next(text, at)).toBe(want))

  it('gives up after five years', () => {
    expect(next('0 0 30 2 *', '2026-01-13T10:00:00Z')).toBeUndefined()
    expect(next('0 0 29 2 *', '2096-03-01T00:00:00Z')).toBeUndefined()
  })
})

describe('parseCron', () => {
  it.each([
    ['', 'empty spec string'],
    ['@daily', 'parser does not accept descriptors: @daily'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    [
      'TZ=Nowhere/Atall * * * * *',
      'provided bad location Nowhere/Atall: unknown time zone Nowhere/Atall',
    ],
  ])('%s', (text, error) => expect(parseCron(text)).toEqual({ error }))
})

describe('zoneOffsetMs', () => {
  it.each([
    ['America/New_York', '2026-01-13T10:00:00Z', -5],
    ['America/New_York', '2026-07-13T10:00:00Z', -4],
    ['Asia/Kolkata', '2026-07-13T10:00:00Z', 5.5],
    ['', '2026-07-13T10:00:00Z', 0],
  ])('%s at %s', (zone, at, hours) => {
    expect(zoneOffsetMs(zone, Date.parse(at))).toBe(hours * 3_600_000)
  })

  it.each(['Nowhere/Atall', '+05:00', 'no zone'])('%s is not known', (zone) => {
    expect(zoneOffsetMs(zone, 0)).toBeUndefined()
  })
})
