import type { Shape } from './shape.ts'

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

/** A kustomization file. */
export const kustomizationShape: Shape = {
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
