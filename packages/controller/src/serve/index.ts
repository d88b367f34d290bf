// serve: health and metrics over HTTP on the loopback.
// In: what is known of Applications and queues. Out: /healthz, /metrics, comparisons. Never: anything that changes something.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Application } from '@litecd/core/argo'
import { canonicalJson, type Json } from '@litecd/core/json'
import type { WorkQueue } from '../queue/index.ts'
import { escapeLabel } from './labels.ts'

export { GithubMetrics } from './github-metrics.ts'
export { type MeasuredSet, ReconcileTimes, setMetrics, webhookMetrics } from './set-metrics.ts'
export { listenForWebhooks, type WebhookServer } from './webhook.ts'
export type { WebhookSecrets } from './webhook-verify.ts'

export interface Served {
  readonly applications: () => Iterable<Application>
  readonly queues: { readonly [name: string]: WorkQueue }
  /** Lines of metrics that others keep. */
  readonly more?: () => readonly string[]
  /** The comparison of an Application by `namespace/name`; absent where none are kept. */
  readonly managedResources?: (key: string) => Json | undefined
  /** The namespace of an Application when a request names none. */
  readonly namespace: string
}

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Listens on 127.0.0.1; `port` 0 takes any. */
export async function serve(port: number, served: Served): Promise<Server> {
  const server = createServer((request, response) => {
    const target = request.url ?? '/'
    if (!URL.canParse(target, 'http://localhost')) {
      response.writeHead(400).end('no path\n')
      return
    }
    // names of Applications need no escapes, so a path that has some names none
    const { pathname: path, searchParams } = new URL(target, 'http://localhost')
    const managed = /^\/api\/v1\/applications\/([^/]+)\/managed-resources$/.exec(path)
    if (request.method !== 'GET') response.writeHead(405).end()
    else if (path === '/healthz') response.end('ok\n')
    else if (path === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4')
      response.end(metrics(served))
    } else if (managed?.[1] !== undefined && served.managedResources !== undefined) {
      const namespace = searchParams.get('appNamespace') ?? served.namespace
      answer(response, served.managedResources(`${namespace}/${managed[1]}`))
    } else response.writeHead(404).end('not found\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function answer(response: ServerResponse, value: Json | undefined): void {
  if (value === undefined) {
    response.writeHead(404).end('not found\n')
    return
  }
  response.setHeader('content-type', 'application/json')
  response.end(canonicalJson(value))
}

/** Prometheus text; names as Argo CD's where the meaning is the same. */
export function metrics({ applications, queues, more }: Served): string {
  const lines = [
    '# HELP argocd_app_info Information about application.',
    '# TYPE argocd_app_info gauge',
  ]
  for (const app of applications()) {
    const { destination, project, source, sources } = app.spec
    const labels = {
      namespace: app.metadata.namespace ?? '',
      name: app.metadata.name,
      project: project || 'default',
      repo: source?.repoURL ?? sources?.[0]?.repoURL ?? '',
      dest_server: destination.server ?? '',
      dest_namespace: destination.namespace ?? '',
      sync_status: app.status?.sync?.status ?? 'Unknown',
      health_status: app.status?.health?.status ?? 'Unknown',
      operation: app.operation === undefined ? '' : 'sync',
    }
    const text = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    lines.push(`argocd_app_info{${text.join(',')}} 1`)
  }
  lines.push('# HELP workqueue_depth Current depth of workqueue', '# TYPE workqueue_depth gauge')
  for (const [name, queue] of Object.entries(queues)) {
    lines.push(`workqueue_depth{name="${name}"} ${queue.depth}`)
  }
  lines.push(...(more?.() ?? []))
  const { rss } = process.memoryUsage()
  lines.push(
    '# HELP process_resident_memory_bytes Resident memory size in bytes.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${rss}`,
  )
  return lines.join('\n') + '\n'
}
