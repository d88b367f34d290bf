import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  degraded,
  type Facts,
  healthy,
  numberOf,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
} from './facts.ts'

type Bad = readonly [type: string, text: string, gives?: (message?: Json) => HealthStatus]

const group = 'capabilities.3scale.net'

/** The first condition that is True and known decides. */
function capability(
  kind: string,
  good: 'Ready' | 'Synced',
  bad: readonly Bad[],
  called = kind,
): Rule {
  return (facts) => {
    for (const { type, status, message } of facts.conditions ?? []) {
      if (status !== 'True') continue
      if (type === good) return healthy(`3scale ${called} is ${good.toLowerCase()}`)
      const row = bad.find(([name]) => name === type)
      if (row !== undefined) return (row[2] ?? degraded)(message ?? row[1])
    }
    return progressing(`Waiting for 3scale ${called} status...`)
  }
}

function problems(
  kind: string,
  types: readonly ('Invalid' | 'Orphan' | 'Failed')[],
): readonly Bad[] {
  const texts = {
    Invalid: 'configuration is invalid',
    Orphan: 'references non-existing resources',
    Failed: 'synchronization failed',
  }
  return types.map((type) => [type, `3scale ${kind} ${texts[type]}`])
}

function isPositive(facts: Facts, field: string): boolean {
  return (numberOf(facts.status(field)) ?? 0) > 0
}

function application(facts: Facts): HealthStatus {
  if (facts.status('state') === 'suspended') return suspended('3scale Application is suspended')
  const condition = facts.condition('Ready')
  if (condition?.['status'] === 'True') return healthy('3scale Application is ready')
  if (condition !== undefined && !isPositive(facts, 'adminId')) {
    return degraded(condition['message'] ?? '3scale Application is not ready')
  }
  return progressing('Waiting for 3scale Application status...')
}

function tenant(facts: Facts): HealthStatus {
  for (const { type, status, message } of facts.conditions ?? []) {
    if (type !== 'Ready') continue
    if (status !== 'True') return degraded(message ?? '3scale Tenant is degraded')
    if (isPositive(facts, 'tenantId') && isPositive(facts, 'adminId')) {
      return healthy('3scale Tenant is ready')
    }
  }
  return progressing('Waiting for 3scale Tenant status...')
}

function apiManager(facts: Facts): HealthStatus {
  const available = healthy('3scale APIManager is available')
  const has = (field: string): boolean => facts.status('deployments', field) !== undefined
  if (has('ready') && !has('starting') && !has('stopped')) return available
  for (const { type, status, reason } of facts.conditions ?? []) {
    if (type !== 'Available') continue
    if (status === 'True') return available
    if (show(reason) !== '') return degraded(`3scale APIManager is degraded: ${show(reason)}`)
  }
  return progressing('Waiting for 3scale APIManager status...')
}

const developerUser = capability(
  'DeveloperUser',
  'Ready',
  problems('DeveloperUser', ['Invalid', 'Orphan', 'Failed']),
)

export const threescaleRules: Rules = {
  'apps.3scale.net/APIManager': apiManager,
  [`${group}/ActiveDoc`]: capability(
    'ActiveDoc',
    'Ready',
    problems('ActiveDoc', ['Invalid', 'Orphan', 'Failed']),
  ),
  [`${group}/Application`]: application,
  [`${group}/ApplicationAuth`]: capability('ApplicationAuth', 'Ready', [
    ['Failed', '3scale ApplicationAuth failed'],
  ]),
  [`${group}/Backend`]: capability('Backend', 'Synced', problems('Backend', ['Invalid', 'Failed'])),
  [`${group}/CustomPolicyDefinition`]: capability(
    'CustomPolicyDefinition',
    'Ready',
    problems('CustomPolicyDefinition', ['Invalid', 'Failed']),
  ),
  [`${group}/DeveloperAccount`]: capability('DeveloperAccount', 'Ready', [
    ...problems('DeveloperAccount', ['Invalid', 'Failed']),
    ['Waiting', '3scale DeveloperAccount is waiting for approval', suspended],
  ]),
  [`${group}/DeveloperUser`]: (facts) =>
    facts.status('developerUserState') === 'suspended'
      ? suspended('3scale Developer user is waiting for admin approval')
      : developerUser(facts),
  [`${group}/OpenAPI`]: capability('OpenAPI', 'Ready', [
    ...problems('OpenAPI', ['Invalid']),
    ['Failed', '3scale OpenAPI reconciliation failed'],
  ]),
  [`${group}/Product`]: capability(
    'Product',
    'Synced',
    problems('Product', ['Invalid', 'Orphan', 'Failed']),
  ),
  [`${group}/ProxyConfigPromote`]: capability('ProxyConfigPromote', 'Ready', [
    ['Failed', '3cale ProxyConfigPromote failed'],
    ['In-progress', '3scale ProxyConfigPromote is in progress', progressing],
  ]),
  [`${group}/Tenant`]: tenant,
}
