import { CompareError, SpecError } from '@litecd/core/errors'
import type { Json } from '@litecd/core/json'
import { describe, expect, it } from 'vitest'
import { findBinary } from '../../../../test/binaries.ts'
import { programJq } from './jq.ts'

const program = findBinary('gojq')

describe.skipIf(program === undefined)('path expressions by a program', () => {
  const remove = (expression: string, document: Json): Json | undefined =>
    programJq(program!)(`del(${expression})`)(document)

  it.each<[string, Json, Json | undefined]>([
    ['.spec.replicas', { spec: { replicas: 2, paused: true } }, { spec: { paused: true } }],
    [
      '.spec.containers[] | select(.name == "sidecar")',
      { spec: { containers: [{ name: 'web' }, { name: 'sidecar' }] } },
      { spec: { containers: [{ name: 'web' }] } },
    ],
    ['.gone', { a: 'é<\u2028' }, { a: 'é<\u2028' }],
    ['.a.b', { a: 'text' }, undefined],
    ['.a), (.b', { a: 1, b: 2 }, undefined],
    ['.a[limit(1; repeat(1))] | until(false; .)', { a: [1] }, undefined],
  ])('%s', (expression, document, expected) => {
    expect(remove(expression, document)).toEqual(expected)
  })

  it('say what cannot be compiled when they are compiled', () => {
    expect(() => programJq(program!)('del(.a[)')).toThrow(CompareError)
  })

  it('need the program', () => {
    expect(() => programJq('/nowhere/jq')('.')).toThrow(SpecError)
  })
})
