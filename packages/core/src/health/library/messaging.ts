import type { Json } from '../../json/index.ts'
import {
  byField,
  degraded,
  each,
  type Facts,
  healthy,
  numberOf,
  progressing,
  type Row,
  type Rule,
  type Rules,
  show,
  unknown,
} from './facts.ts'
import { fieldOf, pathOf, valuesOf } from './strict.ts'

function strimzi(waiting: string, creatingReasons: readonly string[] = []): Rule {
  const rows: readonly Row[] = [
    { type: 'NotReady', status: 'True', gives: degraded },
    { type: 'Ready', status: 'True', gives: healthy, message: '' },
  ]
  return (facts) => {
    for (const condition of facts.conditions ?? []) {
      const { type, status, reason, message } = condition
      const isCreating = type === 'NotReady' && creatingReasons.includes(show(reason))
      const row = rows.find((one) => one.type === type && one.status === status)
      if (row === undefined || isCreating) continue
      return row.gives(row.message === undefined ? message : '')
    }
    return progressing(waiting)
  }
}

function rabbit(kind: string): Rule {
  const what = `RabbitMQ ${kind.toLowerCase()}`
  return (facts) => {
    for (const { type, status, reason } of facts.conditions ?? []) {
      if (type !== 'Ready') continue
      if (status === 'True' && reason === 'SuccessfulCreateOrUpdate') {
        return healthy(`${what} ready`)
      }
      if (status === 'False' && reason === 'FailedCreateOrUpdate') {
        return degraded(`${what} failed to be created or updated`)
      }
    }
    return unknown(`${what} status is unknown`)
  }
}

function rabbitCluster(facts: Facts): ReturnType<typeof healthy> {
  const failed = facts.conditions?.find(
    ({ type, status }) => type === 'ReconcileSuccess' && status === 'False',
  )
  if (failed !== undefined) return degraded(failed['message'])
  const last = (name: string): Json | undefined =>
    facts.conditions?.findLast(({ type }) => type === name)?.['status']
  const cluster = last('ClusterAvailable')
  const replicas = last('AllReplicasReady')
  if (cluster === 'Unknown' || replicas === 'Unknown') {
    return progressing('Waiting for RabbitMQ cluster readiness (conditions unknown)')
  }
  if (cluster === 'False') return progressing('Waiting for RabbitMQ cluster formation')
  if (replicas === 'False') return progressing('Waiting for RabbitMQ instances ready')
  if (cluster === 'True' && replicas === 'True') return healthy('RabbitMQ cluster ready')
  return progressing('Waiting for RabbitMQ Operator')
}

function banzai(facts: Facts): ReturnType<typeof healthy> {
  const waiting = progressing('Waiting for KafkaCluster')
  const brokers = facts.status('brokersState')
  const state = facts.status('state')
  if (state === 'ClusterRollingUpgrading') return progressing('Kafka Cluster is Rolling Upgrading.')
  if (brokers === undefined) return waiting
  const states = valuesOf(11, brokers).map((broker) => {
    if (fieldOf(13, broker, 'configurationState') !== 'ConfigInSync') return undefined
    return pathOf(14, broker, 'gracefulActionState', 'cruiseControlState')
  })
  const inSync = states.every((one) =>
    ['GracefulUpscaleSucceeded', 'GracefulDownscaleSucceeded'].includes(show(one)),
  )
  if (!inSync) return degraded('Broker Config is out of Sync or CruiseControlState is not Ready')
  const topic = facts.status('cruiseControlTopicStatus')
  if (topic === 'CruiseControlTopicReady' && state === 'ClusterRunning') {
    return healthy('Kafka Brokers, CruiseControl and cluster are in Healthy State.')
  }
  if (
    (topic === undefined || topic === 'CruiseControlTopicNotReady') &&
    state === 'ClusterReconciling'
  ) {
    return progressing('Kafka Cluster is Reconciling.')
  }
  return waiting
}

function confluentConnector(facts: Facts): ReturnType<typeof healthy> {
  const failed = facts.status('failedTasksCount')
  const state = facts.status('state')
  if (state === undefined) return progressing('Waiting for Kafka Connector')
  if (state === 'CREATED' && facts.status('connectorState') === 'RUNNING' && failed === undefined) {
    return healthy('Connector running')
  }
  if (state === 'ERROR') {
    const [first] = facts.conditions ?? []
    return degraded(first === undefined ? 'No conditions available' : first['message'])
  }
  if ((numberOf(failed) ?? 0) > 0) return degraded('Connector has failed tasks')
  return progressing('Waiting for Kafka Connector')
}

export const messagingRules: Rules = {
  'kafka.strimzi.io/Kafka': strimzi('Waiting for Kafka Cluster', ['Creating']),
  'kafka.strimzi.io/KafkaBridge': strimzi('Waiting for KafkaBridge'),
  'kafka.strimzi.io/KafkaConnect': strimzi('Waiting for Kafka Connect'),
  'kafka.strimzi.io/KafkaConnector': strimzi('Waiting for KafkaConnector'),
  'kafka.strimzi.io/KafkaTopic': strimzi('Waiting for Kafka Topic'),
  'kafka.strimzi.io/KafkaUser': strimzi('Waiting for Kafka User'),
  ...each(
    'rabbitmq.com',
    ['Binding', 'Exchange', 'Permission', 'Policy', 'Queue', 'Shovel', 'User', 'Vhost'],
    rabbit,
  ),
  'rabbitmq.com/RabbitmqCluster': rabbitCluster,
  'kafka.banzaicloud.io/KafkaCluster': banzai,
  ...each(
    'platform.confluent.io',
    ['Connect', 'ControlCenter', 'Kafka', 'KsqlDB', 'SchemaRegistry', 'Zookeeper'],
    (kind) =>
      byField(
        ['status', 'phase'],
        { RUNNING: healthy(`${kind} running`), PROVISIONING: progressing(`${kind} provisioning`) },
        progressing(`Waiting for ${kind}`),
      ),
  ),
  'platform.confluent.io/Connector': confluentConnector,
}
