import { isLitecdError, type Position } from '../../errors/index.ts'
import { joinPath } from '../../files/index.ts'
import { formatJson, type Json, type JsonObject } from '../../json/index.ts'
import { quoteGo } from '../../text/index.ts'
import { absorb } from './absorb.ts'
import { shownObject } from './conceal.ts'
import {
  type Config,
  emptyConfig,
  fieldSpec,
  loadConfig,
  mergeConfigs,
  mergeSpecs,
} from './config.ts'
import { fail, messageOf, within, wrap } from './fail.ts'
import { generate, mergeOptions } from './generate.ts'
import { inflateChart } from './helm.ts'
import { idText } from './id.ts'
import { fileNames, type Kustomization, readKustomization } from './kustomization.ts'
import { HttpFailure, type Loader } from './loader.ts'
import { Objects, uniqueIn } from './objects.ts'
import {
  configuring,
  json6902Transformer,
  malformed,
  patchTransformer,
  strategicMergeTransformer,
  type Transformer,
} from './patch.ts'
import { configureGenerator, configureTransformer, type PluginHost } from './plugins.ts'
import { readResources } from './read.ts'
import { parseRepo } from './remote.ts'
import { replacementTransformer } from './replace.ts'
import type { BuildOrigin, Resource } from './resource.ts'
import type { BuildSession } from './session.ts'
import { addAffix, setImages, setNamespaces, setReplicas, setTexts } from './transform.ts'
import { addVars, markVars, readVar, type Var, writtenVar } from './vars.ts'

/** What a level collects. */
export class Accumulator {
  readonly objects: Objects = new Objects()
  config: Config = emptyConfig
  readonly vars: Map<string, Var> = new Map()

  merge(other: Accumulator): void {
    for (const resource of other.objects.list) this.objects.append(resource)
    this.config = mergeConfigs(this.config, other.config)
    addVars(this.vars, other.vars.values())
  }
}

interface Step {
  readonly run: Transformer
  readonly origin: BuildOrigin | undefined
}

/**
 * One kustomization file on its way through the build.
 *
 * Source: kustomize v5.8.1 api/internal/target/kusttarget.go
 */
export class Level {
  readonly kustomization: Kustomization
  private readonly session: BuildSession
  private readonly loader: Loader
  private readonly file: string
  private readonly fileName: string
  /** Where the level stands, for annotations; undefined unless they are asked for. */
  private origin: BuildOrigin | undefined
  private readonly helmNamespace: string

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
    const { name, text } = findFile(loader)
    this.fileName = name
    this.file = joinPath(loader.root, name)
    if (options.kustomization !== undefined) this.kustomization = options.kustomization
    else {
      const read = readKustomization(text, this.file, loader.shown)
      session.warn(read.warnings)
      this.kustomization = read.value
    }
  }

  /** Starts to note where objects come from. */
  trackOrigins(): void {
    this.origin = {}
  }

  accumulate(into: Accumulator): Accumulator {
    const { kustomization: file } = this
    let all = into
    all = within('accumulating resources', () => this.addResources(all, file.resources ?? []))
    const config = loadConfig(this.loader, file.configurations ?? [], file.crds ?? [])
    all.config = mergeConfigs(all.config, config)
    this.runGenerators(all)
    all = within('accumulating components', () => this.addComponents(all, file.components ?? []))
    this.runTransformers(all)
    this.runValidators(all)
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
    try {
      const text = this.loader.text(path)
      resources = uniqueIn(readNamed(text, path, file))
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
        return fail(`loader.New ${quoteGo(messageOf(error))}`, { path: this.file }, error)
      }
      try {
        all = this.addFolder(all, loader, path, true)
      } catch (error) {
        if (this.session.isMissing(error)) throw error
        if (isLitecdError(error) && error.code !== 'KUSTOMIZE_FAILED') throw error
        const at = isLitecdError(error) ? error.position : undefined
        return fail(`accumulateDirectory: ${quoteGo(messageOf(error))}`, at, error)
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
      throw wrap(error, `recursed accumulation of path '${shown}'`, { path: level.file })
    }
    const target = isComponent ? new Accumulator() : into
    within(`recursed merging from path '${shown}'`, () => target.merge(child))
    session.leave()
    return target
  }

  private builtinOrigin(kind: string): BuildOrigin | undefined {
    if (this.origin === undefined) return undefined
    const { repo, ref, path = '' } = this.origin
    return {
      ...(repo === undefined ? {} : { repo }),
      ...(ref === undefined ? {} : { ref }),
      configuredIn: joinPath(path, this.fileName),
      configuredBy: { apiVersion: 'builtin', kind },
    }
  }

  private get host(): PluginHost {
    return {
      loader: this.loader,
      schemas: () => this.session.schemas,
      file: this.file,
      inflate: (args) => inflateChart(args, this.loader, this.session, this.file),
    }
  }

  private runGenerators(all: Accumulator): void {
    const { kustomization: file } = this
    const steps: { run: () => Resource[]; origin: BuildOrigin | undefined }[] = []
    const data = [
      ['ConfigMap', file.configMapGenerator],
      ['Secret', file.secretGenerator],
    ] as const
    for (const [kind, entries] of data) {
      for (const entry of entries ?? []) {
        const options = mergeOptions(entry.options, file.generatorOptions)
        const args = options === undefined ? entry : { ...entry, options }
        steps.push({
          run: () => [generate(kind, args, this.loader, this.file)],
          origin: this.builtinOrigin(`${kind}Generator`),
        })
      }
    }
    for (const chart of file.helmCharts ?? []) {
      const namespace = chart.namespace || file.namespace || this.helmNamespace
      const args: JsonObject = {
        ...(file.helmGlobals as JsonObject | undefined),
        ...(chart as JsonObject),
        ...(namespace === '' ? {} : { namespace }),
      }
      const run = configuring('HelmChartInflationGenerator', args, () =>
        inflateChart(args, this.loader, this.session, this.file),
      )
      steps.push({ run, origin: this.builtinOrigin('HelmChartInflationGenerator') })
    }
    const plugins = within('loading generator plugins', () =>
      this.pluginObjects('generator', file.generators),
    )
    for (const plugin of plugins) {
      const run = within('loading generator plugins', () => configureGenerator(plugin, this.host))
      steps.push({ run, origin: pluginOrigin(plugin) })
    }
    for (const { run, origin } of steps) {
      const made = run()
      for (const resource of made) {
        resource.origin ??= origin
        try {
          absorb(all.objects, resource)
        } catch (error) {
          throw wrap(error, 'merging from generator', { path: this.file })
        }
      }
    }
  }

  /** The objects that configure plugins, written inline or in files. */
  private pluginObjects(what: string, entries: readonly string[] = []): readonly Resource[] {
    const found = new Accumulator()
    const paths: string[] = []
    for (const entry of entries) {
      let inline: Resource[]
      try {
        inline = uniqueIn(readResources(entry, this.file))
      } catch (error) {
        if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
        paths.push(entry)
        continue
      }
      for (const resource of inline) {
        if (this.origin !== undefined) resource.origin = appendOrigin(this.origin, this.fileName)
        within(`configuring external ${what}`, () => found.objects.append(resource))
      }
    }
    return this.addResources(found, paths).objects.list
  }

  private runTransformers(all: Accumulator): void {
    const steps = this.builtinSteps(all.config)
    for (const plugin of this.pluginObjects('transformer', this.kustomization.transformers)) {
      steps.push({
        run: configureTransformer(plugin, this.host),
        origin: pluginOrigin(plugin),
      })
    }
    for (const { run, origin } of steps) {
      run(all.objects)
      if (origin !== undefined) {
        for (const resource of all.objects.list) {
          if (resource.origin === undefined) resource.origin = origin
          else resource.transformations.push(origin)
        }
      }
      all.objects.dropEmpty()
    }
  }

  private builtinSteps(config: Config): Step[] {
    const { kustomization: file, loader } = this
    const { schemas } = this.session
    const steps: Step[] = []
    const add = (plugin: string, args: Json, make: () => Transformer): void => {
      steps.push({ run: configuring(plugin, args, make), origin: this.builtinOrigin(plugin) })
    }
    const { patchesStrategicMerge: paths = [] } = file
    if (paths.length > 0) {
      add('PatchStrategicMergeTransformer', { paths: [...paths] }, () =>
        strategicMergeTransformer(paths, '', loader, schemas),
      )
    }
    for (const patch of file.patches ?? []) {
      add('PatchTransformer', patch as Json, () => patchTransformer(patch, loader, schemas))
    }
    const { namespace = '', namePrefix = '', nameSuffix = '' } = file
    if (namespace !== '') {
      add(
        'NamespaceTransformer',
        {},
        () => (objects) => setNamespaces(objects, namespace, config.namespace),
      )
    }
    if (namePrefix !== '') {
      add(
        'PrefixTransformer',
        {},
        () => (objects) => addAffix(objects, 'prefix', namePrefix, config.namePrefix),
      )
    }
    if (nameSuffix !== '') {
      add(
        'SuffixTransformer',
        {},
        () => (objects) => addAffix(objects, 'suffix', nameSuffix, config.nameSuffix),
      )
    }
    this.labelSteps(config, add)
    const { commonAnnotations = {} } = file
    if (Object.keys(commonAnnotations).length > 0) {
      add(
        'AnnotationsTransformer',
        {},
        () => (objects) => setTexts(objects, commonAnnotations, config.commonAnnotations),
      )
    }
    for (const patch of file.patchesJson6902 ?? []) {
      const { patch: jsonOp, ...rest } = patch
      const args = (jsonOp === undefined ? rest : { ...rest, jsonOp }) as Json
      add('PatchJson6902Transformer', args, () => json6902Transformer(patch, loader))
    }
    for (const { name = '', count = 0 } of file.replicas ?? []) {
      add(
        'ReplicaCountTransformer',
        {},
        () => (objects) => setReplicas(objects, name, count, config.replicas),
      )
    }
    for (const image of file.images ?? []) {
      add('ImageTagTransformer', {}, () => (objects) => setImages(objects, image, config.images))
    }
    const { replacements = [] } = file
    if (replacements.length > 0) {
      add('ReplacementTransformer', { replacements: replacements as Json }, () =>
        replacementTransformer(replacements, loader),
      )
    }
    return steps
  }

  private labelSteps(
    config: Config,
    add: (plugin: string, args: Json, make: () => Transformer) => void,
  ): void {
    const { labels = [], commonLabels = {} } = this.kustomization
    if (labels.length === 0 && Object.keys(commonLabels).length === 0) return
    for (const label of labels) {
      const own = (label.fields ?? []).map((spec) =>
        fieldSpec(spec.path ?? '', spec.create ?? false, spec),
      )
      const specs = within('failed to merge labels', () => {
        let places = mergeSpecs(own, config.labels, '')
        if (label.includeSelectors === true) return mergeSpecs(places, config.commonLabels, '')
        if (label.includeTemplates === true) {
          places = within('failed to merge template fieldSpec', () =>
            mergeSpecs(places, config.templateLabels, ''),
          )
        }
        return mergeSpecs(places, [fieldSpec('metadata/labels', true)], '')
      })
      add('LabelTransformer', {}, () => (objects) => setTexts(objects, label.pairs ?? {}, specs))
    }
    add(
      'LabelTransformer',
      {},
      () => (objects) => setTexts(objects, commonLabels, config.commonLabels),
    )
  }

  private runValidators(all: Accumulator): void {
    for (const plugin of this.pluginObjects('transformer', this.kustomization.validators)) {
      const validate = configureTransformer(plugin, this.host)
      const before = all.objects.list.map(snapshot)
      validate(all.objects)
      const after = new Map(all.objects.list.map((resource) => [resource.key, snapshot(resource)]))
      for (const old of before) {
        const now = after.get(old.key)
        if (now === undefined) {
          fail(
            `validator shouldn't modify the resource map: id in self missing from other; id: ${old.id}`,
          )
        }
        if (now.text !== old.text) {
          fail(
            `validator shouldn't modify the resource map: nodes unequal: \n -- ${old.shown},\n -- ${now.shown}`,
          )
        }
      }
    }
  }
}

function snapshot(resource: Resource): {
  readonly key: string
  readonly id: string
  readonly text: string
  /** As messages may show it. */
  readonly shown: string
} {
  const copy = resource.copy()
  const labels = copy.labels()
  if (labels.delete('validated-by')) copy.setTexts('labels', labels)
  const value = copy.toJson()
  return {
    key: resource.key,
    id: idText(resource.id),
    text: formatJson(value),
    shown: formatJson(shownObject(value)),
  }
}

function position(resource: Resource): { readonly path: string; readonly line?: number } {
  return { path: resource.file, ...(resource.line === undefined ? {} : { line: resource.line }) }
}

function readNamed(text: string, path: string, file: string): Resource[] {
  try {
    return readResources(text, file)
  } catch (error) {
    throw malformed(error, path)
  }
}

function findFile(loader: Loader): { readonly name: string; readonly text: string } {
  const found = fileNames.filter((name) => {
    const at = loader.resolve(joinPath(loader.root, name))
    return 'path' in at && loader.volume.tree.entry(at.path)?.kind === 'file'
  })
  const [name] = found
  if (name === undefined) {
    const [first, second, third] = fileNames.map((known) => `'${known}'`)
    return fail(
      `unable to find one of ${first}, ${second} or ${third} in directory '${loader.shown}'`,
      { path: loader.root },
    )
  }
  if (found.length > 1) {
    fail(`Found multiple kustomization files under: ${loader.shown}\n`, { path: loader.root })
  }
  return { name, text: loader.text(name) }
}

function appendOrigin(origin: BuildOrigin, path: string): BuildOrigin {
  const repo = parseRepo(path)
  if (repo !== undefined) {
    const made: BuildOrigin = { repo: repo.clone, path: joinPath(repo.path) }
    return repo.ref === '' ? made : { ...made, ref: repo.ref }
  }
  return { ...origin, path: joinPath(origin.path ?? '', path) }
}

function pluginOrigin(plugin: Resource): BuildOrigin | undefined {
  const { origin } = plugin
  if (origin === undefined) return undefined
  const { repo, ref, path } = origin
  return {
    ...(repo === undefined ? {} : { repo }),
    ...(ref === undefined ? {} : { ref }),
    ...(path === undefined ? {} : { configuredIn: path }),
    configuredBy: {
      apiVersion: plugin.apiVersion,
      kind: plugin.kind,
      ...(plugin.name === '' ? {} : { name: plugin.name }),
      ...(plugin.namespace === '' ? {} : { namespace: plugin.namespace }),
    },
  }
}
