import type { AppProject } from '../argo/index.ts'
import { groupOf, nameOf, namespaceOf } from '../kube/index.ts'
import { permitsDestination, permitsKind } from '../project/index.ts'
import type { PermissionCheck } from './types.ts'

/**
 * The permission check of a project: kinds by its lists, namespaces of namespaced objects by its destinations.
 *
 * Source: argo-cd v3.5.1 controller/sync.go validateSyncPermissions
 */
export function projectPermissions(
  project: AppProject,
  cluster: { readonly server: string; readonly name: string },
): PermissionCheck {
  return (manifest, scope) => {
    const group = groupOf(manifest.apiVersion)
    const { kind } = manifest
    const { name } = project.metadata
    if (!permitsKind(project, { group, kind }, nameOf(manifest), scope)) {
      return `resource ${group}:${kind} is not permitted in project ${name}`
    }
    const namespace = namespaceOf(manifest)
    if (scope === 'Namespaced' && !permitsDestination(project, { ...cluster, namespace })) {
      return `namespace ${namespace} is not permitted in project '${name}'`
    }
    return undefined
  }
}
