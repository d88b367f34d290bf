import { getPath, isObject } from '@litecd/core/json'
import { annotationsOf, type ResourceKey } from '@litecd/core/kube'
import type { Kept } from './kept.ts'

/** Names of the claim templates of a StatefulSet. */
function claimTemplates(set: Kept): readonly string[] {
  const templates = getPath(set.object, 'spec', 'volumeClaimTemplates')
  if (!Array.isArray(templates)) return []
  return templates
    .filter(isObject)
    .map((template) => String(getPath(template, 'metadata', 'name') ?? ''))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Parity: the start of the name is not looked at, so `x-data-db-0` belongs to set `db` with template `data`. */
export function isClaimOf(claim: string, set: Kept): boolean {
  return claimTemplates(set).some((template) =>
    new RegExp(`${escaped(template)}-${escaped(set.name)}-\\d+$`).test(claim),
  )
}

/**
 * The key of an owner that an object has without saying so in its ownerReferences: Endpoints of a Service, the token of
 * a ServiceAccount, an operator's ClusterServiceVersion of its group. PersistentVolumeClaims are found by
 * {@link isClaimOf}.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/cache/references.go
 */
export function inferredOwner(object: Kept): ResourceKey | undefined {
  const { group, kind, namespace, name } = object
  if (group === '' && kind === 'Endpoints') return { group, kind: 'Service', namespace, name }
  const annotations = annotationsOf(object.object)
  if (group === 'operators.coreos.com' && kind === 'ClusterServiceVersion') {
    const owner = annotations['olm.operatorGroup']
    return owner === undefined
      ? undefined
      : { group, kind: 'OperatorGroup', namespace, name: owner }
  }
  if (group === '' && kind === 'Secret') {
    const account = annotations['kubernetes.io/service-account.name']
    const uid = annotations['kubernetes.io/service-account.uid']
    if (account === undefined || uid === undefined) return undefined
    return { group, kind: 'ServiceAccount', namespace, name: account }
  }
  return undefined
}
