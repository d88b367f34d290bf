// Reading charts: folders and archives, Chart.yaml, .helmignore, values.yaml, subcharts.
export { type Chart, ChartFile, type Dependency, type Metadata } from './chart.ts'
export { decodeYaml, type Shape, scalarText } from './decode.ts'
export { loadChart, loadChartArchive } from './load.ts'
export { mergeMaps, parseValues } from './values-text.ts'
