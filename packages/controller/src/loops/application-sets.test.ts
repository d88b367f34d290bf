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
          this.writes.push(subresource ?? 'set')
          this.set = mergePatch(this.set, patch) as JsonObject
        },
      },
      argo: {
        application: (key) => this.apps.get(key) as unknown as Application | undefined,
        applications: () => [...this.apps.values()] as unknown as Application[],
        project: (name) => (name === 'default' ? ({ spec: {} } as never) : undefined),
        clusters: () => [cluster],
        clusterFacts: () => [],
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
      clock: { now: () => 0 },
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

  it.each<[string, JsonObject, JsonObject, string]>([
    ['a broken generator', { generators: [list({ key: 4 })] }, {}, '%!w(<nil>)'],
    [
      'a generator that asks a provider',
      { generators: [list({ key: 'new' }), { pullRequest: { github: {} } }] },
      {},
      'not supported yet by this version of litecd',
    ],
    [
      'a rolling sync',
      { strategy: { type: 'RollingSync', rollingSync: { steps: [{}] } }, generators: [] },
      { 'applicationsetcontroller.enable.progressive.syncs': 'true' },
      'not supported yet by this version of litecd',
    ],
  ])('changes nothing with %s', async (_, spec, params, words) => {
    const world = new World({ generators: two })
    await world.look()
    world.change(spec)
    world.params = params as { readonly [key: string]: string }
    expect(await world.look()).toEqual(['status'])
    expect(world.condition('ErrorOccurred')).toMatchObject({ status: 'True' })
    expect(world.condition('ErrorOccurred')?.['message']).toContain(words)
    expect([...world.apps.keys()]).toEqual(['argocd/a', 'argocd/b'])
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
