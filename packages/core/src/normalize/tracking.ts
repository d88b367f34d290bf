import { annotationTrackingId, type Tracking } from '../argo/index.ts'
import { deletePath, setPath } from '../json/index.ts'
import { annotationsOf, groupOf, labelsOf, type Manifest } from '../kube/index.ts'

/**
 * The live object as it is compared where tracking went from labels to annotations: it gets the tracking annotation
 * that it lacks, and loses the instance label that the target has no more.
 *
 * Source: argo-cd v3.5.1 util/argo/resource_tracking.go Normalize
 */
export function adjustTracking(target: Manifest, live: Manifest, tracking: Tracking): Manifest {
  if (tracking.method === 'label' || (labelsOf(live)[tracking.labelKey] ?? '') === '') return live
  if (isCustomResourceDefinition(live)) return live
  let result = live
  if ((annotationsOf(live)[annotationTrackingId] ?? '') === '') {
    const id = annotationsOf(target)[annotationTrackingId] ?? ''
    result = setPath(result, ['metadata', 'annotations', annotationTrackingId], id)
  }
  if ((labelsOf(target)[tracking.labelKey] ?? '') === '') {
    result = deletePath(result, 'metadata', 'labels', tracking.labelKey)
    if (Object.keys(labelsOf(result)).length === 0)
      result = deletePath(result, 'metadata', 'labels')
  }
  return result
}

function isCustomResourceDefinition(manifest: Manifest): boolean {
  return (
    groupOf(manifest.apiVersion) === 'apiextensions.k8s.io' &&
    manifest.kind === 'CustomResourceDefinition'
  )
}
