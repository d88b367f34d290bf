import type { HealthStatus } from '../argo/index.ts'
import { getPath, isObject, type Json } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'

/**
 * What kstatus says of an object of any kind: its generation must be observed; then the first condition Reconciling or
 * Stalled that is True decides, then the first Ready; without any of them the object is current.
 *
 * kstatus's Current is Healthy, its InProgress Progressing, its Failed Degraded.
 * Source: sigs.k8s.io/cli-utils v0.37.2 pkg/kstatus/status Compute
 */
export function kstatus(live: Manifest): HealthStatus {
  const generation = integer(getPath(live, 'metadata', 'generation'))
  const observed = integer(getPath(live, 'status', 'observedGeneration'))
  if (generation !== undefined && observed !== undefined && generation !== observed) {
    return {
      status: 'Progressing',
      message: `${live.kind} generation is ${generation}, but latest observed generation is ${observed}`,
    }
  }
  const list = getPath(live, 'status', 'conditions')
  const conditions = Array.isArray(list) ? list.filter(isObject) : []
  for (const { type, status, message } of conditions) {
    if (status !== 'True') continue
    if (type === 'Reconciling') return verdict('Progressing', message)
    if (type === 'Stalled') return verdict('Degraded', message)
  }
  for (const { type, status, message } of conditions) {
    if (type !== 'Ready') continue
    if (status === 'True') return verdict('Healthy', 'Resource is Ready')
    if (status === 'False' || status === 'Unknown') return verdict('Progressing', message)
  }
  return verdict('Healthy', 'Resource is current')
}

function verdict(status: HealthStatus['status'], message: Json | undefined): HealthStatus {
  return typeof message === 'string' && message !== '' ? { status, message } : { status }
}

function integer(value: Json | undefined): number | bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}
