import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, typed } from '../read.ts'

/**
 * With a `rollingUpdate` block, which the API server always adds, the revisions are never compared.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_statefulset.go
 */
export function statefulSet(live: Manifest): HealthStatus {
  requireVersion(live, 'StatefulSet', ['v1'])
  const read = typed(live, 'StatefulSet')
  const progressing = (message: string): HealthStatus => ({ status: 'Progressing', message })
  const healthy = (message: string): HealthStatus => ({ status: 'Healthy', message })
  const observed = read.number('status', 'observedGeneration')
  if (observed === 0 || read.number('metadata', 'generation') > observed) {
    return progressing('Waiting for statefulset spec update to be observed...')
  }
  const replicas = read.optionalNumber('spec', 'replicas')
  const ready = read.number('status', 'readyReplicas')
  const updated = read.number('status', 'updatedReplicas')
  if (replicas !== undefined && ready < replicas) {
    return progressing(`Waiting for ${replicas - ready} pods to be ready...`)
  }
  const strategy = read.text('spec', 'updateStrategy', 'type')
  if (strategy === 'RollingUpdate' && read.object('spec', 'updateStrategy', 'rollingUpdate')) {
    const partition = read.optionalNumber('spec', 'updateStrategy', 'rollingUpdate', 'partition')
    if (replicas !== undefined && partition !== undefined && updated < replicas - partition) {
      return progressing(
        `Waiting for partitioned roll out to finish: ${updated} out of ${replicas - partition} new pods have been updated...`,
      )
    }
    return healthy(`partitioned roll out complete: ${updated} new pods have been updated...`)
  }
  if (strategy === 'OnDelete') return healthy(`statefulset has ${ready} ready pods`)
  const updateRevision = read.text('status', 'updateRevision')
  const currentRevision = read.text('status', 'currentRevision')
  if (updateRevision !== currentRevision) {
    return progressing(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}...`,
    )
  }
  return healthy(
    `statefulset rolling update complete ${read.number('status', 'currentReplicas')} pods at revision ${currentRevision}...`,
  )
}
