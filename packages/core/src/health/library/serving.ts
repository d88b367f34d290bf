import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  degraded,
  type Facts,
  firstOf,
  healthy,
  numberOf,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
} from './facts.ts'
import { isLess, join } from './strict.ts'

function operator(kind: string, needed: readonly string[], failing: readonly string[]): Rule {
  return ({ conditions }) => {
    if (conditions === undefined) return progressing(`Waiting for ${kind}`)
    let good = 0
    let bad = 0
    let list = ''
    conditions.forEach(({ type, status }, index) => {
      list = join(8, list, index + 1, ': ', type, ' | ', status, '\n')
      if (status === 'True' && needed.includes(show(type))) good++
      if (status === 'Unknown' || (status === 'False' && failing.includes(show(type)))) bad++
    })
    if (bad > 0) return progressing(list)
    return good === needed.length ? healthy(`${kind} is healthy.`) : degraded(list)
  }
}

function knativeService({ conditions }: Facts): HealthStatus {
  if (conditions === undefined) return progressing('Waiting for status update.')
  let good = 0
  let bad = 0
  let open = 0
  let text = ''
  for (const { type, status, reason, message } of conditions) {
    const isKey = ['ConfigurationsReady', 'RoutesReady', 'Ready'].includes(show(type))
    if (status === 'True' && isKey) good++
    if (status === 'False') bad++
    else if (status === 'Unknown') open++
    else continue
    let part = join(13, type, ' is ', status)
    if ((reason ?? '') !== '') part = join(15, part, ', since ', reason, '.')
    if ((message ?? '') !== '') part = join(18, part, ' ', message)
    text += `${part}\n`
  }
  if (good === 3 && bad === 0 && open === 0) return healthy('Knative Service is healthy.')
  return (bad > 0 ? degraded : progressing)(text)
}

function scaled(waiting: string, failing: (type: string, status: string) => boolean): Rule {
  return (facts) => {
    let isDegraded = false
    let isHealthy = false
    let isSuspended = false
    let text: Json | undefined
    for (const { type, status, message } of facts.conditions ?? []) {
      if (failing(show(type), show(status))) isDegraded = true
      else if (type === 'Ready' && status === 'True') isHealthy = true
      else if (type === 'Paused' && status === 'True') isSuspended = true
      else continue
      text = message
    }
    if (isDegraded) return degraded(text)
    if (isHealthy) return (isSuspended ? suspended : healthy)(text)
    return progressing(waiting)
  }
}

function inferenceService(facts: Facts): HealthStatus {
  const model = facts.status('modelStatus')
  const transition =
    model === undefined ? undefined : facts.at(15, 'status', 'modelStatus', 'transitionStatus')
  const isOld = model !== undefined && transition !== 'UpToDate'
  let text = isOld ? join(21, '0: transitionStatus | ', transition) : ''
  const { conditions } = facts
  if (conditions === undefined) {
    return progressing('Waiting for InferenceService to report status...')
  }
  let troubles = 0
  for (const [index, { type, status, reason, message }] of conditions.entries()) {
    if (type === 'Stopped' && status === 'True') return suspended('InferenceService is Stopped')
    if (status === 'Unknown' || (status === 'False' && type !== 'Stopped')) troubles++
    if (status === 'True' || type === 'Stopped') continue
    text = join(44, text, ' | ', index + 1, ': ', type, ' | ', status)
    if ((reason ?? '') !== '') text = join(46, text, ' | ', reason)
    if ((message ?? '') !== '') text = join(49, text, ' | ', message)
  }
  if (!isOld && troubles === 0) return healthy('InferenceService is healthy.')
  return (isOld && transition !== 'InProgress' ? degraded : progressing)(text)
}

function spinApp(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('Waiting for status to be available')
  let available: Json | undefined = false
  let text: Json | undefined = ''
  let moving: Json | undefined
  for (const { type, status, reason, message } of facts.conditions ?? []) {
    if (type === 'Progressing' && status === 'False') {
      const told = show(message).toLowerCase()
      const isOver = told.includes('timeout') || told.includes('failed')
      if (reason === 'ProgressDeadlineExceeded' || isOver) {
        return degraded(message ?? 'Application deployment has failed')
      }
    }
    if (type === 'Progressing' && status === 'True') {
      moving = message ?? 'Application progress status'
    }
    if (type === 'Available') {
      available = status === 'True'
      text = message ?? 'Application is not available'
    }
  }
  const ready = facts.status('readyReplicas') ?? 0
  const wanted = facts.at(46, 'spec', 'replicas') ?? 1
  if (!available) return degraded(text)
  if (isLess(55, ready, wanted)) {
    return progressing(`Waiting for replicas to be ready (${show(ready)}/${show(wanted)})`)
  }
  if (moving !== undefined) return progressing(moving)
  return healthy(`Application is healthy with ${show(ready)}/${show(wanted)} replicas ready`)
}

/** Functions, services and models that scale by themselves. */
export const servingRules: Rules = {
  'operator.knative.dev/KnativeEventing': operator(
    'KnativeEventing',
    ['Ready', 'InstallSucceeded'],
    ['Ready'],
  ),
  'operator.knative.dev/KnativeServing': operator(
    'KnativeServing',
    ['Ready', 'InstallSucceeded', 'DependenciesInstalled', 'DeploymentsAvailable'],
    ['Ready', 'DeploymentsAvailable'],
  ),
  'serving.knative.dev/Service': knativeService,
  'keda.sh/ScaledJob': scaled(
    'Waiting for ScaledJob',
    (type, status) => type === 'Ready' && (status === 'False' || status === 'Unknown'),
  ),
  'keda.sh/ScaledObject': scaled(
    'Creating HorizontalPodAutoscaler Object',
    (type, status) =>
      (type === 'Ready' && status === 'False') || (type === 'Fallback' && status === 'True'),
  ),
  'openfaas.com/Function': (facts) => {
    const hasReplicas = (numberOf(facts.status('replicas')) ?? 0) > 0
    return firstOf(
      [
        { type: 'Ready', status: 'False', gives: degraded },
        { type: 'Stalled', status: 'True', gives: degraded },
        hasReplicas
          ? { type: 'Ready', status: 'True', gives: healthy }
          : { type: 'Ready', status: 'True', gives: suspended, message: 'No replicas available' },
      ],
      progressing('Waiting for Function'),
    )(facts)
  },
  'serving.kserve.io/InferenceService': inferenceService,
  'core.spinkube.dev/SpinApp': spinApp,
}
