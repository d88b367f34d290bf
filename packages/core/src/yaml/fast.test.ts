import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { isObject } from '../json/index.ts'
import { Composer } from './compose.ts'
import { decodeV2 } from './decode.ts'
import { parseFast, unsure } from './fast.ts'

function parseExact(text: string): unknown {
  const document = new Composer(text, 'v2', {}).next()
  return document === undefined ? null : decodeV2(document, {})
}

const pieces = [
  ...['a', 'b: ', 'c:', '- ', '-', '? ', ': ', '\n', '\n  ', '\n ', '\n    ', '  ', ' ', ', '],
  ...['[', ']', '{', '}', '"', "'", '|', '>', '|-\n', '>+\n', '|2\n', '#', ' # c', '\n# c', '&x '],
  ...[
    '*x',
    '!!str ',
    '\n---\n',
    '\n...\n',
    '\t',
    '<<: ',
    'é',
    '1',
    'yes',
    '~',
    '\\n',
    '012',
    '.inf',
    ':x',
    '?x',
    ': :x: y\n',
  ],
  ...['"q"', "'s'", 'x y', '"a\n b"', '{a: 1}', '[1, b]', '- a\n', 'k: v\n', '  k: v\n', '  - i\n'],
]

it('reads a text as the long way does, or leaves it', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join(''))
  fc.assert(
    fc.property(text, (yaml) => {
      const fast = parseFast(yaml, false)
      if (fast !== unsure) expect(fast).toEqual(parseExact(yaml))
    }),
    { numRuns: 3000 },
  )
})

it.each([
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "x"\n  labels: {a: b, c: [1, \'d\']}\n',
  '---\nlist:\n- a: 1\n  b: |\n    text\n# comment\n- c # note\n-\n  - d\nplain: one\n  two\n',
  'a: :x\nb:\n- ?y\n- ::z\n',
  '{"a": {"b": [true, null, 1.5, "x\\n"]}}',
])('does not leave %j', (yaml) => {
  expect(parseFast(yaml, false)).not.toBe(unsure)
  expect(parseFast(yaml, false)).toEqual(parseExact(yaml))
})

it('reads what is not wanted as it reads everything', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join(''))
  const b = (value: unknown): unknown => (isObject(value) ? value['b'] : value)
  fc.assert(
    fc.property(text, (yaml) => {
      const part = parseFast(yaml, false, (key) => key === 'b')
      expect(b(part)).toEqual(b(parseFast(yaml, false)))
    }),
    { numRuns: 3000 },
  )
})

it('gives only what is wanted', () => {
  const yaml = `a: {x: 1}
skipped: |
    text

     y
list:
- a: >-
    folded
- 1: 2
- [~, "x\\n"]
b:
  c: 1
  d: 2
e: f
`
  expect(parseFast(yaml, false)).toEqual(parseExact(yaml))
  const wanted = (key: string) => key === 'a' || (key === 'b' && ((below: string) => below === 'd'))
  expect(parseFast(yaml, false, wanted)).toEqual({ a: { x: 1 }, b: { d: 2 } })
  expect(parseFast('a: 1\nc: 2', true, wanted)).toEqual({ a: 1, c: 2 })
})

it.each([
  'a: |\n  x\n y\n',
  'a: |\n\n   \n  x\n',
  'a: |\n\tx\n',
  'a:\n  b: |\n   x\n  \ty\n',
  'a: "x',
  "a: 'x\n\nb: c",
  'a: [b\nc: d\n',
  'a: b: c',
  'a: .inf',
  'a: \n <<: x',
  'a: 18446744073709551615',
])('leaves what is wrong in what is not wanted: %j', (yaml) => {
  expect(parseFast(yaml, false)).toBe(unsure)
  expect(parseFast(yaml, false, () => false)).toBe(unsure)
})

it('leaves double keys to the strict reader', () => {
  expect(parseFast('a: 1\na: 2', true)).toBe(unsure)
})
