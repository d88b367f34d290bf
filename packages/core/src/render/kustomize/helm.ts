import { isLitecdError } from '../../errors/index.ts'
import { type FileTree, joinPath, readText, resolveLinks } from '../../files/index.ts'
import { isObject, type JsonObject } from '../../json/index.ts'
import { decodeYamlNode, formatYaml, parseYamlNode } from '../../yaml/index.ts'
import {
  type ChartRender,
  loadChart,
  type RenderOptions,
  renderChart,
  renderNameTemplate,
  seededChance,
} from '../helm/index.ts'
import { concealing } from './conceal.ts'
import { fail, within, wrap } from './fail.ts'
import type { HelmHost } from './helm-host.ts'
import type { HelmChartArgs, HelmGlobals } from './kustomization.ts'
import { helmChartFields, helmGlobalsFields } from './kustomization-shapes.ts'
import type { Loader } from './loader.ts'
import { strategicMerge } from './merge.ts'
import { jsonToNode } from './node.ts'
import { uniqueIn } from './objects.ts'
import { readPlainResources, readResources } from './read.ts'
import type { Resource } from './resource.ts'
import { builtInSchemas } from './schema.ts'
import type { BuildSession } from './session.ts'
import { readShape } from './shape.ts'

type Args = HelmChartArgs & HelmGlobals

const mergeModes = ['merge', 'override', 'replace']

/**
 * The objects of one entry of `helmCharts`, made when the generator runs.
 *
 * Errors: KUSTOMIZE_FAILED in kustomize's words, those of Helm inside.
 * Source: kustomize v5.8.1 api/internal/builtins/HelmChartInflationGenerator.go
 */
export function inflateChart(
  config: JsonObject,
  loader: Loader,
  session: BuildSession,
  file: string,
): () => Resource[] {
  const { helm } = session
  if (!helm.enabled) fail('must specify --enable-helm')
  const args = readShape(
    config,
    { fields: { ...helmChartFields, ...helmGlobalsFields } },
    { struct: 'HelmChartInflationGeneratorPlugin', strict: false },
  ) as Args
  if ((args.name ?? '') === '') fail('chart name cannot be empty')
  const additional = (args.additionalValuesFiles ?? []).map((path) => ({
    name: loader.show(joinPath(loader.root, path)),
    text: within('could not load additionalValuesFile', () => loader.text(path)),
  }))
  const mode = args.valuesMerge || 'override'
  if (!mergeModes.includes(mode)) fail(`valuesMerge must be one of [${mergeModes.join(' ')}]`)
  return () => {
    const chart = locate(args, loader, helm)
    const values = valuesOf(args, mode, chart, loader)
    return inflate(
      args,
      chart,
      [{ name: `${args.name}-kustomize-values.yaml`, text: values }, ...additional],
      helm,
      file,
      [...(args.valuesFile ? [args.valuesFile] : []), ...(args.additionalValuesFiles ?? [])].map(
        (path) => loader.pathOf(path),
      ),
      (path) => templatePlace(path, chart, args, loader),
    )
  }
}

/**
 * Parity: what cannot be read as resources is read once more with its Lists as they are, and the second attempt tells
 * what is wrong.
 */
function readOutput(text: string, file: string): Resource[] {
  try {
    return uniqueIn(readResources(text, file))
  } catch (error) {
    if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
    const plain = within('could not parse rnode slice into resource map', () =>
      readPlainResources(text, file),
    )
    if (plain === undefined) throw wrap(error, 'could not parse bytes into resource map')
    return within('could not parse rnode slice into resource map', () => uniqueIn(plain))
  }
}

interface Located {
  readonly tree: FileTree
  readonly path: string
  /** Its values.yaml where the chart lies in the tree of the build: then the load restriction holds for it. */
  readonly ownValues: string | undefined
}

function locate(args: Args, loader: Loader, helm: HelmHost): Located {
  const { name = '', repo = '', version = '' } = args
  const home = joinPath(loader.root, args.chartHome || 'charts')
  const folder = version !== '' && repo !== '' ? joinPath(home, `${name}-${version}`) : home
  const path = joinPath(folder, name)
  const { tree } = loader.volume
  const found = resolveLinks(tree, path)
  if ('path' in found) {
    if (tree.entry(found.path)?.kind === 'directory') {
      return { tree, path: found.path, ownValues: joinPath(found.path, 'values.yaml') }
    }
    if (repo === '') fail(`no repo specified for pull, no chart found at '${loader.show(path)}'`)
  }
  if (repo === '') fail("no repo specified for pull, no chart found at ''")
  if (helm.chart === undefined) return fail(`chart ${name} of ${repo} is not here`)
  return {
    tree: helm.chart({ repo, name, version: version || newest(args) }),
    path: '',
    ownValues: undefined,
  }
}

/** A template by its path from the chart's name on: in the tree, or behind the repository of the chart. */
function templatePlace(path: string, chart: Located, args: Args, loader: Loader): string {
  if (chart.ownValues === undefined) return `${args.repo}//${path}`
  return loader.named(joinPath(chart.path, path.slice(path.indexOf('/') + 1)))
}

/** Which version helm pulls when none is named: previews only where they are asked for. */
function newest(args: Args): string {
  return args.devel === true ? '>0.0.0-0' : '*'
}

function valuesOf(args: Args, mode: string, chart: Located, loader: Loader): string {
  const inline = args.valuesInline ?? {}
  const hasInline = Object.keys(inline).length > 0
  if (hasInline && mode === 'replace') return formatYaml(inline)
  const text = valuesFile(args, chart, loader)
  if (!hasInline) return text
  const own = within(
    'could not parse values file into rnode',
    () => parseYamlNode(text)?.content[0] ?? fail('EOF'),
  )
  const given = jsonToNode(inline)
  const merged = within('could not merge values', () =>
    concealing('Secret', () =>
      mode === 'override'
        ? strategicMerge(own, given, builtInSchemas, 'append')
        : strategicMerge(given, own, builtInSchemas, 'append'),
    ),
  )
  const value = within('could not parse merged values into map', () =>
    merged === undefined ? null : decodeYamlNode(merged),
  )
  return formatYaml(isObject(value) ? value : {})
}

function valuesFile(args: Args, chart: Located, loader: Loader): string {
  if (args.valuesFile) return loader.text(args.valuesFile)
  if (chart.ownValues !== undefined) return loader.text(loader.show(chart.ownValues))
  const text = readText(chart.tree, 'values.yaml')
  const shown = loader.show(
    joinPath(loader.root, args.chartHome || 'charts', args.name!, 'values.yaml'),
  )
  return (
    text ?? fail(`evalsymlink failure on '${shown}' : lstat ${shown}: no such file or directory`)
  )
}

function inflate(
  args: Args,
  located: Located,
  files: RenderOptions['files'],
  helm: HelmHost,
  file: string,
  /** Files of values that the kustomization names. */
  inputs: readonly string[],
  /** Where provenance shows a template. */
  place: (path: string) => string,
): Resource[] {
  const kubeVersion = args.kubeVersion || helm.kubeVersion
  const apiVersions = args.apiVersions?.length ? args.apiVersions : helm.apiVersions
  let rendered: ChartRender
  try {
    if (args.releaseName && args.nameTemplate) {
      fail('cannot set --name-template and also specify a name')
    }
    const chart = loadChart(located.tree, located.path)
    const chance = helm.chance ?? seededChance(`${args.releaseName ?? ''}\0${args.name}`)
    const releaseName =
      args.releaseName ||
      (args.nameTemplate ? renderNameTemplate(args.nameTemplate, chance) : 'release-name')
    rendered = renderChart(chart, {
      releaseName,
      namespace: args.namespace || undefined,
      files,
      kubeVersion: kubeVersion || undefined,
      apiVersions,
      includeCrds: args.includeCRDs ?? false,
      skipTests: args.skipTests ?? false,
      noHooks: args.skipHooks ?? false,
      chance,
    })
  } catch (error) {
    if (!isLitecdError(error)) throw error
    throw wrap(error, `Error: unable to run 'helm template' for chart ${args.name}`, { path: file })
  }
  const resources = readOutput(rendered.text, file)
  const templates = templatesOf(rendered)
  for (const resource of resources) {
    resource.fromHelm = true
    const template = templates.findLast(({ start }) => start <= (resource.line ?? 0))
    resource.line = template?.line
    if (template !== undefined) resource.file = place(template.path)
    for (const input of inputs) resource.shapedBy(input)
    resource.shapedBy(file)
  }
  return resources
}

interface Template {
  readonly path: string
  readonly line: number
  /** Line of the output on which the document begins. */
  readonly start: number
}

/** Which template made which part of the output. */
function templatesOf({ text, documents }: ChartRender): readonly Template[] {
  const templates: Template[] = []
  let [at, start] = [0, 1]
  for (const { path, line } of documents) {
    const next = text.indexOf(`---\n# Source: ${path}\n`, at)
    if (next === -1) continue
    for (let i = text.indexOf('\n', at); i !== -1 && i < next; i = text.indexOf('\n', i + 1))
      start++
    templates.push({ path, line, start })
    at = next + 1
  }
  return templates
}
