import { describe, expect, it } from 'vitest'
import type { Application, AppProject, OperationState, ResourceStatus } from '../argo/index.ts'
import { defaultSettings } from '../argo/index.ts'
import { type ComparedState, decideAutoSync } from './decide.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const source = { repoURL: 'https://git.example.com/shop.git', path: 'app', targetRevision: 'main' }

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {},
}

function app(
  automated: object | undefined,
  state?: Partial<OperationState>,
  changes: Partial<Application> = {},
): Application {
  const syncPolicy = automated === undefined ? {} : { automated }
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { project: 'default', source, destination: { namespace: 'app' }, syncPolicy },
    ...(state === undefined
      ? {}
      : {
          status: {
            operationState: {
              operation: { sync: {} },
              phase: 'Succeeded',
              startedAt: '2026-01-02T03:04:00Z',
              finishedAt: '2026-01-02T03:04:04Z',
              syncResult: { revision: 'abc', source },
              ...state,
            },
          },
        }),
    ...changes,
  }
}

const differs: ResourceStatus = {
  kind: 'ConfigMap',
  name: 'a',
  namespace: 'app',
  status: 'OutOfSync',
}
const surplus: ResourceStatus = { ...differs, name: 'b', requiresPruning: true }
const same: ResourceStatus = { ...differs, name: 'c', status: 'Synced' }

function compared(changes: Partial<ComparedState> = {}): ComparedState {
  return {
    status: 'OutOfSync',
    revisions: ['abc'],
    resources: [differs, same],
    settings: defaultSettings,
    now,
    ...changes,
  }
}

describe('decideAutoSync', () => {
  it('starts a sync to what was compared', () => {
    expect(decideAutoSync(app({ prune: true }), project, compared())).toEqual({
      evaluated: true,
      conditions: [],
      operation: {
        sync: { revision: 'abc', source, prune: true },
        initiatedBy: { automated: true },
        retry: { limit: 5 },
      },
      events: [
        {
          type: 'Normal',
          reason: 'OperationStarted',
          message: "Initiated automated sync to 'abc'",
        },
      ],
    })
  })

  it('takes options and retries from the spec', () => {
    const given = app({})
    const policy = { ...given.spec.syncPolicy, syncOptions: ['Replace=true'], retry: { limit: 1 } }
    const decision = decideAutoSync(
      { ...given, spec: { ...given.spec, syncPolicy: policy } },
      project,
      compared(),
    )
    expect(decision.operation).toMatchObject({
      sync: { syncOptions: ['Replace=true'] },
      retry: { limit: 1 },
    })
  })

  it('names all revisions of several sources', () => {
    const given = app({})
    const spec = { ...given.spec, sources: [source, source] }
    const decision = decideAutoSync(
      { ...given, spec },
      project,
      compared({ revisions: ['a', 'b'] }),
    )
    expect(decision.operation?.sync).toEqual({ sources: [source, source], revisions: ['a', 'b'] })
    expect(decision.events[0]?.message).toBe("Initiated automated sync to 'a, b'")
  })

  it.each<[string, Application, Partial<ComparedState>]>([
    ['not automated', app(undefined), {}],
    ['switched off', app({ enabled: false }), {}],
    ['an operation is there', app({}, undefined, { operation: { sync: {} } }), {}],
    [
      'it is being deleted',
      app({}, undefined, { metadata: { name: 'shop', deletionTimestamp: '2026-01-02T03:04:05Z' } }),
      {},
    ],
    ['it is Synced', app({}), { status: 'Synced' }],
    ['nobody knows', app({}), { status: 'Unknown' }],
    ['only a surplus and no prune', app({}), { resources: [surplus, same] }],
    ['the same again without selfHeal', app({}, {}), {}],
  ])('does nothing when %s', (_about, application, changes) => {
    expect(decideAutoSync(application, project, compared(changes))).toEqual({
      evaluated: true,
      conditions: [],
      events: [],
    })
  })

  it('leaves conditions alone outside its sync windows', () => {
    const window = {
      kind: 'deny',
      schedule: '* * * * *',
      duration: '24h',
      applications: ['*'],
    } as const
    const closed = { ...project, spec: { syncWindows: [window] } }
    expect(decideAutoSync(app({}), closed, compared())).toEqual({
      evaluated: false,
      conditions: [],
      events: [],
    })
  })

  it.each<[string, Application, Partial<ComparedState>, string]>([
    [
      'a failed attempt',
      app({ selfHeal: true }, { phase: 'Failed', message: 'no' }),
      {},
      'Failed last sync attempt to [abc]: no',
    ],
    [
      'one that never came to a result',
      app({}, { phase: 'Error', message: 'no', syncResult: undefined as never }),
      {},
      'Failed last sync attempt to []: no',
    ],
    [
      'wiping everything',
      app({ prune: true }),
      { resources: [surplus] },
      'Skipping sync attempt to [abc]: auto-sync will wipe out all resources',
    ],
    [
      'wiping nothing at all',
      app({ prune: true }),
      { resources: [] },
      'Skipping sync attempt to [abc]: auto-sync will wipe out all resources',
    ],
  ])('refuses %s', (_about, application, changes, message) => {
    const decision = decideAutoSync(application, project, compared(changes))
    expect(decision).toEqual({
      evaluated: true,
      conditions: [{ type: 'SyncError', message }],
      events: [],
    })
  })

  it.each<[string, Application, Partial<ComparedState>]>([
    ['a new revision', app({}, { phase: 'Failed' }), { revisions: ['def'] }],
    [
      'another source',
      app(
        {},
        { phase: 'Failed', syncResult: { revision: 'abc', source: { ...source, path: 'x' } } },
      ),
      {},
    ],
    ['allowEmpty', app({ prune: true, allowEmpty: true }), { resources: [surplus] }],
    ['prune and something that stays', app({ prune: true }), { resources: [surplus, same] }],
  ])('starts with %s', (_about, application, changes) => {
    expect(decideAutoSync(application, project, compared(changes)).operation).toBeDefined()
  })

  describe('self-heal', () => {
    const heal = (attempts: number, finishedSecondsAgo: number): Application =>
      app(
        { selfHeal: true },
        {
          operation: { sync: { autoHealAttemptsCount: attempts } },
          finishedAt: new Date(now - finishedSecondsAgo * 1_000).toISOString().replace('.000', ''),
        },
      )

    it('lists what differs, without namespaces, and counts', () => {
      const resources = [
        { ...differs, group: 'apps', kind: 'Deployment' },
        same,
        { ...surplus, hook: true },
      ]
      expect(decideAutoSync(heal(0, 0), project, compared({ resources })).operation?.sync).toEqual({
        revision: 'abc',
        source,
        autoHealAttemptsCount: 1,
        resources: [
          { group: 'apps', kind: 'Deployment', name: 'a' },
          { kind: 'ConfigMap', name: 'b' },
        ],
      })
    })

    it.each([
      [1, 0, 2_000],
      [1, 1, 1_000],
      [2, 0, 6_000],
      [3, 0, 18_000],
      [5, 0, 162_000],
      [6, 0, 300_000],
      [7, 100, 200_000],
    ])('after %i heals and %i s it waits %i ms', (attempts, ago, wait) => {
      const decision = decideAutoSync(heal(attempts, ago), project, compared())
      expect(decision).toEqual({
        evaluated: true,
        conditions: [],
        events: [],
        requeueAfterMs: wait,
      })
    })

    it('goes on when the time is over', () => {
      const decision = decideAutoSync(heal(2, 6), project, compared())
      expect(decision.operation?.sync?.autoHealAttemptsCount).toBe(3)
    })
  })
})
