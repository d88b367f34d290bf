import type { HealthStatus } from '../../argo/index.ts'
import { type Manifest, nameOf } from '../../kube/index.ts'
import { requireVersion, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_daemonset.go */
export function daemonSet(live: Manifest): HealthStatus {
  requireVersion(live, 'DaemonSet', ['v1'])
  const read = typed(live, 'DaemonSet')
  if (read.number('metadata', 'generation') > read.number('status', 'observedGeneration')) {
    return {
      status: 'Progressing',
      message:
        'Waiting for rollout to finish: observed daemon set generation less than desired generation',
    }
  }
  const updated = read.number('status', 'updatedNumberScheduled')
  const desired = read.number('status', 'desiredNumberScheduled')
  const available = read.number('status', 'numberAvailable')
  if (read.text('spec', 'updateStrategy', 'type') === 'OnDelete') {
    return {
      status: 'Healthy',
      message: `daemon set ${updated} out of ${desired} new pods have been updated`,
    }
  }
  const waiting = (what: string): HealthStatus => ({
    status: 'Progressing',
    message: `Waiting for daemon set "${nameOf(live)}" rollout to finish: ${what}`,
  })
  if (updated < desired) {
    return waiting(`${updated} out of ${desired} new pods have been updated...`)
  }
  if (available < desired) {
    return waiting(`${available} of ${desired} updated pods are available...`)
  }
  return { status: 'Healthy' }
}
