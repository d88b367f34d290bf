import type { AppProject, AppProjectSpec, Settings } from '../argo/index.ts'
import type { Json } from '../json/index.ts'
import { fitsSelector } from '../kube/index.ts'

/** A repository or cluster that belongs to one project. */
export interface ProjectScoped {
  readonly repositories: readonly { readonly url: string; readonly project: string }[]
  readonly clusters: readonly {
    readonly server: string
    readonly name: string
    readonly project: string
    /** Empty: all of them. */
    readonly namespaces: readonly string[]
  }[]
}

const merged = [
  'clusterResourceWhitelist',
  'clusterResourceBlacklist',
  'namespaceResourceWhitelist',
  'namespaceResourceBlacklist',
  'syncWindows',
  'sourceRepos',
  'destinations',
  'destinationServiceAccounts',
] as const

/**
 * The project as its Applications meet it: with the repositories and clusters that are scoped to it, and with the lists
 * of global projects whose selector fits its labels.
 *
 * Source: argo-cd v3.5.1 util/argo/argo.go GetAppVirtualProject, util/settings/settings.go globalProjects
 */
export function effectiveProject(
  project: AppProject,
  scoped: ProjectScoped,
  globals: Settings['globalProjects'],
  find: (name: string) => AppProject | undefined,
  options: { readonly strictDenies?: boolean } = {},
): AppProject {
  const { name } = project.metadata
  const repositories = scoped.repositories.filter((one) => one.project === name)
  const clusters = scoped.clusters.filter((one) => one.project === name)
  let spec: AppProjectSpec = project.spec
  if (repositories.length > 0) {
    spec = {
      ...spec,
      sourceRepos: [...(spec.sourceRepos ?? []), ...repositories.map(({ url }) => url)],
    }
  }
  if (clusters.length > 0) {
    const added = clusters.flatMap(({ server, namespaces }) =>
      (namespaces.length === 0 ? ['*'] : namespaces).map((namespace) => ({ server, namespace })),
    )
    spec = { ...spec, destinations: [...(spec.destinations ?? []), ...added] }
  }
  for (const { labelSelector, projectName } of globals) {
    const fits = fitsSelector(labelSelector as Json | undefined, project.metadata.labels ?? {})
    if (fits === undefined) break
    if (!fits || projectName === name) continue
    const other = find(projectName)
    if (other === undefined) break
    spec = withGlobal(spec, other.spec)
  }
  const scopedClusters = clusters.map(({ server, name: cluster }) => ({ server, name: cluster }))
  return {
    ...project,
    spec,
    scopedClusters,
    ...(options.strictDenies === true ? { strictDenies: true } : {}),
  }
}

function withGlobal(spec: AppProjectSpec, other: AppProjectSpec): AppProjectSpec {
  const out: { [field: string]: unknown } = { ...spec }
  for (const field of merged) {
    const added = other[field]
    if (added !== undefined && added !== null && added.length > 0) {
      out[field] = [...(spec[field] ?? []), ...added]
    }
  }
  return out as AppProjectSpec
}
