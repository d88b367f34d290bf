import type { SourceFetcher } from '@litecd/core/adapters'
import {
  type ApplicationSet,
  type AppsetSettings,
  asksForClusters,
  owningSetOf,
  readAppsetSettings,
  warningsOf,
} from '@litecd/core/appset'
import type { Application } from '@litecd/core/argo'
import { isLitecdError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { labelsOf, nameOf, namespaceOf } from '@litecd/core/kube'
import { ApplicationSetStore, type ArgoObjects, type StoredSet } from '@litecd/k8s-adapter/argocd'
import type { KubeClient } from '@litecd/k8s-adapter/client'
import { createEventSink } from '@litecd/k8s-adapter/events'
import type { ApiCall } from '@litecd/k8s-adapter/scm'
import type { Logger } from './log/index.ts'
import { ApplicationSetLoop } from './loops/index.ts'
import { WorkQueue } from './queue/index.ts'
import type { MeasuredSet } from './serve/index.ts'
import { concernsOwner, concernsSetItself } from './set-changes.ts'
import { setProviders } from './set-providers.ts'
import { dryWrites, realWrites } from './set-writes.ts'

export interface ApplicationSetsOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly argo: ArgoObjects
  readonly sources: SourceFetcher
  readonly log: Logger
  readonly onError: (key: string, error: unknown) => void
  /** Told of every look at a set, with its seconds. */
  readonly onLook?: (key: string, seconds: number) => void
  readonly onGone?: (key: string) => void
  /** Told of every exchange with a host of repositories that is to be counted. */
  readonly onCall?: (call: ApiCall) => void
}

/**
 * The changes of an Application's status are many; several of them make one look at the set. A set that takes long to look
 * at waits longer, so that a rollout of thousands leaves time for others.
 */
const leastDelayMs = 100
const mostDelayMs = 10_000
const delayPerLook = 4

/** Watches ApplicationSets and decides which of them are looked at when. */
export class ApplicationSets {
  readonly queue: WorkQueue
  private readonly store: ApplicationSetStore
  private readonly settings: AppsetSettings
  /** How long the last look at a set took. */
  private readonly lookMs = new Map<string, number>()
  private readonly log: Logger
  /** What was said about each set. */
  private readonly warned = new Map<string, string>()

  /** Settings are read once, as Argo CD's process does at its start: `argo` has to be synced. */
  constructor(options: ApplicationSetsOptions) {
    const { client, namespace, environment, argo, sources, log, onError } = options
    this.log = log
    this.settings = readAppsetSettings(argo.params(), environment)
    for (const problem of this.settings.problems) log.warn('setting not understood', { problem })
    this.store = new ApplicationSetStore({
      client,
      namespace,
      namespaces: this.settings.namespaces,
      onSet: (key, before, now) => {
        this.onSet(key, before, now)
        if (now !== undefined) return
        this.lookMs.delete(key)
        options.onGone?.(key)
      },
      onError: (error) => log.debug('ApplicationSets cannot be watched', { error: error.message }),
    })
    const writes = this.settings.dryRun ? dryWrites(client) : realWrites(argo, this.store)
    if (this.settings.dryRun) log.info('ApplicationSets are tried only: nothing is written', {})
    const loop: ApplicationSetLoop = new ApplicationSetLoop({
      sets: {
        get: (key) => this.store.get(key),
        patch: (key, patch, subresource) => writes.patchSet(key, patch, subresource),
      },
      argo: {
        application: (key) => argo.application(key),
        applications: () => argo.applications(),
        project: (name) => argo.project(name),
        clusters: () => argo.clusters(),
        clusterFacts: () => argo.clusterEntries().map(clusterFact),
        verifiesCommits: () => argo.settings().settings.verifiesCommits,
        read: (key) => argo.read(key),
        create: (object) => writes.create(object),
        patch: (key, patch) => writes.patch(key, patch),
        remove: (key) => writes.remove(key),
      },
      sources,
      providers: setProviders(options, this.settings),
      events: createEventSink({
        client,
        namespace,
        component: 'applicationset-controller',
        onError: (error) => log.warn('event not written', { error: error.message }),
      }),
      clock: { now: () => Date.now() },
      log,
      settings: () => this.settings,
      again: (key, delayMs) => this.queue.add(key, delayMs),
    })
    this.queue = new WorkQueue({
      workers: this.settings.workers,
      work: async (key) => {
        const start = performance.now()
        try {
          await loop.work(key)
        } finally {
          const took = performance.now() - start
          this.lookMs.set(key, took)
          options.onLook?.(key, took / 1000)
        }
      },
      onError,
    })
    this.store.whenSynced().then(
      () => log.info('watching ApplicationSets', { sets: [...this.store.values()].length }),
      (error: unknown) => {
        if (!isLitecdError(error)) throw error
        log.info('no ApplicationSets', { why: error.message })
      },
    )
    this.queue.start()
  }

  async stop(): Promise<void> {
    this.store.stop()
    await this.queue.stop()
  }

  get newGitFileGlobbing(): boolean {
    return this.settings.newGitFileGlobbing
  }

  values(): Iterable<StoredSet> {
    return this.store.values()
  }

  patch(key: string, patch: JsonObject): Promise<void> {
    return this.store.patch(key, patch)
  }

  /** What metrics tell of the sets. */
  *measured(): Generator<MeasuredSet> {
    for (const { manifest, set } of this.store.values()) {
      const status = set?.status
      const known = (status?.conditions ?? []).find(({ type }) => type === 'ResourcesUpToDate')
      yield {
        namespace: namespaceOf(manifest),
        name: nameOf(manifest),
        resourcesReason: known?.reason,
        applications: status?.resources?.length ?? 0,
        labels: labelsOf(manifest),
      }
    }
  }

  onApplication(before: Application | undefined, now: Application | undefined): void {
    if (before === undefined) return
    const owner = owningSetOf(now ?? before)
    if (owner === undefined) return
    const key = `${before.metadata.namespace}/${owner}`
    const { progressiveSyncs } = this.settings
    const why = now === undefined ? 'written' : concernsOwner(before, now, progressiveSyncs)
    if (why === 'written') this.queue.add(key)
    else if (why === 'progress' || this.isAwaited(key, before, now)) {
      const wanted = (this.lookMs.get(key) ?? 0) * delayPerLook
      this.queue.add(key, Math.min(Math.max(wanted, leastDelayMs), mostDelayMs))
    }
  }

  /** A comparison that changes nothing else counts while the set waits for the Application's sync to begin. */
  private isAwaited(set: string, before: Application, now: Application | undefined): boolean {
    if (!this.settings.progressiveSyncs) return false
    if (before.status?.reconciledAt === now?.status?.reconciledAt) return false
    return (this.store.get(set)?.set?.status?.applicationStatus ?? []).some(
      ({ application, status }) => application === before.metadata.name && status === 'Pending',
    )
  }

  onClusters(): void {
    for (const { set } of this.store.values()) {
      if (set === undefined || !asksForClusters(set.spec.generators)) continue
      this.queue.add(`${set.metadata.namespace}/${set.metadata.name}`)
    }
  }

  private concerns(before: StoredSet, now: StoredSet): boolean {
    return concernsSetItself(before.manifest, now.manifest, this.settings.progressiveSyncs)
  }

  private onSet(key: string, before: StoredSet | undefined, now: StoredSet | undefined): void {
    if (now === undefined) {
      this.queue.forget(key)
      this.warned.delete(key)
    } else if (before === undefined || this.concerns(before, now)) {
      this.queue.add(key)
      if (now.set !== undefined) this.warn(key, now.set)
    }
  }

  private warn(key: string, set: ApplicationSet): void {
    for (const { message, hint } of warningsOf(set)) {
      const known = this.warned.get(key)
      if (known === message) continue
      this.warned.set(key, message)
      this.log.warn('ApplicationSet', { applicationset: key, warning: message, hint })
    }
  }
}

export function clusterFact(entry: ReturnType<ArgoObjects['clusterEntries']>[number]): {
  readonly name: string
  readonly server: string
  readonly project: string
  readonly labels: { readonly [key: string]: string }
  readonly annotations: { readonly [key: string]: string }
} {
  const { name, server, project = '', labels, annotations } = entry
  return { name, server, project, labels, annotations }
}
