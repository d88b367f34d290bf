import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  byField,
  degraded,
  each,
  type Facts,
  healthy,
  missing,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { isLess, isSet, isText, itemsOf, join, stop, toNumber, typeName } from './strict.ts'

function humio(facts: Facts): HealthStatus {
  const state = facts.status('state')
  const message = `Component state: ${show(state)}.`
  switch (state) {
    case 'Exists':
      return healthy(message)
    case 'NotFound':
      return missing(message)
    case 'ConfigError':
      return degraded(message)
    case 'Unknown':
      return unknown(message)
    default:
      return progressing('Update in progress')
  }
}

const humioStates: {
  readonly [state: string]: readonly [(message?: Json) => HealthStatus, string]
} = {
  Running: [healthy, 'Cluster is in a healthy running state'],
  Restarting: [progressing, 'Cluster pods are being restarted'],
  Upgrading: [progressing, 'Cluster pods are being upgraded'],
  Pending: [progressing, 'Cluster is waiting on resources to be provisioned'],
  ConfigError: [degraded, 'User-provided cluster specification resulted in a configuration error'],
  Unknown: [unknown, 'Component state: Unknown.'],
}

function humioCluster(facts: Facts): HealthStatus {
  if (!facts.hasStatus) facts.at(9, 'status', 'message')
  const state = show(facts.status('state'))
  const row = Object.hasOwn(humioStates, state) ? humioStates[state] : undefined
  if (row === undefined) return progressing('Update in progress')
  return row[0](facts.status('message') ?? row[1])
}

function keptn(field: string): Rule {
  return (facts) => {
    const state = facts.at(2, 'status', field)
    if (state === 'Succeeded') return healthy(`${facts.kind} is healthy`)
    if (state === 'Failed') return degraded(`${facts.kind} is degraded`)
    return progressing(`${facts.kind} is progressing`)
  }
}

function grafana(facts: Facts): HealthStatus {
  const stage = facts.status('stage')
  const result = facts.status('stageStatus')
  if (result === undefined) return progressing('Waiting for Grafana status info')
  if (result === 'failed') return degraded(join(14, 'Failed at stage ', stage))
  return stage === 'complete' && result === 'success' ? healthy('') : progressing(stage)
}

function grafanaObject(facts: Facts): HealthStatus {
  let text = ''
  let gives = progressing
  for (const { type, status, reason, message } of facts.conditions ?? []) {
    if (isNothing(status)) continue
    if (text !== '') text += ', '
    if (!isNothing(reason)) {
      text = join(13, text, reason)
      if (!isNothing(type)) text = join(15, text, ' for ', type)
      if (!isNothing(type) && !isNothing(message)) text = join(17, text, ' because ', message)
    }
    if (status === 'False') {
      gives = degraded
      break
    }
    if (status === 'True') gives = healthy
  }
  return gives(text)
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null
}

function prometheus(facts: Facts): HealthStatus {
  const last = facts.conditions?.findLast(({ type }) => type === 'Available')
  if (last === undefined) return progressing('Waiting for initialization')
  if (last['status'] === 'True') return healthy('All instances are available')
  const text = last['message'] ?? last['reason']
  return (last['reason'] === 'SomePodsNotReady' ? progressing : degraded)(text)
}

function collector(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return progressing('Waiting for OpenTelemetry Collector status')
  const text = facts.status('scale', 'statusReplicas')
  const mode = facts.get('spec', 'mode')
  if (text === undefined) {
    return facts.at(39, 'spec', 'mode') === 'sidecar'
      ? healthy('Collector is running in sidecar mode')
      : progressing('Scale status not available')
  }
  if (!isText(text)) {
    stop(10, `bad argument #1 to match (string expected, got ${typeName(text)})`)
  }
  const numbers = /(\d+)\/(\d+)/.exec(show(text))
  if (numbers === null) return progressing(`Unable to parse replica status: ${show(text)}`)
  const [ready, total] = [Number(numbers[1]), Number(numbers[2])]
  if (ready === 0) {
    return mode === 'daemonset' && total === 0
      ? healthy('DaemonSet has no eligible nodes (0/0)')
      : degraded('No replicas are ready')
  }
  return ready === total
    ? healthy('All replicas are ready')
    : progressing('Replicas are starting up')
}

function victoria(facts: Facts): HealthStatus {
  const observed = facts.status('observedGeneration')
  const generation = facts.get('metadata', 'generation')
  const isStale = generation !== undefined && observed !== undefined && observed !== generation
  if (!facts.hasStatus || isStale) return progressing('Waiting for the operator to reconcile')
  const given = facts.status('reason')
  const reason = given === '' || given === false ? undefined : given
  switch (facts.status('updateStatus')) {
    case 'operational':
      return healthy('All components are operational')
    case 'expanding':
      return progressing(reason ?? 'Reconciliation in progress')
    case 'paused':
      return suspended(reason ?? 'Reconciliation is paused')
    case 'failed':
      return degraded(reason ?? 'Reconciliation failed')
    default:
      return progressing('Waiting for the operator to report status')
  }
}

function datadogMetric(facts: Facts): HealthStatus {
  const error = facts.conditions?.find(({ type, status }) => type === 'Error' && status === 'True')
  if (error !== undefined) {
    const message = error['message'] ?? 'DatadogMetric reported an error'
    const reason = show(error['reason'])
    return degraded(reason === '' ? message : join(13, reason, ': ', message))
  }
  const invalid = facts.conditions?.find(
    ({ type, status }) => type === 'Valid' && status === 'False',
  )
  return invalid === undefined
    ? healthy('DatadogMetric is healthy')
    : degraded(invalid['message'] ?? 'DatadogMetric is not valid')
}

/** Metrics, logs, traces and what judges by them. */
export const observabilityRules: Rules = {
  ...each(
    'core.humio.com',
    [
      'HumioAction',
      'HumioAlert',
      'HumioIngestToken',
      'HumioParser',
      'HumioRepository',
      'HumioView',
    ],
    () => humio,
  ),
  'core.humio.com/HumioCluster': humioCluster,
  'datadoghq.com/DatadogMetric': datadogMetric,
  'flagger.app/Canary': canary,
  'grafana.integreatly.org/Grafana': grafana,
  ...each('grafana.integreatly.org', ['GrafanaDashboard', 'GrafanaFolder'], () => grafanaObject),
  'grafana.integreatly.org/GrafanaDatasource': (facts) => {
    if (!facts.hasStatus || facts.status('uid') === '') return progressing('')
    return isSet(facts.status('NoMatchingInstances'))
      ? degraded("can't find matching grafana instance")
      : healthy('')
  },
  'jaegertracing.io/Jaeger': byField(
    ['status', 'phase'],
    {
      Running: healthy('Jaeger is Running'),
      Failed: degraded('Jaeger Failed For Some Reason'),
    },
    progressing('Waiting for Jaeger'),
  ),
  ...each(
    'lifecycle.keptn.sh',
    ['KeptnAppVersion', 'KeptnTask', 'KeptnWorkloadInstance', 'KeptnWorkloadVersion'],
    () => keptn('status'),
  ),
  'lifecycle.keptn.sh/KeptnEvaluation': keptn('overallStatus'),
  'metrics.keptn.sh/Analysis': (facts) => {
    facts.at(2, 'status', 'pass')
    if (facts.status('pass') === true) return healthy('Analysis is healthy')
    if (facts.status('warning') === true) return healthy('Analysis is healthy with warnings')
    return facts.status('pass') === false
      ? degraded('Analysis is degraded')
      : progressing('Analysis is progressing')
  },
  'metrics.keptn.sh/KeptnMetric': (facts) => {
    const error = facts.at(2, 'status', 'errMsg') ?? ''
    if (error !== '') return degraded('KeptnMetric is degraded')
    return facts.status('value') === undefined
      ? progressing('KeptnMetric is progressing')
      : healthy('KeptnMetric is healthy')
  },
  'monitoring.coreos.com/Prometheus': prometheus,
  'opentelemetry.io/OpenTelemetryCollector': collector,
  'operator.victoriametrics.com/*': victoria,
}

function canary(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return unknown('No status')
  const between = ' --- '
  const weight = facts.status('canaryWeight')
  const phase = facts.status('phase')
  let text = isLess(5, 0, toNumber(weight)) ? join(6, 'Canary Weight: ', weight, ' %') : ''
  if (facts.conditions === undefined) itemsOf(8, facts.status('conditions'))
  for (const condition of facts.conditions ?? []) {
    text = join(12, text === '' ? '' : text + between, condition['message'])
  }
  const message = join(26, phase, between, text)
  switch (phase) {
    case 'Failed':
      return degraded(message)
    case 'Progressing':
    case 'Finalising':
    case 'Promoting':
      return progressing(message)
    case 'Succeeded':
    case 'Initialized':
      return healthy(message)
    default:
      return unknown(message)
  }
}
