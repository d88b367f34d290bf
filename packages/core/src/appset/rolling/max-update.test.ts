import { expect, it } from 'vitest'
import type { Json } from '../../json/index.ts'
import { maxUpdateOf } from './max-update.ts'

it.each<[Json | undefined, number, number | undefined]>([
  [undefined, 5, undefined],
  [null, 5, undefined],
  [0, 5, 0],
  [3, 5, 3],
  [3n, 5, 3],
  [-1, 5, -1],
  ['0%', 5, 0],
  ['00%', 5, 1],
  ['1%', 5, 1],
  ['50%', 5, 2],
  ['99%', 5, 4],
  ['100%', 5, 5],
  ['200%', 5, 10],
  ['30%', 10, 3],
  ['50%', 0, 1],
  ['2', 5, 1],
  ['much', 5, 1],
  ['12.5%', 100, 1],
  ['', 5, 1],
])('%s of %i: %s', (given, total, most) => {
  expect(maxUpdateOf(given, total)).toBe(most)
})
