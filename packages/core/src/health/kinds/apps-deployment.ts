import type { HealthStatus } from '../../argo/index.ts'
import { type Manifest, nameOf } from '../../kube/index.ts'
import { requireVersion, textOf, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_deployment.go */
export function deployment(live: Manifest): HealthStatus {
  requireVersion(live, 'Deployment', ['v1'])
  const read = typed(live, 'Deployment')
  if (read.flag('spec', 'paused')) return { status: 'Suspended', message: 'Deployment is paused' }
  const waiting = (what: string): HealthStatus => ({
    status: 'Progressing',
    message: `Waiting for rollout to finish: ${what}`,
  })
  if (read.number('metadata', 'generation') > read.number('status', 'observedGeneration')) {
    return waiting('observed deployment generation less than desired generation')
  }
  const progressing = read
    .list('status', 'conditions')
    .find((condition) => condition['type'] === 'Progressing')
  if (textOf(progressing, 'reason') === 'ProgressDeadlineExceeded') {
    return {
      status: 'Degraded',
      message: `Deployment "${nameOf(live)}" exceeded its progress deadline`,
    }
  }
  const wanted = read.optionalNumber('spec', 'replicas')
  const updated = read.number('status', 'updatedReplicas')
  const replicas = read.number('status', 'replicas')
  const available = read.number('status', 'availableReplicas')
  if (wanted !== undefined && updated < wanted) {
    return waiting(`${updated} out of ${wanted} new replicas have been updated...`)
  }
  if (replicas > updated) {
    return waiting(`${replicas - updated} old replicas are pending termination...`)
  }
  if (available < updated) {
    return waiting(`${available} of ${updated} updated replicas are available...`)
  }
  return { status: 'Healthy' }
}
