import type { JsonObject } from '@litecd/core/json'
import { type Manifest, namespaceOf } from '@litecd/core/kube'
import {
  type ApplicationSetStore,
  type ArgoObjects,
  applicationSets,
  applications,
} from '@litecd/k8s-adapter/argocd'
import { isNotFound, type KubeClient } from '@litecd/k8s-adapter/client'

/** The writes of the ApplicationSet loop. */
export interface SetWrites {
  create(object: Manifest): Promise<unknown>
  patch(key: string, patch: JsonObject): Promise<unknown>
  remove(key: string): Promise<void>
  patchSet(key: string, patch: JsonObject, subresource?: 'status'): Promise<void>
}

export function realWrites(argo: ArgoObjects, store: ApplicationSetStore): SetWrites {
  return {
    create: (object) => argo.create(object),
    patch: (key, patch) => argo.patch(key, patch),
    remove: (key) => argo.remove(key),
    patchSet: (key, patch, subresource) => store.patch(key, patch, subresource),
  }
}

/** The API server tries each write and stores nothing; nobody is told that something was stored. */
export function dryWrites(client: KubeClient): SetWrites {
  const placeOf = (key: string): { readonly name: string; readonly namespace: string } => {
    const slash = key.indexOf('/')
    return { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
  }
  const unlessGone = async (write: Promise<unknown>): Promise<void> => {
    try {
      await write
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  const dryRun = true
  return {
    create: (object) =>
      client.create(applications, object, { namespace: namespaceOf(object), dryRun }),
    patch: (key, patch) => {
      const { name, namespace } = placeOf(key)
      return unlessGone(client.patch(applications, name, 'merge', patch, { namespace, dryRun }))
    },
    remove: (key) => {
      const { name, namespace } = placeOf(key)
      return unlessGone(client.delete(applications, name, { namespace, dryRun }))
    },
    patchSet: (key, patch, subresource) => {
      const { name, namespace } = placeOf(key)
      const options = { namespace, subresource, dryRun }
      return unlessGone(client.patch(applicationSets, name, 'merge', patch, options))
    },
  }
}
