import type { GroupKind } from './manifest.ts'

export type Scope = 'Namespaced' | 'Cluster'

/** What rendering and normalising must know of a cluster. */
export interface ClusterFacts {
  /** As Argo CD passes it to Helm: `v1.36.1`, vendor suffixes dropped; '' when unknown. */
  readonly kubeVersion: string
  /** `group/version` and `group/version/Kind` of everything served, sorted; core is `v1`, `v1/Pod`. */
  readonly apiVersions: readonly string[]
  /** Undefined when the kind is not known; Argo CD then treats it as namespaced. */
  scopeOf(kind: GroupKind): Scope | undefined
  /** What a kind is called in URLs, such as `deployments`; undefined when the kind is not known. */
  pluralOf?(kind: GroupKind): string | undefined
}
