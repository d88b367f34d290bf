import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings, type Settings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import { formatKey, keyOf, type Manifest, mergeTypesWith } from '../kube/index.ts'
import {
  compileDiffRules,
  type DiffAnswers,
  type DiffRules,
  diffNeeds,
  diffPairs,
} from './index.ts'

const app = (spec: object = {}, annotations: object = {}): Application =>
  ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', annotations },
    spec: { project: 'default', destination: {}, ...spec },
  }) as unknown as Application

const rulesOf = (spec: object = {}, settings: object = {}, annotations: object = {}): DiffRules =>
  compileDiffRules(app(spec, annotations), { ...defaultSettings, ...settings } as Settings)

const object = (apiVersion: string, kind: string, rest: object, metadata: object = {}): Manifest =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'a', namespace: 'n', ...metadata },
    ...rest,
  }) as unknown as Manifest

const config = (data: object, metadata: object = {}): Manifest =>
  object('v1', 'ConfigMap', { data }, metadata)

const deployment = (spec: object, metadata: object = {}): Manifest =>
  object('apps/v1', 'Deployment', { spec }, metadata)

const lastApplied = (manifest: Manifest): object => ({
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(manifest) },
})

const owned = (
  manager: string,
  operation: string,
  fieldsV1: object,
  apiVersion = 'v1',
): object => ({
  managedFields: [{ manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1 }],
})

interface Told {
  readonly strategy: string
  readonly modified: boolean
}

function compare(
  target: Manifest | undefined,
  live: Manifest | undefined,
  rules: DiffRules = rulesOf(),
  answers?: DiffAnswers,
): Told | string {
  try {
    const key = keyOf((target ?? live)!)
    const [diff] = diffPairs([{ key, target, live }], rules, answers)
    return { strategy: diff!.strategy, modified: diff!.modified }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return error.message
  }
}

const told = (strategy: string, modified: boolean): Told => ({ strategy, modified })

describe('which strategy', () => {
  const serverSide = 'argocd.argoproj.io/compare-options'
  const ssa = { syncPolicy: { syncOptions: ['ServerSideApply=true'] } }
  const a = config({ a: '1' })

  it.each<[string, Manifest | undefined, Manifest | undefined, DiffRules, Told]>([
    ['no live object', a, undefined, rulesOf(), told('none', true)],
    ['no target', undefined, a, rulesOf(), told('none', false)],
    ['no last-applied', a, a, rulesOf(), told('two-way', false)],
    ['last-applied', a, config({ a: '1' }, lastApplied(a)), rulesOf(), told('three-way', false)],
    [
      'unreadable last-applied',
      a,
      config(
        { a: '1' },
        { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{' } },
      ),
      rulesOf(),
      told('two-way', false),
    ],
    ['a sync option of the Application', a, a, rulesOf(ssa), told('structured-merge', false)],
    [
      'a sync option of the target',
      config(
        { a: '1' },
        { annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' } },
      ),
      a,
      rulesOf(),
      told('structured-merge', true),
    ],
  ])('%s', (_name, target, live, rules, expected) => {
    expect(compare(target, live, rules)).toEqual(expected)
  })

  it.each<[string, boolean, string, number]>([
    ['the settings', true, '', 1],
    ['a compare option', false, 'ServerSideDiff=true', 1],
    ['switched off for the Application', true, 'ServerSideDiff=false', 0],
    ['off wins over on', false, 'ServerSideDiff=true,ServerSideDiff=false', 0],
  ])('server-side by %s', (_name, setting, option, count) => {
    const rules = rulesOf(ssa, { serverSideDiff: setting }, { [serverSide]: option })
    const pairs = [
      { key: keyOf(a), target: a, live: a },
      { key: keyOf(a), target: a, live: undefined },
      { key: keyOf(a), target: undefined, live: a },
    ]
    expect(diffNeeds(pairs, rules).dryRuns).toHaveLength(count)
  })
})

describe('client-side comparison', () => {
  it.each<[string, Manifest, Manifest, boolean]>([
    ['what only the live object has', config({ a: '1' }), config({ a: '1', b: '2' }), false],
    ['another value', config({ a: '1' }), config({ a: '2' }), true],
    [
      'a key that Git dropped',
      config({ a: '1' }),
      config({ a: '1', b: '2' }, lastApplied(config({ a: '1', b: '2' }))),
      true,
    ],
    [
      'quantities in another spelling',
      deployment({
        template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: 0.1 } } }] } },
      }),
      deployment({
        template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu: '100m' } } }] } },
      }),
      false,
    ],
    [
      'defaults of the API server',
      deployment({ replicas: 1 }),
      deployment({ strategy: { type: 'RollingUpdate' } }),
      false,
    ],
    [
      'the order of keyed lists',
      deployment({ template: { spec: { containers: [{ name: 'a' }, { name: 'b' }] } } }),
      deployment({ template: { spec: { containers: [{ name: 'b' }, { name: 'a' }] } } }),
      true,
    ],
    [
      'a status in Git',
      deployment({ replicas: 1 }),
      { ...deployment({ replicas: 1 }), status: { replicas: 1 } } as unknown as Manifest,
      false,
    ],
    [
      'stringData',
      object('v1', 'Secret', { stringData: { a: 'x' } }),
      object('v1', 'Secret', { data: { a: 'eA==' } }),
      false,
    ],
  ])('%s', (_name, target, live, modified) => {
    const result = compare(target, live)
    expect(typeof result === 'string' ? result : result.modified).toBe(modified)
  })
})

describe('structured merge', () => {
  const rules = rulesOf({ syncPolicy: { syncOptions: ['ServerSideApply=true'] } })

  it.each<[string, Manifest, Manifest, boolean]>([
    [
      'a key applied before',
      config({ a: '1' }),
      config(
        { a: '1', b: '2' },
        owned('argocd-controller', 'Apply', { 'f:data': { 'f:a': {}, 'f:b': {} } }),
      ),
      true,
    ],
    [
      'a key that somebody else made',
      config({ a: '1' }),
      config({ a: '1', b: '2' }, owned('kubectl', 'Update', { 'f:data': { 'f:b': {} } })),
      false,
    ],
    [
      'a key of a client-side apply',
      config({ a: '1' }),
      config(
        { a: '1', b: '2' },
        {
          ...lastApplied(config({ a: '1', b: '2' })),
          ...owned('argocd-controller', 'Update', { 'f:data': { 'f:b': {} } }),
        },
      ),
      false,
    ],
  ])('%s', (_name, target, live, modified) => {
    expect(compare(target, live, rules)).toEqual(told('structured-merge', modified))
  })

  it.each<[string, Manifest, string]>([
    [
      'an unknown field',
      deployment({ colour: 'red' }),
      'error building typed value from config resource: .spec.colour: field not declared in schema',
    ],
    [
      'an unknown kind',
      object('example.com/v1', 'Thing', {}),
      'unable to resolve parseableType for GroupVersionKind: example.com/v1, Kind=Thing',
    ],
  ])('fails as a whole for %s', (_name, target, message) => {
    const live = { ...target, spec: {} } as unknown as Manifest
    expect(compare(target, live, rules)).toBe(
      `failed to calculate diff: error calculating structured merge diff: ${message}`,
    )
  })

  it('uses the definitions of custom resources', () => {
    const definition = {
      spec: {
        group: 'example.com',
        names: { kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { a: { type: 'integer' } } } },
              },
            },
          },
        ],
      },
    }
    const withTypes = { ...rules, mergeTypes: mergeTypesWith([definition]) }
    const thing = (a: number): Manifest => object('example.com/v1', 'Thing', { spec: { a } })
    expect(compare(thing(1), thing(2), withTypes)).toEqual(told('structured-merge', true))
  })
})

describe('server-side diff', () => {
  const rules = rulesOf({}, { serverSideDiff: true })
  const target = config({ a: '1' })
  const live = config({ a: '1', b: '2' }, { resourceVersion: '1' })
  const answer = (reply: object): DiffAnswers => ({
    dryRuns: new Map([[formatKey(keyOf(target)), reply as never]]),
  })
  const ours = owned('argocd-controller', 'Apply', { 'f:data': { 'f:a': {} } })

  it.each<[string, Manifest, boolean]>([
    ['no change', config({ a: '1', b: '2' }, { ...ours, resourceVersion: '1' }), false],
    ['a change of ours', config({ a: '5', b: '2' }, ours), true],
    ['a change of a webhook', config({ a: '1', b: '9', c: '3' }, ours), false],
    ['a key that goes', config({ a: '1' }, ours), true],
  ])('%s', (_name, predicted, modified) => {
    expect(compare(target, live, rules, answer({ object: predicted }))).toEqual(
      told('server-side', modified),
    )
  })

  it('counts changes of webhooks when it is asked to', () => {
    const all = rulesOf(
      {},
      { serverSideDiff: true },
      {
        'argocd.argoproj.io/compare-options': 'IncludeMutationWebhook=true',
      },
    )
    const predicted = config({ a: '1', b: '9' }, ours)
    expect(compare(target, live, all, answer({ object: predicted }))).toEqual(
      told('server-side', true),
    )
  })

  const wrapped =
    'failed to calculate diff: error calculating server side diff: serverSideDiff error: '

  it.each<[string, object, string]>([
    [
      'a refused dry run',
      { error: 'Service "a" is invalid' },
      'error running server side apply in dryrun mode for resource ConfigMap/a: Service "a" is invalid',
    ],
    [
      'an answer without managed fields',
      { object: config({}) },
      'error removing non config mutations for resource ConfigMap/a: predictedLive for resource ConfigMap/a must have the managedFields',
    ],
    [
      'an answer without our fields',
      { object: config({}, owned('x', 'Apply', {})) },
      'error removing non config mutations for resource ConfigMap/a: no managed fields found for manager: argocd-controller',
    ],
  ])('fails as a whole for %s', (_name, reply, message) => {
    expect(compare(target, live, rules, answer(reply))).toBe(wrapped + message)
  })

  it('sends the target in the form of its kind', () => {
    const secret = object('v1', 'Secret', { stringData: { a: 'x' } })
    const { dryRuns } = diffNeeds([{ key: keyOf(secret), target: secret, live: secret }], rules)
    expect(dryRuns[0]!.target['data']).toEqual({ a: 'eA==' })
  })
})

describe('trusted managers', () => {
  const scaled = owned('hpa', 'Update', { 'f:spec': { 'f:replicas': {} } }, 'apps/v1')
  const live = deployment({ replicas: 9, paused: true }, scaled)
  const trust = (entry: object): object => ({
    ignoreDifferences: [{ group: 'apps', kind: 'Deployment', ...entry }],
  })

  it.each<[string, DiffRules, object, boolean]>([
    [
      'their changes are no difference',
      rulesOf(trust({ managedFieldsManagers: ['hpa'] })),
      { replicas: 1 },
      false,
    ],
    [
      'other fields are',
      rulesOf(trust({ managedFieldsManagers: ['hpa'] })),
      { replicas: 1, minReadySeconds: 3 },
      true,
    ],
    [
      'names are compared exactly',
      rulesOf(trust({ managedFieldsManagers: ['h*'] })),
      { replicas: 1 },
      true,
    ],
    [
      'for that name only',
      rulesOf(trust({ managedFieldsManagers: ['hpa'], name: 'b' })),
      { replicas: 1 },
      true,
    ],
    [
      'from the settings, for the kind',
      rulesOf(
        {},
        {
          overrides: {
            'apps/Deployment': { ignoreDifferences: { managedFieldsManagers: ['hpa'] } },
          },
        },
      ),
      { replicas: 1 },
      false,
    ],
    [
      'from the settings, for everything',
      rulesOf(
        {},
        { overrides: { '*/*': { ignoreDifferences: { managedFieldsManagers: ['hpa'] } } } },
      ),
      { replicas: 1 },
      false,
    ],
    [
      'other globs of the settings do not count',
      rulesOf(
        {},
        { overrides: { 'apps/*': { ignoreDifferences: { managedFieldsManagers: ['hpa'] } } } },
      ),
      { replicas: 1 },
      true,
    ],
  ])('%s', (_name, rules, spec, modified) => {
    expect(compare(deployment(spec), live, rules)).toEqual(told('two-way', modified))
  })

  it('takes lists of unknown kinds as one', () => {
    const fields = { 'f:spec': { 'f:list': {} } }
    const thing = (list: unknown, metadata: object = {}): Manifest =>
      object('example.com/v1', 'Thing', { spec: { list } }, metadata)
    const rules = rulesOf({
      ignoreDifferences: [{ group: '*', kind: '*', managedFieldsManagers: ['op'] }],
    })
    const found = thing([{ name: 'a', v: 2 }], owned('op', 'Update', fields, 'example.com/v1'))
    expect(compare(thing([{ name: 'a', v: 1 }]), found, rules)).toEqual(told('two-way', false))
  })

  it('fails as a whole for an entry that cannot be read', () => {
    const broken = deployment({ replicas: 9 }, owned('hpa', 'Update', { spec: {} }, 'apps/v1'))
    const rules = rulesOf(trust({ managedFieldsManagers: ['hpa'] }))
    expect(compare(deployment({ replicas: 1 }), broken, rules)).toContain(
      'failed to perform pre-diff normalization: error normalizing manager hpa: ',
    )
  })
})

describe('rules that cannot be read', () => {
  it('stop the comparison of the whole Application', () => {
    const ignoreDifferences = [{ group: 'x', kind: 'y', jqPathExpressions: ['.a |'] }]
    expect(() => rulesOf({ ignoreDifferences })).toThrow(
      'failed to create diff normalizer: unexpected token ")"',
    )
  })
})
