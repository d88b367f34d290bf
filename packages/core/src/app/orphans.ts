import type { ClusterReader, LiveRoot } from '../adapters/index.ts'
import type { AppProject } from '../argo/index.ts'
import { formatKey, keyOf, type Manifest, type ResourceKey } from '../kube/index.ts'
import { permitsKind } from '../project/index.ts'
import { matchGlob } from '../text/index.ts'

export interface OrphanQuery {
  readonly project: AppProject
  /** The destination namespace. */
  readonly namespace: string
  /** Keys of what the Application manages, there or not. */
  readonly managed: readonly ResourceKey[]
  /** Whether a tracking name is that of an Application that exists. */
  readonly isKnown: (instance: string) => boolean
}

/**
 * Objects of the destination namespace that no Application tracks, with everything below them. Empty unless the project
 * asks for them.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go getResourceTree, isKnownOrphanedResourceExclusion
 */
export async function orphansOf(
  query: OrphanQuery,
  cluster: Pick<ClusterReader, 'topLevel' | 'descendants'>,
): Promise<readonly Manifest[]> {
  const { project, namespace, managed, isKnown } = query
  if (project.spec.orphanedResources === undefined || namespace === '') return []
  const taken = new Set(managed.map(formatKey))
  const permitted = (manifest: Manifest): boolean => {
    const key = keyOf(manifest)
    return permitsKind(project, key, key.name, 'Namespaced')
  }
  const roots = (await cluster.topLevel(namespace))
    .filter(({ manifest, instance }) => {
      const key = keyOf(manifest)
      return (
        !taken.has(formatKey(key)) &&
        !isIgnored(key, project) &&
        !(instance !== undefined && isKnown(instance)) &&
        permitted(manifest)
      )
    })
    .map(({ manifest }: LiveRoot) => manifest)
  if (roots.length === 0) return roots
  return [...roots, ...(await cluster.descendants(roots)).filter(permitted)]
}

function isIgnored({ group, kind, namespace, name }: ResourceKey, project: AppProject): boolean {
  if (group === '') {
    if (kind === 'Service' && name === 'kubernetes' && namespace === 'default') return true
    if (kind === 'ServiceAccount' && name === 'default') return true
    if (kind === 'ConfigMap' && name === 'kube-root-ca.crt') return true
  }
  return (project.spec.orphanedResources?.ignore ?? []).some((entry) => {
    const matches = (pattern: string | undefined, text: string): boolean =>
      pattern === undefined || pattern === '' || matchGlob(pattern, text)
    return (
      matches(entry.kind, kind) && matchGlob(entry.group ?? '', group) && matches(entry.name, name)
    )
  })
}
