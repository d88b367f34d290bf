import { getPath } from '@litecd/core/json'
import type { ClusterFacts, GroupKind, Scope } from '@litecd/core/kube'
import { apiVersionsOf, type KubeClient } from '../client/index.ts'

/** `v1.31.2` from `v1.31.2-eks-1234`: what follows the patch number is the vendor's. */
export function kubeVersionOf(gitVersion: string): string {
  const found = /^v?(\d+\.\d+\.\d+)/.exec(gitVersion)
  return found === null ? gitVersion : `v${found[1]}`
}

/** What the server is and serves, as last seen by discovery. */
export async function readFacts(client: KubeClient): Promise<ClusterFacts> {
  const [version, surface] = await Promise.all([client.version(), client.discovery.surface()])
  const scopes = new Map<string, Scope>()
  const plurals = new Map<string, string>()
  for (const { group, kind, plural, namespaced } of surface.resources) {
    scopes.set(`${group}/${kind}`, namespaced ? 'Namespaced' : 'Cluster')
    plurals.set(`${group}/${kind}`, plural)
  }
  return {
    kubeVersion: kubeVersionOf(String(getPath(version, 'gitVersion') ?? '')),
    apiVersions: apiVersionsOf(surface),
    scopeOf: ({ group, kind }: GroupKind) => scopes.get(`${group}/${kind}`),
    pluralOf: ({ group, kind }: GroupKind) => plurals.get(`${group}/${kind}`),
  }
}
