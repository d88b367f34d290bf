import type { DryRun, PropagationPolicy } from '../adapters/index.ts'
import type {
  Application,
  HealthStatus,
  OperationPhase,
  OperationState,
  ResultCode,
  SyncPhase,
  SyncResultResource,
  Tracking,
} from '../argo/index.ts'
import type { ClusterFacts, Manifest, ResourceKey, Scope } from '../kube/index.ts'

/**
 * Why the project forbids an object, in Argo CD's words, or undefined where it permits it. `scope` is what the cluster
 * says of the kind.
 */
export type PermissionCheck = (manifest: Manifest, scope: Scope) => string | undefined

/** Health of a live object as the health room gives it; `error` where it could not be found out. */
export interface Assessment {
  readonly health: HealthStatus | undefined
  readonly error?: string
}

/**
 * Everything that one beat of a sync looks at besides its own state. The same state and the same world give the same
 * steps. Every beat has a new world: live objects, facts and permissions are those of its moment.
 */
export interface SyncWorld {
  readonly app: Application
  /** Tracking name of the Application. */
  readonly instance: string
  readonly tracking: Tracking
  readonly facts: ClusterFacts
  /** Concrete revision of a single source; '' for several sources. It goes into the names of `generateName` hooks. */
  readonly revision: string
  /** Normalised manifests: namespace and tracking set, hooks among them. */
  readonly targets: readonly Manifest[]
  /** Objects tracked by the Application, and whatever lies at the keys of targets. */
  readonly live: readonly Manifest[]
  readonly permits: PermissionCheck
  readonly assess: (live: Manifest) => Assessment
  /** For `ApplyOutOfSyncOnly`: whether target and live differ; undefined where nobody compared them. */
  readonly modified: (key: ResourceKey) => boolean | undefined
  /** Pause after each wave but the last. */
  readonly waveDelayMs: number
}

/** One thing to do: apply or run `target`, or, where there is none, prune `live`. */
export interface SyncTask {
  readonly phase: SyncPhase
  readonly wave: number
  readonly hook: boolean
  readonly target: Manifest | undefined
  readonly live: Manifest | undefined
  /** Its kind is not known yet, so a dry run would fail. */
  readonly skipDryRun: boolean
  /** Of its row in `syncResult.resources`; undefined for a task that has none. */
  readonly status: ResultCode | undefined
  /** Undefined is pending, `Running` is running, the others are completed. */
  readonly operationPhase: OperationPhase | undefined
  readonly message: string
}

interface WriteRequest {
  readonly task: SyncTask
  readonly target: Manifest
  readonly dryRun: DryRun
}

/** One call of the cluster adapter. */
export type SyncRequest =
  | {
      readonly verb: 'get'
      readonly task: SyncTask
      readonly key: ResourceKey
      readonly apiVersion: string
    }
  | (WriteRequest & {
      readonly verb: 'apply'
      readonly serverSide: boolean
      readonly force: boolean
      readonly validate: boolean
      /** Field manager whose fields move to Argo CD's before a server-side apply. */
      readonly migrateFrom?: string
    })
  | (WriteRequest & { readonly verb: 'create'; readonly validate: boolean })
  | (WriteRequest & { readonly verb: 'replace'; readonly force: boolean })
  | (WriteRequest & { readonly verb: 'update' })
  | {
      readonly verb: 'delete'
      readonly task: SyncTask
      readonly key: ResourceKey
      readonly apiVersion: string
      readonly propagation: PropagationPolicy
    }
  /** Takes Argo CD's hook finalizer off a live object. */
  | { readonly verb: 'release'; readonly task: SyncTask; readonly live: Manifest }

/**
 * What a beat asks for next. The requests of one step do not depend on each other and may run at the same time; their
 * outcomes come back in the order of the requests.
 */
export type SyncStep =
  | {
      readonly kind: 'read' | 'dryRun' | 'release' | 'prune' | 'delete' | 'apply'
      readonly requests: readonly SyncRequest[]
    }
  /** Store these rows before going on, so that a beat that is lost halfway can be begun again. No outcomes. */
  | {
      readonly kind: 'save'
      readonly resources: readonly SyncResultResource[]
      /** Of the end that is near; the operation's message until then. */
      readonly message?: string
    }

/** Why a request failed: the adapter's message, and the API server's reason and code. */
export interface RequestError {
  readonly message: string
  readonly status: number
  readonly reason: string
}

/** JSON, so that a sync can be recorded and played again. */
export type TaskOutcome =
  | { readonly error: RequestError }
  /** Of a write: kubectl's line. */
  | { readonly message: string }
  /** Of a `get`. */
  | { readonly live: Manifest | null }

/** How a beat ended. `Running` means that another beat is needed. */
export interface BeatEnd {
  readonly phase: OperationPhase
  readonly message: string
  readonly resources: readonly SyncResultResource[]
  /** The next beat must not begin earlier than this. */
  readonly pauseMs: number
}

/** A beat in progress: yields steps, takes their outcomes, returns how it ended. */
export type Beat = Generator<SyncStep, BeatEnd, readonly TaskOutcome[]>

/** A beat as data: where it began and every answer since. */
export interface SyncRun {
  readonly state: OperationState
  readonly answers: readonly (readonly TaskOutcome[])[]
}
