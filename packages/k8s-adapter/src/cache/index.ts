// cache: the live objects of one cluster, held by watches of the kinds in use.
// In: a KubeClient, a function that knows whose an object is. Out: live objects, children, changes.
// Never: writes, comparison, which Application to refresh.
export { type CacheChange, type CacheOptions, ClusterCache } from './cache.ts'
