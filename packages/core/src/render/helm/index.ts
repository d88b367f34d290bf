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
export {
  defaultApiVersions,
  defaultHelmVersion,
  type HelmVersion,
  parseKubeVersion,
  renderNameTemplate,
} from './engine/index.ts'
export { type Chance, type ChanceStream, type Lookup, seededChance } from './functions/index.ts'
export { showOnly } from './output.ts'
export {
  type ChartRender,
  missingDependencies,
  type ReadValue,
  type RenderedDocument,
  type RenderOptions,
  type RenderWarning,
  renderChart,
} from './render.ts'
export { mergeUserValues, type UserValues } from './values/index.ts'
