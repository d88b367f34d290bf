import { expect, it } from 'vitest'
import { filepathMatch } from './filepath-match.ts'

it.each([
  ['*', 'Deployment', true],
  ['*', 'a/b', false],
  ['a*c', 'abbc', true],
  ['a*c', 'ac', true],
  ['ab*bc', 'abc', false],
  ['a*c', 'a/c', false],
  ['a/*.y', 'a/b.y', true],
  ['a/*.y', 'a/b/c.y', false],
  ['*/b', 'a/b', true],
  ['*/b', 'a/a/b', false],
  ['a**c', 'abc', true],
  ['a*b*c', 'axbxbxc', true],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['[a-c]x', 'bx', true],
  ['[^a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['\\*', '*', true],
  ['', '', true],
  ['', 'a', false],
  ['[', 'a', undefined],
  ['[]a]', 'a', undefined],
  ['a\\', 'a', undefined],
])('filepathMatch(%s, %s) is %s', (pattern, text, want) => {
  expect(filepathMatch(pattern, text)).toBe(want)
})
