import type { ProviderReader, SourceFetcher, TemplateWorld } from '@litecd/core/adapters'
import type { ApplicationPreview, AppPlan, RenderFailure } from '@litecd/core/app'
import type { ClusterFact } from '@litecd/core/appset'
import type { Application, Settings } from '@litecd/core/argo'
import type { LitecdError, Position } from '@litecd/core/errors'
import type { OfflineFacts } from '../offline/facts.ts'

export type Side = 'base' | 'head'

/** A plan, or why there is none. */
export type Planned = AppPlan | { readonly failure: RenderFailure }

/** Where an Application comes from: its own file, or another Application that renders it. */
export interface AppOrigin {
  readonly position: Position
  /** The names of the Applications above it, outermost first. */
  readonly parents: readonly string[]
}

export interface AppReport {
  readonly preview: ApplicationPreview
  readonly origin: AppOrigin
  /** Why the Application is in the report: one sentence each. */
  readonly reasons: readonly string[]
  /** What will happen to it, and which data that destroys; absent where it cannot be rendered. */
  readonly plan?: Planned
  /** Of a new Application: the one that goes and that it seems to continue. */
  readonly renamedFrom?: string
  /** Of one that goes: the new one that continues it. */
  readonly renamedTo?: string
}

export interface Remark {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly position?: Position
}

export interface Report {
  readonly base: { readonly name: string; readonly commit: string }
  readonly head: { readonly name: string; readonly commit: string }
  readonly applications: readonly AppReport[]
  /** Applications that the change does not touch. */
  readonly unchanged: number
  /** How many of all were rendered to find out. */
  readonly rendered: number
  /** Files that could not be read at the head: their Applications are not in the report. */
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}

export interface CompareOptions {
  readonly settings: Settings
  readonly facts: OfflineFacts
  readonly remote: SourceFetcher | undefined
  /** Registered clusters, for ApplicationSets; undefined when nobody has said. */
  readonly clusters: readonly ClusterFact[] | undefined
  /** Who tells what hosts of repositories, plugins and the cluster would answer; undefined: nobody. */
  readonly providers?: ProviderReader | undefined
  /** Folder in which Applications are looked for, '' for all. */
  readonly dir: string
  /** Patterns with `!` in projects only deny, as the guide promises; Argo CD lets one that does not hit permit. */
  readonly strictDenies?: boolean
  /** Only this Application. */
  readonly app?: string | undefined
  /** What templates get beside their sources; nothing unless told. */
  readonly templates?: TemplateWorld
  /** Whether collected Applications tell what made each field. */
  readonly traceFields?: boolean
}

/** An Application of one side, found in a file or made by another one. */
export interface KnownApp {
  readonly id: string
  readonly app: Application
  readonly origin: AppOrigin
}
