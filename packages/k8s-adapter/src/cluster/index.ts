// cluster: the core's Cluster over one API server: facts, live objects, apply, replace, create, delete, patch.
// In: a KubeClient, perhaps a cache. Out: live objects, kubectl's messages, ClusterError.
// Never: when to write or what, tracking, sync options.
export { type ClusterOptions, createCluster } from './cluster.ts'
export { kubeVersionOf } from './facts.ts'
export {
  below,
  type LiveSource,
  listingSource,
  listObjects,
  managedKinds,
  ownersOf,
  uidOf,
  withTargets,
} from './live.ts'
