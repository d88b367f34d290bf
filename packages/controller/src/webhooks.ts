import { type ConcernedApplication, concernedApplications } from '@litecd/core/app'
import { concernsSet, type GeneratorFacts } from '@litecd/core/appset'
import { type Application, annotationRefresh, type WebhookEvent } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import { normalizeRepoUrl } from '@litecd/core/project'
import type { StoredSet } from '@litecd/k8s-adapter/argocd'
import type { Logger } from './log/index.ts'
import { annotationSetRefresh } from './loops/index.ts'
import { WorkQueue } from './queue/index.ts'

const maxRepositories = 1000
const annotationHydrate = 'argocd.argoproj.io/hydrate'

export interface WebhookOptions {
  readonly applications: () => Iterable<Application>
  readonly patchApplication: (key: string, patch: JsonObject) => Promise<unknown>
  readonly sets: () => Iterable<StoredSet>
  readonly patchSet: (key: string, patch: JsonObject) => Promise<void>
  readonly facts: () => GeneratorFacts
  readonly newGitFileGlobbing: () => boolean
  /** How late the refreshes of an event may come, and how many of them are never late. */
  readonly jitter: () => { readonly ms: number; readonly threshold: number }
  readonly workers: number
  readonly random: () => number
  readonly log: Logger
  readonly onError: (key: string, error: unknown) => void
}

/**
 * Turns events of git hosts and registries into refreshes: annotations on Applications and ApplicationSets, which their
 * loops then see.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go, util/argo/argo.go RefreshApp, applicationset/webhook/webhook.go
 */
export class Webhooks {
  private readonly options: WebhookOptions
  private readonly applications: WorkQueue
  private readonly sets: WorkQueue
  private readonly hydrations = new Set<string>()
  /** Events by repository, for metrics. */
  readonly requests: Map<string, number> = new Map()

  constructor(options: WebhookOptions) {
    this.options = options
    const { workers, onError, patchApplication, patchSet } = options
    this.applications = new WorkQueue({
      workers,
      onError,
      work: async (key) => {
        const hydrates = this.hydrations.has(key)
        const annotations = {
          [annotationRefresh]: 'normal',
          ...(hydrates ? { [annotationHydrate]: 'normal' } : {}),
        }
        await patchApplication(key, { metadata: { annotations } })
        if (hydrates) this.hydrations.delete(key)
      },
    })
    this.sets = new WorkQueue({
      workers: 4,
      onError,
      work: (key) =>
        patchSet(key, { metadata: { annotations: { [annotationSetRefresh]: 'true' } } }),
    })
    this.applications.start()
    this.sets.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.applications.stop(), this.sets.stop()])
  }

  take(event: WebhookEvent): void {
    if (event.kind === 'nothing') return
    const { log } = this.options
    if (event.kind === 'push' || event.kind === 'package') {
      const urls = event.kind === 'push' ? event.urls : [event.url]
      for (const url of urls) this.count(normalizeRepoUrl(url).replace(/^(\w+:\/\/)?[^/]*@/, '$1'))
      const count = this.refresh(concernedApplications(event, this.options.applications()))
      const revision = event.kind === 'push' ? event.revision : event.tag
      log.info('webhook', { kind: event.kind, revision, applications: count })
    }
    if (event.kind === 'push' || event.kind === 'pullRequest') this.refreshSets(event)
  }

  /** Anybody may name repositories where no secret is set: beyond a number of them they count together. */
  private count(repository: string): void {
    const known = this.requests.has(repository) || this.requests.size < maxRepositories
    const label = known ? repository : ''
    this.requests.set(label, (this.requests.get(label) ?? 0) + 1)
  }

  private refresh(concerned: Iterable<ConcernedApplication>): number {
    const { ms, threshold } = this.options.jitter()
    let count = 0
    for (const { application, hydrate } of concerned) {
      const { name, namespace = '' } = application.metadata
      const key = `${namespace}/${name}`
      if (hydrate) this.hydrations.add(key)
      count++
      this.applications.add(key, count > threshold ? Math.floor(ms * this.options.random()) : 0)
    }
    return count
  }

  private refreshSets(event: Parameters<typeof concernsSet>[1]): void {
    const { facts, log, newGitFileGlobbing, sets } = this.options
    const known = facts()
    const globbing = { newGitFileGlobbing: newGitFileGlobbing() }
    for (const { set } of sets()) {
      if (set === undefined || !concernsSet(set, event, known, globbing)) continue
      const key = `${set.metadata.namespace ?? ''}/${set.metadata.name}`
      log.info('webhook', { applicationset: key, event: event.kind })
      this.sets.add(key)
    }
  }
}
