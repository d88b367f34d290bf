import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, textOf, typed } from '../read.ts'

/**
 * Parity: a Suspended condition counts as the end of the Job whatever its status, so a resumed Job is Healthy while it
 * runs; and a suspended Job has no message.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_job.go
 */
export function job(live: Manifest): HealthStatus {
  requireVersion(live, 'Job', ['v1'])
  let failed = false
  let complete = false
  let suspended = false
  let failure = ''
  let message = ''
  for (const condition of typed(live, 'Job').list('status', 'conditions')) {
    switch (condition['type']) {
      case 'Failed':
        failed = true
        complete = true
        failure = textOf(condition, 'message')
        break
      case 'Complete':
        complete = true
        message = textOf(condition, 'message')
        break
      case 'Suspended':
        complete = true
        message = textOf(condition, 'message')
        if (condition['status'] === 'True') suspended = true
        break
      default:
    }
  }
  if (!complete) return { status: 'Progressing', message }
  if (failed) return { status: 'Degraded', message: failure }
  if (suspended) return { status: 'Suspended', message: failure }
  return { status: 'Healthy', message }
}
