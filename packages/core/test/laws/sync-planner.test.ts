// Laws of the planner over random sets of resources, hooks, waves, prunes, fates and refusals.

import { performStep } from '@litecd/core/app'
import {
  type Application,
  hookTypesOf,
  isHook,
  type OperationState,
  type SyncPhase,
  waveOf,
} from '@litecd/core/argo'
import { formatKey, keyOf, type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import {
  type BeatEnd,
  beginBeat,
  formatStep,
  formatTask,
  newOperationState,
  nextStep,
  type SyncRun,
  type SyncStep,
  type SyncWorld,
  settleStep,
  stateAfter,
  type TaskOutcome,
} from '@litecd/core/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryCluster } from '../support/memory-cluster.ts'
import { type Fate, objectOfThing, type Thing, things } from '../support/random-sync.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
  },
}

class Simulation {
  readonly cluster: MemoryCluster = new MemoryCluster()
  readonly targets: readonly Manifest[]
  readonly fates: ReadonlyMap<string, Fate>
  /** Real writes and prunes in their order, with the beat in which they were asked for. */
  readonly log: { readonly beat: number; readonly line: string }[] = []
  beats = 0
  state: OperationState
  private readonly looks: Map<string, number> = new Map()

  constructor(list: readonly Thing[], sync: object = { prune: true }) {
    const objects = list.map((thing, i) => ({ thing, object: objectOfThing(thing, i) }))
    this.targets = objects.filter(({ thing }) => thing.role !== 'prune').map(({ object }) => object)
    this.fates = new Map(objects.map(({ thing, object }) => [formatKey(keyOf(object)), thing.fate]))
    for (const { thing, object } of objects) {
      if (thing.role === 'prune' || (isHook(object) && thing.left)) this.cluster.see(object)
    }
    this.cluster.refuses = (verb, object) => {
      const key = 'apiVersion' in object ? keyOf(object as Manifest) : object
      const refused = this.fates.get(formatKey(key as never)) === 'refused'
      return refused && (verb === 'apply' || verb === 'delete') ? `${verb} refused` : undefined
    }
    this.state = { ...newOperationState({ sync }, 0), startedAt: '2026-01-02T03:04:05Z' }
  }

  world(): SyncWorld {
    return {
      app,
      instance: 'shop',
      tracking: { method: 'annotation', labelKey: '', installationId: '' },
      facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
      revision: '0123456789abcdef0123456789abcdef01234567',
      targets: this.targets,
      live: this.cluster.live,
      permits: () => undefined,
      assess: (live) => ({ health: this.healthOf(live) }),
      modified: () => undefined,
      waveDelayMs: 2_000,
    }
  }

  /** Slow objects are progressing the first two times that anybody looks. */
  private healthOf(
    live: Manifest,
  ): { readonly status: 'Healthy' | 'Degraded' | 'Progressing' } | undefined {
    if (live.kind === 'ConfigMap') return undefined
    const key = formatKey(keyOf(live))
    const fate = this.fates.get(key)
    if (fate === 'degraded') return { status: 'Degraded' }
    const looks = (this.looks.get(key) ?? 0) + 1
    this.looks.set(key, looks)
    return { status: fate === 'slow' && looks < 3 ? 'Progressing' : 'Healthy' }
  }

  async answer(step: SyncStep): Promise<readonly TaskOutcome[]> {
    if (step.kind === 'save') return []
    if (step.kind === 'apply' || step.kind === 'prune') {
      for (const line of formatStep(step)) this.log.push({ beat: this.beats, line })
    }
    return await performStep(step, this.cluster.cluster())
  }

  async beat(): Promise<BeatEnd> {
    this.beats++
    const beat = beginBeat(this.state, this.world())
    let next = beat.next([])
    while (next.done !== true) next = beat.next(await this.answer(next.value))
    this.state = stateAfter(JSON.parse(JSON.stringify(this.state)) as OperationState, next.value)
    return next.value
  }

  async run(): Promise<OperationState> {
    while (this.beats < 60 && this.state.phase === 'Running') await this.beat()
    return this.state
  }
}

const phases: readonly SyncPhase[] = ['PreSync', 'Sync', 'PostSync']

describe('laws of the planner', () => {
  it('ends every operation', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const simulation = new Simulation(list)
        await simulation.run()
        expect(['Succeeded', 'Failed']).toContain(simulation.state.phase)
      }),
    )
  })

  it('gives the same step for the same run and world, also after a trip through JSON', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const simulation = new Simulation(list)
        const straight = new Simulation(list)
        while (simulation.state.phase === 'Running' && simulation.beats < 60) {
          simulation.beats++
          // health moves on with every look, so both see the world through a snapshot
          const world = frozen(simulation.world())
          let run: SyncRun = { state: simulation.state, answers: [] }
          let next = nextStep(run, world)
          while (!next.done) {
            const again = nextStep(JSON.parse(JSON.stringify(run)) as SyncRun, world)
            expect(again).toEqual(next)
            run = settleStep(run, await simulation.answer(next.step))
            next = nextStep(run, world)
          }
          simulation.state = stateAfter(simulation.state, next.end)
        }
        await straight.run()
        expect(simulation.state).toEqual(straight.state)
        expect(simulation.cluster.summary()).toEqual(straight.cluster.summary())
      }),
      { numRuns: 60 },
    )
  })

  it('starts nothing before everything of earlier phases and waves is done', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const simulation = new Simulation(list)
        const done = new Set<string>()
        while (simulation.beats < 60 && simulation.state.phase === 'Running') {
          const before = simulation.log.length
          await simulation.beat()
          // what this beat found to be done may let it begin the next wave
          for (const row of simulation.state.syncResult?.resources ?? []) {
            if (row.hookPhase === 'Succeeded') done.add(`${row.syncPhase} ${row.name}`)
          }
          const started = simulation.log
            .slice(before)
            .filter(({ line }) => line.startsWith('apply') && !line.includes('SyncFail/'))
            .map(({ line }) => placeOf(line))
          for (const place of started) {
            const earlier = simulation.targets
              .flatMap(tasksOf)
              .filter((task) => task.rank < place.rank && !done.has(task.name))
            expect(earlier.map(({ name }) => name)).toEqual([])
          }
        }
      }),
    )
  })

  it('loses no task of an operation that succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const simulation = new Simulation(list)
        const { phase, syncResult } = await simulation.run()
        if (phase !== 'Succeeded') return
        const rows = new Set(syncResult?.resources?.map((row) => `${row.syncPhase} ${row.name}`))
        const wanted = simulation.targets.flatMap(tasksOf).map(({ name }) => name)
        expect(wanted.filter((name) => !rows.has(name))).toEqual([])
        list.forEach((thing, i) => {
          if (thing.role !== 'prune') return
          const kept = thing.options === 'Prune=false'
          expect(simulation.cluster.objects.has(formatKey(keyOf(objectOfThing(thing, i))))).toBe(
            kept,
          )
        })
      }),
    )
  })

  it('deletes only what is to be pruned, and hooks', async () => {
    await fc.assert(
      fc.asyncProperty(things, fc.boolean(), async (list, prune) => {
        const simulation = new Simulation(list, { prune })
        simulation.cluster.see({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: {
            name: 'foreign',
            namespace: 'app',
            annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/Service:app/another' },
          },
        })
        await simulation.run()
        const deleted = simulation.cluster.calls.filter(({ verb }) => verb === 'delete')
        const allowed = new Set(
          list.flatMap((thing, i) => {
            const isTarget = thing.role === 'resource' || (thing.role === 'prune' && !prune)
            return isTarget ? [] : [formatKey(keyOf(objectOfThing(thing, i)))]
          }),
        )
        expect(deleted.filter(({ key }) => !allowed.has(key))).toEqual([])
      }),
    )
  })

  it('has nothing left to do the second time', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const plain = list.filter(
          ({ role, fate }) => (role === 'resource' || role === 'prune') && fate !== 'refused',
        )
        const simulation = new Simulation(plain)
        await simulation.run()
        if (simulation.state.phase !== 'Succeeded') return
        const again = new Simulation(plain)
        again.cluster.objects.clear()
        for (const object of simulation.cluster.live) again.cluster.see(object)
        const births = again.cluster.births.size
        await again.run()
        expect(again.state.phase).toBe('Succeeded')
        expect(again.cluster.births.size).toBe(births)
        expect(again.cluster.calls.filter(({ verb }) => verb === 'delete')).toEqual([])
      }),
    )
  })

  it('leaves no finalizer of its own on a hook that is done', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const simulation = new Simulation(list)
        await simulation.run()
        if (simulation.state.phase !== 'Succeeded') return
        const done = simulation.state.syncResult?.resources?.filter(
          (row) => row.hookType !== undefined,
        )
        const names = new Set(done?.map(({ name }) => name))
        const held = simulation.cluster.live.filter((object) => {
          const { name, finalizers } = object['metadata'] as {
            name: string
            finalizers?: unknown[]
          }
          return names.has(name) && (finalizers?.length ?? 0) > 0
        })
        expect(held).toEqual([])
      }),
    )
  })
})

interface Place {
  readonly name: string
  readonly rank: number
}

function rankOf(phase: string, wave: number): number {
  return phases.indexOf(phase as SyncPhase) * 1_000 + wave
}

function tasksOf(target: Manifest): readonly Place[] {
  const types = isHook(target) ? hookTypesOf(target) : ['Sync']
  return types
    .filter((phase) => phase !== 'SyncFail')
    .map((phase) => ({
      name: `${phase} ${keyOf(target).name}`,
      rank: rankOf(phase, waveOf(target)),
    }))
}

/** `apply    Sync/1 resource Service app/t1` → its phase, wave and name. */
function placeOf(line: string): Place {
  const [, phase = '', wave = '', name = ''] =
    /^\w+ +(\w+)\/(-?\d+) \w+ \S+ app\/(\S+)/.exec(line) ?? []
  return { name: `${phase} ${name}`, rank: rankOf(phase, Number(wave)) }
}

/** Health that answers the same however often it is asked. */
function frozen(world: SyncWorld): SyncWorld {
  const known = new Map<string, ReturnType<SyncWorld['assess']>>()
  return {
    ...world,
    assess: (live) => {
      const key = formatKey(keyOf(live))
      const health = known.get(key) ?? world.assess(live)
      known.set(key, health)
      return health
    },
  }
}

describe('formatTask', () => {
  it('prints a task the one way', () => {
    const target: Manifest = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'migrate',
        namespace: 'app',
        annotations: { 'argocd.argoproj.io/hook': 'PreSync' },
      },
    }
    const task = {
      phase: 'PreSync',
      wave: -1,
      hook: true,
      target,
      live: undefined,
      skipDryRun: false,
      status: undefined,
      operationPhase: undefined,
      message: '',
    } as const
    expect(formatTask(task)).toBe('PreSync/-1 hook batch/Job app/migrate')
  })
})
