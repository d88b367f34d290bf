// One render as a process of its own: node helm-once CHART SET
import { loadChart, renderChart } from '@litecd/core/render/helm'
import { diskTree } from '../../test/differential/disk-tree.ts'

const [path = '', set = ''] = process.argv.slice(2)
const chart = loadChart(diskTree(path), '')
process.stdout.write(renderChart(chart, { releaseName: 'bench', set: [set] }).text)
