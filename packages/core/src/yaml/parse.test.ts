import { expect, it } from 'vitest'
import { formatJson } from '../json/index.ts'
import { parseYaml, parseYamlDocuments, parseYamlNode } from './parse.ts'

// What Go answers was recorded from sigs.k8s.io/yaml v1.6.0 (v2) and go.yaml.in/yaml v3.0.4 (v3).

it.each([
  // text, v2, v3
  ['yes', true, 'yes'],
  ['Off', false, 'Off'],
  ['y', true, 'y'],
  ['yEs', 'yEs', 'yEs'],
  ['~', null, null],
  ['', null, null],
  ['NULL', null, null],
  ['nULL', 'nULL', 'nULL'],
  ['014', 12, 12],
  ['0o14', 12, 12],
  ['0x1F', 31, 31],
  ['0b101', 5, 5],
  ['0b-101', -5, -5],
  ['0o-17', '0o-17', -15],
  ['1_000', 1000, 1000],
  ['08', 8, 8],
  ['1e3', 1000, 1000],
  ['1e400', '1e400', '1e400'],
  ['.5', 0.5, 0.5],
  ['.1_0', 0.1, 0.1],
  ['1.', 1, 1],
  ['+12', 12, 12],
  ['-0', 0, 0],
  ['1:30', '1:30', '1:30'],
  ['12:30:45', '12:30:45', '12:30:45'],
  ['0x', '0x', '0x'],
  ['_1', '_1', '_1'],
  ['9007199254740993', 9007199254740993n, 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n, -9223372036854775808n],
  ['18446744073709551615', 18446744073709551615n, 18446744073709551615n],
  ['18446744073709551616', 18446744073709552000, 18446744073709552000],
  ['2020-01-02', '2020-01-02', '2020-01-02T00:00:00Z'],
  ['2020-02-30', '2020-02-30', '2020-02-30'],
  ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00', '2001-12-14T21:59:43.1-05:00'],
  ['2001-1-2  3:4:5', '2001-1-2  3:4:5', '2001-01-02T03:04:05Z'],
  ['!!str 5', '5', '5'],
  ['!!float 3', 3, 3],
  ['!!int "7"', 7, 7],
  ['!foo x', 'x', 'x'],
  ['! 5', '5', 5],
  ['!!binary aGk=', 'hi', 'hi'],
  ['<<', '<<', '<<'],
])('%s is %s in v2 and %s in v3', (text, v2, v3) => {
  expect(parseYaml(text)).toEqual(v2)
  expect(parseYaml(text, { dialect: 'v3' })).toEqual(v3)
})

it.each([
  ['9007199254740993', 9007199254740992, 9007199254740993n],
  ['18446744073709551615', 18446744073709552000, 18446744073709552000],
  ['5', 5, 5],
])('%s as float64 and as int64', (text, float64, int64) => {
  expect(parseYaml(text, { numbers: 'float64' })).toBe(float64)
  expect(parseYaml(text, { numbers: 'int64' })).toBe(int64)
})

it('gives numbers and booleans as the text that a Go string gets', () => {
  const text = '[1.10, 1e6, 1000000, 0x10, yes, ~, 2020-01-01, "1", 1234567.5, .inf, {1: 2}]'
  expect(parseYaml(text, { scalarsAsText: true })).toEqual([
    ...['1.1', '1e+06', '1000000', '16', 'true', null],
    ...['2020-01-01', '1', '1.2345675e+06', '+Inf', { 1: '2' }],
  ])
})

it.each([
  ['a: b\n---\nc: d: e', '{"a":"b"}'],
  ['---\n# nothing\n', 'null'],
  ['a: b # c\n# d\n', '{"a":"b"}'],
  ['a: b#c', '{"a":"b#c"}'],
  ["a: 'it''s'\nb: \"\\u00e9\\x41\\n\"", '{"a":"it\'s","b":"éA\\n"}'],
  ['a: "x\n   y\n\n   z"', '{"a":"x y\\nz"}'],
  ['a: "x \\\n   y"', '{"a":"x y"}'],
  ['a: one\n  two\n\n  three', '{"a":"one two\\nthree"}'],
  ['a: |\n  x\n   y\n\n', '{"a":"x\\n y\\n"}'],
  ['a: |-\n  x\n', '{"a":"x"}'],
  ['a: |+\n  x\n\n', '{"a":"x\\n\\n"}'],
  ['a: >\n  x\n  y\n\n  z\n   w\n', '{"a":"x y\\nz\\n w\\n"}'],
  ['a: |2\n   x\n', '{"a":" x\\n"}'],
  ['a:\n- 1\n- - 2\n  - 3\n- b: 1\n  c: 2\n', '{"a":[1,[2,3],{"b":1,"c":2}]}'],
  ['a: [1, {b: c}, "d", ]\ne: {f, g: }', '{"a":[1,{"b":"c"},"d"],"e":{"f":null,"g":null}}'],
  ['[a: b, ? c : d]', '[{"a":"b"},{"c":"d"}]'],
  ['? a\n: b\n? c', '{"a":"b","c":null}'],
  ['1: a\n1.5: b\non: c\n0x10: d', '{"1":"a","1.5":"b","16":"d","true":"c"}'],
  ['a: 1\na: 2', '{"a":2}'],
  ['a: &x [1]\nb: *x', '{"a":[1],"b":[1]}'],
  ['x: &x {b: 3}\nw: {<<: *x, b: 2}\nz: {b: 2, <<: *x}', '{"w":{"b":2},"x":{"b":3},"z":{"b":3}}'],
  ['a: {<<: [{b: 1}, {b: 2, c: 3}]}', '{"a":{"b":1,"c":3}}'],
  ['"<<": {a: 1}', '{"\\u003c\\u003c":{"a":1}}'],
  ['\ufeffa: 1', '{"a":1}'],
  ['a: 1\r\nb: |\r\n  x\r\n', '{"a":1,"b":"x\\n"}'],
  ['a:\tb', '{"a":"b"}'],
  ['%YAML 1.1\n%TAG !x! tag:yaml.org,2002:\n---\n!x!str 5', '"5"'],
  ['__proto__: 1\nconstructor: 2', '{"__proto__":1,"constructor":2}'],
  ['a: 1\n...\nb: [', '{"a":1}'],
  ['[a] b', '["a"]'],
  ['[]: x', '[]'],
  ['- \n- a\n-', '[null,"a",null]'],
])('reads %j', (text, json) => {
  expect(formatJson(parseYaml(text))).toBe(json)
})

const mapKey = 'invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'

it.each([
  ['a: 1\nb: [\nc: 2', "line 3: did not find expected ',' or ']'"],
  ['a: 1\nb: @x', 'line 2: found character that cannot start any token'],
  ['a: %b', 'found character that cannot start any token'],
  ['a: 1\nb: *x', "unknown anchor 'x' referenced"],
  ['a: *', 'did not find expected alphabetic or numeric character'],
  ['a: b: c', 'mapping values are not allowed in this context'],
  ['x: 1\na: b: c', 'line 2: mapping values are not allowed in this context'],
  ['a: 1\n  b: 2\n', 'line 2: mapping values are not allowed in this context'],
  ['x: 1\na\nb: c', "line 3: could not find expected ':'"],
  ['- a\nb: c', "line 1: did not find expected '-' indicator"],
  ['x:\n  - a\n b: c', 'line 2: did not find expected key'],
  ['a: |\n  x\n y: 1', 'line 2: did not find expected key'],
  ['a: "b" c', 'did not find expected key'],
  ['a: }', 'did not find expected node content'],
  ['a: {b: 1\nc: 2', "line 1: did not find expected ',' or '}'"],
  ['x: "a\nb: 1', 'line 2: found unexpected end of stream'],
  ['x: "a\n---\n', 'line 2: found unexpected document indicator'],
  ['a: 1\n\tb: 2', 'line 2: found a tab character that violates indentation'],
  ['a:\n\t- b', 'line 2: found character that cannot start any token'],
  ['a: |\n\tb', 'line 2: found a tab character where an indentation space is expected'],
  ['a: |0\n b', 'found an indentation indicator equal to 0'],
  ['a: | b', 'did not find expected comment or line break'],
  ['x: 1\na: "\\/"', 'line 2: found unknown escape character'],
  ['a: "\\ud800"', 'found invalid Unicode character escape code'],
  ['a: "\\u12"', 'did not find expected hexdecimal number'],
  ['a: \u0001', 'control characters are not allowed'],
  ['a: b\n%c', 'line 2: found unknown directive name'],
  ['%YAML 1.2\n---\na', 'found incompatible YAML document'],
  ['%YAML 1.1\na', 'line 1: did not find expected <document start>'],
  ['key: - x', 'block sequence entries are not allowed in this context'],
  ['a: !x!y z', 'found undefined tag handle'],
  ['a: !!int x', 'cannot decode !!str `x` as a !!int'],
  ['a: !!binary "?"', '!!binary value contains invalid base64 data'],
  ['{{ x }}', mapKey],
  [
    'a: {{ .Values.x }}',
    'invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
  ],
  ['? [a]\n: b', 'invalid map key: []interface {}{"a"}'],
  ['a: &a {b: *a}', "anchor 'a' value contains itself"],
  ['<<: 1', 'map merge requires map or sequence of maps as the value'],
])('refuses %j', (text, message) => {
  expect(() => parseYaml(text)).toThrow(expect.objectContaining({ code: 'YAML_INVALID' }))
  expect(messageOf(text)).toBe(`yaml: ${message}`)
})

function messageOf(text: string, options: Parameters<typeof parseYaml>[1] = {}): string {
  try {
    parseYaml(text, options)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

it.each([
  ['a: .inf', 'json: unsupported value: +Inf'],
  ['a: [-.inf]', 'json: unsupported value: -Inf'],
  ['~: a', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'],
  ['~: 2001-12-14', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "2001-12-14"'],
])('refuses %j on the way to JSON', (text, message) => {
  expect(messageOf(text)).toBe(message)
})

it('finds double keys in v3', () => {
  expect(messageOf('a: 1\na: 2\nb: {c: 1, c: 1}\na: 3', { dialect: 'v3' }).split('\n')).toEqual([
    'yaml: unmarshal errors:',
    '  line 2: mapping key "a" already defined at line 1',
    '  line 4: mapping key "a" already defined at line 1',
    '  line 4: mapping key "a" already defined at line 2',
  ])
})

it('finds double keys when it is strict', () => {
  expect(messageOf('a: 1\nb:\n  c: 1\n  c: 2\na: 2', { strict: true })).toBe(
    'yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 5: key "a" already set in map',
  )
  expect(parseYaml('1: a\n"1": b', { strict: true })).toEqual({ 1: 'b' })
})

it.each([
  ['1: a', 'json: unsupported type: map[interface {}]interface {}'],
  ['a: .nan', 'json: unsupported value: NaN'],
  ['{{ x }}', 'yaml: invalid map key: map[string]interface {}{"x":interface {}(nil)}'],
  ['a:\n  b: [\n  c', "yaml: line 1: did not find expected ',' or ']'"],
])('refuses %j in v3', (text, message) => {
  expect(messageOf(text, { dialect: 'v3' })).toBe(message)
})

it('says where, in the user’s file', () => {
  const options = { path: 'a.yaml', line: 10, prefix: 'error converting YAML to JSON: ' }
  expect(() => parseYaml('x: 1\n\ty: 2', options)).toThrow(
    expect.objectContaining({
      message:
        'error converting YAML to JSON: yaml: line 2: found a tab character that violates indentation',
      position: { path: 'a.yaml', line: 11, column: 1 },
    }),
  )
})

it('points at the character that cannot be read', () => {
  expect(() => parseYaml('a: 1\nb: x\u007f', { path: 'a.yaml' })).toThrow(
    expect.objectContaining({
      message: 'yaml: control characters are not allowed',
      position: { path: 'a.yaml', line: 2, column: 5 },
    }),
  )
  expect(() => parseYaml('a: \udcff')).toThrow('yaml: invalid leading UTF-8 octet')
})

it('refuses deep nesting and alias bombs', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  expect(parseYaml(deep(500))).toBeInstanceOf(Array)
  expect(() => parseYaml(deep(501))).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }))
  expect(() => parseYamlNode('- '.repeat(501))).toThrow(
    expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
  )
  let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n'
  for (let i = 1; i < 9; i++) bomb += `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]\n`
  expect(messageOf(bomb)).toBe('yaml: document contains excessive aliasing')
  expect(messageOf(bomb, { dialect: 'v3' })).toBe('yaml: document contains excessive aliasing')
})

it('reads a stream of documents', () => {
  const text = '# a\n---\na: 1\n...\n---\n- b\n--- c\n'
  expect([...parseYamlDocuments(text)]).toEqual([
    { value: { a: 1 }, line: 2 },
    { value: ['b'], line: 5 },
    { value: 'c', line: 7 },
  ])
  expect([...parseYamlDocuments('')]).toEqual([])
})
