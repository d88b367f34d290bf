// diff: two states of one object → whether and how they differ, by Argo CD's rules.
// In: pairs of target and live, ignore rules, answers. Out: diffs with their reasons. Never: I/O.
export {
  type Equalled,
  type EqualledField,
  equalledFields,
  formatSource,
  type IgnoredDifference,
  ignoredDifferences,
} from './explain.ts'
export { type FieldChange, fieldChanges } from './fields.ts'
export {
  maskDiff,
  maskSecrets,
  type SecretChange,
  type SecretPair,
  secretChanges,
} from './mask.ts'
export { type FieldOwner, ownersOf } from './owners.ts'
export {
  type DiffAnswers,
  type DiffNeeds,
  type DiffPair,
  type DiffStrategy,
  diffNeeds,
  diffPairs,
  type ResourceDiff,
  schemasNeeded,
  withoutIgnored,
} from './pairs.ts'
export { formatPath, type PathStep, parsePath, positionsOf } from './path.ts'
export { compileDiffRules, type DiffRuleOptions, type DiffRules, withDefinitions } from './rules.ts'
export { isSecret } from './secrets.ts'
export type { DryRunAnswer } from './server-side.ts'
