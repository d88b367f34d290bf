import { isLitecdError } from '@litecd/core/errors'
import { getPath, isObject } from '@litecd/core/json'
import { groupOf, type Manifest } from '@litecd/core/kube'
import type { RemoteObject } from './objects.ts'

const pollMs = 100 // argo-cd v3.5.1 gitops-engine/pkg/sync/sync_context.go crdReadinessTimeout and its poll
const limitMs = 3000

export function isCrd(object: Manifest): boolean {
  return (
    object.kind === 'CustomResourceDefinition' &&
    groupOf(object.apiVersion) === 'apiextensions.k8s.io'
  )
}

function isEstablished(crd: Manifest): boolean {
  const conditions = getPath(crd, 'status', 'conditions')
  return (
    Array.isArray(conditions) &&
    conditions
      .filter(isObject)
      .some(({ type, status }) => type === 'Established' && status === 'True')
  )
}

/**
 * Waits until a new kind is served, for at most 3 s. That it is not is no error here: the objects of that kind will say
 * so themselves.
 */
export async function whenEstablished(remote: RemoteObject, crd: Manifest): Promise<void> {
  const start = Date.now()
  let current: Manifest | undefined = crd
  while (current !== undefined && !isEstablished(current) && Date.now() - start < limitMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    try {
      current = await remote.find()
    } catch (error) {
      if (!isLitecdError(error)) throw error
      return
    }
  }
}
