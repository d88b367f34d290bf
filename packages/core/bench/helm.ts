// CPU time of charts here against the helm program's, in one run, and the memory of both.
//
//   node bench/helm.ts                charts that are made up here: a small one, one on top of a library chart, and a large
//                                     stack with subcharts
//   node bench/helm.ts CHART...       folders of yours with their dependencies, such as kube-prometheus-stack
//
// LITECD_BENCH_CHARTS (folders, parted by colons) adds charts of yours to the first form. LITECD_HELM_BIN names the program
// (otherwise the one that `npm run testbin` builds, or `helm`). A cold run is a process of its own, `litecd helm template`
// as it is published, with the code that it kept of an earlier run; a warm one has loaded the chart before and gets new
// values. Exit code 1 when an output differs; a ratio above its target is marked.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadChart, renderChart } from '@litecd/core/render/helm'
import { findBinary } from '../../../test/binaries.ts'
import { diskTree } from '../test/differential/disk-tree.ts'
import { libraryChart, smallChart } from './data/helm-charts.ts'
import { stackChart } from './data/helm-stack.ts'

const binary = process.env['LITECD_HELM_BIN'] ?? findBinary('helm') ?? 'helm'
const rounds = 9
const root = fileURLToPath(new URL('../../..', import.meta.url))

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

interface Run {
  readonly seconds: number
  /** Most memory that was resident; undefined where no `time` program can tell. */
  readonly mib: number | undefined
  readonly output: string
}

const timer = '/usr/bin/time'
const canMeasureMemory = existsSync(timer)

/** User and system time of a process to the millisecond, its memory and what it prints. */
function spawned(argv: readonly string[]): Run {
  const measured = canMeasureMemory ? [timer, '-f', '%M', ...argv] : argv
  const script = '{ TIMEFORMAT="%3U %3S"; time "$@" 2>&3 3>&-; } 3>&2'
  const run = spawnSync('bash', ['-c', script, 'bash', ...measured], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (run.error !== undefined) throw run.error
  if (run.status !== 0) throw new Error(`${argv.join(' ')} failed: ${run.stderr}`)
  const lines = run.stderr.trimEnd().split('\n')
  const [user, system] = lines.at(-1)!.split(' ').map(Number)
  return {
    seconds: user! + system!,
    mib: canMeasureMemory ? Number(lines.at(-2)) / 1024 : undefined,
    output: run.stdout,
  }
}

const set = (round: number): string => `global.litecdBench=r${round}`

function theirs(chart: string, round: number): Run {
  return spawned([binary, 'template', 'bench', chart, '--set', set(round)])
}

/** The command line as it is published. */
function buildCli(dir: string): string {
  cpSync(join(root, 'packages/cli/bin'), join(dir, 'bin'), { recursive: true })
  execFileSync(process.execPath, ['scripts/bundle-cli.mjs', join(dir, 'dist')], { cwd: root })
  return join(dir, 'bin/litecd.mjs')
}

function cold(program: string, chart: string, round: number): Run {
  return spawned([
    process.execPath,
    program,
    'helm',
    'template',
    'bench',
    chart,
    '--set',
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

function line(what: string, seconds: number, ofPeer: number, more: LineFacts = {}): void {
  const ms = (seconds * 1000).toFixed(1).padStart(8)
  const ratio = seconds / ofPeer
  const memory = more.mib === undefined ? '' : `   ${more.mib.toFixed(0)} MiB`
  const isMissed = more.target !== undefined && ratio > more.target
  const target = isMissed ? `   ABOVE ${more.target}` : ''
  console.log(`  ${what.padEnd(28)} ${ms} ms   ratio ${ratio.toFixed(3)}${memory}${target}`)
}

interface LineFacts {
  readonly mib?: number | undefined
  /** The ratio that should not be passed. */
  readonly target?: number | undefined
}

/** Ratios for charts that helm needs little or much time for. */
function targetsFor(characters: number): { readonly cold?: number; readonly warm: number } {
  return characters > 500_000 ? { cold: 1.5, warm: 0.3 } : { warm: 0.05 }
}

/** Lines that stay the same from run to run. */
function stable(a: string, b: string): readonly (string | undefined)[] {
  const other = b.split('\n')
  return a.split('\n').map((text, i) => (text === other[i] ? text : undefined))
}

function compare(path: string, cli: string): void {
  const first = theirs(path, 0).output
  const chart = loadChart(diskTree(path), '')
  const own = render(chart, set(0)).split('\n')
  const isEqual = stable(first, theirs(path, 0).output).every(
    (text, i) => text === undefined || text === own[i],
  )
  console.log(`${basename(path)}: ${first.length} characters${isEqual ? '' : ', OUTPUTS DIFFER'}`)
  if (!isEqual) process.exitCode = 1
  const targets = targetsFor(first.length)
  cold(cli, path, 0) // keeps its code
  let round = 0
  const warmUps = first.length > 500_000 ? 15 : 200
  for (let i = 0; i < warmUps; i++) render(chart, set(round++))
  const peers: Run[] = []
  const colds: Run[] = []
  const anew: number[] = []
  const warm: number[] = []
  for (let i = 0; i < rounds; i++) {
    // by turns: whatever else the machine does meets all of them
    peers.push(theirs(path, i))
    colds.push(cold(cli, path, i))
    anew.push(cpu(() => render(loadChart(diskTree(path), ''), set(1))))
    warm.push(cpu(() => render(chart, set(round++))))
  }
  const secondsOf = (runs: readonly Run[]): number => median(runs.map(({ seconds }) => seconds))
  const peer = secondsOf(peers)
  line('helm', peer, peer, { mib: peers[0]!.mib })
  line('ours, a new process', secondsOf(colds), peer, { mib: colds[0]!.mib, target: targets.cold })
  line('ours, loaded anew', median(anew), peer)
  line('ours, only values change', median(warm), peer, { target: targets.warm })
}

function memory(): void {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const { heapUsed, rss } = process.memoryUsage()
  console.log(`memory at the end: ${mib(heapUsed)} of heap, ${mib(rss)} resident`)
}

function main(argv: readonly string[]): void {
  const dir = mkdtempSync(join(tmpdir(), 'litecd-bench-'))
  try {
    const cli = buildCli(dir)
    process.env['LITECD_CACHE'] = join(dir, 'cache')
    for (const path of argv.length > 0 ? argv : [...ownCharts(dir), ...yourCharts()]) {
      compare(path, cli)
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
  memory()
}

function ownCharts(dir: string): readonly string[] {
  for (const files of [smallChart(), libraryChart(), stackChart()]) {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
  }
  return ['small', 'web', 'stack'].map((name) => join(dir, name))
}

function yourCharts(): readonly string[] {
  return (process.env['LITECD_BENCH_CHARTS'] ?? '').split(':').filter((path) => path !== '')
}

main(process.argv.slice(2))
