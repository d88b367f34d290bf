import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Application } from '@litecd/core/argo'
import { getPath, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { applications, appProjects } from '@litecd/k8s-adapter/argocd'
import { configMaps, isNotFound, type KubeClient } from '@litecd/k8s-adapter/client'
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

/** A git repository that the controller reaches by its file:// URL. */
class Repository {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'litecd-controller-'))

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main')
  }

  get url(): string {
    return `file://${this.folder}`
  }

  commit(files: { readonly [path: string]: string | null }): string {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path)
      mkdirSync(dirname(file), { recursive: true })
      if (content === null) rmSync(file)
      else writeFileSync(file, content)
    }
    this.git('add', '--all')
    this.git(
      '-c',
      'user.name=test',
      '-c',
      'user.email=test@example.com',
      'commit',
      '--quiet',
      '--message=change',
    )
    return this.git('rev-parse', 'HEAD').trim()
  }

  private git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' })
  }
}

const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "example.com/web:1"}]}
`

describe.skipIf(!canStartApiServer('the controller'))('the controller on a real API server', () => {
  const repository = new Repository()
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
    driver = await podDriver(client, { namespace })
    await client.create(
      appProjects,
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'default', namespace: argocd },
        spec: {
          sourceRepos: ['*'],
          destinations: [{ server: '*', namespace: '*' }],
          clusterResourceWhitelist: [{ group: '*', kind: '*' }],
        },
      },
      { namespace: argocd },
    )
    const options = parseOptions(
      [
        '--kubeconfig',
        kubeconfigPath,
        '--namespace',
        argocd,
        '--repo-cache',
        join(repository.folder, '.cache'),
        '--loglevel',
        'warn',
      ],
      { ARGOCD_SYNC_WAVE_DELAY: '0' },
    )
    controller = await startController(options, (line) => process.stderr.write(line))
  })

  afterAll(async () => {
    await controller?.stop()
    await driver?.stop()
    client?.close()
    rmSync(repository.folder, { recursive: true, force: true })
  })

  async function create(name: string, path: string, spec: JsonObject = {}): Promise<void> {
    await client.create(
      applications,
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name, namespace: argocd },
        spec: {
          project: 'default',
          source: { repoURL: repository.url, path, targetRevision: 'main' },
          destination: { server: 'https://kubernetes.default.svc', namespace },
          ...spec,
        },
      },
      { namespace: argocd },
    )
  }

  async function read(name: string): Promise<Application> {
    return (await client.get(applications, name, { namespace: argocd })) as unknown as Application
  }

  async function refresh(name: string): Promise<void> {
    const patch = { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } }
    await client.patch(applications, name, 'merge', patch, { namespace: argocd })
  }

  async function find(name: string): Promise<Manifest | undefined> {
    try {
      return await client.get(configMaps, name, { namespace })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  it('brings an automated Application to Synced and Healthy and writes its whole status', async () => {
    const commit = repository.commit({
      'web/deployment.yaml': deployment,
      'web/config.yaml': configMap('settings', 'one'),
    })
    await create('web', 'web', { syncPolicy: { automated: { prune: true, selfHeal: true } } })
    const app = await eventually(
      'Synced and Healthy',
      async () => {
        const now = await read('web')
        const { status } = now
        return (
          status?.sync?.status === 'Synced' &&
          status.health?.status === 'Healthy' &&
          status.operationState?.phase === 'Succeeded' &&
          now
        )
      },
      40_000,
    )
    const { status } = app
    expect(status).toMatchObject({
      sync: { revision: commit, comparedTo: { source: { path: 'web' } } },
      sourceType: 'Directory',
      controllerNamespace: argocd,
      resources: [
        { kind: 'ConfigMap', name: 'settings', namespace, status: 'Synced', version: 'v1' },
        {
          group: 'apps',
          kind: 'Deployment',
          name: 'web',
          namespace,
          status: 'Synced',
          version: 'v1',
        },
      ],
      history: [{ id: 0, revision: commit, initiatedBy: { automated: true } }],
      operationState: { phase: 'Succeeded', message: 'successfully synced (all tasks run)' },
    })
    expect(status?.reconciledAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(app.operation).toBeUndefined()
  }, 60_000)

  it('sees drift and heals it', async () => {
    const patch = { data: { value: 'by hand' } }
    await client.patch(configMaps, 'settings', 'merge', patch, { namespace })
    await eventually(
      'healed',
      async () => {
        const live = await find('settings')
        return live !== undefined && getPath(live, 'data', 'value') === 'one'
      },
      30_000,
    )
  }, 45_000)

  it('prunes what git no longer holds', async () => {
    repository.commit({ 'web/config.yaml': null, 'web/other.yaml': configMap('other', 'two') })
    await refresh('web')
    await eventually(
      'pruned',
      async () => {
        return (await find('settings')) === undefined && (await find('other')) !== undefined
      },
      30_000,
    )
  }, 45_000)

  it('only reports drift without automated sync', async () => {
    repository.commit({ 'manual/config.yaml': configMap('manual', 'one') })
    await create('manual', 'manual')
    await eventually(
      'OutOfSync',
      async () => (await read('manual')).status?.sync?.status === 'OutOfSync',
    )
    expect(await find('manual')).toBeUndefined()
  }, 30_000)

  it('says what is broken in one Application and goes on with the others', async () => {
    repository.commit({ 'broken/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n' })
    await create('broken', 'broken')
    const app = await eventually('a condition', async () => {
      const now = await read('broken')
      return (now.status?.conditions?.length ?? 0) > 0 && now
    })
    expect(app.status?.conditions?.[0]).toMatchObject({
      type: 'ComparisonError',
      message: expect.stringContaining(
        'yaml: line 2: did not find expected node content',
      ) as string,
    })
    expect((await read('web')).status?.sync?.status).toBe('Synced')
  }, 30_000)

  it('takes its objects along when it is deleted with the finalizer', async () => {
    const patch = { metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] } }
    await client.patch(applications, 'web', 'merge', patch, { namespace: argocd })
    await client.delete(applications, 'web', { namespace: argocd })
    await eventually('gone', async () => (await find('other')) === undefined, 40_000)
  }, 60_000)
})
