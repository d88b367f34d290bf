import { expect, it } from 'vitest'
import { nilPath } from './nil-path.ts'
import type { AnyNode } from './nodes.ts'

const field = (...fields: string[]): AnyNode => ({ type: 'field', fields, pos: 0 })

it.each<readonly [string, AnyNode, string, string | undefined]>([
  [
    'the value before the field',
    field('Values', 'a', 'b', 'c'),
    'nil pointer evaluating interface {}.b',
    '.Values.a',
  ],
  [
    'of a variable',
    { type: 'variable', name: '$x', fields: ['a', 'b'], pos: 0 },
    'nil pointer evaluating interface {}.b',
    '$x.a',
  ],
  [
    'a variable itself',
    { type: 'variable', name: '$x', fields: ['b'], pos: 0 },
    'nil pointer evaluating interface {}.b',
    '$x',
  ],
  ['the dot', field('b'), 'nil pointer evaluating interface {}.b', '.'],
  [
    'behind parentheses, whose text stays out',
    { type: 'chain', base: { type: 'nil', pos: 0 }, fields: ['a', 'b'], pos: 0 },
    'nil pointer evaluating interface {}.b',
    '(...).a',
  ],
  [
    'an argument',
    field('Values', 'a'),
    'wrong type for value; expected string; got interface {}',
    '.Values.a',
  ],
  [
    'an argument of another type',
    field('Values', 'a'),
    'wrong type for value; expected string; got int',
    undefined,
  ],
  ['another trouble', field('a', 'b'), "can't evaluate field b in type interface {}", undefined],
])('%s', (_, node, message, want) => {
  expect(nilPath(node, message)).toBe(want)
})
