// sync: targets, live objects and hooks → tasks in order → the next step; outcomes → operation state.
// In: an OperationState and a SyncWorld. Out: steps as data, rows, messages, the whole life of an operation.
// Never: calls to a cluster, waiting, the clock.

export {
  type Forecast,
  type ForecastAction,
  type ForecastBeat,
  type ForecastOptions,
  forecastSync,
} from './forecast.ts'
export { keepIgnored, type NormalizedObject } from './keep-ignored.ts'
export { kindRank } from './kind-order.ts'
export { formatEnd, formatManner, formatStep, formatTask } from './notation.ts'
export {
  appendHistory,
  closeBeat,
  completedEvent,
  isCompletedPhase,
  isRemembered,
  newOperationState,
  newSyncResult,
  type OperationStage,
  resolvedSyncResult,
  stageOf,
  withNamespaceMetadata,
} from './operation.ts'
export { isApproved, type SyncSettings, syncSettingsOf } from './options.ts'
export { type PairedTargets, pairTargets, type SyncPair } from './pair.ts'
export { projectPermissions } from './permission.ts'
export { beginBeat, type NextStep, nextStep, settleStep, stateAfter, withRows } from './planner.ts'
export { nextRetryAt, type RetryTime } from './retry.ts'
export { type DeletePolicy, definedKindOf, deletePoliciesOf, objectOf } from './task.ts'
export { formatKitchen, formatTime, parseTime } from './time.ts'
export type {
  Assessment,
  Beat,
  BeatEnd,
  PermissionCheck,
  RequestError,
  SyncRequest,
  SyncRun,
  SyncStep,
  SyncTask,
  SyncWorld,
  TaskOutcome,
} from './types.ts'
