import { isLitecdError, RenderError } from '../../../errors/index.ts'
import { type FileTree, joinPath, readText, resolveLinks } from '../../../files/index.ts'
import { compareStrings, type JsonObject } from '../../../json/index.ts'
import { bytesToText, goExt } from '../../../text/index.ts'
import { readChartArchive, type UnpackBudget, unpackBudget } from './archive.ts'
import type { BufferedFile } from './buffered.ts'
import { type Chart, ChartFile } from './chart.ts'
import { decodeYaml, type Shape } from './decode.ts'
import { lockShape, metadataShape, readMetadata } from './metadata.ts'
import { readChartFolder } from './tree.ts'
import { parseValues } from './values-text.ts'

/**
 * Reads a chart folder of a tree. The chart can be rendered any number of times.
 *
 * Throws RenderError (HELM_FAILED, YAML_INVALID, BUDGET_EXCEEDED) or SourceError with Helm's texts.
 */
export function loadChart(tree: FileTree, dir: string): Chart {
  const files = readChartFolder(tree, dir)
  const path = joinPath(dir, 'Chart.yaml')
  const real = resolveLinks(tree, path)
  const text = 'path' in real ? readText(tree, real.path) : undefined
  if (text === undefined) {
    throw new RenderError(
      'HELM_FAILED',
      `unable to detect chart at ${path}: open ${path}: no such file or directory`,
    )
  }
  checkApiVersion(text)
  return loadFiles(files, unpackBudget())
}

/**
 * Reads a packaged chart (.tgz); the name is for errors. Throws as {@link loadChart}.
 *
 * What is wrong with an archive is in the hint: Helm does not tell.
 */
export function loadChartArchive(bytes: Uint8Array, name = ''): Chart {
  const budget = unpackBudget()
  let files: readonly BufferedFile[]
  try {
    files = readChartArchive(bytes, budget)
  } catch (error) {
    if (!isLitecdError(error) || error.code === 'BUDGET_EXCEEDED') throw error
    const isHeader = error.message === 'gzip: invalid header'
    throw new RenderError(
      error.code,
      isHeader
        ? `file '${name}' does not appear to be a valid chart file (details: ${error.message})`
        : 'unable to load chart archive',
      { data: { reason: error.message }, cause: error },
    )
  }
  const file = files.find((candidate) => candidate.name === 'Chart.yaml')
  if (file === undefined) {
    throw new RenderError('HELM_FAILED', 'unable to detect chart version, no Chart.yaml found')
  }
  checkApiVersion(bytesToText(file.bytes))
  return loadFiles(files, budget)
}

const chartBase: Shape = {
  type: 'struct',
  name: 'chartBase',
  go: 'loader.chartBase',
  fields: { apiVersion: { type: 'string' } },
}

/** Source: helm v4.2.1 pkg/chart/loader/load.go */
function checkApiVersion(text: string): void {
  const { apiVersion = '' } = attempt('cannot load Chart.yaml: ', () =>
    decodeYaml(text, chartBase, 'Chart.yaml'),
  )
  if (apiVersion === 'v3') throw new RenderError('HELM_FAILED', 'invalid chart apiVersion')
  if (apiVersion !== '' && apiVersion !== 'v1' && apiVersion !== 'v2') {
    throw new RenderError('HELM_FAILED', 'unsupported chart version')
  }
}

/** An error with words before its text; position and code stay. */
function prefixed(prefix: string, error: unknown): unknown {
  if (!isLitecdError(error)) return error
  return new RenderError(error.code, prefix + error.message, {
    position: error.position,
    hint: error.hint,
    cause: error,
  })
}

function attempt<T>(prefix: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw prefixed(prefix, error)
  }
}

const maxNested = 100

function loadFiles(files: readonly BufferedFile[], budget: UnpackBudget, depth = 0): Chart {
  if (depth > maxNested) {
    throw new RenderError('BUDGET_EXCEEDED', `charts nest deeper than ${maxNested} levels`)
  }
  const warnings: string[] = []
  let raw: JsonObject | undefined
  for (const file of files) {
    if (file.name !== 'Chart.yaml') continue
    const read = attempt('cannot load Chart.yaml: ', () =>
      decodeYaml(bytesToText(file.bytes), metadataShape, file.name),
    )
    raw = { ...raw, ...read }
    // Helm 2 charts have none
    if ((raw['apiVersion'] ?? '') === '') raw = { ...raw, apiVersion: 'v1' }
  }
  const isV1 = (): boolean => raw?.['apiVersion'] === 'v1'
  const parts = sortParts(files)
  for (const file of parts.requirements) {
    if (!isV1()) warnings.push(requirementsWarning)
    const read = attempt('cannot load requirements.yaml: ', () =>
      decodeYaml(bytesToText(file.bytes), metadataShape, file.name),
    )
    raw = { ...raw, ...read }
  }
  let lock: ChartFile | undefined
  for (const file of parts.locks) {
    attempt(`cannot load ${file.name}: `, () =>
      decodeYaml(bytesToText(file.bytes), lockShape, file.name),
    )
    if (file.name === 'requirements.lock' && !isV1()) warnings.push(lockWarning)
    lock = new ChartFile(file.name, file.bytes)
  }
  let values: JsonObject = {}
  if (parts.values !== undefined) {
    const { name, bytes } = parts.values
    values = attempt('cannot load values.yaml: ', () => parseValues(bytesToText(bytes), name))
  }
  if (raw === undefined) throw new RenderError('HELM_FAILED', 'Chart.yaml file is missing')
  const metadata = readMetadata(raw)
  const kept = parts.files.filter(
    ({ name }) => isV1() || (name !== 'requirements.yaml' && name !== 'requirements.lock'),
  )
  return {
    metadata,
    values,
    schema: parts.schema === undefined ? undefined : toChartFile(parts.schema),
    templates: parts.templates.map(toChartFile),
    files: kept.map(toChartFile),
    dependencies: loadSubcharts(parts.subcharts, metadata.name, budget, depth, warnings),
    lock,
    warnings,
  }
}

const requirementsWarning =
  'Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.'
const lockWarning =
  'Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.'

function toChartFile(file: BufferedFile): ChartFile {
  return new ChartFile(file.name, file.bytes)
}

interface Parts {
  readonly requirements: readonly BufferedFile[]
  readonly locks: readonly BufferedFile[]
  readonly values: BufferedFile | undefined
  readonly schema: BufferedFile | undefined
  readonly templates: readonly BufferedFile[]
  readonly files: readonly BufferedFile[]
  readonly subcharts: ReadonlyMap<string, readonly BufferedFile[]>
}

function sortParts(files: readonly BufferedFile[]): Parts {
  const requirements: BufferedFile[] = []
  const locks: BufferedFile[] = []
  const templates: BufferedFile[] = []
  const others: BufferedFile[] = []
  const subcharts = new Map<string, BufferedFile[]>()
  let values: BufferedFile | undefined
  let schema: BufferedFile | undefined
  for (const file of files) {
    const { name } = file
    if (name === 'Chart.yaml') continue
    if (name === 'Chart.lock') locks.push(file)
    else if (name === 'values.yaml') values = file
    else if (name === 'values.schema.json') schema = file
    else if (name === 'requirements.yaml') {
      requirements.push(file)
      others.push(file)
    } else if (name === 'requirements.lock') {
      locks.push(file)
      others.push(file)
    } else if (name.startsWith('templates/')) templates.push(file)
    else if (name.startsWith('charts/') && !name.endsWith('.prov')) {
      const inner = name.slice('charts/'.length)
      const first = inner.split('/', 1)[0]!
      const list = subcharts.get(first) ?? []
      list.push({ name: inner, bytes: file.bytes })
      subcharts.set(first, list)
    } else others.push(file)
  }
  return { requirements, locks, values, schema, templates, files: others, subcharts }
}

function loadSubcharts(
  subcharts: ReadonlyMap<string, readonly BufferedFile[]>,
  parent: string,
  budget: UnpackBudget,
  depth: number,
  warnings: string[],
): readonly Chart[] {
  const out: Chart[] = []
  // Helm goes over a Go map here; byte order is ours
  for (const name of [...subcharts.keys()].sort(compareStrings)) {
    if (name.startsWith('_') || name.startsWith('.')) continue
    const files = subcharts.get(name)!
    const chart = attempt(`error unpacking subchart ${name} in ${parent}: `, () => {
      if (goExt(name) === '.tgz') {
        return loadFiles(readChartArchive(files[0]!.bytes, budget), budget, depth + 1)
      }
      const inner = files
        .filter((file) => file.name.includes('/'))
        .map((file) => ({ name: file.name.slice(file.name.indexOf('/') + 1), bytes: file.bytes }))
      return loadFiles(inner, budget, depth + 1)
    })
    warnings.push(...chart.warnings)
    out.push(chart)
  }
  return out
}
