import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  byField,
  byMessageOrReason,
  byPriority,
  degraded,
  type Facts,
  firstOf,
  healthy,
  missing,
  numberOf,
  progressing,
  type Rules,
  suspended,
  unknown,
} from './facts.ts'
import { countAt, isLess, isSet, itemsOf } from './strict.ts'

const analysis: {
  readonly [phase: string]: readonly [(message?: Json) => HealthStatus, string]
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
    return gives(gives === progressing ? usual : (own ?? usual))
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
  if (phase === undefined) return legacyRollout(facts)
  const message = facts.status('message')
  // a phase or a message that is no text makes the verdict void
  if (typeof phase !== 'string' || typeof (message ?? '') !== 'string') return undefined
  const gives = Object.hasOwn(phases, phase) ? phases[phase] : undefined
  return gives?.(message) ?? unknown('Lua returned an invalid health status')
}

const phases: { readonly [phase: string]: (message?: Json) => HealthStatus } = {
  Paused: suspended,
  Healthy: healthy,
  Degraded: degraded,
  Missing: missing,
  Progressing: progressing,
  Suspended: suspended,
  Unknown: unknown,
}

function isObserved(facts: Facts): boolean {
  if (!facts.hasStatus) return false
  const observed = integerOf(facts.status('observedGeneration'))
  if (observed !== undefined) {
    const generation = facts.get('metadata', 'generation')
    if (isLess(62, generation, observed)) return isWorkloadObserved(facts)
    if (numberOf(generation) !== observed) return false
  }
  return isWorkloadObserved(facts)
}

function isWorkloadObserved(facts: Facts): boolean {
  if (facts.at(72, 'spec', 'workloadRef') === undefined) return true
  if (facts.get('metadata', 'annotations') === undefined) return true
  const wanted = facts.at(76, 'metadata', 'annotations', 'rollout.argoproj.io/workload-generation')
  return integerOf(wanted) === integerOf(facts.status('workloadObservedGeneration'))
}

/** Controllers before v0.10 report a hash instead of a number. */
function integerOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string') return numberOf(value)
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? undefined : number
}

/** Rollouts of controllers before v1.1, which report no phase. */
function legacyRollout(facts: Facts): HealthStatus {
  if (facts.conditions === undefined) itemsOf(100, facts.status('conditions'))
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
  const updated = facts.status('updatedReplicas') ?? 0
  const behind = replicasBehind(facts, updated)
  if (behind !== undefined) return behind
  const stable = stableHash(facts)
  if (facts.at(137, 'spec', 'strategy', 'blueGreen') !== undefined) {
    const isActive =
      facts.status('blueGreen') !== undefined &&
      facts.at(138, 'status', 'blueGreen', 'activeSelector') === hash
    if (!isActive) return progressing('active service cutover pending')
    if (stable !== '' && stable !== hash) return progressing('waiting for analysis to complete')
  } else if (facts.get('spec', 'strategy', 'canary') !== undefined) {
    if (isLess(151, updated, facts.status('replicas') ?? 0)) {
      return progressing('Waiting for roll out to finish: old replicas are pending termination')
    }
    if (stable === '' || stable !== hash) {
      return progressing('Waiting for rollout to finish steps')
    }
  }
  return healthy('')
}

function stableHash(facts: Facts): Json | undefined {
  const own = facts.status('stableRS')
  if (own !== undefined) return own
  return facts.status('canary') === undefined ? '' : facts.at(28, 'status', 'canary', 'stableRS')
}

function isPaused(facts: Facts): boolean {
  const reasons = facts.status('pauseConditions')
  if (reasons !== undefined && countAt(44, reasons) > 0) return true
  return isSet(facts.at(48, 'spec', 'paused'))
}

function replicasBehind(facts: Facts, updated: Json): HealthStatus | undefined {
  const wanted = facts.at(3, 'spec', 'replicas') ?? 1
  if (isLess(8, updated, wanted)) {
    return progressing('Waiting for roll out to finish: More replicas need to be updated')
  }
  if (isLess(13, facts.status('availableReplicas') ?? 0, updated)) {
    return progressing(
      'Waiting for roll out to finish: updated replicas are still becoming available',
    )
  }
  return undefined
}
