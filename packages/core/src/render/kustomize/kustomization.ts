import type { JsonObject } from '../../json/index.ts'

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
