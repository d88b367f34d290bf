import type { Adapters, EventSink, ProviderReader, SourceFetcher } from '@litecd/core/adapters'
import type { AppsetSettings, ClusterFact } from '@litecd/core/appset'
import type { Application, AppProject } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import type { KnownCluster } from '@litecd/core/project'
import type { StoredSet } from '@litecd/k8s-adapter/argocd'
import type { Logger } from '../log/index.ts'

/** What the ApplicationSet loop sees of the world, and does to it. */
export interface ApplicationSetContext {
  readonly sets: {
    get(key: string): StoredSet | undefined
    patch(key: string, patch: JsonObject, subresource?: 'status'): Promise<void>
  }
  readonly argo: {
    application(key: string): Application | undefined
    applications(): Iterable<Application>
    project(name: string): AppProject | undefined
    clusters(): readonly KnownCluster[]
    clusterFacts(): readonly ClusterFact[]
    /** Projects that ask for signed commits get what they ask for. */
    verifiesCommits(): boolean
    /** Straight from the API server; undefined when it is gone. */
    read(key: string): Promise<Application | undefined>
    create(object: Manifest): Promise<unknown>
    patch(key: string, patch: JsonObject): Promise<unknown>
    remove(key: string): Promise<void>
  }
  readonly sources: SourceFetcher
  /** Hosts of repositories, plugins and other objects of the cluster; undefined: nobody can be asked. */
  readonly providers?: ProviderReader | undefined
  readonly events: EventSink
  readonly clock: Adapters['clock']
  readonly log: Logger
  readonly settings: () => AppsetSettings
  /** Puts a set in line again. */
  readonly again: (key: string, delayMs: number) => void
}
