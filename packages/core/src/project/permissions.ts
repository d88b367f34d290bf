import type { AppProject, KindPattern } from '../argo/index.ts'
import type { GroupKind, Scope } from '../kube/index.ts'
import { compileGlob, filepathMatch, matchGlob } from '../text/index.ts'
import { normalizeRepoUrl } from './repo-url.ts'

/** A destination whose cluster has been found. */
export interface ResolvedDestination {
  readonly server: string
  /** '' for a cluster without a name. */
  readonly name: string
  readonly namespace: string
}

/**
 * Whether a repository may be a source. `*` stops at `/`; `!` negates.
 *
 * Parity: a negation that does not apply counts as a match, so a list of negations alone allows everything else, unless
 * the project is to be read strictly, as its guide describes it: then only what is not negated permits.
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go IsSourcePermitted, docs/user-guide/projects.md
 */
export function permitsSource(project: AppProject, repoURL: string): boolean {
  const url = normalizeRepoUrl(repoURL)
  let any = false
  for (const item of project.spec.sourceRepos ?? []) {
    const negated = item.startsWith('!')
    const pattern = negated ? item.slice(1) : item
    const hit = pattern === '*' || (compileGlob(normalizeRepoUrl(pattern), '/')?.(url) ?? false)
    if (hit !== negated) any ||= !negated || project.strictDenies !== true
    else if (negated) return false
  }
  return any
}

/**
 * Whether Applications of a namespace may use the project; the controller's own namespace always may.
 * Items are globs, or regular expressions between slashes.
 */
export function permitsSourceNamespace(
  project: AppProject,
  namespace: string,
  controllerNamespace: string,
): boolean {
  if (namespace === controllerNamespace || namespace === '') return true
  return matchesNamespaceList(project.spec.sourceNamespaces ?? [], namespace)
}

/** Globs without separators, or `/regular expressions/`; both are tried for such an item. */
export function matchesNamespaceList(list: readonly string[], namespace: string): boolean {
  return list.some((item) => {
    if (matchGlob(item, namespace)) return true
    if (item.length < 2 || !item.startsWith('/') || !item.endsWith('/')) return false
    try {
      return new RegExp(item.slice(1, -1)).test(namespace)
    } catch {
      return false // an unreadable expression matches nothing, as in Argo CD
    }
  })
}

/**
 * Whether a cluster and namespace may be a destination.
 *
 * Parity: a negated name that hits denies every namespace, a negated namespace counts only where the server matches. An
 * entry whose negations do not apply permits, unless the project is to be read strictly.
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go IsDestinationPermitted
 */
export function permitsDestination(project: AppProject, destination: ResolvedDestination): boolean {
  if (project.spec.permitOnlyProjectScopedClusters === true) {
    const own = (project.scopedClusters ?? []).some(
      ({ server, name }) => server === destination.server || name === destination.name,
    )
    if (!own) return false
  }
  let any = false
  for (const item of project.spec.destinations ?? []) {
    const name = item.name ?? ''
    const server = item.server ?? ''
    const namespace = item.namespace ?? ''
    const byName = destination.name !== '' && matchNegated(name, destination.name)
    const byServer = destination.server !== '' && matchNegated(server, destination.server)
    const byNamespace = matchNegated(namespace, destination.namespace)
    if ((byServer || byName) && byNamespace) {
      const denies = [name, server, namespace].some((pattern) => pattern.startsWith('!'))
      any ||= !denies || project.strictDenies !== true
    } else if (
      (!byName && name.startsWith('!')) ||
      (!byServer && server.startsWith('!') && byNamespace)
    ) {
      return false
    } else if (!byNamespace && namespace.startsWith('!') && byServer) return false
  }
  return any
}

function matchNegated(pattern: string, text: string): boolean {
  if (pattern === '*') return true
  return pattern.startsWith('!') ? !matchGlob(pattern.slice(1), text) : matchGlob(pattern, text)
}

/**
 * Whether a kind may be managed. Unknown scope counts as cluster-scoped.
 *
 * Source: argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go IsGroupKindNamePermitted
 */
export function permitsKind(
  project: AppProject,
  kind: GroupKind,
  name: string,
  scope: Scope | undefined,
): boolean {
  const { spec } = project
  const inList = (list: readonly KindPattern[] | undefined, named: boolean): boolean =>
    (list ?? []).some(
      (item) =>
        filepathMatch(item.kind, kind.kind) === true &&
        filepathMatch(item.group, kind.group) === true &&
        (!named ||
          item.name === undefined ||
          item.name === '' ||
          filepathMatch(item.name, name) === true),
    )
  if (scope === 'Namespaced') {
    const allowed =
      spec.namespaceResourceWhitelist === undefined ||
      spec.namespaceResourceWhitelist === null ||
      inList(spec.namespaceResourceWhitelist, false)
    return allowed && !inList(spec.namespaceResourceBlacklist, false)
  }
  return inList(spec.clusterResourceWhitelist, true) && !inList(spec.clusterResourceBlacklist, true)
}
