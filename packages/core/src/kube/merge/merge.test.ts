import { describe, expect, it } from 'vitest'
import { deepFreeze, type JsonObject } from '../../json/index.ts'
import {
  applyStrategicMerge,
  threeWayJsonMerge,
  threeWayStrategicMerge,
  twoWayStrategicMerge,
} from './index.ts'

const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' }
const service = { apiVersion: 'v1', kind: 'Service' }

function podSpec(spec: JsonObject): JsonObject {
  return { spec: { template: { spec } } }
}

function containers(...list: JsonObject[]): JsonObject {
  return podSpec({ containers: list })
}

// What kubectl's library answers was asked of k8s.io/apimachinery v0.36.1 pkg/util/strategicpatch.
const strategic: {
  readonly name: string
  readonly kind?: { apiVersion: string; kind: string }
  readonly original: JsonObject
  readonly modified: JsonObject
  readonly current: JsonObject
  readonly patch: JsonObject
  readonly result: JsonObject
}[] = [
  {
    name: 'nothing to do where live only has more',
    original: { spec: { replicas: 1 } },
    modified: { spec: { replicas: 1 } },
    current: { spec: { replicas: 1, revisionHistoryLimit: 10 } },
    patch: {},
    result: { spec: { replicas: 1, revisionHistoryLimit: 10 } },
  },
  {
    name: 'a field that was applied and is gone is deleted',
    original: { spec: { replicas: 1 }, metadata: { labels: { a: '1', b: '2' } } },
    modified: { spec: {}, metadata: { labels: { a: '1' } } },
    current: { spec: { replicas: 3 }, metadata: { labels: { a: '1', b: '2', c: '3' } } },
    patch: { spec: { replicas: null }, metadata: { labels: { b: null } } },
    result: { spec: {}, metadata: { labels: { a: '1', c: '3' } } },
  },
  {
    name: 'list items are matched by key, live-only ones stay in their place',
    original: containers({ name: 'a', image: 'a:1' }, { name: 'gone', image: 'g:1' }),
    modified: containers({ name: 'a', image: 'a:2' }, { name: 'new', image: 'n:1' }),
    current: containers(
      { name: 'sidecar', image: 's:1' },
      { name: 'a', image: 'a:1', tty: true },
      { name: 'gone', image: 'g:1' },
    ),
    patch: podSpec({
      '$setElementOrder/containers': [{ name: 'a' }, { name: 'new' }],
      containers: [
        { name: 'a', image: 'a:2' },
        { name: 'new', image: 'n:1' },
        { name: 'gone', $patch: 'delete' },
      ],
    }),
    result: containers(
      { name: 'sidecar', image: 's:1' },
      { name: 'a', image: 'a:2', tty: true },
      { name: 'new', image: 'n:1' },
    ),
  },
  {
    name: 'another order alone is a patch',
    original: {},
    modified: containers({ name: 'a' }, { name: 'b' }),
    current: containers({ name: 'b' }, { name: 'a' }),
    patch: podSpec({ '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }] }),
    result: containers({ name: 'a' }, { name: 'b' }),
  },
  {
    name: 'retainKeys drops what the strategy has no more',
    original: { spec: { strategy: { type: 'RollingUpdate' } } },
    modified: { spec: { strategy: { type: 'Recreate' } } },
    current: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
    patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    result: { spec: { strategy: { type: 'Recreate' } } },
  },
  {
    name: 'finalizers are a set with an order',
    original: { metadata: { finalizers: ['a', 'b'] } },
    modified: { metadata: { finalizers: ['c', 'a'] } },
    current: { metadata: { finalizers: ['live', 'a', 'b'] } },
    patch: {
      metadata: {
        '$setElementOrder/finalizers': ['c', 'a'],
        '$deleteFromPrimitiveList/finalizers': ['b'],
        finalizers: ['c'],
      },
    },
    result: { metadata: { finalizers: ['c', 'live', 'a'] } },
  },
  {
    name: 'lists without a key are replaced',
    original: containers({ name: 'a', args: ['1'] }),
    modified: containers({ name: 'a', args: ['1', '2'] }),
    current: containers({ name: 'a', args: ['1', 'x'] }),
    patch: podSpec({
      '$setElementOrder/containers': [{ name: 'a' }],
      containers: [{ name: 'a', args: ['1', '2'] }],
    }),
    result: containers({ name: 'a', args: ['1', '2'] }),
  },
  {
    name: 'two ports of one number collapse',
    kind: service,
    original: {},
    modified: {
      spec: {
        ports: [
          { name: 't', port: 53 },
          { name: 'u', port: 53, protocol: 'UDP' },
        ],
      },
    },
    current: { spec: { ports: [{ name: 't', port: 53 }] } },
    patch: {
      spec: {
        '$setElementOrder/ports': [{ port: 53 }, { port: 53 }],
        ports: [
          { name: 'u', port: 53, protocol: 'UDP' },
          { name: 't', port: 53 },
        ],
      },
    },
    result: { spec: { ports: [{ name: 't', port: 53, protocol: 'UDP' }] } },
  },
  {
    name: 'a replaced map is always set',
    kind: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
    original: {},
    modified: { spec: { selector: { matchLabels: { a: '1' } } } },
    current: { spec: { selector: { matchLabels: { a: '1' } } } },
    patch: { spec: { selector: { matchLabels: { a: '1' } } } },
    result: { spec: { selector: { matchLabels: { a: '1' } } } },
  },
  {
    name: 'an unknown field that is the same everywhere does no harm',
    original: { spec: { colour: { a: 1 } } },
    modified: { spec: { colour: { a: 1 }, replicas: 2 } },
    current: { spec: { colour: { a: 1 } } },
    patch: { spec: { replicas: 2 } },
    result: { spec: { colour: { a: 1 }, replicas: 2 } },
  },
]

describe('strategic merge', () => {
  it.each(strategic)(
    '$name',
    ({ kind = deployment, original, modified, current, patch, result }) => {
      const input = deepFreeze({ original, modified, current, kind })
      expect(threeWayStrategicMerge(input)).toEqual(patch)
      expect(applyStrategicMerge(current, deepFreeze(patch), kind)).toEqual(result)
    },
  )

  it('turns one object into another', () => {
    const before = podSpec({ volumes: [{ name: 'v', emptyDir: {} }], hostNetwork: true })
    const after = podSpec({ volumes: [{ name: 'v', secret: { secretName: 's' } }] })
    const patch = twoWayStrategicMerge(before, after, deployment)
    expect(patch).toEqual(
      podSpec({
        '$setElementOrder/volumes': [{ name: 'v' }],
        volumes: [
          {
            name: 'v',
            $retainKeys: ['name', 'secret'],
            secret: { secretName: 's' },
            emptyDir: null,
          },
        ],
        hostNetwork: null,
      }),
    )
    expect(applyStrategicMerge(before, patch, deployment)).toEqual(after)
  })

  it.each([
    [
      'unknown field',
      { spec: { colour: { a: 1 } } },
      { spec: { colour: { a: 2 } } },
      'unable to find api field in struct DeploymentSpec for the json field "colour"',
    ],
    [
      'missing merge key',
      containers({ name: 'a' }),
      containers({ image: 'x' }),
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      'items of several types',
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: [{ name: 'a' }, 'b'] }),
      'list element types are not identical',
    ],
    [
      'lists of lists',
      podSpec({ containers: [{ name: 'a' }] }),
      podSpec({ containers: [['b']] }),
      'lists of lists are not supported',
    ],
    [
      'a map where there are only strings',
      { metadata: { labels: { a: { b: { c: '1' } } } } },
      { metadata: { labels: { a: { b: { c: '2' } } } } },
      'merging an object in json but data type is not struct, instead is: map',
    ],
  ])('refuses: %s', (_, current, modified, message) => {
    const make = (): unknown =>
      threeWayStrategicMerge({ original: current, modified, current, kind: deployment })
    expect(make).toThrow(message)
    expect(make).toThrow(expect.objectContaining({ code: 'PATCH_FAILED', name: 'CompareError' }))
  })

  it('refuses custom resources', () => {
    const kind = { apiVersion: 'example.com/v1', kind: 'Thing' }
    expect(() => applyStrategicMerge({}, {}, kind)).toThrow(
      'not supported for example.com/v1 Thing',
    )
  })

  it.each([
    ['replace', { $patch: 'replace', a: '1' }, { a: '1' }],
    ['delete', { $patch: 'delete' }, {}],
    ['null', null, undefined],
  ])('follows $patch of a map: %s', (_, labels, want) => {
    const live = { metadata: { labels: { x: 'y' }, name: 'n' } }
    const result = applyStrategicMerge(live, { metadata: { labels } } as JsonObject, deployment)
    expect((result['metadata'] as JsonObject)['labels']).toEqual(want)
  })

  it('follows $patch: replace of a list', () => {
    const patch = containers({ $patch: 'replace' }, { name: 'b' })
    const live = containers({ name: 'a' }, { name: 'c' })
    expect(applyStrategicMerge(live, patch, deployment)).toEqual(containers({ name: 'b' }))
  })

  it('drops nulls from what is new, not from list items', () => {
    const patch = {
      metadata: { labels: { a: null, b: '1' } },
      ...containers({ name: 'a', args: null }),
    }
    expect(applyStrategicMerge({}, patch, deployment)).toEqual({
      metadata: { labels: { b: '1' } },
      ...containers({ name: 'a' }),
    })
    expect(applyStrategicMerge(containers({ name: 'x' }), patch, deployment)).toMatchObject(
      containers({ name: 'a', args: null }, { name: 'x' }),
    )
  })

  it.each([
    [{ spec: { strategy: { $retainKeys: ['type'], rollingUpdate: {} } } }, 'retainKeys'],
    [{ spec: { $patch: 'eat' } }, 'unknown patch type: eat in map: map[$patch:eat]'],
    [
      podSpec({ '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] }),
      'The order in patch list',
    ],
    [
      podSpec({ '$setElementOrder/containers': 'x' }),
      'expected a []interface {}, but received a string',
    ],
  ])('refuses a malformed patch', (patch, message) => {
    const live = {
      spec: { strategy: { type: 'a' }, template: { spec: { containers: [{ name: 'z' }] } } },
    }
    expect(() => applyStrategicMerge(live, patch as JsonObject, deployment)).toThrow(message)
  })
})

describe('threeWayJsonMerge', () => {
  it.each([
    ['adds and changes', {}, { a: 1, b: { c: 2 } }, { b: { c: 1, d: 3 } }, { a: 1, b: { c: 2 } }],
    [
      'deletes what was applied',
      { a: 1, b: { c: 1 } },
      { b: {} },
      { a: 1, b: { c: 1 } },
      { a: null, b: { c: null } },
    ],
    ['replaces lists whole', {}, { a: [1, { b: null }] }, { a: [1] }, { a: [1, {}] }],
    ['keeps a new empty map', {}, { a: {} }, {}, { a: {} }],
    ['keeps nothing of a map that is already there', {}, { a: {} }, { a: { b: 1 } }, {}],
    ['a null that was applied as null does nothing', { a: null }, { a: null }, { a: 1 }, {}],
    ['a null where a value was applied deletes', { a: 1 }, { a: null }, { a: 1 }, { a: null }],
    [
      'a null where nothing was applied deletes',
      {},
      { a: { b: null } },
      { a: { b: 1 } },
      { a: { b: null } },
    ],
    ['another type replaces', {}, { a: { b: 1 } }, { a: 'x' }, { a: { b: 1 } }],
    [
      'integers beyond 2^53 compare as doubles',
      {},
      { a: 9007199254740993n },
      { a: 9007199254740992n },
      {},
    ],
  ] as [string, JsonObject, JsonObject, JsonObject, JsonObject][])(
    '%s',
    (_, original, modified, current, patch) => {
      expect(threeWayJsonMerge(deepFreeze({ original, modified, current }))).toEqual(patch)
    },
  )
})
