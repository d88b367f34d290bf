import { describe, expect, it } from 'vitest'
import { MemoryCluster } from '../../test/support/memory-cluster.ts'
import type { Application, AppProject } from '../argo/index.ts'
import { defaultSettings } from '../argo/index.ts'
import { ClusterError, SourceError } from '../errors/index.ts'
import type { JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { type OperateInput, operate, type StoredChange, type SyncComparison } from './operate.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const source = { repoURL: 'https://git.example.com/shop.git', path: 'app', targetRevision: 'main' }

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'default', source, destination: { namespace: 'app' } },
  operation: { sync: {}, initiatedBy: { username: 'admin' } },
}

const project: AppProject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default' },
  spec: {},
}

const conf: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'conf', namespace: 'app' },
}

const comparison: SyncComparison = {
  revision: 'abc',
  comparedTo: { source },
  conditions: [],
  targets: [conf],
  live: [],
  facts: { kubeVersion: '', apiVersions: [], scopeOf: () => 'Namespaced' },
  permits: () => undefined,
  assess: () => ({ health: undefined }),
  modified: () => undefined,
}

async function run(changes: Partial<OperateInput>, settings = defaultSettings) {
  const changesSaved: StoredChange[] = []
  const cluster = new MemoryCluster()
  const input: OperateInput = {
    app,
    settings,
    project,
    compare: async () => comparison,
    connect: async () => cluster.cluster(),
    ...changes,
  }
  const result = await operate(input, {
    clock: { now: () => now },
    save: async (change) => {
      changesSaved.push(change)
    },
  })
  return { result, saved: changesSaved, cluster }
}

describe('operate', () => {
  it('stores the start and the end, and remembers the sync', async () => {
    const { result, saved } = await run({})
    expect(saved.map(({ patch }) => patch)).toEqual([
      {
        status: {
          operationState: {
            operation: { sync: {}, initiatedBy: { username: 'admin' }, retry: {} },
            phase: 'Running',
            startedAt: '2026-01-02T03:04:05Z',
          },
        },
      },
      {
        operation: null,
        status: {
          operationState: {
            phase: 'Succeeded',
            message: 'successfully synced (all tasks run)',
            finishedAt: '2026-01-02T03:04:05Z',
            syncResult: {
              revision: 'abc',
              source,
              resources: [
                {
                  group: '',
                  version: 'v1',
                  kind: 'ConfigMap',
                  namespace: 'app',
                  name: 'conf',
                  syncPhase: 'Sync',
                  status: 'Synced',
                  hookPhase: 'Running',
                  message: 'configmap/conf created',
                },
              ],
            },
          },
          history: [
            {
              id: 0,
              revision: 'abc',
              source,
              deployedAt: '2026-01-02T03:04:05Z',
              deployStartedAt: '2026-01-02T03:04:05Z',
              initiatedBy: { username: 'admin' },
            },
          ],
        },
      },
    ])
    expect(result).toMatchObject({
      events: [{ type: 'Normal', message: 'Sync operation to abc succeeded' }],
      refreshLevel: 3,
      pauseMs: 0,
    })
  })

  it('takes away what an older operation left', async () => {
    const operationState = {
      operation: { sync: { dryRun: true }, info: [{ name: 'a', value: 'b' }] },
      phase: 'Failed' as const,
      message: 'old',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:01Z',
      retryCount: 2,
    }
    const { saved } = await run({ app: { ...app, status: { operationState } } })
    expect(saved[0]?.patch).toEqual({
      status: {
        operationState: {
          operation: {
            sync: { dryRun: null },
            info: null,
            initiatedBy: { username: 'admin' },
            retry: {},
          },
          phase: 'Running',
          message: null,
          startedAt: '2026-01-02T03:04:05Z',
          finishedAt: null,
          retryCount: null,
        },
      },
    })
  })

  it.each<[string, Partial<OperateInput>, string, string]>([
    [
      'the project is not there',
      { project: undefined, projectError: 'error getting app project "p": not found' },
      'Error',
      'Failed to load application project: error getting app project "p": not found',
    ],
    [
      'it says nothing to do',
      { app: { ...app, operation: { info: [] } } },
      'Error',
      'Invalid operation request: no operation specified',
    ],
    [
      'the comparison cannot be made',
      {
        compare: async () => {
          throw new SourceError('SOURCE_UNREACHABLE', 'nobody answers')
        },
      },
      'Error',
      'nobody answers',
    ],
    [
      'the comparison has errors',
      {
        compare: async () => ({
          ...comparison,
          conditions: [
            { type: 'ComparisonError', message: 'a' },
            { type: 'OrphanedResourceWarning', message: 'x' },
            { type: 'InvalidSpecError', message: 'b' },
          ],
        }),
      },
      'Error',
      'ComparisonError: a;InvalidSpecError: b',
    ],
    [
      'the cluster cannot be reached',
      {
        connect: async () => {
          throw new ClusterError(
            'CLUSTER_REFUSED',
            'no matching service account found for destination server https://x and namespace app',
          )
        },
      },
      'Error',
      'no matching service account found for destination server https://x and namespace app',
    ],
    [
      'an object belongs to another Application',
      {
        app: { ...app, operation: { sync: { syncOptions: ['FailOnSharedResource=true'] } } },
        compare: async () => ({
          ...comparison,
          conditions: [{ type: 'SharedResourceWarning', message: 'ConfigMap/conf is part of two' }],
        }),
      },
      'Failed',
      'Shared resource found: ConfigMap/conf is part of two',
    ],
  ])('ends when %s', async (_about, changes, phase, message) => {
    const { result, cluster } = await run(changes)
    expect(result.state).toMatchObject({ phase, message })
    expect(cluster.calls).toEqual([])
  })

  it('does nothing to the cluster while a window is closed, and looks again', async () => {
    const window = {
      kind: 'deny',
      schedule: '* * * * *',
      duration: '24h',
      applications: ['*'],
    } as const
    const closed = { ...project, spec: { syncWindows: [window] } }
    const { result, cluster } = await run({ project: closed })
    expect(result).toMatchObject({
      state: { phase: 'Running', message: 'Sync operation blocked by sync window' },
      requeueAfterMs: 60_000,
    })
    expect(cluster.calls).toEqual([])

    const operationState = {
      operation: { sync: {} },
      phase: 'Terminating' as const,
      message: 'waiting',
      startedAt: '2026-01-02T03:04:00Z',
      syncResult: { revision: 'abc', source },
    }
    const terminating = await run({ project: closed, app: { ...app, status: { operationState } } })
    expect(terminating.result.state).toEqual(operationState)
    expect(terminating.saved).toEqual([])
  })

  it('keeps the metadata of the namespace in every state that it stores', async () => {
    const managedNamespaceMetadata = { labels: { team: 'blue' } }
    const spec = { ...app.spec, syncPolicy: { managedNamespaceMetadata } }
    const annotations = { 'argocd.argoproj.io/hook': 'Sync' }
    const hook: Manifest = { ...conf, metadata: { name: 'hook', namespace: 'app', annotations } }
    const { saved } = await run({
      app: { ...app, spec },
      compare: async () => ({ ...comparison, targets: [hook] }),
    })
    const results = saved.flatMap(({ state }) => state.syncResult ?? [])
    expect(results.length).toBeGreaterThan(1)
    for (const result of results) expect(result).toMatchObject({ managedNamespaceMetadata })
  })

  it('asks for what the operation names', async () => {
    const asked: object[] = []
    const compare = async (request: object): Promise<SyncComparison> => {
      asked.push(request)
      return comparison
    }
    await run({ compare })
    await run({
      compare,
      app: {
        ...app,
        operation: {
          sync: { revisions: ['x', 'y'], sources: [source, source], manifests: ['{}'] },
        },
      },
    })
    expect(asked).toEqual([
      { sources: [source], revisions: [''], multiple: false, manifests: [] },
      { sources: [source, source], revisions: ['x', 'y'], multiple: true, manifests: ['{}'] },
    ])
  })

  it('keeps ignored fields of live objects where it is told to', async () => {
    const live: Manifest = { ...conf, data: { kept: 'x' } }
    const applied: JsonObject[] = []
    const cluster = new MemoryCluster()
    const adapter = cluster.cluster()
    await run({
      app: { ...app, operation: { sync: { syncOptions: ['RespectIgnoreDifferences=true'] } } },
      compare: async () => ({
        ...comparison,
        live: [live],
        keepIgnored: (target, object) => ({ ...target, data: object['data']! }),
      }),
      connect: async () => ({
        ...adapter,
        apply: async (target, options) => {
          if (options.dryRun === 'none') applied.push(target)
          return await adapter.apply(target, options)
        },
      }),
    })
    expect(applied).toEqual([{ ...conf, data: { kept: 'x' } }])
  })

  it('tells when the timeout will be over', async () => {
    const settings = {
      ...defaultSettings,
      timeouts: { ...defaultSettings.timeouts, syncMs: 10_000, syncWaveDelayMs: 60_000 },
    }
    const late: Manifest = {
      ...conf,
      metadata: {
        name: 'late',
        namespace: 'app',
        annotations: { 'argocd.argoproj.io/sync-wave': '1' },
      },
    }
    const compare = async (): Promise<SyncComparison> => ({ ...comparison, targets: [conf, late] })
    const { result } = await run({ compare }, settings)
    expect(result).toMatchObject({
      state: { phase: 'Running', message: 'waiting for healthy state of /ConfigMap/conf' },
      pauseMs: 60_000,
      requeueAfterMs: 10_001,
    })
  })

  it('lets faults through', async () => {
    const compare = async (): Promise<SyncComparison> => {
      throw new TypeError('a fault')
    }
    await expect(run({ compare })).rejects.toThrow('a fault')
  })
})
