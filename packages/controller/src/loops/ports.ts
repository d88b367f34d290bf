import type {
  Adapters,
  Cluster,
  EventSink,
  SourceFetcher,
  TemplateWorld,
} from '@litecd/core/adapters'
import type {
  ComparisonDetail,
  ComparisonLevel,
  OperateInput,
  OperatePorts,
  OperateResult,
} from '@litecd/core/app'
import type { Application, AppProject, Operation, ParsedSettings } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import type { KnownCluster } from '@litecd/core/project'
import type { Logger } from '../log/index.ts'

/** Argo CD's own objects: what is known of them now, and the writes that the loops need. */
export interface ArgoPort {
  application(key: string): Application | undefined
  applications(): Iterable<Application>
  /** The effective project; undefined when there is none of that name. */
  project(name: string): AppProject | undefined
  settings(): ParsedSettings
  clusters(): readonly KnownCluster[]
  /** Straight from the API server; undefined when it is gone. */
  read(key: string): Promise<Application | undefined>
  /** JSON merge patch of the whole object; the answer is what is stored now. */
  patch(key: string, patch: JsonObject): Promise<Application | undefined>
  /** Sets `.operation` and drops the old operation state, unless another operation is there already. */
  startOperation(key: string, operation: Operation): Promise<'started' | 'taken' | 'gone'>
}

/** The clusters that Applications go to. */
export interface DestinationPort {
  /**
   * The cluster behind a server URL, with the controller's rights or with those of a user that it impersonates. Throws
   * ClusterError when it is unknown or does not answer.
   */
  cluster(server: string, user?: string): Promise<Cluster>
}

/** Runs beats of syncs and keeps what happened in them. */
export interface RecordingPort {
  beat(key: string, input: OperateInput, ports: OperatePorts): Promise<OperateResult>
  /** The Application is gone. */
  forget(key: string): void
}

export interface LoopContext {
  readonly argo: ArgoPort
  readonly destinations: DestinationPort
  readonly sources: SourceFetcher
  /** What templates get beside their sources. */
  readonly templates?: TemplateWorld | undefined
  /** Another jq for ignored differences; undefined: the core's. */
  readonly jq?: Adapters['jq'] | undefined
  readonly events: EventSink
  readonly clock: Adapters['clock']
  readonly log: Logger
  /** Absent where syncs are not recorded. */
  readonly recordings?: RecordingPort
  /** Hears of every comparison; absent where nobody keeps them. */
  readonly onCompared?: (key: string, app: Application, detail: ComparisonDetail) => void
  /** Puts an Application in line for a look at a level, or for whatever it needs. */
  readonly refresh: (key: string, level?: ComparisonLevel, delayMs?: number) => void
  /** Puts an Application in line for a beat of its operation. */
  readonly operate: (key: string, delayMs?: number) => void
}

/** The parts of the world that a host may give or leave out. */
export function chosenWorld({
  jq,
  templates,
}: Pick<LoopContext, 'jq' | 'templates'>): Pick<Adapters, 'jq' | 'templates'> {
  return {
    ...(jq === undefined ? {} : { jq }),
    ...(templates === undefined ? {} : { templates }),
  }
}
