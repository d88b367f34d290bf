// CPU time of Jsonnet here against the jsonnet program's, in one run.
//
//   node bench/jsonnet.ts                      a generated monitoring stack
//   node bench/jsonnet.ts FILE [-J DIR]...     a program of yours
//
// LITECD_JSONNET_BIN names the program (otherwise the one that `npm run testbin` builds, or `jsonnet`). Ours runs in a warm process; the program starts anew, as
// it always does, and its start-up (measured on `1`) is taken off. Exit code 1 when an output differs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { evaluateJsonnet, JsonnetCache, type JsonnetOptions } from '@litecd/core/lang/jsonnet'
import { findBinary } from '../../../test/binaries.ts'
import { diskImporter } from '../test/differential/disk-importer.ts'
import { monitoringTree } from './data/jsonnet-tree.ts'

const binary = process.env['LITECD_JSONNET_BIN'] ?? findBinary('jsonnet') ?? 'jsonnet'
const warmUps = 5
const rounds = 7

interface Run {
  readonly seconds: number
  readonly output: string
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

/** User and system time of a program, as bash counts it. */
function peer(args: readonly string[], cwd: string): Run {
  const script = 'TIMEFORMAT="%U %S"; time "$@" 2>&3 3>&-'
  const run = spawnSync('bash', ['-c', `{ ${script}; } 3>&2`, 'bash', binary, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (run.error !== undefined) throw run.error
  if (run.status !== 0) throw new Error(`${binary} failed: ${run.stderr}`)
  const [user, system] = run.stderr.trimEnd().split('\n').at(-1)!.split(' ').map(Number)
  return { seconds: user! + system!, output: run.stdout }
}

function ours(options: JsonnetOptions): Run {
  const start = process.cpuUsage()
  const output = evaluateJsonnet(options).text() + '\n'
  const { user, system } = process.cpuUsage(start)
  return { seconds: (user + system) / 1e6, output }
}

function measure(once: (round: number) => number, warm = 0): number {
  for (let i = 0; i < warm; i++) once(i)
  return median(Array.from({ length: rounds }, (_, i) => once(warm + i)))
}

function line(what: string, seconds: number, peerSeconds: number, bound: string): void {
  const ratio = (seconds / peerSeconds).toFixed(3)
  console.log(
    `${what.padEnd(34)} ${(seconds * 1000).toFixed(0).padStart(6)} ms   ratio ${ratio}   ${bound}`,
  )
}

function compare(
  file: string,
  libraries: readonly string[],
  cwd: string,
  extVars: readonly string[],
): void {
  process.chdir(cwd)
  const variables = (round: number): { name: string; value: string }[] =>
    extVars.map((name) => ({ name, value: `value${round}` }))
  const flags = (round: number): string[] => [
    ...libraries.flatMap((library) => ['-J', library]),
    ...variables(round).flatMap(({ name, value }) => ['-V', `${name}=${value}`]),
    file,
  ]
  const limits = { steps: Number.MAX_SAFE_INTEGER }
  const expected = peer(flags(0), cwd).output
  const importer = diskImporter(libraries)
  const options = { entry: { path: file }, importer, limits }
  if (ours({ ...options, extVars: variables(0) }).output !== expected) {
    console.log('the outputs differ')
    process.exitCode = 1
    return
  }
  console.log(`${file}: ${expected.length} characters of output`)
  const start = measure(() => peer(['-e', '1'], cwd).seconds)
  const theirs = measure((round) => peer(flags(round), cwd).seconds) - start
  console.log(
    `${'jsonnet'.padEnd(34)} ${(theirs * 1000).toFixed(0).padStart(6)} ms   (start-up of ${(start * 1000).toFixed(0)} ms taken off)`,
  )
  const fresh = (round: number): number =>
    ours({
      ...options,
      importer: diskImporter(libraries),
      cache: new JsonnetCache(),
      extVars: variables(round),
    }).seconds
  line('ours, everything read anew', measure(fresh, warmUps), theirs, 'at most 1.0')
  const cache = new JsonnetCache()
  const cached = (round: number): number =>
    ours({ ...options, cache, extVars: variables(round) }).seconds
  line('ours, only variables change', measure(cached, warmUps), theirs, 'at most 0.2')
}

function generated(): void {
  const dir = mkdtempSync(join(tmpdir(), 'litecd-bench-'))
  try {
    for (const [path, text] of monitoringTree()) {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    }
    compare('main.jsonnet', ['.'], dir, ['team', 'namespace'])
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function memory(): void {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  const { heapUsed, rss } = process.memoryUsage()
  console.log(`memory at the end: ${mib(heapUsed)} of heap, ${mib(rss)} resident`)
}

const argv = process.argv.slice(2)
if (argv.length === 0) generated()
else {
  const libraries: string[] = []
  const files: string[] = []
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '-J') libraries.push(argv[++i]!)
    else files.push(argv[i]!)
  }
  for (const file of files) compare(file, libraries, process.cwd(), [])
}
memory()
