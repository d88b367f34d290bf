import { getPath, isObject } from '@litecd/core/json'
import type { ClusterFacts, GroupKind, Manifest, Scope } from '@litecd/core/kube'
import { groupOf, scopeOfBuiltIn } from '@litecd/core/kube'
import { builtInKinds } from '@litecd/core/kube/schema'

/** What an API server of Kubernetes 1.36 serves without feature gates, and Argo CD's own kinds. */
function servedByDefault(): readonly string[] {
  const stable = builtInKinds().filter(({ apiVersion }) => !/alpha|beta/.test(apiVersion))
  const argo = ['Application', 'ApplicationSet', 'AppProject'].map((kind) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind,
  }))
  return [...stable, ...argo].flatMap(({ apiVersion, kind }) => [
    apiVersion,
    `${apiVersion}/${kind}`,
  ])
}

export interface OfflineFacts extends ClusterFacts {
  /** Learns the scope of a custom kind from its definition. */
  learn(manifest: Manifest): void
}

/**
 * What can be known of a cluster without one: the scopes of the built-in kinds of Kubernetes 1.36, and of custom kinds
 * whose definitions were seen. The version is what the caller says, and so are API versions beyond the built-in ones.
 */
export function offlineFacts(kubeVersion: string, apiVersions: readonly string[]): OfflineFacts {
  const learned = new Map<string, Scope>()
  const served = new Set([...servedByDefault(), ...apiVersions])
  let sorted: readonly string[] | undefined
  const name = (kind: GroupKind): string => `${kind.group}/${kind.kind}`
  const argo: { readonly [kind: string]: Scope } = {
    'argoproj.io/Application': 'Namespaced',
    'argoproj.io/ApplicationSet': 'Namespaced',
    'argoproj.io/AppProject': 'Namespaced',
  }
  return {
    kubeVersion,
    get apiVersions() {
      sorted ??= [...served].sort()
      return sorted
    },
    scopeOf: (kind) => scopeOfBuiltIn(kind) ?? argo[name(kind)] ?? learned.get(name(kind)),
    learn: (manifest) => {
      if (manifest.kind !== 'CustomResourceDefinition') return
      if (groupOf(manifest.apiVersion ?? '') !== 'apiextensions.k8s.io') return
      const group = getPath(manifest, 'spec', 'group')
      const kind = getPath(manifest, 'spec', 'names', 'kind')
      const scope = getPath(manifest, 'spec', 'scope')
      if (typeof group !== 'string' || typeof kind !== 'string') return
      learned.set(name({ group, kind }), scope === 'Cluster' ? 'Cluster' : 'Namespaced')
      const versions = getPath(manifest, 'spec', 'versions')
      for (const version of Array.isArray(versions) ? versions.filter(isObject) : []) {
        if (version['served'] === false || typeof version['name'] !== 'string') continue
        served.add(`${group}/${version['name']}`)
        served.add(`${group}/${version['name']}/${kind}`)
      }
      sorted = undefined
    },
  }
}
