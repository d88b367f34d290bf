// rolling: RollingSync: which Applications of a set may be synced now, and in which order they are deleted.
// In: a set with its steps, its Applications, what its status says of them. Out: the next status, operations, deletions.
// Never: writing anything.
export { type ReverseStep, reversedDeletion, reverseStep } from './deletion.ts'
export { rollingOperation, withoutAutomation } from './operation.ts'
export { type Rollout, type RolloutCondition, rollOut } from './rollout.ts'
export { isRollingSync, rollingSteps } from './steps.ts'
