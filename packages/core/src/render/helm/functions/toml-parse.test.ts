import { describe, expect, it } from 'vitest'
import type { Json } from '../../../json/index.ts'
import { jsonOf } from './convert.ts'
import { parseToml } from './toml-parse.ts'

// What is expected was said by BurntSushi/toml v1.6.0 in helm v4.2.2.

function read(text: string): unknown {
  try {
    return withNumbers(jsonOf(parseToml(text)))
  } catch (error) {
    return (error as Error).message.replace(/^toml: /, '')
  }
}

/** JSON as people write it: small integers are plain numbers. */
function withNumbers(json: Json): unknown {
  return JSON.parse(
    JSON.stringify(json, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  )
}

describe('parseToml', () => {
  it.each<readonly [string, unknown]>([
    ['a.b.c = 1\n[a]\nx = 2\n[a.d]\n', { a: { b: { c: 1 }, d: {}, x: 2 } }],
    ['[[x]]\ny = 1\n[[x]]\ny = 2\n', { x: [{ y: 1 }, { y: 2 }] }],
    ['s = \'\'\'\nraw\\n\'\'\'\nt = """\nm \\\n  x""""\n', { s: 'raw\\n', t: 'm x"' }],
    ['n = 0xF_F\no = 0o17\nb = 0b11\nj = 1_000', { n: 255, o: 15, b: 3, j: 1000 }],
    ['i = { a = 1, b.c = [1, 2, {x = 1}], }', { i: { a: 1, b: { c: [1, 2, { x: 1 }] } } }],
    ['"q k" = "\\u00e9\\x41\\e"\n\'\' = 1', { 'q k': 'éA\u001b', '': 1 }],
    // a value for a table that came to be on the way is dropped
    ['a.b = 1\na = 2\n', { a: { b: 1 } }],
  ])('reads %j', (text, want) => {
    expect(read(text)).toEqual(want)
  })

  it.each<readonly [string, string]>([
    ['dt = 1979-n', 'line 1 (last key "dt"): invalid datetime: "1979-"'],
    ['d = 1979-5-27', 'line 1 (last key "d"): invalid datetime: "1979-5-27"'],
    ["z = '''-1\n +2\n", 'line 2 (last key "z"): unexpected EOF; expected "\'\'\'"'],
    ['y = +e2', 'line 1 (last key "y"): expected a digit but got \'e\''],
    ['g = -n', 'line 1 (last key "g"): invalid float: \'-n\''],
    ['g = -0x1', 'line 1 (last key "g"): cannot use sign with non-decimal numbers: \'-0x\''],
    ['o = 0o', 'line 1 (last key "o"): not an octal number: \'0o\0\''],
    ['f = 1e', 'line 1 (last key "f"): Invalid float value: "1e"'],
    [
      'f = 1_.5',
      'line 1 (last key "f"): Invalid float "1_.5": underscores must be surrounded by digits',
    ],
    ["[a]\nb = '1|\n", 'line 2 (last key "a.b"): strings cannot contain newlines'],
    [
      'l = "\\u00-"',
      'line 1 (last key "l"): expected four hexadecimal digits after \'\\u\', but got "\\\\u00-" instead',
    ],
    ['l = "\\s', 'line 1 (last key "l"): invalid escape in string \'\\s\''],
    ['d = 1\r:2', 'line 1 (last key "d"): TOML files cannot contain control characters: \'0x0d\''],
    [
      'h = 1e10\u007f',
      'line 1 (last key "h"): TOML files cannot contain control characters: \'0x7f\'',
    ],
    ['h = "x"\u007f', "line 1: TOML files cannot contain control characters: '0x7f'"],
    ['\ne 😀= 1', "line 2: expected '.' or '=', but got '😀' instead"],
    [
      'a\0b',
      'line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8',
    ],
    ['a..c = 1', "line 1: unexpected '.'"],
    ['i = { a = 1, ', 'line 1 (last key "i.a"): unexpected \'=\': key name appears blank'],
    ['[\n', "line 2: expected '.' or ']' to end table name, but got '\\n' instead"],
    ['[a.]', 'line 1: unexpected end of table name (table names cannot be empty)'],
    ['a = 1\na.b.c = 2', 'line 2 (last key "a.c"): Key \'a\' was already created as a hash.'],
    ['a = 1\na.b = 2', 'line 2 (last key "a.b"): Key \'a\' has already been defined.'],
    ['a = [\n1]\na = [\n2]', 'line 3 (last key "a"): Key \'a\' has already been defined.'],
    ['x = inaf', 'line 1 (last key "x"): expected value but found "af" instead'],
  ])('refuses %j', (text, want) => {
    expect(read(text)).toBe(want)
  })
})
