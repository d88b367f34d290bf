// The controller as a process: what it does when it is asked to end in the middle of a sync, and when the API server goes
// away and comes back.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Application } from '@litecd/core/argo'
import { getPath, type Json, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { applications, appProjects } from '@litecd/k8s-adapter/argocd'
import { configMaps, KubeClient, loadKubeconfig } from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ApiServer,
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  startApiServer,
} from '../../../../test/apiserver/index.ts'
import { type ControllerProcess, startControllerProcess } from '../support/controller-process.ts'
import { Repository } from '../support/repository.ts'

const waves = 12

function configMap(name: string, wave: number, value: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, annotations: {argocd.argoproj.io/sync-wave: "${wave}"}}
data: {value: ${value}}
`
}

describe.skipIf(!canStartApiServer('the controller as a process'))('the controller', () => {
  const repository = new Repository()
  const folder = mkdtempSync(join(tmpdir(), 'litecd-process-'))
  let server: ApiServer
  let client: KubeClient
  let argocd: string
  let namespace: string
  let controller: ControllerProcess | undefined

  beforeAll(async () => {
    server = await startApiServer()
    client = new KubeClient(await loadKubeconfig({ path: server.kubeconfigPath }))
    await installCrds(client)
    argocd = await freshNamespace(client, 'argocd')
    namespace = await freshNamespace(client, 'app')
    const spec = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] }
    const metadata = { name: 'default', namespace: argocd }
    const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec }
    await client.create(appProjects, project, { namespace: argocd })
  })

  afterAll(async () => {
    await controller?.kill('SIGKILL')
    client?.close()
    await server?.stop()
    repository.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (): Promise<ControllerProcess> =>
    startControllerProcess(folder, server, '--namespace', argocd, '--no-applicationsets')

  async function create(name: string, spec: JsonObject = {}): Promise<void> {
    const app: Manifest = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name, namespace: argocd },
      spec: {
        project: 'default',
        source: { repoURL: repository.url, path: name, targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace },
        ...spec,
      },
    }
    await client.create(applications, app, { namespace: argocd })
  }

  async function read(name: string): Promise<Application> {
    return (await client.get(applications, name, { namespace: argocd })) as unknown as Application
  }

  async function made(prefix: string): Promise<readonly string[]> {
    const { items } = await client.list(configMaps, { namespace })
    return items
      .map((item) => String(getPath(item, 'metadata', 'name')))
      .filter((name) => name.startsWith(prefix))
  }

  it('ends its calls, writes where it stands and exits with 0 on SIGTERM in a sync', async () => {
    controller = await start()
    const files = Array.from({ length: waves }, (_, i) => [
      `waves/${i}.yaml`,
      configMap(`wave-${i}`, i, 'one'),
    ])
    repository.commit(Object.fromEntries(files))
    await create('waves')
    await eventually(
      'compared',
      async () => (await read('waves')).status?.sync?.status === 'OutOfSync',
    )
    const operation = { sync: {} }
    await client.patch(applications, 'waves', 'merge', { operation }, { namespace: argocd })
    await eventually('under way', async () => (await made('wave-')).length >= 2)
    expect(await controller.kill('SIGTERM')).toBe(0)
    controller = undefined

    const { status } = await read('waves')
    const there = await made('wave-')
    expect(there.length).toBeLessThan(waves)
    expect(status?.operationState?.phase).toBe('Running')
    // nothing was done that is not written down
    const rows = status?.operationState?.syncResult?.resources ?? []
    expect(rows.map(({ name }) => name).sort()).toEqual([...there].sort())

    controller = await start()
    const end = await eventually(
      'ended',
      async () => {
        const app = await read('waves')
        return app.status?.operationState?.phase === 'Succeeded' && app
      },
      60_000,
    )
    expect(end.status?.operationState?.startedAt).toBe(status?.operationState?.startedAt)
    expect(end.status?.operationState?.syncResult?.resources).toHaveLength(waves)
    expect(await made('wave-')).toHaveLength(waves)
  }, 120_000)

  it('sees what happens after the API server was killed and came back', async () => {
    controller ??= await start()
    repository.commit({ 'healed/a.yaml': configMap('healed', 0, 'one') })
    await create('healed', { syncPolicy: { automated: { selfHeal: true } } })
    const value = async (): Promise<Json | undefined> => {
      const found = await client.get(configMaps, 'healed', { namespace }).catch(() => undefined)
      return found && getPath(found, 'data', 'value')
    }
    await eventually('synced', async () => (await value()) === 'one')
    await eventually('Synced', async () => (await read('healed')).status?.sync?.status === 'Synced')
    server.restart()
    // gone, and there again
    await eventually('gone', () =>
      client.version().then(
        () => false,
        () => true,
      ),
    )
    await eventually(
      'back',
      () =>
        client.version().then(
          () => true,
          () => false,
        ),
      60_000,
    )

    const data = { data: { value: 'by hand' } }
    await eventually('written', () =>
      client
        .patch(configMaps, 'healed', 'merge', data, { namespace, fieldManager: 'somebody' })
        .then(
          () => true,
          () => false,
        ),
    )
    await eventually('healed', async () => (await value()) === 'one', 60_000)
    // a new Application is seen as well
    repository.commit({ 'late/a.yaml': configMap('late', 0, 'one') })
    await create('late', { syncPolicy: { automated: {} } })
    await eventually('the new one synced', async () => (await made('late')).length === 1, 60_000)
    expect(await controller.kill('SIGTERM')).toBe(0)
    controller = undefined
  }, 180_000)
})
