// A sync is killed after every single call in turn, those that store its state included, and begun again by another
// process. The end must be that of the sync that nobody disturbed: the same objects, the same rows and phases, no hook
// made twice, nothing pruned that should stay.
import type { Application, Operation, OperationState } from '@litecd/core/argo'
import { defaultSettings } from '@litecd/core/argo'
import { type JsonObject, mergePatch } from '@litecd/core/json'
import { formatKey, keyOf, type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import { type OperateResult, operate } from '../../src/app/operate.ts'
import { Killed, MemoryCluster } from '../support/memory-cluster.ts'

interface Scenario {
  readonly name: string
  readonly operation: Operation
  readonly targets: readonly Manifest[]
  readonly live: readonly Manifest[]
  /** Names of objects that turn out Degraded. */
  readonly degraded: readonly string[]
  /** Names of objects that the server refuses. */
  readonly refused: readonly string[]
}

function object(kind: string, name: string, annotations: { [key: string]: string } = {}): Manifest {
  const apiVersion = kind === 'Job' ? 'batch/v1' : kind === 'Deployment' ? 'apps/v1' : 'v1'
  const place = kind === 'Namespace' ? {} : { namespace: 'app' }
  return { apiVersion, kind, metadata: { name, ...place, annotations } }
}

const hook = (type: string, policy?: string, wave?: string): { [key: string]: string } => ({
  'argocd.argoproj.io/hook': type,
  ...(policy === undefined ? {} : { 'argocd.argoproj.io/hook-delete-policy': policy }),
  ...(wave === undefined ? {} : { 'argocd.argoproj.io/sync-wave': wave }),
})
const wave = (value: string): { [key: string]: string } => ({
  'argocd.argoproj.io/sync-wave': value,
})

const targets: readonly Manifest[] = [
  object('Job', 'pre-first', hook('PreSync', undefined, '-1')),
  object('Job', 'pre-gone', hook('PreSync', 'HookSucceeded')),
  object('ConfigMap', 'pre-kept', hook('PreSync', 'HookFailed')),
  object('ConfigMap', 'conf'),
  object('Deployment', 'web'),
  object('Job', 'mid', hook('Sync')),
  object('Deployment', 'late', wave('2')),
  object('Job', 'post', hook('PostSync', 'BeforeHookCreation,HookSucceeded')),
  object('Job', 'report', hook('SyncFail')),
  object('ConfigMap', 'note', hook('SyncFail', 'HookFailed', '3')),
]

const live: readonly Manifest[] = [
  object('ConfigMap', 'conf'),
  object('Job', 'pre-first', hook('PreSync')),
  object('ConfigMap', 'old-early'),
  object('ConfigMap', 'old-late', wave('1')),
  object('ConfigMap', 'old-last', { 'argocd.argoproj.io/sync-options': 'PruneLast=true' }),
  object('ConfigMap', 'kept', { 'argocd.argoproj.io/sync-options': 'Prune=false' }),
  object('Job', 'post', hook('PostSync')),
]

const sync = { prune: true, syncOptions: ['CreateNamespace=true'] }

const scenarios: readonly Scenario[] = [
  { name: 'that succeeds', operation: { sync }, targets, live, degraded: [], refused: [] },
  {
    name: 'with a hook that fails',
    operation: { sync },
    targets,
    live,
    degraded: ['mid'],
    refused: [],
  },
  {
    name: 'with an object that is refused',
    operation: { sync },
    targets,
    live,
    degraded: [],
    refused: ['late'],
  },
  {
    name: 'that is a dry run',
    operation: { sync: { ...sync, dryRun: true } },
    targets,
    live,
    degraded: [],
    refused: [],
  },
  {
    name: 'with one more attempt',
    operation: {
      sync: { prune: true },
      retry: { limit: 1, backoff: { duration: '1s', factor: 1 } },
    },
    targets,
    live,
    degraded: ['post'],
    refused: [],
  },
]

class Host {
  readonly memory: MemoryCluster = new MemoryCluster()
  readonly phasesSeen: string[] = []
  app: Application
  calls = 0
  private now = Date.parse('2026-01-02T03:04:05Z')
  private readonly scenario: Scenario
  private readonly killAt: number | undefined
  private dead = false

  constructor(scenario: Scenario, killAt?: number) {
    this.scenario = scenario
    this.killAt = killAt
    for (const manifest of scenario.live) this.memory.see(manifest)
    this.memory.births.clear()
    this.memory.refuses = (verb, target) => {
      if (this.dead) throw new Killed()
      const name = 'apiVersion' in target ? keyOf(target as Manifest).name : target.name
      return verb === 'apply' && scenario.refused.includes(name as string) ? 'refused' : undefined
    }
    this.memory.afterCall = () => this.count()
    this.app = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/shop.git', path: 'app' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
      },
      operation: scenario.operation,
    }
  }

  private count(): void {
    if (this.dead) throw new Killed()
    if (++this.calls !== this.killAt) return
    this.dead = true
    throw new Killed()
  }

  private async beat(): Promise<OperateResult> {
    const { scenario } = this
    return await operate(
      {
        app: this.app,
        settings: defaultSettings,
        project: {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'AppProject',
          metadata: { name: 'default' },
          spec: {},
        },
        compare: async () => ({
          revision: '0123456789abcdef0123456789abcdef01234567',
          comparedTo: { source: { repoURL: 'https://git.example.com/shop.git', path: 'app' } },
          conditions: [],
          targets: scenario.targets,
          live: this.memory.live.filter(({ kind }) => kind !== 'Namespace'),
          facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
          permits: () => undefined,
          assess: (manifest) => ({
            health:
              manifest.kind === 'ConfigMap'
                ? undefined
                : {
                    status: scenario.degraded.includes(keyOf(manifest).name)
                      ? 'Degraded'
                      : 'Healthy',
                  },
          }),
          modified: () => undefined,
        }),
        connect: async () => this.memory.cluster(),
      },
      {
        clock: { now: () => (this.now += 1) },
        save: async ({ patch }) => {
          if (this.dead) throw new Killed()
          this.app = mergePatch(this.app as unknown as JsonObject, patch) as unknown as Application
          this.count()
        },
      },
    )
  }

  /** Runs to the end; a killed beat is begun again by a process that knows only what was stored. */
  async run(): Promise<void> {
    for (let beat = 0; beat < 60; beat++) {
      if (this.app.operation === undefined || this.app.operation === null) return
      try {
        const { requeueAfterMs = 0 } = await this.beat()
        this.now += requeueAfterMs
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        await new Promise((done) => setTimeout(done, 0))
        this.app = JSON.parse(JSON.stringify(this.app)) as Application
        this.dead = false
      }
    }
    throw new Error('the operation does not end')
  }

  /** What must not depend on where the process was killed. */
  outcome(): object {
    const state = this.app.status?.operationState as OperationState
    return {
      phase: state.phase,
      message: state.message,
      retryCount: state.retryCount,
      history: this.app.status?.history?.length,
      rows: state.syncResult?.resources?.map((row) => ({
        ...row,
        // a second apply of the same object finds nothing to change
        message: row.message?.replace(/ (created|configured|unchanged)$/, ' (applied)'),
      })),
      objects: this.memory.summary(),
      births: Object.fromEntries([...this.memory.births].sort()),
    }
  }
}

describe.each(scenarios)('a sync $name', (scenario) => {
  it('ends the same wherever it is killed', async () => {
    const whole = new Host(scenario)
    await whole.run()
    expect(whole.calls).toBeGreaterThan(1)
    for (let killAt = 1; killAt <= whole.calls; killAt++) {
      const broken = new Host(scenario, killAt)
      await broken.run()
      expect({ killAt, ...broken.outcome() }).toEqual({ killAt, ...whole.outcome() })
    }
  })

  it('prunes nothing that should stay', async () => {
    const host = new Host(scenario)
    await host.run()
    expect(host.memory.objects.has(formatKey(keyOf(object('ConfigMap', 'kept'))))).toBe(true)
  })
})
