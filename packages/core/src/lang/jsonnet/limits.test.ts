import { describe, expect, it } from 'vitest'
import { evaluateJsonnet } from './index.ts'

const nested = 'local f(n) = if n == 0 then [1] else local x = f(n - 1); [x, x]; f(40)'

describe('a program that asks for too much ends with BUDGET_EXCEEDED', () => {
  it.each([
    ['max stack frames exceeded.', 'local f(x) = f(x + 1); f(0)'],
    ['max stack frames exceeded.', 'local x = x; x'],
    ['max stack frames exceeded.', '{ a: self.b, b: self.a }'],
    ['max stack frames exceeded.', 'local a = { x: a }; a'],
    ['max stack frames exceeded.', '['.repeat(50_000)],
    ['max stack frames exceeded.', 'std.parseJson(std.repeat("[", 9000) + std.repeat("]", 9000))'],
    ['evaluation steps', 'local f(x) = f(x + 1) tailstrict; f(0)'],
    ['evaluation steps', '[1 for a in std.range(1, 1e5) for b in std.range(1, 1e5)]'],
    [
      'evaluation steps',
      `${nested} == ${nested.replace('local f', 'local g').replaceAll('f(', 'g(')}`,
    ],
    ['evaluation steps', `std.prune((${nested}))`],
    ['evaluation steps', 'std.foldl(function(a, i) a + [i], std.range(1, 1e5), [])'],
    ['characters', 'std.repeat("a", 1e9)'],
    ['characters', 'local f(s, n) = if n == 0 then s else f(s + s, n - 1); f("ab", 60)'],
    ['characters', 'std.strReplace(std.repeat("a", 1e5), "a", std.repeat("b", 1e5))'],
    ['characters', nested],
    ['elements', 'std.range(0, 1e9)'],
    ['elements', 'std.makeArray(1e9, function(i) i)'],
    ['elements', 'std.repeat([1], 1e9)'],
    ['layers', 'local f(o, n) = if n == 0 then o else f(o + o, n - 1); f({ a: 1 }, 60).a'],
  ])('%s: %s', (what, text) => {
    const limits = { steps: 300_000, output: 1 << 20 }
    const run = (): string =>
      evaluateJsonnet({ entry: { name: 'p', text }, importer: () => 'no', limits }).text()
    expect(run).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }))
    expect(run).toThrow(what)
  })
})

it('the limits are per evaluation', () => {
  const options = {
    entry: { name: 'p', text: 'std.length(std.map(function(x) x, std.range(1, 1000)))' },
    importer: () => 'no',
  }
  expect(() => evaluateJsonnet({ ...options, limits: { steps: 10 } })).toThrow(
    '10 evaluation steps',
  )
  expect(evaluateJsonnet(options).json()).toBe(1000)
})

it('the stack may be deeper', () => {
  const text = 'local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(1500)'
  const options = { entry: { name: 'p', text }, importer: () => 'no', limits: { maxStack: 2000 } }
  expect(evaluateJsonnet(options).json()).toBe(1500)
})
