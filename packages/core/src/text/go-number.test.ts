import { describe, expect, it } from 'vitest'
import { floatText, formatFloat, parseGoFloat, parseGoInt } from './go-number.ts'

it.each([
  [1e6, '1e+06'],
  [999_999.5, '999999.5'],
  [100_000, '100000'],
  [1_234_567, '1.234567e+06'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [-0, '-0'],
  [1e21, '1e+21'],
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [3, '3'],
])('floatText(%d) is %s', (value, want) => {
  expect(floatText(value)).toBe(want)
})

it.each([
  [1.5, 'f', 6, '1.500000'],
  [2.5, 'f', 0, '2'],
  [0.125, 'f', 2, '0.12'],
  [0.96, 'f', 1, '1.0'],
  [99.99, 'f', 1, '100.0'],
  [1234.5, 'e', 6, '1.234500e+03'],
  [1234567, 'g', -1, '1.234567e+06'],
  [3.14159, 'g', 3, '3.14'],
  [1e20, 'f', -1, '100000000000000000000'],
  [1.5, 'x', -1, '0x1.8p+00'],
  [0, 'x', -1, '0x0p+00'],
  [1e6, 'E', 2, '1.00E+06'],
])('formatFloat(%d, %s, %d) is %s', (value, format, precision, want) => {
  expect(formatFloat(value, format, precision)).toBe(want)
})

describe('parseGoInt with base 0', () => {
  it.each([
    ['0x1F', 31n],
    ['010', 8n],
    ['08', 'syntax'],
    ['1_000', 1000n],
    ['0x_1', 1n],
    ['_1', 'syntax'],
    ['0_', 'syntax'],
    ['0b12', 'syntax'],
    ['0o17', 15n],
    ['-5', -5n],
    ['', 'syntax'],
    ['9223372036854775808', 'range'],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%j is %s', (text, want) => {
    expect(parseGoInt(text, 0)).toBe(want)
  })
})

it.each([
  ['1e3', 1000],
  ['.5', 0.5],
  ['0x1p4', 16],
  ['0x1.8p1', 3],
  ['1_0', 10],
  ['1_000.5e1_0', 1000.5e10],
  ['1__0', 'syntax'],
  ['1_.5', 'syntax'],
  ['0x_1p0', 1],
  ['1e400', 'range'],
  ['-Inf', Number.NEGATIVE_INFINITY],
  ['', 'syntax'],
])('parseGoFloat(%j) is %s', (text, want) => {
  expect(parseGoFloat(text)).toBe(want)
})
