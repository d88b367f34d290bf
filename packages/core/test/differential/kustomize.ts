// Compares our kustomize with the program, byte for byte.
//
//   node test/differential/kustomize.ts [-v] [--errors] [--only TEXT] DIR...     every kustomization below DIR
//   node test/differential/kustomize.ts [...] --go-tests DIR     what the Go tests in DIR write, such as api/krusty
//
// LITECD_KUSTOMIZE_BIN names the program (`kustomize` if not set). Prints counts and the first difference of every
// kustomization; exit code 1 when one differs that the program itself builds the same twice. The program runs without
// network: what needs it fails there, and is counted apart. Errors are compared with --errors.
import { execFile } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isLitecdError } from '@litecd/core/errors'
import type { FileTree, TreeEntry } from '@litecd/core/files'
import { isObject, type Json } from '@litecd/core/json'
import {
  buildKustomization,
  buildText,
  MissingRemote,
  type Remotes,
} from '@litecd/core/render/kustomize'
import { parseYamlDocuments } from '@litecd/core/yaml'
import { unpackGoTests } from './krusty.ts'

const program = process.env['LITECD_KUSTOMIZE_BIN'] ?? 'kustomize'
const names = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])

/** The file system, as a tree whose root is `/`. */
const disk: FileTree = {
  entry: (path) => {
    if (path === '') return { name: '', kind: 'directory' }
    try {
      return entryAt('/' + path)
    } catch {
      return undefined
    }
  },
  read: (path) => {
    try {
      return readFileSync('/' + path)
    } catch {
      return undefined
    }
  },
  list: (path) => {
    try {
      return readdirSync('/' + path)
        .sort()
        .map((name) => entryAt(join('/' + path, name)))
    } catch {
      return undefined
    }
  },
}

function entryAt(path: string): TreeEntry {
  const stat = lstatSync(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!stat.isSymbolicLink()) return { name, kind: stat.isDirectory() ? 'directory' : 'file' }
  const target = readlinkSync(path)
  const isAbsolute = target.startsWith('/')
  return { name, kind: 'link', target: isAbsolute ? relative(dirname(path), target) : target }
}

const offline: Remotes = {
  file: (url) => {
    throw new MissingRemote('RENDER_FAILED', `${url} is remote`)
  },
  repo: (spec) => {
    throw new MissingRemote('RENDER_FAILED', `${spec.raw} is remote`)
  },
}

type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly ms: number }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'remote' }

function ours(folder: string): Answer {
  const start = performance.now()
  try {
    const build = buildKustomization({ tree: disk, display: '' }, folder.slice(1), {
      remotes: offline,
    })
    return { kind: 'text', text: buildText(build), ms: performance.now() - start }
  } catch (error) {
    if (error instanceof MissingRemote) return { kind: 'remote' }
    if (!isLitecdError(error)) throw error
    return { kind: 'error', text: error.message.trim() }
  }
}

function theirs(folder: string): Promise<Exclude<Answer, { readonly kind: 'remote' }>> {
  const start = performance.now()
  const env = {
    PATH: '/nowhere',
    HOME: '/nonexistent',
    https_proxy: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
  }
  return new Promise((done, refuse) => {
    execFile(program, ['build', folder], { env, maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') refuse(error)
      else if (error === null) done({ kind: 'text', text: stdout, ms: performance.now() - start })
      else {
        const lines = stderr.split('\n').filter((line) => !line.startsWith('# Warning'))
        done({
          kind: 'error',
          text: lines
            .join('\n')
            .replace(/^Error: /, '')
            .trim(),
        })
      }
    })
  })
}

/** Values without the order of keys. */
function asData(text: string): string {
  const sort = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(sort)
    if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : value
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, sort(value[key]!)]),
    )
  }
  return JSON.stringify([...parseYamlDocuments(text)].map(({ value }) => sort(value)))
}

function firstDifference(a: string, b: string): string {
  const [x, y] = [a.split('\n'), b.split('\n')]
  const at = x.findIndex((line, i) => line !== y[i])
  const line = at === -1 ? x.length : at
  return `line ${line + 1}\n    ours   ${x[line]?.slice(0, 300)}\n    theirs ${y[line]?.slice(0, 300)}`
}

const tally = {
  built: 0,
  equal: 0,
  orders: 0,
  errors: 0,
  sameErrors: 0,
  remote: 0,
  ours: 0,
  theirs: 0,
}

async function compare(folder: string, options: Options): Promise<void> {
  const mine = ours(folder)
  const peer = await theirs(folder)
  if (mine.kind === 'remote') {
    tally.remote++
    if (peer.kind === 'text')
      console.log(`different ${folder}\n    ours   asks for something remote`)
    return
  }
  if (peer.kind === 'error') {
    tally.errors++
    if (mine.kind === 'error' && mine.text === peer.text) tally.sameErrors++
    else if (mine.kind === 'text' || options.errors) {
      const text = mine.kind === 'text' ? 'builds' : mine.text
      console.log(
        `error     ${folder}\n    ours   ${text.slice(0, 1500)}\n    theirs ${peer.text.slice(0, 1500)}`,
      )
    }
    return
  }
  tally.built++
  if (mine.kind === 'error') {
    console.log(`different ${folder}\n    ours   ${mine.text.slice(0, 1000)}`)
    return
  }
  tally.ours += mine.ms
  tally.theirs += peer.ms
  if (mine.text === peer.text) tally.equal++
  else if (asData(mine.text) === asData(peer.text)) {
    tally.orders++
    if (options.verbose)
      console.log(`order     ${folder}\n  ${firstDifference(mine.text, peer.text)}`)
  } else console.log(`different ${folder}\n  ${firstDifference(mine.text, peer.text)}`)
}

interface Options {
  readonly verbose: boolean
  readonly errors: boolean
}

async function main(argv: readonly string[]): Promise<void> {
  const only = argv.includes('--only') ? argv[argv.indexOf('--only') + 1]! : ''
  const dirs = argv.flatMap((arg, i) => {
    if (arg.startsWith('-') || argv[i - 1] === '--only') return []
    return [argv[i - 1] === '--go-tests' ? unpackGoTests(arg) : arg]
  })
  const options = { verbose: argv.includes('-v'), errors: argv.includes('--errors') }
  for (const dir of dirs) {
    const folders = readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((path) => names.has(path.slice(path.lastIndexOf('/') + 1)))
      .map((path) => dirname(resolve(dir, path)))
    for (const folder of [...new Set(folders)].sort()) {
      if (folder.includes(only)) await compare(folder, options)
    }
  }
  const different = tally.built - tally.equal - tally.orders
  console.log(
    `built:     ${tally.equal} of ${tally.built} equal, ${tally.orders} in another order of keys`,
  )
  console.log(`errors:    ${tally.sameErrors} of ${tally.errors} with the same text`)
  console.log(`remote:    ${tally.remote}`)
  console.log(`time:      ${Math.round(tally.ours)} ms ours, ${Math.round(tally.theirs)} ms theirs`)
  if (different > 0) process.exitCode = 1
}

await main(process.argv.slice(2))
