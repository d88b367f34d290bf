import { isRefOnly, readBounds } from '@litecd/core/app'
import { type Application, readApplication, sourcesOf } from '@litecd/core/argo'
import { isLitecdError, type LitecdError, SpecError } from '@litecd/core/errors'
import { dirName, isInside } from '@litecd/core/files'
import { groupOf, type Manifest, nameOf } from '@litecd/core/kube'
import { applicationsOfSet } from './application-sets.ts'
import { Discovery, type FoundApplication, type FoundManifest } from './discover.ts'
import { idOf, type Renders } from './renders.ts'
import type { CompareOptions, KnownApp, Remark, Side } from './report.ts'
import type { Workspace } from './repository.ts'
import type { Unknowns } from './unknowns.ts'

export interface FoundApps {
  readonly apps: ReadonlyMap<string, KnownApp>
  readonly problems: readonly LitecdError[]
  readonly remarks: readonly Remark[]
}

/** Finds the Applications of a side: those in files, those of ApplicationSets, and those that others render. */
export class Collector {
  private readonly workspace: Workspace
  private readonly options: CompareOptions
  private readonly renders: Renders
  private readonly unknowns: Unknowns
  private readonly discovery = new Discovery()
  /** Files that hold objects of Argo CD's own kinds, and all folders above them, by side. */
  private readonly argoPaths = { base: new Set<string>(), head: new Set<string>() }

  constructor(workspace: Workspace, options: CompareOptions, renders: Renders, unknowns: Unknowns) {
    this.workspace = workspace
    this.options = options
    this.renders = renders
    this.unknowns = unknowns
  }

  /** Every Application of one side: those in files, and those that others render, to any depth. */
  async applications(side: Side): Promise<FoundApps> {
    const { tree } = this.workspace[side]
    const apps = new Map<string, KnownApp>()
    const problems: LitecdError[] = []
    const remarks: Remark[] = []
    const sets: FoundManifest[] = []
    for (const { path, findings } of this.discovery.search(tree)) {
      const paths = this.argoPaths[side]
      for (let at = path; !paths.has(at); at = dirName(at)) paths.add(at)
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
    const id = idOf(found.app, this.options)
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
    side: Side,
    problems: LitecdError[],
    remarks: Remark[],
  ): Promise<readonly KnownApp[]> {
    if (!this.mayHaveChildren(parent.app, side)) return []
    const outcome = await this.renders.render(parent.app, side)
    if ('failure' in outcome) {
      this.unknowns.below[side].add(parent.app.metadata.name)
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
            id: idOf(placed, this.options),
            app: placed,
            origin: { position, parents: [...parent.origin.parents, parent.app.metadata.name] },
          })
        } catch (error) {
          if (!isLitecdError(error)) throw error
          const known = problems.some((problem) => problem.message === error.message)
          if (!known) problems.push(error)
        }
      }
    }
    return children
  }

  /** The Applications that an ApplicationSet makes. What could not be known is said at the head, not guessed. */
  private async membersOf(
    { manifest, position }: FoundManifest,
    side: Side,
    parents: readonly string[],
    problems: LitecdError[],
    remarks: Remark[],
  ): Promise<readonly KnownApp[]> {
    const name = `ApplicationSet/${nameOf(manifest)}`
    this.unknowns.count(name, side, undefined, position)
    try {
      const { applications, duplicates, warnings } = await applicationsOfSet(manifest, position, {
        sources: this.renders.sourcesOf(side),
        clusters: this.options.clusters,
        providers: this.options.providers,
      })
      this.unknowns.count(name, side, applications.length, position)
      if (side === 'head' && duplicates.length > 0) {
        remarks.push({
          code: 'APP_DUPLICATE',
          message: `${name} makes several Applications of one name, and Argo CD then neither creates nor updates them: ${duplicates.join(', ')}`,
          hint: 'Put a parameter that tells them apart into template.metadata.name.',
          position,
        })
      }
      this.unknowns.warn(name, side, warnings, position)
      return applications.map((app) => ({
        id: idOf(app, this.options),
        app,
        origin: { position, parents: [...parents, name] },
      }))
    } catch (error) {
      if (!isLitecdError(error)) throw error
      this.unknowns.below[side].add(name)
      if (error.code === 'RENDER_UNSUPPORTED') {
        if (side === 'head') this.unknowns.noteSet(name, error, position)
      } else {
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

  /** False where nothing that the sources can read holds an object of Argo CD's own kinds. */
  private mayHaveChildren(app: Application, side: Side): boolean {
    const { tree } = this.workspace[side]
    return sourcesOf(app.spec).some((source) => {
      if (!this.renders.isLocal(source)) return false
      if (isRefOnly(source)) return false
      const bounds = readBounds(tree, source, this.options.settings)
      if (bounds === undefined) return true
      return this.argoPaths[side].has(bounds)
    })
  }
}

function isApplicationSet(manifest: Manifest): boolean {
  return manifest.kind === 'ApplicationSet' && groupOf(manifest.apiVersion ?? '') === 'argoproj.io'
}
