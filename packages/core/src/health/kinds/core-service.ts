import type { HealthStatus } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { requireVersion, typed } from '../read.ts'

/** Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_service.go */
export function service(live: Manifest): HealthStatus {
  requireVersion(live, 'Service', ['v1'])
  const read = typed(live, 'Service')
  const waits =
    read.text('spec', 'type') === 'LoadBalancer' &&
    read.list('status', 'loadBalancer', 'ingress').length === 0
  return { status: waits ? 'Progressing' : 'Healthy' }
}
