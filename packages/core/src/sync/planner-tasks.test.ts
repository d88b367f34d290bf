// The subjects of gitops-engine's own tables (argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context_test.go) as questions to
// our planner: which tasks there are, and in which order. What runs over several beats is in corpus/sync.
import { describe, expect, it } from 'vitest'
import { app, ask, hook, object, type Question, wave } from '../../test/support/ask-planner.ts'
import type { Operation } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { keyOf, type Manifest } from '../kube/index.ts'
import type { SyncWorld } from './types.ts'

describe('ApplyOutOfSyncOnly', () => {
  const same =
    (...names: readonly string[]): SyncWorld['modified'] =>
    (key) =>
      !names.includes(key.name)
  const only = { sync: { prune: true, syncOptions: ['ApplyOutOfSyncOnly=true'] } }
  const two = [object('ConfigMap', 'a'), object('ConfigMap', 'b')]

  it.each<[string, Question, readonly string[]]>([
    [
      'leaves out what is the same',
      { targets: two, live: two, world: { modified: same('a') } },
      ['b'],
    ],
    [
      'applies what nobody compared',
      { targets: two, live: two, world: { modified: () => undefined } },
      ['a', 'b'],
    ],
    [
      'applies what is not there',
      { targets: two, live: two.slice(0, 1), world: { modified: same('a', 'b') } },
      ['b'],
    ],
    ['prunes', { targets: [two[0]!], live: two, world: { modified: same('a') } }, ['b']],
    [
      'runs hooks',
      {
        targets: [two[0]!, object('Job', 'h', hook('Sync'))],
        live: [two[0]!],
        world: { modified: same('a', 'h') },
      },
      ['h'],
    ],
    [
      'knows objects of the cluster by their own place',
      {
        targets: [object('Namespace', 'n')],
        live: [object('Namespace', 'n')],
        world: { modified: (key) => !(key.name === 'n' && key.namespace === '') },
      },
      [],
    ],
  ])('%s', (_name, question, want) => {
    const { writes } = ask({ operation: only, ...question })
    const names = writes.map((request) => keyOf((request.task.target ?? request.task.live)!).name)
    expect(names.sort()).toEqual(want)
  })
})

describe('the order of tasks', () => {
  const first = (question: Question): readonly string[] =>
    ask({ operation: { sync: { dryRun: true } }, ...question }).lines.map((line) =>
      line.replace(/^\S+ +/, ''),
    )

  it('is that of phases, waves and kinds', () => {
    const targets = [
      object('Deployment', 'web'),
      object('ConfigMap', 'conf'),
      object('Job', 'post', hook('PostSync')),
      object('Job', 'pre', hook('PreSync')),
      object('Secret', 'late', wave(1)),
      object('Namespace', 'early', wave(-1)),
    ]
    expect(first({ targets })).toEqual([
      'PreSync/0 hook batch/Job app/pre',
      'Sync/-1 resource Namespace app/early',
      'Sync/0 resource ConfigMap app/conf',
      'Sync/0 resource apps/Deployment app/web',
      'Sync/1 resource Secret app/late',
      'PostSync/0 hook batch/Job app/post',
    ])
  })

  it('brings a namespace before the first object in it', () => {
    const targets = [
      object('Namespace', 'app', wave(5)),
      object('ConfigMap', 'b', wave(2)),
      object('ConfigMap', 'a', wave(1)),
    ]
    expect(first({ targets })[0]).toBe('Sync/1 resource Namespace app/app')
  })

  it('brings a definition before the first object of its kind, into its wave', () => {
    const crd = object('CustomResourceDefinition', 'things.example.com', wave(3), {
      spec: { group: 'example.com', names: { kind: 'Thing' } },
    })
    const thing: Manifest = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't', namespace: 'app' },
    }
    expect(first({ targets: [thing, crd, object('ConfigMap', 'z', wave(-1))] })).toEqual([
      'Sync/-1 resource ConfigMap app/z',
      'Sync/0 resource apiextensions.k8s.io/CustomResourceDefinition app/things.example.com',
      'Sync/0 resource example.com/Thing app/t',
    ])
  })
})

describe('names of hooks', () => {
  const job = (metadata: JsonObject): Manifest => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'app', annotations: hook('PreSync') as JsonObject, ...metadata },
  })
  const nameOf = (question: Question): string | undefined => {
    const [request] = ask(question).writes
    return request === undefined ? undefined : keyOf(request.task.target!).name
  }

  it.each<[string, string, string]>([
    [
      'the first seven digits of a commit',
      'abcdef0123456789',
      'migrate-abcdef0-presync-1767323045',
    ],
    ['a short revision as a whole', '1.2.3', 'migrate-1.2.3-presync-1767323045'],
    ['nothing for several sources', '', 'migrate--presync-1767323045'],
  ])('have %s', (_name, revision, want) => {
    expect(nameOf({ targets: [job({ generateName: 'migrate-' })], world: { revision } })).toBe(want)
  })

  it('are their own where they have one', () => {
    expect(nameOf({ targets: [job({ name: 'own', generateName: 'migrate-' })] })).toBe('own')
  })

  it('are not given to other objects', () => {
    const plain: Manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'x-', namespace: 'app' },
    }
    expect(nameOf({ targets: [plain] })).toBe('')
  })
})

describe('a part of an Application', () => {
  const targets = [
    object('ConfigMap', 'a'),
    object('ConfigMap', 'b'),
    object('Job', 'pre', hook('PreSync')),
  ]
  it.each<[string, NonNullable<NonNullable<Operation['sync']>['resources']>, readonly string[]]>([
    ['by kind and name', [{ kind: 'ConfigMap', name: 'a' }], ['a']],
    ['in its namespace', [{ kind: 'ConfigMap', name: 'a', namespace: 'app' }], ['a']],
    ['not in another', [{ kind: 'ConfigMap', name: 'a', namespace: 'other' }], []],
    ['not of another group', [{ group: 'example.com', kind: 'ConfigMap', name: 'a' }], []],
    ['never hooks', [{ group: 'batch', kind: 'Job', name: 'pre' }], []],
  ])('is synced %s', (_name, resources, want) => {
    const { writes, end } = ask({ targets, operation: { sync: { resources } } })
    expect(writes.map((request) => keyOf(request.task.target!).name)).toEqual(want)
    expect(end.phase).toBe('Succeeded')
  })
})

describe('the destination namespace', () => {
  const creates = { sync: { syncOptions: ['CreateNamespace=true'] } }
  const managed = {
    ...app,
    spec: { ...app.spec, syncPolicy: { managedNamespaceMetadata: { labels: { a: 'b' } } } },
  }
  const conf = object('ConfigMap', 'a')
  const made = (question: Question): readonly string[] =>
    ask({ targets: [conf], operation: creates, ...question }).lines.filter((line) =>
      line.includes('Namespace'),
    )

  it.each<[string, Question, readonly string[]]>([
    [
      'is made when it is missing',
      {},
      [
        'read     PreSync/0 resource Namespace app',
        'apply    PreSync/0 resource Namespace app',
        'read     PreSync/0 resource Namespace app',
      ],
    ],
    [
      'is left alone when it is there',
      { live: [object('Namespace', 'app')] },
      ['read     PreSync/0 resource Namespace app'],
    ],
    [
      'is written when its metadata is managed',
      { live: [object('Namespace', 'app')], world: { app: managed } },
      [
        'read     PreSync/0 resource Namespace app',
        'dryRun   PreSync/0 resource Namespace app',
        'apply    PreSync/0 resource Namespace app [server-side]',
      ],
    ],
    [
      'is the business of a target that makes it',
      { targets: [conf, object('Namespace', 'app')] },
      ['apply    Sync/0 resource Namespace app/app'],
    ],
    ['is not made without the option', { operation: { sync: {} } }, []],
  ])('%s', (_name, question, want) => {
    expect(made(question)).toEqual(want)
  })

  it('is not hidden when it cannot be read', () => {
    const { end } = ask({
      targets: [conf],
      operation: creates,
      answer: (step) =>
        step.kind === 'read'
          ? { error: { message: 'no', status: 403, reason: 'Forbidden' } }
          : undefined,
    })
    expect(end.phase).toBe('Failed')
    expect(end.resources[0]).toMatchObject({
      kind: 'Namespace',
      status: 'SyncFailed',
      message: 'namespace auto creation failed: no',
    })
  })
})
