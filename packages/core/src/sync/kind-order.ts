/**
 * The order in which kinds of one wave are applied; kinds that are not named come after all of these. Only the kind's
 * name counts, whatever its group.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/sync/sync_tasks.go, and the recorded case order-of-kinds
 */
const kinds: readonly string[] = [
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
]

const ranks: ReadonlyMap<string, number> = new Map(kinds.map((kind, rank) => [kind, rank]))

export function kindRank(kind: string): number {
  return ranks.get(kind) ?? kinds.length
}
