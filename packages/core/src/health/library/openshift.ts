import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  byReason,
  degraded,
  type Facts,
  firstOf,
  healthy,
  numberOf,
  progressing,
  type Rules,
  show,
} from './facts.ts'
import { concat, fieldOf, isSet, itemsOf, join, pathOf, valuesOf } from './strict.ts'

function deploymentConfig(facts: Facts): HealthStatus {
  const waiting = progressing('replication controller is waiting for pods to run')
  const { conditions } = facts
  const replicas = facts.status('replicas')
  if (conditions === undefined || replicas === undefined) return waiting
  const good = conditions.filter(
    ({ type, status, reason }) =>
      status === 'True' &&
      (type === 'Available' ||
        (type === 'Progressing' && reason === 'NewReplicationControllerAvailable')),
  ).length
  if (good === 2 || numberOf(replicas) === 0) {
    return healthy('replication controller successfully rolled out')
  }
  return good === 1 ? waiting : degraded('Deployment config is degraded')
}

function route(facts: Facts): HealthStatus {
  const ingress = facts.status('ingress')
  const waiting = progressing('Route is still getting admitted')
  if (ingress === undefined) return waiting
  let admitted = 0
  let refused = 0
  const rules = valuesOf(7, ingress)
  for (const rule of rules) {
    for (const condition of valuesOf(10, fieldOf(10, rule, 'conditions'))) {
      if (fieldOf(11, condition, 'type') !== 'Admitted') continue
      const status = fieldOf(11, condition, 'status')
      if (status === 'True') admitted++
      if (status === 'False') refused++
    }
  }
  if (admitted === rules.length) return healthy('Route is healthy')
  return refused > 0 ? degraded('Route is degraded') : waiting
}

const failures = ['CatalogSourcesUnhealthy', 'InstallPlanFailed', 'ResolutionFailed']

function subscription(facts: Facts): HealthStatus {
  const { conditions } = facts
  if (conditions === undefined) {
    return progressing('An install plan for a subscription is pending installation')
  }
  const isManual =
    facts.get('spec', 'installPlanApproval') === 'Manual' &&
    facts.status('installedCSV') !== undefined &&
    conditions.some(
      ({ type, status, reason }) =>
        type === 'InstallPlanPending' && status === 'True' && reason === 'RequiresApproval',
    )
  let pending = false
  let broken = false
  let message = ''
  conditions.forEach(({ type, status, reason }, index) => {
    if (isManual && type === 'InstallPlanPending') return
    message = join(29, message, index + 1, ': ', type, ' | ', status, '\n')
    if (type === 'InstallPlanPending' && status === 'True') pending = true
    if (type === 'InstallPlanMissing' && reason !== 'ReferencedInstallPlanNotFound') broken = true
    if (failures.includes(show(type)) && status === 'True') broken = true
  })
  const state = facts.status('state')
  if (state === undefined) {
    message += '.status.state not yet known\n'
    pending = true
  } else {
    if (state === '' || state === 'UpgradeAvailable' || (state === 'UpgradePending' && !isManual))
      pending = true
    if (state === 'UpgradeFailed') broken = true
    const isExpected = state === 'UpgradePending' && isManual
    const note = isExpected ? ' (manual InstallPlan approval pending; treated as healthy)' : ''
    message = join(61, message, ".status.state is '", state, `'${note}\n`)
  }
  if (broken) return degraded(message)
  return (pending ? progressing : healthy)(message)
}

function policy(facts: Facts): HealthStatus {
  if (isSet(facts.at(2, 'spec', 'disabled'))) return healthy('Policy is disabled')
  const compliant = facts.status('compliant')
  const clusters = facts.status('status')
  if (compliant === undefined) {
    const placed = facts.list('status', 'placement')
    return facts.status('status') === undefined && placed !== undefined && placed.length > 0
      ? healthy('No clusters match this policy')
      : progressing(reported)
  }
  const gives = compliant === 'Compliant' ? healthy : degraded
  if (clusters !== undefined) {
    return gives(
      outliers('clusters', 46, itemsOf(38, clusters), (one) => fieldOf(40, one, 'clustername')),
    )
  }
  const details = facts.status('details')
  if (details === undefined) return gives()
  return gives(
    outliers('templates', 58, itemsOf(50, details), (one) =>
      pathOf(52, one, 'templateMeta', 'name'),
    ),
  )
}

/** Those that do not comply, whatever the verdict on the whole. */
function outliers(
  what: string,
  line: number,
  entries: readonly Json[],
  nameOf: (entry: Json) => Json | undefined,
): string {
  const names = entries.flatMap((entry): readonly Json[] => {
    if (fieldOf(line === 46 ? 39 : 51, entry, 'compliant') === 'Compliant') return []
    const name = nameOf(entry)
    return name === undefined ? [] : [name]
  })
  return names.length === 0
    ? `All ${what} are compliant`
    : `NonCompliant ${what}: ${concat(line, names, ', ')}`
}

const reported = 'Waiting for the status to be reported'
const updated = 'Waiting for the status to be updated'

function configurationPolicy(facts: Facts): HealthStatus {
  const compliant = facts.status('compliant')
  if (compliant === undefined) return progressing(reported)
  if (facts.status('lastEvaluatedGeneration') !== facts.get('metadata', 'generation')) {
    return progressing(updated)
  }
  const details = facts.status('compliancyDetails')
  if (details === undefined) return progressing('Waiting for compliance')
  const message = itemsOf(19, details)
    .flatMap((one) => {
      const conditions = fieldOf(20, one, 'conditions')
      return conditions === undefined ? [] : itemsOf(21, conditions)
    })
    .flatMap((one) => {
      const text = fieldOf(22, one, 'message')
      const type = fieldOf(22, one, 'type')
      return text === undefined || type === undefined ? [] : [join(23, type, ' - ', text)]
    })
    .join('; ')
  return (compliant === 'Compliant' ? healthy : degraded)(message)
}

/** OpenShift, the Operator Lifecycle Manager and Open Cluster Management. */
export const openshiftRules: Rules = {
  'apps.openshift.io/DeploymentConfig': deploymentConfig,
  'operator.openshift.io/IngressController': firstOf(
    [
      { type: 'Degraded', status: 'True', gives: degraded },
      { type: 'DeploymentReplicasAllAvailable', status: 'False', gives: progressing },
      { type: 'Progressing', status: 'True', gives: progressing, message: byReason },
      {
        type: 'Available',
        status: 'True',
        gives: healthy,
        message: 'IngressController is available',
      },
    ],
    progressing('Status of IngressController is not known yet'),
  ),
  'route.openshift.io/Route': route,
  'operators.coreos.com/Subscription': subscription,
  'policy.open-cluster-management.io/CertificatePolicy': (facts) => {
    const compliant = facts.status('compliant')
    if (compliant === undefined) return progressing(reported)
    return compliant === 'Compliant'
      ? healthy('All certificates found comply with the policy')
      : degraded('At least once certificate does not comply with the policy')
  },
  'policy.open-cluster-management.io/ConfigurationPolicy': configurationPolicy,
  'policy.open-cluster-management.io/OperatorPolicy': (facts) => {
    if (facts.conditions === undefined) return progressing(reported)
    const observed = facts.status('observedGeneration')
    if (observed !== undefined && !facts.isObserved) return progressing(updated)
    const compliant = facts.condition('Compliant')
    if (compliant === undefined) return progressing('Waiting for the compliance condition')
    return (compliant['status'] === 'True' ? healthy : degraded)(compliant['message'])
  },
  'policy.open-cluster-management.io/Policy': policy,
}
