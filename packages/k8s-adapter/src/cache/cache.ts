import type { LiveQuery, LiveRoot } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import { deepEqual } from '@litecd/core/json'
import { apiVersionOf, type GroupKind, type Manifest, type ResourceKey } from '@litecd/core/kube'
import {
  type ApiResource,
  type Change,
  Informer,
  isNotFound,
  type KubeClient,
} from '../client/index.ts'
import { type LiveSource, managedKinds, uidOf, withTargets } from '../cluster/index.ts'
import { isShown, type Kept, keptOf } from './kept.ts'
import { KeptStore } from './store.ts'

export interface CacheChange {
  readonly key: ResourceKey
  /** Tracking names of the Applications that it concerns: its own, or those of the roots above it. May be none. */
  readonly instances: readonly string[]
  /** True for an object without owners; false for something below a root. */
  readonly root: boolean
  readonly before: Manifest | undefined
  readonly now: Manifest | undefined
}

export interface CacheOptions {
  /** Tracking name of a live object from its labels and annotations. */
  readonly instanceOf: (live: Manifest) => string | undefined
  /** Stands for what `instanceOf` does, so that {@link ClusterCache.trackBy} can tell whether anything changes. */
  readonly tracking?: string
  /** Not called for what is there at the start, nor for changes of parts that are not kept. */
  readonly onChange?: (change: CacheChange) => void
  readonly onError?: (kind: GroupKind, error: ClusterError) => void
  /** Kinds to leave alone, by the settings. */
  readonly excludes?: (kind: GroupKind) => boolean
  /**
   * 'all' (the default): metadata of every kind is watched, so that tracked objects are found whatever their kind.
   * 'used': only kinds that were asked for, and what Applications usually have below their objects.
   */
  readonly kinds?: 'all' | 'used'
  /** What a kind that may not be listed does: 'fail' (the default) fails every question, 'drop' leaves the kind out. */
  readonly forbidden?: 'fail' | 'drop'
  /** The cluster's registered URL, for messages; that of the connection when absent. */
  readonly server?: string
}

interface Watch {
  readonly resource: ApiResource
  readonly whole: boolean
  readonly informer: Informer<Kept>
  /** Its objects are in the store. */
  active: boolean
}

/** Children of workloads, for summaries and resource trees. */
const usual: readonly GroupKind[] = [
  { group: '', kind: 'Pod' },
  { group: 'apps', kind: 'ReplicaSet' },
  { group: 'batch', kind: 'Job' },
]

const crd: GroupKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }
const apiService: GroupKind = { group: 'apiregistration.k8s.io', kind: 'APIService' }

/** Discovery follows a new CRD or APIService after a moment; it is asked again while that may still happen. */
const discoveryDelaysMs = [100, 500, 2000]

function nameOfKind({ group, kind }: GroupKind): string {
  return `${group}/${kind}`
}

/**
 * The live objects of one cluster, held by watches: whole objects that are tracked, of kinds in use; a trace of all
 * others, enough for owners, images and addresses. Kinds come into use by being asked for.
 *
 * Absent from the cache means absent from the cluster: questions wait for the first load of what they touch, and fail
 * with retryable ClusterErrors while it cannot be loaded.
 */
export class ClusterCache implements LiveSource {
  private readonly client: KubeClient
  private readonly options: CacheOptions
  private readonly store = new KeptStore()
  private readonly watches = new Map<string, Watch>()
  /** Switches to whole objects that are under way. */
  private readonly loading = new Map<string, Promise<void>>()
  private readonly dropped = new Set<string>()
  private used: ReadonlySet<string> = new Set()
  private instanceOf: (live: Manifest) => string | undefined
  private tracking: string | undefined
  private opened: Promise<void> | undefined
  private timers: NodeJS.Timeout[] = []
  private stopped = false

  constructor(client: KubeClient, options: CacheOptions) {
    this.client = client
    this.options = options
    this.instanceOf = options.instanceOf
    this.tracking = options.tracking
  }

  /** Starts the watches; settles when all kinds are loaded. Throws ClusterError; calling again tries again. */
  async start(): Promise<void> {
    this.opened ??= this.open()
    try {
      await this.opened
    } catch (error) {
      this.opened = undefined
      throw error
    }
    await this.loaded([...this.watches.values()])
  }

  /** Ends every watch. */
  stop(): void {
    this.stopped = true
    for (const timer of this.timers.splice(0)) clearTimeout(timer)
    for (const name of [...this.watches.keys()]) this.close(name)
  }

  /** Another way of tracking: everything is loaded anew, unless `tracking` stands for what is done already. */
  async trackBy(
    instanceOf: (live: Manifest) => string | undefined,
    tracking?: string,
  ): Promise<void> {
    if (tracking !== undefined && tracking === this.tracking) return
    this.instanceOf = instanceOf
    this.tracking = tracking
    const all = [...this.watches.values()]
    await Promise.all(all.map(({ resource, whole }) => this.open1(resource, whole)))
  }

  /** All kinds that some Application uses; of others only metadata is watched from now on, or nothing. */
  async retain(kinds: readonly GroupKind[]): Promise<void> {
    const wanted = new Set([...kinds, ...usual].map(nameOfKind))
    this.used = wanted
    const surplus = [...this.watches].filter(
      ([name, { whole, resource }]) => whole && !wanted.has(name) && !isShown(resource),
    )
    for (const [name, { resource }] of surplus) {
      if (this.options.kinds === 'used' && !this.isBasic(resource)) this.close(name)
      else await this.open1(resource, false)
    }
  }

  async managedLiveObjects(query: LiveQuery): Promise<readonly Manifest[]> {
    await this.start()
    await Promise.all(query.targets.map(({ key }) => this.use(key)))
    // What the metadata of a kind shows may be the first of its kind that anybody tracks.
    await Promise.all(this.store.roots(query.instance).map((root) => this.use(root)))
    const roots = this.store.roots(query.instance)
    const whole = roots.filter((root) => root.whole).map(({ object }) => object)
    const partial = roots
      .filter((root) => !root.whole)
      .map((root) => ({ key: root, apiVersion: root.object.apiVersion }))
    const targets = [...query.targets, ...partial]
    return withTargets(this.client, { ...query, targets }, whole, (key) => {
      const kept = this.store.get(key)
      if (kept !== undefined) return kept.whole ? kept.object : undefined
      return this.watches.get(nameOfKind(key))?.active ? 'absent' : undefined
    })
  }

  /** Below a root that nobody tracks too. Children are as far whole as summaries and trees need them. */
  async descendants(roots: readonly Manifest[]): Promise<readonly Manifest[]> {
    await this.start()
    const seen = new Set(roots.map(uidOf))
    const found: Manifest[] = []
    const queue: Kept[] = []
    for (const root of roots) queue.push(this.keep(root))
    for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
      for (const child of this.store.children(parent)) {
        if (seen.has(child.uid)) continue
        seen.add(child.uid)
        found.push(child.object)
        queue.push(child)
      }
    }
    return found
  }

  async topLevel(namespace: string): Promise<readonly LiveRoot[]> {
    await this.start()
    return this.store
      .rootsIn(namespace)
      .map(({ object, instance }) => ({ manifest: object, instance }))
  }

  /** What is held at a key, whole or not. */
  find(key: ResourceKey): Manifest | undefined {
    return this.store.get(key)?.object
  }

  /** What a write has answered, so that the next question sees it. An object that is gone is left to its watch. */
  wrote(key: ResourceKey, live: Manifest | undefined): void {
    const watch = this.watches.get(nameOfKind(key))
    const version = watch?.resource.version
    if (live === undefined || version === undefined) return
    // A write in another version than the watched one would look like a change of version.
    if (live.apiVersion === apiVersionOf(key.group, version)) watch?.informer.put(live)
  }

  /** Makes whole objects of a kind available; at once when they are already. */
  private async use(kind: GroupKind): Promise<void> {
    const name = nameOfKind(kind)
    const current = this.watches.get(name)
    if (current?.whole) {
      await this.loaded([current])
      return
    }
    const under = this.loading.get(name)
    if (under !== undefined) return under
    const work = this.load(kind, name).finally(() => this.loading.delete(name))
    this.loading.set(name, work)
    return work
  }

  private async load(kind: GroupKind, name: string): Promise<void> {
    const resource = this.watches.get(name)?.resource ?? (await this.client.discovery.find(kind))
    if (resource === undefined || !this.watchable(resource)) return
    await this.open1(resource, true)
  }

  private watchable(resource: ApiResource): boolean {
    return (
      !this.dropped.has(nameOfKind(resource)) &&
      this.options.excludes?.(resource) !== true &&
      managedKinds([resource], ['list', 'watch']).length > 0
    )
  }

  /** Kinds that are watched whether somebody asked for them or not. */
  private isBasic(kind: GroupKind): boolean {
    const name = nameOfKind(kind)
    return [...usual, crd, apiService].some((one) => nameOfKind(one) === name)
  }

  private async open(): Promise<void> {
    const surface = await this.client.discovery.surface()
    this.openMissing(surface.resources)
  }

  /** Watches for kinds that have none yet. A kind keeps its version while it is watched. */
  private openMissing(resources: readonly ApiResource[]): void {
    for (const resource of managedKinds(resources, ['list', 'watch'])) {
      const name = nameOfKind(resource)
      if (this.watches.has(name) || this.loading.has(name) || !this.watchable(resource)) continue
      if (this.options.kinds === 'used' && !this.isBasic(resource)) continue
      const whole = isShown(resource) || this.used.has(name)
      const watch = this.watch(resource, whole)
      watch.active = true
      this.watches.set(name, watch)
    }
  }

  /** A watch in place of the present one, which goes on until the new one is loaded. */
  private async open1(resource: ApiResource, whole: boolean): Promise<void> {
    const name = nameOfKind(resource)
    const watch = this.watch(resource, whole)
    try {
      await watch.informer.whenSynced()
    } catch (error) {
      watch.informer.stop()
      // The kind is not served any more, or not to us.
      if (isNotFound(error)) this.close(name)
      else if (!this.mayDrop(resource, error)) throw this.failed(resource, error)
      return
    }
    this.close(name)
    if (this.stopped) {
      watch.informer.stop()
      return
    }
    watch.active = true
    this.watches.set(name, watch)
    for (const kept of watch.informer.values()) this.store.add(kept)
  }

  private watch(resource: ApiResource, whole: boolean): Watch {
    const watch: Watch = {
      resource,
      whole,
      active: false,
      informer: new Informer<Kept>(this.client, resource, {
        metadataOnly: !whole,
        keep: (object) => this.keep(object, resource, whole),
        onChange: (change) => {
          if (watch.active) this.changed(change, resource)
        },
        onError: (error) => {
          this.options.onError?.(resource, error)
          if (error.status === 404) this.vanished(watch)
        },
      }),
    }
    return watch
  }

  private keep(object: Manifest, resource?: ApiResource, whole = true): Kept {
    const known = resource ?? this.watches.get(nameOfKind(groupKind(object)))?.resource
    const place = known ?? {
      ...groupKind(object),
      version: '',
      plural: '',
      namespaced: true,
      verbs: [],
      subresources: [],
    }
    const apiVersion =
      resource === undefined ? object.apiVersion : apiVersionOf(resource.group, resource.version)
    return keptOf(object, place, apiVersion, whole, this.instanceOf)
  }

  private changed(change: Change<Kept>, kind: GroupKind): void {
    const { before, now, synced } = change
    // Owners are looked up while both states are there: a child goes before or after its parent.
    const above = before === undefined ? [] : this.store.instancesAbove(before)
    if (before !== undefined) this.store.remove(before)
    if (now !== undefined) this.store.add(now)
    if (!synced) return
    const name = nameOfKind(kind)
    if (name === nameOfKind(crd) || name === nameOfKind(apiService)) this.surfaceChanged()
    if (before !== undefined && now !== undefined && sameShown(before, now)) return
    const instances = new Set([
      ...above,
      ...(now === undefined ? [] : this.store.instancesAbove(now)),
    ])
    const one = (now ?? before)!
    this.options.onChange?.({
      key: { group: one.group, kind: one.kind, namespace: one.namespace, name: one.name },
      instances: [...instances],
      root: this.store.isRoot(one),
      before: before?.object,
      now: now?.object,
    })
  }

  /** Kinds came or went: their watches follow, as soon as discovery knows. */
  private surfaceChanged(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer)
    this.timers = discoveryDelaysMs.map((delay) =>
      setTimeout(() => {
        this.client.discovery.refresh().then(
          ({ resources }) => {
            if (!this.stopped) this.openMissing(resources)
          },
          (error: unknown) => {
            if (error instanceof ClusterError) this.options.onError?.(crd, error)
            else throw error
          },
        )
      }, delay),
    )
    for (const timer of this.timers) timer.unref()
  }

  /** The kind is not served any more. */
  private vanished(watch: Watch): void {
    const name = nameOfKind(watch.resource)
    if (this.watches.get(name) === watch) this.close(name)
    else watch.informer.stop()
  }

  private close(name: string): void {
    const watch = this.watches.get(name)
    if (watch === undefined) return
    this.watches.delete(name)
    watch.informer.stop()
    for (const kept of watch.informer.values()) this.store.remove(kept)
  }

  private async loaded(watches: readonly Watch[]): Promise<void> {
    await Promise.all(
      watches.map(async (watch) => {
        try {
          await watch.informer.whenSynced()
        } catch (error) {
          // Closed while we waited: the kind is gone, or replaced by another watch.
          if (this.watches.get(nameOfKind(watch.resource)) !== watch && !this.stopped) return
          if (isNotFound(error) || this.mayDrop(watch.resource, error)) {
            this.close(nameOfKind(watch.resource))
          } else throw this.failed(watch.resource, error)
        }
      }),
    )
  }

  private mayDrop(kind: GroupKind, error: unknown): boolean {
    const refused = error instanceof ClusterError && [401, 403].includes(error.status)
    if (!refused || this.options.forbidden !== 'drop') return false
    this.dropped.add(nameOfKind(kind))
    return true
  }

  /** In the words of Argo CD's cache. Source: argo-cd v3.5.1 gitops-engine/pkg/cache/cluster.go. */
  private failed({ group, kind }: GroupKind, error: unknown): unknown {
    if (this.stopped) {
      return new ClusterError('CLUSTER_UNREACHABLE', 'the cache was stopped', { retryable: true })
    }
    if (!(error instanceof ClusterError)) return error
    const host = this.client.connection.server
    return new ClusterError(
      error.code,
      `failed to get cluster info for ${JSON.stringify(this.options.server ?? host)}: ` +
        `error synchronizing cache state : failed to sync cluster ${host}: ` +
        `failed to load initial state of resource ${group === '' ? kind : `${kind}.${group}`}: ` +
        `failed to list resources: ${error.message}`,
      { status: error.status, reason: error.reason, retryable: true, cause: error },
    )
  }
}

function groupKind(object: Manifest): GroupKind {
  const slash = object.apiVersion.indexOf('/')
  return { group: slash === -1 ? '' : object.apiVersion.slice(0, slash), kind: object.kind }
}

/** True when nothing that is kept has changed. A whole object always has another version. */
function sameShown(before: Kept, now: Kept): boolean {
  return (
    before.instance === now.instance &&
    deepEqual([...before.owners], [...now.owners]) &&
    deepEqual(before.object, now.object)
  )
}
