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
  credentialFlags,
  downloadIndex,
  type HelmRepositoryOptions,
  notARepository,
  pullChart,
  pullError,
} from './repository.ts'
