import { getPath } from '@litecd/core/json'
import type { ClusterFacts, GroupKind, Manifest, Scope } from '@litecd/core/kube'
import { groupOf, scopeOfBuiltIn } from '@litecd/core/kube'

export interface OfflineFacts extends ClusterFacts {
  /** Learns the scope of a custom kind from its definition. */
  learn(manifest: Manifest): void
}

/**
 * What can be known of a cluster without one: the scopes of the built-in kinds of Kubernetes 1.36, and of custom kinds
 * whose definitions were seen. The version and API list are what the caller says.
 */
export function offlineFacts(kubeVersion: string, apiVersions: readonly string[]): OfflineFacts {
  const learned = new Map<string, Scope>()
  const name = (kind: GroupKind): string => `${kind.group}/${kind.kind}`
  const argo: { readonly [kind: string]: Scope } = {
    'argoproj.io/Application': 'Namespaced',
    'argoproj.io/ApplicationSet': 'Namespaced',
    'argoproj.io/AppProject': 'Namespaced',
  }
  return {
    kubeVersion,
    apiVersions,
    scopeOf: (kind) => scopeOfBuiltIn(kind) ?? argo[name(kind)] ?? learned.get(name(kind)),
    learn: (manifest) => {
      if (manifest.kind !== 'CustomResourceDefinition') return
      if (groupOf(manifest.apiVersion ?? '') !== 'apiextensions.k8s.io') return
      const group = getPath(manifest, 'spec', 'group')
      const kind = getPath(manifest, 'spec', 'names', 'kind')
      const scope = getPath(manifest, 'spec', 'scope')
      if (typeof group !== 'string' || typeof kind !== 'string') return
      learned.set(name({ group, kind }), scope === 'Cluster' ? 'Cluster' : 'Namespaced')
    },
  }
}
