import type { HealthStatus } from '../../argo/index.ts'
import { isObject, type Json } from '../../json/index.ts'
import {
  cannotIndex,
  degraded,
  type Facts,
  healthy,
  missing,
  numberOf,
  progressing,
  type Rules,
} from './facts.ts'

const waiting = progressing('Waiting for Executor pods')

const states: { readonly [state: string]: HealthStatus } = {
  '': progressing('SparkApplication was added, enqueuing it for submission'),
  SUBMITTED: progressing('SparkApplication was submitted successfully'),
  COMPLETED: healthy('SparkApplication was Completed'),
  PENDING_RERUN: progressing('SparkApplication is Pending Rerun'),
  INVALIDATING: missing('SparkApplication is in InvalidatingState'),
  // Parity: the message of Argo CD is broken and indented like its source
  SUCCEEDING: progressing(
    `The driver pod has been completed successfully. The executor pods terminate and are cleaned up.\n${' '.repeat(32)}Under this circumstances, we assume the executor pod are completed.`,
  ),
  UNKNOWN: progressing(
    'SparkApplication is in UnknownState because either driver pod or one or all executor pods in unknown state  ',
  ),
}

function application(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return waiting
  if (facts.status('applicationState') === undefined) cannotIndex('state', 62)
  const state = facts.status('applicationState', 'state')
  if (typeof state !== 'string') return waiting
  if (['FAILED', 'SUBMISSION_FAILED', 'FAILING'].includes(state)) {
    return degraded(facts.status('applicationState', 'errorMessage'))
  }
  if (state === 'RUNNING')
    return isFullyRunning(facts) ? healthy('SparkApplication is Running') : waiting
  return Object.hasOwn(states, state) ? states[state]! : waiting
}

function isFullyRunning(facts: Facts): boolean {
  const executors = facts.status('executorState')
  if (!isObject(executors)) return false
  const running = Object.values(executors).filter((state) => state === 'RUNNING').length
  const wanted = facts.get('spec', 'executor', 'instances')
  if (numberOf(wanted) === running) return true
  const range = executorRange(facts)
  if (range !== undefined) return running >= range[0] && running <= range[1]
  return (
    facts.get('spec', 'dynamicAllocation') === undefined && wanted === undefined && running >= 1
  )
}

function executorRange(facts: Facts): readonly [number, number] | undefined {
  const bound = (value: Json | undefined, otherwise: number): number =>
    value === undefined ? otherwise : Number(value)
  const own = ['spec', 'dynamicAllocation'] as const
  if (facts.get(...own, 'enabled') === true) {
    return [
      bound(facts.get(...own, 'minExecutors'), 0),
      bound(facts.get(...own, 'maxExecutors'), Number.POSITIVE_INFINITY),
    ]
  }
  const prefix = ['spark.streaming.dynamicAllocation', 'spark.dynamicAllocation'].find(
    (name) => facts.get('spec', 'sparkConf', `${name}.enabled`) === 'true',
  )
  if (prefix === undefined) return undefined
  return [
    bound(facts.get('spec', 'sparkConf', `${prefix}.minExecutors`), 0),
    bound(facts.get('spec', 'sparkConf', `${prefix}.maxExecutors`), Number.POSITIVE_INFINITY),
  ]
}

export const sparkRules: Rules = { 'sparkoperator.k8s.io/SparkApplication': application }
