import { ClusterError } from '@litecd/core/errors'
import { getPath, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import type { KubeClient, WatchEvent, WatchOptions } from './client.ts'
import { retryAfterOf } from './failure.ts'
import type { ResourceRef } from './resource.ts'

export interface InformerOptions<T> {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly metadataOnly?: boolean
  /** What is kept of an object; undefined: nothing. Called once for every version seen. */
  readonly keep: (object: Manifest) => T | undefined
  /** After the store has changed; `before` and `now` are undefined for what was not and is not kept. */
  readonly onChange?: (change: Change<T>) => void
  /** A list or watch that failed and will be tried again after `delayMs`. */
  readonly onError?: (error: ClusterError, delayMs: number) => void
}

export interface Change<T> {
  readonly namespace: string
  readonly name: string
  readonly before: T | undefined
  readonly now: T | undefined
  /** False during the first load, when everything is new. */
  readonly synced: boolean
}

interface Stored<T> {
  readonly value: T | undefined
  readonly resourceVersion: string
  /** The load in which it was last seen; what a later load does not show is gone. */
  load: number
}

const firstDelayMs = 800 // client-go v0.36.1 tools/cache/reflector.go
const lastDelayMs = 30_000
const maxPatience = 10 // ours: how often a server may ask to wait before that is a failure
const calmMs = 120_000 // after so long without a failure the delay starts small again

function storeKey(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

function versionText(object: Manifest): string {
  const version = getPath(object, 'metadata', 'resourceVersion')
  return typeof version === 'string' ? version : ''
}

/** True when `a` is the older of two resourceVersions of one object; they are decimal numbers of any size. */
function older(a: string, b: string): boolean {
  return a.length !== b.length ? a.length < b.length : a < b
}

/**
 * The objects of one kind, kept up to date by a watch that resumes where it broke off and lists again only when the
 * server has forgotten that place (410). While it is broken the store keeps its last state: absent means deleted, never
 * "not known".
 */
export class Informer<T> {
  private readonly client: KubeClient
  private readonly resource: ResourceRef
  private readonly options: InformerOptions<T>
  private readonly store = new Map<string, Stored<T>>()
  private readonly stopper = new AbortController()
  private readonly ready: Promise<void>
  private markReady: () => void = () => {}
  private markFailed: (error: unknown) => void = () => {}
  private loads = 0
  private resourceVersion = ''
  private streams = true
  private lastError: ClusterError | undefined
  private isSynced = false
  private failed = false
  private patience = 0

  constructor(client: KubeClient, resource: ResourceRef, options: InformerOptions<T>) {
    this.client = client
    this.resource = resource
    this.options = options
    this.ready = new Promise((resolve, reject) => {
      this.markReady = resolve
      this.markFailed = (error) => {
        this.failed = true
        reject(error)
      }
    })
    this.ready.catch(() => {}) // whoever waits hears of it; nobody has to wait
    this.run().catch((error: unknown) => {
      this.markFailed(error)
      if (!this.stopper.signal.aborted) throw error
    })
  }

  /** True once everything that existed at the start is in the store. */
  get synced(): boolean {
    return this.isSynced
  }

  /** Why the watch is down at the moment; undefined while it runs. */
  get error(): ClusterError | undefined {
    return this.lastError
  }

  /** Settles with the first load. Throws the last error while there has been none, although the informer goes on trying. */
  async whenSynced(): Promise<void> {
    if (this.isSynced) return
    if (this.failed && this.lastError !== undefined) throw this.lastError
    await this.ready
  }

  get(namespace: string, name: string): T | undefined {
    return this.store.get(storeKey(namespace, name))?.value
  }

  /** True when the object exists, kept or not. */
  has(namespace: string, name: string): boolean {
    return this.store.has(storeKey(namespace, name))
  }

  *values(): Generator<T> {
    for (const { value } of this.store.values()) if (value !== undefined) yield value
  }

  /** Objects that exist, kept or not. */
  get size(): number {
    return this.store.size
  }

  /** Puts in what a write has answered, so that the next read sees it; an older state than the stored one is ignored. */
  put(object: Manifest): void {
    // An object that loses its last finalizer while it is being deleted is gone, and the watch may have said so before.
    const { deletionTimestamp, finalizers } = (object['metadata'] ?? {}) as JsonObject
    if (deletionTimestamp !== undefined && !(Array.isArray(finalizers) && finalizers.length > 0)) {
      return
    }
    const stored = this.store.get(storeKey(namespaceOf(object), nameOf(object)))
    // Of what is not there the watch has shown everything up to its place: a state before that has been deleted since.
    const seen = stored?.resourceVersion ?? this.resourceVersion
    if (seen !== '' && !older(seen, versionText(object))) return
    this.upsert(object)
  }

  stop(): void {
    this.stopper.abort(new Error('the informer was stopped'))
    this.markFailed(this.stopper.signal.reason)
  }

  private async run(): Promise<void> {
    const { signal } = this.stopper
    let delay = firstDelayMs
    let failedAt = 0
    for (;;) {
      try {
        if (this.resourceVersion === '') await this.load()
        else await this.follow({ resourceVersion: this.resourceVersion })
        this.lastError = undefined
      } catch (thrown) {
        if (signal.aborted) return
        if (!(thrown instanceof ClusterError)) throw thrown
        const error = thrown
        if (error.status === 410) {
          // Too far behind: list again, at once.
          this.resourceVersion = ''
          continue
        }
        if (this.streams && this.resourceVersion === '' && [400, 415, 422].includes(error.status)) {
          this.streams = false // a server that cannot stream a list
          continue
        }
        this.lastError = error
        // A server that is busy, or that is just getting a new kind ready, says when to come back: no failure yet.
        const asked = retryAfterOf(error)
        const busy = asked !== undefined && [429, 503].includes(error.status)
        if (!busy || ++this.patience > maxPatience) this.markFailed(error)
        if (Date.now() - failedAt > calmMs) delay = firstDelayMs
        failedAt = Date.now()
        const wait = asked ?? delay * (1 + Math.random())
        this.options.onError?.(error, wait)
        await this.sleep(wait)
        if (signal.aborted) return
        delay = Math.min(delay * 2, lastDelayMs)
      }
    }
  }

  /** Everything that exists: streamed where the server can, so that no list is ever held whole. */
  private async load(): Promise<void> {
    const load = ++this.loads
    if (this.streams) {
      try {
        return await this.follow({ sendInitialEvents: true })
      } catch (error) {
        // Whoever may not list is told so, rather than that he may not watch.
        if (error instanceof ClusterError && error.status === 403) {
          await this.client.pages(this.resource, { ...this.selection(), limit: 1 }).next()
        }
        throw error
      }
    }
    let resourceVersion = ''
    for await (const page of this.client.pages(this.resource, this.selection())) {
      for (const object of page.items) this.upsert(object)
      resourceVersion = page.resourceVersion
    }
    this.finishLoad(load, resourceVersion)
  }

  private async follow(options: WatchOptions): Promise<void> {
    const load = this.loads
    const events = this.client.watch(this.resource, {
      ...this.selection(),
      ...options,
      // Servers end watches after a random 30 to 60 minutes by themselves; ours ends earlier, and not all at once.
      timeoutSeconds: Math.ceil(300 + Math.random() * 300),
    })
    let loaded = !options.sendInitialEvents
    for await (const event of events) {
      if (loaded) this.lastError = undefined
      if (event.type === 'BOOKMARK' && event.initialEventsEnd) {
        this.finishLoad(load, event.resourceVersion)
        loaded = true
      } else this.apply(event, loaded)
    }
    // A stream that ends before its first bookmark has shown nothing that may be relied on.
    if (!loaded) {
      throw new ClusterError('CLUSTER_UNREACHABLE', 'the watch ended before its initial events', {
        retryable: true,
      })
    }
  }

  private apply(event: WatchEvent, loaded: boolean): void {
    if (event.type === 'BOOKMARK') this.resourceVersion = event.resourceVersion
    else {
      if (event.type === 'DELETED') this.remove(namespaceOf(event.object), nameOf(event.object))
      else this.upsert(event.object)
      if (loaded) this.resourceVersion = versionText(event.object)
    }
  }

  private selection(): WatchOptions {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = this.options
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(metadataOnly === undefined ? {} : { metadataOnly }),
      signal: this.stopper.signal,
    }
  }

  private upsert(object: Manifest): void {
    const namespace = namespaceOf(object)
    const name = nameOf(object)
    const key = storeKey(namespace, name)
    const resourceVersion = versionText(object)
    const old = this.store.get(key)
    if (old?.resourceVersion === resourceVersion) {
      old.load = this.loads
      return
    }
    const value = this.options.keep(object)
    this.store.set(key, { value, resourceVersion, load: this.loads })
    this.tell(namespace, name, old?.value, value)
  }

  private remove(namespace: string, name: string): void {
    const key = storeKey(namespace, name)
    const old = this.store.get(key)
    if (old === undefined) return
    this.store.delete(key)
    this.tell(namespace, name, old.value, undefined)
  }

  private finishLoad(load: number, resourceVersion: string): void {
    this.resourceVersion = resourceVersion
    for (const [key, stored] of this.store) {
      if (stored.load >= load) continue
      const slash = key.indexOf('/')
      this.remove(key.slice(0, slash), key.slice(slash + 1))
    }
    this.isSynced = true
    this.lastError = undefined
    this.markReady()
  }

  private tell(namespace: string, name: string, before: T | undefined, now: T | undefined): void {
    if (before === undefined && now === undefined) return
    this.options.onChange?.({ namespace, name, before, now, synced: this.isSynced })
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.stopper
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
    })
  }
}
