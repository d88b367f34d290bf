// A sync is killed after every single call in turn, those that store its state included, and begun again by another
// process. The end must be that of the sync that nobody disturbed: the same objects, the same rows and phases, no hook
// made twice, nothing pruned that should stay.

import type { Application, Operation, OperationState } from '@litecd/core/argo'
import { formatKey, keyOf, type Manifest } from '@litecd/core/kube'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Killed } from '../support/memory-cluster.ts'
import { OperationHost } from '../support/operation-host.ts'
import { type Fate, objectOfThing, things } from '../support/random-sync.ts'

interface Scenario {
  readonly name: string
  readonly operation: Operation
  readonly targets: readonly Manifest[]
  readonly live: readonly Manifest[]
  /** Names of objects that turn out Degraded. */
  readonly degraded: readonly string[]
  /** Names of objects that the server refuses. */
  readonly refused: readonly string[]
  /** Somebody terminates the operation after this many beats that came to their end. */
  readonly terminateAfter?: number
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

const scenarios: Scenario[] = [
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

for (const terminateAfter of [1, 2, 3, 4, 5]) {
  scenarios.push({
    name: `that is terminated after ${terminateAfter} beats`,
    operation: { sync },
    targets,
    live,
    degraded: [],
    refused: [],
    terminateAfter,
  })
}

class Host extends OperationHost {
  calls = 0
  private readonly scenario: Scenario
  private readonly killAt: ReadonlySet<number>
  private dead = false
  private terminated = false

  constructor(scenario: Scenario, ...killAt: readonly number[]) {
    super({
      ...scenario,
      assess: (manifest) => {
        const degraded = scenario.degraded.includes(keyOf(manifest).name)
        if (manifest.kind === 'ConfigMap') return { health: undefined }
        return { health: { status: degraded ? 'Degraded' : 'Healthy' } }
      },
    })
    this.scenario = scenario
    this.killAt = new Set(killAt)
    this.memory.refuses = (verb, target) => {
      this.live()
      const name = 'apiVersion' in target ? keyOf(target as Manifest).name : target.name
      return verb === 'apply' && scenario.refused.includes(name as string) ? 'refused' : undefined
    }
    this.memory.afterCall = () => this.count()
    this.beforeSave = () => this.live()
    this.afterSave = () => this.count()
  }

  private live(): void {
    if (this.dead) throw new Killed()
  }

  private count(): void {
    this.live()
    // a kill before the termination may move it to another point, so only later ones count there
    if (this.scenario.terminateAfter !== undefined && !this.terminated) return
    if (!this.killAt.has(++this.calls)) return
    this.dead = true
    throw new Killed()
  }

  /** Runs to the end; a killed beat is begun again by a process that knows only what was stored. */
  async run(): Promise<void> {
    let ended = 0
    for (let beat = 0; beat < 100; beat++) {
      if (this.idle) return
      try {
        const { requeueAfterMs = 0 } = await this.beat()
        this.now += requeueAfterMs
        if (++ended === this.scenario.terminateAfter && this.app.operation !== null) {
          this.terminated = true
          this.patch({ status: { operationState: { phase: 'Terminating' } } })
        }
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

describe('random syncs', () => {
  it('end the same however often they are killed', async () => {
    const kills = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(things, kills, async (list, killAt) => {
        const objects = list.map((thing, i) => ({ thing, manifest: objectOfThing(thing, i) }))
        const named = (fate: Fate): readonly string[] =>
          objects
            .filter(({ thing }) => thing.fate === fate)
            .map(({ manifest }) => keyOf(manifest).name)
        const scenario: Scenario = {
          name: '',
          operation: { sync },
          targets: objects
            .filter(({ thing }) => thing.role !== 'prune')
            .map(({ manifest }) => manifest),
          live: objects
            .filter(
              ({ thing }) => thing.role === 'prune' || (thing.role !== 'resource' && thing.left),
            )
            .map(({ manifest }) => manifest),
          degraded: named('degraded'),
          refused: named('refused'),
        }
        const whole = new Host(scenario)
        await whole.run()
        const broken = new Host(scenario, ...killAt)
        await broken.run()
        expect(broken.outcome()).toEqual(whole.outcome())
      }),
      { numRuns: 150, seed: 20260102 },
    )
  })
})

describe.each(scenarios)('a sync $name', (scenario) => {
  it('ends the same wherever it is killed', async () => {
    const whole = new Host(scenario)
    await whole.run()
    expect(whole.calls).toBeGreaterThan(0)
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
