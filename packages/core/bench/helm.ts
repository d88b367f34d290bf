// CPU time of charts here against the helm program's, in one run.
//
//   node bench/helm.ts                two charts that are made up here: a small one, and one on top of a library chart
//   node bench/helm.ts CHART...       folders of yours with their dependencies, such as kube-prometheus-stack
//
// LITECD_HELM_BIN names the program (otherwise the one that `npm run testbin` builds, or `helm`). A cold run is a process
// of its own that loads the chart, as every run of the program is; a warm one has loaded the chart before and gets new
// values. Exit code 1 when an output differs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadChart, renderChart } from '@litecd/core/render/helm'
import { findBinary } from '../../../test/binaries.ts'
import { diskTree } from '../test/differential/disk-tree.ts'
import { libraryChart, smallChart } from './data/helm-charts.ts'

const binary = process.env['LITECD_HELM_BIN'] ?? findBinary('helm') ?? 'helm'
const warmUps = 100
const rounds = 9

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

/** User and system time of a process and what it prints. */
function spawned(argv: readonly string[]): { readonly seconds: number; readonly output: string } {
  const script = 'TIMEFORMAT="%U %S"; time "$@" 2>&3 3>&-'
  const run = spawnSync('bash', ['-c', `{ ${script}; } 3>&2`, 'bash', ...argv], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (run.error !== undefined) throw run.error
  if (run.status !== 0) throw new Error(`${argv.join(' ')} failed: ${run.stderr}`)
  const [user, system] = run.stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number)
  return { seconds: user! + system!, output: run.stdout }
}

const set = (round: number): string => `global.litecdBench=r${round}`

function theirs(chart: string, round: number): { seconds: number; output: string } {
  return spawned([binary, 'template', 'bench', chart, '--set', set(round)])
}

function cold(chart: string, round: number): { seconds: number; output: string } {
  return spawned([
    process.execPath,
    '--conditions=litecd-source',
    fileURLToPath(import.meta.url),
    '--once',
    chart,
    set(round),
  ])
}

function render(chart: ReturnType<typeof loadChart>, text: string): string {
  return renderChart(chart, { releaseName: 'bench', set: [text] }).text
}

/** CPU seconds of `run`, the mean of as many runs as fill a tenth of a second. */
function cpu(run: () => void): number {
  const start = process.cpuUsage()
  let count = 0
  for (;;) {
    run()
    count++
    const { user, system } = process.cpuUsage(start)
    if (user + system > 100_000) return (user + system) / 1e6 / count
  }
}

function line(what: string, seconds: number, ofPeer: number): void {
  const ms = (seconds * 1000).toFixed(1).padStart(8)
  console.log(`  ${what.padEnd(28)} ${ms} ms   ratio ${(seconds / ofPeer).toFixed(3)}`)
}

/** Lines that stay the same from run to run. */
function stable(a: string, b: string): readonly (string | undefined)[] {
  const other = b.split('\n')
  return a.split('\n').map((text, i) => (text === other[i] ? text : undefined))
}

function compare(path: string): void {
  const first = theirs(path, 0).output
  const chart = loadChart(diskTree(path), '')
  const own = render(chart, set(0)).split('\n')
  const isEqual = stable(first, theirs(path, 0).output).every(
    (text, i) => text === undefined || text === own[i],
  )
  console.log(`${basename(path)}: ${first.length} characters${isEqual ? '' : ', OUTPUTS DIFFER'}`)
  if (!isEqual) process.exitCode = 1
  const peer = median(Array.from({ length: rounds }, (_, i) => theirs(path, i).seconds))
  line('helm', peer, peer)
  line(
    'ours, a new process',
    median(Array.from({ length: 5 }, (_, i) => cold(path, i).seconds)),
    peer,
  )
  line(
    'ours, loaded anew',
    median(
      Array.from({ length: rounds }, () =>
        cpu(() => render(loadChart(diskTree(path), ''), set(1))),
      ),
    ),
    peer,
  )
  let round = 0
  for (let i = 0; i < warmUps; i++) render(chart, set(round++))
  line(
    'ours, only values change',
    median(Array.from({ length: rounds }, () => cpu(() => render(chart, set(round++))))),
    peer,
  )
}

function memory(): void {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const { heapUsed, rss } = process.memoryUsage()
  console.log(`memory at the end: ${mib(heapUsed)} of heap, ${mib(rss)} resident`)
}

function main(argv: readonly string[]): void {
  if (argv[0] === '--once') {
    process.stdout.write(render(loadChart(diskTree(argv[1]!), ''), argv[2]!))
    return
  }
  if (argv.length > 0) for (const path of argv) compare(path)
  else {
    const dir = mkdtempSync(join(tmpdir(), 'litecd-bench-'))
    try {
      for (const files of [smallChart(), libraryChart()]) {
        for (const [path, text] of files) {
          mkdirSync(dirname(join(dir, path)), { recursive: true })
          writeFileSync(join(dir, path), text)
        }
      }
      for (const name of ['small', 'web']) compare(join(dir, name))
    } finally {
      rmSync(dir, { recursive: true })
    }
  }
  memory()
}

main(process.argv.slice(2))
