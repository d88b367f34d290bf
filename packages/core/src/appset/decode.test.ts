import { describe, expect, it } from 'vitest'
import type { Json } from '../json/index.ts'
import { decodeProblem } from './decode.ts'

describe('decodeProblem', () => {
  it.each<[Json, string]>([
    ['text', 'Go value of type v1alpha1.Application'],
    [
      { spec: { source: { path: [1] } } },
      'Go struct field ApplicationSource.spec.source.path of type string',
    ],
    [
      { spec: { sources: [{ repoURL: 1 }] } },
      'Go struct field ApplicationSource.spec.sources.repoURL of type string',
    ],
    [
      { metadata: { labels: { a: true } } },
      'Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      { metadata: { finalizers: 'x' } },
      'Go struct field ObjectMeta.metadata.finalizers of type []string',
    ],
    [
      { spec: { syncPolicy: { automated: { prune: 'yes' } } } },
      'Go struct field SyncPolicyAutomated.spec.syncPolicy.automated.prune of type bool',
    ],
    [
      { spec: { source: [] } },
      'Go struct field ApplicationSpec.spec.source of type v1alpha1.ApplicationSource',
    ],
    [
      { spec: { revisionHistoryLimit: 1.5 } },
      'number 1.5 into Go struct field ApplicationSpec.spec.revisionHistoryLimit of type int64',
    ],
  ])('%j', (patch, words) => {
    expect(decodeProblem(patch)).toMatch(/^json: cannot unmarshal /)
    expect(decodeProblem(patch)).toContain(words)
  })

  it.each<[Json]>([
    [{}],
    [{ unknown: [1], spec: { typo: 1, source: null } }],
    [{ spec: { source: { helm: { valuesObject: { a: [1] } } }, revisionHistoryLimit: 3 } }],
    [{ metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } }],
    [JSON.parse('{"__proto__": 1, "constructor": 2}') as Json],
  ])('nothing of %j', (patch) => {
    expect(decodeProblem(patch)).toBeUndefined()
  })
})
