import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  compileDiffRules,
  equalledFields,
  fieldChanges,
  formatPath,
  formatSource,
  ignoredDifferences,
  ownersOf,
} from './index.ts'

const deployment = (spec: object, managedFields: readonly object[] = []): Manifest =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', managedFields },
    spec,
    status: { replicas: 1 },
  }) as unknown as Manifest

const pod = (image: string): object => ({
  template: { spec: { containers: [{ name: 'a', image, tty: true }] } },
})

const hpa = {
  manager: 'hpa',
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
}

function told(entry: object, target: Manifest, live: Manifest): readonly string[] {
  const app = {
    metadata: { name: 'a' },
    spec: { destination: {}, ignoreDifferences: [{ group: 'apps', kind: 'Deployment', ...entry }] },
  } as unknown as Application
  const rules = compileDiffRules(app, {
    ...defaultSettings,
    overrides: { '*/*': { ignoreDifferences: { jsonPointers: ['/status'] } } },
  } as unknown as typeof defaultSettings)
  return ignoredDifferences({ target, live }, rules).map(({ because, paths }) => {
    const who =
      because.type === 'manager'
        ? because.manager
        : `${because.rule.text} in ${formatSource(because.rule.source)}`
    return `${who}: ${paths.join(' ')}`
  })
}

describe('ignoredDifferences', () => {
  it.each<[string, object, object, object, readonly string[]]>([
    [
      'names the rule that hides a difference',
      { jsonPointers: ['/spec/replicas'] },
      { replicas: 1 },
      { replicas: 2 },
      ['/spec/replicas in spec.ignoreDifferences[0]: spec.replicas'],
    ],
    [
      'leaves out rules that hide nothing',
      { jsonPointers: ['/spec/replicas', '/spec/paused'] },
      { replicas: 1 },
      { replicas: 1, paused: true },
      [],
    ],
    [
      'tells fields of list items by their key',
      { jqPathExpressions: ['.spec.template.spec.containers[].image'] },
      pod('a:1'),
      pod('a:2'),
      [
        '.spec.template.spec.containers[].image in spec.ignoreDifferences[0]: spec.template.spec.containers[name=a].image',
      ],
    ],
    [
      'names managers that are trusted',
      { managedFieldsManagers: ['hpa'] },
      { replicas: 1 },
      { replicas: 2 },
      ['hpa: .spec.replicas'],
    ],
  ])('%s', (_name, entry, target, live, expected) => {
    expect(told(entry, deployment(target), deployment(live, [hpa]))).toEqual(expected)
  })

  it('knows the rules of the settings', () => {
    const target = { ...deployment({}), status: { replicas: 5 } } as unknown as Manifest
    expect(told({}, target, deployment({}))).toEqual([
      '/status in resource.customizations of */*: status',
    ])
  })

  it('has nothing to tell of an object without its other side', () => {
    const rules = compileDiffRules(
      { metadata: { name: 'a' }, spec: { destination: {} } } as unknown as Application,
      defaultSettings,
    )
    expect(ignoredDifferences({ target: deployment({}), live: undefined }, rules)).toEqual([])
  })
})

const plain = compileDiffRules(
  { metadata: { name: 'a' }, spec: { destination: {} } } as unknown as Application,
  defaultSettings,
)

describe('equalledFields', () => {
  const equalled = (target: Manifest, live: Manifest): readonly string[] =>
    equalledFields({ target, live }, plain).map(({ path, because }) => `${because} ${path}`)

  it.each<[string, object, object, readonly string[]]>([
    [
      'quantities in another spelling',
      { template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: 0.5 } } }] } } },
      {
        template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '500m' } } }] } },
      },
      ['spelling spec.template.spec.containers[name=a].resources.limits.cpu'],
    ],
    ['empty values', { paused: false, replicas: 1 }, { replicas: 1 }, ['empty spec.paused']],
    [
      'defaults',
      { replicas: 1 },
      { replicas: 1, revisionHistoryLimit: 10 },
      ['default spec.revisionHistoryLimit'],
    ],
    ['nothing that differs indeed', { replicas: 1 }, { replicas: 2, revisionHistoryLimit: 5 }, []],
  ])('tells %s', (_name, target, live, expected) => {
    expect(equalled(deployment(target), deployment(live))).toEqual(expected)
  })

  it('knows the rules of kinds', () => {
    const secret = (rest: object): Manifest =>
      ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'a' },
        ...rest,
      }) as unknown as Manifest
    const target = secret({ stringData: { a: 'x' }, type: 'Opaque' })
    expect(equalled(target, secret({ data: { a: 'eA==' }, type: 'Opaque' }))).toEqual([
      'kind stringData',
    ])
  })
})

describe('ownersOf', () => {
  const containers = {
    'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {} } } } },
  }
  const live = deployment({ ...pod('a:1'), replicas: 2, strategy: {} }, [
    hpa,
    {
      ...hpa,
      manager: 'argocd-controller',
      operation: 'Apply',
      fieldsV1: { 'f:spec': containers },
    },
    { ...hpa, manager: 'broken', fieldsV1: { spec: {} } },
  ])

  it.each([
    [['spec', 'replicas'], ['hpa']],
    [['spec', 'template', 'spec', 'containers', { name: 'a' }, 'image'], ['argocd-controller']],
    [['spec', 'template', 'spec', 'containers', { name: 'b' }, 'image'], ['argocd-controller']],
    [['spec', 'template', 'spec', 'containers', { name: 'a' }, 'tty'], []],
    [['spec'], ['hpa', 'argocd-controller']],
  ])('%j', (path, managers) => {
    const owners = ownersOf(live, path, plain.mergeTypes)
    expect(owners.map(({ manager }) => manager)).toEqual(managers)
  })

  it('takes the paths of changes', () => {
    const [change] = fieldChanges(
      live,
      deployment(
        { ...pod('a:2'), replicas: 2, strategy: {} },
        (live['metadata'] as { managedFields: object[] }).managedFields,
      ),
    )
    expect(formatPath(change!.path)).toBe('spec.template.spec.containers[name=a].image')
    expect(ownersOf(live, change!.path, plain.mergeTypes)).toMatchObject([
      { manager: 'argocd-controller', operation: 'Apply', subresource: '' },
    ])
  })
})
