import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../json/index.ts'
import {
  applyOwned,
  compareTyped,
  deducedType,
  formatSteps,
  type MergeType,
  mergeTypesWith,
  misfit,
  ownedFields,
  readFields,
  removeFields,
} from './index.ts'

const types = mergeTypesWith([])
const deploymentType = types('apps/v1', 'Deployment')!

const deployment = (spec: object, metadata: object = {}): JsonObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec,
  }) as unknown as JsonObject

const pod = (...containers: object[]): object => ({ template: { spec: { containers } } })

const texts = (set: { paths(): Iterable<readonly string[]> }): readonly string[] =>
  [...set.paths()].map(formatSteps).sort()

const entry = (manager: string, operation: 'Apply' | 'Update', fieldsV1: object): object => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
})

describe('misfit', () => {
  it.each<[string, object, string | undefined]>([
    ['a field of the schema', { replicas: 1 }, undefined],
    ['null anywhere', { replicas: null, template: null }, undefined],
    ['an unknown field', { colour: 'red' }, '.spec.colour: field not declared in schema'],
    [
      'a text for a number',
      { replicas: 'x' },
      '.spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'a map for a list',
      { template: { spec: { containers: { a: 1 } } } },
      '.spec.template.spec.containers: expected list, got &{map[a:1]}',
    ],
    [
      'a number for a text',
      { template: { spec: { nodeName: 5 } } },
      '.spec.template.spec.nodeName: expected string, got &value.valueUnstructured{Value:5}',
    ],
    [
      'equal keys',
      pod({ name: 'a' }, { name: 'a' }),
      '.spec.template.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'a key completed by its default',
      pod({ name: 'a', ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }] }),
      '.spec.template.spec.containers[name="a"].ports: duplicate entries for key [containerPort=1,protocol="TCP"]',
    ],
    [
      'null in a keyed list',
      { template: { spec: { containers: [null] } } },
      '.spec.template.spec.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      'two problems',
      { paused: 1, replicas: {} },
      'errors:\n  .spec.paused: expected boolean, got &{1}\n  .spec.replicas: expected numeric (int or float), got map[string]interface {}',
    ],
  ])('%s', (_name, spec, message) => {
    expect(misfit(deployment(spec), deploymentType)).toBe(message)
  })
})

describe('ownedFields', () => {
  it('names leaves, list items and keys of maps', () => {
    const object = deployment(pod({ name: 'a', args: ['x'], ports: [{ containerPort: 1 }] }), {
      labels: { app: 'web' },
      finalizers: ['f'],
    })
    expect(texts(ownedFields(object, deploymentType))).toEqual([
      '.apiVersion',
      '.kind',
      '.metadata.finalizers[="f"]',
      '.metadata.labels.app',
      '.metadata.name',
      '.spec.template.spec.containers[name="a"]',
      '.spec.template.spec.containers[name="a"].args',
      '.spec.template.spec.containers[name="a"].name',
      '.spec.template.spec.containers[name="a"].ports[containerPort=1,protocol="TCP"]',
      '.spec.template.spec.containers[name="a"].ports[containerPort=1,protocol="TCP"].containerPort',
    ])
  })
})

describe('readFields', () => {
  it('reads the form of managedFields', () => {
    const set = readFields({
      'f:spec': {
        'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {} } },
        'f:replicas': {},
      },
      'f:finalizers': { 'v:"x"': {}, 'i:0': {} },
      'q:later': {},
    })
    expect(texts(set)).toEqual([
      '.finalizers[0]',
      '.finalizers[="x"]',
      '.spec.containers[name="a"]',
      '.spec.containers[name="a"].image',
      '.spec.replicas',
    ])
  })

  it.each(['x', 'spec', 'k:{'])('refuses %s', (key) => {
    expect(() => readFields({ [key]: {} })).toThrow(SyntaxError)
  })
})

describe('applyOwned', () => {
  const apply = (live: JsonObject, config: JsonObject): JsonObject | undefined =>
    applyOwned({ live, config, type: deploymentType, manager: 'me' })
  const mine = (fields: object): object => entry('me', 'Apply', fields)
  const container = (fields: object): object => ({
    'f:spec': {
      'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {}, ...fields } } } },
    },
  })

  it('changes nothing where all is said already', () => {
    const live = deployment({ replicas: 1, paused: true })
    expect(apply(live, deployment({ replicas: 1 }))).toBeUndefined()
  })

  it('takes away what it applied before', () => {
    const managedFields = [mine({ 'f:spec': { 'f:replicas': {}, 'f:paused': {} } })]
    const live = deployment({ replicas: 1, paused: true }, { managedFields })
    expect(apply(live, deployment({ replicas: 1 }))?.['spec']).toEqual({ replicas: 1 })
  })

  it('leaves what somebody else owns too', () => {
    const fields = { 'f:spec': { 'f:paused': {} } }
    const managedFields = [mine(fields), entry('other', 'Update', fields)]
    const live = deployment({ paused: true }, { managedFields })
    expect(apply(live, deployment({}))).toBeUndefined()
  })

  it('leaves what it owns by updates only', () => {
    const managedFields = [entry('me', 'Update', { 'f:spec': { 'f:paused': {} } })]
    const live = deployment({ paused: true }, { managedFields })
    expect(apply(live, deployment({}))).toBeUndefined()
  })

  it('counts no entries of other versions', () => {
    const other = { ...mine({ 'f:spec': { 'f:paused': {} } }), apiVersion: 'apps/v1beta1' }
    const live = deployment({ paused: true }, { managedFields: [other] })
    expect(apply(live, deployment({}))).toBeUndefined()
  })

  it('takes away a list item, and keeps one that others filled', () => {
    const live = deployment(pod({ name: 'a', image: 'a:1' }, { name: 'b' }), {
      managedFields: [mine(container({ 'f:name': {}, 'f:image': {} }))],
    })
    const left = apply(live, deployment(pod({ name: 'b' })))
    expect(left?.['spec']).toEqual(pod({ name: 'b' }))
    const shared = deployment(pod({ name: 'a', image: 'a:1', tty: true }, { name: 'b' }), {
      managedFields: [
        mine(container({ 'f:name': {}, 'f:image': {} })),
        entry('other', 'Update', container({ 'f:name': {}, 'f:tty': {} })),
      ],
    })
    const rest = apply(shared, deployment(pod({ name: 'b' })))
    expect(rest?.['spec']).toEqual(pod({ name: 'a', tty: true }, { name: 'b' }))
  })

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['the order of the config wins', ['a', 'b'], ['b', 'a'], ['b', 'a']],
    ['items of live keep their place', ['a', 'x', 'b'], ['b', 'a'], ['x', 'b', 'a']],
    ['new items come where the config has them', ['a', 'b'], ['a', 'n', 'b'], ['a', 'n', 'b']],
    ['at the end', ['a', 'x'], ['a', 'n'], ['a', 'x', 'n']],
    ['at the front', ['a', 'x'], ['n', 'a'], ['n', 'a', 'x']],
  ])('%s', (_name, live, config, result) => {
    const of = (names: readonly string[]): JsonObject =>
      deployment(pod(...names.map((name) => ({ name }))))
    expect((apply(of(live), of(config)) ?? of(live))['spec']).toEqual(of(result)['spec'])
  })

  it('replaces atomic lists', () => {
    const of = (...args: string[]): JsonObject => deployment(pod({ name: 'a', args }))
    expect(apply(of('x', 'y'), of('y'))).toEqual(of('y'))
  })

  it.each([
    [{ ...mine({}), operation: 'Delete' }, 'operation must be `Apply` or `Update`'],
    [{ ...mine({}), fieldsType: 'V2' }, 'invalid fieldsType "V2" in managed fields entry 0'],
    [mine({ spec: {} }), 'error decoding set: missing colon: spec'],
  ])('refuses an entry', (broken, message) => {
    const live = deployment({}, { managedFields: [broken] })
    expect(() => apply(live, deployment({}))).toThrow(message)
  })
})

describe('compareTyped', () => {
  it('tells what differs by field, whatever the order of keyed items', () => {
    const left = deployment({ ...pod({ name: 'a', image: '1' }, { name: 'b' }), replicas: 1 })
    const right = deployment({
      ...pod({ name: 'b', tty: true }, { name: 'a', image: '2' }),
      paused: true,
    })
    const { added, modified, removed } = compareTyped(left, right, deploymentType)
    expect(texts(modified)).toEqual(['.spec.template.spec.containers[name="a"].image'])
    expect(texts(added)).toEqual(['.spec.paused', '.spec.template.spec.containers[name="b"].tty'])
    expect(texts(removed)).toEqual(['.spec.replicas'])
  })

  it('takes lists as one where there is no schema', () => {
    const of = (...list: number[]): Json => ({ a: { list } })
    const { modified } = compareTyped(of(1, 2), of(1, 3), deducedType)
    expect(texts(modified)).toEqual(['.a.list'])
  })
})

describe('removeFields', () => {
  it('keeps containers that lose all they hold', () => {
    const object = deployment(pod({ name: 'a', image: '1' }), { labels: { a: '1' } })
    const set = readFields({
      'f:metadata': { 'f:labels': { 'f:a': {} } },
      'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': {} } } } },
    })
    expect(removeFields(object, set, deploymentType)).toEqual(
      deployment({ template: { spec: { containers: [] } } }, { labels: {} }),
    )
  })
})

describe('schemas of custom resources', () => {
  const crd = (schema: object): JsonObject =>
    ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        group: 'example.com',
        names: { kind: 'Thing' },
        versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }],
      },
    }) as unknown as JsonObject
  const typeWith = (properties: object): MergeType =>
    mergeTypesWith([crd({ type: 'object', properties: { spec: { type: 'object', properties } } })])(
      'example.com/v1',
      'Thing',
    )!
  const thing = (spec: object): JsonObject =>
    ({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a' },
      spec,
    }) as unknown as JsonObject
  const text = { type: 'string' }

  it.each<[string, object, object, string]>([
    ['lists are owned as one', { type: 'array', items: text }, ['a'], '.spec.x'],
    [
      'sets by value',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['a'],
      '.spec.x[="a"]',
    ],
    [
      'keyed lists by key',
      {
        type: 'array',
        items: { type: 'object', properties: { id: text } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['id'],
      },
      [{ id: 'a' }],
      '.spec.x[id="a"],.spec.x[id="a"].id',
    ],
    ['maps by key', { type: 'object', additionalProperties: text }, { k: 'v' }, '.spec.x.k'],
    [
      'atomic maps as one',
      { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      { k: 'v' },
      '.spec.x',
    ],
    [
      'what keeps unknown fields has no schema',
      {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { k: { type: 'integer' } },
      },
      { k: 'v' },
      '.spec.x.k',
    ],
    [
      'what may be null has none either',
      { type: 'object', nullable: true, properties: {} },
      { k: 'v' },
      '.spec.x.k',
    ],
  ])('%s', (_name, schema, value, fields) => {
    const type = typeWith({ x: schema })
    const object = thing({ x: value })
    expect(misfit(object, type)).toBeUndefined()
    const own = texts(ownedFields(object, type)).filter((path) => path.startsWith('.spec'))
    expect(own.join()).toBe(fields)
  })

  it('refuses fields that the definition does not have', () => {
    expect(misfit(thing({ y: 1 }), typeWith({ x: text }))).toBe(
      '.spec.y: field not declared in schema',
    )
  })

  it('knows no other kinds, and definitions themselves', () => {
    expect(types('example.com/v1', 'Thing')).toBeUndefined()
    const type = types('apiextensions.k8s.io/v1', 'CustomResourceDefinition')!
    const definition = {
      ...crd({ type: 'object', properties: { a: text } }),
      metadata: { name: 'x' },
    }
    expect(misfit(definition, type)).toBeUndefined()
  })
})
