import type { PropagationPolicy } from '../adapters/index.ts'
import {
  type Application,
  annotationHelmResourcePolicy,
  csvAnnotation,
  finalizerPostDelete,
  finalizerPreDelete,
  finalizerResources,
  syncOptionOf,
  syncOptionValue,
} from '../argo/index.ts'
import { groupOf, type Manifest, nameOf, namespaceOf } from '../kube/index.ts'

/** A finalizer that takes the objects of the Application along. */
export function isCascade(finalizer: string): boolean {
  return (
    finalizer === finalizerResources ||
    finalizer === `${finalizerResources}/foreground` ||
    finalizer === `${finalizerResources}/background`
  )
}

/** A finalizer that waits for hooks before or after the deletion, or for their removal. */
export function isHookFinalizer(finalizer: string): boolean {
  return [finalizerPreDelete, finalizerPostDelete].some(
    (name) => finalizer === name || finalizer.startsWith(`${name}/`),
  )
}

/** The first cascade finalizer decides. */
export function cascadePropagation(finalizers: readonly string[]): PropagationPolicy {
  return finalizers.find(isCascade)?.endsWith('/background') === true ? 'Background' : 'Foreground'
}

/**
 * Why an object stays when its Application is deleted with its objects; undefined where it goes.
 *
 * Source: argo-cd v3.5.1 controller/appcontroller.go shouldBeDeleted
 */
export function staysOnDeletion(app: Application, manifest: Manifest): string | undefined {
  const group = groupOf(manifest.apiVersion)
  if (group === 'apiextensions.k8s.io' && manifest.kind === 'CustomResourceDefinition') {
    return 'definitions are never deleted with an Application'
  }
  const self =
    group === 'argoproj.io' &&
    manifest.kind === 'Application' &&
    nameOf(manifest) === app.metadata.name &&
    namespaceOf(manifest) === app.metadata.namespace
  if (self) return 'it is the Application itself'
  const options = app.spec.syncPolicy?.syncOptions ?? []
  const option = syncOptionOf(manifest, 'Delete') ?? syncOptionValue(options, 'Delete')
  if (option === 'false') return 'Delete=false'
  return csvAnnotation(manifest, annotationHelmResourcePolicy).includes('keep')
    ? 'helm.sh/resource-policy: keep'
    : undefined
}
