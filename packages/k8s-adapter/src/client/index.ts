// client: one Kubernetes API server over HTTP/2: requests, lists, watches, writes, discovery.
// In: a kubeconfig, a pod's identity or a Connection. Out: objects as values, ClusterError.
// Never: what an object means, which objects to watch, Argo CD's words.
export {
  type ClientOptions,
  type DeleteRequestOptions,
  type GetOptions,
  KubeClient,
  type ListOptions,
  type ListPage,
  type PatchOptions,
  type PatchType,
  type Query,
  type RawRequest,
  type ReadOptions,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from './client.ts'
export type { Connection, Credentials, ExecPlugin, Impersonation } from './connection.ts'
export { type ApiSurface, apiVersionsOf, type Discovery } from './discovery.ts'
export { isConflict, isNotFound, retryAfterOf } from './failure.ts'
export { type InClusterOptions, inClusterConnection, runsInCluster } from './in-cluster.ts'
export { type Change, Informer, type InformerOptions } from './informer.ts'
export { type KubeconfigOptions, loadKubeconfig } from './kubeconfig.ts'
export {
  type ApiResource,
  configMaps,
  coreEvents,
  crds,
  namespaces,
  type Place,
  type ResourceRef,
  resourcePath,
  secrets,
} from './resource.ts'
