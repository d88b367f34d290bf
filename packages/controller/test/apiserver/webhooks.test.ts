import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@litecd/core/json'
import { annotationsOf, type Manifest, nameOf } from '@litecd/core/kube'
import { applicationSets, applications, appProjects } from '@litecd/k8s-adapter/argocd'
import { isNotFound, type KubeClient, secrets } from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  eventually,
  freshNamespace,
  installCrds,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { parseOptions } from '../../src/options/index.ts'
import { type RunningController, startController } from '../../src/start.ts'

const server = 'https://kubernetes.default.svc'
const repoURL = 'https://git.invalid/team/mono.git'
const secret = 'between us'
const setRefresh = 'argocd.argoproj.io/application-set-refresh'

describe.skipIf(!canStartApiServer('webhooks'))('on a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'litecd-webhooks-'))
  let client: KubeClient
  let controller: RunningController
  let argocd: string
  let kubeconfig: string

  const start = (...argv: string[]): Promise<RunningController> =>
    startController(
      parseOptions(
        [
          ...['--kubeconfig', kubeconfig, '--namespace', argocd],
          ...['--repo-cache', folder, '--loglevel', 'error', ...argv],
        ],
        {},
      ),
      () => {},
    )

  const applicationOf = (name: string, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: argocd, ...metadata },
    spec: {
      project: 'default',
      source: { repoURL, path: 'app', targetRevision: 'main' },
      destination: { server, namespace: argocd },
    },
  })

  async function createSet(name: string, spec: JsonObject): Promise<void> {
    const object = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name, namespace: argocd },
      spec,
    }
    await client.create(applicationSets, object, { namespace: argocd })
  }

  const template = (name: string, labels: JsonObject = {}): JsonObject => ({
    metadata: { name, labels },
    spec: applicationOf('x')['spec'] as JsonObject,
  })

  async function setNamed(name: string): Promise<Manifest | undefined> {
    try {
      return await client.get(applicationSets, name, { namespace: argocd })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  const appsOf = async (prefix: string): Promise<readonly Manifest[]> => {
    const { items } = await client.list(applications, { namespace: argocd })
    return items.filter((app) => nameOf(app).startsWith(prefix))
  }

  beforeAll(async () => {
    kubeconfig = (await sharedApiServer()).kubeconfigPath
    client = await sharedClient()
    await installCrds(client)
    argocd = await freshNamespace(client, 'argocd')
    const project = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: argocd },
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    }
    await client.create(appProjects, project, { namespace: argocd })
    const stored = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'argocd-secret', namespace: argocd },
      stringData: { 'webhook.github.secret': '$mine', mine: secret },
    }
    await client.create(secrets, stored, { namespace: argocd })
    controller = await start('--webhook-addr', '127.0.0.1:0', '--enable-progressive-syncs')
  }, 120_000)

  afterAll(async () => {
    await controller?.stop()
    client?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const push = async (files: readonly string[], key = secret): Promise<number> => {
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      repository: { html_url: 'https://git.invalid/team/mono', default_branch: 'main' },
      commits: [{ modified: files }],
    })
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const response = await fetch(`${controller.webhookUrl}/api/webhook`, {
      method: 'POST',
      headers: { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` },
      body,
    })
    return response.status
  }

  it('a push refreshes Applications and sets that it concerns', async () => {
    // left alone by the controller, so that the annotation stays to be seen
    const alone = { 'argocd.argoproj.io/skip-reconcile': 'true' }
    const paths = 'argocd.argoproj.io/manifest-generate-paths'
    for (const [name, annotations] of [
      ['hit', { ...alone, [paths]: '.' }],
      ['missed', { ...alone, [paths]: '/elsewhere' }],
    ] as const) {
      await client.create(applications, applicationOf(name, { annotations }), { namespace: argocd })
    }
    await createSet('git', {
      generators: [{ git: { repoURL, revision: 'main', directories: [{ path: '*' }] } }],
      template: template('git-{{path.basename}}'),
    })
    await eventually(
      'the set is seen',
      async () => (await setNamed('git'))?.['status'] !== undefined,
    )

    expect(await push(['app/x'], 'a guess')).toBe(400)
    expect(await push(['app/x'])).toBe(200)
    await eventually('the Application is asked for', async () => {
      const [app] = await appsOf('hit')
      return app !== undefined && annotationsOf(app)['argocd.argoproj.io/refresh'] === 'normal'
    })
    await eventually('the set is asked for', async () => {
      const set = await setNamed('git')
      return set !== undefined && annotationsOf(set)[setRefresh] === 'true'
    })
    const [missed] = await appsOf('missed')
    expect(annotationsOf(missed as Manifest)['argocd.argoproj.io/refresh']).toBeUndefined()
  }, 60_000)

  it('a set with deletionOrder Reverse takes its last step away first', async () => {
    const inStep = (value: string): JsonObject => ({
      matchExpressions: [{ key: 's', operator: 'In', values: [value] }],
    })
    await createSet('rev', {
      generators: [{ list: { elements: [{ s: '1' }, { s: '2' }] } }],
      strategy: {
        type: 'RollingSync',
        deletionOrder: 'Reverse',
        rollingSync: { steps: [inStep('1'), inStep('2')] },
      },
      template: template('rev-{{s}}', { s: '{{s}}' }),
      // a finalizer that is put on by hand stays
      syncPolicy: { applicationsSync: 'create-delete' },
    })
    await eventually('both are there', async () => (await appsOf('rev-')).length === 2)
    await eventually('the set is held', async () => {
      const metadata = (await setNamed('rev'))?.['metadata'] as JsonObject | undefined
      return JSON.stringify(metadata?.['finalizers'] ?? null).includes('resources-finalizer')
    })
    // as if the first step took long
    const held = { metadata: { finalizers: ['example.com/held'] } }
    await client.patch(applications, 'rev-2', 'merge', held, { namespace: argocd })
    await client.delete(applicationSets, 'rev', { namespace: argocd })
    await eventually('the last step goes', async () => {
      const app = (await appsOf('rev-2'))[0]
      return (app?.['metadata'] as JsonObject | undefined)?.['deletionTimestamp'] !== undefined
    })
    const [first] = await appsOf('rev-1')
    const { metadata } = first as unknown as { metadata: JsonObject }
    expect(metadata['deletionTimestamp']).toBeUndefined()
    await client.patch(
      applications,
      'rev-2',
      'merge',
      { metadata: { finalizers: null } },
      { namespace: argocd },
    )
    await eventually('all are gone', async () => (await appsOf('rev-')).length === 0, 40_000)
    await eventually('and the set', async () => (await setNamed('rev')) === undefined, 40_000)
  }, 120_000)

  it('a dry run of ApplicationSets writes nothing', async () => {
    await controller.stop()
    await createSet('dry', {
      generators: [{ list: { elements: [{ key: 'a' }] } }],
      template: template('dry-{{key}}'),
    })
    controller = await start('--applicationset-dry-run')
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(await appsOf('dry-')).toEqual([])
    expect((await setNamed('dry'))?.['status']).toBeUndefined()
    await controller.stop()
    controller = await start()
    await eventually('without it', async () => (await appsOf('dry-')).length === 1)
  }, 60_000)
})
