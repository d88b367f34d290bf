import { describe, expect, it } from 'vitest'
import { parseJson, parseJsonAt } from './parse.ts'

// What stands on the right is what Go 1.26 json.Unmarshal says.
describe('parseJson fails as Go does', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u12"', `invalid character '"' in \\u hexadecimal character escape`],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ])('%j', (text, message) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError(message))
  })
})

it('keeps integers that fit 64 bits', () => {
  expect(parseJson('[9223372036854775807, 9223372036854775808, 1e2]')).toEqual([
    9223372036854775807n,
    2 ** 63,
    100,
  ])
})

it('reads values one after another', () => {
  expect(parseJsonAt(' [1] {', 0)).toEqual({ value: [1], end: 4 })
  expect(() => parseJsonAt(' [1] {', 4)).toThrow('unexpected end of JSON input')
})

it('ends in a message where the text is deeper than the stack', () => {
  const deep = '{"a":'.repeat(9_990) + '1e' + '}'.repeat(9_990)
  const enter = (frames: number): unknown =>
    frames === 0 ? parseJsonAt(deep, 0) : enter(frames - 1)
  expect(() => enter(3000)).toThrow(SyntaxError)
  expect(() => parseJsonAt('['.repeat(200_000), 0)).toThrow(SyntaxError)
})
