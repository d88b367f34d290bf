import { isLitecdError } from '../../errors/index.ts'
import { type FileTree, readText } from '../../files/index.ts'
import type { Json } from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { concealQuotes } from './conceal.ts'
import { fail, within } from './fail.ts'
import type { Kustomization } from './kustomization.ts'
import { kustomizationShape } from './kustomization-shapes.ts'
import { readShape } from './shape.ts'

type Raw = { [key: string]: Json }

const editFix = "Run 'kustomize edit fix' to update your Kustomization automatically."
const deprecated: readonly (readonly [string, string, string?])[] = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
  ['vars', 'replacements', '[EXPERIMENTAL] '],
]

export interface ReadKustomization {
  readonly value: Kustomization
  /** Lines for standard error. */
  readonly warnings: readonly string[]
}

/**
 * Reads a kustomization file.
 *
 * Errors: KUSTOMIZE_FAILED in kustomize's words, with the position of syntax errors.
 * Source: kustomize v5.8.1 api/types/kustomization.go
 */
export function readKustomization(text: string, file: string, folder: string): ReadKustomization {
  const raw = readFields(text, file)
  const warnings = deprecated
    .filter(([name]) => raw[name] !== undefined)
    .map(
      ([name, instead, mark = '']) =>
        `# Warning: '${name}' is deprecated. Please use '${instead}' instead. ${mark}${editFix}`,
    )
  modernize(raw)
  return { value: finishKustomization(raw, folder, file), warnings }
}

function readFields(text: string, file: string): Raw {
  return within('invalid Kustomization', () => {
    const value = readYaml(text, file)
    return readShape(value, kustomizationShape, { struct: 'Kustomization', strict: true }) as Raw
  })
}

/** A kustomization file as `kustomize edit` reads it: deprecated fields moved, nothing checked yet. */
export function readRaw(tree: FileTree, path: string): Raw {
  const raw = readFields(readText(tree, path) ?? '', path)
  modernize(raw)
  return raw
}

/** Refuses what no build accepts. */
export function finishKustomization(
  raw: { readonly [key: string]: Json },
  folder: string,
  file: string = folder,
): Kustomization {
  const isSet = Object.entries(raw).some(
    ([name, value]) => name !== 'kind' && name !== 'apiVersion' && value !== undefined,
  )
  if (!isSet) fail('kustomization.yaml is empty', { path: file })
  const problems = enforce(raw)
  if (problems.length > 0) {
    fail(`Failed to read kustomization file under ${folder}:\n${problems.join('\n')}`, {
      path: file,
    })
  }
  return raw as unknown as Kustomization
}

function readYaml(text: string, file: string): Json {
  try {
    return parseYaml(text, { path: file })
  } catch (error) {
    if (!isLitecdError(error)) throw error
    const message = /secret/i.test(text) ? concealQuotes(error.message) : error.message
    return fail(message, error.position)
  }
}

/** Moves deprecated fields to their successors, in place. */
export function modernize(raw: Raw): void {
  if ((raw['kind'] ?? '') === '') raw['kind'] = 'Kustomization'
  if ((raw['apiVersion'] ?? '') === '') {
    raw['apiVersion'] =
      raw['kind'] === 'Component'
        ? 'kustomize.config.k8s.io/v1alpha1'
        : 'kustomize.config.k8s.io/v1beta1'
  }
  move(raw, 'bases', 'resources')
  move(raw, 'imageTags', 'images')
  for (const name of ['configMapGenerator', 'secretGenerator']) {
    const list = raw[name]
    if (!Array.isArray(list)) continue
    raw[name] = list.map((entry: Raw) => {
      const { env, ...rest } = entry
      if (env === undefined || env === '') return rest
      return { ...rest, envs: [...((rest['envs'] as readonly Json[] | undefined) ?? []), env] }
    })
  }
  modernizeHelm(raw)
}

function move(raw: Raw, from: string, to: string): void {
  const old = raw[from]
  delete raw[from]
  if (!Array.isArray(old) || old.length === 0) return
  raw[to] = [...((raw[to] as readonly Json[] | undefined) ?? []), ...old]
}

function modernizeHelm(raw: Raw): void {
  const old = raw['helmChartInflationGenerator']
  delete raw['helmChartInflationGenerator']
  if (!Array.isArray(old) || old.length === 0) return
  const globals: Raw = {}
  const charts = old.map((entry: Raw) => {
    if (typeof entry['chartHome'] === 'string' && entry['chartHome'] !== '') {
      globals['chartHome'] = entry['chartHome']
    }
    if (typeof entry['helmHome'] === 'string' && entry['helmHome'] !== '') {
      globals['configHome'] = entry['helmHome']
    }
    const chart: Raw = {}
    const names = {
      name: 'chartName',
      version: 'chartVersion',
      repo: 'chartRepoUrl',
      valuesFile: 'values',
      valuesInline: 'valuesLocal',
      valuesMerge: 'valuesMerge',
      releaseName: 'releaseName',
    }
    for (const [name, from] of Object.entries(names)) {
      const value = entry[from]
      if (value !== undefined) chart[name] = value
    }
    return chart
  })
  if (raw['helmGlobals'] === undefined && Object.keys(globals).length > 0) {
    raw['helmGlobals'] = globals
  }
  raw['helmCharts'] = [...((raw['helmCharts'] as readonly Json[] | undefined) ?? []), ...charts]
}

function enforce(raw: { readonly [key: string]: Json }): string[] {
  const kind = String(raw['kind'])
  const problems: string[] = []
  if (kind !== 'Kustomization' && kind !== 'Component') {
    problems.push('kind should be Kustomization or Component')
  }
  const wanted = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`
  if (raw['apiVersion'] !== wanted) problems.push(`apiVersion for ${kind} should be ${wanted}`)
  return problems
}

/** The names that a kustomization file may have, in the order in which they are tried. */
export const fileNames: readonly string[] = [
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]
