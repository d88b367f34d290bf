import { type ApplicationSet, readApplicationSet } from '@litecd/core/appset'
import { isLitecdError } from '@litecd/core/errors'
import { deletePath, type JsonObject } from '@litecd/core/json'
import { type Manifest, nameOf, namespaceOf } from '@litecd/core/kube'
import { matchesNamespaceList } from '@litecd/core/project'
import { Informer, isNotFound, type KubeClient } from '../client/index.ts'
import { applicationSets } from './resources.ts'

export interface ApplicationSetStoreOptions {
  readonly client: KubeClient
  /** The installation's namespace; sets in it always count. */
  readonly namespace: string
  /** Other namespaces that may hold sets: globs, or /regular expressions/. */
  readonly namespaces: readonly string[]
  /** Also called for what exists at the start. `key` is `namespace/name`. */
  readonly onSet: (key: string, before: StoredSet | undefined, now: StoredSet | undefined) => void
  /** A watch that is down and will be tried again. */
  readonly onError?: (error: Error) => void
}

/** A set as the cluster holds it; `set` is undefined where it does not have the shape of one. */
export interface StoredSet {
  readonly manifest: Manifest
  readonly set: ApplicationSet | undefined
  /** Why there is no `set`. */
  readonly problem: string | undefined
}

/** ApplicationSets of the home cluster, watched, and the writes that their controller does. */
export class ApplicationSetStore {
  private readonly options: ApplicationSetStoreOptions
  private readonly informer: Informer<StoredSet>

  constructor(options: ApplicationSetStoreOptions) {
    this.options = options
    const { client, namespace, namespaces, onSet, onError } = options
    this.informer = new Informer(client, applicationSets, {
      ...(namespaces.length > 0 ? {} : { namespace }),
      keep: (object) => (this.isAllowed(namespaceOf(object)) ? storedOf(object) : undefined),
      onChange: ({ namespace: place, name, before, now }) => {
        if (before !== undefined || now !== undefined) onSet(`${place}/${name}`, before, now)
      },
      ...(onError === undefined ? {} : { onError }),
    })
  }

  /** Throws ClusterError when sets may not be listed, or their kind is not there; it is tried again all the same. */
  whenSynced(): Promise<void> {
    return this.informer.whenSynced()
  }

  stop(): void {
    this.informer.stop()
  }

  /** By `namespace/name`. */
  get(key: string): StoredSet | undefined {
    const slash = key.indexOf('/')
    return this.informer.get(key.slice(0, slash), key.slice(slash + 1))
  }

  values(): Iterable<StoredSet> {
    return this.informer.values()
  }

  /** JSON merge patch of the object, or of its status alone; nothing happens when it is gone. */
  async patch(key: string, patch: JsonObject, subresource?: 'status'): Promise<void> {
    const slash = key.indexOf('/')
    const place = { namespace: key.slice(0, slash), subresource }
    const name = key.slice(slash + 1)
    try {
      const { client } = this.options
      this.informer.put(await client.patch(applicationSets, name, 'merge', patch, place))
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  private isAllowed(namespace: string): boolean {
    return (
      namespace === this.options.namespace ||
      matchesNamespaceList(this.options.namespaces, namespace)
    )
  }
}

function storedOf(object: Manifest): StoredSet {
  const manifest = deletePath(object, 'metadata', 'managedFields')
  try {
    return { manifest, set: readApplicationSet(manifest), problem: undefined }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const problem = `${nameOf(manifest)}: ${error.message}`
    return { manifest, set: undefined, problem }
  }
}
