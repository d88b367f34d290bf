import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Application, OperationState } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import { applications, appProjects } from '@litecd/k8s-adapter/argocd'
import { configMaps, type KubeClient } from '@litecd/k8s-adapter/client'
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
const rbac = (plural: string) => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  namespaced: true,
})

describe.skipIf(!canStartApiServer('impersonation'))('syncs as a service account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'litecd-impersonation-'))
  let client: KubeClient
  let controller: RunningController
  let argocd: string
  let namespace: string

  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' })

  beforeAll(async () => {
    git('init', '--quiet', '--initial-branch=main')
    mkdirSync(join(folder, 'app'))
    const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\n'
    writeFileSync(join(folder, 'app/conf.yaml'), manifest)
    git('add', '--all')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'start')
    const { kubeconfigPath } = await sharedApiServer()
    client = await sharedClient()
    await installCrds(client)
    argocd = await freshNamespace(client, 'argocd')
    namespace = await freshNamespace(client, 'app')
    const labels = { 'app.kubernetes.io/part-of': 'argocd' }
    const settings = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: argocd, labels },
      data: { 'application.sync.impersonation.enabled': 'true' },
    }
    await client.create(configMaps, settings, { namespace: argocd })
    for (const [name, accounts] of [
      ['weak', [{ server: '*', namespace: '*', defaultServiceAccount: 'weak' }]],
      ['strong', [{ server: '*', namespace: '*', defaultServiceAccount: 'strong' }]],
      ['nobody', []],
    ] as const) {
      const project = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name, namespace: argocd },
        spec: {
          sourceRepos: ['*'],
          destinations: [{ server: '*', namespace: '*' }],
          destinationServiceAccounts: accounts as unknown as JsonObject[],
        },
      }
      await client.create(appProjects, project, { namespace: argocd })
    }
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'conf', namespace },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
    }
    await client.create(rbac('roles'), role, { namespace })
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'conf', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'conf' },
      subjects: [{ kind: 'ServiceAccount', name: 'strong', namespace }],
    }
    await client.create(rbac('rolebindings'), binding, { namespace })
    const argv = ['--kubeconfig', kubeconfigPath, '--namespace', argocd]
    const more = ['--repo-cache', join(folder, '.cache'), '--loglevel', 'error']
    controller = await startController(parseOptions([...argv, ...more], {}), () => {})
  }, 120_000)

  afterAll(async () => {
    await controller?.stop()
    client?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What becomes of a sync of an Application in a project. */
  async function sync(project: string): Promise<OperationState> {
    const app = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: project, namespace: argocd },
      spec: {
        project,
        source: { repoURL: `file://${folder}`, path: 'app', targetRevision: 'main' },
        destination: { server, namespace },
      },
      operation: { sync: {} },
    }
    await client.create(applications, app, { namespace: argocd })
    return eventually(
      `${project} is through`,
      async () => {
        const got = await client.get(applications, project, { namespace: argocd })
        const state = (got as unknown as Application).status?.operationState
        return state !== undefined && state.phase !== 'Running' ? state : false
      },
      30_000,
    )
  }

  it('that may not do it: refused by the API server in its name', async () => {
    const { phase, syncResult } = await sync('weak')
    expect(phase).toBe('Failed')
    expect(syncResult?.resources?.[0]?.message).toContain(
      `User "system:serviceaccount:${namespace}:weak" cannot`,
    )
  }, 60_000)

  it('that may: done', async () => {
    const { phase } = await sync('strong')
    expect(phase).toBe('Succeeded')
    await client.get(configMaps, 'conf', { namespace })
  }, 60_000)

  it('that nobody has named: not done at all', async () => {
    const { phase, message } = await sync('nobody')
    expect(phase).toBe('Error')
    expect(message).toBe(
      `no matching service account found for destination server ${server} and namespace ${namespace}`,
    )
  }, 60_000)
})
