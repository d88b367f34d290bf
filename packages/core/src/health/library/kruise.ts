import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  cannotIndex,
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

const strategy = ['spec', 'updateStrategy'] as const
const rolling = [...strategy, 'rollingUpdate'] as const

interface Names {
  readonly title: string
  readonly paused: boolean
  readonly partition: number | undefined
}

function hasItems(value: Json | undefined): boolean {
  return (Array.isArray(value) || typeof value === 'string') && value.length > 0
}

function count(facts: Facts, field: string): number {
  return numberOf(facts.status(field)) ?? 0
}

/** CloneSet and the StatefulSet of Kruise differ in where they keep their strategy. */
function replicated(
  facts: Facts,
  { title, paused, partition }: Names,
  isDone: (updated: number) => boolean,
): HealthStatus {
  if (!facts.hasStatus || !facts.isObserved) return progressing('Waiting for initialization')
  const available = facts.status('updatedAvailableReplicas')
  if (paused || available === undefined) return suspended(`${title} is paused`)
  const generation = numberOf(facts.get('metadata', 'generation')) ?? 0
  if (partition !== 0 && generation > 1) {
    return isDone(count(facts, 'updatedReplicas'))
      ? suspended(`${title} needs manual intervention`)
      : progressing('Waiting for initialization')
  }
  return available === facts.status('replicas')
    ? healthy(`All ${title} workloads are ready and updated`)
    : degraded('Some replicas are not ready or available')
}

export const kruiseRules: Rules = {
  'apps.kruise.io/AdvancedCronJob': (facts) => {
    if (!facts.hasStatus) cannotIndex('lastScheduleTime', 5)
    const scheduled = facts.status('lastScheduleTime')
    if (scheduled === undefined && facts.get('spec', 'paused') === true) {
      return suspended('AdvancedCronJob is Paused')
    }
    if (hasItems(facts.status('active'))) {
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
    return facts.status('phase') === 'paused' && facts.get('spec', 'paused') === true
      ? suspended('BroadcastJob is Paused')
      : running
  },
  'apps.kruise.io/CloneSet': (facts) =>
    replicated(
      facts,
      {
        title: 'Cloneset',
        paused: facts.get(...strategy, 'paused') === true,
        partition: numberOf(facts.get(...strategy, 'partition')),
      },
      (updated) => updated >= count(facts, 'expectedUpdatedReplicas'),
    ),
  'apps.kruise.io/StatefulSet': (facts) => {
    const partition = numberOf(facts.get(...rolling, 'partition'))
    return replicated(
      facts,
      { title: 'Statefulset', paused: facts.get(...rolling, 'paused') === true, partition },
      (updated) => updated > count(facts, 'replicas') - (partition ?? 0),
    )
  },
  'apps.kruise.io/DaemonSet': (facts) => {
    const waiting = progressing('Waiting for initialization')
    if (!facts.hasStatus || !facts.isObserved) return waiting
    const updated = facts.status('updatedNumberScheduled')
    if (facts.get(...rolling, 'paused') === true || updated === undefined) {
      return suspended('Daemonset is paused')
    }
    const desired = facts.status('desiredNumberScheduled')
    const partition = numberOf(facts.get(...rolling, 'partition')) ?? 0
    if (partition !== 0 && (numberOf(facts.get('metadata', 'generation')) ?? 0) > 1) {
      return Number(updated) > Number(desired) - partition
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
    if (!facts.hasStatus) cannotIndex('observedGeneration', 3)
    if (!facts.isObserved) return busy
    if (facts.status('canaryStatus') === undefined) cannotIndex('currentStepState', 5)
    const step = facts.status('canaryStatus', 'currentStepState')
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
