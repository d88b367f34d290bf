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
