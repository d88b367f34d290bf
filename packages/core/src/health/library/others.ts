import type { HealthStatus } from '../../argo/index.ts'
import {
  byField,
  type Condition,
  degraded,
  each,
  type Facts,
  healthy,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { cannotIndex, fieldOf, isLess, isSet, itemsOf, join, lengthOf, stop } from './strict.ts'

function configConnector(facts: Facts): HealthStatus {
  const { kind } = facts
  const observed = facts.status('observedGeneration')
  const isCurrent = observed === undefined || facts.isObserved
  if (!isCurrent) return progressing('Update in progress')
  const own = facts.status('healthy')
  if ((kind === 'ConfigConnector' || kind === 'ConfigConnectorContext') && own !== undefined) {
    return own === true ? healthy(`${kind} is healthy`) : degraded(`${kind} is not healthy`)
  }
  for (const { status, reason, message } of facts.conditions ?? []) {
    if (reason === 'UpToDate' && status === 'True') return healthy(message)
    if (reason === 'UpdateFailed' || reason === 'DependencyNotFound') return degraded(message)
    if (reason === 'DependencyNotReady') return suspended(message)
  }
  return progressing('Update in progress')
}

function flink(facts: Facts): HealthStatus {
  const reconciliation = facts.status('reconciliationStatus')
  if (reconciliation !== undefined) {
    const isDone =
      isSet(fieldOf(4, reconciliation, 'success')) ||
      fieldOf(4, reconciliation, 'state') === 'DEPLOYED'
    if (isDone) return healthy()
    const manager = facts.status('jobManagerDeploymentStatus')
    if (manager === 'DEPLOYED_NOT_READY' || manager === 'DEPLOYING') {
      return progressing('Waiting for deploying')
    }
    if (manager === 'ERROR') return degraded(fieldOf(17, reconciliation, 'error'))
  }
  return progressing('Waiting for Flink operator')
}

function iamRole(facts: Facts): HealthStatus {
  const part = (field: string): string => show(facts.status(field) ?? '<none>')
  const names = `ARN '${part('roleARN')}' and ID '${part('roleID')}'.`
  const state = show(facts.status('state'))
  if (state === 'Ready') return healthy(`Role '${part('roleName')}' exists with ${names}`)
  const failures = ['Error', 'RolesMaxLimitReached', 'PolicyNotAllowed', 'RoleNameNotAvailable']
  if (!failures.includes(state)) return progressing('Waiting for Iamrole to be reconciled')
  const retries = facts.status('retryCount')
  const retry = retries !== undefined && isLess(19, 0, retries) ? `(retry ${show(retries)}) ` : ''
  const error = facts.status('errorDescription')
  const tail = error === undefined ? '' : join(24, ' Reconciliation error was: ', error)
  const head = `Failed to reconcile the Iamrole ${retry}`
  return degraded(`${head}for role '${part('roleName')}' with ${names}${tail}`)
}

const istio: readonly (readonly [string, number, HealthStatus])[] = [
  ['NONE', 0, unknown('Component is not present.')],
  ['UPDATING', 1, progressing('Component is being updated to a different version.')],
  [
    'RECONCILING',
    2,
    progressing(
      'Controller has started but not yet completed reconciliation loop for the component.',
    ),
  ],
  ['HEALTHY', 3, healthy('Component is healthy.')],
  ['ERROR', 4, degraded('Component is in an error state.')],
]

function keycloak(facts: Facts): HealthStatus {
  const { conditions } = facts
  if (conditions === undefined) {
    return progressing('Waiting for Keycloak status conditions to exist')
  }
  const time = (condition: Condition): string =>
    typeof condition['lastTransitionTime'] === 'string' ? condition['lastTransitionTime'] : '\uffff'
  const sorted = [...conditions].sort((a, b) =>
    time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0,
  )
  for (const { type, status, message } of sorted) {
    if (type === 'Ready' && status === 'True') return healthy('')
    if (type === 'HasErrors' && status === 'True')
      return degraded(join(33, 'Has Errors: ', message))
  }
  return progressing('')
}

function godaddySecret(facts: Facts): HealthStatus {
  const state = facts.status('status')
  if (facts.hasStatus && typeof state === 'object') {
    stop(6, 'attempt to call a non-function object')
  }
  if (facts.hasStatus && typeof state !== 'string') cannotIndex(6, state, 'find')
  if (state === 'SUCCESS') return healthy('Fetched ExternalSecret.')
  if (typeof state === 'string' && state.startsWith('ERROR')) {
    return degraded(state.replaceAll('ERROR, ', ''))
  }
  return progressing('Waiting for ExternalSecret.')
}

function managedCertificate(facts: Facts): HealthStatus {
  const failed = facts
    .list('status', 'domainStatus')
    ?.some(({ status }) => status === 'FailedNotVisible')
  if (failed) return degraded('At least one certificate has failed to be provisioned')
  return facts.status('certificateStatus') === 'Active'
    ? healthy('All certificates are active')
    : progressing('At least one certificate is still being provisioned')
}

function contour(
  facts: Facts,
  current: (condition: Condition) => HealthStatus | undefined,
): HealthStatus | undefined {
  const generation = facts.get('metadata', 'generation')
  for (const condition of facts.conditions ?? []) {
    const isCurrent = condition['observedGeneration'] === generation
    const found = isCurrent && condition['type'] === 'Valid' ? current(condition) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function httpProxy(facts: Facts): HealthStatus {
  const { conditions } = facts
  const description = facts.status('description')
  const waiting = progressing('Waiting for status')
  if (conditions === undefined) {
    return facts.status('currentStatus') === undefined ? waiting : progressing(description)
  }
  const generation = facts.get('metadata', 'generation')
  let result = waiting
  for (const { type, status, observedGeneration } of conditions) {
    if ((observedGeneration ?? undefined) !== generation) continue
    if (type === 'Valid' && status === 'True') return healthy(description)
    const includes = facts.at(18, 'spec', 'includes') !== undefined
    if (includes && status === 'False') {
      result = healthy('HTTPProxy inclusions cannot be health checked')
    } else if (type === 'Valid' && status === 'False') return degraded(description)
  }
  return result
}

const sapService: Rule = (facts) => {
  if (isSet(facts.get('metadata', 'deletionTimestamp'))) {
    return progressing('Resource is being deleted')
  }
  const { conditions } = facts
  if (conditions === undefined) return progressing('Waiting for status')
  const generation = facts.get('metadata', 'generation')
  for (const { type, status, message, observedGeneration } of conditions) {
    const isKnown = generation !== undefined && (observedGeneration ?? undefined) !== undefined
    if (isKnown && observedGeneration !== generation) {
      return progressing('Waiting for spec update to be observed')
    }
    if ((type === 'Succeeded' && status === 'False') || (type === 'Failed' && status === 'True')) {
      return degraded(message ?? '')
    }
  }
  return healthy('Ready to use')
}

const karmada: Rule = (facts) => {
  const insufficient = progressing('Current resource status is insufficient')
  if (!facts.hasStatus) return insufficient
  const clusters = facts.at(8, 'spec', 'clusters')
  const wanted = clusters === undefined ? 0 : lengthOf(8, clusters)
  const items = facts.status('aggregatedStatus')
  if (wanted === 0 || items === undefined || lengthOf(14, items) !== wanted) return insufficient
  const isBad = itemsOf(20, items).some((item) => {
    const health = fieldOf(21, item, 'health')
    if (health === 'Unhealthy') return true
    return health === 'Unknown' && fieldOf(28, item, 'applied') !== true
  })
  return isBad ? degraded('Current resource status is unhealthy') : healthy()
}

function spot(facts: Facts): HealthStatus | undefined {
  const { conditions } = facts
  if (conditions === undefined) return undefined
  for (const { type, status, reason, message } of conditions) {
    if (type === 'InvalidSpec') return degraded(message)
    if (
      type === 'Progressing' &&
      (reason === 'RolloutAborted' || reason === 'ProgressDeadlineExceeded')
    ) {
      return degraded(message)
    }
    if (type === 'Paused' && status === 'True') return suspended('Rollout is paused')
  }
  return facts.status('phase') === 'Progressing'
    ? progressing('Waiting for rollout to finish steps')
    : healthy('')
}

function ansibleJob(facts: Facts): HealthStatus {
  const status = facts.status('ansibleJobResult', 'status')
  const url = facts.status('ansibleJobResult', 'url')
  const tell = (line: number): string => join(line, status, ' job - ', url)
  if (status === 'successful') return healthy(tell(7))
  if (['failed', 'error', 'canceled'].includes(show(status))) return degraded(tell(12))
  if (['new', 'pending', 'waiting', 'running'].includes(show(status))) return progressing(tell(17))
  return progressing('Waiting for AnsibleJob')
}

const shootStates: { readonly [state: string]: HealthStatus } = {
  healthy: healthy('Component state: Healthy'),
  progressing: progressing('Component state: Update in progress'),
  unhealthy: degraded('Component state: Unhealthy'),
  unknown: unknown('Component state: Unknown'),
}

/** Kinds that are alone in their family. */
export const otherRules: Rules = {
  '*.cnrm.cloud.google.com/*': configConnector,
  'core.gardener.cloud/Shoot': byField(
    ['metadata', 'labels', 'shoot.gardener.cloud/status'],
    shootStates,
    progressing('Update in progress'),
  ),
  'flink.apache.org/FlinkDeployment': flink,
  'iammanager.keikoproj.io/Iamrole': iamRole,
  'install.istio.io/IstioOperator': (facts) => {
    const state = facts.status('status')
    const row = istio.find(([name, number]) => state === name || state === number)
    return row?.[2] ?? progressing('Waiting for Istio Control Plane')
  },
  'k8s.keycloak.org/Keycloak': keycloak,
  'kubernetes-client.io/ExternalSecret': godaddySecret,
  'networking.gke.io/ManagedCertificate': managedCertificate,
  'projectcontour.io/ExtensionService': (facts) =>
    contour(facts, ({ status, message }) => {
      if (status === 'True') return healthy(message)
      return status === 'False' ? degraded(message) : undefined
    }) ?? progressing('Waiting for status'),
  'projectcontour.io/HTTPProxy': httpProxy,
  ...each('services.cloud.sap.com', ['ServiceBinding', 'ServiceInstance'], () => sapService),
  'spot.io/SpotDeployment': spot,
  'tower.ansible.com/AnsibleJob': ansibleJob,
  ...each('work.karmada.io', ['ClusterResourceBinding', 'ResourceBinding'], () => karmada),
  'proclaim.dogmatiq.io/DNSSDServiceInstance': (facts) => {
    // of several conditions of a type the last counts
    const last = (name: string): Condition =>
      facts.conditions?.findLast(({ type }) => type === name) ?? {}
    const adopted = last('Adopted')
    if (adopted['status'] === 'False') return degraded(adopted['message'])
    const advertised = last('Advertised')
    if (['AdvertiseError', 'UnadvertiseError'].includes(show(advertised['reason']))) {
      return degraded(advertised['message'])
    }
    const { status, reason, message } = last('Discoverable')
    if (reason === 'DiscoveryError') return unknown(message)
    return (status === 'True' ? healthy : progressing)(message)
  },
}
