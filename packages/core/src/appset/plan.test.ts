import { describe, expect, it } from 'vitest'
import type { Application } from '../argo/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import { owningSetOf } from './owner.ts'
import {
  finalizersWithoutCluster,
  Planner,
  policyOf,
  summaryOf,
  surplusOf,
  validateGenerated,
} from './plan.ts'
import type { ApplicationSet } from './types.ts'

const home = { server: 'https://kubernetes.default.svc', name: 'in-cluster' }
const finalizer = 'resources-finalizer.argocd.argoproj.io'

function setOf(spec: JsonObject = {}): ApplicationSet {
  return {
    metadata: { name: 'set', namespace: 'argocd', uid: 'u1' },
    spec: { generators: [], template: {}, ...spec },
  } as unknown as ApplicationSet
}

function app(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', ...metadata },
    spec: {
      project: 'default',
      source: { repoURL: 'https://example.com/x', path: 'a' },
      destination: { server: home.server, namespace: 'web' },
      ...spec,
    },
  } as unknown as Application
}

const owner = (more: JsonObject = {}): JsonObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  name: 'set',
  uid: 'u1',
  controller: true,
  blockOwnerDeletion: true,
  ...more,
})
const owned = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Application =>
  app(name, spec, { ownerReferences: [owner()], ...metadata })

function planner(spec: JsonObject = {}, more: { annotations?: string[]; labels?: string[] } = {}) {
  return new Planner(setOf(spec), {
    preservedAnnotations: more.annotations ?? [],
    preservedLabels: more.labels ?? [],
    normalizeSpec: ({ spec: of }) => of,
  })
}

describe('a sync that is to be started', () => {
  const operation = { sync: {}, retry: { limit: 5 } }

  it('goes into the same write', () => {
    expect(planner().decide(app('a'), owned('a'), operation)).toEqual({ patch: { operation } })
    expect(planner().decide(app('a'), undefined, operation)).toMatchObject({
      create: { operation },
    })
    const changed = app('a', { project: 'other' })
    expect(planner().decide(changed, owned('a'), operation)).toEqual({
      patch: { spec: { project: 'other' }, operation },
    })
  })
})

describe('specDiffers', () => {
  const ignore = { ignoreApplicationDifferences: [{ jsonPointers: ['/spec/project'] }] }

  it.each<[string, JsonObject, Application, Application, boolean]>([
    ['the same', {}, app('a'), owned('a'), false],
    ['another project', {}, app('a', { project: 'x' }), owned('a'), true],
    ['metadata alone', {}, app('a', {}, { labels: { a: 'b' } }), owned('a'), false],
    ['an ignored field', ignore, app('a', { project: 'x' }), owned('a'), false],
    [
      'automated sync that is off',
      {},
      app('a', { syncPolicy: { automated: { enabled: false } } }),
      owned('a', { syncPolicy: { automated: { enabled: false } } }),
      false,
    ],
  ])('%s', (_, spec, generated, live, differs) => {
    expect(planner(spec).specDiffers(generated, live)).toBe(differs)
  })

  it('throws where a path does not compile', () => {
    const broken = { ignoreApplicationDifferences: [{ jqPathExpressions: ['.a)'] }] }
    expect(() => planner(broken).specDiffers(app('a'), owned('a'))).toThrow(
      'failed to apply ignore differences',
    )
  })
})

describe('policyOf', () => {
  it.each<[string, string | undefined, boolean, boolean, boolean]>([
    ['sync', undefined, true, true, true],
    ['sync', 'create-only', true, false, false],
    ['sync', 'create-update', true, true, false],
    ['sync', 'create-delete', true, false, true],
    ['sync', 'create-only', false, true, true],
    ['create-only', 'sync', false, false, false],
    ['sync', 'nonsense', true, false, false],
  ])('%s, the set %s, override %s: update %s, delete %s', (policy, own, override, update, del) => {
    const set = setOf(own === undefined ? {} : { syncPolicy: { applicationsSync: own } })
    expect(policyOf(set, policy, override)).toEqual({ update, delete: del })
  })
})

describe('validateGenerated', () => {
  it('takes both of two with one name, and says what is wrong with the others', () => {
    const problems = validateGenerated(
      setOf(),
      [
        app('a'),
        app('twice'),
        app('twice'),
        app('lost', { project: 'absent' }),
        app('far', { destination: { name: 'far' } }),
      ],
      (name) => name === 'default',
      [home],
    )
    expect(Object.fromEntries(problems)).toEqual({
      twice: 'ApplicationSet set contains applications with duplicate name: twice',
      lost: 'application references project absent which does not exist',
      far: 'application destination spec is invalid: there are no clusters with this name: far',
    })
    expect(summaryOf(problems)).toBe(`${problems.get('twice')} (and 2 more)`)
    expect(summaryOf(new Map())).toBeUndefined()
  })
})

describe('Planner', () => {
  it('creates what is not there, owned by the set and without empty fields', () => {
    const generated = app(
      'a',
      {
        source: { repoURL: 'https://example.com/x', path: 'a', targetRevision: '' },
        syncPolicy: { automated: { prune: false, enabled: false } },
        typo: 1,
      },
      { labels: {}, finalizers: [finalizer] },
    )
    expect(planner().decide(generated, undefined)).toEqual({
      create: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: {
          name: 'a',
          namespace: 'argocd',
          finalizers: [finalizer],
          ownerReferences: [owner()],
        },
        spec: {
          project: 'default',
          source: { repoURL: 'https://example.com/x', path: 'a' },
          destination: { server: home.server, namespace: 'web' },
          syncPolicy: { automated: { enabled: false } },
        },
      },
    })
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['nothing', {}, {}],
    ['empty maps', {}, { labels: {}, annotations: {} }],
    ['empty fields', { source: { repoURL: 'https://example.com/x', path: 'a', chart: '' } }, {}],
    [
      'annotations of Argo CD',
      {},
      {
        annotations: {
          'argocd.argoproj.io/refresh': 'hard',
          'argocd.argoproj.io/hydrate': 'normal',
          'notified.notifications.argoproj.io': 'x',
          'litecd.dev/rollback-state': '{}',
        },
      },
    ],
    [
      'hooks of a deletion',
      {},
      { finalizers: ['post-delete-finalizer.argocd.argoproj.io/cleanup'] },
    ],
  ])('leaves an Application alone that differs in %s', (_, spec, metadata) => {
    expect(planner().decide(app('a'), owned('a', spec, metadata))).toBeUndefined()
  })

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'a field that the template has not',
      { revisionHistoryLimit: 3 },
      {},
      { spec: { revisionHistoryLimit: null } },
    ],
    [
      'labels and finalizers',
      {},
      { labels: { mine: 'x' }, finalizers: ['example.com/mine'] },
      { metadata: { labels: null, finalizers: null } },
    ],
    ['another owner', {}, { ownerReferences: [] }, { metadata: { ownerReferences: [owner()] } }],
    [
      'an owner of an earlier life',
      {},
      { ownerReferences: [owner({ uid: 'u0' })] },
      { metadata: { ownerReferences: [owner()] } },
    ],
  ])('takes back %s', (_, spec, metadata, patch) => {
    expect(planner().decide(app('a'), owned('a', spec, metadata))).toEqual({ patch })
  })

  it('keeps what the set and the installation preserve', () => {
    const live = owned('a', {}, { annotations: { a: '1', b: '2', c: '3' }, labels: { d: '4' } })
    const plan = planner(
      { preservedFields: { annotations: ['a'], labels: ['d', 'absent'] } },
      { annotations: ['b'] },
    )
    expect(plan.decide(app('a'), live)).toEqual({
      patch: { metadata: { annotations: { c: null } } },
    })
  })

  it('does not take an Application from another controller', () => {
    const live = app('a', {}, { ownerReferences: [owner({ name: 'other' })] })
    expect(() => planner().decide(app('a'), live)).toThrow(
      'error while wrapping using MutateFn: Object argocd/a is already owned by another ApplicationSet controller other',
    )
  })

  it.each<[string, Json, boolean]>([
    ['a pointer', { jsonPointers: ['/spec/source/path'] }, true],
    ['a path expression', { jqPathExpressions: ['.spec.source.path'] }, true],
    ['a rule for this one', { name: 'a', jsonPointers: ['/spec/source/path'] }, true],
    ['a rule for another', { name: 'b', jsonPointers: ['/spec/source/path'] }, false],
  ])('ignores differences by %s', (_, rule, ignored) => {
    const live = owned('a', { source: { repoURL: 'https://example.com/x', path: 'by-hand' } })
    const write = planner({ ignoreApplicationDifferences: [rule] }).decide(app('a'), live)
    expect(write).toEqual(ignored ? undefined : { patch: { spec: { source: { path: 'a' } } } })
  })

  it('cannot be made to rename an Application', () => {
    const plan = planner({ ignoreApplicationDifferences: [{ jqPathExpressions: ['.metadata'] }] })
    expect(plan.decide(app('a'), owned('a', {}, { labels: { x: 'y' } }))).toBeUndefined()
  })

  it('creates, but does not update, under a path expression that does not compile', () => {
    const plan = planner({ ignoreApplicationDifferences: [{ jqPathExpressions: ['.a)'] }] })
    expect(plan.decide(app('a'), undefined)).toHaveProperty('create')
    expect(() => plan.decide(app('a'), owned('a'))).toThrow(
      'failed to apply ignore differences: failed to normalize application spec: unexpected token ")"',
    )
  })
})

describe('deletion', () => {
  it('takes what is not generated any more', () => {
    const names = surplusOf([owned('c'), owned('a'), owned('b')], [app('b')])
    expect(names.map(({ metadata }) => metadata.name)).toEqual(['a', 'c'])
  })

  it.each<[string, JsonObject, string[], string[] | undefined]>([
    ['a known cluster', { server: home.server }, [finalizer], undefined],
    ['no cluster', { name: 'gone' }, [finalizer, 'x/y'], ['x/y']],
    ['no cluster, other finalizers', { name: 'gone' }, [`${finalizer}/background`], undefined],
  ])('with %s', (_, destination, finalizers, left) => {
    expect(finalizersWithoutCluster(app('a', { destination }, { finalizers }), [home])).toEqual(
      left,
    )
  })
})

describe('owningSetOf', () => {
  it.each<[string, JsonObject[], string | undefined]>([
    ['none', [], undefined],
    ['a set', [owner()], 'set'],
    ['an owner that is no controller', [owner({ controller: false })], undefined],
    ['another kind', [owner({ kind: 'Application' })], undefined],
    ['another version', [owner({ apiVersion: 'argoproj.io/v1' })], undefined],
  ])('%s', (_, ownerReferences, name) => {
    expect(owningSetOf(app('a', {}, { ownerReferences }))).toBe(name)
  })
})
