// kube/ownership: who owns which field of an object, and what server-side apply makes of it.
// In: objects with managedFields, schemas. Out: field sets, merged objects. Never: strategic merge, I/O.
export {
  applyOwned,
  type ServerSideApply,
} from './apply.ts'
export { combine } from './combine.ts'
export { type Comparison, compareTyped } from './compare.ts'
export { type MergeTypes, mergeTypesWith } from './custom-types.ts'
export { FieldSet, formatSteps, readFields } from './field-set.ts'
export { mergeTypeOfKind } from './kinds.ts'
export { entriesOf, fieldsOf, UnreadableEntry } from './managers.ts'
export { deducedType, type MergeList, type MergeMap, type MergeType } from './merge-type.ts'
export { ownedFields } from './owned-fields.ts'
export { removeFields } from './remove.ts'
export { fieldStep, itemStep } from './steps.ts'
export { misfit } from './validate.ts'
