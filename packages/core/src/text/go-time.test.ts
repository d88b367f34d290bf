import { describe, expect, it } from 'vitest'
import {
  addNanos,
  civilOf,
  formatGoTime,
  type GoTime,
  loadZone,
  parseGoTime,
  TimeIssue,
  utc,
  zeroTime,
} from './go-time.ts'

const time: GoTime = { unixSeconds: 1_136_214_245, nanos: 123_450_000, zone: utc }

describe('formatGoTime of 2006-01-02 15:04:05.12345 UTC', () => {
  it.each([
    ['2006-01-02T15:04:05Z07:00', '2006-01-02T15:04:05Z'],
    ['Mon Jan _2 15:04:05 MST 2006', 'Mon Jan  2 15:04:05 UTC 2006'],
    ['Monday, 02-Jan-06 03:04:05 PM -0700', 'Monday, 02-Jan-06 03:04:05 PM +0000'],
    ['.000 .999999999 05.00', '.123 .12345 05.12'],
    ['January 2 002 __2', 'January 2 002   2'],
    ['20060102150405', '20060102150405'],
    ['_2006 Janet Monet', '_2006 Janet Monet'],
    ['3:4:5pm', '3:4:5pm'],
  ])('%s gives %s', (layout, want) => {
    expect(formatGoTime(time, layout)).toBe(want)
  })
})

it.each([
  ['Europe/Berlin', '2006-01-02 16:04:05 +0100 CET'],
  ['America/New_York', '2006-01-02 10:04:05 -0500 EST'],
  ['Asia/Kolkata', '2006-01-02 20:34:05 +0530 IST'],
  ['Europe/Lisbon', '2006-01-02 15:04:05 +0000 WET'],
  ['Europe/Moscow', '2006-01-02 18:04:05 +0300 MSK'],
  ['Asia/Tokyo', '2006-01-03 00:04:05 +0900 JST'],
  ['Asia/Singapore', '2006-01-02 23:04:05 +0800 +08'],
  ['Australia/Sydney', '2006-01-03 02:04:05 +1100 AEDT'],
  ['Pacific/Auckland', '2006-01-03 04:04:05 +1300 NZDT'],
  ['Africa/Johannesburg', '2006-01-02 17:04:05 +0200 SAST'],
  ['Africa/Lagos', '2006-01-02 16:04:05 +0100 WAT'],
  ['America/Sao_Paulo', '2006-01-02 13:04:05 -0200 -02'],
  ['America/St_Johns', '2006-01-02 11:34:05 -0330 NST'],
  ['Asia/Jerusalem', '2006-01-02 17:04:05 +0200 IST'],
  ['Asia/Kathmandu', '2006-01-02 20:49:05 +0545 +0545'],
])('zone %s', (name, want) => {
  const shown = formatGoTime({ ...time, zone: loadZone(name)! }, '2006-01-02 15:04:05 -0700 MST')
  expect(shown).toBe(want)
})

it('does not know a zone that is not there', () => {
  expect(loadZone('Mars/Base')).toBeUndefined()
  expect(loadZone('+05:00')).toBeUndefined()
})

it.each([
  ['2006-01-02', '2024-02-29', 1_709_164_800],
  ['2006-01-02T15:04:05Z07:00', '2024-02-29T12:00:00+02:00', 1_709_200_800],
  ['Jan _2 2006', 'feb  3 2021', 1_612_310_400],
  ['02/01/06', '03/02/21', 1_612_310_400],
  ['2006 002', '2024 060', 1_709_164_800],
  ['15:04:05', '01:02:03.5', -62_167_215_477],
])('parseGoTime(%s, %s)', (layout, value, seconds) => {
  expect(parseGoTime(layout, value, utc)).toMatchObject({ unixSeconds: seconds })
})

it.each([
  ['2006-01-02', 'bad', 'parsing time "bad" as "2006-01-02": cannot parse "bad" as "2006"'],
  ['2006-01-02', '2024-13-01', 'parsing time "2024-13-01": month out of range'],
  ['2006-01-02', '2023-02-29', 'parsing time "2023-02-29": day out of range'],
  ['2006', '2024x', 'parsing time "2024x": extra text: "x"'],
])('parseGoTime(%s, %s) fails', (layout, value, message) => {
  const result = parseGoTime(layout, value, utc)
  expect(result).toBeInstanceOf(TimeIssue)
  expect((result as TimeIssue).message).toBe(message)
})

it('knows the zero time and adds across a borrow', () => {
  expect(civilOf(zeroTime)).toMatchObject({ year: 1, month: 1, day: 1, weekday: 1 })
  expect(addNanos({ unixSeconds: 0, nanos: 0, zone: utc }, -1n)).toMatchObject({
    unixSeconds: -1,
    nanos: 999_999_999,
  })
})
