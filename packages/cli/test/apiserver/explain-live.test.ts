import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configMaps, type KubeClient } from '@litecd/k8s-adapter/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  canStartApiServer,
  freshNamespace,
  sharedApiServer,
  sharedClient,
} from '../../../../test/apiserver/index.ts'
import { application, configMap, type TestRepository, testRepository } from '../repository.ts'

describe.skipIf(!canStartApiServer('explanations against a cluster'))(
  'litecd explain --live',
  () => {
    let client: KubeClient
    let repository: TestRepository
    let namespace: string
    let kubeconfig: string

    beforeAll(async () => {
      const server = await sharedApiServer()
      client = await sharedClient()
      namespace = await freshNamespace(client, 'explain')
      kubeconfig = join(mkdtempSync(join(tmpdir(), 'litecd-explain-')), 'kubeconfig')
      writeFileSync(
        kubeconfig,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'x',
          clusters: [
            { name: 'x', cluster: { server: server.url, 'insecure-skip-tls-verify': true } },
          ],
          users: [{ name: 'x', user: { token: server.token } }],
          contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        }),
      )
      const annotations = {
        'argocd.argoproj.io/tracking-id': `web:/ConfigMap:${namespace}/conf`,
      }
      await client.create(
        configMaps,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'conf', namespace, annotations },
          data: { a: 'by hand' },
        },
        { namespace, fieldManager: 'kubectl-edit' },
      )
      repository = testRepository()
      repository.write({
        'apps/web.yaml': application('web', 'web').replace(
          'namespace: web',
          `namespace: ${namespace}`,
        ),
        'web/conf.yaml': configMap('conf', { a: 'in git' }),
      })
      repository.commit('start')
    })

    afterAll(() => repository.remove())

    it('tells what differs, who owns the live value, and what made the wanted one', async () => {
      const { code, out } = await repository.litecd(
        'explain',
        'web',
        'ConfigMap/conf:data',
        '--live',
        '--kubeconfig',
        kubeconfig,
      )
      expect(code).toBe(0)
      expect(out).toContain(`v1 ConfigMap ${namespace}/conf  web/conf.yaml:1  OutOfSync`)
      expect(out).toMatch(
        / {4}~ data\.a: by hand → in git\n {6}live value set by kubectl-edit \(Update, [^)]*\)\n {6}← line 4\n/,
      )
    })
  },
)
