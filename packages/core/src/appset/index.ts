// appset: ApplicationSets: generators, parameters, templates; from a set to its Applications.
// In: an ApplicationSet, clusters and checkouts as facts. Out: Applications, or what is still to be fetched.
// Never: I/O, HTTP, writing Applications to a cluster.
export {
  applicationSteps,
  failureReasonOf,
  type GeneratedApplications,
  type GenerateOptions,
  generateApplications,
  maxApplications,
  type SetFailureReason,
} from './generate.ts'
export type { ScmPolicy } from './generators/context.ts'
export {
  type ClusterFact,
  type FactRequest,
  factKey,
  GatheredFacts,
  type GeneratorFacts,
  type TreeRequest,
} from './generators/facts.ts'
export { owningSetOf } from './owner.ts'
export {
  finalizersWithoutCluster,
  Planner,
  type PlannerOptions,
  policyOf,
  type SetPolicy,
  summaryOf,
  surplusOf,
  validateGenerated,
  type Write,
} from './plan.ts'
export { asksForClusters, requeueAfter } from './requeue.ts'
export {
  isRollingSync,
  type ReverseStep,
  type Rollout,
  type RolloutCondition,
  reversedDeletion,
  reverseStep,
  rollingOperation,
  rollingSteps,
  rollOut,
  withoutAutomation,
} from './rolling/index.ts'
export { type AppsetSettings, readAppsetSettings } from './settings.ts'
export {
  conditionsAfter,
  healthOf,
  type RolloutNews,
  resourcesOf,
  rolloutPatch,
  type SetOutcome,
  type StatusOptions,
  statusPatch,
} from './status.ts'
export {
  type ApplicationProgress,
  type ApplicationSet,
  type ApplicationSetStatus,
  type ProgressStatus,
  readApplicationSet,
  type SetCondition,
} from './types.ts'
export { type SetWarning, warningsOf } from './warnings.ts'
export { concernsSet } from './webhook.ts'
