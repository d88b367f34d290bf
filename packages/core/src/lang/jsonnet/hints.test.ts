import { describe, expect, it } from 'vitest'
import { evaluateJsonnet } from './index.ts'

function hintOf(text: string): string | undefined {
  try {
    evaluateJsonnet({
      entry: { name: 'p', text },
      importer: () => 'couldn\'t open import "x"',
    }).text()
  } catch (error) {
    return (error as { hint?: string }).hint
  }
  return undefined
}

describe('hints', () => {
  it.each([
    ['local replicas = 1; replcas', 'Did you mean replicas?'],
    ['length([])', 'Did you mean std.length?'],
    ['{ metadata: 1, spec: 2 }.metdata', 'Did you mean metadata?'],
    ['{ a: 1 }.zzz', 'The object has: a.'],
    ['import "x"', 'Paths are looked up beside'],
    ['local x = x; x', 'refers to itself without end'],
    ['{ f(x): x }', 'hide the field with ::'],
    ['function(name) name', 'it is a TLA'],
    ['std.extVar("env")', '-V NAME=VALUE'],
    ['{ a: super.b }', 'to the left of this object'],
    ['{ a: 1 b: 2 }', 'A comma is missing'],
    ['local x = 1 x', 'ends with a semicolon'],
    ['{} + (if false then {})', 'An if without else gives null'],
    ['1 ==-1', 'put a space there'],
    ['{ a: 1, a: 2 }', 'only once'],
    ['[x for x in {}]', 'std.objectFields'],
  ])('%s', (text, hint) => {
    expect(hintOf(text)).toContain(hint)
  })
})
