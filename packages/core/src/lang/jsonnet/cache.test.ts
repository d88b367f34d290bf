import { expect, it } from 'vitest'
import { JsonnetCache } from './cache.ts'

const file = (path: string, text: string): { path: string; bytes: Uint8Array } => ({
  path,
  bytes: new TextEncoder().encode(text),
})

it('knows a file by its path and content', () => {
  const cache = new JsonnetCache()
  const first = cache.program(file('a', '1'))
  const second = cache.program(file('a', '2'))
  expect(cache.program(file('a', '1'))).toBe(first)
  expect(cache.program(file('a', '2'))).toBe(second)
  expect(cache.program(file('b', '1'))).not.toBe(first)
})

it('forgets what was not used for longest', () => {
  const cache = new JsonnetCache(10)
  const [a, b] = [cache.program(file('a', '11111')), cache.program(file('b', '22222'))]
  cache.program(file('c', '3'))
  expect(cache.program(file('b', '22222'))).toBe(b)
  expect(cache.program(file('a', '11111'))).not.toBe(a)
})

it('keeps four versions of a path', () => {
  const cache = new JsonnetCache()
  const programs = ['1', '2', '3', '4', '5'].map((text) => cache.program(file('a', text)))
  expect(cache.program(file('a', '2'))).toBe(programs[1])
  expect(cache.program(file('a', '1'))).not.toBe(programs[0])
})
