import { isLitecdError } from '../../errors/index.ts'
import { type FileTree, readText } from '../../files/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { concealQuotes } from './conceal.ts'
import { fail, within } from './fail.ts'
import { readShape, type Shape } from './shape.ts'

export interface SelectorArgs {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly labelSelector?: string
  readonly annotationSelector?: string
}

export interface PatchOptions {
  readonly allowNameChange?: boolean
  readonly allowKindChange?: boolean
}

export interface PatchArgs {
  readonly path?: string
  readonly patch?: string
  readonly target?: SelectorArgs
  readonly options?: PatchOptions
}

export interface GeneratorOptions {
  readonly labels?: { readonly [key: string]: string }
  readonly annotations?: { readonly [key: string]: string }
  readonly disableNameSuffixHash?: boolean
  readonly immutable?: boolean
}

export interface GeneratorArgs {
  readonly name?: string
  readonly namespace?: string
  readonly behavior?: string
  readonly literals?: readonly string[]
  readonly files?: readonly string[]
  readonly envs?: readonly string[]
  readonly env?: string
  readonly options?: GeneratorOptions
  /** Of Secrets. */
  readonly type?: string
}

export interface FieldSpecArgs {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly path?: string
  readonly create?: boolean
}

export interface ImageArgs {
  readonly name?: string
  readonly newName?: string
  readonly newTag?: string
  readonly digest?: string
  readonly tagSuffix?: string
}

export interface FieldOptions {
  readonly delimiter?: string
  readonly index?: number
  readonly encoding?: string
  readonly create?: boolean
}

export interface ReplacementTarget {
  readonly select?: SelectorArgs
  readonly reject?: readonly SelectorArgs[]
  readonly fieldPaths?: readonly string[]
  readonly options?: FieldOptions
}

export interface ReplacementArgs {
  readonly path?: string
  readonly source?: SelectorArgs & { readonly fieldPath?: string; readonly options?: FieldOptions }
  readonly sourceValue?: string
  readonly targets?: readonly ReplacementTarget[]
}

export interface VarArgs {
  readonly name?: string
  readonly objref?: SelectorArgs & { readonly apiVersion?: string }
  readonly fieldref?: { readonly fieldPath?: string }
}

export interface HelmGlobals {
  readonly chartHome?: string
  readonly configHome?: string
}

export interface HelmChartArgs {
  readonly name?: string
  readonly version?: string
  readonly repo?: string
  readonly releaseName?: string
  readonly namespace?: string
  readonly valuesFile?: string
  readonly additionalValuesFiles?: readonly string[]
  readonly valuesInline?: JsonObject
  readonly valuesMerge?: string
  readonly includeCRDs?: boolean
  readonly skipHooks?: boolean
  readonly skipTests?: boolean
  readonly apiVersions?: readonly string[]
  readonly kubeVersion?: string
  readonly nameTemplate?: string
  readonly debug?: boolean
  readonly devel?: boolean
}

export interface LabelArgs {
  readonly pairs?: { readonly [key: string]: string }
  readonly includeSelectors?: boolean
  readonly includeTemplates?: boolean
  readonly fields?: readonly FieldSpecArgs[]
}

export interface SortOptions {
  readonly order?: string
  readonly legacySortOptions?: {
    readonly orderFirst?: readonly string[]
    readonly orderLast?: readonly string[]
  }
}

/** A kustomization file, after the deprecated fields have moved to their successors. */
export interface Kustomization {
  readonly apiVersion: string
  readonly kind: string
  readonly resources?: readonly string[]
  readonly components?: readonly string[]
  readonly generators?: readonly string[]
  readonly transformers?: readonly string[]
  readonly validators?: readonly string[]
  readonly configMapGenerator?: readonly GeneratorArgs[]
  readonly secretGenerator?: readonly GeneratorArgs[]
  readonly generatorOptions?: GeneratorOptions
  readonly helmCharts?: readonly HelmChartArgs[]
  readonly helmGlobals?: HelmGlobals
  readonly patches?: readonly PatchArgs[]
  readonly patchesStrategicMerge?: readonly string[]
  readonly patchesJson6902?: readonly PatchArgs[]
  readonly namespace?: string
  readonly namePrefix?: string
  readonly nameSuffix?: string
  readonly labels?: readonly LabelArgs[]
  readonly commonLabels?: { readonly [key: string]: string }
  readonly commonAnnotations?: { readonly [key: string]: string }
  readonly images?: readonly ImageArgs[]
  readonly replicas?: readonly { readonly name?: string; readonly count?: number | bigint }[]
  readonly replacements?: readonly ReplacementArgs[]
  readonly vars?: readonly VarArgs[]
  readonly configurations?: readonly string[]
  readonly crds?: readonly string[]
  readonly openapi?: { readonly [key: string]: string }
  readonly sortOptions?: SortOptions
  readonly buildMetadata?: readonly string[]
}

const texts: Shape = { list: 'string' }
const textMap: Shape = { map: 'string' }
const gvk: { readonly [name: string]: Shape } = {
  group: 'string',
  version: 'string',
  kind: 'string',
}
const resId = { ...gvk, name: 'string', namespace: 'string' } as const
export const selectorShape: Shape = {
  go: 'types.Selector',
  fields: { ...resId, annotationSelector: 'string', labelSelector: 'string' },
}
export const fieldSpecShape: Shape = {
  go: 'types.FieldSpec',
  fields: { ...gvk, path: 'string', create: 'bool' },
}
const patchOptionsShape: Shape = {
  go: 'types.PatchArgs',
  fields: { allowNameChange: 'bool', allowKindChange: 'bool' },
}
export const patchShape: Shape = {
  go: 'types.Patch',
  fields: {
    path: 'string',
    patch: 'string',
    target: selectorShape,
    options: patchOptionsShape,
  },
}
const generatorOptionsShape: Shape = {
  go: 'types.GeneratorOptions',
  fields: {
    labels: textMap,
    annotations: textMap,
    disableNameSuffixHash: 'bool',
    immutable: 'bool',
  },
}
const generator = {
  name: 'string',
  namespace: 'string',
  behavior: 'string',
  literals: texts,
  files: texts,
  envs: texts,
  env: 'string',
  options: generatorOptionsShape,
} as const
export const configMapShape: Shape = { go: 'types.ConfigMapArgs', fields: generator }
export const secretShape: Shape = {
  go: 'types.SecretArgs',
  fields: { ...generator, type: 'string' },
}
export const imageShape: Shape = {
  go: 'types.Image',
  fields: {
    name: 'string',
    newName: 'string',
    tagSuffix: 'string',
    newTag: 'string',
    digest: 'string',
  },
}
const fieldOptions: Shape = {
  go: 'types.FieldOptions',
  fields: { delimiter: 'string', index: 'int', encoding: 'string', create: 'bool' },
}
export const replacementShape: Shape = {
  go: 'types.ReplacementField',
  fields: {
    path: 'string',
    source: { fields: { ...resId, fieldPath: 'string', options: fieldOptions } },
    sourceValue: 'string',
    targets: {
      list: {
        fields: {
          select: selectorShape,
          reject: { list: selectorShape },
          fieldPaths: texts,
          options: fieldOptions,
        },
      },
    },
  },
}
export const helmGlobalsFields: { readonly [name: string]: Shape } = {
  chartHome: 'string',
  configHome: 'string',
}
export const helmChartFields: { readonly [name: string]: Shape } = {
  name: 'string',
  version: 'string',
  repo: 'string',
  releaseName: 'string',
  namespace: 'string',
  additionalValuesFiles: texts,
  valuesFile: 'string',
  valuesInline: { map: 'any' },
  valuesMerge: 'string',
  includeCRDs: 'bool',
  skipHooks: 'bool',
  apiVersions: texts,
  kubeVersion: 'string',
  nameTemplate: 'string',
  skipTests: 'bool',
  debug: 'bool',
  devel: 'bool',
}
export const replicaShape: Shape = {
  go: 'types.Replica',
  fields: { name: 'string', count: 'int64' },
}

const shape: Shape = {
  fields: {
    apiVersion: 'string',
    kind: 'string',
    metadata: {
      fields: { name: 'string', namespace: 'string', labels: textMap, annotations: textMap },
    },
    openapi: textMap,
    namePrefix: 'string',
    nameSuffix: 'string',
    namespace: 'string',
    commonLabels: textMap,
    labels: {
      list: {
        go: 'types.Label',
        fields: {
          pairs: textMap,
          includeSelectors: 'bool',
          includeTemplates: 'bool',
          fields: { list: fieldSpecShape },
        },
      },
    },
    commonAnnotations: textMap,
    patchesStrategicMerge: texts,
    patchesJson6902: { list: patchShape },
    patches: { list: patchShape },
    images: { list: imageShape },
    imageTags: { list: imageShape },
    replacements: { list: replacementShape },
    replicas: { list: replicaShape },
    vars: {
      list: {
        go: 'types.Var',
        fields: {
          name: 'string',
          objref: { fields: { ...resId, apiVersion: 'string' } },
          fieldref: { fields: { fieldPath: 'string' } },
        },
      },
    },
    sortOptions: {
      go: 'types.SortOptions',
      fields: {
        order: 'string',
        legacySortOptions: { fields: { orderFirst: texts, orderLast: texts } },
      },
    },
    resources: texts,
    components: texts,
    crds: texts,
    bases: texts,
    configMapGenerator: { list: configMapShape },
    secretGenerator: { list: secretShape },
    helmGlobals: { go: 'types.HelmGlobals', fields: helmGlobalsFields },
    helmCharts: { list: { go: 'types.HelmChart', fields: helmChartFields } },
    helmChartInflationGenerator: {
      list: {
        fields: {
          chartName: 'string',
          chartVersion: 'string',
          chartRepoUrl: 'string',
          chartHome: 'string',
          chartRepoName: 'string',
          helmBin: 'string',
          helmHome: 'string',
          values: 'string',
          valuesLocal: { map: 'any' },
          valuesMerge: 'string',
          releaseName: 'string',
          releaseNamespace: 'string',
          extraArgs: texts,
        },
      },
    },
    generatorOptions: generatorOptionsShape,
    configurations: texts,
    generators: texts,
    transformers: texts,
    validators: texts,
    buildMetadata: texts,
  },
}

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
    return readShape(value, shape, { struct: 'Kustomization', strict: true }) as Raw
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
