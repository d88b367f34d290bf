import { RenderError } from '../../errors/index.ts'
import { compareStrings } from '../../json/index.ts'
import { hostLimit, type ValueMap } from '../../lang/gotemplate/index.ts'
import { trimSpace } from '../../text/index.ts'
import type { Chart } from './chart/index.ts'
import {
  capabilitiesValue,
  checkReleaseName,
  collectTemplates,
  type Document,
  defaultHelmVersion,
  defaultKubeVersion,
  parseKubeVersion,
  type RenderedFile,
  runTemplates,
  sortDocuments,
  templateLineOf,
} from './engine/index.ts'
import { fieldCauses } from './field-causes.ts'
import { seededChance } from './functions/index.ts'
import { manifestText } from './output.ts'
import { inputTracer } from './trace.ts'
import type { ChartRender, RenderedDocument, RenderOptions, RenderWarning } from './types.ts'
import {
  ChartInstance,
  coalesceValues,
  isCompatibleRange,
  mergeUserValues,
  processDependencies,
  validateSchemas,
  type Warn,
} from './values/index.ts'

/**
 * Renders a chart as `helm template` of Helm 4.2 does. A plain function: the same input gives the same result.
 *
 * Throws RenderError with Helm's text: HELM_FAILED, HELM_VALUES, YAML_INVALID, TEMPLATE_PARSE, TEMPLATE_EXEC, and
 * BUDGET_EXCEEDED when the chart wants too much.
 *
 * Source: helm v4.2.1 pkg/cmd/install.go runInstall, pkg/action/install.go, pkg/action/action.go renderResources
 */
export function renderChart(chart: Chart, options: RenderOptions): ChartRender {
  try {
    return render(chart, options)
  } catch (error) {
    throw hostLimit(error) ?? error
  }
}

function render(chart: Chart, options: RenderOptions): ChartRender {
  const warnings: RenderWarning[] = []
  const log = (warning: RenderWarning): void => {
    warnings.push(warning)
    options.warn?.(warning)
  }
  const user = mergeUserValues(options)
  checkChart(chart, log)
  checkReleaseName(options.releaseName)
  const root = ChartInstance.of(chart)
  const values = prepareValues(root, user, options, log)
  const kubeVersion =
    options.kubeVersion === undefined ? defaultKubeVersion : parseKubeVersion(options.kubeVersion)
  const constraint = chart.metadata.kubeVersion
  if (constraint !== '' && !isCompatibleRange(constraint, kubeVersion.normalized)) {
    throw new RenderError(
      'HELM_FAILED',
      `chart requires kubeVersion: ${constraint} which is incompatible with Kubernetes ${kubeVersion.version}`,
    )
  }
  const templates = collectTemplates(root, values, {
    name: options.releaseName,
    namespace: options.namespace ?? 'default',
    isUpgrade: options.isUpgrade ?? false,
    capabilities: capabilitiesValue(
      kubeVersion,
      options.apiVersions ?? [],
      options.helmVersion ?? defaultHelmVersion,
    ),
  })
  const chance = options.chance ?? seededChance(`${options.releaseName}\0${chart.metadata.name}`)
  const host = { chance, stream: chance.stream(''), lookup: options.lookup }
  const files = runTemplates(templates, host, options.limits ?? {}, options.traceFields === true)
  return { ...assemble(root, files, options, log), warnings }
}

type Log = (warning: RenderWarning) => void

function checkChart(chart: Chart, log: Log): void {
  const { metadata } = chart
  if (metadata.type !== '' && metadata.type !== 'application') {
    throw new RenderError('HELM_FAILED', `${metadata.type} charts are not installable`)
  }
  if (metadata.deprecated) log({ level: 'WARN', message: 'this chart is deprecated' })
  const missing = missingDependencies(chart)
  if (missing.length > 0) {
    throw new RenderError(
      'HELM_FAILED',
      `an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`,
      { data: { missingDependencies: missing } },
    )
  }
}

/** Names of dependencies that have no chart below charts/; versions and conditions do not matter. */
export function missingDependencies(chart: Chart): readonly string[] {
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name))
  return (chart.metadata.dependencies ?? [])
    .map(({ name }) => name)
    .filter((name) => !present.has(name))
}

function prepareValues(
  root: ChartInstance,
  user: ValueMap,
  options: RenderOptions,
  log: Log,
): ValueMap {
  const warn: Warn = (message, facts) =>
    log({ level: facts === undefined ? 'INFO' : 'WARN', message, facts })
  try {
    processDependencies(root, user, warn)
  } catch (error) {
    if (!(error instanceof RenderError) || error.code !== 'HELM_VALUES') throw error
    throw new RenderError(error.code, `chart dependencies processing failed: ${error.message}`, {
      cause: error,
    })
  }
  const values = coalesceValues(root, user, warn)
  if (options.skipSchemaValidation !== true) validateSchemas(root, values, options.debug)
  return values
}

/** The files that are to be YAML, by path; helm itself shows them in no order of its own. */
function rawText(files: readonly RenderedFile[]): string {
  const shown = files
    .filter(({ path, text }) => !path.endsWith('NOTES.txt') && trimSpace(text) !== '')
    .sort((a, b) => compareStrings(a.path, b.path))
  return manifestText(shown, [])
}

function assemble(
  root: ChartInstance,
  files: readonly RenderedFile[],
  options: RenderOptions,
  log: Log,
): Omit<ChartRender, 'warnings'> {
  if (options.debug !== undefined) options.debug.rendered(rawText(files))
  const sorted = sortDocuments(files)
  for (const hooks of sorted.unknownHooks) {
    log({ level: 'INFO', message: 'skipping unknown hooks', facts: { hookTypes: hooks } })
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  const inputsOf = inputTracer(options)
  const offsets = new Map<RenderedDocument, number>()
  const show = (document: Document): RenderedDocument => {
    const file = byPath.get(document.path)!
    const shown: RenderedDocument = {
      path: document.path,
      get line() {
        return templateLineOf(file, document.offset)
      },
      text: document.text,
      kind: document.kind,
      apiVersion: document.apiVersion,
      name: document.name,
      isCrd: false,
      hooks: document.hooks,
      chart: file.template.instance.name,
    }
    offsets.set(shown, document.offset)
    return shown
  }
  const crds = options.includeCrds === true ? crdDocuments(root) : []
  const hooks = sorted.hooks.filter(
    (hook) => options.skipTests !== true || !hook.hooks!.includes('test'),
  )
  const manifests = sorted.manifests.map(show)
  const shownHooks = options.noHooks === true ? [] : hooks.map(show)
  return {
    text: manifestText([...crds, ...manifests], shownHooks),
    documents: [...crds, ...manifests, ...shownHooks],
    reads: (document) => {
      const file = byPath.get(document.path)
      return file === undefined ? [] : inputsOf(file)
    },
    causes: (document, place) => {
      const file = byPath.get(document.path)
      const offset = offsets.get(document)
      if (file?.trace === undefined || offset === undefined) return []
      return fieldCauses(file, document.text, offset, place, options)
    },
  }
}

/** Files below crds/ of the chart, then of its subcharts, as they are. */
function crdDocuments(instance: ChartInstance): readonly RenderedDocument[] {
  const own = instance.chart.files
    .filter(({ name }) => name.startsWith('crds/') && /\.(yaml|yml|json)$/i.test(name))
    .map(
      (file): RenderedDocument => ({
        path: `${instance.fullPath}/${file.name}`,
        line: 1,
        text: file.text,
        kind: '',
        apiVersion: '',
        name: '',
        isCrd: true,
        hooks: undefined,
        chart: instance.name,
      }),
    )
  return [...own, ...instance.dependencies.flatMap((child) => crdDocuments(child))]
}
