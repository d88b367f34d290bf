import { describe, expect, it } from 'vitest'
import { LitecdError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { compileJq } from './index.ts'

const all = (program: string, input: Json = null): readonly Json[] => [
  ...compileJq(program).run(input),
]

function failure(program: string, input: Json = null, maxSteps = 100_000): string {
  try {
    for (const _ of compileJq(program).run(input, { maxSteps }));
  } catch (error) {
    if (error instanceof LitecdError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'none'
}

// what the gojq program 0.12.19 prints for these
const cases: readonly [program: string, input: Json, ...outputs: Json[]][] = [
  ['.', { a: 1 }, { a: 1 }],
  ['.a.b, .["c d"], ."e"', { a: { b: 1 }, 'c d': 2, e: 3 }, 1, 2, 3],
  ['.[0], .[-1], .[5]', [1, 2], 1, 2, null],
  ['.[1:], .[:-1], .[1:2]', [1, 2, 3], [2, 3], [1, 2], [2]],
  ['.[1:3]', 'añb', 'ñb'],
  [
    '[.[] | select(.a > 1) | .b]',
    [
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ],
    [2],
  ],
  ['{a, "b": 2, (.c): .a}.a', { a: 1, c: 'x' }, 1],
  ['{(.[]): 1}', ['a', 'b'], { a: 1 }, { b: 1 }],
  ['.a // "none"', { a: false }, 'none'],
  ['[.[] // 1]', [null, 2, false, 3], [2, 3]],
  ['if . > 1 then "big" elif . == 1 then "one" else "small" end', 1, 'one'],
  [
    '[.[] as [$a, {b: $c}] | $a + $c]',
    [
      [1, { b: 2 }],
      [3, { b: 4 }],
    ],
    [3, 7],
  ],
  ['.[] as [$a] ?// $a | [$a]', [[1], 2], [1], [2]],
  ['reduce .[] as $x (0; . + $x)', [1, 2, 3], 6],
  [
    '[foreach .[] as $x (0; . + $x; [$x, .])]',
    [1, 2],
    [
      [1, 1],
      [2, 3],
    ],
  ],
  ['[label $out | .[] | if . > 2 then break $out else . end]', [1, 2, 3, 1], [1, 2]],
  ['def f(g): [g, g]; f(.a)', { a: 1 }, [1, 1]],
  ['def f($x; $y): $x + $y; f(1, 2; 10, 20)', null, 11, 21, 12, 22],
  ['def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; fac', 10, 3628800],
  ['try error("x") catch .', null, 'x'],
  ['[.[] | try tonumber catch "bad"]', ['1', 'x'], [1, 'bad']],
  ['[limit(2; .[])], first(.[]), [skip(1; .[])]', [1, 2, 3], [1, 2], 1, [2, 3]],
  ['[paths]', { a: [1] }, [['a'], ['a', 0]]],
  [
    '[path(.. | select(type == "number"))]',
    { a: [1, { b: 2 }] },
    [
      ['a', 0],
      ['a', 1, 'b'],
    ],
  ],
  ['del(.[0, 2])', [1, 2, 3, 4], [2, 4]],
  ['del(.a, .b.c)', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3 } }],
  ['del(.. | .x?)', { x: 1, y: { x: 2, z: [{ x: 3 }] } }, { y: { z: [{}] } }],
  ['to_entries, with_entries(.value += 1)', { a: 1 }, [{ key: 'a', value: 1 }], { a: 2 }],
  ['.a |= . + 1, (.[] |= empty)', { a: 1, b: 2 }, { a: 2, b: 2 }, {}],
  ['(.[] | select(. > 1)) |= empty', [1, 2, 3, 1], [1, 1]],
  ['.a += 1, .b //= 5, .a = (1, 2)', { a: 1 }, { a: 2 }, { a: 1, b: 5 }, { a: 1 }, { a: 2 }],
  ['.[1:] = ["x"]', [1, 2, 3], [1, 'x']],
  ['group_by(.a) | map(length)', [{ a: 1 }, { a: 2 }, { a: 1 }], [2, 1]],
  [
    'sort_by(.a, -.b) | map(.b)',
    [
      { a: 2, b: 1 },
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
    [2, 1, 1],
  ],
  ['unique, min, max, add, any, all', [1, 2, 1], [1, 2], 1, 2, 4, true, true],
  ['sort', [{ b: 1 }, [1], 'a', 1, true, false, null], [null, false, true, 1, 'a', [1], { b: 1 }]],
  [
    'flatten, flatten(1), transpose',
    [
      [1, [2]],
      [3, 4],
    ],
    [1, 2, 3, 4],
    [1, [2], 3, 4],
    [
      [1, 3],
      [[2], 4],
    ],
  ],
  ['split(", "), ascii_upcase, ltrimstr("a")', 'a, b', ['a', 'b'], 'A, B', ', b'],
  [
    'test("^A"; "i"), [match("(?<x>b)(c)?").captures[].name], capture("(?<y>.)")',
    'abc',
    true,
    ['x', null],
    { y: 'a' },
  ],
  ['sub("(?<x>b)"; "[\\(.x)]"), gsub("[ac]"; "")', 'abc', 'a[b]c', 'b'],
  ['"\\(1 + 2) and \\("x")", @base64, @json "v=\\(.)"', 'hi', '3 and x', 'aGk=', 'v="hi"'],
  ['@base64d, (@base64d | @uri)', 'YSBi', 'a b', 'a%20b'],
  ['@csv, @tsv, @sh', [1, 'a"b', null], '1,"a""b",', '1\ta"b\t', "1 'a\"b' null"],
  ['index("b"), rindex("b"), indices("b")', 'abcb', 1, 3, [1, 3]],
  ['contains({a: [1]}), inside({a: [1, 2], b: 1})', { a: [1, 2] }, true, true],
  [
    'tojson, (tojson | fromjson)',
    { b: 1.5, a: [null] },
    '{"a":[null],"b":1.5}',
    { a: [null], b: 1.5 },
  ],
  ['[range(3)], [range(1; 6; 2)]', null, [0, 1, 2], [1, 3, 5]],
  ['[.[] | floor, sqrt]', [4.5, 9], [4, Math.sqrt(4.5), 9, 3]],
  ['9007199254740993 + 1', null, 9007199254740994n],
  ['5 % 3, -5 % 3, 1 / 4, "ab" * 2', null, 2, -2, 0.25, 'abab'],
  ['{a: 1} * {a: {b: 2}}, [1, 2, 1] - [1]', null, { a: { b: 2 } }, [2]],
  ['fromdate, (fromdate | todate)', '2024-02-29T12:00:00Z', 1709208000, '2024-02-29T12:00:00Z'],
  ['implode', [65, 66], 'AB'],
  ['[walk(if type == "number" then . + 1 else . end)]', [1, { a: 2 }], [[2, { a: 3 }]]],
  ['env, $ENV', null, {}, {}],
  ['getpath(["a", "b"]), ([paths(type == "number")] | length)', { a: { b: 3 } }, 3, 1],
  ['# nothing but a comment\n. # and one more', 1, 1],
]

describe('compileJq', () => {
  it.each(cases)('%s', (program, input, ...outputs) => {
    expect(all(program, input)).toEqual(outputs)
  })

  it.each([
    ['.[]?', 1],
    ['limit(0; 1, error("no"))', null],
    ['empty', null],
  ] as const)('%s has no output', (program, input) => {
    expect(all(program, input)).toEqual([])
  })

  it.each([
    ['.a', [1], 'JQ_INVALID: expected an object but got: array ([1])'],
    ['.[0]', { a: 1 }, 'JQ_INVALID: expected an array but got: object ({"a":1})'],
    ['.[]', 'x', 'JQ_INVALID: cannot iterate over: string ("x")'],
    ['1 + "a"', null, 'JQ_INVALID: cannot add: number (1) and string ("a")'],
    ['error("no")', null, 'JQ_INVALID: error: no'],
    ['error({a: 1})', null, 'JQ_INVALID: error: {"a":1}'],
    ['path(1)', null, 'JQ_INVALID: invalid path against: number (1)'],
    ['del(.a[0])', { a: {} }, 'JQ_INVALID: expected an array but got: object ({})'],
    ['foo', null, 'JQ_INVALID: function not defined: foo/0'],
    ['foo(1; 2)', null, 'JQ_INVALID: function not defined: foo/2'],
    ['$x', null, 'JQ_INVALID: variable not defined: $x'],
    ['break $x', null, 'JQ_INVALID: label not defined: $x'],
    ['.a |', null, 'JQ_INVALID: unexpected EOF'],
    ['.a )', null, 'JQ_INVALID: unexpected token ")"'],
    ['"abc', null, 'JQ_INVALID: unterminated string literal'],
    ['input', null, 'JQ_INVALID: input(s)/0 is not allowed'],
  ] as const)('%s fails as in gojq', (program, input, message) => {
    expect(failure(program, input as unknown as Json)).toBe(message)
  })

  it.each([
    ['an endless loop', 'def f: f; f'],
    ['endless outputs', '[repeat(.)]'],
    ['endless recursion', 'def f: 1 + f; f'],
    ['a range without end', '[range(infinite)]'],
    ['doubling text', 'reduce range(100) as $i ("x"; . + .)'],
    ['doubling lists', 'reduce range(100) as $i ([1]; . + .)'],
    ['nested loops', '[range(10000) | range(10000)] | length'],
    ['deep updates', 'reduce range(1000000) as $i (null; [.])'],
  ])('stops at its budget: %s', (_name, program) => {
    expect(failure(program)).toMatch(/^(BUDGET_EXCEEDED|JQ_INVALID): /)
    expect(failure(program)).toContain('BUDGET_EXCEEDED')
  })

  it('runs deep recursion without using up the stack', () => {
    const program = 'def f: if . > 50000 then . else (. + 1 | f) end; 0 | f'
    expect(all(program)).toEqual([50001])
  })

  it('can be left before its last output', () => {
    const outputs = compileJq('range(infinite)').run(null)
    expect([outputs.next().value, outputs.next().value]).toEqual([0, 1])
  })

  it('cannot reach prototypes', () => {
    expect(all('.__proto__, .constructor', {})).toEqual([null, null])
    const [made] = all('.["__proto__"] = {x: 1}', {})
    expect(Object.hasOwn(made as object, '__proto__')).toBe(true)
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})
