// Compares our `helm template` with the program's, byte for byte.
//
//   node test/differential/helm.ts [-v] [--errors] [--flags] [--only TEXT] DIR...
//
// Renders every chart below DIR with its defaults and with each of its ci/*.yaml. LITECD_HELM_BIN names the program
// (otherwise the one that `npm run testbin` builds, or `helm`). Prints counts and the first difference of every chart,
// with -v also where both fail in different words, with --errors whatever the program fails with. With --flags each
// render also gets one of many sets of flags (helm-variants.ts), in turn. Exit code 1 when a text differs that the
// program itself renders the same twice.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isLitecdError } from '@litecd/core/errors'
import { type HelmVersion, loadChart, renderChart, showOnly } from '@litecd/core/render/helm'
import { findBinary } from '../../../../test/binaries.ts'
import { diskTree } from './disk-tree.ts'
import { usual, type Variant, variants } from './helm-variants.ts'

const program = process.env['LITECD_HELM_BIN'] ?? findBinary('helm') ?? 'helm'
const releaseName = 'rel'
const namespace = 'demo'

interface Case {
  readonly label: string
  readonly chart: string
  readonly values: string | undefined
  readonly variant: Variant
}

type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }

type Verdict =
  | 'equal'
  | 'equal but for chance'
  | 'lines vary by chance'
  | 'same error'
  | 'same error but for order'
  | 'both fail'
  | 'differ'

/** Folders with a Chart.yaml that are not inside another chart. */
function* findCharts(dir: string): Generator<string> {
  if (existsSync(join(dir, 'Chart.yaml'))) {
    yield dir
    return
  }
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* findCharts(join(dir, entry.name))
  }
}

function casesOf(chart: string, root: string): readonly Case[] {
  const label = relative(root, chart) || chart
  const cases: Case[] = [{ label, chart, values: undefined, variant: usual }]
  const ci = join(chart, 'ci')
  if (!existsSync(ci) || !statSync(ci).isDirectory()) return cases
  for (const name of readdirSync(ci).sort()) {
    if (/\.ya?ml$/.test(name)) {
      const values = join(ci, name)
      cases.push({ label: `${label} -f ci/${name}`, chart, values, variant: usual })
    }
  }
  return cases
}

function varied(test: Case, variant: Variant): Case {
  return { ...test, variant, label: `${test.label} ${variant.flags.join(' ')}` }
}

function helmVersion(): HelmVersion {
  const template =
    '{{.Version}}|{{.GitCommit}}|{{.GitTreeState}}|{{.GoVersion}}|{{.KubeClientVersion}}'
  const out = execFileSync(program, ['version', '--template', template], { encoding: 'utf8' })
  const [version, gitCommit, gitTreeState, goVersion, kubeClientVersion] = out.split('|')
  return {
    version: version ?? '',
    gitCommit: gitCommit ?? '',
    gitTreeState: gitTreeState ?? '',
    goVersion: goVersion ?? '',
    kubeClientVersion: kubeClientVersion ?? '',
  }
}

function theirs({ chart, values, variant: { flags } }: Case): Promise<Answer> {
  const name = flags.includes('--name-template') ? [] : [releaseName]
  const args = ['template', ...name, chart, '--namespace', namespace, '--include-crds', ...flags]
  if (values !== undefined) args.push('--values', values)
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 1 << 29, encoding: 'buffer' }, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: 'text', text: stdout.toString('latin1') })
      else resolve({ kind: 'error', text: errorText(stderr.toString('utf8')) })
    })
  })
}

/** What follows `Error: `, without the hint. */
function errorText(stderr: string): string {
  const start = stderr.lastIndexOf('Error: ')
  return stderr
    .slice(start === -1 ? 0 : start + 7)
    .replace(/\n\nUse --debug flag to render out invalid YAML\n$/, '')
    .trimEnd()
}

function ours(test: Case, version: HelmVersion): Answer {
  try {
    const chart = loadChart(diskTree(test.chart), '')
    const files =
      test.values === undefined
        ? []
        : [{ name: test.values, text: readFileSync(test.values, 'utf8') }]
    const { text } = renderChart(chart, {
      releaseName,
      namespace,
      includeCrds: true,
      files,
      helmVersion: version,
      ...test.variant.options,
    })
    const { only } = test.variant
    const shown = only === undefined ? text : showOnly(text, only)
    return { kind: 'text', text: Buffer.from(shown, 'utf8').toString('latin1') }
  } catch (error) {
    if (!isLitecdError(error)) return { kind: 'error', text: `BUG ${(error as Error).stack}` }
    return { kind: 'error', text: error.message }
  }
}

/** The verdict and the first difference. */
function judge(a: Answer, again: Answer | undefined, b: Answer): readonly [Verdict, string] {
  if (a.kind !== b.kind)
    return ['differ', `helm ${a.kind}: ${head(a.text)}\nours ${b.kind}: ${head(b.text)}`]
  if (a.text === b.text) return [a.kind === 'text' ? 'equal' : 'same error', '']
  if (a.kind === 'error') {
    const mine = b.text.trimEnd()
    if (a.text === mine) return ['same error', '']
    // helm goes over maps in no order of its own
    if (sortedWords(a.text) === sortedWords(mine)) return ['same error but for order', '']
    return ['both fail', `helm: ${head(a.text)}\nours: ${head(b.text)}`]
  }
  const want = a.text.split('\n')
  const got = b.text.split('\n')
  const other = again?.text.split('\n') ?? want
  if (other.length === want.length && got.length === want.length) {
    const varies = chanceLines(want, other)
    if (want.every((line, i) => varies[i] === true || line === got[i])) {
      return ['equal but for chance', '']
    }
  } else if (other.length !== want.length) return ['lines vary by chance', '']
  const first = want.findIndex((line, i) => line !== got[i] && line === other[i])
  const source = want.slice(0, first + 1).findLast((line) => line.startsWith('# Source: ')) ?? ''
  const show = (lines: readonly string[]): string =>
    lines.slice(Math.max(0, first - 2), first + 3).join('\n')
  return ['differ', `line ${first + 1} ${source}\n--- helm\n${show(want)}\n--- ours\n${show(got)}`]
}

/** Lines that two runs of the program print differently, and what else is in the same block of base64. */
function chanceLines(want: readonly string[], other: readonly string[]): readonly boolean[] {
  const varies = want.map((line, i) => line !== other[i])
  const isEncoded = (i: number): boolean => /^\s*[A-Za-z0-9+/=]{24,}$/.test(want[i] ?? '')
  for (const [i, line] of want.entries()) {
    if (line !== other[i] && isEncoded(i)) {
      for (let k = i - 1; isEncoded(k); k--) varies[k] = true
      for (let k = i + 1; isEncoded(k); k++) varies[k] = true
    }
  }
  return varies
}

function sortedWords(text: string): string {
  return text
    .split(/[\s,]+/)
    .sort()
    .join(' ')
}

function head(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}

async function main(argv: readonly string[]): Promise<void> {
  const verbose = argv.includes('-v')
  const onlyAt = argv.indexOf('--only')
  const only = onlyAt === -1 ? '' : argv[onlyAt + 1]!
  const dirs = argv.filter(
    (arg, i) => !arg.startsWith('-') && i !== onlyAt + 1 - (onlyAt === -1 ? argv.length + 1 : 0),
  )
  const version = helmVersion()
  const listErrors = argv.includes('--errors')
  const cases = dirs
    .flatMap((dir) => [...findCharts(dir)].flatMap((chart) => casesOf(chart, dir)))
    .filter(({ label }) => label.includes(only))
    .map((test, i) =>
      argv.includes('--flags') ? varied(test, variants[i % variants.length]!) : test,
    )
  const counts = new Map<Verdict, number>()
  // one program ahead of us keeps both cores busy
  let next: Promise<Answer> | undefined
  for (const [i, test] of cases.entries()) {
    const pending = next ?? theirs(test)
    next = i + 1 < cases.length ? theirs(cases[i + 1]!) : undefined
    const answer = ours(test, version)
    const want = await pending
    const again =
      want.kind === 'text' && want.text !== answer.text && answer.kind === 'text'
        ? await theirs(test)
        : undefined
    let [verdict, difference] = judge(want, again, answer)
    // what counts seconds may be the same twice in a row, and serial numbers often have the same length
    for (let round = 0; verdict === 'differ' && again !== undefined && round < 6; round++) {
      if (round === 0) await new Promise((resolve) => setTimeout(resolve, 1_100))
      const later = await theirs(test)
      if (later.text === want.text && round > 0) break
      ;[verdict, difference] = judge(want, later, answer)
    }
    if (listErrors && want.kind === 'error')
      console.log(`helm fails: ${test.label}: ${head(want.text)}`)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    if (verdict === 'differ' || (verbose && difference !== '')) {
      console.log(`${verdict}: ${test.label}\n${difference}\n`)
    }
  }
  console.log(
    `${cases.length} renders: ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`,
  )
  if ((counts.get('differ') ?? 0) > 0) process.exitCode = 1
}

await main(process.argv.slice(2))
