import { get } from 'node:http'
import type { Application } from '@litecd/core/argo'
import { expect, it } from 'vitest'
import { WorkQueue } from '../queue/index.ts'
import { metrics, serve } from './index.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: {
    project: '',
    source: { repoURL: 'https://user:a@hidden-word@git.example.com/x.git' },
    destination: { server: 'https://kubernetes.default.svc' },
  },
  status: { sync: { status: 'Synced' }, health: { status: 'Healthy' } },
}
const served = {
  namespace: 'argocd',
  applications: () => [app],
  queues: {
    comparison: new WorkQueue({ workers: 1, work: async () => {}, onError: () => {} }),
  },
}

it('tells one line an Application, without credentials', () => {
  const text = metrics(served)
  expect(text).toContain('sync_status="Synced",health_status="Healthy"')
  expect(text).toContain('project="default"')
  expect(text).toContain('workqueue_depth{name="comparison"} 0')
  expect(text).not.toContain('hidden-word')
})

it('answers on the loopback and nothing else', async () => {
  const server = await serve(0, served)
  try {
    expect(await (await fetch(`${server.url}/healthz`)).text()).toBe('ok\n')
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404)
    expect((await fetch(`${server.url}/healthz`, { method: 'POST' })).status).toBe(405)
    // fetch would not send a path that is none
    const status = await new Promise((resolve, reject) => {
      get(`${server.url}`, { path: '//' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).once('error', reject)
    })
    expect(status).toBe(400)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

it('tells comparisons only where they are kept, by name and namespace', async () => {
  const kept = await serve(0, {
    ...served,
    managedResources: (key) => (key === 'argocd/web' ? { items: [] } : undefined),
  })
  const none = await serve(0, served)
  const path = '/api/v1/applications/web/managed-resources'
  try {
    expect(await (await fetch(kept.url + path)).text()).toBe('{"items":[]}')
    expect((await fetch(`${kept.url}${path}?appNamespace=team`)).status).toBe(404)
    expect((await fetch(`${kept.url}/api/v1/applications/%ff/managed-resources`)).status).toBe(404)
    expect((await fetch(none.url + path)).status).toBe(404)
  } finally {
    await Promise.all([kept.stop(), none.stop()])
  }
})
