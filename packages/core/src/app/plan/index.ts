// app/plan: what the next sync or the deletion of an Application will do, and which data that destroys.
// In: what is rendered, what is known of the cluster. Out: tasks in order, refusals, losses. Never: I/O, waiting.
export { type PlanOptions, planApplication } from './application.ts'
export type { PlanSyncInput } from './compared.ts'
export { type PlanDeletionInput, planDeletion } from './deletion.ts'
export type { RefusalWorld } from './refusals.ts'
export { planSync } from './sync.ts'
export type {
  AppPlan,
  DeletionPlan,
  DeletionStep,
  PlannedTask,
  PlanStep,
  PlanVerb,
  PlanVerdict,
  Refusal,
  RefusalReason,
  SyncPlan,
} from './types.ts'
