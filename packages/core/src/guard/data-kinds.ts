import { getPath, isObject, type Json } from '../json/index.ts'
import { annotationsOf, type Manifest } from '../kube/index.ts'

/** What becomes of the data when the object is deleted, as far as the object tells. */
export type DataFate = 'destroyed' | 'possible' | 'kept'

export interface DataKind {
  /** `group/Kind`; a group that begins with `*.` stands for everything below it. */
  readonly kind: string
  /** What is lost, to be read after "destroys ". */
  readonly what: string
  /** What decides, in a few words. */
  readonly because: string
  /** Where the object itself decides; 'destroyed' otherwise. */
  readonly fate?: (object: Manifest) => DataFate
}

const at = (object: Manifest, path: string): Json | undefined => getPath(object, ...path.split('.'))

const finalizer =
  (...names: readonly string[]) =>
  (object: Manifest): DataFate => {
    const list = at(object, 'metadata.finalizers')
    return Array.isArray(list) && names.some((name) => list.includes(name)) ? 'destroyed' : 'kept'
  }

const field =
  (path: string, destroys: (value: Json | undefined) => boolean) =>
  (object: Manifest): DataFate =>
    destroys(at(object, path)) ? 'destroyed' : 'kept'

const annotation =
  (name: string, keeps: string) =>
  (object: Manifest): DataFate =>
    annotationsOf(object)[name] === keeps ? 'kept' : 'destroyed'

/** Some part of the object says `deleteClaim: true`; Strimzi keeps the claims otherwise. */
const deletesClaims = (object: Manifest): DataFate =>
  contains(object['spec'], (value) => value['deleteClaim'] === true) ? 'destroyed' : 'kept'

function contains(
  value: Json | undefined,
  test: (object: { readonly [key: string]: Json }) => boolean,
): boolean {
  if (Array.isArray(value)) return value.some((item) => contains(item, test))
  if (!isObject(value)) return false
  return test(value) || Object.values(value).some((item) => contains(item, test))
}

/** A managed resource of Crossplane. */
const crossplane = (object: Manifest): DataFate => {
  if (at(object, 'spec.deletionPolicy') === 'Orphan') return 'kept'
  const policies = at(object, 'spec.managementPolicies')
  const all = !Array.isArray(policies) || policies.includes('*') || policies.includes('Delete')
  return all ? 'destroyed' : 'kept'
}

const ack = annotation('services.k8s.aws/deletion-policy', 'retain')
const configConnector = annotation('cnrm.cloud.google.com/deletion-policy', 'abandon')

/**
 * Kinds of others behind which data lies, with what their operators do by default when the object is deleted. It is not
 * complete and cannot be: a kind that is not here is not safe, it is unknown. One line each; the first that fits counts.
 *
 * Source: the documentation of each operator
 */
export const dataKinds: readonly DataKind[] = [
  // PostgreSQL
  {
    kind: 'postgresql.cnpg.io/Cluster',
    what: 'the PostgreSQL cluster',
    because: 'CloudNativePG owns its claims',
  },
  {
    kind: 'postgresql.cnpg.io/Database',
    what: 'the database',
    because: 'spec.databaseReclaimPolicy',
    fate: field('spec.databaseReclaimPolicy', (value) => value === 'delete'),
  },
  {
    kind: 'acid.zalan.do/postgresql',
    what: 'the PostgreSQL cluster',
    because:
      'the operator deletes the claims unless enable_persistent_volume_claim_deletion is off',
    fate: () => 'possible',
  },
  {
    kind: 'postgres-operator.crunchydata.com/PostgresCluster',
    what: 'the PostgreSQL cluster',
    because: 'the operator deletes its claims',
  },
  {
    kind: 'pgv2.percona.com/PerconaPGCluster',
    what: 'the PostgreSQL cluster',
    because: 'the finalizer percona.com/delete-pvc',
    fate: finalizer('percona.com/delete-pvc'),
  },
  // MySQL and relatives
  {
    kind: 'pxc.percona.com/PerconaXtraDBCluster',
    what: 'the MySQL cluster',
    because: 'the finalizer percona.com/delete-pxc-pvc',
    fate: finalizer('percona.com/delete-pxc-pvc', 'delete-pxc-pvc'),
  },
  {
    kind: 'ps.percona.com/PerconaServerMySQL',
    what: 'the MySQL cluster',
    because: 'the finalizer percona.com/delete-mysql-pvc',
    fate: finalizer('percona.com/delete-mysql-pvc'),
  },
  {
    kind: 'k8s.mariadb.com/Database',
    what: 'the database',
    because: 'spec.cleanupPolicy',
    fate: field('spec.cleanupPolicy', (value) => value !== 'Skip'),
  },
  // documents, search, wide columns
  {
    kind: 'psmdb.percona.com/PerconaServerMongoDB',
    what: 'the MongoDB cluster',
    because: 'the finalizer percona.com/delete-psmdb-pvc',
    fate: finalizer('percona.com/delete-psmdb-pvc', 'delete-psmdb-pvc'),
  },
  {
    kind: 'elasticsearch.k8s.elastic.co/Elasticsearch',
    what: 'the Elasticsearch cluster',
    because: 'spec.volumeClaimDeletePolicy',
    fate: field('spec.volumeClaimDeletePolicy', (value) => value !== 'DeleteOnScaledownOnly'),
  },
  {
    kind: 'cassandra.datastax.com/CassandraDatacenter',
    what: 'the Cassandra datacenter',
    because: 'cass-operator deletes its claims',
  },
  {
    kind: 'k8ssandra.io/K8ssandraCluster',
    what: 'the Cassandra cluster',
    because: 'its datacenters are deleted',
  },
  {
    kind: 'clickhouse.altinity.com/ClickHouseInstallation',
    what: 'the ClickHouse installation',
    because: 'reclaimPolicy of its claim templates',
    fate: (object) =>
      contains(object['spec'], (value) => value['reclaimPolicy'] === 'Retain')
        ? 'possible'
        : 'destroyed',
  },
  {
    kind: 'solr.apache.org/SolrCloud',
    what: 'the Solr cloud',
    because: 'spec.dataStorage.persistent.reclaimPolicy',
    fate: field('spec.dataStorage.persistent.reclaimPolicy', (value) => value === 'Delete'),
  },
  // queues and caches
  {
    kind: 'rabbitmq.com/RabbitmqCluster',
    what: 'the RabbitMQ cluster',
    because: 'it owns its claims',
  },
  {
    kind: 'rabbitmq.com/Queue',
    what: 'the messages of the queue',
    because: 'spec.deletionPolicy',
    fate: field('spec.deletionPolicy', (value) => value !== 'retain'),
  },
  {
    kind: 'kafka.strimzi.io/Kafka',
    what: 'the Kafka cluster',
    because: 'deleteClaim of its storage',
    fate: deletesClaims,
  },
  {
    kind: 'kafka.strimzi.io/KafkaNodePool',
    what: 'the Kafka nodes',
    because: 'deleteClaim of its storage',
    fate: deletesClaims,
  },
  {
    kind: 'kafka.strimzi.io/KafkaTopic',
    what: 'the messages of the topic',
    because: 'the topic operator deletes the topic',
    fate: annotation('strimzi.io/managed', 'false'),
  },
  {
    kind: 'databases.spotahome.com/RedisFailover',
    what: 'the Redis data',
    because: 'spec.redis.storage.keepAfterDeletion',
    fate: field('spec.redis.storage.keepAfterDeletion', (value) => value !== true),
  },
  {
    kind: 'zookeeper.pravega.io/ZookeeperCluster',
    what: 'the ZooKeeper data',
    because: 'spec.persistence.reclaimPolicy',
    fate: field('spec.persistence.reclaimPolicy', (value) => value === 'Delete'),
  },
  // storage systems and machines
  {
    kind: 'ceph.rook.io/CephCluster',
    what: 'the Ceph cluster',
    because: 'spec.cleanupPolicy.confirmation',
    fate: field('spec.cleanupPolicy.confirmation', (value) => value === 'yes-really-destroy-data'),
  },
  {
    kind: 'ceph.rook.io/CephBlockPool',
    what: 'the images of the pool',
    because: 'the pool is deleted',
  },
  {
    kind: 'ceph.rook.io/CephFilesystem',
    what: 'the filesystem',
    because: 'spec.preserveFilesystemOnDelete',
    fate: field('spec.preserveFilesystemOnDelete', (value) => value !== true),
  },
  {
    kind: 'ceph.rook.io/CephObjectStore',
    what: 'the object store',
    because: 'spec.preservePoolsOnDelete',
    fate: field('spec.preservePoolsOnDelete', (value) => value !== true),
  },
  {
    kind: 'objectbucket.io/ObjectBucketClaim',
    what: 'the bucket',
    because: 'its class reclaims it',
    fate: () => 'possible',
  },
  { kind: 'longhorn.io/Volume', what: 'the volume', because: 'its replicas are deleted' },
  { kind: 'cdi.kubevirt.io/DataVolume', what: 'the disk', because: 'it owns its claim' },
  {
    kind: 'kubevirt.io/VirtualMachine',
    what: 'the disks of the machine',
    because: 'dataVolumeTemplates are deleted with it',
    fate: field('spec.dataVolumeTemplates', (value) => Array.isArray(value) && value.length > 0),
  },
  {
    kind: 'cluster.x-k8s.io/Cluster',
    what: 'a whole cluster with its machines',
    because: 'Cluster API deletes them',
  },
  // what lies at a cloud provider
  ...['DBInstance', 'DBCluster', 'Bucket', 'Table', 'FileSystem', 'Stream', 'Repository'].map(
    (kind) => ({
      kind: `*.services.k8s.aws/${kind}`,
      what: `the ${kind} at AWS`,
      because: 'services.k8s.aws/deletion-policy',
      fate: ack,
    }),
  ),
  ...[
    'SQLInstance',
    'SQLDatabase',
    'StorageBucket',
    'SpannerInstance',
    'SpannerDatabase',
    'BigtableInstance',
    'BigQueryDataset',
    'BigQueryTable',
    'FirestoreDatabase',
    'FilestoreInstance',
    'ComputeDisk',
    'RedisInstance',
  ].map((kind) => ({
    kind: `*.cnrm.cloud.google.com/${kind}`,
    what: `the ${kind} at Google Cloud`,
    because: 'cnrm.cloud.google.com/deletion-policy',
    fate: configConnector,
  })),
  ...[
    'Instance',
    'DBInstance',
    'RDSInstance',
    'Cluster',
    'DatabaseInstance',
    'Database',
    'Bucket',
    'Table',
    'FileSystem',
    'EBSVolume',
    'Disk',
    'FlexibleServer',
    'Account',
  ].flatMap((kind) =>
    ['*.upbound.io', '*.crossplane.io'].map((group) => ({
      kind: `${group}/${kind}`,
      what: `the ${kind} at the provider`,
      because: 'spec.deletionPolicy',
      fate: crossplane,
    })),
  ),
]

/** The line of the table for an object. */
export function dataKindOf(group: string, kind: string): DataKind | undefined {
  return dataKinds.find((row) => {
    const slash = row.kind.lastIndexOf('/')
    if (row.kind.slice(slash + 1) !== kind) return false
    const wanted = row.kind.slice(0, slash)
    return wanted.startsWith('*.') ? group.endsWith(wanted.slice(1)) : group === wanted
  })
}
