// argocd: Argo CD's own objects in the home cluster as core values: Applications, projects, settings, clusters.
// In: a KubeClient. Out: values that follow the cluster; patches back. Never: what to do about a change.
export {
  ApplicationSetStore,
  type ApplicationSetStoreOptions,
  type StoredSet,
} from './application-sets.ts'
export { type ClusterEntry, clusterConnection, readClusterSecret } from './cluster-secret.ts'
export { ArgoObjects, type ArgoObjectsOptions } from './objects.ts'
export { providerObjects } from './provider-objects.ts'
export { applicationSets, applications, appProjects } from './resources.ts'
