import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, textOf, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_replicaset.go */
export function replicaSet(live: Manifest): HealthStatus {
  requireVersion(live, 'ReplicaSet', ['v1'])
  const read = typed(live, 'ReplicaSet')
  if (read.number('metadata', 'generation') > read.number('status', 'observedGeneration')) {
    return {
      status: 'Progressing',
      message:
        'Waiting for rollout to finish: observed replica set generation less than desired generation',
    }
  }
  const failure = read
    .list('status', 'conditions')
    .find((condition) => condition['type'] === 'ReplicaFailure')
  if (failure?.['status'] === 'True') {
    return { status: 'Degraded', message: textOf(failure, 'message') }
  }
  const wanted = read.optionalNumber('spec', 'replicas')
  const available = read.number('status', 'availableReplicas')
  if (wanted !== undefined && available < wanted) {
    return {
      status: 'Progressing',
      message: `Waiting for rollout to finish: ${available} out of ${wanted} new replicas are available...`,
    }
  }
  return { status: 'Healthy' }
}
