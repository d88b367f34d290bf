import type { HealthStatus } from '../../argo/index.ts'
import type { Json } from '../../json/index.ts'
import {
  byField,
  degraded,
  each,
  type Facts,
  healthy,
  numberOf,
  progressing,
  type Rule,
  type Rules,
  show,
  suspended,
  unknown,
} from './facts.ts'
import { concat, fieldOf, isLess, itemsOf, join, plus, stop, typeName, valuesOf } from './strict.ts'

const noInfo = progressing('No status info available')

const mariaCluster: Rule = ({ conditions }) => {
  if (conditions === undefined) return noInfo
  let last: HealthStatus = healthy()
  for (const { status, reason, message } of conditions) {
    if (status === 'False') return (reason === 'Failed' ? degraded : progressing)(message)
    last = healthy(message)
  }
  return last
}

const mariaReady: Rule = ({ conditions }) => {
  if (conditions === undefined) return noInfo
  let last: HealthStatus = noInfo
  for (const { type, status, message } of conditions) {
    if (type === 'Ready') return (status === 'True' ? healthy : degraded)(message)
    last = progressing(message)
  }
  return last
}

const mariaBackup: Rule = ({ conditions }) => {
  if (conditions === undefined) return noInfo
  let last: HealthStatus = healthy()
  for (const { status, reason, message } of conditions) {
    const text = join(7, reason, ' ', message)
    if (status === 'False') {
      const failed = reason === 'CronJobScheduled' && message === 'Failed'
      return (failed ? degraded : progressing)(text)
    }
    last = healthy(text)
  }
  return last
}

const mariaJob: Rule = ({ conditions }) => {
  let last: HealthStatus = noInfo
  for (const { status, reason, message } of conditions ?? []) {
    const text = join(9, reason, ' ', message)
    if (status === 'True' && reason === 'JobComplete') return healthy(text)
    if (status === 'True' && reason === 'JobFailed') return degraded(text)
    last = progressing(text)
  }
  return last
}

function clickhouse(what: string): Rule {
  return byField(
    ['status', 'status'],
    {
      Completed: healthy(`${what} installation completed successfully`),
      InProgress: progressing(`${what} installation in progress`),
    },
    (facts) => {
      const state = facts.status('status')
      return state === undefined
        ? progressing(`${what} status not yet available`)
        : degraded(join(11, `${what} status: `, state))
    },
  )
}

const cnpgPhases: readonly (readonly [(message?: Json) => HealthStatus, readonly string[]])[] = [
  [healthy, ['Cluster in healthy state']],
  [
    progressing,
    [
      'Setting up primary',
      'Creating a new replica',
      'Upgrading cluster',
      'Waiting for the instances to become active',
      'Promoting to primary cluster',
    ],
  ],
  [
    degraded,
    [
      'Switchover in progress',
      'Failing over',
      'Upgrading Postgres major version',
      'Cluster upgrade delayed',
      'Waiting for user action',
      'Primary instance is being restarted in-place',
      'Primary instance is being restarted without a switchover',
      'Cluster cannot execute instance online upgrade due to missing architecture binary',
      'Online upgrade in progress',
      'Applying configuration',
    ],
  ],
  [
    suspended,
    [
      'Unable to create required cluster objects',
      'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
      'Cluster has incomplete or invalid image catalog',
      'Cluster is unrecoverable and needs manual intervention',
    ],
  ],
]

function cnpg(facts: Facts): HealthStatus {
  if (facts.get('metadata', 'annotations', 'cnpg.io/reconciliationLoop') === 'disabled') {
    return suspended('Cluster reconciliation is suspended')
  }
  const reason = facts.at(68, 'status', 'phaseReason')
  if (facts.conditions === undefined) return progressing(reason)
  const hibernation = facts.condition('cnpg.io/hibernation')
  if (hibernation !== undefined) {
    return (hibernation['status'] === 'True' ? suspended : degraded)(hibernation['message'])
  }
  const phase = show(facts.status('phase'))
  const row = cnpgPhases.find(([, phases]) => phases.includes(phase))
  return (row?.[0] ?? unknown)(reason)
}

const clusterUnknown =
  'Cluster status is unknown. Ensure your ArgoCD is current and then check for/file a bug report: https://github.com/argoproj/argo-cd/issues'

function perconaMongo(facts: Facts): HealthStatus {
  if (!facts.hasStatus) return unknown('Cluster status is unknown')
  const message = join(12, ...nodesReady(facts))
  switch (facts.status('state')) {
    case 'initializing':
    case 'stopping':
      return progressing(message)
    case 'ready':
      return healthy(message)
    case 'error':
      return degraded(message)
    case 'paused':
      return suspended(message)
    default:
      return unknown(message)
  }
}

function nodesReady(facts: Facts): readonly (Json | undefined)[] {
  return [facts.status('ready'), '/', facts.status('size'), ' node(s) are ready']
}

function perconaXtra(facts: Facts): HealthStatus {
  const ready = nodesReady(facts)
  switch (facts.status('state')) {
    case 'initializing':
      return progressing(join(6, ...ready))
    case 'ready':
      return healthy(join(12, ...ready))
    case 'paused':
      return unknown('Cluster is paused')
    case 'stopping':
      return degraded(
        join(24, 'Cluster is stopping (', ...ready.slice(0, -1), ' node(s) are ready)'),
      )
    case 'error': {
      const messages = facts.status('message')
      if (typeof messages !== 'object') {
        stop(30, `bad argument #1 to concat (table expected, got ${typeName(messages)})`)
      }
      return degraded(`Cluster is on error: ${concat(30, itemsOf(30, messages), ', ')}`)
    }
    default:
      return unknown(clusterUnknown)
  }
}

const elasticUnknown =
  'status is unknown. Ensure your ArgoCD is current and then check for/file a bug report: https://github.com/argoproj/argo-cd/issues'

function elasticsearch(facts: Facts): HealthStatus {
  const fallback = unknown(`Elasticsearch Cluster ${elasticUnknown}`)
  const nodes = facts.status('availableNodes')
  if (nodes === undefined) return fallback
  let wanted = 0
  for (const node of valuesOf(5, facts.at(5, 'spec', 'nodeSets'))) {
    wanted = plus(6, wanted, fieldOf(6, node, 'count'))
  }
  if (isLess(8, nodes, wanted)) {
    return progressing(
      join(
        10,
        `The desired amount of availableNodes is ${wanted} but the current amount is `,
        nodes,
      ),
    )
  }
  const phase = facts.status('phase')
  if (numberOf(nodes) !== wanted || facts.status('health') === undefined) return fallback
  const check = 'Check the status of indices, replicas and shards'
  if (phase === 'Ready') {
    switch (facts.status('health')) {
      case 'green':
        return healthy('Elasticsearch Cluster status is Green')
      case 'yellow':
        return progressing(`Elasticsearch Cluster status is Yellow. ${check}`)
      case 'red':
        return degraded(`Elasticsearch Cluster status is Red. ${check}`)
      default:
        return fallback
    }
  }
  if (phase === 'ApplyingChanges' || phase === 'MigratingData') {
    return progressing(`Elasticsearch phase is ${phase}`)
  }
  return phase === 'Invalid' ? degraded('Elasticsearch phase is Invalid') : fallback
}

function beat(facts: Facts): HealthStatus {
  const fallback = unknown(`Elastic Beat ${elasticUnknown}`)
  const health = facts.status('health')
  const nodes = facts.status('availableNodes')
  const expected = facts.status('expectedNodes')
  if (health === undefined && expected === undefined) return fallback
  if (health === 'red') return degraded('Elastic Beat status is Red')
  if (health === 'green') return healthy('Elastic Beat status is Green')
  if (health !== undefined && health !== 'yellow') return fallback
  if (health === undefined || nodes === undefined || expected === undefined) {
    return progressing('Elastic Beat phase is progressing')
  }
  const head = 'Elastic Beat status is deploying, there is '
  return progressing(join(15, head, nodes, ' instance(s) on ', expected, ' expected'))
}

export const databaseRules: Rules = {
  'acid.zalan.do/postgresql': (facts) => {
    const state = facts.status('PostgresClusterStatus')
    if (state === undefined) return progressing('Waiting for postgres cluster status...')
    if (state === 'Running') return healthy(state)
    return (state === 'Creating' || state === 'Updating' ? progressing : degraded)(state)
  },
  'beat.k8s.elastic.co/Beat': beat,
  'cassandra.rook.io/Cluster': (facts) => {
    const racks = facts.status('racks')
    const waiting = progressing('Waiting for Cassandra Cluster')
    if (racks === undefined) return waiting
    const isComplete = valuesOf(5, racks).every((rack) => {
      const members = fieldOf(6, rack, 'members')
      const ready = fieldOf(6, rack, 'readyMembers')
      return members === undefined || ready === undefined || members === ready
    })
    return isComplete ? healthy() : waiting
  },
  'clickhouse-keeper.altinity.com/ClickHouseKeeperInstallation': clickhouse('ClickHouseKeeper'),
  'clickhouse.altinity.com/ClickHouseInstallation': clickhouse('ClickHouse'),
  'elasticsearch.k8s.elastic.co/Elasticsearch': elasticsearch,
  'logstash.k8s.elastic.co/Logstash': byField(
    ['status', 'health'],
    {
      green: healthy('Logstash status is Green'),
      yellow: progressing('Logstash status is Yellow'),
      red: degraded('Logstash status is Red'),
    },
    progressing('Waiting for Logstash'),
  ),
  'k8s.mariadb.com/Backup': mariaBackup,
  ...each('k8s.mariadb.com', ['Database', 'Grant', 'User'], () => mariaReady),
  'k8s.mariadb.com/MariaDB': mariaCluster,
  'k8s.mariadb.com/SqlJob': mariaJob,
  'mariadb.mmontes.io/MariaDB': mariaCluster,
  'postgresql.cnpg.io/Cluster': cnpg,
  'psmdb.percona.com/PerconaServerMongoDB': perconaMongo,
  'pxc.percona.com/PerconaXtraDBCluster': perconaXtra,
  'solr.apache.org/SolrCloud': (facts) => {
    const nodes = facts.list('status', 'solrNodes')
    if (nodes === undefined) return progressing('Waiting for solr to exist')
    return nodes.every((node) => node['ready'] === true)
      ? healthy('Solr is ready')
      : progressing('Not all replicas are ready')
  },
  'zookeeper.pravega.io/ZookeeperCluster': (facts) => {
    const ready = facts.status('readyReplicas')
    return facts.hasStatus && ready !== 0 && ready === facts.status('replicas')
      ? healthy('All ZK Nodes have joined the ensemble')
      : progressing('Waiting for ZK Nodes to join the ensemble')
  },
}
