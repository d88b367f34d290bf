import type { Application } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { groupOf } from '../kube/index.ts'
import type { ApplicationSet } from './types.ts'

const apiVersion = 'argoproj.io/v1alpha1'

export function ownerReferenceTo(set: ApplicationSet): JsonObject {
  return {
    apiVersion,
    kind: 'ApplicationSet',
    name: set.metadata.name,
    uid: set.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}

/** True for references to one object, whatever its uid. */
export function isSameOwner(a: JsonObject, b: JsonObject): boolean {
  return (
    a['kind'] === b['kind'] &&
    a['name'] === b['name'] &&
    groupOf(String(a['apiVersion'])) === groupOf(String(b['apiVersion']))
  )
}

/**
 * The name of the set that controls an Application. The uid does not count: a set made anew takes over what its
 * predecessor of that name has left.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go appControllerIndexer
 */
export function owningSetOf(app: Application): string | undefined {
  const owner = (app.metadata.ownerReferences ?? []).find((one) => one['controller'] === true)
  if (owner === undefined) return undefined
  return owner['apiVersion'] === apiVersion && owner['kind'] === 'ApplicationSet'
    ? String(owner['name'])
    : undefined
}
