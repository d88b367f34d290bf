import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_pvc.go */
export function persistentVolumeClaim(live: Manifest): HealthStatus {
  requireVersion(live, 'PersistentVolumeClaim', ['v1'])
  switch (typed(live, 'PersistentVolumeClaim').text('status', 'phase')) {
    case 'Lost':
      return { status: 'Degraded' }
    case 'Pending':
      return { status: 'Progressing' }
    case 'Bound':
      return { status: 'Healthy' }
    default:
      return { status: 'Unknown' }
  }
}
