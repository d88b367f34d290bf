// render/helm: charts → manifests, byte for byte as `helm template` of Helm 4.2 prints them.
// In: a chart (folder of a tree or archive), values, capabilities, chance. Out: text, documents with their origins.
// Never: the network, other folders than the chart's, the environment, a clock.
export {
  type Chart,
  type Dependency,
  loadChart,
  loadChartArchive,
  type Metadata,
} from './chart/index.ts'
export type { RenderDebug } from './debug.ts'
export {
  defaultApiVersions,
  defaultHelmVersion,
  type HelmVersion,
  parseKubeVersion,
  renderErrorText,
  renderNameTemplate,
} from './engine/index.ts'
export { type Chance, type ChanceStream, type Lookup, seededChance } from './functions/index.ts'
export { showOnly } from './output.ts'
export { missingDependencies, renderChart } from './render.ts'
export { type DependencyUpdate, updateDependencies } from './source/index.ts'
export type {
  ChartRender,
  FieldPlace,
  FieldRead,
  ReadValue,
  RenderedDocument,
  RenderOptions,
  RenderWarning,
  TemplateCause,
} from './types.ts'
export { mergeUserValues, type UserValues } from './values/index.ts'
