// sources/helm: Helm repositories over HTTP.
// In: the settings of a repository, a chart, a version. Out: what the index says, archives, trees. Never: rendering.
export {
  type ChartEntries,
  type ChartVersion,
  pickVersion,
  readChartEntries,
} from './index-file.ts'
export {
  chartEntries,
  chartTree,
  downloadIndex,
  type HelmRepositoryOptions,
  pullChart,
  pullError,
} from './repository.ts'
