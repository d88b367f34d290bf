import { isLitecdError, type Position } from '../../errors/index.ts'
import { quoteGo } from '../../text/index.ts'
import { Accumulator } from './accumulator.ts'
import type { NodeBudget } from './anchors.ts'
import { loadConfig, loadCrds, mergeConfigs } from './config.ts'
import { fail, inLevel, messageOf, reworded, within, wrap } from './fail.ts'
import { inflateChart } from './helm.ts'
import type { Kustomization } from './kustomization.ts'
import { type LevelFile, readLevelFile } from './level-file.ts'
import { runGenerators } from './level-generators.ts'
import type { LevelHost } from './level-host.ts'
import { LevelSteps } from './level-steps.ts'
import { runTransformers, runValidators } from './level-transformers.ts'
import { HttpFailure, type Loader } from './loader.ts'
import { uniqueIn } from './objects.ts'
import { malformed } from './older-patches.ts'
import type { BuildOrigin } from './origin-text.ts'
import { appendOrigin } from './origins.ts'
import type { PluginHost } from './plugins.ts'
import { readResources } from './read.ts'
import type { Resource } from './resource.ts'
import type { BuildSession } from './session.ts'
import { addVars, markVars, readVar, writtenVar } from './vars.ts'

/**
 * One kustomization file on its way through the build.
 *
 * Source: kustomize v5.8.1 api/internal/target/kusttarget.go
 */
export class Level implements LevelHost {
  readonly file: LevelFile
  readonly session: BuildSession
  readonly loader: Loader
  origin: BuildOrigin | undefined
  readonly helmNamespace: string
  private ownSteps: LevelSteps | undefined

  constructor(
    session: BuildSession,
    loader: Loader,
    options: {
      readonly origin?: BuildOrigin | undefined
      readonly helmNamespace?: string
      /** A root file that was edited in memory. */
      readonly kustomization?: Kustomization | undefined
    } = {},
  ) {
    this.session = session
    this.loader = loader
    this.origin = options.origin
    this.helmNamespace = options.helmNamespace ?? ''
    this.file = readLevelFile(session, loader, options.kustomization)
  }

  get kustomization(): Kustomization {
    return this.file.kustomization
  }

  steps(): LevelSteps {
    return (this.ownSteps ??= new LevelSteps(this.file, this.loader))
  }

  /** Starts to note where objects come from. */
  trackOrigins(): void {
    this.origin = {}
  }

  /** All objects of the level. Errors tell the files of the levels that lead to them, outermost first. */
  accumulate(into: Accumulator): Accumulator {
    try {
      return this.accumulateOwn(into)
    } catch (error) {
      throw inLevel(error, this.file.path)
    }
  }

  private accumulateOwn(into: Accumulator): Accumulator {
    const { kustomization: file } = this
    let all = into
    all = within('accumulating resources', () => this.addResources(all, file.resources ?? []))
    const config = loadConfig(this.loader, file.configurations ?? [])
    all.config = within('merging config', () => mergeConfigs(all.config, config))
    const { crds = [] } = file
    const own = within(`loading CRDs [${crds.join(' ')}]`, () => loadCrds(this.loader, crds))
    all.config = within('merging CRDs', () => mergeConfigs(all.config, own))
    runGenerators(this, all)
    all = within('accumulating components', () => this.addComponents(all, file.components ?? []))
    runTransformers(this, all)
    runValidators(this, all)
    if (file.vars !== undefined) {
      const vars = file.vars.map(readVar)
      within(`merging vars [${file.vars.map(writtenVar).join(' ')}]`, () => {
        markVars(all.objects, vars)
        addVars(all.vars, vars)
      })
    }
    return all
  }

  private addResources(into: Accumulator, paths: readonly string[]): Accumulator {
    let all = into
    const missing: unknown[] = []
    for (const path of paths) {
      try {
        all = this.addResource(all, path)
      } catch (error) {
        // Remote things are collected, so that one round of fetching brings all that stand side by side.
        if (!this.session.isMissing(error)) throw error
        missing.push(error)
      }
    }
    if (missing.length > 0) throw missing[0]
    return all
  }

  private addResource(into: Accumulator, path: string): Accumulator {
    if (/^git::/i.test(path)) this.session.log(forcedGit)
    const failure = this.addAsFile(into, path)
    if (failure === undefined) return into
    const { why, at, cause } = failure
    let loader: Loader
    try {
      loader = this.loader.open(path)
    } catch (error) {
      if (this.session.isMissing(error)) throw error
      if (why.includes('MalformedYAMLError')) throw cause
      throw wrap(error, `accumulation err='${why}'`, at)
    }
    try {
      return this.addFolder(into, loader, path, false)
    } catch (error) {
      if (this.session.isMissing(error)) throw error
      throw wrap(error, `accumulation err='${why}'`)
    }
  }

  /** What is wrong with the file, to be told when the path is no folder either. */
  private addAsFile(
    into: Accumulator,
    path: string,
  ):
    | { readonly why: string; readonly at: Position | undefined; readonly cause?: unknown }
    | undefined {
    const folder = this.loader.folderFailure(path)
    if (folder !== undefined) {
      const why = `accumulating resources from '${path}': ${folder}`
      return { why, at: { path: this.loader.pathOf(path) } }
    }
    try {
      this.addFile(into, path)
      return undefined
    } catch (error) {
      if (error instanceof HttpFailure) {
        return fail(`accumulating resources from '${path}': ${error.message}`)
      }
      if (!isLitecdError(error) || this.session.isMissing(error)) throw error
      if (error.code === 'BUDGET_EXCEEDED') throw error
      return { why: messageOf(error), at: error.position, cause: error }
    }
  }

  private addFile(into: Accumulator, path: string): void {
    const file = this.loader.pathOf(path)
    let resources: Resource[]
    let text: string
    try {
      text = this.loader.text(path)
      resources = uniqueIn(readNamed(text, path, file, this.session.nodes))
    } catch (error) {
      if (error instanceof HttpFailure || this.session.isMissing(error)) throw error
      throw wrap(error, `accumulating resources from '${path}'`, { path: file })
    }
    const origin = this.origin === undefined ? undefined : appendOrigin(this.origin, path)
    for (const resource of resources) {
      resource.origin = origin
      try {
        into.objects.append(resource)
      } catch (error) {
        throw wrap(error, `merging resources from '${path}'`, position(resource))
      }
      this.session.trace?.begin(resource, [this.steps().document(resource, text)])
    }
  }

  private addComponents(into: Accumulator, paths: readonly string[]): Accumulator {
    let all = into
    for (const path of paths) {
      let loader: Loader
      try {
        loader = this.loader.open(path)
      } catch (error) {
        if (this.session.isMissing(error)) throw error
        return fail(`loader.New ${quoteGo(messageOf(error))}`, { path: this.file.path }, error)
      }
      try {
        all = this.addFolder(all, loader, path, true)
      } catch (error) {
        if (this.session.isMissing(error)) throw error
        if (isLitecdError(error) && error.code === 'BUDGET_EXCEEDED') throw error
        throw reworded(error, `accumulateDirectory: ${quoteGo(messageOf(error))}`)
      }
    }
    return all
  }

  private addFolder(
    into: Accumulator,
    loader: Loader,
    path: string,
    isComponent: boolean,
  ): Accumulator {
    const { session } = this
    session.enter()
    const shown = loader.shown
    const level = within(`couldn't make target for path '${shown}'`, () => {
      const origin = this.origin === undefined ? undefined : appendOrigin(this.origin, path)
      const helmNamespace = this.kustomization.namespace || this.helmNamespace
      return new Level(session, loader, { origin, helmNamespace })
    })
    session.useOpenApi(level.kustomization.openapi, loader, false)
    const { kind } = level.kustomization
    if (isComponent && kind !== 'Component') {
      fail(`expected kind 'Component' for path '${shown}' but got '${kind}'`)
    }
    if (!isComponent && kind === 'Component') {
      fail(`expected kind != 'Component' for path '${shown}'`)
    }
    let child: Accumulator
    try {
      child = level.accumulate(isComponent ? into : new Accumulator())
    } catch (error) {
      if (session.isMissing(error)) throw error
      throw wrap(error, `recursed accumulation of path '${shown}'`)
    }
    const target = isComponent ? new Accumulator() : into
    within(`recursed merging from path '${shown}'`, () => target.merge(child))
    session.leave()
    return target
  }

  get plugins(): PluginHost {
    return {
      loader: this.loader,
      schemas: () => this.session.schemas,
      file: this.file.path,
      spend: (bytes) => this.session.spend(bytes),
      inflate: (args) => inflateChart(args, this.loader, this.session, this.file.path),
    }
  }

  /** The objects that configure plugins, written inline or in files. */
  pluginObjects(what: string, entries: readonly string[] = []): readonly Resource[] {
    const found = new Accumulator()
    const paths: string[] = []
    for (const entry of entries) {
      let inline: Resource[]
      try {
        inline = uniqueIn(readResources(entry, this.file.path))
      } catch (error) {
        if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
        paths.push(entry)
        continue
      }
      for (const resource of inline) {
        if (this.origin !== undefined) resource.origin = appendOrigin(this.origin, this.file.name)
        within(`configuring external ${what}`, () => found.objects.append(resource))
      }
    }
    return this.addResources(found, paths).objects.list
  }
}

const forcedGit =
  "Warning: Forcing the git protocol using the 'git::' URL prefix is not supported. Kustomize currently strips this " +
  "invalid prefix, but will stop doing so in a future release. Please remove the 'git::' prefix from your configuration."

function position(resource: Resource): { readonly path: string; readonly line?: number } {
  return { path: resource.file, ...(resource.line === undefined ? {} : { line: resource.line }) }
}

function readNamed(text: string, path: string, file: string, nodes: NodeBudget): Resource[] {
  try {
    return readResources(text, file, nodes)
  } catch (error) {
    throw malformed(error, path)
  }
}
