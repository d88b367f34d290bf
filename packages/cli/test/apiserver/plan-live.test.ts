import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPath } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { configMaps, type KubeClient } from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ApiProxy,
  canStartApiServer,
  freshNamespace,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { application, configMap, type TestRepository, testRepository } from '../repository.ts'

function deployment(selector: string): string {
  return (
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n' +
    `spec: {replicas: 0, selector: {matchLabels: {app: ${selector}}}, template: {metadata: {labels: {app: ${selector}}}, ` +
    "spec: {containers: [{name: web, image: 'registry.example.com/web:1'}]}}}\n"
  )
}

describe.skipIf(!canStartApiServer('plans against a cluster'))('litecd plan --live', () => {
  let client: KubeClient
  let proxy: ApiProxy
  let repository: TestRepository
  let namespace: string
  let kubeconfig: string

  beforeAll(async () => {
    const server = await sharedApiServer()
    client = await sharedClient()
    namespace = await freshNamespace(client, 'plan')
    proxy = new ApiProxy(server, { ownerOf: () => 'plan' })
    kubeconfig = join(mkdtempSync(join(tmpdir(), 'litecd-plan-')), 'kubeconfig')
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'plan',
        clusters: [{ name: 'plan', cluster: { server: await proxy.listen() } }],
        users: [{ name: 'plan', user: { token: server.token } }],
        contexts: [{ name: 'plan', context: { cluster: 'plan', user: 'plan' } }],
      }),
    )
    const tracked = (group: string, kind: string, name: string): Manifest['metadata'] => ({
      name,
      namespace,
      annotations: {
        'argocd.argoproj.io/tracking-id': `plan-live:${group}/${kind}:${namespace}/${name}`,
      },
    })
    await client.create(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: tracked('', 'ConfigMap', 'old')! },
      { namespace },
    )
    const resource = (await client.discovery.find({ group: 'apps', kind: 'Deployment' }, 'v1'))!
    await client.create(
      resource,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: tracked('apps', 'Deployment', 'web')!,
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] },
          },
        },
      },
      { namespace },
    )
    repository = testRepository()
    repository.write({
      'web.yaml': application(
        'plan-live',
        'web',
        '  syncPolicy: {automated: {prune: true}}\n',
      ).replace('namespace: plan-live', `namespace: ${namespace}`),
      'elsewhere.yaml': application('elsewhere', 'web').replace(
        'https://kubernetes.default.svc',
        'https://other.example.com',
      ),
      'web/a.yaml': configMap('a'),
      'web/deployment.yaml': deployment('other'),
      'web/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 99999}]}\n',
    })
    repository.commit('start')
  })

  afterAll(() => {
    proxy?.close()
    client?.close()
    repository?.remove()
  })

  it('reads, tries writes, and changes nothing', async () => {
    const state = async (): Promise<readonly string[]> => {
      const maps = await client.list(configMaps, { namespace })
      const resource = (await client.discovery.find({ group: 'apps', kind: 'Deployment' }, 'v1'))!
      const sets = await client.list(resource, { namespace })
      return [...maps.items, ...sets.items]
        .filter((object) => getPath(object, 'metadata', 'name') !== 'kube-root-ca.crt')
        .map(
          (object) =>
            `${getPath(object, 'metadata', 'name')} ${getPath(object, 'metadata', 'generation') ?? 0}`,
        )
    }
    const before = await state()
    const { code, out, err } = await repository.litecd(
      'plan',
      '--live',
      '--kubeconfig',
      kubeconfig,
      '-o',
      'json',
    )
    expect(err).toBe('')
    expect(code).toBe(3)
    const { applications, remarks, against } = JSON.parse(out) as {
      against: string
      remarks: { message: string }[]
      applications: {
        name: string
        plan: {
          verdict: string
          refusals: { reason: string; message: string; key: { kind: string } }[]
          steps: {
            tasks: { verb: string; key: { kind: string; name: string }; refusal?: string }[]
          }[]
        }
      }[]
    }
    expect(against).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(remarks).toContainEqual(
      expect.objectContaining({
        message: 'not planned, because they go to other clusters: elsewhere',
      }),
    )
    expect(applications.map(({ name }) => name)).toEqual(['plan-live'])
    const { plan } = applications[0]!
    expect(plan.verdict).toBe('fails')
    expect(
      plan.steps.flatMap(({ tasks }) =>
        tasks.map(
          ({ verb, key, refusal }) =>
            `${verb} ${key.kind} ${key.name}${refusal === undefined ? '' : ' refused'}`,
        ),
      ),
    ).toEqual([
      'prune ConfigMap old',
      'create ConfigMap a',
      'create Service web refused',
      'change Deployment web refused',
    ])
    const said = (kind: string): string =>
      plan.refusals.find(({ key }) => key.kind === kind)!.message
    expect(plan.refusals.map(({ reason }) => reason)).toEqual(['server', 'server'])
    expect(said('Service')).toContain('spec.ports[0].port: Invalid value: 99999')
    expect(said('Deployment')).toContain('field is immutable')

    const calls = proxy.calls.get('plan') ?? []
    expect(calls.length).toBeGreaterThan(10)
    expect(calls.filter(({ method, dryRun }) => method !== 'GET' && !dryRun)).toEqual([])
    expect(calls.some(({ dryRun }) => dryRun)).toBe(true)
    expect(await state()).toEqual(before)
  })

  it('says what is wrong with the kubeconfig', async () => {
    expect(await repository.litecd('plan', '--live', '--kubeconfig', 'nowhere')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--live: '),
    })
    expect(await repository.litecd('plan', '--live', '--live-objects', 'live.yaml')).toMatchObject({
      code: 2,
    })
  })
})
