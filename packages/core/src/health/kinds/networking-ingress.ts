import type { HealthStatus } from '../../argo/index.ts'
import { getPath } from '../../json/index.ts'
import type { Manifest } from '../../kube/index.ts'

/** Any version, untyped. Source: argo-cd v3.5.1 gitops-engine/pkg/health/health_ingress.go */
export function ingress(live: Manifest): HealthStatus {
  const addresses = getPath(live, 'status', 'loadBalancer', 'ingress')
  const ready = Array.isArray(addresses) && addresses.length > 0
  return { status: ready ? 'Healthy' : 'Progressing' }
}
