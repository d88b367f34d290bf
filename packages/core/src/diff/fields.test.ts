import { describe, expect, it } from 'vitest'
import type { Manifest } from '../kube/index.ts'
import { fieldChanges } from './fields.ts'
import { formatPath } from './path.ts'

function told(before: object, after: object): string[] {
  return fieldChanges(before as Manifest, after as Manifest).map(
    (change) =>
      `${change.change} ${formatPath(change.path)} ${JSON.stringify(change.before ?? null)} ${JSON.stringify(change.after ?? null)}`,
  )
}

const deployment = (containers: object[]): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { template: { spec: { containers } } },
})

describe('fieldChanges', () => {
  it('matches containers by name and env by name', () => {
    expect(
      told(
        deployment([{ name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] }]),
        deployment([
          { name: 'new', image: 'n' },
          { name: 'a', image: 'a:2', env: [{ name: 'X', value: '2' }] },
        ]),
      ),
    ).toEqual([
      'add spec.template.spec.containers[name=new] null {"name":"new","image":"n"}',
      'modify spec.template.spec.containers[name=a].image "a:1" "a:2"',
      'modify spec.template.spec.containers[name=a].env[name=X].value "1" "2"',
    ])
  })

  it('tells a move from a change', () => {
    expect(
      told(
        deployment([{ name: 'a' }, { name: 'b' }, { name: 'c' }]),
        deployment([{ name: 'c' }, { name: 'a' }, { name: 'b' }]),
      ),
    ).toEqual(['move spec.template.spec.containers[name=c] 2 0'])
  })

  it('compares scalars in lists by value, and lists without keys by position', () => {
    const kind = { apiVersion: 'x.io/v1', kind: 'Thing' }
    expect(told({ ...kind, args: ['a', 'b'] }, { ...kind, args: ['b', 'c'] })).toEqual([
      'remove args[value=a] "a" null',
      'add args[value=c] null "c"',
    ])
    expect(told({ ...kind, args: ['a', 'a'] }, { ...kind, args: ['a', 'b'] })).toEqual([
      'modify args[1] "a" "b"',
    ])
  })

  it('quotes keys that are no words', () => {
    expect(formatPath(['metadata', 'annotations', 'a.b/c'])).toBe('metadata.annotations["a.b/c"]')
  })
})
