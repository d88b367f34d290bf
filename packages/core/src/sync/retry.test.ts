import { describe, expect, it } from 'vitest'
import { nextRetryAt } from './retry.ts'
import { formatKitchen, formatTime, parseTime } from './time.ts'

describe('nextRetryAt', () => {
  it.each([
    ['the defaults', undefined, [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 180_000]],
    ['bare seconds', { backoff: { duration: '7', factor: 1 } }, [7_000, 7_000]],
    [
      'durations',
      { backoff: { duration: '1m30s', factor: 3, maxDuration: '1h' } },
      [90_000, 270_000],
    ],
    ['a cap', { backoff: { duration: '10s', maxDuration: '15s' } }, [10_000, 15_000, 15_000]],
    ['no cap at zero', { backoff: { duration: '3m', maxDuration: '0' } }, [180_000, 360_000]],
    ['factor 0', { backoff: { duration: '10s', factor: 0 } }, [10_000, 0, 0]],
  ])('%s', (_about, retry, waits) => {
    waits.forEach((wait, count) => {
      expect(nextRetryAt(retry, 1_000, count)).toEqual({ at: 1_000 + wait })
    })
  })

  // recorded: corpus/argocd/sync/retry-bad-duration
  it.each([
    [{ backoff: { duration: 'soon' } }, 'unable to parse soon as a duration'],
    [{ backoff: { duration: '1', maxDuration: 'never' } }, 'unable to parse never as a duration'],
  ])('%j', (retry, error) => expect(nextRetryAt(retry, 0, 0)).toEqual({ error }))
})

describe('times', () => {
  it.each([
    ['2026-01-02T03:04:05Z', 1_767_323_045_000],
    ['2026-01-02T04:04:05.25+01:00', 1_767_323_045_250],
    ['2026-01-02', undefined],
    ['2026-13-02T03:04:05Z', undefined],
    [undefined, undefined],
  ])('%s', (text, at) => expect(parseTime(text)).toBe(at))

  it('keeps whole seconds', () => {
    expect(formatTime(1_767_323_045_999)).toBe('2026-01-02T03:04:05Z')
  })

  it.each([
    ['2026-01-02T00:04:05Z', '12:04AM'],
    ['2026-01-02T09:30:00Z', '9:30AM'],
    ['2026-01-02T12:00:00Z', '12:00PM'],
    ['2026-01-02T23:59:59Z', '11:59PM'],
  ])('%s is %s', (text, want) => expect(formatKitchen(Date.parse(text))).toBe(want))
})
