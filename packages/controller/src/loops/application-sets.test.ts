import { readAppsetSettings } from '@litecd/core/appset'
import type { Application } from '@litecd/core/argo'
import { ClusterError } from '@litecd/core/errors'
import { type Json, type JsonObject, mergePatch } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../log/index.ts'
import { ApplicationSetLoop } from './application-sets.ts'

const server = 'https://kubernetes.default.svc'
const template = {
  metadata: { name: '{{key}}', labels: { v: '{{v}}' } },
  spec: {
    project: 'default',
    source: { repoURL: 'https://example.com/x', path: 'a' },
    destination: { server, namespace: 'web' },
  },
}
const list = (...elements: readonly JsonObject[]): JsonObject => ({ list: { elements } })

/** An installation with one set, in memory. */
class World {
  readonly apps = new Map<string, JsonObject>()
  readonly writes: string[] = []
  readonly events: string[] = []
  readonly waits: number[] = []
  params: { readonly [key: string]: string } = {}
  refuses: string | undefined
  now = 0
  projectSpec: JsonObject = {}
  set: JsonObject
  readonly loop: ApplicationSetLoop

  constructor(spec: JsonObject, metadata: JsonObject = {}) {
    this.set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'set', namespace: 'argocd', uid: 'u1', ...metadata },
      spec: { template, ...spec },
    }
    const cluster = { name: 'in-cluster', server }
    this.loop = new ApplicationSetLoop({
      sets: {
        get: () => ({
          manifest: this.set as unknown as Manifest,
          set: this.set as never,
          problem: undefined,
        }),
        patch: async (_, patch, subresource) => {
          if (this.refuses === 'set' && subresource === undefined) {
            throw new ClusterError('CLUSTER_REFUSED', 'the set is refused')
          }
          this.writes.push(subresource ?? 'set')
          this.set = mergePatch(this.set, patch) as JsonObject
        },
      },
      argo: {
        application: (key) => this.apps.get(key) as unknown as Application | undefined,
        applications: () => [...this.apps.values()] as unknown as Application[],
        project: (name) => (name === 'default' ? ({ spec: this.projectSpec } as never) : undefined),
        clusters: () => [cluster],
        clusterFacts: () => [],
        verifiesCommits: () => true,
        read: async (key) => this.apps.get(key) as unknown as Application | undefined,
        create: async (object) => {
          const { name } = object['metadata'] as { name: string }
          if (name === this.refuses) throw new ClusterError('CLUSTER_REFUSED', `${name} is refused`)
          this.writes.push(`create ${name}`)
          this.apps.set(`argocd/${name}`, object)
        },
        patch: async (key, patch) => {
          this.writes.push(`patch ${key}`)
          this.apps.set(key, mergePatch(this.apps.get(key), patch) as JsonObject)
        },
        remove: async (key) => {
          this.writes.push(`delete ${key}`)
          this.apps.delete(key)
        },
      },
      sources: {
        resolve: () => Promise.reject(new Error('not asked for')),
        fetch: () => Promise.reject(new Error('not asked for')),
      },
      events: { emit: (_, { message }) => this.events.push(message) },
      clock: { now: () => this.now },
      log: createLogger('error', () => {}),
      settings: () => readAppsetSettings(this.params, {}),
      again: (_, delayMs) => this.waits.push(delayMs),
    })
  }

  async look(): Promise<readonly string[]> {
    this.writes.length = 0
    await this.loop.work('argocd/set')
    return [...this.writes]
  }

  condition(type: string): JsonObject | undefined {
    const { conditions = [] } = (this.set['status'] ?? {}) as { conditions?: JsonObject[] }
    return conditions.find((one) => one['type'] === type)
  }

  change(spec: JsonObject): void {
    this.set = { ...this.set, spec: { ...(this.set['spec'] as JsonObject), ...spec } as Json }
  }
}

const two = [list({ key: 'a', v: '1' }, { key: 'b', v: '1' })]

describe('an ApplicationSet', () => {
  it('creates, updates and deletes, and then rests', async () => {
    const world = new World({ generators: two })
    expect(await world.look()).toEqual(['create a', 'create b', 'status'])
    expect(await world.look()).toEqual([])
    world.change({ generators: [list({ key: 'b', v: '2' }, { key: 'c', v: '1' })] })
    expect(await world.look()).toEqual(['patch argocd/b', 'create c', 'delete argocd/a', 'status'])
    expect(world.events).toEqual([
      'created Application "a"',
      'created Application "b"',
      'updated Application "b"',
      'created Application "c"',
      'Deleted Application "a"',
    ])
    expect(world.set['status']).toMatchObject({ resourcesCount: 2, health: { status: 'Healthy' } })
  })

  it.each<[string, JsonObject, string]>([
    ['a broken generator', { generators: [list({ key: 4 })] }, '%!w(<nil>)'],
    [
      'a generator that asks a provider',
      { generators: [list({ key: 'new' }), { pullRequest: { github: {} } }] },
      'not supported yet by this version of litecd',
    ],
  ])('changes nothing with %s', async (_, spec, words) => {
    const world = new World({ generators: two })
    await world.look()
    world.change(spec)
    expect(await world.look()).toEqual(['status'])
    expect(world.condition('ErrorOccurred')).toMatchObject({ status: 'True' })
    expect(world.condition('ErrorOccurred')?.['message']).toContain(words)
    expect([...world.apps.keys()]).toEqual(['argocd/a', 'argocd/b'])
  })

  it.each<[string, JsonObject, string]>([
    ['of this repository', { signatureKeys: [{ keyID: 'K' }] }, 'wants commits of'],
    [
      'of another one',
      {
        sourceIntegrity: {
          git: { policies: [{ repos: [{ url: 'https://other/*' }], gpg: { mode: 'head' } }] },
        },
      },
      'not asked for',
    ],
  ])('reads no files where the project wants signed commits %s', async (_, spec, words) => {
    const git = { repoURL: 'https://example.com/x', directories: [{ path: '*' }] }
    const world = new World({ generators: [{ git }] })
    world.projectSpec = spec
    await world.look().catch(() => undefined)
    const { message } = world.condition('ErrorOccurred') ?? { message: 'not asked for' }
    expect(message).toContain(words)
  })

  it('goes on after a refused Application, says so and is tried again', async () => {
    const world = new World({ generators: two })
    world.refuses = 'a'
    await expect(world.look()).rejects.toThrow('a is refused')
    expect(world.writes).toEqual(['create b', 'status'])
    expect(world.condition('ErrorOccurred')).toMatchObject({
      status: 'True',
      reason: 'UpdateApplicationError',
      message: 'a is refused',
    })
    expect(world.condition('ParametersGenerated')).toMatchObject({ status: 'True' })
  })

  it('takes its refresh annotation away and keeps the others', async () => {
    const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true', mine: 'x' }
    const world = new World({ generators: [] }, { annotations })
    expect(await world.look()).toEqual(['set', 'status'])
    expect((world.set['metadata'] as JsonObject)['annotations']).toEqual({ mine: 'x' })
  })

  it('says so when its refresh annotation cannot be taken away', async () => {
    const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' }
    const world = new World({ generators: two }, { annotations })
    world.refuses = 'set'
    await expect(world.look()).rejects.toThrow('the set is refused')
    expect(world.condition('ErrorOccurred')).toMatchObject({
      status: 'True',
      reason: 'RefreshApplicationError',
    })
    expect(world.apps.size).toBe(2)
  })

  it.each([
    ['create-only', ['patch argocd/a', 'patch argocd/b', 'set'], []],
    ['sync', ['set'], ['u1', 'u1']],
  ])('under %s, when it is deleted', async (applicationsSync, writes, owners) => {
    const world = new World({ generators: two, syncPolicy: { applicationsSync } })
    await world.look()
    const metadata = {
      deletionTimestamp: '2030-01-01T00:00:00Z',
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    }
    world.set = mergePatch(world.set, { metadata }) as JsonObject
    expect(await world.look()).toEqual(writes)
    expect(world.set['metadata']).not.toHaveProperty('finalizers')
    const left = [...world.apps.values()].flatMap(({ metadata: meta }) => {
      const { ownerReferences = [] } = meta as { ownerReferences?: JsonObject[] }
      return ownerReferences.map((one) => one['uid'])
    })
    expect(left).toEqual(owners)
  })

  it('lets other work have its turn among thousands of Applications', async () => {
    const elements = Array.from({ length: 5000 }, (_, index) => ({ key: `app-${index}`, v: '1' }))
    const world = new World({ generators: [list(...elements)] })
    await world.look()
    expect(world.apps.size).toBe(5000)
    let turns = 0
    let working = true
    const other = (): void => {
      turns++
      if (working) setImmediate(other)
    }
    setImmediate(other)
    expect(await world.look()).toEqual([])
    working = false
    expect(turns).toBeGreaterThan(300)
  }, 30_000)
})

describe('a set with RollingSync', () => {
  const inStep = (value: string): JsonObject => ({
    matchExpressions: [{ key: 'v', operator: 'In', values: [value] }],
  })
  const strategy = (more: JsonObject = {}): JsonObject => ({
    strategy: {
      type: 'RollingSync',
      rollingSync: { steps: [inStep('1'), inStep('2')] },
      ...more,
    },
  })
  const steps = [list({ key: 'a', v: '1' }, { key: 'b', v: '2' })]
  const rolling = (spec: JsonObject = {}, metadata: JsonObject = {}): World => {
    const world = new World({ generators: steps, ...strategy(), ...spec }, metadata)
    world.params = { 'applicationsetcontroller.enable.progressive.syncs': 'true' }
    world.now = Date.UTC(2030, 0, 1)
    return world
  }
  const entries = (world: World): readonly string[] => {
    const status = world.set['status'] as { applicationStatus?: JsonObject[] } | undefined
    return (status?.applicationStatus ?? []).map((one) => `${one['application']} ${one['status']}`)
  }
  /** As the application controller would write it. */
  const report = (world: World, name: string, status: JsonObject): void => {
    const key = `argocd/${name}`
    const at = new Date(world.now).toISOString()
    const next = { status: { reconciledAt: at, ...status } }
    world.apps.set(key, mergePatch(world.apps.get(key), next) as JsonObject)
  }
  const operationOf = (world: World, name: string): Json | undefined =>
    world.apps.get(`argocd/${name}`)?.['operation']

  it('syncs one step after the other', async () => {
    const world = rolling()
    await world.look()
    expect(entries(world)).toEqual([])
    const outOfSync = { sync: { status: 'OutOfSync', revision: 'r1' } }
    for (const name of ['a', 'b']) report(world, name, outOfSync)
    expect(await world.look()).toEqual(['status', 'status'])
    expect(entries(world)).toEqual(['a Pending', 'b Waiting'])
    expect(world.waits.at(-1)).toBe(1000)
    expect(operationOf(world, 'a')).toBeUndefined()

    world.now += 1000
    expect(await world.look()).toEqual(['patch argocd/a'])
    expect(operationOf(world, 'a')).toMatchObject({
      initiatedBy: { username: 'applicationset-controller', automated: true },
      sync: {},
      retry: { limit: 5 },
    })
    expect(await world.look()).toEqual([])

    const startedAt = new Date(world.now).toISOString()
    world.now += 2000
    report(world, 'a', {
      sync: { status: 'Synced', revision: 'r1' },
      health: { status: 'Progressing' },
      operationState: { phase: 'Succeeded', startedAt },
    })
    world.apps.set(
      'argocd/a',
      mergePatch(world.apps.get('argocd/a'), { operation: null }) as JsonObject,
    )
    await world.look()
    expect(entries(world)).toEqual(['a Progressing', 'b Waiting'])
    expect(world.condition('RolloutProgressing')).toMatchObject({ status: 'True' })
    expect(operationOf(world, 'a')).toBeUndefined()

    report(world, 'a', { health: { status: 'Healthy' } })
    await world.look()
    expect(entries(world)).toEqual(['a Healthy', 'b Pending'])
    world.now += 1000
    expect(await world.look()).toEqual(['patch argocd/b'])
    report(world, 'b', {
      sync: { status: 'Synced', revision: 'r1' },
      health: { status: 'Healthy' },
    })
    world.now += 1000
    report(world, 'b', {
      operationState: { phase: 'Succeeded', startedAt: new Date(world.now - 500).toISOString() },
    })
    await world.look()
    await world.look()
    expect(entries(world)).toEqual(['a Healthy', 'b Healthy'])
    expect(world.condition('RolloutProgressing')).toMatchObject({
      status: 'False',
      reason: 'ApplicationSetRolloutComplete',
    })
    expect(await world.look()).toEqual([])
  })

  it('switches automated sync off, and on again without the strategy', async () => {
    const automated = { automated: { prune: true } }
    const world = rolling({
      template: { ...template, spec: { ...template.spec, syncPolicy: automated } },
    })
    await world.look()
    const policy = (): unknown =>
      (world.apps.get('argocd/a')?.['spec'] as { syncPolicy?: unknown } | undefined)?.syncPolicy
    expect(policy()).toEqual({ automated: { prune: true, enabled: false } })
    await world.look()
    expect(entries(world)).toHaveLength(2)
    report(world, 'a', { sync: { status: 'OutOfSync' } })
    world.now += 1000
    expect(await world.look()).toEqual(['patch argocd/a', 'status'])
    expect(operationOf(world, 'a')).toMatchObject({ sync: { prune: true } })
    world.change({ strategy: { type: 'rollingsync' } })
    await world.look()
    expect(policy()).toEqual(automated)
    expect(entries(world)).toEqual([])
    expect(world.condition('RolloutProgressing')).toBeUndefined()
  })

  it('is as any other where the feature is off', async () => {
    const world = rolling(strategy({ deletionOrder: 'Reverse' }))
    world.params = {}
    expect(await world.look()).toEqual(['create a', 'create b', 'status'])
    expect(await world.look()).toEqual([])
    expect(entries(world)).toEqual([])
    expect(world.set['metadata']).not.toHaveProperty('finalizers')
  })

  it('settles without steps', async () => {
    const world = rolling({ strategy: { type: 'RollingSync', rollingSync: {} } })
    await world.look()
    await world.look()
    expect(await world.look()).toEqual([])
    expect(world.condition('RolloutProgressing')).toMatchObject({ status: 'False' })
  })

  it('does not wait for what its own paths keep it from writing', async () => {
    const world = rolling({
      ignoreApplicationDifferences: [{ jsonPointers: ['/spec/source/path'] }],
    })
    await world.look()
    for (const name of ['a', 'b']) {
      const status = { sync: { status: 'OutOfSync', revision: 'r1' } }
      report(world, name, status)
      const own = { spec: { source: { path: 'by hand' } } }
      const key = `argocd/${name}`
      world.apps.set(key, mergePatch(world.apps.get(key), own) as JsonObject)
    }
    await world.look()
    expect(entries(world)).toEqual(['a Pending', 'b Waiting'])
    expect(await world.look()).toEqual([])
  })

  it('deletes in reverse order, one after the other, and goes last', async () => {
    const finalizers = ['resources-finalizer.argocd.argoproj.io']
    const world = rolling(strategy({ deletionOrder: 'Reverse' }))
    expect((await world.look()).slice(0, 2)).toEqual(['set', 'status'])
    expect(world.set['metadata']).toMatchObject({ finalizers })
    world.set = mergePatch(world.set, {
      metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' },
    }) as JsonObject
    expect(await world.look()).toEqual(['delete argocd/b'])
    expect(world.waits.at(-1)).toBe(10_000)
    const going = { metadata: { deletionTimestamp: new Date(world.now).toISOString() } }
    const key = 'argocd/a'
    world.apps.set(key, mergePatch(world.apps.get(key), going) as JsonObject)
    expect(await world.look()).toEqual([])
    expect(world.set['metadata']).toMatchObject({ finalizers })
    world.now += 130_000
    await expect(world.look()).rejects.toThrow('application has not been deleted in over 2 minutes')
    world.apps.delete(key)
    expect(await world.look()).toEqual(['set'])
    expect(world.set['metadata']).not.toHaveProperty('finalizers')
  })
})
