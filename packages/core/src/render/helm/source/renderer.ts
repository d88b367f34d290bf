import type { HelmSource } from '../../../argo/index.ts'
import { isLitecdError, type LitecdError, RenderError } from '../../../errors/index.ts'
import { joinPath } from '../../../files/index.ts'
import { isObject, type Json, type JsonObject } from '../../../json/index.ts'
import type { Manifest } from '../../../kube/index.ts'
import { FunctionFailure, int64, type Value } from '../../../lang/gotemplate/index.ts'
import { convertPrefix, formatYaml, parseYaml, splitYamlDocuments } from '../../../yaml/index.ts'
import { type BuildEnvironment, buildEnvironment, expandEnvironment } from '../../environment.ts'
import type { RenderedManifest, Renderer, RenderInput, RenderNeed } from '../../types.ts'
import { type Chart, loadChart } from '../chart/index.ts'
import { parseKubeVersion, renderNameTemplate } from '../engine/index.ts'
import { goValue, type Lookup, seededChance } from '../functions/index.ts'
import { renderChart } from '../render.ts'
import type { ChartRender, RenderedDocument } from '../types.ts'
import { dependencyNeeds, withDependencies } from './dependencies.ts'
import { isBuildFailure } from './dependency-errors.ts'
import { chartTrace, inlineName, type ValueTexts } from './field-trace.ts'
import { dataIn, positionIn } from './places.ts'
import { checkRefs } from './refs.ts'
import { type ResolvedFile, readResolved, resolveFile, resolveValueFiles } from './value-files.ts'

/** Source: argo-cd v3.5.1 reposerver/repository/repository.go helmTemplate, util/helm/cmd.go */
export const helmRenderer: Renderer = { sourceType: 'Helm', needs, render }

function needs(input: RenderInput): readonly RenderNeed[] {
  checkRefs(input)
  const run = prepare(input)
  const files = [...run.valueFiles, ...run.fileParameters.map(({ file }) => file)]
  const remote = files.flatMap(({ need }) => (need === undefined ? [] : [need]))
  const chart = chartOf(input)
  return [...remote, ...(chart === undefined ? [] : dependencyNeeds(chart, input))]
}

/** Everything that Argo CD passes to `helm template`. */
interface Run {
  readonly releaseName: string
  readonly namespace: string
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  readonly set: readonly string[]
  readonly setString: readonly string[]
  readonly fileParameters: readonly { readonly name: string; readonly file: ResolvedFile }[]
  readonly valueFiles: readonly ResolvedFile[]
  readonly inlineValues: string | undefined
  readonly helm: HelmSource
}

function prepare(input: RenderInput): Run {
  const helm = input.source.helm ?? {}
  const { version } = helm
  if (version !== undefined && !['', 'v3', 'v4'].includes(version)) {
    throw new RenderError(
      'HELM_FAILED',
      `error initializing helm app object: failed to create new helm command: helm version '${version}' is not supported`,
      { hint: 'Leave helm.version out.' },
    )
  }
  const { context, source } = input
  const environment = buildEnvironment(source, input.revision, context)
  const plain = lastOfEach(helm.parameters?.filter((p) => p.forceString !== true) ?? [])
  const strings = lastOfEach(helm.parameters?.filter((p) => p.forceString === true) ?? [])
  return {
    releaseName: helm.releaseName || afterNamespace(context.appName),
    namespace: helm.namespace || source.kustomize?.namespace || context.namespace,
    kubeVersion: plainVersion(
      helm.kubeVersion || source.kustomize?.kubeVersion || context.kubeVersion,
    ),
    apiVersions: firstGiven(helm.apiVersions, source.kustomize?.apiVersions, context.apiVersions),
    set: plain.map((p) => assignment(p, environment)),
    setString: strings.map((p) => assignment(p, environment)),
    fileParameters: lastOfEach(helm.fileParameters ?? []).map(({ name, path }) => ({
      name: name ?? '',
      file: resolveFile(path ?? '', input, environment, 'error resolving helm value file path: '),
    })),
    valueFiles: resolveValueFiles(input, environment),
    inlineValues: inlineValues(helm),
    helm,
  }
}

/** A later parameter of the same name takes the place of the earlier one. */
function lastOfEach<T extends { readonly name?: string }>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((item) => [item.name ?? '', item])).values()]
}

function afterNamespace(appName: string): string {
  const underscore = appName.indexOf('_')
  return underscore === -1 ? appName : appName.slice(underscore + 1)
}

function firstGiven(...lists: (readonly string[] | undefined)[]): readonly string[] {
  return lists.find((list) => list !== undefined && list.length > 0) ?? []
}

/** `v1.30.2-eks-1` is given to helm as `1.30.2`. */
function plainVersion(version: string): string {
  if (version === '') return ''
  try {
    parseKubeVersion(version)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const why = error.message.replace(/^invalid kube version '.*?': /s, '')
    throw new RenderError('HELM_FAILED', `could not parse kubernetes version ${version}: ${why}`, {
      hint: 'Write kubeVersion as 1.30 or 1.30.2.',
      cause: error,
    })
  }
  return /\d+(?:\.\d+)*/.exec(version)?.[0] ?? version
}

function assignment(
  parameter: { readonly name?: string; readonly value?: string },
  environment: BuildEnvironment,
): string {
  const value = expandEnvironment(parameter.value ?? '', environment)
  return `${parameter.name ?? ''}=${escapeCommas(value)}`
}

/** Commas would separate assignments; a value in braces is a list and stays. */
function escapeCommas(value: string): string {
  if (value.startsWith('{') && value.endsWith('}')) return value
  return value.replace(/(^|[^\\]),/g, '$1\\,').replace(/(^|[^\\]),/g, '$1\\,')
}

function inlineValues(helm: HelmSource): string | undefined {
  if (helm.valuesObject !== undefined && helm.valuesObject !== null) {
    return formatYaml(helm.valuesObject)
  }
  return helm.values === undefined || helm.values === '' ? undefined : helm.values
}

const charts = new WeakMap<RenderInput['answers'], Chart | undefined>()

/** The chart of the source; undefined where there is none, which rendering then says. */
function chartOf(input: RenderInput): Chart | undefined {
  if (charts.has(input.answers)) return charts.get(input.answers)
  let chart: Chart | undefined
  if (input.tree.entry(joinPath(input.path, 'Chart.yaml')) !== undefined) {
    try {
      chart = loadChart(input.tree, input.path)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      // rendering loads it again and reports the error in its own words
      return undefined
    }
  }
  charts.set(input.answers, chart)
  return chart
}

function render(input: RenderInput): readonly RenderedManifest[] {
  checkRefs(input)
  const file = joinPath(input.path, 'Chart.yaml')
  if (input.tree.entry(file) === undefined) {
    const shown = `<path to cached source>/${file}`
    throw new RenderError(
      'HELM_FAILED',
      `error getting helm repos: error retrieving helm dependency repos: error reading helm chart from ${shown}: open ${shown}: no such file or directory`,
      { position: { path: file }, hint: 'Name the folder that holds Chart.yaml.' },
    )
  }
  const run = prepare(input)
  let result: ChartRender
  let texts: ValueTexts
  try {
    // helm reads the value files before it looks at the chart
    const files = readValueFiles(run, input)
    texts = new Map(files.map(({ name, text }) => [name, text]))
    const chart = withDependencies(chartOf(input) ?? loadChart(input.tree, input.path), input)
    result = template(chart, run, files, input)
  } catch (error) {
    if (!isLitecdError(error)) throw error
    if (isBuildFailure(error)) throw error
    throw commandFailed(error, run, input)
  }
  return result.documents.flatMap((document) => readDocument(document, result, texts, input))
}

type ValueText = { readonly name: string; readonly text: string }

function readValueFiles(run: Run, input: RenderInput): readonly ValueText[] {
  return run.valueFiles.flatMap((file) =>
    file.shown.includes(',') && file.local !== undefined
      ? file.shown.split(',').map((shown): ValueText => {
          throw new RenderError('HELM_VALUES', `open ${shown}: no such file or directory`)
        })
      : [{ name: file.shown, text: textOf(file, input) }],
  )
}

function template(
  chart: Chart,
  run: Run,
  files: readonly ValueText[],
  input: RenderInput,
): ChartRender {
  const { name } = chart.metadata
  const chance = input.context.chance ?? seededChance(JSON.stringify([input.context.appName, name]))
  const parameters = new Map(run.fileParameters.map(({ file }) => [file.shown, file]))
  return renderChart(chart, {
    releaseName: renderNameTemplate(run.releaseName, chance),
    namespace: run.namespace || undefined,
    kubeVersion: run.kubeVersion || undefined,
    apiVersions: run.apiVersions,
    chance,
    includeCrds: run.helm.skipCrds !== true,
    skipTests: run.helm.skipTests === true,
    skipSchemaValidation: run.helm.skipSchemaValidation === true,
    traceFields: input.context.traceFields,
    lookup: lookupOf(input),
    files:
      run.inlineValues === undefined
        ? files
        : [...files, { name: inlineName, text: run.inlineValues }],
    set: run.set,
    setString: run.setString,
    setFile: run.fileParameters.map(({ name, file }) => `${name}=${escapeCommas(file.shown)}`),
    readFile: (path) => {
      const file = parameters.get(path)
      if (file === undefined)
        throw new RenderError('HELM_VALUES', `open ${path}: no such file or directory`)
      return textOf(file, input)
    },
  })
}

function lookupOf({ context }: RenderInput): Lookup | undefined {
  const { lookup } = context
  if (lookup === undefined) return undefined
  return (apiVersion, kind, namespace, name) => {
    let found: JsonObject | undefined
    try {
      found = lookup({ apiVersion, kind, namespace, name })
    } catch (error) {
      throw isLitecdError(error) ? new FunctionFailure(error.message, error) : error
    }
    return found === undefined ? new Map() : (liveValue(found) as ReturnType<Lookup>)
  }
}

/** What a client of Kubernetes reads: whole numbers are int64, unlike those of values. */
function liveValue(json: Json): Value {
  if (typeof json === 'bigint') return int64(json)
  if (typeof json === 'number') return Number.isInteger(json) ? int64(BigInt(json)) : json
  if (Array.isArray(json)) return json.map(liveValue)
  if (!isObject(json)) return goValue(json)
  return new Map(Object.entries(json).map(([key, value]) => [key, liveValue(value)]))
}

function textOf(file: ResolvedFile, input: RenderInput): string {
  const read = readResolved(file, input)
  if ('text' in read) return read.text
  throw new RenderError('HELM_VALUES', read.error)
}

/** Helm adds its advice to whatever goes wrong after the values are known. */
function helmText(error: LitecdError): string {
  const advised =
    error.code === 'TEMPLATE_PARSE' ||
    error.code === 'TEMPLATE_EXEC' ||
    /^(YAML parse error on|chart requires kubeVersion)/.test(error.message)
  const message = error.message
    .trimEnd()
    .replace(
      /^error evaluating symlink (\S+): lstat (\S+):/,
      'error evaluating symlink <path to cached source>/$1: lstat <path to cached source>/$2:',
    )
  return advised ? `${message}\n\nUse --debug flag to render out invalid YAML` : message
}

/** The failure in Argo CD's words, with the command that it would have run. */
function commandFailed(error: LitecdError, run: Run, input: RenderInput): RenderError {
  const words = ['helm', 'template', '.', '--name-template', run.releaseName]
  if (run.namespace !== '') words.push('--namespace', run.namespace)
  if (run.kubeVersion !== '') words.push('--kube-version', run.kubeVersion)
  for (const item of run.set) words.push('--set', item)
  for (const item of run.setString) words.push('--set-string', item)
  for (const { name, file } of run.fileParameters) words.push('--set-file', `${name}=${file.shown}`)
  for (const file of run.valueFiles) words.push('--values', file.shown)
  if (run.inlineValues !== undefined) words.push('--values', inlineName)
  if (run.apiVersions.length > 0) words.push('<api versions removed>')
  if (run.helm.skipCrds !== true) words.push('--include-crds')
  if (run.helm.skipSchemaValidation === true) words.push('--skip-schema-validation')
  if (run.helm.skipTests === true) words.push('--skip-tests')
  return new RenderError(
    error.code,
    `failed to execute helm template command: failed running helm: \`${words.join(' ')}\` failed exit status 1: Error: ${helmText(error)}`,
    {
      position: positionIn(error, input),
      hint: error.hint ?? 'Render the chart with `litecd helm template` and the same values.',
      data: dataIn(error, input),
      cause: error,
    },
  )
}

function readDocument(
  document: RenderedDocument,
  result: ChartRender,
  texts: ValueTexts,
  input: RenderInput,
): readonly RenderedManifest[] {
  const path = joinPath(input.path, document.path.slice(document.path.indexOf('/') + 1))
  const out: RenderedManifest[] = []
  for (const piece of splitYamlDocuments(document.text)) {
    const value = parseManifest(piece.text, path)
    if (value === null) continue
    if (!isObject(value) || typeof value['kind'] !== 'string' || value['kind'] === '') {
      throw notManifest(
        `error unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '${JSON.stringify(value)}'`,
        path,
      )
    }
    const inputs = [...new Set(result.reads(document).flatMap(({ from }) => from))]
    const manifest = value as Manifest
    const trace =
      input.context.traceFields === true
        ? { trace: chartTrace(piece, manifest, document, result, texts, input) }
        : {}
    out.push({
      manifest,
      origin: { path, line: document.line, ...(inputs.length > 0 ? { inputs } : {}) },
      ...trace,
    })
  }
  return out
}

function parseManifest(text: string, path: string): Json {
  try {
    return parseYaml(text, { path, prefix: convertPrefix, numbers: 'int64' })
  } catch (error) {
    if (!isLitecdError(error)) throw error
    throw notManifest(error.message, path, error)
  }
}

function notManifest(why: string, path: string, cause?: unknown): RenderError {
  return new RenderError('HELM_FAILED', `failed to unmarshal manifest: ${why}`, {
    position: { path },
    hint: 'The template must give Kubernetes objects.',
    cause,
  })
}
