// project: what an AppProject permits: sources, destinations, kinds, times.
// In: an AppProject and a question. Out: a verdict. Never: I/O, changing anything.

export { inClusterServer, type KnownCluster, resolveDestination } from './destination.ts'
export { effectiveProject, type ProjectScoped } from './effective.ts'
export {
  deletionIdentityOf,
  type SyncIdentity,
  serviceAccountFor,
  syncIdentityOf,
} from './identity.ts'
export { type IntegrityDemand, integrityOf, integrityPolicies } from './integrity.ts'
export { loosePermissions } from './loose.ts'
export {
  matchesNamespaceList,
  permitsDestination,
  permitsKind,
  permitsSource,
  permitsSourceNamespace,
  type ResolvedDestination,
} from './permissions.ts'
export { normalizeRepoUrl } from './repo-url.ts'
export { decideWindows, type WindowQuestion, type WindowVerdict, windowsOf } from './windows.ts'
