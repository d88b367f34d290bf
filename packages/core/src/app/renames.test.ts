import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import type { RenderedTarget } from './explain.ts'
import { pairRenamed } from './renames.ts'

function target(kind: string, name: string, rest: JsonObject, namespace = 'web'): RenderedTarget {
  const annotations = { 'argocd.argoproj.io/tracking-id': `web:/${kind}:${namespace}/${name}` }
  const manifest = {
    apiVersion: 'v1',
    kind,
    metadata: { name, namespace, annotations },
    ...rest,
  } as Manifest
  return { key: keyOf(manifest), manifest, origin: { manifest, origin: { path: 'x.yaml' } } }
}

const data = (value: JsonObject): JsonObject => ({ data: value })
const many = { a: '1', b: '2', c: '3', d: '4' }

function pairs(gone: readonly RenderedTarget[], come: readonly RenderedTarget[]) {
  return [...pairRenamed(gone, come)].map(([to, from]) => [
    `${from.key.namespace}/${from.key.name}`,
    `${to.key.namespace}/${to.key.name}`,
  ])
}

describe('renamed objects', () => {
  it.each<[string, RenderedTarget, RenderedTarget, boolean]>([
    [
      'most fields are the same',
      target('ConfigMap', 'a', data(many)),
      target('ConfigMap', 'b', data({ ...many, d: '5' })),
      true,
    ],
    [
      'half of the fields are the same',
      target('ConfigMap', 'a', data(many)),
      target('ConfigMap', 'b', data({ ...many, c: '5', d: '5' })),
      false,
    ],
    [
      'another kind',
      target('ConfigMap', 'a', data(many)),
      target('Secret', 'a', data(many)),
      false,
    ],
    [
      'another namespace, whatever is in it',
      target('ConfigMap', 'a', data({ a: '1' })),
      target('ConfigMap', 'a', data({ z: '2' }), 'prod'),
      true,
    ],
    [
      'another hash',
      target('ConfigMap', 'a-8c99t2k4bf', data({ a: '1' })),
      target('ConfigMap', 'a-hm2g6t5dkc', data({ z: '2' })),
      true,
    ],
    [
      'no hash, but a long word',
      target('ConfigMap', 'a-production', data({ a: '1' })),
      target('ConfigMap', 'a-developmen', data({ z: '2' })),
      false,
    ],
    ['nothing to compare', target('ConfigMap', 'a', {}), target('ConfigMap', 'b', {}), false],
  ])('%s', (_title, from, to, isPair) => {
    expect(pairs([from], [to])).toHaveLength(isPair ? 1 : 0)
  })

  it('are paired once each, the best first', () => {
    const gone = [target('ConfigMap', 'a', data(many)), target('ConfigMap', 'b', data(many))]
    const come = [
      target('ConfigMap', 'c', data({ ...many, d: '5' })),
      target('ConfigMap', 'd', data(many)),
      target('ConfigMap', 'e', data(many)),
    ]
    expect(pairs(gone, come)).toEqual([
      ['web/a', 'web/d'],
      ['web/b', 'web/e'],
    ])
  })
})
