import type { HealthStatus } from '../../argo/index.ts'
import { isObject, type JsonObject } from '../../json/index.ts'
import { degraded, each, type Facts, healthy, progressing, type Rules, suspended } from './facts.ts'

function judge({ state, reason }: JsonObject): HealthStatus | undefined {
  switch (state) {
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
      return degraded(reason)
    default:
      return undefined
  }
}

function solo(facts: Facts): HealthStatus {
  const statuses = facts.status('statuses')
  for (const one of isObject(statuses) ? Object.values(statuses) : []) {
    const found = isObject(one) ? judge(one) : undefined
    if (found !== undefined) return found
  }
  const status = facts.status()
  const found = isObject(status) && status['state'] !== undefined ? judge(status) : undefined
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
