import { RenderError } from '../../errors/index.ts'
import type { TemplateLimits, ValueMap } from '../../lang/gotemplate/index.ts'
import type { Chart } from './chart/index.ts'
import {
  capabilitiesValue,
  checkReleaseName,
  collectTemplates,
  type Document,
  defaultHelmVersion,
  defaultKubeVersion,
  type HelmVersion,
  parseKubeVersion,
  type RenderedFile,
  runTemplates,
  sortDocuments,
  templateLineOf,
} from './engine/index.ts'
import { type Chance, type Lookup, seededChance } from './functions/index.ts'
import { manifestText } from './output.ts'
import { tracedInputs } from './trace.ts'
import {
  ChartInstance,
  coalesceValues,
  isCompatibleRange,
  mergeUserValues,
  processDependencies,
  type UserValues,
  validateSchemas,
} from './values/index.ts'

/** What `helm template` is told beside the chart. */
export interface RenderOptions extends UserValues {
  readonly releaseName: string
  /** `default` when absent. */
  readonly namespace?: string | undefined
  /** As `--kube-version`; v1.36.0 when absent. */
  readonly kubeVersion?: string | undefined
  /** Added to the known API versions. */
  readonly apiVersions?: readonly string[] | undefined
  readonly includeCrds?: boolean | undefined
  readonly skipTests?: boolean | undefined
  readonly noHooks?: boolean | undefined
  readonly isUpgrade?: boolean | undefined
  readonly skipSchemaValidation?: boolean | undefined
  /** Randomness and time; when absent everything follows from the release, the chart and the values. */
  readonly chance?: Chance | undefined
  /** Live objects for `lookup`, which is empty when absent. */
  readonly lookup?: Lookup | undefined
  readonly limits?: Partial<TemplateLimits> | undefined
  readonly helmVersion?: HelmVersion | undefined
}

/** A document of the output and where it came from. */
export interface RenderedDocument {
  /** Path of the template or CRD file, as in `# Source:`. */
  readonly path: string
  /** Line of the template that made the first character, from 1. */
  readonly line: number
  readonly text: string
  readonly kind: string
  readonly apiVersion: string
  readonly name: string
  readonly isCrd: boolean
  /** Hook names when it is a hook. */
  readonly hooks: readonly string[] | undefined
  /** The chart or subchart that the template belongs to, by its name in the parent. */
  readonly chart: string
}

/** One value that a template read, and who set it: value files, `--set` and the like, `values.yaml` of a chart. */
export interface ReadValue {
  /** Below the template's `.Values`. */
  readonly path: string
  /** In the order in which they were applied; the last one won. */
  readonly from: readonly string[]
}

export interface RenderWarning {
  readonly level: 'INFO' | 'WARN'
  readonly message: string
}

export interface ChartRender {
  /** Exactly what `helm template` prints. Bytes that are no UTF-8 are lone surrogates, see text/go-string. */
  readonly text: string
  /** CRDs, manifests and hooks in the order of the text. */
  readonly documents: readonly RenderedDocument[]
  readonly warnings: readonly RenderWarning[]
  /** What the template file of a document read of its values, sorted by path. */
  reads(document: RenderedDocument): readonly ReadValue[]
}

/**
 * Renders a chart as `helm template` of Helm 4.2 does. A plain function: the same input gives the same result.
 *
 * Throws RenderError with Helm's text: HELM_FAILED, HELM_VALUES, YAML_INVALID, TEMPLATE_PARSE, TEMPLATE_EXEC, and
 * BUDGET_EXCEEDED when the chart wants too much.
 *
 * Source: helm v4.2.1 pkg/cmd/install.go runInstall, pkg/action/install.go, pkg/action/action.go renderResources
 */
export function renderChart(chart: Chart, options: RenderOptions): ChartRender {
  const warnings: RenderWarning[] = []
  const user = mergeUserValues(options)
  checkChart(chart, warnings)
  checkReleaseName(options.releaseName)
  const root = ChartInstance.of(chart)
  const values = prepareValues(root, user, options, warnings)
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
  const files = runTemplates(templates, host, options.limits ?? {})
  return assemble(root, files, options, warnings)
}

function checkChart(chart: Chart, warnings: RenderWarning[]): void {
  const { metadata } = chart
  if (metadata.type !== '' && metadata.type !== 'application') {
    throw new RenderError('HELM_FAILED', `${metadata.type} charts are not installable`)
  }
  if (metadata.deprecated) warnings.push({ level: 'WARN', message: 'this chart is deprecated' })
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
  warnings: RenderWarning[],
): ValueMap {
  const warn = (message: string): void => {
    warnings.push({ level: message.startsWith('returned ') ? 'WARN' : 'INFO', message })
  }
  try {
    processDependencies(root, user, warn)
  } catch (error) {
    if (!(error instanceof RenderError) || error.code !== 'HELM_VALUES') throw error
    throw new RenderError(error.code, `chart dependencies processing failed: ${error.message}`, {
      cause: error,
    })
  }
  const values = coalesceValues(root, user, warn)
  if (options.skipSchemaValidation !== true) validateSchemas(root, values)
  return values
}

function assemble(
  root: ChartInstance,
  files: readonly RenderedFile[],
  options: RenderOptions,
  warnings: RenderWarning[],
): ChartRender {
  const sorted = sortDocuments(files)
  for (const hooks of sorted.unknownHooks) {
    warnings.push({ level: 'INFO', message: `skipping unknown hooks hookTypes=${hooks}` })
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  const show = (document: Document): RenderedDocument => {
    const file = byPath.get(document.path)!
    return {
      path: document.path,
      line: templateLineOf(file, document.offset),
      text: document.text,
      kind: document.kind,
      apiVersion: document.apiVersion,
      name: document.name,
      isCrd: false,
      hooks: document.hooks,
      chart: file.template.instance.name,
    }
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
    warnings,
    reads: (document) => {
      const file = byPath.get(document.path)
      return file === undefined ? [] : tracedInputs(file, options)
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
