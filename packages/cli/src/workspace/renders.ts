import type { SourceFetcher } from '@litecd/core/adapters'
import {
  changesInside,
  type PreviewSide,
  type RenderOutcome,
  readBounds,
  renderApplication,
} from '@litecd/core/app'
import { type Application, type ApplicationSource, sourcesOf } from '@litecd/core/argo'
import type { PathChange } from '@litecd/core/files'
import { canonicalJson, type Json } from '@litecd/core/json'
import { repositoryName } from '../offline/repository-name.ts'
import { followsChange, localSourceFetcher } from '../offline/sources.ts'
import type { CompareOptions, KnownApp, Side } from './report.ts'
import type { Workspace } from './repository.ts'

/** `namespace/name`, by which an Application is known on both sides. */
export function idOf(app: Application, options: CompareOptions): string {
  return `${app.metadata.namespace ?? options.settings.controllerNamespace}/${app.metadata.name}`
}

/** The renders of Applications at both sides of a workspace, each done once at most. */
export class Renders {
  private readonly workspace: Workspace
  private readonly options: CompareOptions
  private readonly done = new Map<string, Promise<RenderOutcome>>()
  private readonly ids = new Set<string>()

  constructor(workspace: Workspace, options: CompareOptions) {
    this.workspace = workspace
    this.options = options
  }

  /** How many Applications were rendered so far. */
  get count(): number {
    return this.ids.size
  }

  /** Whether a source is read from the repository of the workspace. */
  isLocal(source: ApplicationSource): boolean {
    return (
      (source.chart ?? '') === '' &&
      !source.repoURL.startsWith('oci://') &&
      this.workspace.urls.includes(repositoryName(source.repoURL))
    )
  }

  private follows(source: ApplicationSource): boolean {
    return (
      this.isLocal(source) &&
      followsChange(source.targetRevision ?? '', this.workspace.targetBranches)
    )
  }

  /** The changes that may reach an Application, as far as that can be told without rendering it. */
  possibleChanges(app: Application): readonly PathChange[] {
    const { changes, head } = this.workspace
    if (changes.length === 0) return []
    const out = new Set<PathChange>()
    for (const source of sourcesOf(app.spec)) {
      if (!this.follows(source)) continue
      const bounds = readBounds(head.tree, source, this.options.settings)
      for (const change of bounds === undefined ? changes : changesInside(changes, bounds)) {
        out.add(change)
      }
    }
    return [...out]
  }

  /** Renders an Application, or gives what came of it before; `traceFields` also notes what made each field. */
  render(app: Application, side: Side, traceFields: boolean = false): Promise<RenderOutcome> {
    const touched = this.possibleChanges(app).length > 0
    // What the change cannot reach renders the same on both sides.
    const key = canonicalJson({
      side: touched ? side : 'both',
      traceFields,
      app: idOf(app, this.options),
      spec: app.spec as unknown as Json,
    })
    let outcome = this.done.get(key)
    if (outcome === undefined) {
      this.ids.add(idOf(app, this.options))
      outcome = this.learned(
        renderApplication(
          app,
          {
            sources: this.sourcesOf(side),
            ...(this.options.templates === undefined ? {} : { templates: this.options.templates }),
          },
          { settings: this.options.settings, facts: this.options.facts, traceFields },
        ),
      )
      this.done.set(key, outcome)
    }
    return outcome
  }

  /** Definitions of custom kinds tell the scope of the objects beside them. */
  private async learned(rendering: Promise<RenderOutcome>): Promise<RenderOutcome> {
    const outcome = await rendering
    if ('failure' in outcome) return outcome
    for (const { manifests } of outcome.sources) {
      for (const { manifest } of manifests) this.options.facts.learn(manifest)
    }
    return outcome
  }

  /** What sources answer at one side: files of the workspace, and the rest of the world where that is allowed. */
  sourcesOf(side: Side): SourceFetcher {
    return localSourceFetcher(this.workspace[side], {
      repository: this.workspace.repository,
      urls: this.workspace.urls,
      targetBranches: this.workspace.targetBranches,
      remote: this.options.remote,
    })
  }

  async side(known: KnownApp, side: Side, traceFields: boolean = false): Promise<PreviewSide> {
    return { app: known.app, outcome: await this.render(known.app, side, traceFields) }
  }
}
