import type { HookType, SyncOperation, SyncPhase } from '../../argo/index.ts'
import type { Guarded } from '../../guard/index.ts'
import type { ResourceKey } from '../../kube/index.ts'
import type { DeletePolicy } from '../../sync/index.ts'

/**
 * What a sync does with one object. `recreate`: deleted and made again. `run`: a hook is made. `delete`: a hook of an
 * earlier sync, or one whose policy says so. `keep`: it is no target any more and stays all the same.
 */
export type PlanVerb =
  | 'create'
  | 'change'
  | 'unchanged'
  | 'recreate'
  | 'run'
  | 'prune'
  | 'keep'
  | 'delete'

export interface PlannedTask {
  readonly verb: PlanVerb
  readonly key: ResourceKey
  readonly apiVersion: string
  /** Hook types of a hook; empty for ordinary resources. */
  readonly hooks: readonly HookType[]
  /** When the hook is deleted; empty for ordinary resources. */
  readonly deletePolicies: readonly DeletePolicy[]
  /** How it is written where that is no plain client-side apply: `server-side`, `replace`, `force`. */
  readonly manner: string
  /** Why the API server will refuse it. */
  readonly refusal?: string
  /** What else there is to say, one short sentence. */
  readonly note?: string
}

/** Tasks of one phase and wave that a beat of the machine runs. */
export interface PlanStep {
  readonly phase: SyncPhase
  readonly wave: number
  readonly tasks: readonly PlannedTask[]
  /** What the sync waits for after this, in Argo CD's words; '' where it goes on at once or ends. */
  readonly waits: string
  /** Set where it begins only after somebody has approved deletions: what the sync waits for until then. */
  readonly approval: string
}

export type RefusalReason =
  /** A sync window is closed. */
  | 'window'
  /** The project does not permit it. */
  | 'project'
  /** The cluster does not serve the kind. */
  | 'kind'
  /** A field changes that is fixed once the object is made. */
  | 'immutable'
  /** The namespace is not there. */
  | 'namespace'
  /** Another Application has the object. */
  | 'shared'
  /** The Application is wrong, or its sync options contradict each other. */
  | 'spec'
  /** Automated sync does not remove everything. */
  | 'wipe'
  /** The API server said no to a dry run. */
  | 'server'

export interface Refusal {
  readonly reason: RefusalReason
  readonly message: string
  /** The object that it is about. */
  readonly key?: ResourceKey
  readonly apiVersion?: string
  /** False where what decides is not known here. */
  readonly certain: boolean
  readonly hint?: string
}

/**
 * `nothing`: no object differs. `blocked`: it does not begin. `fails`: it begins and fails. `waits`: it never ends by
 * itself.
 */
export type PlanVerdict = 'nothing' | 'succeeds' | 'waits' | 'fails' | 'blocked'

/** The next sync of an Application. */
export interface SyncPlan {
  readonly kind: 'sync'
  readonly trigger: 'automated' | 'manual'
  readonly verdict: PlanVerdict
  /** How the operation ends, in Argo CD's words; '' where it does not begin. */
  readonly message: string
  readonly operation: SyncOperation
  /** How often a failed attempt is repeated; -1 for ever. */
  readonly retries: number
  readonly refusals: readonly Refusal[]
  /** In the order in which they run; what would run after all where the sync is blocked. */
  readonly steps: readonly PlanStep[]
  readonly remarks: readonly string[]
}

/** The objects of one wave that a deleted Application takes along. */
export interface DeletionStep {
  readonly wave: number
  readonly tasks: readonly PlannedTask[]
}

/** The deletion of an Application. */
export interface DeletionPlan {
  readonly kind: 'deletion'
  /** False where its objects stay in the cluster. */
  readonly cascades: boolean
  readonly propagation: 'Foreground' | 'Background'
  /** Whether the Application is deleted as soon as the change lands; `cause` says by what, or what it takes. */
  readonly certain: boolean
  readonly cause: string
  /** Highest wave first; the objects of a wave go together, and the next one begins when they are gone. */
  readonly steps: readonly DeletionStep[]
  /** Hooks that run before and after, in no order among each other. */
  readonly before: readonly PlannedTask[]
  readonly after: readonly PlannedTask[]
  /** Objects that stay, each with its reason. */
  readonly kept: readonly PlannedTask[]
  /** Objects that hold the deletion until somebody approves it. */
  readonly unconfirmed: readonly ResourceKey[]
}

/** What will happen to one Application, and what it costs. */
export interface AppPlan {
  readonly plan: SyncPlan | DeletionPlan
  readonly guard: Guarded
}
