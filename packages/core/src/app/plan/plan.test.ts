import { describe, expect, it } from 'vitest'
import { type Application, type AppProject, defaultSettings } from '../../argo/index.ts'
import type { JsonObject } from '../../json/index.ts'
import { type Manifest, scopeOfBuiltIn } from '../../kube/index.ts'
import type { PreviewSide } from '../preview.ts'
import { type PlanOptions, planApplication } from './application.ts'
import type { AppPlan, DeletionPlan, SyncPlan } from './types.ts'

const source = { repoURL: 'https://git.example.com/shop.git', path: 'app' }

function make(
  apiVersion: string,
  kind: string,
  name: string,
  annotations: { readonly [key: string]: string } = {},
  rest: JsonObject = {},
): Manifest {
  const isGlobal = ['Namespace', 'StorageClass', 'CustomResourceDefinition'].includes(kind)
  return {
    apiVersion,
    kind,
    ...rest,
    metadata: { name, ...(isGlobal ? {} : { namespace: 'app' }), annotations },
  }
}

const options = (value: string): { readonly [key: string]: string } => ({
  'argocd.argoproj.io/sync-options': value,
})
const wave = (value: number): { readonly [key: string]: string } => ({
  'argocd.argoproj.io/sync-wave': String(value),
})
const config = (name: string, annotations = {}, value = '1'): Manifest =>
  make('v1', 'ConfigMap', name, annotations, { data: { a: value } })
const web = (selector: string, annotations = {}): Manifest =>
  make('apps/v1', 'Deployment', 'web', annotations, {
    spec: {
      selector: { matchLabels: { app: selector } },
      template: {
        metadata: { labels: { app: selector } },
        spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] },
      },
    },
  })
const set = (spec: JsonObject, annotations = {}): Manifest =>
  make('apps/v1', 'StatefulSet', 'db', annotations, {
    spec: {
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }],
      ...spec,
    },
  })
const crd = make(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'foos.x.io',
  {},
  {
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { kind: 'Foo', plural: 'foos' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  },
)
const foo = (annotations = {}): Manifest => make('x.io/v1', 'Foo', 'foo', annotations)

interface Given {
  readonly base?: readonly Manifest[]
  readonly head?: readonly Manifest[]
  readonly policy?: JsonObject
  readonly finalizers?: readonly string[]
  readonly with?: Partial<PlanOptions>
}

const automated = { automated: { prune: true } }

function plan({ base, head, policy = automated, finalizers = [], with: more }: Given): AppPlan {
  const app: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd', finalizers },
    spec: {
      project: 'default',
      source,
      destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
      syncPolicy: policy as never,
    },
  }
  const side = (manifests: readonly Manifest[] | undefined): PreviewSide | undefined =>
    manifests === undefined
      ? undefined
      : {
          app,
          outcome: {
            sources: [
              {
                source,
                request: { type: 'git', url: source.repoURL, revision: '' },
                revision: 'abc',
                sourceType: 'Directory',
                manifests: manifests.map((manifest) => ({ manifest, origin: { path: 'a.yaml' } })),
                reads: { files: [], absent: [], folders: [], links: [] },
                remote: [],
              },
            ],
          },
        }
  const planned = planApplication(side(base), side(head), {
    settings: defaultSettings,
    facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
    project: undefined,
    cluster: undefined,
    live: undefined,
    revision: 'abc',
    now: undefined,
    prune: false,
    ...more,
  })
  if ('failure' in planned) throw new Error(planned.failure.message)
  return planned
}

function sync(given: Given): SyncPlan {
  const { plan: found } = plan(given)
  if (found.kind !== 'sync') throw new Error('this is no sync')
  return found
}

function deletion(given: Given): DeletionPlan {
  const { plan: found } = plan(given)
  if (found.kind !== 'deletion') throw new Error('this is no deletion')
  return found
}

function linesOf({ steps }: SyncPlan): readonly string[] {
  return steps.flatMap(({ phase, wave: number, tasks, approval }) =>
    tasks.map(({ verb, key, manner, refusal }) =>
      [
        approval === '' ? '' : '(approved)',
        `${phase}/${number}`,
        verb,
        `${key.kind} ${key.name}`,
        manner === '' ? '' : `[${manner}]`,
        refusal === undefined ? '' : 'refused',
      ]
        .filter((word) => word !== '')
        .join(' '),
    ),
  )
}

function losses(given: Given): readonly string[] {
  return plan(given).guard.losses.map(({ verdict, what }) => `${verdict} ${what}`)
}

describe('planApplication, a sync', () => {
  it.each<[string, Given, readonly string[], SyncPlan['verdict']]>([
    [
      'has nothing to do where nothing differs',
      { base: [config('a')], head: [config('a')] },
      ['Sync/0 unchanged ConfigMap a'],
      'nothing',
    ],
    [
      'turns the waves of prunes round, anew at every step',
      {
        base: [config('a', wave(0)), config('b', wave(2)), config('c', wave(1))],
        head: [config('c', wave(1), '2')],
      },
      ['Sync/0 prune ConfigMap b', 'Sync/0 prune ConfigMap a', 'Sync/1 change ConfigMap c'],
      'succeeds',
    ],
    [
      'prunes last where it is told to',
      {
        base: [config('a'), config('b')],
        head: [config('b'), config('c', wave(3))],
        policy: { ...automated, syncOptions: ['PruneLast=true'] },
      },
      ['Sync/0 unchanged ConfigMap b', 'Sync/3 create ConfigMap c', 'Sync/4 prune ConfigMap a'],
      'succeeds',
    ],
    [
      'keeps what says Prune=false',
      { base: [config('a', options('Prune=false')), config('b')], head: [config('b')] },
      ['Sync/0 keep ConfigMap a', 'Sync/0 unchanged ConfigMap b'],
      'succeeds',
    ],
    [
      'waits for the approval of Prune=confirm, and goes on after it',
      { base: [config('a', options('Prune=confirm')), config('b')], head: [config('b', {}, '2')] },
      ['(approved) Sync/0 prune ConfigMap a', '(approved) Sync/0 change ConfigMap b'],
      'succeeds',
    ],
    [
      'prunes nothing by hand unless it is told to',
      { base: [config('a'), config('b')], head: [config('b', {}, '2')], policy: {} },
      ['Sync/0 keep ConfigMap a', 'Sync/0 change ConfigMap b'],
      'succeeds',
    ],
    [
      'prunes by hand with prune',
      {
        base: [config('a'), config('b')],
        head: [config('b', {}, '2')],
        policy: {},
        with: { prune: true },
      },
      ['Sync/0 prune ConfigMap a', 'Sync/0 change ConfigMap b'],
      'succeeds',
    ],
    [
      'does not remove everything by itself',
      { base: [config('a')], head: [] },
      ['Sync/0 prune ConfigMap a'],
      'blocked',
    ],
    [
      'removes everything where that is allowed',
      { base: [config('a')], head: [], policy: { automated: { prune: true, allowEmpty: true } } },
      ['Sync/0 prune ConfigMap a'],
      'succeeds',
    ],
    [
      'is refused a change of a fixed field',
      { base: [web('a'), config('c')], head: [web('b'), config('c', {}, '2')] },
      ['Sync/0 change ConfigMap c', 'Sync/0 change Deployment web refused'],
      'fails',
    ],
    [
      'is refused it with Replace=true too',
      { base: [web('a')], head: [web('b', options('Replace=true'))] },
      ['Sync/0 change Deployment web [replace] refused'],
      'fails',
    ],
    [
      'makes it anew with Force=true',
      { base: [web('a')], head: [web('b', options('Force=true'))] },
      ['Sync/0 recreate Deployment web [force]'],
      'succeeds',
    ],
    [
      'does not make anew by force what can be changed',
      { base: [config('a')], head: [config('a', options('Force=true'), '2')] },
      ['Sync/0 change ConfigMap a [force]'],
      'succeeds',
    ],
    [
      'makes anew whatever is replaced by force',
      { base: [config('a')], head: [config('a', options('Replace=true,Force=true'), '2')] },
      ['Sync/0 recreate ConfigMap a [replace force]'],
      'succeeds',
    ],
    [
      'updates definitions in place whatever is said',
      {
        base: [crd],
        head: [
          {
            ...crd,
            metadata: {
              ...(crd['metadata'] as JsonObject),
              annotations: options('Replace=true,Force=true'),
            },
          },
        ],
      },
      ['Sync/0 change CustomResourceDefinition foos.x.io [update]'],
      'succeeds',
    ],
    [
      'cannot force a server-side apply',
      {
        base: [config('a')],
        head: [config('a', options('Force=true'), '2')],
        policy: { ...automated, syncOptions: ['ServerSideApply=true'] },
      },
      [],
      'fails',
    ],
    [
      'applies what is out of sync only',
      {
        base: [config('a'), config('b')],
        head: [config('a'), config('b', {}, '2')],
        policy: { ...automated, syncOptions: ['ApplyOutOfSyncOnly=true'] },
      },
      ['Sync/0 change ConfigMap b'],
      'succeeds',
    ],
    [
      'makes the namespace first',
      {
        head: [config('a', wave(-5))],
        policy: { ...automated, syncOptions: ['CreateNamespace=true'] },
      },
      ['PreSync/0 create Namespace app', 'Sync/-5 create ConfigMap a'],
      'succeeds',
    ],
    [
      'puts a definition before the first object of its kind',
      { head: [foo(wave(-1)), crd] },
      ['Sync/-1 create CustomResourceDefinition foos.x.io', 'Sync/-1 create Foo foo'],
      'succeeds',
    ],
  ])('%s', (_about, given, lines, verdict) => {
    const found = sync(given)
    expect(linesOf(found)).toEqual(lines)
    expect(found.verdict).toBe(verdict)
  })

  const served = {
    kubeVersion: '',
    apiVersions: ['v1', 'v1/ConfigMap', 'apps/v1', 'apps/v1/Deployment'],
    scopeOf: scopeOfBuiltIn,
  }

  it.each<[string, Given, readonly (readonly [string, string])[]]>([
    [
      'a kind that is not served',
      { head: [foo()], with: { facts: served } },
      [
        [
          'kind',
          'The Kubernetes API could not find x.io/Foo for requested resource app/foo. Make sure the "Foo" CRD is installed on the destination cluster.',
        ],
      ],
    ],
    [
      'one that nothing brings, dry run or not',
      { head: [foo(options('SkipDryRunOnMissingResource=true'))], with: { facts: served } },
      [['kind', 'no matches for kind "Foo" in version "x.io/v1"']],
    ],
    [
      'a namespace that is not there',
      {
        head: [config('a')],
        with: { live: [make('v1', 'Namespace', 'other')] },
      },
      [['namespace', 'namespaces "app" not found']],
    ],
    [
      'an object of another Application',
      {
        head: [config('a')],
        policy: { ...automated, syncOptions: ['FailOnSharedResource=true'] },
        with: {
          live: [config('a', { 'argocd.argoproj.io/tracking-id': 'other:/ConfigMap:app/a' }, '2')],
        },
      },
      [
        [
          'shared',
          'Shared resource found: ConfigMap/a is part of applications argocd/shop and other',
        ],
      ],
    ],
    [
      'everything',
      { base: [config('a')], head: [] },
      [['wipe', 'Skipping sync attempt to [abc]: auto-sync will wipe out all resources']],
    ],
    [
      'what the cluster said to a dry run',
      {
        base: [config('a')],
        head: [config('a', {}, '2')],
        with: { told: () => 'no more of these' },
      },
      [['server', 'no more of these']],
    ],
  ])('is refused %s', (_about, given, refusals) => {
    expect(sync(given).refusals.map(({ reason, message }) => [reason, message])).toEqual(refusals)
  })

  it('says what may be refused, and goes on', () => {
    const service = (spec: JsonObject): Manifest => make('v1', 'Service', 'web', {}, { spec })
    const found = sync({ base: [service({})], head: [service({ clusterIP: '10.0.0.9' })] })
    expect(found.verdict).toBe('succeeds')
    expect(found.refusals).toMatchObject([{ reason: 'immutable', certain: false }])
  })

  it('keeps to the project', () => {
    const project: AppProject = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default' },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: 'other' }],
        syncWindows: [
          { kind: 'deny', schedule: '0 0 * * *', duration: '24h', applications: ['*'] },
        ],
      },
    }
    const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' }
    const found = sync({
      base: [config('a')],
      head: [config('a', {}, '2')],
      with: { project, cluster, now: Date.parse('2026-01-02T12:00:00Z') },
    })
    expect(found.verdict).toBe('blocked')
    expect(found.refusals.map(({ reason }) => reason)).toEqual(['window', 'project', 'project'])
  })

  it('waits for ever for what is paused', () => {
    const spec = { ...(web('a')['spec'] as JsonObject), paused: true }
    const found = sync({ head: [{ ...web('a', wave(-1)), spec }, config('b')] })
    expect(found).toMatchObject({
      verdict: 'waits',
      message: 'waiting for healthy state of apps/Deployment/web',
    })
  })
})

describe('planApplication, a deletion', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io']

  it('takes objects along by waves, the highest first, and leaves what says so', () => {
    const found = deletion({
      finalizers,
      base: [
        config('a', wave(-1)),
        config('b', wave(2)),
        config('c'),
        config('kept', options('Delete=false')),
        config('helm', { 'helm.sh/resource-policy': 'keep' }),
        crd,
        make('batch/v1', 'Job', 'bye', { 'argocd.argoproj.io/hook': 'PreDelete' }),
        make('batch/v1', 'Job', 'gone', { 'helm.sh/hook': 'post-delete' }),
      ],
    })
    expect(
      found.steps.map(({ wave: number, tasks }) => [number, tasks.map(({ key }) => key.name)]),
    ).toEqual([
      [2, ['b']],
      [0, ['c']],
      [-1, ['a']],
    ])
    expect(found.kept.map(({ key, note }) => [key.name, note])).toEqual([
      ['helm', 'helm.sh/resource-policy: keep'],
      ['kept', 'Delete=false'],
      ['foos.x.io', 'definitions are never deleted with an Application'],
    ])
    expect(found.before.map(({ key }) => key.name)).toEqual(['bye'])
    expect(found.after.map(({ key }) => key.name)).toEqual(['gone'])
  })

  it('leaves everything without a finalizer', () => {
    const found = deletion({ base: [config('a')] })
    expect([found.cascades, found.steps, found.kept.length]).toEqual([false, [], 1])
  })

  it('waits for approval', () => {
    const found = deletion({ finalizers, base: [config('a', options('Delete=confirm'))] })
    expect(found.unconfirmed.map(({ name }) => name)).toEqual(['a'])
  })

  it('deletes in the background where the finalizer says so', () => {
    const found = deletion({ finalizers: [`${finalizers[0]}/background`], base: [config('a')] })
    expect(found).toMatchObject({ cascades: true, propagation: 'Background' })
  })
})

describe('planApplication, what it costs', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io']
  const whenDeleted = { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }
  const whenScaled = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } }
  const fast = make('storage.k8s.io/v1', 'StorageClass', 'fast', {
    'storageclass.kubernetes.io/is-default-class': 'true',
  })
  const claim = (annotations = {}): Manifest =>
    make('v1', 'PersistentVolumeClaim', 'data', annotations, { spec: {} })
  const lost = 'the volume of PersistentVolumeClaim app/data'
  const lostOfSet = 'the volume of PersistentVolumeClaim app/data-db-0'

  it.each<[string, Given, readonly string[]]>([
    ['a claim that is pruned', { base: [fast, claim()], head: [fast] }, [`destroyed ${lost}`]],
    [
      'a claim that a sync by hand leaves',
      { base: [fast, claim()], head: [fast, config('a')], policy: {} },
      [`conditional ${lost}`],
    ],
    [
      'a claim that waits for approval',
      { base: [fast, claim(options('Prune=confirm'))], head: [fast] },
      [`conditional ${lost}`],
    ],
    [
      'a claim that says Prune=false',
      { base: [fast, claim(options('Prune=false'))], head: [fast] },
      [],
    ],
    [
      'a claim whose sync does not begin',
      { base: [fast, claim()], head: [] },
      [`conditional ${lost}`],
    ],
    [
      'a set that is scaled down and deletes claims',
      {
        base: [fast, set({ replicas: 1, ...whenScaled })],
        head: [fast, set({ replicas: 0, ...whenScaled })],
      },
      [`destroyed ${lostOfSet}`],
    ],
    [
      'a set that is made anew and deletes claims',
      {
        base: [fast, set({ replicas: 1, ...whenDeleted })],
        head: [
          fast,
          set({ replicas: 1, serviceName: 'other', ...whenDeleted }, options('Force=true')),
        ],
      },
      [`destroyed ${lostOfSet}`],
    ],
    ['a set that keeps its claims', { base: [fast, set({ replicas: 1 })], head: [fast] }, []],
    [
      'a set that is pruned without what it owns',
      {
        base: [fast, set({ replicas: 1, ...whenDeleted })],
        head: [fast],
        policy: { ...automated, syncOptions: ['PrunePropagationPolicy=orphan'] },
      },
      [],
    ],
    [
      'a definition that is pruned',
      { base: [fast, crd, foo()], head: [fast, foo()] },
      ['destroyed the one known Foo, and those that are not known here'],
    ],
    ['a definition of a deleted Application', { base: [crd, foo()], finalizers }, []],
    ['a deleted Application', { base: [fast, claim()], finalizers }, [`destroyed ${lost}`]],
    ['one that leaves its objects', { base: [fast, claim()] }, []],
    [
      'one that somebody has to delete',
      {
        base: [fast, claim()],
        finalizers,
        with: { removal: { certain: false, cause: 'by hand' } },
      },
      [`conditional ${lost}`],
    ],
    [
      'one that waits for approval',
      { base: [fast, claim(options('Delete=confirm'))], finalizers },
      [`conditional ${lost}`],
    ],
    [
      'a claim that another Application renders now',
      { base: [fast, claim()], head: [fast], with: { takenOver: () => 'heir' } },
      [`possible ${lost}`],
    ],
  ])('%s', (_about, given, expected) => {
    expect(losses(given)).toEqual(expected)
  })
})
