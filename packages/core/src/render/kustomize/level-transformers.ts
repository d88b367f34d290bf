import { formatJson, type Json } from '../../json/index.ts'
import type { Accumulator } from './accumulator.ts'
import { shownObject } from './conceal.ts'
import { type Config, fieldSpec, mergeSpecs } from './config.ts'
import { fail, within } from './fail.ts'
import { idText } from './id.ts'
import type { LevelHost } from './level-host.ts'
import { json6902Transformer, strategicMergeTransformer } from './older-patches.ts'
import type { BuildOrigin } from './origin-text.ts'
import { builtinOrigin, pluginOrigin } from './origins.ts'
import { configuring, patchTransformer, type Transformer } from './patch.ts'
import { configureTransformer } from './plugins.ts'
import { replacementTransformer } from './replace.ts'
import type { Resource } from './resource.ts'
import type { Step as TraceStep } from './trace/index.ts'
import { addAffix, setImages, setNamespaces, setReplicas, setTexts } from './transform.ts'

interface Step {
  readonly run: Transformer
  readonly origin: BuildOrigin | undefined
  /** The file that asks for it. */
  readonly file: string
  trace(): TraceStep
}

/** Runs all transformers of a level, in kustomize's order, over what it has collected. */
export function runTransformers(level: LevelHost, all: Accumulator): void {
  const steps = [...new BuiltinSteps(level, all.config).list(), ...pluginSteps(level)]
  const { trace } = level.session
  for (const { run, origin, file, trace: name } of steps) {
    run(all.objects)
    if (origin !== undefined) {
      for (const resource of all.objects.list) {
        if (resource.origin === undefined) resource.origin = origin
        else resource.transformations.push(origin)
      }
    }
    const step = trace === undefined ? undefined : name()
    for (const resource of all.objects.takeTouched()) {
      resource.shapedBy(file)
      if (step !== undefined) trace!.after(resource, step)
    }
    all.objects.dropEmpty()
  }
}

function pluginSteps(level: LevelHost): Step[] {
  const plugins = level.pluginObjects('transformer', level.file.kustomization.transformers)
  return plugins.map((plugin) => ({
    run: configureTransformer(plugin, level.plugins),
    origin: pluginOrigin(plugin),
    file: plugin.file,
    trace: () => level.steps().plugin('transformer', plugin),
  }))
}

/** The transformers that fields of a kustomization file stand for. */
class BuiltinSteps {
  private readonly level: LevelHost
  private readonly config: Config
  private readonly steps: Step[] = []

  constructor(level: LevelHost, config: Config) {
    this.level = level
    this.config = config
  }

  list(): readonly Step[] {
    this.mergePatches()
    this.patches()
    this.names()
    this.labels()
    this.annotations()
    this.jsonPatches()
    this.counts()
    return this.steps
  }

  private add(plugin: string, args: Json, make: () => Transformer, trace: () => TraceStep): void {
    const { origin, file } = this.level
    this.steps.push({
      run: configuring(plugin, args, make),
      origin: builtinOrigin(origin, file.name, plugin),
      file: file.path,
      trace,
    })
  }

  /** A transformer without configuration of its own. */
  private addPlain(
    plugin: string,
    field: Parameters<ReturnType<LevelHost['steps']>['field']>[1],
    run: Transformer,
    index?: number,
  ): void {
    this.add(
      plugin,
      {},
      () => run,
      () => this.level.steps().field('transformer', field, index),
    )
  }

  private mergePatches(): void {
    const { loader, session, file } = this.level
    const { patchesStrategicMerge: paths = [] } = file.kustomization
    if (paths.length === 0) return
    this.add(
      'PatchStrategicMergeTransformer',
      { paths: [...paths] },
      () =>
        strategicMergeTransformer(
          paths,
          '',
          loader,
          session.schemas,
          this.afterEntry('patchesStrategicMerge'),
        ),
      () => this.level.steps().field('patch', 'patchesStrategicMerge'),
    )
  }

  /** Tells the trace what each entry did of a transformer that stands for several; undefined when nobody asks. */
  private afterEntry(
    field: 'patchesStrategicMerge' | 'replacements',
  ): ((index: number, touched: Iterable<Resource>) => void) | undefined {
    const { trace } = this.level.session
    if (trace === undefined) return undefined
    return (index, touched) => {
      const steps = this.level.steps()
      const step =
        field === 'replacements'
          ? steps.field('transformer', field, index)
          : steps.patch(field, index)
      for (const resource of touched) trace.after(resource, step)
    }
  }

  private patches(): void {
    const { loader, session, file } = this.level
    for (const [i, patch] of (file.kustomization.patches ?? []).entries()) {
      this.add(
        'PatchTransformer',
        patch as Json,
        () => patchTransformer(patch, loader, session.schemas),
        () => this.level.steps().patch('patches', i),
      )
    }
  }

  private names(): void {
    const { config } = this
    const { namespace = '', namePrefix = '', nameSuffix = '' } = this.level.file.kustomization
    if (namespace !== '') {
      this.addPlain('NamespaceTransformer', 'namespace', (objects) =>
        setNamespaces(objects, namespace, config.namespace),
      )
    }
    if (namePrefix !== '') {
      this.addPlain('PrefixTransformer', 'namePrefix', (objects) =>
        addAffix(objects, 'prefix', namePrefix, config.namePrefix),
      )
    }
    if (nameSuffix !== '') {
      this.addPlain('SuffixTransformer', 'nameSuffix', (objects) =>
        addAffix(objects, 'suffix', nameSuffix, config.nameSuffix),
      )
    }
  }

  private labels(): void {
    const { config } = this
    const { labels = [], commonLabels = {} } = this.level.file.kustomization
    if (labels.length === 0 && Object.keys(commonLabels).length === 0) return
    for (const [i, label] of labels.entries()) {
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
      const run: Transformer = (objects) => setTexts(objects, label.pairs ?? {}, specs)
      this.addPlain('LabelTransformer', 'labels', run, i)
    }
    this.addPlain('LabelTransformer', 'commonLabels', (objects) =>
      setTexts(objects, commonLabels, config.commonLabels),
    )
  }

  private annotations(): void {
    const { config } = this
    const { commonAnnotations = {} } = this.level.file.kustomization
    if (Object.keys(commonAnnotations).length === 0) return
    this.addPlain('AnnotationsTransformer', 'commonAnnotations', (objects) =>
      setTexts(objects, commonAnnotations, config.commonAnnotations),
    )
  }

  private jsonPatches(): void {
    const { loader, file } = this.level
    for (const [i, patch] of (file.kustomization.patchesJson6902 ?? []).entries()) {
      const { patch: jsonOp, ...rest } = patch
      const args = (jsonOp === undefined ? rest : { ...rest, jsonOp }) as Json
      this.add(
        'PatchJson6902Transformer',
        args,
        () => json6902Transformer(patch, loader),
        () => this.level.steps().patch('patchesJson6902', i),
      )
    }
  }

  /** Replicas, images and replacements. */
  private counts(): void {
    const { config } = this
    const { loader, file } = this.level
    const { replicas = [], images = [], replacements = [] } = file.kustomization
    for (const [i, { name = '', count = 0 }] of replicas.entries()) {
      const run: Transformer = (objects) => setReplicas(objects, name, count, config.replicas)
      this.addPlain('ReplicaCountTransformer', 'replicas', run, i)
    }
    for (const [i, image] of images.entries()) {
      const run: Transformer = (objects) => setImages(objects, image, config.images)
      this.addPlain('ImageTagTransformer', 'images', run, i)
    }
    if (replacements.length === 0) return
    this.add(
      'ReplacementTransformer',
      { replacements: replacements as Json },
      () => replacementTransformer(replacements, loader, this.afterEntry('replacements')),
      () => this.level.steps().field('transformer', 'replacements'),
    )
  }
}

/** Runs the validators of a level, which may change nothing. */
export function runValidators(level: LevelHost, all: Accumulator): void {
  const plugins = level.pluginObjects('transformer', level.file.kustomization.validators)
  for (const plugin of plugins) {
    const validate = configureTransformer(plugin, level.plugins)
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
