import { describe, expect, it } from 'vitest'
import { parseDuration } from './duration.ts'

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
    ['.5s', 500],
    ['5.s', 5_000],
    ['-2m', -120_000],
    ['+1h', 3_600_000],
    ['100us', 0.1],
    ['100µs', 0.1],
  ])('%s', (text, ms) => expect(parseDuration(text)).toEqual({ ms }))

  // printed by go 1.26's time.ParseDuration
  it.each([
    ['', 'time: invalid duration ""'],
    ['soon', 'time: invalid duration "soon"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1h5', 'time: missing unit in duration "1h5"'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
    ['5µ', 'time: unknown unit "\\xc2\\xb5" in duration "5\\xc2\\xb5"'],
  ])('%s is refused', (text, error) => expect(parseDuration(text)).toEqual({ error }))
})
