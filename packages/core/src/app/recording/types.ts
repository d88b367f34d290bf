import type { Application, Condition, SyncWindow } from '../../argo/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { Manifest, Scope } from '../../kube/index.ts'
import type { Assessment, TaskOutcome } from '../../sync/index.ts'
import type { OperateResult } from '../operate.ts'

export const recordingFormat = 'litecd.dev/sync-recording'
/** Grows when an older reader would misunderstand a file. */
export const recordingVersion = 1

/**
 * A whole sync: what every beat looked at, what it asked the API server, every answer, every state that it stored.
 *
 * Objects are cut down to what the sync looks at (names, Argo CD's annotations, images, …), sources to where they lie;
 * messages lose the values of Secrets. `objects` and `clusters` are tables; beats refer to them by index.
 */
export interface SyncRecording {
  readonly format: typeof recordingFormat
  readonly version: number
  /** The version of litecd that has written the file. */
  readonly engine: string
  /** `namespace/name`. */
  readonly application: string
  readonly settings: {
    readonly controllerNamespace: string
    readonly trackingMethod: string
    readonly labelKey: string
    readonly installationId: string
    readonly syncTimeoutMs: number
    readonly syncWaveDelayMs: number
  }
  readonly objects: readonly Manifest[]
  readonly clusters: readonly RecordedCluster[]
  readonly beats: readonly RecordedBeat[]
  /** Later beats are missing because the file had become too large. */
  readonly truncated?: true
}

export interface RecordedCluster {
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  /** By `group/Kind`. */
  readonly scopes: { readonly [kind: string]: Scope }
}

export interface RecordedBeat {
  readonly app: Application
  /** Absent where the project could not be loaded. */
  readonly project?: { readonly syncWindows: readonly SyncWindow[] }
  readonly projectError?: string
  /** What the clock said, each time it was asked; milliseconds since the Unix epoch. */
  readonly times: readonly number[]
  /** Absent where nothing was compared. */
  readonly comparison?: RecordedComparison | { readonly refusal: string }
  /** Why the cluster could not be reached; absent where it could. */
  readonly connection?: string
  readonly steps: readonly RecordedStep[]
  readonly result: OperateResult
  /** How many beats with another time and nothing else came after this one. */
  readonly repeats?: number
}

export interface RecordedComparison {
  readonly revision: string
  readonly revisions?: readonly string[]
  readonly comparedTo: JsonObject
  readonly conditions: readonly Pick<Condition, 'type' | 'message'>[]
  /** Indexes into `objects`. */
  readonly targets: readonly number[]
  readonly live: readonly number[]
  /** Index into `clusters`. */
  readonly cluster: number
  /** Why the project forbids an object, by key; those that are not here are permitted. */
  readonly forbidden: { readonly [key: string]: string }
  /** Health by key, in the order of the questions. */
  readonly health: { readonly [key: string]: readonly Assessment[] }
  readonly modified: { readonly [key: string]: boolean }
  /** With `RespectIgnoreDifferences=true`: the targets that live values were kept in, by key. */
  readonly kept?: { readonly [key: string]: number | { readonly refusal: string } }
}

export type RecordedStep =
  /** A merge patch of the Application. */
  | { readonly do: 'store'; readonly patch: JsonObject }
  /** Calls of the API server, in the notation of sync steps, and what it answered. */
  | {
      readonly do: 'call'
      readonly calls: readonly string[]
      readonly outcomes: readonly TaskOutcome[]
    }
