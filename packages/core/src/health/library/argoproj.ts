import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import { annotationsOf } from '../../kube/index.ts'
import {
  byField,
  byMessageOrReason,
  byPriority,
  degraded,
  type Facts,
  firstOf,
  healthy,
  numberOf,
  progressing,
  type Rules,
  suspended,
  unknown,
} from './facts.ts'

const analysis: {
  readonly [phase: string]: readonly [(message?: string) => HealthStatus, string]
} = {
  Pending: [progressing, 'Analysis run is running'],
  Running: [progressing, 'Analysis run is running'],
  Successful: [healthy, 'Analysis run completed successfully'],
  Failed: [degraded, 'Analysis run failed'],
  Error: [degraded, 'Analysis run had an error'],
  Inconclusive: [unknown, 'Analysis run was inconclusive'],
}

export const argoprojRules: Rules = {
  'argoproj.io/AnalysisRun': (facts) => {
    if (!facts.hasStatus) {
      return progressing('Waiting for analysis run to finish: status has not been reconciled.')
    }
    const phase = String(facts.status('phase'))
    const known = Object.hasOwn(analysis, phase) ? analysis[phase] : undefined
    if (known === undefined) return undefined
    const [gives, usual] = known
    const own = facts.status('message')
    return gives(gives === progressing || typeof own !== 'string' ? usual : own)
  },
  'argoproj.io/ApplicationSet': byPriority(
    [
      { type: 'ErrorOccurred', status: 'True', gives: degraded },
      { type: 'ResourcesUpToDate', status: 'False', gives: degraded },
      { type: 'RolloutProgressing', status: 'True', gives: progressing },
      { type: 'ResourcesUpToDate', status: 'True', gives: healthy },
    ],
    progressing('Waiting for the status to be reported'),
  ),
  'argoproj.io/CronWorkflow': firstOf(
    [
      { type: 'SpecError', status: 'True', gives: degraded },
      { type: 'SubmissionError', status: 'True', gives: degraded },
      { type: 'Completed', status: 'True', gives: healthy },
    ],
    healthy('CronWorkflow is healthy.'),
  ),
  'argoproj.io/EventBus': firstOf(
    [
      { type: 'Deployed', status: 'False', gives: degraded, message: byMessageOrReason },
      { type: 'Deployed', status: 'True', gives: healthy, message: byMessageOrReason },
    ],
    progressing('Waiting for initialization'),
  ),
  'argoproj.io/Experiment': byField(
    ['status', 'phase'],
    {
      Pending: progressing('Experiment is pending'),
      Running: progressing('Experiment is running'),
      Successful: healthy('Experiment is successful'),
      Failed: degraded('Experiment has failed'),
      Error: degraded('Experiment had an error'),
    },
    (facts) =>
      facts.hasStatus
        ? undefined
        : progressing('Waiting for experiment to finish: status has not been reconciled.'),
  ),
  'argoproj.io/Rollout': rollout,
}

function rollout(facts: Facts): HealthStatus | undefined {
  if (!isObserved(facts)) return progressing('Waiting for rollout spec update to be observed')
  const phase = facts.status('phase')
  if (phase !== undefined) {
    const message = facts.status('message')
    switch (phase) {
      case 'Paused':
        return suspended(message)
      case 'Healthy':
        return healthy(message)
      case 'Degraded':
        return degraded(message)
      case 'Progressing':
        return progressing(message)
      case 'Suspended':
        return suspended(message)
      default:
        return unknown('Lua returned an invalid health status')
    }
  }
  return legacyRollout(facts)
}

function isObserved(facts: Facts): boolean {
  if (!facts.hasStatus) return false
  if (facts.get('spec', 'workloadRef') !== undefined) {
    const wanted = annotationsOf(facts.manifest)['rollout.argoproj.io/workload-generation']
    const hasAnnotations = facts.get('metadata', 'annotations') !== undefined
    if (
      hasAnnotations &&
      integerOf(wanted) !== integerOf(facts.status('workloadObservedGeneration'))
    ) {
      return false
    }
  }
  const observed = integerOf(facts.status('observedGeneration'))
  const generation = numberOf(facts.get('metadata', 'generation'))
  if (observed === undefined || generation === undefined) return true
  return observed >= generation
}

/** Controllers before v0.10 report a hash instead of a number. */
function integerOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string') return numberOf(value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? undefined : number
}

/** Rollouts of controllers before v1.1, which report no phase. */
function legacyRollout(facts: Facts): HealthStatus {
  for (const { type, reason, message } of facts.conditions ?? []) {
    if (type === 'InvalidSpec') return degraded(message)
    if (
      type === 'Progressing' &&
      (reason === 'RolloutAborted' || reason === 'ProgressDeadlineExceeded')
    ) {
      return degraded(message)
    }
  }
  if (isPaused(facts)) return suspended('Rollout is paused')
  const hash = facts.status('currentPodHash')
  if (hash === undefined) {
    return progressing('Waiting for rollout to finish: status has not been reconciled.')
  }
  const count = (...path: readonly string[]): number => numberOf(facts.get(...path)) ?? 0
  const updated = count('status', 'updatedReplicas')
  const behind = replicasBehind(facts, updated)
  if (behind !== undefined) return behind
  if (facts.get('spec', 'strategy', 'blueGreen') !== undefined) {
    if (facts.status('blueGreen', 'activeSelector') !== hash) {
      return progressing('active service cutover pending')
    }
    const stable = facts.status('stableRS')
    if (stable !== undefined && stable !== hash)
      return progressing('waiting for analysis to complete')
  } else if (facts.get('spec', 'strategy', 'canary') !== undefined) {
    if (count('status', 'replicas') > updated) {
      return progressing('Waiting for roll out to finish: old replicas are pending termination')
    }
    const stable = facts.status('stableRS') ?? facts.status('canary', 'stableRS')
    if (stable === undefined || stable === '' || stable !== hash) {
      return progressing('Waiting for rollout to finish steps')
    }
  }
  return healthy('')
}

function isPaused(facts: Facts): boolean {
  const reasons = facts.status('pauseConditions')
  return (Array.isArray(reasons) && reasons.length > 0) || facts.get('spec', 'paused') === true
}

function replicasBehind(facts: Facts, updated: number): HealthStatus | undefined {
  const wanted = numberOf(facts.get('spec', 'replicas')) ?? 1
  if (updated < wanted) {
    return progressing('Waiting for roll out to finish: More replicas need to be updated')
  }
  if ((numberOf(facts.status('availableReplicas')) ?? 0) < updated) {
    return progressing(
      'Waiting for roll out to finish: updated replicas are still becoming available',
    )
  }
  return undefined
}
