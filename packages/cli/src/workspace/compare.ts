import type { SourceFetcher } from '@litecd/core/adapters'
import {
  type ApplicationPreview,
  changesInside,
  isRefOnly,
  type PreviewSide,
  previewApplication,
  type RenderOutcome,
  readBounds,
  renderApplication,
} from '@litecd/core/app'
import type { ClusterFact } from '@litecd/core/appset'
import {
  type Application,
  type ApplicationSource,
  readApplication,
  type Settings,
  sourcesOf,
} from '@litecd/core/argo'
import {
  InternalError,
  isLitecdError,
  type LitecdError,
  type Position,
  SpecError,
} from '@litecd/core/errors'
import { changesTouching, isInside, type PathChange } from '@litecd/core/files'
import { canonicalJson, deepEqual, type Json } from '@litecd/core/json'
import { groupOf, type Manifest, nameOf } from '@litecd/core/kube'
import type { OfflineFacts } from '../offline/facts.ts'
import { repositoryName } from '../offline/repository-name.ts'
import { followsChange, localSourceFetcher } from '../offline/sources.ts'
import { applicationsOfSet } from './application-sets.ts'
import { Discovery, type FoundApplication, type FoundManifest } from './discover.ts'
import type { Revision, Workspace } from './repository.ts'

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
  /** Folder in which Applications are looked for, '' for all. */
  readonly dir: string
  /** Only this Application. */
  readonly app?: string | undefined
}

interface KnownApp {
  readonly id: string
  readonly app: Application
  readonly origin: AppOrigin
}

/** Compares all Applications of a workspace at its two revisions. */
export async function compareWorkspace(
  workspace: Workspace,
  options: CompareOptions,
): Promise<Report> {
  return new Comparison(workspace, options).run()
}

/** The Applications of one revision with what they render to. */
export async function collectApplications(
  workspace: Workspace,
  options: CompareOptions,
): Promise<{
  readonly apps: readonly {
    readonly id: string
    readonly side: PreviewSide
    readonly origin: AppOrigin
  }[]
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}> {
  return new Comparison(workspace, options).collect()
}

class Comparison {
  private readonly workspace: Workspace
  private readonly options: CompareOptions
  private readonly discovery = new Discovery()
  private readonly urls: readonly string[]
  private readonly remarks: Remark[] = []
  private readonly renders = new Map<string, Promise<RenderOutcome>>()
  /** Paths of files that hold objects of Argo CD's own kinds, by side. */
  private readonly argoFiles = { base: new Set<string>(), head: new Set<string>() }
  private readonly rendered = new Set<string>()
  /** Applications and sets whose members cannot be told, by side. */
  private readonly unknownBelow = { base: new Set<string>(), head: new Set<string>() }
  /** Sets whose generators ask for what nothing here can tell, by what that is. */
  private readonly unknownSets = new Map<
    string,
    { readonly names: string[]; readonly error: LitecdError; readonly position: Position }
  >()
  /** How many Applications each ApplicationSet makes, by side. */
  private readonly setCounts = new Map<
    string,
    { base?: number; head?: number; readonly position: Position }
  >()

  constructor(workspace: Workspace, options: CompareOptions) {
    this.workspace = workspace
    this.options = options
    this.urls = workspace.urls
  }

  async run(): Promise<Report> {
    const head = await this.applications('head')
    const base = await this.applications('base')
    const reports: AppReport[] = []
    let unchanged = 0
    const ids = [...new Set([...head.apps.keys(), ...base.apps.keys()])].sort()
    let hidden = 0
    for (const id of ids) {
      const gone = head.apps.has(id) ? undefined : base.apps.get(id)
      // Not removed: what stands above it at the head cannot tell any more.
      if (gone?.origin.parents.some((parent) => this.unknownBelow.head.has(parent))) {
        hidden++
        continue
      }
      const report = await this.compareOne(base.apps.get(id), head.apps.get(id))
      if (report === undefined) unchanged++
      else reports.push(report)
    }
    const { workspace } = this
    return {
      base: { name: workspace.base.name, commit: workspace.base.commit },
      head: { name: workspace.head.name, commit: workspace.head.commit },
      applications: reports,
      unchanged,
      rendered: this.rendered.size,
      problems: head.problems,
      remarks: [
        ...this.emptiedSets(),
        ...this.unknownRemarks(hidden),
        ...this.remarks,
        ...this.placeRemarks(head.apps),
        ...this.unknownSetRemarks(),
        ...head.remarks,
      ],
    }
  }

  async collect(): ReturnType<typeof collectApplications> {
    const found = await this.applications('head')
    const apps = []
    for (const known of [...found.apps.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      apps.push({ id: known.id, side: await this.side(known, 'head'), origin: known.origin })
    }
    return {
      apps,
      problems: found.problems,
      remarks: [
        ...this.unknownSetRemarks(),
        ...this.remarks,
        ...this.placeRemarks(found.apps),
        ...found.remarks,
      ],
    }
  }

  /** What a user should know who looks at the wrong place. */
  private placeRemarks(apps: ReadonlyMap<string, KnownApp>): readonly Remark[] {
    const { dir } = this.options
    const code = 'WORKSPACE_INVALID'
    if (apps.size === 0) {
      if (dir === '') return []
      const hint = 'Give the root of the repository as PATH to look at all of it.'
      return [{ code, message: `only the folder ${dir} was looked at`, hint }]
    }
    const all = [...apps.values()]
    if (all.some(({ app }) => sourcesOf(app.spec).some((source) => this.isLocal(source)))) return []
    const names = this.urls.length === 0 ? 'it has no remote' : `known as ${this.urls.join(', ')}`
    return [
      {
        code,
        message: `no Application has its source in this repository (${names}): all of them see other repositories`,
        hint: 'If this is the checkout of one of them, say so with --repo URL.',
      },
    ]
  }

  private revision(side: 'base' | 'head'): Revision {
    return this.workspace[side]
  }

  private idOf(app: Application): string {
    return `${app.metadata.namespace ?? this.options.settings.controllerNamespace}/${app.metadata.name}`
  }

  /** Every Application of one side: those in files, and those that others render, to any depth. */
  private async applications(side: 'base' | 'head'): Promise<{
    apps: Map<string, KnownApp>
    problems: readonly LitecdError[]
    remarks: readonly Remark[]
  }> {
    const { tree } = this.revision(side)
    const apps = new Map<string, KnownApp>()
    const problems: LitecdError[] = []
    const remarks: Remark[] = []
    const sets: FoundManifest[] = []
    for (const { path, findings } of this.discovery.search(tree, '')) {
      this.argoFiles[side].add(path)
      if (!isInside(path, this.options.dir)) continue
      problems.push(...findings.problems)
      for (const found of findings.applications) this.addRaw(found, apps, remarks)
      for (const { manifest, position } of findings.others) {
        if (isApplicationSet(manifest)) sets.push({ manifest, position })
      }
    }
    // Applications in files come first: the same name from a set is the same Application.
    for (const set of sets) {
      for (const known of await this.membersOf(set, side, [], problems, remarks)) {
        if (!apps.has(known.id)) apps.set(known.id, known)
      }
    }
    const queue = [...apps.values()]
    const expanded = new Set<string>()
    for (let known = queue.shift(); known !== undefined; known = queue.shift()) {
      const current = apps.get(known.id) ?? known
      if (expanded.has(known.id)) continue
      expanded.add(known.id)
      for (const child of await this.childrenOf(current, side, problems, remarks)) {
        const before = apps.get(child.id)
        // What a parent renders is what reaches the cluster; the first parent wins.
        if (before !== undefined && before.origin.parents.length > 0) continue
        apps.set(child.id, child)
        queue.push(child)
      }
    }
    return { apps, problems, remarks }
  }

  private addRaw(found: FoundApplication, apps: Map<string, KnownApp>, remarks: Remark[]): void {
    const id = this.idOf(found.app)
    const before = apps.get(id)
    if (before !== undefined) {
      remarks.push({
        code: 'APP_DUPLICATE',
        message: `Application ${id} is defined twice; the other definition is in ${before.origin.position.path}`,
        hint: 'Rename one of them, or leave one folder out with a PATH argument.',
        position: found.position,
      })
      return
    }
    for (const { code, message, hint, position } of found.remarks) {
      remarks.push({ code, message, hint, position })
    }
    apps.set(id, { id, app: found.app, origin: { position: found.position, parents: [] } })
  }

  private async childrenOf(
    parent: KnownApp,
    side: 'base' | 'head',
    problems: LitecdError[],
    remarks: Remark[],
  ): Promise<readonly KnownApp[]> {
    if (!this.mayHaveChildren(parent.app, side)) return []
    const outcome = await this.render(parent.app, side)
    if ('failure' in outcome) {
      this.unknownBelow[side].add(parent.app.metadata.name)
      return []
    }
    const children: KnownApp[] = []
    for (const source of outcome.sources) {
      for (const { manifest, origin } of source.manifests) {
        if (groupOf(manifest.apiVersion ?? '') !== 'argoproj.io') continue
        const position = {
          path: origin.path,
          ...(origin.line === undefined ? {} : { line: origin.line }),
        }
        if (isApplicationSet(manifest)) {
          const parents = [...parent.origin.parents, parent.app.metadata.name]
          const set = { manifest, position }
          children.push(...(await this.membersOf(set, side, parents, problems, remarks)))
          continue
        }
        if (manifest.kind !== 'Application') continue
        try {
          const { application } = readApplication(manifest, position)
          const namespace = application.metadata.namespace ?? parent.app.spec.destination.namespace
          const placed =
            namespace === undefined
              ? application
              : { ...application, metadata: { ...application.metadata, namespace } }
          children.push({
            id: this.idOf(placed),
            app: placed,
            origin: { position, parents: [...parent.origin.parents, parent.app.metadata.name] },
          })
        } catch (error) {
          if (!isLitecdError(error)) throw error
          const known = problems.some((problem) => problem.message === error.message)
          if (side === 'head' && !known) problems.push(error)
        }
      }
    }
    return children
  }

  /** The Applications that an ApplicationSet makes. What could not be known is said at the head, not guessed. */
  private async membersOf(
    { manifest, position }: FoundManifest,
    side: 'base' | 'head',
    parents: readonly string[],
    problems: LitecdError[],
    remarks: Remark[],
  ): Promise<readonly KnownApp[]> {
    const name = `ApplicationSet/${nameOf(manifest)}`
    const counts = this.setCounts.get(name) ?? { position }
    this.setCounts.set(name, counts)
    try {
      const { applications, duplicates } = await applicationsOfSet(manifest, position, {
        sources: this.sourcesOf(side),
        clusters: this.options.clusters,
      })
      counts[side] = applications.length
      if (side === 'head' && duplicates.length > 0) {
        remarks.push({
          code: 'APP_DUPLICATE',
          message: `${name} makes several Applications of one name, and Argo CD then neither creates nor updates them: ${duplicates.join(', ')}`,
          hint: 'Put a parameter that tells them apart into template.metadata.name.',
          position,
        })
      }
      return applications.map((app) => ({
        id: this.idOf(app),
        app,
        origin: { position, parents: [...parents, name] },
      }))
    } catch (error) {
      if (!isLitecdError(error)) throw error
      this.unknownBelow[side].add(name)
      if (error.code === 'RENDER_UNSUPPORTED') {
        if (side === 'head') this.noteUnknownSet(name, error, position)
      } else if (side === 'head') {
        problems.push(
          new SpecError(error.code, `${name}: ${error.message}`, {
            position,
            hint:
              error.hint ??
              'Argo CD creates, updates and deletes nothing of this set until that is fixed.',
            cause: error,
          }),
        )
      }
      return []
    }
  }

  private noteUnknownSet(name: string, error: LitecdError, position: Position): void {
    const known = this.unknownSets.get(error.message)
    if (known === undefined) this.unknownSets.set(error.message, { names: [name], error, position })
    else known.names.push(name)
  }

  /** One remark for each thing that is not known, however many sets ask for it. */
  private unknownSetRemarks(): readonly Remark[] {
    return [...this.unknownSets.values()].map(({ names, error, position }) => {
      const rest = names.length - shownSets
      const shown = names.slice(0, shownSets).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
      return {
        code: error.code,
        message: `the Applications of ${shown} are not in this report: ${error.message}`,
        ...hintFor(error),
        position,
      }
    })
  }

  private unknownRemarks(hidden: number): readonly Remark[] {
    const { base, head } = this.unknownBelow
    const out: Remark[] = []
    if (hidden > 0) {
      const count = hidden === 1 ? '1 Application is' : `${hidden} Applications are`
      out.push({
        code: 'RENDER_FAILED',
        message: `${count} not in this report, because what makes them fails after the change: ${[...head].join(', ')}`,
      })
    }
    const mended = [...base].filter((name) => !head.has(name))
    if (mended.length > 0) {
      out.push({
        code: 'RENDER_FAILED',
        message: `before this change ${mended.join(', ')} failed, so everything below is shown as new`,
      })
    }
    return out
  }

  /** Sets that made Applications before and make none now: all of them would be deleted. */
  private emptiedSets(): readonly Remark[] {
    return [...this.setCounts].flatMap(([name, { base = 0, head, position }]) =>
      base > 0 && head === 0
        ? [
            {
              code: 'APPSET_EMPTY',
              message: `${name} made ${base} ${base === 1 ? 'Application' : 'Applications'} and makes none now: they and, unless the set preserves them, their objects are deleted`,
              position,
            },
          ]
        : [],
    )
  }

  /** False where nothing that the sources can read holds an object of Argo CD's own kinds. */
  private mayHaveChildren(app: Application, side: 'base' | 'head'): boolean {
    const { tree } = this.revision(side)
    return sourcesOf(app.spec).some((source) => {
      if (!this.isLocal(source)) return false
      if (isRefOnly(source)) return false
      const bounds = readBounds(tree, source, this.options.settings)
      if (bounds === undefined) return true
      return [...this.argoFiles[side]].some((path) => isInside(path, bounds))
    })
  }

  private isLocal(source: ApplicationSource): boolean {
    return (
      (source.chart ?? '') === '' &&
      !source.repoURL.startsWith('oci://') &&
      this.urls.includes(repositoryName(source.repoURL))
    )
  }

  private follows(source: ApplicationSource): boolean {
    return (
      this.isLocal(source) &&
      followsChange(source.targetRevision ?? '', this.workspace.targetBranches)
    )
  }

  /** The changes that may reach an Application, as far as that can be told without rendering it. */
  private possibleChanges(app: Application): readonly PathChange[] {
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

  private render(app: Application, side: 'base' | 'head'): Promise<RenderOutcome> {
    const touched = this.possibleChanges(app).length > 0
    // What the change cannot reach renders the same on both sides.
    const key = canonicalJson({
      side: touched ? side : 'both',
      app: this.idOf(app),
      spec: app.spec as unknown as Json,
    })
    let outcome = this.renders.get(key)
    if (outcome === undefined) {
      this.rendered.add(this.idOf(app))
      outcome = this.learned(
        renderApplication(
          app,
          { sources: this.sourcesOf(side) },
          { settings: this.options.settings, facts: this.options.facts },
        ),
      )
      this.renders.set(key, outcome)
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

  private sourcesOf(side: 'base' | 'head'): SourceFetcher {
    return localSourceFetcher(this.revision(side), {
      repository: this.workspace.repository,
      urls: this.urls,
      targetBranches: this.workspace.targetBranches,
      remote: this.options.remote,
    })
  }

  private async side(known: KnownApp, side: 'base' | 'head'): Promise<PreviewSide> {
    return { app: known.app, outcome: await this.render(known.app, side) }
  }

  private async compareOne(
    base: KnownApp | undefined,
    head: KnownApp | undefined,
  ): Promise<AppReport | undefined> {
    const known = head ?? base
    if (known === undefined) throw new InternalError('an Application is on neither side')
    if (this.options.app !== undefined && !matches(known, this.options.app)) return undefined
    const preview = (
      one: PreviewSide | undefined,
      other: PreviewSide | undefined,
    ): ApplicationPreview =>
      previewApplication(one, other, { settings: this.options.settings, facts: this.options.facts })
    if (base === undefined || head === undefined) {
      const side = await this.side(known, head === undefined ? 'base' : 'head')
      return {
        preview: head === undefined ? preview(side, undefined) : preview(undefined, side),
        origin: known.origin,
        reasons: [
          head === undefined
            ? `no longer ${known.origin.parents.length > 0 ? `rendered by ${known.origin.parents.at(-1)}` : 'in the repository'}: ${known.origin.position.path}`
            : known.origin.parents.at(-1)?.startsWith('ApplicationSet/')
              ? `newly made by ${known.origin.parents.at(-1)}: ${known.origin.position.path}`
              : `new in ${known.origin.position.path}`,
        ],
      }
    }
    const sameSpec = sameApplication(base.app, head.app)
    const possible = this.possibleChanges(head.app)
    if (sameSpec && possible.length === 0) {
      // Only what cannot be rendered at all is worth a look: whoever runs this wants to know.
      return undefined
    }
    const before = await this.side(base, 'base')
    const reasons: string[] = []
    if (!sameSpec) reasons.push(`the Application itself changed: ${head.origin.position.path}`)
    const touching = touchedBy(base.app, before.outcome, possible)
    if (sameSpec && touching.length === 0) return undefined
    if (touching.length > 0) reasons.push(describeChanges(touching))
    const after = await this.side(head, 'head')
    const result = preview(before, after)
    if (result.change === 'unchanged') return undefined
    return { preview: result, origin: head.origin, reasons }
  }
}

function hintFor(error: LitecdError): { readonly hint?: string } {
  if (error.data['generator'] === 'clusters') {
    return { hint: 'Say which clusters are registered: --clusters FILE.' }
  }
  return error.hint === undefined ? {} : { hint: error.hint }
}

function isApplicationSet(manifest: Manifest): boolean {
  return manifest.kind === 'ApplicationSet' && groupOf(manifest.apiVersion ?? '') === 'argoproj.io'
}

function matches(known: KnownApp, wanted: string): boolean {
  return known.id === wanted || known.app.metadata.name === wanted
}

function sameApplication(a: Application, b: Application): boolean {
  return (
    deepEqual(a.spec as unknown as Json, b.spec as unknown as Json) &&
    deepEqual((a.metadata.labels ?? {}) as Json, (b.metadata.labels ?? {}) as Json) &&
    deepEqual((a.metadata.annotations ?? {}) as Json, (b.metadata.annotations ?? {}) as Json) &&
    deepEqual(
      (a.metadata.finalizers ?? []) as unknown as Json,
      (b.metadata.finalizers ?? []) as unknown as Json,
    )
  )
}

/**
 * The changes among `possible` that were part of what a render read. One that failed had its reasons in what it read so
 * far; with several sources that is not all known.
 */
function touchedBy(
  app: Application,
  outcome: RenderOutcome,
  possible: readonly PathChange[],
): readonly PathChange[] {
  if ('failure' in outcome) {
    const { reads } = outcome.failure
    if (reads === undefined) return possible
    const seen = changesTouching(reads, possible)
    return seen.length > 0 || sourcesOf(app.spec).length === 1 ? seen : possible
  }
  const out = new Set<PathChange>()
  for (const source of outcome.sources) {
    for (const change of changesTouching(source.reads, possible)) out.add(change)
  }
  return [...out]
}

const shownSets = 3
const shownChanges = 3

function describeChanges(changes: readonly PathChange[]): string {
  const words = { added: 'new', removed: 'gone', modified: 'changed' } as const
  const shown = changes.slice(0, shownChanges).map(({ path, change }) => `${path} ${words[change]}`)
  const rest = changes.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
