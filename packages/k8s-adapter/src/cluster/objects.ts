import { ClusterError } from '@litecd/core/errors'
import { deletePath, getPath, setPath } from '@litecd/core/json'
import {
  groupOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
  versionOf,
} from '@litecd/core/kube'
import {
  type ApiResource,
  type DeleteRequestOptions,
  isNotFound,
  type KubeClient,
  type PatchOptions,
  type PatchType,
  type WriteOptions,
} from '../client/index.ts'
import { manifestFile } from './messages.ts'

/** One object of one kind on the server: what the ways to write it have in common. */
export class RemoteObject {
  readonly resource: ApiResource
  readonly name: string
  /** '' for cluster-scoped kinds, whatever the manifest says. */
  readonly namespace: string
  private readonly client: KubeClient

  constructor(client: KubeClient, resource: ApiResource, namespace: string, name: string) {
    this.client = client
    this.resource = resource
    this.namespace = resource.namespaced ? namespace : ''
    this.name = name
  }

  /** Undefined when it is not there. */
  async find(): Promise<Manifest | undefined> {
    try {
      return await this.get()
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  get(): Promise<Manifest> {
    return this.client.get(this.resource, this.name, { namespace: this.namespace })
  }

  create(object: Manifest, options: WriteOptions): Promise<Manifest> {
    const fresh = deletePath(object, 'metadata', 'resourceVersion')
    return this.client.create(this.resource, fresh, { ...options, namespace: this.namespace })
  }

  update(object: Manifest, options: WriteOptions): Promise<Manifest> {
    return this.client.update(this.resource, this.name, object, {
      ...options,
      namespace: this.namespace,
    })
  }

  patch(
    type: PatchType,
    patch: Parameters<KubeClient['patch']>[3],
    options: PatchOptions,
  ): Promise<Manifest> {
    return this.client.patch(this.resource, this.name, type, patch, {
      ...options,
      namespace: this.namespace,
    })
  }

  async delete(options: DeleteRequestOptions): Promise<void> {
    await this.client.delete(this.resource, this.name, { ...options, namespace: this.namespace })
  }

  /** Polls every second until it is not there any more, for at most `limitMs`. */
  async whenGone(limitMs: number): Promise<void> {
    const start = Date.now()
    while ((await this.find()) !== undefined) {
      if (Date.now() - start > limitMs) {
        throw new ClusterError('CLUSTER_REFUSED', 'timed out waiting for the condition', {
          retryable: true,
        })
      }
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

/** `No matches for kind`, in kubectl's words. */
function unknownKind(target: Manifest): ClusterError {
  return new ClusterError(
    'CLUSTER_NOT_FOUND',
    `resource mapping not found for name: ${JSON.stringify(nameOf(target))} namespace: ` +
      `${JSON.stringify(namespaceOf(target))} from ${JSON.stringify(manifestFile)}: ` +
      `no matches for kind ${JSON.stringify(target.kind)} in version ${JSON.stringify(target.apiVersion)}\n` +
      'ensure CRDs are installed first',
  )
}

/**
 * A target with the place on the server that it belongs to. A cluster-scoped target loses the namespace that Argo CD
 * gives to every target.
 *
 * Throws ClusterError CLUSTER_NOT_FOUND when the server does not know the kind.
 */
export async function placeOf(
  client: KubeClient,
  target: Manifest,
): Promise<{ readonly remote: RemoteObject; readonly target: Manifest }> {
  const kind = { group: groupOf(target.apiVersion), kind: target.kind }
  const resource = await client.discovery.find(kind, versionOf(target.apiVersion))
  if (resource === undefined) throw unknownKind(target)
  const remote = new RemoteObject(client, resource, namespaceOf(target), nameOf(target))
  return {
    remote,
    target: resource.namespaced ? target : deletePath(target, 'metadata', 'namespace'),
  }
}

/** The place of a key, or undefined when the server does not know the kind in that version. */
export async function findPlace(
  client: KubeClient,
  key: ResourceKey,
  apiVersion: string,
): Promise<RemoteObject | undefined> {
  const resource = await client.discovery.find(key, versionOf(apiVersion))
  if (resource === undefined) return undefined
  return new RemoteObject(client, resource, key.namespace, key.name)
}

/** Copies the resourceVersion of `live`, so that a write fails when somebody else was faster. */
export function atVersionOf(target: Manifest, live: Manifest): Manifest {
  const version = getPath(live, 'metadata', 'resourceVersion')
  return version === undefined ? target : setPath(target, ['metadata', 'resourceVersion'], version)
}
