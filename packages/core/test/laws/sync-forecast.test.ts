// The forecast tells what the machine does: over random sets of resources, hooks, waves, prunes and fates the same
// requests in the same order, and the same end.

import { type OperateResult, operate, planSync, type SyncPlan } from '@litecd/core/app'
import {
  type Application,
  defaultSettings,
  isHook,
  type SyncResultResource,
} from '@litecd/core/argo'
import { type JsonObject, mergePatch } from '@litecd/core/json'
import { formatKey, keyOf, type Manifest, scopeOfBuiltIn } from '@litecd/core/kube'
import {
  type Assessment,
  type Forecast,
  forecastSync,
  formatStep,
  newOperationState,
  type SyncWorld,
} from '@litecd/core/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryCluster } from '../support/memory-cluster.ts'
import { type Fate, objectOfThing, type Thing, things } from '../support/random-sync.ts'

const source = { repoURL: 'https://git.example.com/shop.git', path: 'app' }
const revision = '0123456789abcdef0123456789abcdef01234567'
const startedAt = '2026-01-02T03:04:05Z'

/** The world of both: what there is, what should be, and what becomes of it. */
class World {
  readonly memory: MemoryCluster = new MemoryCluster()
  readonly targets: readonly Manifest[]
  readonly live: readonly Manifest[]
  readonly operation: NonNullable<Application['operation']>
  private readonly fates: ReadonlyMap<string, Fate>
  private readonly looks: Map<string, number> = new Map()

  constructor(list: readonly Thing[], options: readonly string[]) {
    const objects = list.map((thing, i) => ({ thing, object: objectOfThing(thing, i) }))
    this.targets = objects.filter(({ thing }) => thing.role !== 'prune').map(({ object }) => object)
    this.fates = new Map(objects.map(({ thing, object }) => [formatKey(keyOf(object)), thing.fate]))
    for (const { thing, object } of objects) {
      if (thing.role === 'prune' || (isHook(object) && thing.left)) this.memory.see(object)
    }
    this.memory.births.clear()
    this.live = this.memory.live
    this.memory.refuses = (_verb, object) => this.refusal(object)
    this.operation = { sync: { prune: true, syncOptions: options } }
  }

  private refusal(object: object): string | undefined {
    const key = 'apiVersion' in object ? keyOf(object as Manifest) : object
    return this.fates.get(formatKey(key as never)) === 'refused' ? 'refused' : undefined
  }

  /** Slow objects are progressing the first two times that anybody looks. */
  assess(live: Manifest, patient: boolean): Assessment {
    if (live.kind === 'ConfigMap' || live.kind === 'Namespace') return { health: undefined }
    const key = formatKey(keyOf(live))
    const fate = this.fates.get(key)
    if (fate === 'degraded') return { health: { status: 'Degraded' } }
    if (patient || fate !== 'slow') return { health: { status: 'Healthy' } }
    const looks = (this.looks.get(key) ?? 0) + 1
    this.looks.set(key, looks)
    return { health: { status: looks < 3 ? 'Progressing' : 'Healthy' } }
  }

  private app(): Application {
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        project: 'default',
        source,
        destination: { server: 'https://kubernetes.default.svc', namespace: 'app' },
      },
      operation: this.operation,
    }
  }

  forecast(): Forecast {
    const world: SyncWorld = {
      app: this.app(),
      instance: 'shop',
      tracking: defaultSettings.tracking,
      facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
      revision,
      targets: this.targets,
      live: this.live,
      permits: () => undefined,
      assess: (live) => this.assess(live, true),
      modified: () => undefined,
      waveDelayMs: 2_000,
    }
    const state = newOperationState(this.operation, Date.parse(startedAt))
    return forecastSync(state, world, {
      namespaceExists: false,
      refuses: (request) =>
        request.verb === 'get' || request.verb === 'release'
          ? undefined
          : this.refusal('target' in request ? request.target : request.key),
    })
  }

  plan(): SyncPlan {
    const { operation: _operation, ...app } = this.app()
    const hooks = this.targets.filter(isHook)
    const target = (manifest: Manifest) => ({ key: keyOf(manifest), manifest, origin: undefined })
    return planSync({
      app: {
        ...app,
        spec: { ...app.spec, syncPolicy: { syncOptions: this.operation.sync?.syncOptions ?? [] } },
      },
      settings: defaultSettings,
      project: undefined,
      cluster: undefined,
      targets: {
        resources: this.targets.filter((manifest) => !isHook(manifest)).map(target),
        hooks: hooks.map(target),
        preDeleteHooks: false,
        postDeleteHooks: false,
        conditions: [],
      },
      live: this.live,
      facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
      refusals: { isSnapshot: false, namespaces: undefined, serves: () => undefined },
      namespaceExists: false,
      revision,
      now: Date.parse(startedAt),
      prune: true,
    })
  }

  /** The controller's own operation over a cluster; what it really asked for, and how it ended. */
  async run(): Promise<{ readonly lines: readonly string[]; readonly result: OperateResult }> {
    const lines: string[] = []
    let app = this.app()
    let now = Date.parse(startedAt)
    for (let beats = 0; ; beats++) {
      const result = await operate(
        {
          app,
          settings: defaultSettings,
          project: {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'AppProject',
            metadata: { name: 'default' },
            spec: {},
          },
          compare: async () => ({
            revision,
            comparedTo: { source },
            conditions: [],
            targets: this.targets,
            live: this.memory.live.filter(({ kind }) => kind !== 'Namespace'),
            facts: { kubeVersion: '', apiVersions: [], scopeOf: (kind) => scopeOfBuiltIn(kind) },
            permits: () => undefined,
            assess: (live) => this.assess(live, false),
            modified: () => undefined,
          }),
          connect: async () => this.memory.cluster(),
        },
        {
          clock: { now: () => now },
          save: async ({ patch }) => {
            app = mergePatch(app as unknown as JsonObject, patch) as unknown as Application
          },
          trace: (step) => {
            if (['apply', 'prune', 'delete'].includes(step.kind)) lines.push(...formatStep(step))
          },
        },
      )
      now += 10_000
      if (app.operation === undefined || app.operation === null || beats > 60) {
        return { lines, result }
      }
    }
  }
}

/**
 * What the cluster says of what it did is its own; and an operation does not always wait for what is slow: how far a
 * resource has come is then left to chance.
 */
function rowsOf(rows: readonly SyncResultResource[]): readonly object[] {
  return rows.map(({ message, hookPhase, ...row }) =>
    row.status === 'Synced' ? row : { ...row, message, hookPhase },
  )
}

function linesOf(forecast: Forecast): readonly string[] {
  return forecast.beats.flatMap(({ actions }) =>
    actions.flatMap(({ kind, request }) => formatStep({ kind, requests: [request] })),
  )
}

const optionLists = fc.subarray(['PruneLast=true', 'CreateNamespace=true', 'ServerSideApply=true'])

describe('the forecast of a sync', () => {
  it('tells the requests of the machine in their order, and its end', async () => {
    await fc.assert(
      fc.asyncProperty(things, optionLists, async (list, options) => {
        const forecast = new World(list, options).forecast()
        const machine = await new World(list, options).run()
        expect(linesOf(forecast)).toEqual(machine.lines)
        expect(forecast.end.phase).toBe(machine.result.state?.phase)
        expect(forecast.end.message).toBe(machine.result.state?.message)
        const rows = machine.result.state?.syncResult?.resources ?? []
        expect(rowsOf(forecast.end.resources)).toEqual(rowsOf(rows))
      }),
      { numRuns: 400 },
    )
  })

  it('tells the same where there are no hooks, so that tasks are used again', async () => {
    await fc.assert(
      fc.asyncProperty(things, optionLists, async (list, options) => {
        const plain = list.filter(({ role }) => role === 'resource' || role === 'prune')
        const forecast = new World(plain, options).forecast()
        const machine = await new World(plain, options).run()
        expect(linesOf(forecast)).toEqual(machine.lines)
        expect(forecast.end.message).toBe(machine.result.state?.message)
      }),
      { numRuns: 400 },
    )
  })

  it('is what a plan tells, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(things, optionLists, async (list, options) => {
        const fine = list.map(
          (thing): Thing => ({ ...thing, fate: thing.fate === 'slow' ? 'slow' : 'healthy' }),
        )
        const machine = await new World(fine, options).run()
        const plan = new World(fine, options).plan()
        const told = plan.steps.flatMap(({ phase, wave, tasks }) =>
          tasks
            .filter(({ verb }) => verb !== 'keep')
            .map(({ key }) => `${phase}/${wave} ${key.kind} ${key.name}`),
        )
        const done = machine.lines.map((line) => {
          const [, place, kind, name] =
            /^\w+ +(\S+) \w+ (?:\S+\/)?(\w+) (?:\S+\/)?(\S+)/.exec(line) ?? []
          return `${place} ${kind} ${name}`
        })
        expect(told).toEqual(done)
        // without a difference nobody would ask for this sync
        if (plan.verdict !== 'nothing') {
          expect(plan.message).toBe(machine.result.state?.message)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('ends', () => {
    fc.assert(
      fc.property(things, optionLists, (list, options) => {
        const { beats, end } = new World(list, options).forecast()
        expect(['Succeeded', 'Failed']).toContain(end.phase)
        expect(beats.length).toBeLessThan(60)
      }),
    )
  })

  it('prunes nothing that another Application has, nor what is a target, nor what says no', () => {
    fc.assert(
      fc.property(things, optionLists, (list, options) => {
        const pruned = new World(list, options)
          .forecast()
          .beats.flatMap(({ actions }) => actions)
          .filter(({ kind }) => kind === 'prune')
          .map(({ request }) => formatKey(keyOf(request.task.live as Manifest)))
        const may = new Set(
          list.flatMap((thing, i) =>
            thing.role === 'prune' && thing.options !== 'Prune=false'
              ? [formatKey(keyOf(objectOfThing(thing, i)))]
              : [],
          ),
        )
        expect(pruned.filter((key) => !may.has(key))).toEqual([])
        expect(new Set(pruned).size).toBe(pruned.length)
      }),
    )
  })

  it('goes on after a confirmation, and says that it waited for it', () => {
    const target = objectOfThing(
      {
        kind: 'ConfigMap',
        role: 'resource',
        wave: 0,
        policy: '',
        options: '',
        fate: 'healthy',
        left: false,
      },
      0,
    )
    const gone: Manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'gone',
        namespace: 'app',
        annotations: {
          'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:app/gone',
          'argocd.argoproj.io/sync-options': 'Prune=confirm',
        },
      },
    }
    const world = new World([], [])
    Object.assign(world, { targets: [target], live: [gone] })
    const { beats, end } = world.forecast()
    expect(beats.map(({ confirmation, end: { message } }) => [confirmation, message])).toEqual([
      [true, 'waiting for pruning confirmation of /ConfigMap/gone'],
      [false, 'successfully synced (all tasks run)'],
    ])
    expect(end.phase).toBe('Succeeded')
  })

  it('waits where nothing more will come', () => {
    const paused: Manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'a',
        namespace: 'app',
        annotations: { 'argocd.argoproj.io/hook': 'PreSync' },
      },
    }
    const world = new World([], [])
    Object.assign(world, { targets: [paused] })
    world.assess = () => ({ health: { status: 'Suspended' } })
    expect(world.forecast().end).toMatchObject({
      phase: 'Running',
      message: 'waiting for completion of hook /Pod/a',
    })
  })
})
