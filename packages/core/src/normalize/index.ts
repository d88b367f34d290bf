// normalize: manifests → targets: namespaces, tracking, duplicates, excluded kinds.
// In: rendered manifests of all sources, cluster facts, settings. Out: targets and the conditions met on the way.
// Never: live objects, I/O.
export { isExcluded, normalizeTargets, type Target, type TargetSet } from './targets.ts'
