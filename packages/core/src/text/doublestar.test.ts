import { expect, it } from 'vitest'
import { compileDoublestar } from './doublestar.ts'

it.each([
  ['envs/*.yaml', 'envs/a.yaml', true],
  ['envs/*.yaml', 'envs/x/a.yaml', false],
  ['envs/**/*.yaml', 'envs/a.yaml', true],
  ['envs/**/*.yaml', 'envs/x/y/a.yaml', true],
  ['a/**', 'a', true],
  ['**', 'a/b/c', true],
  ['*.yaml', '.hidden.yaml', true],
  ['{a,b}.yaml', 'b.yaml', true],
  ['a?.yaml', 'a/.yaml', false],
])('%s against %s: %s', (pattern, text, want) => {
  expect(compileDoublestar(pattern)?.(text)).toBe(want)
})

it('refuses an open bracket', () => {
  expect(compileDoublestar('a/[x')).toBeUndefined()
})
