import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  degraded,
  type Facts,
  healthy,
  numberOf,
  progressing,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { isAtMost, isLess, isSet, isText, lengthOf, minus, stop, typeName } from './strict.ts'

const strategy = ['spec', 'updateStrategy'] as const
const rolling = [...strategy, 'rollingUpdate'] as const

function count(facts: Facts, field: string): number {
  return numberOf(facts.status(field)) ?? 0
}

/** CloneSet and the StatefulSet of Kruise differ in where they keep their strategy. */
function replicated(
  facts: Facts,
  title: string,
  path: readonly string[],
  isDone: (updated: Json | undefined, partition: Json | undefined) => boolean,
): HealthStatus {
  if (!facts.hasStatus || !facts.isObserved) return progressing('Waiting for initialization')
  const available = facts.status('updatedAvailableReplicas')
  if (facts.at(7, ...path, 'paused') === true || !isSet(available)) {
    return suspended(`${title} is paused`)
  }
  const partition = facts.at(11, ...path, 'partition')
  if (partition !== 0 && isLess(11, 1, facts.get('metadata', 'generation'))) {
    return isDone(facts.status('updatedReplicas'), partition)
      ? suspended(`${title} needs manual intervention`)
      : progressing('Waiting for initialization')
  }
  return available === facts.status('replicas')
    ? healthy(`All ${title} workloads are ready and updated`)
    : degraded('Some replicas are not ready or available')
}

export const kruiseRules: Rules = {
  'apps.kruise.io/AdvancedCronJob': (facts) => {
    const scheduled = facts.at(5, 'status', 'lastScheduleTime')
    if (scheduled !== undefined && !isText(scheduled)) {
      stop(6, `bad argument #1 to match (string expected, got ${typeName(scheduled)})`)
    }
    if (scheduled === undefined && facts.at(11, 'spec', 'paused') === true) {
      return suspended('AdvancedCronJob is Paused')
    }
    const active = facts.status('active')
    if (active !== undefined && lengthOf(18, active) > 0) {
      return progressing('AdvancedCronJobs has active jobs')
    }
    return scheduled === undefined
      ? degraded('AdvancedCronJobs has not run successfully')
      : healthy('AdvancedCronJobs has run successfully')
  },
  'apps.kruise.io/BroadcastJob': (facts) => {
    const is = (field: string, phase: string): boolean =>
      facts.status(field) !== 0 && facts.status('phase') === phase
    const running = progressing('BroadcastJob is still running')
    if (!facts.hasStatus) return running
    const isDone = facts.status('desired') === facts.status('succeeded')
    if (isDone && facts.status('phase') === 'completed') {
      return healthy('BroadcastJob is completed successfully')
    }
    if (is('active', 'running')) return running
    if (is('failed', 'failed')) return degraded('BroadcastJob failed')
    return facts.status('phase') === 'paused' && facts.at(24, 'spec', 'paused') === true
      ? suspended('BroadcastJob is Paused')
      : running
  },
  'apps.kruise.io/CloneSet': (facts) =>
    replicated(facts, 'Cloneset', strategy, (updated) =>
      isAtMost(12, facts.status('expectedUpdatedReplicas'), updated),
    ),
  'apps.kruise.io/StatefulSet': (facts) =>
    replicated(facts, 'Statefulset', rolling, (updated, partition) =>
      isLess(12, minus(12, facts.status('replicas'), partition), updated),
    ),
  'apps.kruise.io/DaemonSet': (facts) => {
    const waiting = progressing('Waiting for initialization')
    if (!facts.hasStatus || !facts.isObserved) return waiting
    const updated = facts.status('updatedNumberScheduled')
    if (facts.at(7, ...rolling, 'paused') === true || !isSet(updated)) {
      return suspended('Daemonset is paused')
    }
    const desired = facts.status('desiredNumberScheduled')
    const partition = facts.at(11, ...rolling, 'partition') ?? 0
    if (partition !== 0 && isLess(11, 1, facts.get('metadata', 'generation'))) {
      return isLess(12, minus(12, desired, partition), updated)
        ? suspended('Daemonset needs manual intervention')
        : waiting
    }
    if (updated !== desired) return waiting
    if (facts.status('numberAvailable') === desired) {
      return healthy('All Daemonset workloads are ready and updated')
    }
    return facts.status('numberUnavailable') === desired
      ? degraded('Some pods are not ready or available')
      : waiting
  },
  'rollouts.kruise.io/Rollout': (facts) => {
    const busy = progressing('Rollout is still progressing')
    facts.at(3, 'status', 'observedGeneration')
    if (!facts.isObserved) return busy
    const step = facts.at(5, 'status', 'canaryStatus', 'currentStepState')
    const phase = facts.status('phase')
    if (step === 'StepPaused') {
      if (phase === 'Progressing') return suspended('Rollout is Paused need manual intervention')
      if (phase === 'Terminating' || phase === 'Disabled') {
        return degraded('Rollout is Disabled or Terminating')
      }
    }
    return step === 'Completed' && phase === 'Healthy' ? healthy('Rollout is Completed') : busy
  },
  'game.kruise.io/GameServer': (facts) => {
    const current = facts.status('currentState')
    const wanted = facts.status('desiredState')
    if (current !== wanted) {
      return progressing(
        `State change: ${show(current ?? 'Unknown')} → ${show(wanted ?? 'Unknown')}`,
      )
    }
    const pod = facts
      .list('status', 'podStatus', 'conditions')
      ?.find(({ type, status }) => type === 'KruisePodReady' && status !== 'True')
    if (pod !== undefined) return degraded('Pod is not ready: KruisePodReady')
    return current === 'Ready'
      ? healthy('GameServer is Ready')
      : unknown('Waiting for GameServer to be ready')
  },
  'game.kruise.io/GameServerSet': (facts) => {
    const waiting = progressing('Waiting for GameServerSet initialization')
    if (!facts.hasStatus || !facts.isObserved) return waiting
    facts.at(4, ...strategy)
    if (facts.get(...rolling, 'paused') === true) return suspended('GameServerSet is paused')
    const partition = numberOf(facts.get(...rolling, 'partition')) ?? 0
    const replicas = count(facts, 'replicas')
    if (partition !== 0 && count(facts, 'updatedReplicas') >= replicas - partition) {
      return suspended(`Partition=${partition}, waiting for manual intervention`)
    }
    if (count(facts, 'updatedReadyReplicas') === replicas) {
      return healthy('All GameServerSet replicas are updated and ready')
    }
    const ready = count(facts, 'readyReplicas')
    return ready < replicas
      ? progressing(`ReadyReplicas ${ready}/${replicas}, still progressing`)
      : waiting
  },
}
