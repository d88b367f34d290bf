import { degraded, each, healthy, progressing, type Rules } from './facts.ts'
import { countAt, isLess, join } from './strict.ts'

/** Kinds of Kubernetes itself and of its own projects. */
export const kubernetesRules: Rules = {
  'batch/CronJob': (facts) => {
    // Parity: a suspended CronJob is Healthy
    if (facts.at(3, 'spec', 'suspend') === true) return healthy('CronJob is Suspended')
    if (!facts.hasStatus) return progressing('Waiting for CronJob')
    const scheduled = facts.status('lastScheduleTime')
    const succeeded = facts.status('lastSuccessfulTime')
    if (scheduled === undefined) return healthy('CronJob has not been scheduled yet')
    if (succeeded === undefined) {
      return healthy('The CronJob never completed successfully. It may not be healthy')
    }
    const active = facts.status('active')
    if (active !== undefined && countAt(27, active) > 0) {
      return healthy('The job is running. Its last execution may not have been successful')
    }
    return isLess(35, succeeded, scheduled)
      ? degraded('CronJob has not completed its last execution successfully')
      : healthy('CronJob has completed its last execution successfully')
  },
  'apiextensions.k8s.io/CustomResourceDefinition': (facts) => {
    if (facts.get('metadata', 'deletionTimestamp') !== undefined) {
      return progressing('CRD is terminating')
    }
    facts.at(10, 'status', 'conditions')
    const conditions = facts.conditions ?? []
    if (conditions.length === 0) return progressing('Status conditions not found')
    let isEstablished = false
    for (const { type, status, reason, message } of conditions) {
      if (type === 'Terminating' && status === 'True') {
        return progressing(join(30, 'CRD is terminating: ', message))
      }
      if (type === 'NamesAccepted' && status === 'False') {
        return degraded(join(37, 'CRD names have not been accepted: ', message))
      }
      if (type === 'NonStructuralSchema' && status === 'True') {
        return degraded(join(44, 'Schema violations found: ', message))
      }
      if (type === 'Established') {
        if (status === 'True') isEstablished = true
        else if (reason === 'Installing') return progressing('CRD is being installed')
      }
    }
    return isEstablished ? healthy('CRD is healthy') : degraded('CRD is not established')
  },
  'policy/PodDisruptionBudget': (facts) => {
    let last: string | undefined
    for (const { status, reason } of facts.conditions ?? []) {
      const isBad = status === 'False' && reason !== 'InsufficientPods'
      last = join(isBad ? 14 : 18, 'PodDisruptionBudget has ', reason)
      if (isBad) return degraded(last)
    }
    return last === undefined ? progressing('Waiting for status') : healthy(last)
  },
  ...each('snapshot.storage.k8s.io', ['VolumeSnapshot', 'VolumeSnapshotContent'], () => (facts) => {
    const isReady = facts.status('readyToUse')
    if (isReady !== undefined && isReady !== false) return healthy('Ready to use')
    if (facts.status('error') !== undefined)
      return degraded(facts.at(11, 'status', 'error', 'message'))
    return progressing('Waiting for status')
  }),
}
