import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, textOf, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_apiservice.go */
export function apiService(live: Manifest): HealthStatus {
  requireVersion(live, 'APIService', ['v1', 'v1beta1'])
  const available = typed(live, 'APIService')
    .list('status', 'conditions')
    .find((condition) => condition['type'] === 'Available')
  if (available === undefined) {
    return { status: 'Progressing', message: 'Waiting to be processed' }
  }
  return {
    status: available['status'] === 'True' ? 'Healthy' : 'Progressing',
    message: `${textOf(available, 'reason')}: ${textOf(available, 'message')}`,
  }
}
