import type { HealthStatus } from '../../argo/index.ts'
import { isObject, type JsonObject } from '../../json/index.ts'
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
  return good === 0 ? degraded('Deployment config is degraded') : waiting
}

function route(facts: Facts): HealthStatus {
  const ingress = facts.list('status', 'ingress')
  const waiting = progressing('Route is still getting admitted')
  if (ingress === undefined) return waiting
  let admitted = 0
  for (const { conditions } of ingress) {
    for (const condition of Array.isArray(conditions) ? conditions : []) {
      if (!isObject(condition) || condition['type'] !== 'Admitted') continue
      if (condition['status'] === 'True') admitted++
      if (condition['status'] === 'False') return degraded('Route is degraded')
    }
  }
  return admitted === ingress.length ? healthy('Route is healthy') : waiting
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
    message += `${index + 1}: ${show(type)} | ${show(status)}\n`
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
    message += `.status.state is '${show(state)}'${note}\n`
  }
  if (broken) return degraded(message)
  return (pending ? progressing : healthy)(message)
}

function policy(facts: Facts): HealthStatus {
  if (facts.get('spec', 'disabled') === true) return healthy('Policy is disabled')
  const compliant = facts.status('compliant')
  const clusters = facts.list('status', 'status')
  if (compliant === undefined) {
    const placed = facts.list('status', 'placement')
    return facts.status('status') === undefined && placed !== undefined && placed.length > 0
      ? healthy('No clusters match this policy')
      : progressing(reported)
  }
  const names = (list: readonly JsonObject[], name: (one: JsonObject) => string): string =>
    list
      .filter((one) => one['compliant'] !== 'Compliant')
      .map(name)
      .join(', ')
  const isCompliant = compliant === 'Compliant'
  if (clusters !== undefined) {
    return isCompliant
      ? healthy('All clusters are compliant')
      : degraded(`NonCompliant clusters: ${names(clusters, (one) => show(one['clustername']))}`)
  }
  const details = facts.list('status', 'details')
  if (details !== undefined) {
    return isCompliant
      ? healthy('All templates are compliant')
      : degraded(
          `NonCompliant templates: ${names(details, (one) => {
            const meta = one['templateMeta']
            return isObject(meta) ? show(meta['name']) : ''
          })}`,
        )
  }
  return (isCompliant ? healthy : degraded)()
}

const reported = 'Waiting for the status to be reported'
const updated = 'Waiting for the status to be updated'

function configurationPolicy(facts: Facts): HealthStatus {
  const compliant = facts.status('compliant')
  if (compliant === undefined) return progressing(reported)
  if (facts.status('lastEvaluatedGeneration') !== facts.get('metadata', 'generation')) {
    return progressing(updated)
  }
  const details = facts.list('status', 'compliancyDetails')
  if (details === undefined) return progressing('Waiting for compliance')
  const message = details
    .flatMap(({ conditions }) => (Array.isArray(conditions) ? conditions.filter(isObject) : []))
    .map((one) => `${show(one['type'])} - ${show(one['message'])}`)
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
