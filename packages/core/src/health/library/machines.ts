import type { HealthStatus } from '../../argo/index.ts'
import {
  degraded,
  type Facts,
  firstOf,
  healthy,
  progressing,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { isSet } from './strict.ts'

function virtualMachine(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('No status available')
  let result: HealthStatus = progressing('No status available')
  for (const { type, status } of facts.conditions ?? []) {
    if (type === 'Paused' && status === 'True') {
      return suspended('Paused')
    }
    if (type !== 'Ready') continue
    if (status === 'True') result = healthy('Running')
    else
      result = isSet(facts.status('created'))
        ? { ...result, message: 'Starting' }
        : suspended('Stopped')
  }
  const printable = facts.status('printableStatus')
  return printable === undefined ? result : { ...result, message: show(printable) }
}

function instance(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('No status available')
  const phase = facts.status('phase') ?? 'No status available'
  switch (phase) {
    case 'Failed':
      return degraded(phase)
    case 'Pending':
    case 'Scheduling':
    case 'Scheduled':
      return progressing(phase)
    case 'Succeeded':
      return suspended(phase)
    case 'Unknown':
      return unknown(phase)
  }
  let result: HealthStatus = progressing(phase)
  for (const { type, status, message } of facts.conditions ?? []) {
    if (type === 'Paused' && status === 'True') return suspended(message)
    if (type === 'Ready') result = status === 'True' ? healthy('Running') : degraded(message)
  }
  return result
}

function isStale(facts: Facts): boolean {
  const generation = facts.get('metadata', 'generation')
  const observed = facts.status('observedGeneration')
  return generation !== undefined && observed !== undefined && observed !== generation
}

/** Virtual machines and nodes. */
export const machineRules: Rules = {
  'kubevirt.io/VirtualMachine': virtualMachine,
  'kubevirt.io/VirtualMachineInstance': instance,
  'karpenter.sh/NodeClaim': (facts) => {
    if (isStale(facts)) return progressing('Waiting for NodeClaim spec to be reconciled')
    const steps = [
      ['Initialized', 'Node initialized, waiting for Ready'],
      ['Registered', 'Node registered, waiting for initialization'],
      ['Launched', 'Node launched, waiting for registration'],
    ] as const
    const disrupted = facts.conditions?.find(
      ({ type, status }) => type === 'Disrupting' && status === 'True',
    )
    if (disrupted !== undefined) return suspended(disrupted['message'])
    return firstOf(
      [
        { type: 'Ready', status: 'True', gives: healthy },
        { type: 'Ready', status: 'False', gives: degraded },
      ],
      () => {
        const step = steps.find(([type]) => facts.isCondition(type, 'True'))
        return progressing(step?.[1] ?? 'Waiting for NodeClaim to be launched')
      },
    )(facts)
  },
}
