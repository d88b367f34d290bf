import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import { degraded, each, type Facts, healthy, progressing, type Rules, suspended } from './facts.ts'
import { fieldOf, valuesOf } from './strict.ts'

function judge(status: Json): HealthStatus | undefined {
  const reason = (): Json | undefined => fieldOf(17, status, 'reason')
  switch (fieldOf(8, status, 'state')) {
    case 'Accepted':
    case 1:
      return healthy('The resource has been validated')
    case 'Pending':
    case 0:
      return suspended('The resource has not yet been validated')
    case 'Rejected':
    case 2:
    case 'Warning':
    case 3:
      return degraded(reason())
    default:
      return undefined
  }
}

function solo(facts: Facts): HealthStatus {
  const statuses = facts.status('statuses')
  for (const one of statuses === undefined ? [] : valuesOf(41, statuses)) {
    const found = judge(one)
    if (found !== undefined) return found
  }
  const found = facts.status('state') === undefined ? undefined : judge(facts.status() ?? null)
  return found ?? progressing('Update in progress')
}

export const soloRules: Rules = {
  ...each(
    'gateway.solo.io',
    [
      'Gateway',
      'MatchableHttpGateway',
      'RouteOption',
      'RouteTable',
      'VirtualHostOption',
      'VirtualService',
    ],
    () => solo,
  ),
  ...each('gloo.solo.io', ['Proxy', 'Settings', 'Upstream', 'UpstreamGroup'], () => solo),
}
