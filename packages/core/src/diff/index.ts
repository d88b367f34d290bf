// diff: two states of one object → whether and how they differ, by Argo CD's rules.
// In: pairs of target and live, ignore rules, answers. Out: diffs with their reasons. Never: I/O.
export { type FieldChange, fieldChanges, formatPath, type PathStep } from './fields.ts'
export {
  type DiffAnswers,
  type DiffNeeds,
  type DiffPair,
  type DiffStrategy,
  diffNeeds,
  diffPairs,
  type ResourceDiff,
  schemasNeeded,
} from './pairs.ts'
export { compileDiffRules, type DiffRuleOptions, type DiffRules, withDefinitions } from './rules.ts'
export type { DryRunAnswer } from './server-side.ts'
