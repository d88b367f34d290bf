// Sync options, timeouts, rollbacks and recordings that no recorded case shows, with the whole controller on a real API
// server. What is expected is what Argo CD's documentation and source say.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseRecording, replaySync } from '@litecd/core/app'
import type { Application } from '@litecd/core/argo'
import { getPath, type Json, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { applications, appProjects } from '@litecd/k8s-adapter/argocd'
import {
  configMaps,
  coreEvents,
  isNotFound,
  type KubeClient,
  type ResourceRef,
} from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  podDriver,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { parseOptions } from '../../src/options/index.ts'
import { type RunningController, startController } from '../../src/start.ts'
import { Repository } from '../support/repository.ts'

const deployments: ResourceRef = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}

const configMap = (name: string, annotations = '', data = 'value: one'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {${annotations}}}\ndata: {${data}}\n`
const option = (text: string): string => `argocd.argoproj.io/sync-options: "${text}"`

const deployment = (name: string, fate = 'run'): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 1
  progressDeadlineSeconds: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}, annotations: {test/fate: ${fate}}}
    spec: {containers: [{name: main, image: "example.com/web:1"}]}
`

describe.skipIf(!canStartApiServer('sync options'))('the controller on a real API server', () => {
  const repository = new Repository()
  const recordings = mkdtempSync(join(tmpdir(), 'litecd-recordings-'))
  let client: KubeClient
  let controller: RunningController
  let argocd: string
  let namespace: string
  let driver: { stop(): unknown }

  beforeAll(async () => {
    const { kubeconfigPath } = await sharedApiServer()
    client = await sharedClient()
    await installCrds(client)
    argocd = await freshNamespace(client, 'argocd')
    namespace = await freshNamespace(client, 'app')
    driver = podDriver(client, { namespace })
    const spec = {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    }
    const metadata = { name: 'default', namespace: argocd }
    const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec }
    await client.create(appProjects, project, { namespace: argocd })
    const options = parseOptions(
      [
        ...['--kubeconfig', kubeconfigPath, '--namespace', argocd, '--no-applicationsets'],
        ...['--repo-cache', join(repository.folder, '.cache'), '--loglevel', 'warn'],
        ...['--record-syncs', recordings, '--sync-timeout', '20'],
      ],
      { ARGOCD_SYNC_WAVE_DELAY: '1' },
    )
    controller = await startController(options, (line) => process.stderr.write(line))
  })

  afterAll(async () => {
    await controller?.stop()
    await driver?.stop()
    client?.close()
    repository.remove()
    rmSync(recordings, { recursive: true, force: true })
  })

  async function create(
    name: string,
    spec: JsonObject = {},
    metadata: JsonObject = {},
  ): Promise<void> {
    const app: Manifest = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: argocd, ...metadata },
      spec: {
        project: 'default',
        source: { repoURL: repository.url, path: name, targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace },
        ...spec,
      },
    }
    await client.create(applications, app, { namespace: argocd })
    await seen(name, (status) => status?.sync?.status !== undefined)
  }

  async function read(name: string): Promise<Application> {
    return (await client.get(applications, name, { namespace: argocd })) as unknown as Application
  }

  async function patch(name: string, change: Json): Promise<void> {
    await client.patch(applications, name, 'merge', change, { namespace: argocd })
  }

  async function seen(
    name: string,
    is: (status: Application['status'], app: Application) => boolean,
  ): Promise<Application> {
    let last: Application | undefined
    return await eventually(
      `${name} as expected`,
      async () => {
        last = await read(name)
        return is(last.status, last) && last
      },
      60_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last?.status)}`)
    })
  }

  /** Asks for a sync; older operation states are removed, as Argo CD's API server does. */
  async function begin(name: string, sync: JsonObject, rest: JsonObject = {}): Promise<void> {
    const operation = { initiatedBy: { username: 'admin' }, sync, ...rest }
    await patch(name, { operation, status: { operationState: null } })
  }

  async function sync(
    name: string,
    options: JsonObject,
    rest: JsonObject = {},
  ): Promise<Application> {
    await begin(name, options, rest)
    return await seen(name, (status, app) => {
      const phase = status?.operationState?.phase
      const ended = phase === 'Succeeded' || phase === 'Failed' || phase === 'Error'
      return ended && (app.operation ?? undefined) === undefined
    })
  }

  async function find(resource: ResourceRef, name: string): Promise<Manifest | undefined> {
    try {
      return await client.get(resource, name, { namespace })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async function refresh(name: string): Promise<void> {
    await patch(name, { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } })
  }

  const approval = (at: number): JsonObject => ({
    metadata: {
      annotations: {
        'argocd.argoproj.io/deletion-approved': new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
      },
    },
  })

  it.each<[string, string, readonly string[]]>([
    ['on the object', option('Prune=confirm'), []],
    ['on the Application', '', ['Prune=confirm']],
  ])(
    'Prune=confirm %s waits for an approval that is not older than the sync',
    async (where, annotation, syncOptions) => {
      const name = where === 'on the object' ? 'confirm-object' : 'confirm-app'
      repository.commit({
        [`${name}/kept.yaml`]: configMap(`${name}-kept`),
        [`${name}/gone.yaml`]: configMap(`${name}-gone`, annotation),
      })
      await create(name)
      await sync(name, {})
      repository.commit({
        [`${name}/gone.yaml`]: null,
        [`${name}/new.yaml`]: configMap(`${name}-new`),
      })
      await patch(name, approval(Date.now() - 60_000))
      await begin(name, { prune: true, syncOptions })
      const message = `waiting for pruning confirmation of /ConfigMap/${name}-gone`
      await seen(name, (status) => status?.operationState?.message === message)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      // nothing of the group has run
      expect(await find(configMaps, `${name}-gone`)).toBeDefined()
      expect(await find(configMaps, `${name}-new`)).toBeUndefined()

      await patch(name, approval(Date.now() + 1_000))
      const app = await seen(name, (status) => status?.operationState?.phase === 'Succeeded')
      expect(rowsOf(app)).toMatchObject({
        [`${name}-gone`]: { status: 'Pruned', message: 'pruned' },
        [`${name}-new`]: { status: 'Synced' },
      })
      expect(await find(configMaps, `${name}-gone`)).toBeUndefined()
    },
    90_000,
  )

  it('Delete=confirm keeps an Application that is being deleted until it is approved', async () => {
    const name = 'delete-confirm'
    repository.commit({ [`${name}/a.yaml`]: configMap(name, option('Delete=confirm')) })
    await create(name, {}, { finalizers: ['resources-finalizer.argocd.argoproj.io'] })
    await sync(name, {})
    await seen(name, (status) => status?.resources?.[0]?.requiresDeletionConfirmation === true)
    await client.delete(applications, name, { namespace: argocd })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await find(configMaps, name)).toBeDefined()
    await patch(name, approval(Date.now() + 1_000))
    await eventually('gone', async () => (await find(configMaps, name)) === undefined, 30_000)
    await eventually('the Application gone', async () =>
      read(name).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    )
  }, 90_000)

  it.each([
    ['client-side', []],
    ['server-side', ['ServerSideApply=true']],
  ])(
    'RespectIgnoreDifferences=true leaves ignored fields as they are, %s',
    async (how, more) => {
      const name = `ignored-${how}`
      repository.commit({ [`${name}/a.yaml`]: deployment(name) })
      const ignoreDifferences = [
        { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
      ]
      await create(name, { ignoreDifferences })
      await sync(name, { syncOptions: more })
      const scaled = { spec: { replicas: 3 } }
      await client.patch(deployments, name, 'merge', scaled, { namespace, fieldManager: 'scaler' })

      const commit = (tag: string): string =>
        repository.commit({ [`${name}/a.yaml`]: deployment(name).replace('web:1', `web:${tag}`) })
      commit('2')
      await sync(name, { syncOptions: ['RespectIgnoreDifferences=true', ...more] })
      const kept = (await find(deployments, name))!
      expect(getPath(kept, 'spec', 'replicas')).toBe(3)
      expect(imageOf(kept)).toBe('example.com/web:2')
      // the status of the live object is nothing that was ignored on purpose
      expect(JSON.stringify(ownedBy(kept, 'argocd-controller'))).not.toContain('f:status')

      commit('3')
      await sync(name, { syncOptions: more })
      const reset = (await find(deployments, name))!
      expect(getPath(reset, 'spec', 'replicas')).toBe(1)
      expect(imageOf(reset)).toBe('example.com/web:3')
    },
    90_000,
  )

  it('RespectIgnoreDifferences=true keeps what other managers own where they are trusted', async () => {
    const name = 'trusted'
    repository.commit({ [`${name}/a.yaml`]: deployment(name) })
    const ignoreDifferences = [
      { group: 'apps', kind: 'Deployment', managedFieldsManagers: ['scaler'] },
    ]
    await create(name, { ignoreDifferences })
    await sync(name, {})
    const scaled = { spec: { replicas: 4 } }
    await client.patch(deployments, name, 'merge', scaled, { namespace, fieldManager: 'scaler' })
    await sync(name, { syncOptions: ['RespectIgnoreDifferences=true'] })
    expect(getPath((await find(deployments, name))!, 'spec', 'replicas')).toBe(4)
  }, 90_000)

  it('ends a sync that takes too long, with its hook', async () => {
    const name = 'timeout'
    repository.commit({
      [`${name}/hook.yaml`]: `apiVersion: v1
kind: Pod
metadata: {name: ${name}, annotations: {argocd.argoproj.io/hook: PreSync, test/fate: hang}}
spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/hook:1"}]}
`,
      [`${name}/conf.yaml`]: configMap(`${name}-conf`),
    })
    await create(name)
    const { status } = await sync(name, {})
    expect(status?.operationState).toMatchObject({
      phase: 'Failed',
      message: 'Operation terminated, triggered by controller sync timeout',
    })
    expect(await find(configMaps, `${name}-conf`)).toBeUndefined()
  }, 90_000)

  it('waits between waves', async () => {
    const name = 'waves'
    const wave = (number: number): string => `argocd.argoproj.io/sync-wave: "${number}"`
    repository.commit({
      [`${name}/0.yaml`]: configMap(`${name}-0`),
      [`${name}/1.yaml`]: configMap(`${name}-1`, wave(1)),
      [`${name}/2.yaml`]: configMap(`${name}-2`, wave(2)),
    })
    await create(name)
    const begun = Date.now()
    const { status } = await sync(name, {})
    const took = Date.now() - begun
    expect(status?.operationState?.message).toBe('successfully synced (all tasks run)')
    // two pauses of a second each
    expect(took).toBeGreaterThanOrEqual(2_000)
  }, 90_000)

  it('keeps as much history as it is told to', async () => {
    const name = 'history'
    repository.commit({ [`${name}/a.yaml`]: configMap(name) })
    await create(name, { revisionHistoryLimit: 2 })
    for (let i = 0; i < 4; i++) await sync(name, {})
    const { status } = await read(name)
    expect(status?.history?.map(({ id }) => id)).toEqual([2, 3])
  }, 90_000)

  it('waits between attempts as long as the backoff says, at most its limit', async () => {
    const name = 'backoff'
    repository.commit({ [`${name}/a.yaml`]: configMap('NOT-A-NAME') })
    await create(name)
    const begun = Date.now()
    const retry = { limit: 2, backoff: { duration: '1s', factor: 10, maxDuration: '2s' } }
    const { status } = await sync(name, {}, { retry })
    expect(status?.operationState?.retryCount).toBe(2)
    expect(status?.operationState?.message).toMatch(
      /^one or more objects failed to apply, reason: .* \(retried 2 times\)\.$/,
    )
    expect(Date.now() - begun).toBeGreaterThanOrEqual(3_000)
  }, 90_000)

  it('refuses a name that YAML takes for a boolean', async () => {
    const name = 'boolean-name'
    repository.commit({
      [`${name}/a.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\n',
    })
    await create(name)
    const app = await sync(name, {})
    expect(app.status?.operationState?.phase).toBe('Failed')
    expect(rowsOf(app)['']).toMatchObject({
      status: 'SyncFailed',
      message: expect.stringMatching(/resource name may not be empty$/) as string,
    })
  }, 90_000)

  describe('a rollback', () => {
    it('goes back after a failed sync, says so, and goes on with the next commit', async () => {
      const name = 'rollback'
      const good = repository.commit({ [`${name}/a.yaml`]: configMap(name) })
      await create(
        name,
        { syncPolicy: { automated: {}, retry: { limit: 0 } } },
        { annotations: { 'litecd.dev/auto-rollback': 'true' } },
      )
      await seen(
        name,
        (status) => status?.health?.status === 'Healthy' && status.sync?.status === 'Synced',
      )
      await seen(
        name,
        (_, app) => app.metadata.annotations?.['litecd.dev/rollback-state'] !== undefined,
      )

      const bad = repository.commit({
        [`${name}/a.yaml`]: configMap(name, '', 'value: two'),
        [`${name}/b.yaml`]: configMap('NOT-A-NAME', 'argocd.argoproj.io/sync-wave: "1"'),
      })
      await refresh(name)
      const back = await seen(
        name,
        (status) =>
          status?.operationState?.phase === 'Succeeded' &&
          status.operationState.operation.info?.[0]?.value === 'litecd.dev/auto-rollback',
      )
      expect(back.status?.operationState?.syncResult?.revision).toBe(good)
      expect(getPath((await find(configMaps, name))!, 'data', 'value')).toBe('one')
      const { status } = await seen(
        name,
        (status, app) =>
          app.operation === undefined &&
          status?.conditions?.some(({ type }) => type === 'RolledBackWarning') === true,
      )
      expect(
        status?.conditions?.find(({ type }) => type === 'RolledBackWarning')?.message,
      ).toContain(`Revision ${bad} was rolled back to ${good} because its sync failed: `)
      const events = await client.list(coreEvents, { namespace: argocd })
      const messages = events.items.map((event) => String(event['message']))
      expect(
        messages.filter((text) => text.startsWith(`Initiated rollback from '${bad}' to '${good}'`)),
      ).toHaveLength(1)

      const next = repository.commit({
        [`${name}/b.yaml`]: configMap(`${name}-late`),
        [`${name}/a.yaml`]: configMap(name, '', 'value: three'),
      })
      await refresh(name)
      const fixed = await seen(
        name,
        (status) =>
          status?.sync?.status === 'Synced' &&
          status.sync.revision === next &&
          status.conditions === undefined,
      )
      expect(fixed.status?.health?.status).toBe('Healthy')
      expect(getPath((await find(configMaps, name))!, 'data', 'value')).toBe('three')
    }, 90_000)

    it('goes back when a sync makes it Degraded', async () => {
      const name = 'degraded'
      const good = repository.commit({ [`${name}/a.yaml`]: deployment(name) })
      await create(
        name,
        { syncPolicy: { automated: {} } },
        { annotations: { 'litecd.dev/auto-rollback': 'true' } },
      )
      await seen(
        name,
        (_, app) => app.metadata.annotations?.['litecd.dev/rollback-state'] !== undefined,
      )
      repository.commit({ [`${name}/a.yaml`]: deployment(name, 'hang') })
      await refresh(name)
      const back = await seen(
        name,
        (status) =>
          status?.operationState?.phase === 'Succeeded' &&
          status.operationState.operation.info?.[0]?.value === 'litecd.dev/auto-rollback',
      )
      expect(back.status?.operationState?.syncResult?.revision).toBe(good)
      await seen(
        name,
        (status) =>
          status?.conditions?.[0]?.message.includes('because its sync made it Degraded') === true,
      )
    }, 90_000)
  })

  it('has recorded all these syncs so that they replay', async () => {
    const files = readdirSync(recordings)
    expect(files.length).toBeGreaterThan(15)
    for (const file of files) {
      const parsed = parseRecording(readFileSync(join(recordings, file), 'utf8'))
      if ('problem' in parsed) throw new Error(`${file}: ${parsed.problem}`)
      const { difference } = await replaySync(parsed.recording)
      expect({ file, difference }).toEqual({ file, difference: undefined })
    }
  })
})

function rowsOf(app: Application): { readonly [name: string]: JsonObject } {
  const rows = app.status?.operationState?.syncResult?.resources ?? []
  return Object.fromEntries(rows.map((row) => [row.name, row as unknown as JsonObject]))
}

function imageOf(object: Manifest): Json | undefined {
  const containers = getPath(object, 'spec', 'template', 'spec', 'containers')
  return Array.isArray(containers) ? getPath(containers[0], 'image') : undefined
}

function ownedBy(object: Manifest, manager: string): readonly Json[] {
  const entries = getPath(object, 'metadata', 'managedFields')
  return Array.isArray(entries)
    ? entries.filter((entry) => getPath(entry, 'manager') === manager)
    : []
}
