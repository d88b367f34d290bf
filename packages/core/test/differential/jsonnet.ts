// Compares our Jsonnet with go-jsonnet's.
//
//   node test/differential/jsonnet.ts [-J LIB]... [-v] DIR...     every *.jsonnet below DIR, by the program itself
//   LITECD_JSONNET_TESTDATA=DIR node test/differential/jsonnet.ts go-jsonnet's own tests, by their golden files
//
// LITECD_JSONNET_BIN names the program (otherwise the one that `npm run testbin` builds, or `jsonnet`). Prints counts and every difference; exit code 1 when a
// value differs or a first line of an error differs that no exception names.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isLitecdError } from '@litecd/core/errors'
import {
  evaluateJsonnet,
  JsonnetCache,
  type JsonnetOptions,
  type JsonnetVariable,
} from '@litecd/core/lang/jsonnet'
import { findBinary } from '../../../../test/binaries.ts'
import { diskImporter } from './disk-importer.ts'

interface Outcome {
  readonly kind: 'value' | 'error'
  readonly text: string
}

function ours(options: JsonnetOptions): Outcome {
  try {
    return { kind: 'value', text: evaluateJsonnet(options).text() + '\n' }
  } catch (error) {
    if (!isLitecdError(error)) throw error
    return { kind: 'error', text: error.message }
  }
}

function theirs(path: string, libraries: readonly string[]): Outcome {
  const binary = process.env['LITECD_JSONNET_BIN'] ?? findBinary('jsonnet') ?? 'jsonnet'
  const flags = libraries.flatMap((library) => ['-J', library])
  const run = spawnSync(binary, [...flags, path], { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (run.error !== undefined) throw run.error
  if (run.status === 0) return { kind: 'value', text: run.stdout }
  const errors = run.stderr.split('\n').filter((line) => !line.startsWith('TRACE: '))
  return { kind: 'error', text: errors.join('\n').replace(/\n$/, '') }
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'))
}

class Tally {
  values = 0
  sameValues = 0
  errors = 0
  sameLines = 0
  sameTraces = 0
  excused = 0
  private readonly verbose: boolean

  constructor(verbose: boolean) {
    this.verbose = verbose
  }

  add(name: string, mine: Outcome, peer: Outcome, exception?: string): void {
    if (peer.kind === 'value') {
      this.values++
      if (mine.kind === 'value' && mine.text === peer.text) this.sameValues++
      else this.differ(name, mine, peer, exception)
      return
    }
    this.errors++
    if (mine.kind !== 'error' || firstLine(mine.text) !== firstLine(peer.text)) {
      this.differ(name, mine, peer, exception)
      return
    }
    this.sameLines++
    if (mine.text === peer.text) this.sameTraces++
    else if (this.verbose) this.show(`trace of ${name}`, mine, peer)
  }

  private differ(name: string, mine: Outcome, peer: Outcome, exception: string | undefined): void {
    if (exception !== undefined) {
      this.excused++
      console.log(`excused   ${name}: ${exception}`)
      return
    }
    this.show(`different ${name}`, mine, peer)
  }

  private show(title: string, mine: Outcome, peer: Outcome): void {
    console.log(title)
    if (mine.kind === 'value' && peer.kind === 'value') {
      const [a, b] = [mine.text.split('\n'), peer.text.split('\n')]
      const at = a.findIndex((line, i) => line !== b[i])
      console.log(
        `  line ${at + 1}\n  ours   ${a[at]?.slice(0, 300)}\n  theirs ${b[at]?.slice(0, 300)}`,
      )
      return
    }
    const indent = (text: string): string => text.slice(0, 1500).replaceAll('\n', '\n         ')
    console.log(`  ours   ${indent(mine.text)}\n  theirs ${indent(peer.text)}`)
  }

  report(): void {
    console.log(`values:      ${this.sameValues} of ${this.values} equal`)
    console.log(`errors:      ${this.sameLines} of ${this.errors} with the same first line`)
    console.log(`             ${this.sameTraces} of ${this.errors} equal to the last line`)
    if (this.excused > 0) console.log(`excused:     ${this.excused}`)
    const wrong = this.values + this.errors - this.sameValues - this.sameLines - this.excused
    if (wrong > 0) process.exitCode = 1
  }
}

function programs(dir: string): readonly string[] {
  if (!statSync(dir).isDirectory()) return [dir]
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonnet'))
    .sort()
    .map((name) => join(dir, name))
}

// go-jsonnet 0.22 main_test.go: what its tests are given
const variables: readonly JsonnetVariable[] = [
  { name: 'stringVar', value: '2 + 2' },
  { name: 'codeVar', value: '3 + 3', code: true },
  { name: 'errorVar', value: "error 'xxx'", code: true },
  { name: 'staticErrorVar', value: ')', code: true },
  { name: 'UndeclaredX', value: 'x', code: true },
  {
    name: 'selfRecursiveVar',
    value: '[42, std.extVar("selfRecursiveVar")[0] + 1]',
    code: true,
  },
  {
    name: 'mutuallyRecursiveVar1',
    value: '[42, std.extVar("mutuallyRecursiveVar2")[0] + 1]',
    code: true,
  },
  {
    name: 'mutuallyRecursiveVar2',
    value: '[42, std.extVar("mutuallyRecursiveVar1")[0] + 1]',
    code: true,
  },
]

function exceptionOf(name: string): string | undefined {
  if (/^native[0-9_]*(error|panic)?$/.test(name) && name !== 'native_nonexistent') {
    return 'needs native functions that the test harness registers'
  }
  return undefined
}

/** go-jsonnet's testdata: golden files hold the output or the error, in the format of its test harness. */
function golden(dir: string, tally: Tally): void {
  const home = process.cwd()
  process.chdir(join(dir, '..'))
  for (const path of programs(basename(dir))) {
    const name = path.replace(/\.jsonnet$/, '')
    const expected = name + '.golden'
    if (!existsSync(expected)) continue
    const options: JsonnetOptions = {
      entry: { name, text: readFileSync(path, 'utf8'), from: name },
      importer: diskImporter([]),
      extVars: /\/extvar_/.test(name) ? variables : [],
    }
    if (statSync(expected).isDirectory()) {
      multi(name, expected, options, tally)
      continue
    }
    const text = readFileSync(expected, 'utf8') + (name.includes('_no_newline') ? '\n' : '')
    const isError = /^(RUNTIME ERROR|[^"{[\s]\S*:[0-9(])/.test(text)
    const mine = ours(options)
    tally.add(name, mine, { kind: isError ? 'error' : 'value', text }, exceptionOf(basename(name)))
  }
  process.chdir(home)
}

function multi(name: string, expected: string, options: JsonnetOptions, tally: Tally): void {
  const newline = name.includes('_no_newline') ? '' : '\n'
  const files = evaluateJsonnet(options).files(name.endsWith('_string_output'))
  const mine = [...files].map(([file, text]) => `${file}: ${text}${newline}`)
  const peer = readdirSync(expected).map(
    (file) => `${file}: ${readFileSync(join(expected, file), 'utf8')}`,
  )
  const sorted = (texts: string[]): Outcome => ({ kind: 'value', text: texts.sort().join('\n') })
  tally.add(name, sorted(mine), sorted(peer))
}

function main(argv: readonly string[]): void {
  const libraries: string[] = []
  const dirs: string[] = []
  let verbose = false
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '-J') libraries.push(argv[++i]!)
    else if (argv[i] === '-v') verbose = true
    else dirs.push(argv[i]!)
  }
  const tally = new Tally(verbose)
  const testdata = process.env['LITECD_JSONNET_TESTDATA']
  if (testdata !== undefined && dirs.length === 0) golden(testdata, tally)
  const cache = new JsonnetCache()
  const importer = diskImporter(libraries)
  for (const path of dirs.flatMap(programs)) {
    const mine = ours({ entry: { path }, importer, cache, limits: { steps: 1e12 } })
    tally.add(path, mine, theirs(path, libraries))
  }
  tally.report()
}

main(process.argv.slice(2))
