// normalize: manifests → targets (namespaces, tracking, duplicates, excluded kinds), and targets and live objects →
// forms that can be compared (ignore rules, known types, Secrets, roles, trusted managers).
// In: manifests, facts, settings. Out: manifests and what happened to them. Never: comparing, I/O.

export {
  applyIgnoreRules,
  compileIgnoreRules,
  type Ignored,
  type IgnoreRule,
  type IgnoreRules,
  type JqCompiler,
  type JqDeletion,
  type RuleSource,
  rulesFor,
} from './ignore.ts'
export { compileJqDeletion, jqDeletionWithin } from './jq.ts'
export { normalizeKind, normalizeSecret } from './kinds.ts'
export { compileKnownTypes, type KnownTypes, normalizeKnownTypes } from './known-types.ts'
export { compileUpdateRules, hasFingerprint, updateFingerprint } from './resource-updates.ts'
export { isExcluded, normalizeTargets, type Target, type TargetSet } from './targets.ts'
export { adjustTracking } from './tracking.ts'
export {
  type TrustedFields,
  type TrustedManagers,
  trustedManagersOf,
  withoutTrustedFields,
} from './trusted-managers.ts'
