import { describe, expect, it } from 'vitest'
import { compileGlob, matchGlob } from './glob.ts'

describe('matchGlob (gobwas without separators)', () => {
  it.each([
    ['*.yaml', 'nested/deployment.yaml', true],
    ['{*.yml,*.yaml}', 'a/b.yml', true],
    ['{*.yml,sub/*.yaml}', 'other/x.yaml', false],
    ['{a.yaml', 'a.yaml', true],
    ['a?c', 'a/c', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[!a-c]x', 'dx', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['{a,b{c,d}}e', 'bde', true],
    ['a,b', 'a,b', true],
    ['[', '[', false],
    ['**', '', true],
    ['*', '', true],
    ['', '', true],
    ['😀?', '😀é', true],
    ['[a-]', 'a', false],
    ['[-a]', '-', true],
    ['[ab-]', '-', true],
    ['[a-b-c]', 'a', false],
    ['[a-bc]', 'c', false],
    ['[\\]]', ']', true],
    ['[a\\-b]', '-', true],
    ['[c-a]', 'b', false],
    ['[!a]', '', true],
    ['?', '', true],
    ['x?', 'x', false],
    ['x[!a]', 'x', false],
    ['a\\', 'a', true],
    ['{a,b\\', 'b', true],
    ['[]]', ']', false],
  ])('%s against %s: %s', (pattern, text, want) => {
    expect(matchGlob(pattern, text)).toBe(want)
  })

  it('stays linear on patterns that blow up backtracking', () => {
    const pattern = '*a'.repeat(40) + 'b'
    expect(matchGlob(pattern, 'a'.repeat(5_000))).toBe(false)
  })
})

it('compileGlob with separators keeps * inside one segment', () => {
  const match = compileGlob('a/*/c', '/')!
  expect(match('a/b/c')).toBe(true)
  expect(match('a/b/x/c')).toBe(false)
  expect(compileGlob('a/**', '/')!('a/b/x/c')).toBe(true)
})
