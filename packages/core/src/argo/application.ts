import type { Json, JsonObject } from '../json/index.ts'

/** Metadata that litecd reads of Argo CD's own kinds. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly JsonObject[]
}

/** argoproj.io/v1alpha1 Application. Field names are those of the CRD. */
export interface Application {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly spec: ApplicationSpec
  readonly status?: ApplicationStatus
  readonly operation?: Operation
}

export interface ApplicationSpec {
  readonly source?: ApplicationSource
  readonly sources?: readonly ApplicationSource[]
  readonly sourceHydrator?: JsonObject
  readonly destination: Destination
  readonly project: string
  readonly syncPolicy?: SyncPolicy
  readonly ignoreDifferences?: readonly IgnoreDifference[]
  readonly info?: readonly { readonly name: string; readonly value: string }[]
  readonly revisionHistoryLimit?: number
}

export interface Destination {
  readonly server?: string
  readonly name?: string
  readonly namespace?: string
}

export interface ApplicationSource {
  readonly repoURL: string
  readonly path?: string
  readonly targetRevision?: string
  readonly chart?: string
  readonly ref?: string
  readonly name?: string
  readonly tagPrefix?: string
  readonly helm?: HelmSource
  readonly kustomize?: KustomizeSource
  readonly directory?: DirectorySource
  readonly plugin?: JsonObject
}

export interface HelmSource {
  readonly valueFiles?: readonly string[]
  readonly ignoreMissingValueFiles?: boolean
  readonly values?: string
  readonly valuesObject?: Json
  readonly parameters?: readonly {
    readonly name?: string
    readonly value?: string
    readonly forceString?: boolean
  }[]
  readonly fileParameters?: readonly { readonly name?: string; readonly path?: string }[]
  readonly releaseName?: string
  readonly namespace?: string
  readonly version?: string
  readonly passCredentials?: boolean
  readonly skipCrds?: boolean
  readonly skipTests?: boolean
  readonly skipSchemaValidation?: boolean
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
}

export interface KustomizeSource {
  readonly namePrefix?: string
  readonly nameSuffix?: string
  readonly images?: readonly string[]
  readonly replicas?: readonly { readonly name: string; readonly count: number | string }[]
  readonly commonLabels?: { readonly [key: string]: string }
  readonly forceCommonLabels?: boolean
  readonly labelWithoutSelector?: boolean
  readonly labelIncludeTemplates?: boolean
  readonly commonAnnotations?: { readonly [key: string]: string }
  readonly forceCommonAnnotations?: boolean
  readonly commonAnnotationsEnvsubst?: boolean
  readonly namespace?: string
  readonly patches?: readonly JsonObject[]
  readonly components?: readonly string[]
  readonly ignoreMissingComponents?: boolean
  readonly version?: string
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
}

export interface JsonnetVariable {
  readonly name: string
  readonly value: string
  readonly code?: boolean
}

export interface DirectorySource {
  readonly recurse?: boolean
  readonly include?: string
  readonly exclude?: string
  readonly jsonnet?: {
    readonly extVars?: readonly JsonnetVariable[]
    readonly tlas?: readonly JsonnetVariable[]
    readonly libs?: readonly string[]
  }
}

export interface SyncPolicy {
  readonly automated?: {
    readonly prune?: boolean
    readonly selfHeal?: boolean
    readonly allowEmpty?: boolean
    readonly enabled?: boolean
  }
  readonly syncOptions?: readonly string[]
  readonly retry?: RetryStrategy
  readonly managedNamespaceMetadata?: ManagedNamespaceMetadata
}

export interface ManagedNamespaceMetadata {
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
}

export interface RetryStrategy {
  readonly limit?: number
  readonly backoff?: {
    readonly duration?: string
    readonly factor?: number
    readonly maxDuration?: string
  }
  readonly refresh?: boolean
}

export interface IgnoreDifference {
  readonly group?: string
  readonly kind: string
  readonly name?: string
  readonly namespace?: string
  readonly jsonPointers?: readonly string[]
  readonly jqPathExpressions?: readonly string[]
  readonly managedFieldsManagers?: readonly string[]
}

export type SyncStatusCode = 'Unknown' | 'Synced' | 'OutOfSync'
export type HealthStatusCode =
  | 'Unknown'
  | 'Progressing'
  | 'Healthy'
  | 'Suspended'
  | 'Degraded'
  | 'Missing'
export type SourceType = 'Helm' | 'Kustomize' | 'Directory' | 'Plugin'
export type SyncPhase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail'
export type HookType = SyncPhase | 'Skip'
export type OperationPhase = 'Running' | 'Terminating' | 'Failed' | 'Error' | 'Succeeded'
export type ResultCode = 'Synced' | 'SyncFailed' | 'Pruned' | 'PruneSkipped'

export interface HealthStatus {
  readonly status: HealthStatusCode
  readonly message?: string
  readonly lastTransitionTime?: string
}

/** One entry of `.status.resources`. Empty strings, false and 0 are omitted, as Argo CD's encoder does. */
export interface ResourceStatus {
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly namespace?: string
  readonly name?: string
  readonly status?: SyncStatusCode
  readonly health?: HealthStatus
  readonly hook?: boolean
  readonly requiresPruning?: boolean
  readonly syncWave?: number
  readonly requiresDeletionConfirmation?: boolean
}

export type ConditionType =
  | 'DeletionError'
  | 'InvalidSpecError'
  | 'ComparisonError'
  | 'SyncError'
  | 'UnknownError'
  | 'SharedResourceWarning'
  | 'RepeatedResourceWarning'
  | 'ExcludedResourceWarning'
  | 'OrphanedResourceWarning'
  /** litecd's own. */
  | 'RolledBackWarning'

export interface Condition {
  readonly type: ConditionType
  readonly message: string
  readonly lastTransitionTime?: string
}

export interface ComparedTo {
  readonly source?: ApplicationSource
  readonly sources?: readonly ApplicationSource[]
  readonly destination: Destination
  readonly ignoreDifferences?: readonly IgnoreDifference[]
}

export interface ApplicationStatus {
  readonly resources?: readonly ResourceStatus[]
  readonly sync?: {
    readonly status: SyncStatusCode
    readonly comparedTo?: ComparedTo
    readonly revision?: string
    readonly revisions?: readonly string[]
  }
  readonly health?: HealthStatus
  readonly history?: readonly RevisionHistory[]
  readonly conditions?: readonly Condition[]
  readonly reconciledAt?: string
  readonly operationState?: OperationState
  readonly sourceType?: SourceType
  readonly sourceTypes?: readonly (SourceType | '')[]
  readonly summary?: ApplicationSummary
  readonly resourceHealthSource?: 'appTree'
  readonly controllerNamespace?: string
  readonly sourceHydrator?: JsonObject
}

export interface ApplicationSummary {
  readonly images?: readonly string[]
  readonly externalURLs?: readonly string[]
  readonly isAppOfApps?: boolean
}

export interface Initiator {
  readonly username?: string
  readonly automated?: boolean
}

export interface RevisionHistory {
  readonly id: number
  readonly revision?: string
  readonly revisions?: readonly string[]
  readonly source?: ApplicationSource
  readonly sources?: readonly ApplicationSource[]
  readonly deployedAt: string
  readonly deployStartedAt?: string
  readonly initiatedBy?: Initiator
}

export interface SyncOperationResource {
  readonly group?: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

export interface SyncOperation {
  readonly revision?: string
  readonly revisions?: readonly string[]
  readonly prune?: boolean
  readonly dryRun?: boolean
  readonly syncStrategy?: {
    readonly apply?: { readonly force?: boolean }
    readonly hook?: { readonly force?: boolean }
  }
  readonly resources?: readonly SyncOperationResource[]
  readonly source?: ApplicationSource
  readonly sources?: readonly ApplicationSource[]
  readonly manifests?: readonly string[]
  readonly syncOptions?: readonly string[]
  readonly autoHealAttemptsCount?: number
}

export interface Operation {
  readonly sync?: SyncOperation
  readonly initiatedBy?: Initiator
  readonly info?: readonly { readonly name: string; readonly value: string }[]
  readonly retry?: RetryStrategy
}

export interface SyncResultResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly status?: ResultCode
  readonly message?: string
  readonly hookType?: HookType
  readonly hookPhase?: OperationPhase
  readonly syncPhase?: SyncPhase
  readonly images?: readonly string[]
}

export interface SyncOperationResult {
  readonly resources?: readonly SyncResultResource[]
  readonly revision?: string
  readonly revisions?: readonly string[]
  readonly source?: ApplicationSource
  readonly sources?: readonly ApplicationSource[]
  readonly managedNamespaceMetadata?: ManagedNamespaceMetadata
}

/** `.status.operationState`: also the whole memory of a running sync. */
export interface OperationState {
  readonly operation: Operation
  readonly phase: OperationPhase
  readonly message?: string
  readonly startedAt: string
  readonly finishedAt?: string
  readonly retryCount?: number
  readonly syncResult?: SyncOperationResult
}

/** `name`, or `namespace_name` for an Application outside the controller's namespace. */
export function instanceNameOf(app: Application, controllerNamespace: string): string {
  const namespace = app.metadata.namespace ?? ''
  return namespace === '' || namespace === controllerNamespace
    ? app.metadata.name
    : `${namespace}_${app.metadata.name}`
}

/** `sources` when it has any, else `source`; the derived sync source of a hydrator wins over both. */
export function sourcesOf(spec: ApplicationSpec): readonly ApplicationSource[] {
  const hydrated = hydratedSource(spec)
  if (hydrated !== undefined) return [hydrated]
  if (hasMultipleSources(spec)) return spec.sources ?? []
  return spec.source === undefined ? [] : [spec.source]
}

export function hasMultipleSources(spec: ApplicationSpec): boolean {
  return spec.sourceHydrator === undefined && (spec.sources?.length ?? 0) > 0
}

/** The source that a hydrated Application is compared with. Source: spec of sourceHydrator in argo-cd v3.5.1. */
export function hydratedSource(spec: ApplicationSpec): ApplicationSource | undefined {
  if (spec.sourceHydrator === undefined) return undefined
  const text = (part: string, field: string): string => {
    const holder = spec.sourceHydrator?.[part] as JsonObject | undefined
    const value = holder?.[field]
    return typeof value === 'string' ? value : ''
  }
  return {
    repoURL: text('syncSource', 'repoURL') || text('drySource', 'repoURL'),
    path: text('syncSource', 'path'),
    targetRevision: text('syncSource', 'targetBranch'),
  }
}

/** `''` means `default`. */
export function projectNameOf(app: Application): string {
  return app.spec.project === '' || app.spec.project === undefined ? 'default' : app.spec.project
}
