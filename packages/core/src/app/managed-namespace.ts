import { type Application, annotationSyncOptions } from '../argo/index.ts'
import { groupOf, type Manifest, nameOf } from '../kube/index.ts'
import type { TargetSet } from '../normalize/index.ts'

/**
 * Adds a target for the destination namespace where the Application manages its metadata, the namespace is among the
 * live objects, and no source defines it.
 *
 * Source: argo-cd v3.5.1 controller/state.go, controller/sync_namespace.go
 */
export function withManagedNamespace(
  app: Application,
  targets: TargetSet,
  live: readonly Manifest[],
): TargetSet {
  const metadata = app.spec.syncPolicy?.managedNamespaceMetadata
  const name = app.spec.destination.namespace ?? ''
  if (metadata === undefined || name === '') return targets
  const isIt = (manifest: Manifest): boolean =>
    manifest.kind === 'Namespace' &&
    groupOf(manifest.apiVersion ?? '') === '' &&
    nameOf(manifest) === name
  if (!live.some(isIt) || targets.resources.some((target) => isIt(target.manifest))) return targets
  const manifest: Manifest = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata.annotations, [annotationSyncOptions]: 'ServerSideApply=true' },
    },
    // as Go writes a Namespace of which nothing else is set
    spec: {},
    status: {},
  }
  const key = { group: '', kind: 'Namespace', namespace: '', name }
  return { ...targets, resources: [...targets.resources, { key, manifest, origin: undefined }] }
}
