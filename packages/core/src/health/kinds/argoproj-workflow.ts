import type { HealthStatus, HealthStatusCode } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { typed } from '../read.ts'

const phases: { readonly [phase: string]: HealthStatusCode } = {
  '': 'Progressing',
  Pending: 'Progressing',
  Running: 'Progressing',
  Succeeded: 'Healthy',
  Failed: 'Degraded',
  Error: 'Degraded',
}

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_argo.go */
export function workflow(live: Manifest): HealthStatus {
  const read = typed(live, 'Workflow')
  return {
    status: phases[read.text('status', 'phase')] ?? 'Unknown',
    message: read.text('status', 'message'),
  }
}
