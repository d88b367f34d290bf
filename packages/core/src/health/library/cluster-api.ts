import {
  byField,
  degraded,
  type Facts,
  firstOf,
  healthy,
  progressing,
  type Rules,
  suspended,
} from './facts.ts'
import { isSet, join } from './strict.ts'

const group = 'cluster.x-k8s.io'

export const clusterApiRules: Rules = {
  [`${group}/Cluster`]: (facts) => {
    if (isSet(facts.at(31, 'spec', 'paused'))) return suspended('Cluster is paused')
    return firstOf(
      [{ type: 'Ready', status: 'False', gives: degraded }],
      byField(
        ['status', 'phase'],
        { Provisioned: healthy('Cluster is running'), Failed: degraded('') },
        progressing('Waiting for clusters'),
      ),
    )(facts)
  },
  [`${group}/Machine`]: (facts) => {
    const phase = facts.status('phase')
    if (phase === 'Running') return healthy('Machine is running')
    const condition = facts.conditions?.find(
      ({ type, status }) => type === 'Ready' && status === 'False',
    )
    const message = condition === undefined ? 'Condition is unknown' : condition['message']
    return (phase === 'Failed' ? degraded : progressing)(message)
  },
  [`${group}/MachineDeployment`]: (facts) =>
    isSet(facts.at(5, 'spec', 'paused'))
      ? suspended('MachineDeployment is paused')
      : deploymentPhase(facts),
  [`${group}/MachineHealthCheck`]: (facts) => {
    const current = facts.status('currentHealthy')
    if (current === undefined) return progressing('')
    return (current === facts.status('expectedMachines') ? healthy : degraded)('')
  },
  [`${group}/MachinePool`]: machinePool,
  'controlplane.cluster.x-k8s.io/AWSManagedControlPlane': awsControlPlane,
}

const deploymentPhase = byField(
  ['status', 'phase'],
  {
    Running: healthy('Machines are running under this deployment'),
    ScalingUp: progressing('Cluster is spawning machines'),
    ScalingDown: progressing('Cluster is stopping machines'),
    Failed: degraded('MachineDeployment is failed'),
  },
  progressing('Waiting for machines'),
)

function machinePool(facts: Facts): ReturnType<typeof healthy> {
  const phase = facts.status('phase')
  const head = phase === undefined ? '' : join(8, 'MachinePool is ', phase)
  const troubles = (facts.conditions ?? [])
    .filter(({ type, status }) => status === 'False' && (type ?? undefined) !== undefined)
    .map(({ type, reason }) => {
      const text = join(27, 'Not ', type)
      return (reason ?? undefined) === undefined ? text : join(29, text, ' (', reason, ')')
    })
  const message = troubles.length > 0 ? `${head}: ${troubles.join(', ')}` : head
  if (phase === 'Running' || phase === 'Scaling') return healthy(message)
  return (phase === 'Failed' || phase === 'Unknown' ? degraded : progressing)(message)
}

function awsControlPlane(facts: Facts): ReturnType<typeof healthy> {
  const { conditions } = facts
  if (conditions === undefined) return progressing('Provisioning...')
  let errors = ''
  for (const { type, status, severity, message } of conditions) {
    if (type === 'Ready' && status === 'True') return healthy('Control plane is ready')
    if (status === 'False' && severity === 'Error') errors = join(26, errors, message, ' ')
  }
  if (errors !== '') return degraded(errors)
  return progressing(
    facts.status('ready') === false
      ? 'Control plane is not ready (.status.ready is false)'
      : 'Control plane is not ready',
  )
}
