import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ApplicationSetStatus } from '@litecd/core/appset'
import { getPath, type JsonObject } from '@litecd/core/json'
import { labelsOf, type Manifest, nameOf } from '@litecd/core/kube'
import { applicationSets, applications, appProjects } from '@litecd/k8s-adapter/argocd'
import { coreEvents, type KubeClient, secrets } from '@litecd/k8s-adapter/client'
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

describe.skipIf(!canStartApiServer('ApplicationSets'))(
  'ApplicationSets on a real API server',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'litecd-sets-'))
    let client: KubeClient
    let controller: RunningController
    let argocd: string

    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: folder, encoding: 'utf8' })

    function commit(...paths: readonly string[]): void {
      for (const path of paths) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), 'x')
      }
      git('add', '--all')
      git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'change')
    }

    const templateOf = (name: string): JsonObject => ({
      metadata: { name },
      spec: {
        project: 'default',
        source: { repoURL: `file://${folder}`, path: 'app', targetRevision: 'main' },
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

    async function patchSet(name: string, patch: JsonObject): Promise<void> {
      await client.patch(applicationSets, name, 'merge', patch, { namespace: argocd })
    }

    async function statusOf(name: string): Promise<ApplicationSetStatus> {
      const set = await client.get(applicationSets, name, { namespace: argocd })
      return (set['status'] ?? {}) as unknown as ApplicationSetStatus
    }

    async function appsOf(set: string): Promise<readonly Manifest[]> {
      const { items } = await client.list(applications, { namespace: argocd })
      return items.filter((app) => nameOf(app).startsWith(`${set}-`))
    }

    const namesOf = async (set: string): Promise<string> =>
      (await appsOf(set)).map(nameOf).sort().join(' ')

    const names = (set: string, wanted: string): Promise<unknown> =>
      eventually(wanted, async () => (await namesOf(set)) === wanted, 20_000)

    beforeAll(async () => {
      git('init', '--quiet', '--initial-branch=main')
      commit('app/a.yaml', 'svc/web/x', 'svc/db/x')
      const { kubeconfigPath } = await sharedApiServer()
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
      const argv = ['--kubeconfig', kubeconfigPath, '--namespace', argocd]
      const cache = ['--repo-cache', join(folder, '..', `${argocd}-cache`), '--loglevel', 'error']
      controller = await startController(parseOptions([...argv, ...cache], {}), () => {})
    }, 120_000)

    afterAll(async () => {
      await controller?.stop()
      client?.close()
      rmSync(folder, { recursive: true, force: true })
      rmSync(join(folder, '..', `${argocd}-cache`), { recursive: true, force: true })
    })

    it('generates from the folders of a repository, and anew when it is told to', async () => {
      await createSet('git', {
        generators: [
          {
            git: {
              repoURL: `file://${folder}`,
              revision: 'main',
              directories: [{ path: 'svc/*' }],
            },
          },
        ],
        template: templateOf('git-{{path.basename}}'),
      })
      await names('git', 'git-db git-web')
      const { conditions, health, resourcesCount } = await eventually('a status', async () => {
        const status = await statusOf('git')
        return status.resourcesCount === 2 && status
      })
      expect(health?.['status']).toBe('Healthy')
      expect(resourcesCount).toBe(2)
      expect(conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
        'ErrorOccurred False',
        'ParametersGenerated True',
        'ResourcesUpToDate True',
      ])
      const [first] = await appsOf('git')
      expect(getPath(first ?? null, 'metadata', 'ownerReferences')).toMatchObject([
        { kind: 'ApplicationSet', name: 'git', controller: true, blockOwnerDeletion: true },
      ])
      commit('svc/api/x')
      const refresh = 'argocd.argoproj.io/application-set-refresh'
      await patchSet('git', { metadata: { annotations: { [refresh]: 'true' } } })
      await names('git', 'git-api git-db git-web')
      // events are written after what they tell of
      const said = await eventually('an event', async () => {
        const { items } = await client.list(coreEvents, { namespace: argocd })
        const found = items.filter((event) => event['message'] === 'created Application "git-api"')
        return found.length > 0 && found
      })
      expect(said).toMatchObject([
        { reason: 'created', source: { component: 'applicationset-controller' } },
      ])
    }, 60_000)

    it('follows cluster Secrets', async () => {
      await createSet('cl', {
        generators: [{ clusters: { selector: { matchLabels: { tier: 'far' } } } }],
        template: { ...templateOf('cl-{{name}}') },
      })
      await eventually('a status', async () => (await statusOf('cl')).conditions !== undefined)
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: 'far',
          namespace: argocd,
          labels: { 'argocd.argoproj.io/secret-type': 'cluster', tier: 'far' },
        },
        stringData: { name: 'far', server: 'https://far.example.com', config: '{}' },
      }
      await client.create(secrets, secret, { namespace: argocd })
      await names('cl', 'cl-far')
      await client.delete(secrets, 'far', { namespace: argocd })
      await names('cl', '')
    }, 60_000)

    it('takes edits by hand back and makes deleted Applications again', async () => {
      await createSet('edit', {
        generators: [{ list: { elements: [{ key: 'a' }] } }],
        template: templateOf('edit-{{key}}'),
      })
      await names('edit', 'edit-a')
      const place = { namespace: argocd }
      const label = { metadata: { labels: { mine: 'x' } }, spec: { source: { path: 'other' } } }
      await client.patch(applications, 'edit-a', 'merge', label, place)
      await eventually('reverted', async () => {
        const app = await client.get(applications, 'edit-a', place)
        const { source } = app['spec'] as { source: JsonObject }
        return labelsOf(app)['mine'] === undefined && source['path'] === 'app'
      })
      const before = await client.get(applications, 'edit-a', place)
      await client.delete(applications, 'edit-a', place)
      await eventually('made again', async () => {
        const [app] = await appsOf('edit')
        const uid = getPath(app ?? null, 'metadata', 'uid')
        return uid !== undefined && uid !== getPath(before, 'metadata', 'uid')
      })
    }, 60_000)

    it('changes nothing when a generator cannot be asked', async () => {
      await createSet('part', {
        generators: [{ list: { elements: [{ key: 'a' }] } }],
        template: templateOf('part-{{key}}'),
      })
      await names('part', 'part-a')
      await patchSet('part', {
        spec: { generators: [{ list: { elements: [] } }, { plugin: { configMapRef: {} } }] },
      })
      const { conditions } = await eventually('an error', async () => {
        const status = await statusOf('part')
        return status.health?.['status'] === 'Degraded' && status
      })
      expect(conditions?.[0]?.message).toContain('error getting plugin from generator')
      expect(await namesOf('part')).toBe('part-a')
    }, 60_000)
  },
)
