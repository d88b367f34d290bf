// Objects in memory for tests of the sync machine. It knows that an object is there or gone, that a finalizer holds what
// is deleted, and that a version changes with every write; everything else (health, refusals, lost calls) is said by the
// test. It validates nothing and defaults nothing: what a server answers is tested on a server.
import type { Cluster, WriteResult } from '@litecd/core/adapters'
import { ClusterError } from '@litecd/core/errors'
import { deepEqual, getPath, type JsonObject, mergePatch, setPath } from '@litecd/core/json'
import {
  formatKey,
  groupOf,
  keyOf,
  type Manifest,
  nameOf,
  type ResourceKey,
  scopeOfBuiltIn,
} from '@litecd/core/kube'

export interface Call {
  readonly verb: 'get' | 'apply' | 'create' | 'replace' | 'update' | 'delete' | 'patch'
  readonly key: string
}

/** Thrown by {@link MemoryCluster.afterCall} to stand for the death of the process. */
export class Killed extends Error {}

export class MemoryCluster {
  readonly objects: Map<string, Manifest> = new Map()
  readonly calls: Call[] = []
  /** How often an object of this key came into being. */
  readonly births: Map<string, number> = new Map()
  /** A text refuses the write. */
  refuses: (verb: Call['verb'], object: Manifest | ResourceKey) => string | undefined = () =>
    undefined
  /** Runs after each real call has had its effect; it may throw. */
  afterCall: () => void = () => undefined
  private version = 0

  see(object: Manifest): void {
    const key = placed(keyOf(object))
    const name = formatKey(key)
    const { namespace: _namespace, ...metadata } = object['metadata'] as JsonObject
    const uid = getPath(this.objects.get(name), 'metadata', 'uid') ?? `uid-${++this.version}`
    if (!this.objects.has(name)) this.births.set(name, (this.births.get(name) ?? 0) + 1)
    this.objects.set(name, {
      ...object,
      metadata: {
        ...(key.namespace === '' ? metadata : (object['metadata'] as JsonObject)),
        uid,
        resourceVersion: String(++this.version),
      },
    })
  }

  get live(): readonly Manifest[] {
    return [...this.objects.values()]
  }

  /** What is there, without what differs from run to run. */
  summary(): readonly string[] {
    return [...this.objects]
      .map(([key, object]) => {
        const finalizers = getPath(object, 'metadata', 'finalizers')
        const held = Array.isArray(finalizers) && finalizers.length > 0 ? ' held' : ''
        return `${key}${held}${isDeleting(object) ? ' deleting' : ''}`
      })
      .sort()
  }

  cluster(): Cluster {
    const nobody = (): never => {
      throw new Error('nobody should ask for this')
    }
    const write =
      (verb: 'apply' | 'create' | 'replace') =>
      async (target: Manifest, options: { readonly dryRun: string }): Promise<WriteResult> => {
        const dry = options.dryRun !== 'none'
        const name = formatKey(placed(keyOf(target)))
        const known = this.objects.get(name)
        if (dry) return { live: undefined, message: line(target, 'created (dry run)') }
        this.check(verb, target)
        const same = known !== undefined && deepEqual(contentOf(known), contentOf(target))
        // a server keeps its own finalizers and the status of what it has
        const status = known?.['status']
        this.see(status === undefined ? target : ({ ...target, status } as Manifest))
        this.done(verb, keyOf(target))
        return {
          live: target,
          message: line(
            target,
            known === undefined ? 'created' : same ? 'unchanged' : 'configured',
          ),
        }
      }
    return {
      facts: nobody,
      managedLiveObjects: nobody,
      descendants: nobody,
      topLevel: nobody,
      get: async (key) => {
        const found = this.objects.get(formatKey(placed(key)))
        this.done('get', key)
        return found
      },
      apply: write('apply'),
      create: write('create'),
      replace: write('replace'),
      update: async (target) =>
        (await write('replace')(target, { dryRun: 'none' })).live as Manifest,
      delete: async (key) => {
        this.check('delete', key)
        const name = formatKey(placed(key))
        const object = this.objects.get(name)
        if (object === undefined) throw missing(key)
        const finalizers = getPath(object, 'metadata', 'finalizers')
        if (Array.isArray(finalizers) && finalizers.length > 0) {
          this.see(setPath(object, ['metadata', 'deletionTimestamp'], '2026-01-02T03:04:05Z'))
        } else this.objects.delete(name)
        this.done('delete', key)
      },
      patch: async (key, _apiVersion, { patch }) => {
        this.check('patch', key)
        const name = formatKey(placed(key))
        const object = this.objects.get(name)
        if (object === undefined) throw missing(key)
        const version = getPath(patch, 'metadata', 'resourceVersion')
        if (version !== undefined && version !== getPath(object, 'metadata', 'resourceVersion')) {
          throw new ClusterError('CLUSTER_CONFLICT', 'conflict', {
            status: 409,
            reason: 'Conflict',
          })
        }
        const changed = mergePatch(object, patch) as Manifest
        const finalizers = getPath(changed, 'metadata', 'finalizers')
        if (isDeleting(changed) && Array.isArray(finalizers) && finalizers.length === 0) {
          this.objects.delete(name)
        } else this.see(changed)
        this.done('patch', key)
        return changed
      },
    }
  }

  private check(verb: Call['verb'], object: Manifest | ResourceKey): void {
    const refusal = this.refuses(verb, object)
    if (refusal === undefined) return
    throw new ClusterError('CLUSTER_REFUSED', refusal, { status: 422, reason: 'Invalid' })
  }

  private done(verb: Call['verb'], key: ResourceKey): void {
    this.calls.push({ verb, key: formatKey(placed(key)) })
    this.afterCall()
  }
}

function contentOf(object: Manifest): JsonObject {
  const { metadata: _metadata, status: _status, ...content } = object as JsonObject
  return content
}

function isDeleting(object: Manifest): boolean {
  return getPath(object, 'metadata', 'deletionTimestamp') !== undefined
}

function missing(key: ResourceKey): ClusterError {
  return new ClusterError('CLUSTER_NOT_FOUND', `${key.kind} "${key.name}" not found`, {
    status: 404,
    reason: 'NotFound',
  })
}

function placed(key: ResourceKey): ResourceKey {
  return scopeOfBuiltIn(key) === 'Cluster' ? { ...key, namespace: '' } : key
}

function line(object: Manifest, word: string): string {
  const group = groupOf(object.apiVersion)
  return `${object.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${nameOf(object)} ${word}`
}
