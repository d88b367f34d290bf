// app: the two straight lines, reconcile and operate, and what a change does to an Application. The only room that awaits.
// In: Applications, projects, settings, adapters. Out: statuses, operations, previews. Never: I/O of its own, logging.

export { changesInside, readBounds } from './bounds.ts'
export { setConditions } from './conditions.ts'
export { type AutoSyncDecision, type ComparedState, decideAutoSync } from './decide.ts'
export { type DeleteInput, type DeleteResult, deleteApplication } from './delete.ts'
export { type ChangeExplanation, causesOf, type RenderedTarget } from './explain.ts'
export {
  type ExplainedDifference,
  type ExplainedField,
  explainFields,
  explainObject,
  type LiveExplanation,
  type ObjectExplanation,
} from './explain-object.ts'
export { type ManagedResource, managedResources } from './managed-resources.ts'
export {
  type OperateInput,
  type OperatePorts,
  type OperateResult,
  operate,
  type StoredChange,
  type SyncCompareRequest,
  type SyncComparison,
} from './operate.ts'
export { fieldManager, performStep } from './perform.ts'
export {
  type AppPlan,
  type DeletionPlan,
  type DeletionStep,
  type PlannedTask,
  type PlanOptions,
  type PlanStep,
  type PlanSyncInput,
  type PlanVerb,
  type PlanVerdict,
  planApplication,
  planDeletion,
  planSync,
  type Refusal,
  type RefusalReason,
  type RefusalWorld,
  type SyncPlan,
} from './plan/index.ts'
export {
  type ApplicationPreview,
  type PreviewOptions,
  type PreviewSide,
  previewApplication,
  previewTargets,
} from './preview.ts'
export type { ObjectChange, ObjectChangeKind } from './preview-objects.ts'
export { isSecret, maskSecret } from './preview-secrets.ts'
export {
  judgeProject,
  type PermissionChange,
  type ProjectQuestion,
  type ProjectVerdict,
  permissionChange,
} from './project-change.ts'
export {
  type ComparisonDetail,
  type ReconcileContext,
  type Reconciliation,
  reconcile,
} from './reconcile.ts'
export {
  type ParsedRecording,
  parseRecording,
  type RecordedBeat,
  type RecordedSettings,
  type RecordedStep,
  type Replay,
  type ReplayDifference,
  type ReplayedBeat,
  recordingFormat,
  recordingVersion,
  replaySync,
  SyncRecorder,
  type SyncRecording,
} from './recording/index.ts'
export { type ComparisonLevel, decideRefresh, missedLook, type RefreshDecision } from './refresh.ts'
export {
  isRefOnly,
  type RenderedSource,
  type RenderFailure,
  type RenderOptions,
  type RenderOutcome,
  renderApplication,
  sourceRequestOf,
} from './render.ts'
export { normalizeSpec } from './spec.ts'
export { compareForSync, type SyncCompareContext } from './sync-comparison.ts'
export { indexProblem, validateApplication } from './validate.ts'
export { type ConcernedApplication, concernedApplications } from './webhook.ts'
