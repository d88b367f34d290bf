import type { SourceRequest } from '../adapters/index.ts'
import type { ApplicationSource, Settings, SourceType } from '../argo/index.ts'
import type { FileTree } from '../files/index.ts'
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

export interface RenderedManifest {
  readonly manifest: Manifest
  readonly origin: Origin
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
