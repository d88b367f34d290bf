import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  degraded,
  type Facts,
  healthy,
  missing,
  numberOf,
  progressing,
  type Rules,
} from './facts.ts'
import { isAtMost, isSet, toNumber, valuesOf } from './strict.ts'

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
  const state = facts.at(62, 'status', 'applicationState', 'state')
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
  if (executors === undefined) return false
  const running = valuesOf(71, executors).filter((state) => state === 'RUNNING').length
  const wanted = facts.at(76, 'spec', 'executor', 'instances')
  if (numberOf(wanted) === running) return true
  const range = executorRange(facts)
  if (range !== undefined) return isAtMost(82, range[0], running) && isAtMost(82, running, range[1])
  return (
    facts.get('spec', 'dynamicAllocation') === undefined && wanted === undefined && running >= 1
  )
}

type Range = readonly [least: Json | undefined, most: Json | undefined]

function executorRange(facts: Facts): Range | undefined {
  const own = ['spec', 'dynamicAllocation'] as const
  if (isSet(facts.get(...own)) && isSet(facts.at(44, ...own, 'enabled'))) {
    const bound = (field: string, otherwise: Json): Json | undefined => {
      const value = facts.get(...own, field)
      return isSet(value) ? value : otherwise
    }
    return [bound('minExecutors', 0), bound('maxExecutors', Number.POSITIVE_INFINITY)]
  }
  if (facts.get('spec', 'sparkConf') === undefined) return undefined
  const prefix = ['spark.streaming.dynamicAllocation', 'spark.dynamicAllocation'].find(
    (name) => facts.at(20, 'spec', 'sparkConf', `${name}.enabled`) === 'true',
  )
  if (prefix === undefined) return undefined
  const bound = (field: string, otherwise: number): Json | undefined => {
    const value = facts.get('spec', 'sparkConf', `${prefix}.${field}`)
    return value === undefined ? otherwise : toNumber(value)
  }
  // a least that is no number counts as no range at all
  const least = bound('minExecutors', 0)
  return least === undefined ? undefined : [least, bound('maxExecutors', Number.POSITIVE_INFINITY)]
}

export const sparkRules: Rules = { 'sparkoperator.k8s.io/SparkApplication': application }
