import { expect, it } from 'vitest'
import { locate } from './locate.ts'

const text = '# a comment\nspec:\n  source: {repoURL: x, path: y}\n  list:\n    - a\n    - b: 1\n'

it.each([
  [['spec', 'source', 'path'], 3, 24],
  [['spec', 'list', 1, 'b'], 6, 7],
  [['spec', 'list', 0], 5, 7],
  [['spec', 'nothing', 'below'], 2, 1],
  [[], 2, 1],
])('%j is at %d:%d', (path, line, column) => {
  expect(locate(text, path as (string | number)[])).toEqual({ line, column })
})

it('knows nothing of what is no YAML', () => {
  expect(locate('a: [', ['a'])).toBeUndefined()
})

it('follows aliases and merges, and takes the last of double keys', () => {
  const anchors = 'a: &a\n  b: 1\nc: *a\nd:\n  <<: *a\ne: 1\ne: 2\n'
  expect(locate(anchors, ['c', 'b'])).toEqual({ line: 2, column: 3 })
  expect(locate(anchors, ['d', 'b'])).toEqual({ line: 2, column: 3 })
  expect(locate(anchors, ['e'])).toEqual({ line: 7, column: 1 })
})

it('answers nothing for what is not all there, when it has to be exact', () => {
  expect(locate(text, ['spec', 'nothing'], { exact: true })).toBeUndefined()
  expect(locate(text, ['spec', 'list', 0], { exact: true })).toEqual({ line: 5, column: 7 })
})
