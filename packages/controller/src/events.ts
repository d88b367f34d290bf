import type { EventSink, LitecdEvent } from '@litecd/core/adapters'
import { getPath } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { coreEvents, type KubeClient } from '@litecd/k8s-adapter/client'
import type { Logger } from './log/index.ts'

/** Events about Applications as core/v1 Events, written as Argo CD writes them. */
export class KubernetesEvents implements EventSink {
  private readonly client: KubeClient
  private readonly log: Logger

  constructor(client: KubeClient, log: Logger) {
    this.client = client
    this.log = log
  }

  emit(regarding: Manifest, event: LitecdEvent): void {
    const namespace = namespaceOf(regarding)
    const now = new Date()
    const time = now.toISOString().replace(/\.\d+Z$/, 'Z')
    const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1e6))
    const text = (...path: string[]): string => {
      const value = getPath(regarding, ...path)
      return typeof value === 'string' ? value : ''
    }
    this.client
      .create(
        coreEvents,
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: {
            name: `${nameOf(regarding)}.${nanoseconds.toString(16)}`,
            namespace,
            annotations: {
              'dest-server': text('spec', 'destination', 'server'),
              'dest-namespace': text('spec', 'destination', 'namespace'),
            },
          },
          source: { component: 'argocd-application-controller' },
          involvedObject: {
            apiVersion: regarding.apiVersion,
            kind: regarding.kind,
            name: nameOf(regarding),
            namespace,
            resourceVersion: text('metadata', 'resourceVersion'),
            uid: text('metadata', 'uid'),
          },
          firstTimestamp: time,
          lastTimestamp: time,
          count: 1,
          message: event.message,
          type: event.type,
          reason: event.reason,
        },
        { namespace },
      )
      .catch((error: unknown) =>
        this.log.warn('event not written', { error: String((error as Error).message) }),
      )
  }
}
