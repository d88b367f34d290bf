// kube/merge: patches as kubectl and the API server make and apply them: strategic merge and three-way JSON merge.
// In: objects and a kind. Out: patches, patched objects; CompareError PATCH_FAILED. Never: requests, field managers.
export { type ThreeWayInput, threeWayJsonMerge } from './json-three-way.ts'
export type { PatchKind } from './patch-schema.ts'
export { applyStrategicMerge } from './strategic-apply.ts'
export { threeWayStrategicMerge, twoWayStrategicMerge } from './strategic-create.ts'
