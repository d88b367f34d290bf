// A controller's process is killed with SIGKILL after every single call of a sync in turn: reads, writes, status and
// Events. Another process takes over. The end must be that of the sync that nobody disturbed: the same status, the same
// objects, nothing made or deleted more often.
//
// The syncs of all those deaths run side by side. Each is held by a proxy after its own call; once all are held, one
// signal ends the process for all of them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@litecd/core/json'
import { appProjects } from '@litecd/k8s-adapter/argocd'
import { KubeClient, loadKubeconfig } from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ApiProxy,
  type ApiServer,
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  type ProxiedCall,
  podDriver,
  startApiServer,
} from '../../../../test/apiserver/index.ts'
import { type ControllerProcess, startControllerProcess } from '../support/controller-process.ts'
import { Repository } from '../support/repository.ts'
import {
  type Snapshot,
  type StageScenario,
  SyncStage,
  takeSnapshot,
} from '../support/sync-stage.ts'

function configMap(name: string, namespace: string, notes: string, data = 'value: two'): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: ${namespace}, annotations: {${notes}}}
data: {${data}}
`
}

function pod(name: string, namespace: string, notes: string): string {
  return `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, annotations: {${notes}}}
spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/hook:1"}]}
`
}

function job(name: string, namespace: string, notes: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, namespace: ${namespace}, annotations: {${notes}}}
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/hook:1"}]}
`
}

const hook = (type: string): string => `argocd.argoproj.io/hook: ${type}`
const policy = (text: string): string => `argocd.argoproj.io/hook-delete-policy: "${text}"`
const wave = (number: number): string => `argocd.argoproj.io/sync-wave: "${number}"`
const option = (text: string): string => `argocd.argoproj.io/sync-options: "${text}"`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: $OLD, annotations: {${wave(1)}}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "example.com/web:1"}]}
`
function liveConfigMap(name: string, annotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: '$OLD', annotations },
    data: { value: 'one' },
  }
}

function livePod(name: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: '$OLD', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/hook:0' }] },
  }
}

interface Case extends StageScenario {
  readonly phase: string
}

const cases: readonly Case[] = [
  {
    name: 'with hooks, waves and prunes',
    phase: 'Succeeded',
    operation: { sync: { prune: true } },
    manifests: [
      pod('check', '$OLD', hook('PreSync')),
      configMap('conf', '$OLD', ''),
      configMap('whole', '$OLD', option('Replace=true')),
      deployment,
      job('report', '$OLD', `${hook('PostSync')}, ${policy('HookSucceeded')}`),
      pod('alarm', '$OLD', hook('SyncFail')),
    ],
    live: [
      livePod('check'),
      liveConfigMap('conf', { 'kubectl.kubernetes.io/last-applied-configuration': '{}' }),
      liveConfigMap('whole'),
      liveConfigMap('gone-0'),
      liveConfigMap('gone-1', { 'argocd.argoproj.io/sync-wave': '1' }),
      liveConfigMap('gone-last', { 'argocd.argoproj.io/sync-options': 'PruneLast=true' }),
      liveConfigMap('kept', { 'argocd.argoproj.io/sync-options': 'Prune=false' }),
      liveConfigMap('foreign'),
    ],
    foreign: ['foreign'],
  },
  {
    name: 'that makes its namespace and fails in a hook',
    phase: 'Failed',
    operation: { sync: { prune: true, syncOptions: ['CreateNamespace=true'] } },
    manifests: [
      configMap('conf', '$NS', ''),
      pod('bad', '$NS', `${hook('Sync')}, ${policy('HookFailed')}, test/fate: fail`),
      configMap('never', '$NS', wave(1)),
      pod('alarm', '$NS', hook('SyncFail')),
    ],
    live: [liveConfigMap('stays', { 'argocd.argoproj.io/sync-wave': '-1' })],
    foreign: [],
  },
]

describe.skipIf(!canStartApiServer('interrupted syncs'))('a sync on a real API server', () => {
  const repository = new Repository()
  const folder = mkdtempSync(join(tmpdir(), 'litecd-interrupted-'))
  let server: ApiServer
  let proxy: ApiProxy
  let client: KubeClient
  let argocd: string
  let driver: { stop(): void }
  let controller: ControllerProcess
  let start: () => Promise<ControllerProcess>

  beforeAll(async () => {
    server = await startApiServer({ controllers: true })
    client = new KubeClient(await loadKubeconfig({ path: server.kubeconfigPath }))
    await installCrds(client)
    argocd = await freshNamespace(client, 'argocd')
    driver = podDriver(client)
    await client.create(appProjects, project(argocd), { namespace: argocd })
    proxy = new ApiProxy(server, {
      ownerOf: (path, body) =>
        nameIn(path) ?? (/\/(namespaces|events)$/.test(path) ? nameIn(body) : undefined),
    })
    const url = await proxy.listen()
    start = () =>
      startControllerProcess(folder, { url, token: server.token }, '--namespace', argocd, ...flags)
  })

  afterAll(async () => {
    await controller?.kill('SIGKILL')
    driver?.stop()
    proxy?.close()
    client?.close()
    await server?.stop()
    repository.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const stagesOf = (index: number, from: number, to: number): readonly SyncStage[] =>
    Array.from(
      { length: to - from + 1 },
      (_, i) => new SyncStage(client, argocd, `s${index}-${from + i}`, cases[index]!),
    )

  /** Up to the first comparison. */
  async function prepare(stages: readonly SyncStage[]): Promise<void> {
    repository.commit(
      Object.fromEntries(stages.map((stage) => [`${stage.app}/all.yaml`, stage.manifests])),
    )
    for (let i = 0; i < stages.length; i += 10) {
      await Promise.all(stages.slice(i, i + 10).map((stage) => stage.prepare(repository.url)))
    }
    await waitFor('compared', stages, (stage, snapshot) => stage.isCompared(snapshot), 120_000)
  }

  async function waitFor(
    what: string,
    stages: readonly SyncStage[],
    is: (stage: SyncStage, snapshot: Snapshot) => boolean,
    limitMs = 240_000,
  ): Promise<void> {
    let late: readonly SyncStage[] = []
    let last: Snapshot = new Map()
    await eventually(
      what,
      async () => {
        const snapshot = await takeSnapshot(client, 'applications')
        last = snapshot
        late = stages.filter((stage) => !is(stage, snapshot))
        if (late.length > 0) await new Promise((resolve) => setTimeout(resolve, 1_000))
        return late.length === 0
      },
      limitMs,
    ).catch((error: Error) => {
      const states = late.map((stage) => [stage.app, stage.applicationIn(last)?.status])
      const text = JSON.stringify(states).slice(0, 4_000)
      throw new Error(`${error.message}: ${text}\n${controller.log().slice(-2_000)}`)
    })
  }

  const callsOf = (stage: SyncStage): readonly string[] =>
    (proxy.calls.get(stage.app) ?? []).map((call) => nameOf(call, stage))

  const wholes: { readonly calls: readonly string[]; readonly outcome: JsonObject }[] = []

  it('ends as it should when nobody disturbs it', async () => {
    controller = await start()
    const stages = cases.flatMap((_, index) => stagesOf(index, 0, 0))
    await prepare(stages)
    for (const stage of stages) {
      proxy.follow(stage.app, () => false)
      await stage.begin()
    }
    await waitFor('over', stages, (stage, snapshot) => stage.isOver(snapshot), 60_000)
    // the look after the operation belongs to it
    let seen = -1
    await eventually('quiet', async () => {
      const count = stages.reduce((sum, stage) => sum + callsOf(stage).length, 0)
      if (count === seen) return true
      seen = count
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return false
    })
    const snapshot = await takeSnapshot(client, 'everything')
    for (const [index, stage] of stages.entries()) {
      const outcome = stage.outcome(snapshot, proxy.calls.get(stage.app) ?? [])
      expect(outcome['operation']).toMatchObject({ phase: cases[index]!.phase })
      const calls = callsOf(stage)
      expect(calls.length).toBeGreaterThan(30)
      wholes.push({ calls, outcome })
    }
  }, 120_000)

  it('ends the same wherever the process is killed', async () => {
    const groups = wholes.map(({ calls }, index) => stagesOf(index, 1, calls.length))
    const stages = groups.flat()
    await prepare(stages)
    for (const [index, group] of groups.entries()) {
      const { calls } = wholes[index]!
      for (const [i, stage] of group.entries()) {
        // the same call at the same time: under load others may come between
        const name = calls[i]!
        let left = calls.slice(0, i + 1).filter((call) => call === name).length
        proxy.follow(stage.app, (call) => nameOf(call, stage) === name && --left === 0)
      }
    }
    await Promise.all(stages.map((stage) => stage.begin()))
    await waitFor(
      'held',
      stages,
      (stage, snapshot) => proxy.isHeld(stage.app) || stage.isOver(snapshot),
    )
    const held = new Set(stages.filter((stage) => proxy.isHeld(stage.app)))
    expect(await controller.kill('SIGKILL')).toBe('SIGKILL')
    proxy.release()
    controller = await start()
    await waitFor('over', stages, (stage, snapshot) => stage.isOver(snapshot))

    for (const [index, { calls, outcome: want }] of wholes.entries()) {
      const group = groups[index]!
      const died = new Set(calls.filter((_, i) => held.has(group[i]!)))
      // how often one looks, and what is told of it, varies; what is done does not
      const alive = calls.filter(
        (call, i) => !held.has(group[i]!) && !/^GET |\/applications\/|\/events$/.test(call),
      )
      expect({ alive, never: calls.filter((call) => !died.has(call)) }).toEqual({
        alive: [],
        never: [],
      })
      const outcomes = async (): Promise<readonly JsonObject[]> => {
        const snapshot = await takeSnapshot(client, 'everything')
        return group.map((stage, i) => ({
          stage: stage.app,
          died: held.has(stage) ? `after ${calls[i]}` : 'not at all',
          ...stage.outcome(snapshot, proxy.calls.get(stage.app) ?? []),
        }))
      }
      const wrong = (list: readonly JsonObject[]): readonly JsonObject[] =>
        list.filter(({ stage: _s, died: _d, ...rest }) => !isDeepStrictEqual(rest, want))
      let list = wrong(await outcomes())
      // the last look at the Application comes after the operation
      for (let i = 0; i < 20 && list.length > 0; i++) {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        list = wrong(await outcomes())
      }
      for (const { stage, died: how, ...got } of list) {
        expect.soft({ stage, died: how, ...got }).toEqual({ stage, died: how, ...want })
      }
    }
  }, 400_000)
})

function nameOf({ method, path }: ProxiedCall, stage: SyncStage): string {
  return `${method} ${path.replaceAll(stage.app, '$APP')}`
}

const flags = [
  ...['--loglevel', 'info', '--no-applicationsets'],
  // a sync that is held keeps its worker
  ...['--operation-processors', '1000', '--status-processors', '1000'],
]

function nameIn(text: string): string | undefined {
  return /\bs\d+-\d+/.exec(text)?.[0]
}

function project(namespace: string): { apiVersion: string; kind: string } & JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  }
}
