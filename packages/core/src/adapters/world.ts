import type { Manifest } from '../kube/index.ts'
import type { Cluster } from './cluster.ts'
import type { JqEngine } from './jq.ts'
import type { SourceFetcher } from './sources.ts'
import type { TemplateWorld } from './templates.ts'

/** Milliseconds since the Unix epoch, UTC. */
export type Instant = number

export interface Clock {
  now(): Instant
}

/** One Kubernetes Event. Reasons are Argo CD's: `OperationStarted`, `ResourceUpdated`, … */
export interface LitecdEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export interface EventSink {
  emit(regarding: Manifest, event: LitecdEvent): void
}

/** Everything a reconcile or an operation may ask of the world; `cluster` is the Application's destination. */
export interface Adapters {
  readonly clock: Clock
  readonly sources: SourceFetcher
  readonly cluster: Cluster
  readonly jq?: JqEngine
  readonly templates?: TemplateWorld
}
