import type { HealthStatus } from '../../argo/index.ts'
import {
  degraded,
  type Facts,
  healthy,
  progressing,
  type Rule,
  type Rules,
  show,
  unknown,
} from './facts.ts'

interface Shape {
  /** Whether a failed child, by the reason of its condition, makes the rollout Degraded. */
  readonly isFailure: (reason: string) => boolean
  readonly isProgressive: boolean
  readonly paused?: string
  readonly otherwise: string
}

function rollout(shape: Shape): Rule {
  return (facts) => moving(facts, shape) ?? failing(facts, shape) ?? resting(facts, shape)
}

function moving(facts: Facts, { isProgressive }: Shape): HealthStatus | undefined {
  if (!facts.hasStatus || !facts.isObserved) return progressing('Not yet reconciled')
  const upgrade = show(facts.status('upgradeInProgress'))
  const isUpgrading = upgrade !== '' || facts.status('phase') === 'Pending'
  const hasFailed = isProgressive && facts.isCondition('ProgressiveUpgradeSucceeded', 'False')
  if (isUpgrading && !hasFailed) return progressing('Update in progress')
  const child = facts.conditions?.some(
    ({ type, status, reason }) =>
      type === 'ChildResourcesHealthy' && status === 'False' && reason === 'Progressing',
  )
  return child ? progressing('Child Progressing') : undefined
}

function failing(facts: Facts, { isFailure, isProgressive }: Shape): HealthStatus | undefined {
  if (facts.status('phase') === 'Failed') return degraded(facts.status('message'))
  for (const { type, status, reason, message } of facts.conditions ?? []) {
    if (status !== 'False') continue
    if (type === 'ChildResourcesHealthy' && isFailure(show(reason))) return degraded(message)
    if (isProgressive && type === 'ProgressiveUpgradeSucceeded') {
      return degraded('Progressive upgrade failed')
    }
  }
  return undefined
}

function resting(facts: Facts, { paused, otherwise }: Shape): HealthStatus {
  const pause = facts.conditions?.find(({ type, status }) => type === paused && status === 'True')
  if (paused !== undefined && pause !== undefined) return healthy(pause['message'])
  return facts.isCondition('ChildResourcesHealthy', 'True')
    ? healthy('Healthy')
    : unknown(otherwise)
}

export const numaplaneRules: Rules = {
  'numaplane.numaproj.io/ISBServiceRollout': rollout({
    isFailure: (reason) => reason === 'ISBSvcFailed',
    isProgressive: true,
    otherwise: 'Unknown status',
  }),
  'numaplane.numaproj.io/MonoVertexRollout': rollout({
    isFailure: (reason) => reason === 'MonoVertexFailed',
    isProgressive: true,
    paused: 'MonoVertexPausingOrPaused',
    otherwise: 'Unknown MonoVertex status',
  }),
  'numaplane.numaproj.io/NumaflowControllerRollout': rollout({
    isFailure: (reason) => reason !== 'Progressing',
    isProgressive: false,
    otherwise: 'Unknown status',
  }),
  'numaplane.numaproj.io/PipelineRollout': rollout({
    isFailure: (reason) => reason === 'PipelineFailed',
    isProgressive: true,
    paused: 'PipelinePausingOrPaused',
    otherwise: 'Unknown Pipeline status',
  }),
}
