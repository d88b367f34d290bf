import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { deepEqual, formatJson, type Json } from '../json/index.ts'
import { formatYaml, formatYamlPretty } from './format.ts'
import { parseYaml } from './parse.ts'

// The bytes were recorded from sigs.k8s.io/yaml v1.6.0 and go.yaml.in/yaml v3.0.4.

it.each([
  ['', '""'],
  ['x', 'x'],
  ['yes', '"yes"'],
  ['1:30', '"1:30"'],
  ['1:60', '1:60'],
  ['0x1f', '"0x1f"'],
  ['2020-01-01', '"2020-01-01"'],
  ['~', '"~"'],
  ['<<', '<<'],
  ['=', '='],
  ['-', "'-'"],
  ['--flag', '--flag'],
  ['---', "'---'"],
  ['...', "'...'"],
  ['a: b', "'a: b'"],
  ['a:b', 'a:b'],
  ['a #b', "'a #b'"],
  ['# a', "'# a'"],
  ["it's", "it's"],
  ["'q'", "'''q'''"],
  [' a', "' a'"],
  ['a\tb', '"a\\tb"'],
  ['é', 'é'],
  ['😀', '"\\U0001F600"'],
  ['\ufeffa b', '"\\uFEFF\\x61\\x20\\x62"'],
  ['a\u2028b', "'a\u2028  b'"],
  ['\u0000', '"\\0"'],
  ['a\nb', '|-\n  a\n  b'],
  ['a\n', '|\n  a'],
  ['a\n\n', '|+\n  a\n'],
  ['\n', '|2+\n'],
  [' a\nb', '|2-\n   a\n  b'],
  ['a \nb', '"a \\nb"'],
])('writes %j as %s', (text, want) => {
  expect(formatYaml(text)).toBe(want + '\n')
})

it.each([
  [1, '1'],
  [-0, '0'],
  [1.5, '1.5'],
  [1e6, '1000000'],
  [1234567.5, '1.2345675e+06'],
  [0.00001, '1e-05'],
  [0.0001, '0.0001'],
  [1e20, '1e+20'],
  [1e21, '1e+21'],
  [2 ** 63, '9223372036854776000'],
  [9007199254740993n, '9007199254740993'],
  [18446744073709551615n, '18446744073709551615'],
  [18446744073709551616n, '1.8446744073709552e+19'],
])('writes the number %s as %s', (value, want) => {
  expect(formatYaml(value)).toBe(want + '\n')
})

const abc = 'abc '.repeat(30).trim()
const abcFolded = `${'abc '.repeat(20).trim()}\n  ${'abc '.repeat(10).trim()}`

it.each<[Json, string]>([
  [{}, '{}\n'],
  [[], '[]\n'],
  [null, 'null\n'],
  [
    { b: null, a: [{ c: [1, [2, []]], d: {} }] },
    'a:\n- c:\n  - 1\n  - - 2\n    - []\n  d: {}\nb: null\n',
  ],
  [
    { a10: 1, a9: 1, 'a-b': 1, A: 1, _: 1, '10': 1, '9': 1, é: 1 },
    '_: 1\n"9": 1\n"10": 1\nA: 1\na-b: 1\na9: 1\na10: 1\né: 1\n',
  ],
  [{ yes: 1, 'a: b': 1, '': 1 }, '"": 1\n\'a: b\': 1\n"yes": 1\n'],
  [{ k: abc }, `k: ${abcFolded}\n`],
  [{ k: `${abc}\t` }, `k: "${abcFolded}\\t"\n`],
  [{ k: { l: 'x\ny\n' }, m: 1 }, 'k:\n  l: |\n    x\n    y\nm: 1\n'],
  [{ ['k'.repeat(128)]: 1 }, `${'k'.repeat(128)}: 1\n`],
  [{ ['k'.repeat(129)]: [1] }, `? ${'k'.repeat(129)}\n: - 1\n`],
  [[{ ['k'.repeat(129)]: { a: 1 } }], `- ? ${'k'.repeat(129)}\n  : a: 1\n`],
  [{ 'a\nb': 1 }, '? |-\n  a\n  b\n: 1\n'],
  [{ a: 'x \u0085 y' }, 'a: x y\n'],
])('lays out %j', (value, want) => {
  expect(formatYaml(value)).toBe(want)
})

it.each<[Json, string]>([
  [Number.NaN, 'error marshaling into JSON: json: unsupported value: NaN'],
  [{ a: ['\u007f'] }, 'yaml: control characters are not allowed'],
  [{ 'a\u0085b': 1 }, "yaml: line 1: did not find expected ',' or '}'"],
  [{ ['k'.repeat(1100)]: 1 }, "yaml: did not find expected ',' or '}'"],
])('cannot write %j', (value, message) => {
  expect(() => formatYaml(value)).toThrow(
    expect.objectContaining({ code: 'YAML_INVALID', message }),
  )
})

it('writes Go values as Helm’s toYamlPretty does', () => {
  const value = { a: [1n, { b: 2n }], c: 'x: y', e: 1e6, k10: 1n, k9: 2n, yes: 'no', t: 'a\n\tb' }
  expect(formatYamlPretty(value)).toBe(
    'a:\n  - 1\n  - b: 2\nc: \'x: y\'\ne: 1e+06\nk9: 2\nk10: 1\nt: |-\n  a\n  \tb\n"yes": "no"\n',
  )
  expect(formatYamlPretty({ a: ['x y '.repeat(40)] }, { compactLists: true })).toBe(
    `a:\n- '${'x y '.repeat(40)}'\n`,
  )
  expect(formatYamlPretty({ a: [{ b: { c: 'x\n' } }] }, { indent: 4 })).toBe(
    'a:\n    - b:\n        c: |\n            x\n',
  )
})

it('reads back what it writes', () => {
  const key = fc.string({ unit: 'binary', maxLength: 20 })
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      // A double beyond the safe integers is written with the digits that tell it apart, and read as those.
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n))
        .map((n) => (n === 0 ? 0 : n)),
      fc.bigInt({ min: 2n ** 60n, max: 2n ** 64n - 1n }),
      key,
      fc.lorem({ maxCount: 40 }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(value, (json) => {
      // Some characters do not survive, as in Go.
      fc.pre(!/[\u007f-\u009f\ufffe\uffff]/.test(formatJson(json)))
      expect(deepEqual(parseYaml(formatYaml(json)), json)).toBe(true)
    }),
  )
})
