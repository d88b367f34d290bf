// kube: what a Kubernetes object is, apart from any GitOps tool.
// In: manifests. Out: keys, selectors, quantities, merges. Never: Argo CD's words, rendering, I/O.
export { withDefaults } from './defaults/index.ts'
export type { ClusterFacts, Scope } from './facts.ts'
export {
  type FrozenChange,
  type FrozenInput,
  frozenChanges,
} from './immutable/index.ts'
export { handOverFields, type ManagedFieldsEntry, uniteFields } from './managed-fields.ts'
export {
  annotationOf,
  annotationsOf,
  apiVersionOf,
  compareKeys,
  formatKey,
  type GroupKind,
  groupOf,
  keyOf,
  labelsOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
  sameKey,
  versionOf,
} from './manifest.ts'
export {
  applyStrategicMerge,
  type PatchKind,
  type ThreeWayInput,
  threeWayJsonMerge,
  threeWayStrategicMerge,
  twoWayStrategicMerge,
} from './merge/index.ts'
export {
  applyOwned,
  combine,
  compareTyped,
  deducedType,
  entriesOf,
  FieldSet,
  fieldStep,
  fieldsOf,
  formatSteps,
  itemStep,
  type MergeType,
  type MergeTypes,
  mergeTypesWith,
  misfit,
  ownedFields,
  removeFields,
  UnreadableEntry,
} from './ownership/index.ts'
export { canonicalQuantity } from './quantity.ts'
export {
  builtInKinds,
  type Field,
  type FieldType,
  type StructType,
  structNamed,
  structOfKind,
  throughStruct,
  throughType,
} from './schema/index.ts'
export { scopeOfBuiltIn } from './scopes.ts'
export { fitsSelector } from './selector.ts'
