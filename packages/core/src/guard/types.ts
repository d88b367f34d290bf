import type { Tracking } from '../argo/index.ts'
import type { Manifest, ResourceKey } from '../kube/index.ts'

/**
 * `destroyed`: the rules say so. `possible`: what decides is not known here, and the default destroys. `conditional`: only
 * if somebody does something more, such as a sync with prune or a confirmation.
 */
export type LossVerdict = 'destroyed' | 'possible' | 'conditional'

/** An object that goes away. */
export interface Departure {
  readonly object: Manifest
  /** Why, as the first step of the path: `pruned by the automated sync`. */
  readonly cause: string
  /** False where it goes only if somebody does something more; `cause` then says what. */
  readonly certain: boolean
  /** What it owns stays. */
  readonly orphans?: boolean
  /** Why it may stay after all: a sentence, after which nothing is more than possible. */
  readonly doubt?: string
}

/** A StatefulSet that keeps fewer replicas than it had. */
export interface Shrinkage {
  readonly before: Manifest
  readonly after: Manifest
}

export interface GuardInput {
  readonly departures: readonly Departure[]
  readonly shrinkages?: readonly Shrinkage[]
  /** Everything of the cluster that is known: live objects, or what the base of a change says. */
  readonly known: readonly Manifest[]
  /** `known` was read from a cluster: what of a kind is not in it is not there. */
  readonly isSnapshot: boolean
  /** For objects that belong to no Application. */
  readonly tracking: Tracking
}

export interface DataLoss {
  readonly key: ResourceKey
  readonly apiVersion: string
  readonly verdict: LossVerdict
  /** What is lost, to be read after "destroys ": `the volume of PersistentVolumeClaim db/data-0`. */
  readonly what: string
  /** From the change to the data, one sentence each. */
  readonly path: readonly string[]
}

/** Data that could have been lost and is not. */
export interface KeptData {
  readonly key: ResourceKey
  readonly apiVersion: string
  readonly what: string
  readonly path: readonly string[]
}

export interface Guarded {
  /** What is destroyed first, then what may be, then what would be; each in byte order of its key. */
  readonly losses: readonly DataLoss[]
  readonly kept: readonly KeptData[]
}
