import { parseGoDuration } from '@litecd/core/text'
import { type ArgoObjects, providerObjects } from '@litecd/k8s-adapter/argocd'
import type { KubeClient } from '@litecd/k8s-adapter/client'
import type { Logger } from './log/index.ts'
import type { Options } from './options/index.ts'
import { listenForWebhooks, type WebhookServer } from './serve/index.ts'
import { type ApplicationSets, clusterFact } from './sets.ts'
import { webhookSecrets } from './webhook-secrets.ts'
import { Webhooks } from './webhooks.ts'

export interface RunningWebhooks {
  readonly url: string
  /** Events by repository. */
  readonly requests: ReadonlyMap<string, number>
  stop(): Promise<void>
}

const defaultPayloadMb = 50 // argo-cd v3.5.1 util/settings/settings.go defaultMaxWebhookPayloadSize
const defaultThreshold = 10

/** Listens for webhooks and refreshes what they concern. */
export async function startWebhooks(
  place: NonNullable<Options['webhook']>,
  {
    argo,
    client,
    namespace,
    workers,
    sets,
    log,
    onError,
  }: {
    readonly argo: ArgoObjects
    readonly client: KubeClient
    readonly namespace: string
    readonly workers: number
    /** Undefined where ApplicationSets are left to others. */
    readonly sets: () => ApplicationSets | undefined
    readonly log: Logger
    readonly onError: (key: string, error: unknown) => void
  },
): Promise<RunningWebhooks> {
  const setting = (key: string): string => argo.configuration()[`webhook.${key}`] ?? ''
  const count = (key: string, fallback: number): number =>
    /^\d{1,9}$/.test(setting(key)) ? Number(setting(key)) : fallback
  const webhooks = new Webhooks({
    applications: () => argo.applications(),
    patchApplication: (key, patch) => argo.patch(key, patch),
    sets: () => sets()?.values() ?? [],
    patchSet: async (key, patch) => sets()?.patch(key, patch),
    facts: () => ({ clusters: argo.clusterEntries().map(clusterFact), tree: () => undefined }),
    newGitFileGlobbing: () => sets()?.newGitFileGlobbing ?? false,
    jitter: () => ({
      ms: Number(parseGoDuration(setting('refresh.jitter')) ?? 0n) / 1e6,
      threshold: count('refresh.jitter.threshold', defaultThreshold),
    }),
    workers,
    random: Math.random,
    log,
    onError,
  })
  const server: WebhookServer = await listenForWebhooks({
    ...place,
    secrets: webhookSecrets(providerObjects(client).secret, namespace, Date.now),
    maxPayloadMb: () => count('maxPayloadSizeMB', defaultPayloadMb) || defaultPayloadMb,
    onEvent: (event) => webhooks.take(event),
    onRefused: (why) => log.info('webhook refused', { why }),
  })
  log.info('listening for webhooks', { url: `${server.url}/api/webhook` })
  return {
    url: server.url,
    requests: webhooks.requests,
    stop: async () => {
      await server.stop()
      await webhooks.stop()
    },
  }
}
