import type { JsonObject } from '../../json/index.ts'
import { absorb } from './absorb.ts'
import type { Accumulator } from './accumulator.ts'
import { within, wrap } from './fail.ts'
import { generate, mergeOptions } from './generate.ts'
import { inflateChart } from './helm.ts'
import type { LevelHost } from './level-host.ts'
import type { BuildOrigin } from './origin-text.ts'
import { builtinOrigin, pluginOrigin } from './origins.ts'
import { configuring } from './patch.ts'
import { configureGenerator } from './plugins.ts'
import type { Resource } from './resource.ts'
import type { Step } from './trace/index.ts'

interface GeneratorStep {
  run(): Resource[]
  readonly origin: BuildOrigin | undefined
  /** What the trace says of an object that was made. */
  trace(made: Resource): readonly Step[]
}

/** Runs all generators of a level over what it has collected. */
export function runGenerators(level: LevelHost, all: Accumulator): void {
  const steps = [...dataSteps(level), ...chartSteps(level), ...pluginSteps(level)]
  for (const step of steps) {
    for (const resource of step.run()) {
      resource.origin ??= step.origin
      let old: Resource | undefined
      try {
        old = absorb(all.objects, resource)
      } catch (error) {
        throw wrap(error, 'merging from generator', { path: level.file.path })
      }
      const { trace } = level.session
      if (trace === undefined) continue
      if (old === undefined) trace.begin(resource, step.trace(resource))
      else trace.succeed(resource, old, step.trace(resource))
    }
  }
}

function* dataSteps(level: LevelHost): Generator<GeneratorStep> {
  const { file, loader } = level
  const { kustomization } = file
  const lists = [
    ['ConfigMap', 'configMapGenerator'],
    ['Secret', 'secretGenerator'],
  ] as const
  for (const [kind, field] of lists) {
    for (const [i, entry] of (kustomization[field] ?? []).entries()) {
      const options = mergeOptions(entry.options, kustomization.generatorOptions)
      const args = options === undefined ? entry : { ...entry, options }
      yield {
        run: () => [generate(kind, args, loader, file.path, (bytes) => level.session.spend(bytes))],
        origin: builtinOrigin(level.origin, file.name, `${kind}Generator`),
        trace: (made) => [level.steps().generated(field, i, made)],
      }
    }
  }
}

function* chartSteps(level: LevelHost): Generator<GeneratorStep> {
  const { file, loader, session } = level
  const { kustomization } = file
  for (const [i, chart] of (kustomization.helmCharts ?? []).entries()) {
    const namespace = chart.namespace || kustomization.namespace || level.helmNamespace
    const args: JsonObject = {
      ...(kustomization.helmGlobals as JsonObject | undefined),
      ...(chart as JsonObject),
      ...(namespace === '' ? {} : { namespace }),
    }
    const run = configuring('HelmChartInflationGenerator', args, () =>
      inflateChart(args, loader, session, file.path),
    )
    const origin = builtinOrigin(level.origin, file.name, 'HelmChartInflationGenerator')
    const generator = level.steps().field('generator', 'helmCharts', i)
    yield { run, origin, trace: (made) => [generator, level.steps().template(made)] }
  }
}

function* pluginSteps(level: LevelHost): Generator<GeneratorStep> {
  const { file } = level
  const plugins = within('loading generator plugins', () =>
    level.pluginObjects('generator', file.kustomization.generators),
  )
  for (const plugin of plugins) {
    const run = within('loading generator plugins', () => configureGenerator(plugin, level.plugins))
    const own = level.steps().plugin('generator', plugin)
    yield {
      run,
      origin: pluginOrigin(plugin),
      trace: (made) => (made.fromHelm ? [own, level.steps().template(made)] : [own]),
    }
  }
}
