import { ClusterError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf, namespaceOf, versionOf } from '@litecd/core/kube'
import { type ApiResource, isNotFound, type KubeClient } from '@litecd/k8s-adapter/client'

/** The field manager of what the runner does by itself; answers leave it out. */
export const ownManager = 'litecd-parity'

/**
 * Tries again for 10 s what the server cannot do at the moment: a kind that is just being set up refuses writes and
 * breaks off lists.
 */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  const start = Date.now()
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const mayPass = error instanceof ClusterError && error.retryable
      if (!mayPass || Date.now() - start > 10_000) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** What kubectl would do, by apiVersion and kind of the objects at hand. Errors: as the client's. */
export class Api {
  readonly client: KubeClient

  constructor(client: KubeClient) {
    this.client = client
  }

  /**
   * Every kind that can be listed, once, in the version that the server prefers: as known since a kind was last looked
   * for in vain, or as of now.
   */
  async listable(when: 'known' | 'now'): Promise<readonly ApiResource[]> {
    const { discovery } = this.client
    const { resources } = await (when === 'now' ? discovery.refresh() : discovery.surface())
    const seen = new Set<string>()
    return resources.filter((resource) => {
      const key = `${resource.group}/${resource.plural}`
      if (!resource.verbs.includes('list') || seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  /** The resource of a kind; waits up to 10 s for one that has just been defined. */
  async resourceOf(apiVersion: string, kind: string): Promise<ApiResource> {
    const group = groupOf(apiVersion)
    for (let attempt = 0; attempt < 50; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 200))
      const found = await this.client.discovery.find({ group, kind }, versionOf(apiVersion))
      if (found !== undefined) return found
    }
    throw new ClusterError('CLUSTER_NOT_FOUND', `no kind ${kind} in ${apiVersion}`, { status: 404 })
  }

  /** Nothing of a kind whose definition has just gone. */
  async list(resource: ApiResource, namespace?: string): Promise<readonly Manifest[]> {
    const within = namespace === undefined ? {} : { namespace }
    try {
      return (await patiently(() => this.client.list(resource, within))).items
    } catch (error) {
      if (isNotFound(error)) return []
      throw error
    }
  }

  async #place(
    object: JsonObject,
  ): Promise<{ resource: ApiResource; name: string; namespace: string }> {
    const resource = await this.resourceOf(`${object['apiVersion']}`, `${object['kind']}`)
    return { resource, name: nameOf(object), namespace: namespaceOf(object) || 'default' }
  }

  /** Server-side apply that takes over conflicting fields, as `kubectl apply --server-side --force-conflicts`. */
  async apply(object: JsonObject, fieldManager: string): Promise<void> {
    const { resource, name, namespace } = await this.#place(object)
    const options = { namespace, fieldManager, force: true }
    await patiently(() => this.client.patch(resource, name, 'apply', object, options))
  }

  async create(object: JsonObject, fieldManager: string): Promise<void> {
    const { resource, namespace } = await this.#place(object)
    await patiently(() => this.client.create(resource, object, { namespace, fieldManager }))
  }

  /** `subresource` with a slash before it, as in a case. */
  async mergePatch(object: JsonObject, patch: JsonObject, subresource?: string): Promise<void> {
    const { resource, name, namespace } = await this.#place(object)
    await this.client.patch(resource, name, 'merge', patch, {
      namespace,
      subresource: subresource?.replace(/^\//, ''),
      fieldManager: ownManager,
    })
  }

  async delete(object: JsonObject, policy?: string): Promise<void> {
    const { resource, name, namespace } = await this.#place(object)
    const propagationPolicy = policy as 'Foreground' | 'Background' | 'Orphan' | undefined
    await this.client.delete(resource, name, { namespace, propagationPolicy })
  }
}
