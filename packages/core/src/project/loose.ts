import { type Application, type AppProject, sourcesOf } from '../argo/index.ts'
import { type KnownCluster, resolveDestination } from './destination.ts'
import { permitsDestination, permitsSource } from './permissions.ts'

/**
 * What of an Application its project permits only because a pattern with `!` does not hit it. The guide promises that such
 * patterns deny and never permit; Argo CD v3.5.1 lets them. One sentence each; none for a project that is read strictly.
 */
export function loosePermissions(
  app: Application,
  project: AppProject,
  clusters: readonly KnownCluster[],
): readonly string[] {
  const strict: AppProject = { ...project, strictDenies: true }
  const { name } = project.metadata
  const out: string[] = []
  const because = `only because a pattern with ! does not hit it: add one that allows it`
  for (const { repoURL } of sourcesOf(app.spec)) {
    if (permitsSource(project, repoURL) && !permitsSource(strict, repoURL)) {
      out.push(`project '${name}' permits repo ${repoURL} ${because}`)
    }
  }
  const resolved = resolveDestination(app.spec.destination, clusters)
  if ('error' in resolved) return out
  const namespace = app.spec.destination.namespace ?? ''
  const target = { ...resolved.cluster, namespace }
  if (permitsDestination(project, target) && !permitsDestination(strict, target)) {
    const server = app.spec.destination.name || resolved.cluster.server
    out.push(`project '${name}' permits namespace '${namespace}' of ${server} ${because}`)
  }
  return out
}
