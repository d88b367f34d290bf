import type { LookupQuery, SourceRequest } from '../adapters/index.ts'
import type { ApplicationSource, Settings, SourceType } from '../argo/index.ts'
import type { Position } from '../errors/index.ts'
import type { FileTree } from '../files/index.ts'
import type { JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import type { Chance } from './chance.ts'

/** Where a manifest came from: the file, and where in it. Engines add what else took part. */
export interface Origin {
  /** In the source tree. For charts the template, for Kustomize the file of the resource or generator. */
  readonly path: string
  /** Line on which the document starts, from 1; absent where the engine cannot tell. */
  readonly line?: number
  /** Value files, patches, generators, libraries that shaped it, in the order in which they acted. */
  readonly inputs?: readonly string[]
}

/** One thing that had a part in the value of a field. */
export interface FieldCause {
  /**
   * `template`, `values` (a value file or a chart's defaults), `parameter` (of the Application or the command line),
   * `resource` (the manifest as written), `patch`, `transformer`, `generator`, `jsonnet`.
   */
  readonly kind:
    | 'template'
    | 'values'
    | 'parameter'
    | 'resource'
    | 'patch'
    | 'transformer'
    | 'generator'
    | 'jsonnet'
  /** One short line for people, without any value: `.Values.replicas`, `namePrefix`, `patches[0]`. */
  readonly text: string
  /** The file in the source tree, with line and column where they are known. */
  readonly position?: Position
}

/** Where the fields of one manifest come from. Made only when {@link RenderContext.traceFields} asks for it. */
export interface FieldTrace {
  /** What made the value at `path` (names and list positions), nearest cause first; empty where nothing is known. */
  causesOf(path: readonly (string | number)[]): readonly FieldCause[]
}

export interface RenderedManifest {
  readonly manifest: Manifest
  readonly origin: Origin
  readonly trace?: FieldTrace
}

/** A tree that another source of the Application offers under `$ref`. */
export interface RefTree {
  readonly source: ApplicationSource
  readonly tree: FileTree
  readonly revision: string
}

/** What is the same for every source of one Application. */
export interface RenderContext {
  /** InstanceName: `name` or `namespace_name`. */
  readonly appName: string
  /** The destination namespace; may be empty. */
  readonly namespace: string
  readonly project: string
  /** `v1.36.1`, or '' when unknown. */
  readonly kubeVersion: string
  /** `group/version` and `group/version/Kind`, sorted. */
  readonly apiVersions: readonly string[]
  readonly settings: Settings
  /** True when the Application uses `sources`, even with one entry. */
  readonly multiSource: boolean
  /**
   * Randomness and time of templates. When absent they follow from the Application and the chart, and time stands still:
   * the same commit always renders the same. A host that wants what Argo CD does gives real chance.
   */
  readonly chance?: Chance
  /**
   * A live object or list that a template looks up, undefined when there is none. Absent: every look-up is empty, as
   * under `helm template`. Throws ClusterError, which fails the template.
   */
  readonly lookup?: (query: LookupQuery) => JsonObject | undefined
  /** Whether the project permits a repository, for those who explain why one cannot be had. Absent: it does. */
  readonly permitsSource?: (repoURL: string) => boolean
  /** Whether renderers note what made each field: {@link RenderedManifest.trace}. Costs time and memory; off when absent. */
  readonly traceFields?: boolean
}

export interface RenderInput {
  readonly source: ApplicationSource
  /** The repository, chart or image; `path` is checked and inside it. */
  readonly tree: FileTree
  readonly path: string
  /** The resolved revision of `tree`. */
  readonly revision: string
  readonly context: RenderContext
  /** `$name` → tree. */
  readonly refs: { readonly [ref: string]: RefTree }
  /** Answers to earlier needs, by {@link RenderNeed.id}. */
  readonly answers: { readonly [id: string]: RenderAnswer }
}

/** Something remote that a renderer cannot go on without: a chart dependency, a remote base, a value file. */
export interface RenderNeed {
  /** Equal needs have equal ids. */
  readonly id: string
  readonly request: SourceRequest
}

export type RenderAnswer =
  | { readonly tree: FileTree; readonly revision: string }
  | { readonly error: Error }

export interface Renderer {
  readonly sourceType: SourceType
  /** What is still missing from `answers`; empty when {@link render} can run. Throws RenderError. */
  needs(input: RenderInput): readonly RenderNeed[]
  /** Throws RenderError with a position where one is known. */
  render(input: RenderInput): readonly RenderedManifest[]
}
