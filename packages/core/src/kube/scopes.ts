import type { Scope } from './facts.ts'
import type { GroupKind } from './manifest.ts'
import { scopeInTable } from './schema/index.ts'

// served by every API server, but by libraries of their own
const aggregated: { readonly [groupKind: string]: Scope } = {
  'apiextensions.k8s.io/CustomResourceDefinition': 'Cluster',
  'apiregistration.k8s.io/APIService': 'Cluster',
}

/**
 * Whether a kind that every Kubernetes 1.36 knows lives in namespaces; undefined for any other kind. Group and kind
 * decide alone: no built-in kind changed its scope between versions.
 */
export function scopeOfBuiltIn({ group, kind }: GroupKind): Scope | undefined {
  return scopeInTable(group, kind) ?? aggregated[`${group}/${kind}`]
}
