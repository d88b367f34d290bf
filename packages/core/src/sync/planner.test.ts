// The subjects of gitops-engine's own tables (argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context_test.go) as questions to
// our planner: which tasks, in which waves, written how. What runs over several beats is in corpus/sync.
import { describe, expect, it } from 'vitest'
import type { Application, Operation, OperationState } from '../argo/index.ts'
import { getPath, type JsonObject } from '../json/index.ts'
import { formatKey, keyOf, type Manifest, scopeOfBuiltIn } from '../kube/index.ts'
import { formatManner, formatStep } from './notation.ts'
import { beginBeat } from './planner.ts'
import type { Assessment, BeatEnd, SyncRequest, SyncStep, SyncWorld, TaskOutcome } from './types.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'default', destination: { namespace: 'app' }, source: { repoURL: '' } },
}

interface Notes {
  readonly [annotation: string]: string
}

const wave = (number: number): Notes => ({ 'argocd.argoproj.io/sync-wave': String(number) })
const options = (text: string): Notes => ({ 'argocd.argoproj.io/sync-options': text })
const hook = (type: string, policy?: string): Notes => ({
  'argocd.argoproj.io/hook': type,
  ...(policy === undefined ? {} : { 'argocd.argoproj.io/hook-delete-policy': policy }),
})

function object(
  kind: string,
  name: string,
  annotations: Notes = {},
  rest: JsonObject = {},
): Manifest {
  const place = scopeOfBuiltIn({ group: '', kind }) === 'Cluster' ? {} : { namespace: 'app' }
  const apiVersion = kind === 'Job' ? 'batch/v1' : kind === 'Deployment' ? 'apps/v1' : 'v1'
  const known = kind === 'CustomResourceDefinition' ? 'apiextensions.k8s.io/v1' : apiVersion
  return { apiVersion: known, kind, metadata: { name, ...place, annotations }, ...rest }
}

interface Question {
  readonly targets?: readonly Manifest[]
  readonly live?: readonly Manifest[]
  readonly operation?: Operation
  readonly world?: Partial<SyncWorld>
  readonly rows?: NonNullable<OperationState['syncResult']>['resources']
  readonly phase?: 'Running' | 'Terminating'
  readonly answer?: (step: SyncStep, request: SyncRequest) => TaskOutcome | undefined
}

interface Answer {
  readonly steps: readonly SyncStep[]
  readonly end: BeatEnd
  /** Steps in their notation. */
  readonly lines: readonly string[]
  /** Requests of the real writes. */
  readonly writes: readonly SyncRequest[]
}

/** One beat; whatever is not answered otherwise succeeds. */
function ask(question: Question): Answer {
  const { targets = [], live = [], operation = { sync: { prune: true } } } = question
  const state: OperationState = {
    operation,
    phase: question.phase ?? 'Running',
    startedAt: '2026-01-02T03:04:05Z',
    syncResult: { revision: 'abc', resources: question.rows ?? [] },
  }
  const world: SyncWorld = {
    app,
    instance: 'shop',
    tracking: { method: 'annotation', labelKey: '', installationId: '' },
    facts: {
      kubeVersion: '',
      apiVersions: [],
      scopeOf: (kind) => scopeOfBuiltIn(kind) ?? 'Namespaced',
    },
    revision: 'abcdef0123456789',
    targets,
    live,
    permits: () => undefined,
    assess: (): Assessment => ({ health: { status: 'Healthy' } }),
    modified: () => undefined,
    waveDelayMs: 0,
    ...question.world,
  }
  const steps: SyncStep[] = []
  const beat = beginBeat(state, world)
  let next = beat.next([])
  while (next.done !== true) {
    const step = next.value
    if (step.kind === 'save') next = beat.next([])
    else {
      steps.push(step)
      next = beat.next(
        step.requests.map((one) => question.answer?.(step, one) ?? success(one, live)),
      )
    }
  }
  const real = steps.flatMap((step) =>
    step.kind === 'apply' || step.kind === 'prune' || step.kind === 'delete' ? step.requests : [],
  )
  return { steps, end: next.value, lines: steps.flatMap(formatStep), writes: real }
}

function success(request: SyncRequest, live: readonly Manifest[]): TaskOutcome {
  if (request.verb === 'get') {
    const found = live.find((one) => formatKey(keyOf(one)) === formatKey(request.key))
    return { live: found ?? null }
  }
  if (request.verb === 'release') return { live: request.live }
  return { message: 'done' }
}

/** Name → wave, of every task that the first look tries and the prunes that follow over several beats. */
function wavesOf(
  targets: readonly Manifest[],
  live: readonly Manifest[],
  syncOptions: readonly string[] = [],
): {
  readonly [name: string]: number
} {
  const waves: { [name: string]: number } = {}
  // as a dry run: prunes are recorded with their waves, beat by beat
  const operation = { sync: { prune: true, dryRun: true, syncOptions } }
  let rows: Question['rows'] = []
  for (let beat = 0; beat < 20; beat++) {
    const asked = ask({ targets, live, operation, rows })
    for (const line of asked.lines) {
      const match = /^\S+ +Sync\/(-?\d+) resource \S+ (?:app\/)?(\S+)/.exec(line)
      if (match !== null) waves[match[2]!] = Number(match[1])
    }
    const before = new Set((rows ?? []).map(({ name }) => name))
    const fresh = asked.end.resources.filter(({ name }) => !before.has(name))
    rows = asked.end.resources
    if (asked.end.phase !== 'Running') break
    if (fresh.length === 0 && beat > 0) break
  }
  return waves
}

describe('waves of prunes', () => {
  const at = (waves: { readonly [name: string]: number }): readonly Manifest[] =>
    Object.entries(waves).map(([name, number]) => object('ConfigMap', name, wave(number)))

  /** Names of prunes in the order in which beats do them; what is pruned together stands in one list. */
  function order(
    targets: readonly Manifest[],
    live: readonly Manifest[],
    syncOptions: readonly string[] = [],
  ) {
    let left = [...live]
    let rows: Question['rows'] = []
    const groups: string[][] = []
    for (let beat = 0; beat < 20; beat++) {
      const { steps, end } = ask({
        targets,
        live: left,
        rows,
        operation: { sync: { prune: true, syncOptions } },
      })
      const gone = steps
        .filter(({ kind }) => kind === 'prune')
        .flatMap((step) => (step.kind === 'save' ? [] : step.requests))
        .map((request) => ('key' in request ? request.key.name : ''))
      if (gone.length > 0) groups.push(gone)
      left = left.filter((one) => !gone.includes(keyOf(one).name))
      rows = end.resources
      if (end.phase !== 'Running') break
    }
    return groups
  }

  it.each<[string, { readonly [name: string]: number }, readonly (readonly string[])[]]>([
    ['one wave stays one', { a: 0, b: 0, c: 0 }, [['a', 'b', 'c']]],
    [
      'five waves are turned round',
      { a: 0, b: 1, c: 2, d: 3, e: 4 },
      [['e'], ['d'], ['c'], ['b'], ['a']],
    ],
    ['gaps stay gaps', { a: 1, b: 3, c: 4 }, [['c'], ['b'], ['a']]],
    ['below zero too', { a: -5, b: 0, c: 5 }, [['c'], ['b'], ['a']]],
    [
      'the waves of one stay together',
      { a: 1, b: 3, c: 3, d: 4, e: 5 },
      [['e'], ['d'], ['b', 'c'], ['a']],
    ],
  ])('%s', (_name, live, want) => {
    expect(order([], at(live))).toEqual(want)
  })

  it('come after everything else with PruneLast', () => {
    const targets = [object('ConfigMap', 'kept', wave(7))]
    const live = [object('ConfigMap', 'kept', wave(7)), ...at({ a: 1, b: 2 })]
    const { lines, end } = ask({
      targets,
      live,
      operation: { sync: { prune: true, syncOptions: ['PruneLast=true'] } },
    })
    expect(lines).toEqual([
      'dryRun   Sync/7 resource ConfigMap app/kept',
      'apply    Sync/7 resource ConfigMap app/kept',
    ])
    expect(end.phase).toBe('Running')
    expect(order(targets, live, ['PruneLast=true'])).toEqual([['a', 'b']])
  })

  it('of single objects come last where those say so', () => {
    const live = [
      object('ConfigMap', 'a', wave(1)),
      object('ConfigMap', 'b', { ...wave(2), ...options('PruneLast=true') }),
      object('ConfigMap', 'c', wave(3)),
      object('ConfigMap', 'd', wave(4)),
    ]
    expect(order([object('ConfigMap', 'kept')], [...live, object('ConfigMap', 'kept')])).toEqual([
      ['d'],
      ['c'],
      ['a'],
      ['b'],
    ])
  })

  it('leaves the waves of targets as they are', () => {
    const targets = at({ a: 0, c: 2 })
    const tried = wavesOf(targets, at({ a: 0, b: 1, d: 3 }))
    expect({ a: tried['a'], c: tried['c'] }).toEqual({ a: 0, c: 2 })
  })
})

describe('how a target is written', () => {
  const csa = { managedFields: [{ manager: 'kubectl-client-side-apply', operation: 'Update' }] }
  const withFields = (fields: JsonObject): Manifest => {
    const live = object('ConfigMap', 'x')
    return { ...live, metadata: { ...(live['metadata'] as JsonObject), ...fields } }
  }

  it.each<[string, Question, string]>([
    ['plainly', {}, 'apply:'],
    ['plainly over what is there', { live: [object('ConfigMap', 'x')] }, 'apply:'],
    [
      'by creation, to replace what is not there',
      { operation: { sync: { syncOptions: ['Replace=true'] } } },
      'create:create',
    ],
    [
      'by replacing',
      { live: [object('ConfigMap', 'x')], operation: { sync: { syncOptions: ['Replace=true'] } } },
      'replace:replace',
    ],
    [
      'by replacing where the target says so',
      {
        targets: [object('ConfigMap', 'x', options('Replace=true'))],
        live: [object('ConfigMap', 'x')],
      },
      'replace:replace',
    ],
    [
      'by replacing where the live object says so',
      { live: [object('ConfigMap', 'x', options('Replace=true'))] },
      'replace:replace',
    ],
    [
      'by replacing although the target says no',
      {
        targets: [object('ConfigMap', 'x', options('Replace=false'))],
        live: [object('ConfigMap', 'x')],
        operation: { sync: { syncOptions: ['Replace=true'] } },
      },
      'replace:replace',
    ],
    [
      'not by what only looks like an option',
      {
        targets: [object('ConfigMap', 'x', options('Replace=True'))],
        live: [object('ConfigMap', 'x')],
      },
      'apply:',
    ],
    [
      'by an update of a namespace',
      {
        targets: [object('Namespace', 'x')],
        live: [object('Namespace', 'x')],
        operation: { sync: { syncOptions: ['Replace=true'] } },
      },
      'update:update',
    ],
    [
      'by the server',
      { operation: { sync: { syncOptions: ['ServerSideApply=true'] } } },
      'apply:server-side',
    ],
    [
      'by the server where the target says so',
      { targets: [object('ConfigMap', 'x', options('ServerSideApply=true'))] },
      'apply:server-side',
    ],
    [
      'not by the server where the target says no',
      {
        targets: [object('ConfigMap', 'x', options('ServerSideApply=false'))],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:',
    ],
    [
      'not by the server where only the live object says so',
      { live: [object('ConfigMap', 'x', options('ServerSideApply=true'))] },
      'apply:',
    ],
    [
      'by replacing rather than by the server',
      {
        live: [object('ConfigMap', 'x')],
        operation: { sync: { syncOptions: ['Replace=true', 'ServerSideApply=true'] } },
      },
      'replace:replace',
    ],
    [
      'by force',
      { operation: { sync: { syncStrategy: { hook: { force: true } } } } },
      'apply:force',
    ],
    [
      'by force without hooks',
      { operation: { sync: { syncStrategy: { apply: { force: true } } } } },
      'apply:force',
    ],
    [
      'by force where the target says so',
      { targets: [object('ConfigMap', 'x', options('Force=true'))] },
      'apply:force',
    ],
    [
      'by force where the live object says so',
      { live: [object('ConfigMap', 'x', options('Force=true'))] },
      'apply:force',
    ],
    [
      'not by force where only the operation lists it as an option',
      { operation: { sync: { syncOptions: ['Force=true'] } } },
      'apply:',
    ],
    [
      'by replacing with force',
      {
        targets: [object('ConfigMap', 'x', options('Force=true,Replace=true'))],
        live: [object('ConfigMap', 'x')],
      },
      'replace:replace force',
    ],
    [
      'without validation',
      { operation: { sync: { syncOptions: ['Validate=false'] } } },
      'apply:no-validate',
    ],
    [
      'without validation where the target says so',
      { targets: [object('ConfigMap', 'x', options('Validate=false'))] },
      'apply:no-validate',
    ],
    [
      'taking fields over from kubectl',
      { live: [withFields(csa)], operation: { sync: { syncOptions: ['ServerSideApply=true'] } } },
      'apply:server-side migrate-from=kubectl-client-side-apply',
    ],
    [
      'not taking over what kubectl has applied on the server',
      {
        live: [
          withFields({
            managedFields: [{ manager: 'kubectl-client-side-apply', operation: 'Apply' }],
          }),
        ],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:server-side',
    ],
    [
      'not taking over what nobody owns',
      {
        live: [
          withFields({ managedFields: [{ manager: 'argocd-controller', operation: 'Apply' }] }),
        ],
        operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      },
      'apply:server-side',
    ],
    ['not taking over on the client side', { live: [withFields(csa)] }, 'apply:'],
    [
      'not taking over where it is switched off',
      {
        live: [withFields(csa)],
        operation: {
          sync: { syncOptions: ['ServerSideApply=true', 'ClientSideApplyMigration=false'] },
        },
      },
      'apply:server-side',
    ],
  ])('%s', (_name, question, want) => {
    const { writes } = ask({ targets: [object('ConfigMap', 'x')], ...question })
    expect(writes.map((request) => `${request.verb}:${formatManner(request)}`)).toEqual([want])
  })

  it('takes fields over from the manager that the Application names', () => {
    const live = withFields({ managedFields: [{ manager: 'other', operation: 'Update' }] })
    const key = 'argocd.argoproj.io/client-side-apply-migration-manager'
    const named = { ...app, metadata: { ...app.metadata, annotations: { [key]: 'other' } } }
    const { writes } = ask({
      targets: [object('ConfigMap', 'x')],
      live: [live],
      operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
      world: { app: named },
    })
    expect(writes.map(formatManner)).toEqual(['server-side migrate-from=other'])
  })

  it('is refused by force on the server side, before anybody is asked', () => {
    const { writes, end } = ask({
      targets: [object('ConfigMap', 'x', options('Force=true,ServerSideApply=true'))],
    })
    expect(writes).toEqual([])
    expect(end.message).toBe(
      'one or more objects failed to apply, reason: error validating options: --force cannot be used with --server-side',
    )
  })

  it('tries on the client side what the server will apply', () => {
    const { lines } = ask({
      targets: [object('ConfigMap', 'x')],
      operation: { sync: { syncOptions: ['ServerSideApply=true'] } },
    })
    expect(lines).toEqual([
      'dryRun   Sync/0 resource ConfigMap app/x',
      'apply    Sync/0 resource ConfigMap app/x [server-side]',
    ])
  })
})

describe('what is pruned', () => {
  const gone = object('ConfigMap', 'gone')
  it.each<[string, Manifest, Operation, string, string]>([
    ['when the sync prunes', gone, { sync: { prune: true } }, 'Pruned', 'pruned'],
    ['not when it does not', gone, { sync: {} }, 'PruneSkipped', 'ignored (requires pruning)'],
    [
      'not when the object says no',
      object('ConfigMap', 'gone', options('Prune=false')),
      { sync: { prune: true } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'not when the options say no',
      gone,
      { sync: { prune: true, syncOptions: ['Prune=false'] } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'when the object says yes and the options no',
      object('ConfigMap', 'gone', options('Prune=true')),
      { sync: { prune: true, syncOptions: ['Prune=false'] } },
      'Pruned',
      'pruned',
    ],
    [
      'not when the object says no and the options yes',
      object('ConfigMap', 'gone', options('Prune=false')),
      { sync: { prune: true, syncOptions: ['Prune=true'] } },
      'PruneSkipped',
      'ignored (no prune)',
    ],
    [
      'when the object says yes and the options ask first',
      object('ConfigMap', 'gone', options('Prune=true')),
      { sync: { prune: true, syncOptions: ['Prune=confirm'] } },
      'Pruned',
      'pruned',
    ],
    ['for show', gone, { sync: { prune: true, dryRun: true } }, 'Pruned', 'pruned (dry run)'],
  ])('%s', (_name, live, operation, status, message) => {
    const { end } = ask({ live: [live], operation })
    expect(end.resources).toMatchObject([{ name: 'gone', status, message, hookPhase: 'Succeeded' }])
    expect(end.phase).toBe('Succeeded')
  })

  it.each<[string, readonly string[], string]>([
    ['by default', [], 'Foreground'],
    ['as asked', ['PrunePropagationPolicy=background'], 'Background'],
    ['as asked', ['PrunePropagationPolicy=orphan'], 'Orphan'],
    ['by default for what nobody knows', ['PrunePropagationPolicy=sideways'], 'Foreground'],
  ])('with its dependents, %s: %s', (_name, syncOptions, propagation) => {
    const { writes } = ask({ live: [gone], operation: { sync: { prune: true, syncOptions } } })
    expect(writes).toMatchObject([{ verb: 'delete', propagation }])
  })

  it('fails the sync when it is refused, and nothing is applied beside it', () => {
    const { end, lines } = ask({
      targets: [object('ConfigMap', 'new')],
      live: [gone],
      answer: (step) =>
        step.kind === 'prune'
          ? { error: { message: 'no', status: 403, reason: 'Forbidden' } }
          : undefined,
    })
    expect(lines.filter((line) => line.startsWith('apply'))).toEqual([])
    expect(end).toMatchObject({
      phase: 'Failed',
      message: 'one or more objects failed to apply, reason: no',
      resources: [{ name: 'gone', status: 'SyncFailed', hookPhase: 'Failed', message: 'no' }],
    })
  })

  it('never is a hook, whether or not it is in the repository', () => {
    const { lines, end } = ask({ live: [object('Job', 'old', hook('PreSync'))] })
    expect({ lines, phase: end.phase }).toEqual({ lines: [], phase: 'Succeeded' })
  })
})

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

describe('the end of a sync before its time', () => {
  const row = (name: string, hookPhase: 'Running' | 'Succeeded') => ({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    namespace: 'app',
    name,
    status: 'Synced' as const,
    hookPhase,
    hookType: 'Sync' as const,
    syncPhase: 'Sync' as const,
  })
  const job = (policy: string): Manifest => {
    const made = object('Job', 'h', hook('Sync', policy))
    const finalizers = ['argocd.argoproj.io/hook-finalizer']
    return { ...made, metadata: { ...(made['metadata'] as JsonObject), finalizers } }
  }
  const health = (status: 'Progressing' | 'Healthy' | 'Degraded'): Partial<SyncWorld> => ({
    assess: () => ({ health: { status, message: status.toLowerCase() } }),
  })
  const refuse =
    (verb: string): NonNullable<Question['answer']> =>
    (_step, request) =>
      request.verb === verb ? { error: { message: 'no', status: 500, reason: '' } } : undefined

  it.each<[string, Question, readonly string[], string, object]>([
    [
      'deletes what runs',
      { live: [job('BeforeHookCreation')], world: health('Progressing') },
      ['release', 'delete'],
      'Failed',
      { hookPhase: 'Failed', message: 'Terminated' },
    ],
    [
      'keeps what has ended well meanwhile',
      { live: [job('HookSucceeded')], world: health('Healthy') },
      ['release'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'healthy' },
    ],
    [
      'deletes what has ended and is to be deleted on failure',
      { live: [job('HookFailed')], world: health('Healthy') },
      ['release', 'delete'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'healthy' },
    ],
    [
      'knows what has failed meanwhile',
      { live: [job('BeforeHookCreation')], world: health('Degraded') },
      ['release'],
      'Failed',
      { hookPhase: 'Failed', message: 'degraded' },
    ],
    [
      'takes what is gone for ended',
      { live: [] },
      ['read'],
      'Failed',
      { hookPhase: 'Succeeded', message: 'Terminated' },
    ],
    [
      'says when a hook is not let go',
      {
        live: [job('BeforeHookCreation')],
        world: health('Progressing'),
        answer: refuse('release'),
      },
      ['release'],
      'Error',
      { hookPhase: 'Error' },
    ],
    [
      'says when a hook is not deleted',
      { live: [job('BeforeHookCreation')], world: health('Progressing'), answer: refuse('delete') },
      ['release', 'delete'],
      'Error',
      { hookPhase: 'Failed' },
    ],
  ])('%s', (_name, question, kinds, phase, result) => {
    const { steps, end } = ask({
      targets: [object('Job', 'h', hook('Sync', policyOf(question.live?.[0])))],
      rows: [row('h', 'Running')],
      phase: 'Terminating',
      ...question,
    })
    expect(steps.map(({ kind }) => kind)).toEqual(kinds)
    expect(end).toMatchObject({
      phase,
      message: phase === 'Failed' ? 'Operation terminated' : 'Operation termination had errors',
      resources: [result],
    })
  })

  it('leaves other objects as they are', () => {
    const { steps, end } = ask({
      targets: [object('ConfigMap', 'a')],
      live: [object('ConfigMap', 'a')],
      rows: [{ ...row('a', 'Running'), group: '', kind: 'ConfigMap' }],
      phase: 'Terminating',
    })
    expect(steps).toEqual([])
    expect(end.resources).toMatchObject([{ hookPhase: 'Running' }])
  })
})

function policyOf(live: Manifest | undefined): string | undefined {
  const value =
    live && getPath(live, 'metadata', 'annotations', 'argocd.argoproj.io/hook-delete-policy')
  return typeof value === 'string' ? value : undefined
}
