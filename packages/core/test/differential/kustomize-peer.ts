// What the kustomize program and we make of one folder of the disk.
import { execFile } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
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
import { findBinary } from '../../../../test/binaries.ts'

const program = process.env['LITECD_KUSTOMIZE_BIN'] ?? findBinary('kustomize') ?? 'kustomize'
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

export type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly ms: number }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'remote' }

/** What we make of it. `helm` inflates the charts that lie in the tree. */
export function ours(folder: string, helm = false): Answer {
  const start = performance.now()
  try {
    const build = buildKustomization({ tree: disk, display: '' }, folder.slice(1), {
      remotes: offline,
      helm: {
        enabled: helm,
        chart: ({ repo, name }) => {
          throw new MissingRemote('RENDER_FAILED', `${name} of ${repo} is remote`)
        },
      },
    })
    return { kind: 'text', text: buildText(build), ms: performance.now() - start }
  } catch (error) {
    if (error instanceof MissingRemote) return { kind: 'remote' }
    if (!isLitecdError(error)) throw error
    return { kind: 'error', text: error.message.trim() }
  }
}

/** What the program makes of it, without network; `helm` is the helm program. */
export function theirs(
  folder: string,
  helm?: string,
): Promise<Exclude<Answer, { readonly kind: 'remote' }>> {
  const start = performance.now()
  const flags = helm === undefined ? [] : ['--enable-helm', '--helm-command', helm]
  const env = {
    PATH: '/nowhere',
    HOME: '/nonexistent',
    https_proxy: 'http://127.0.0.1:1',
    http_proxy: 'http://127.0.0.1:1',
  }
  return new Promise((done, refuse) => {
    execFile(
      program,
      ['build', folder, ...flags],
      { env, maxBuffer: 1 << 30 },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') refuse(error)
        else if (error === null) done({ kind: 'text', text: stdout, ms: performance.now() - start })
        else {
          const lines = stderr.split('\n').filter((line) => !line.startsWith('# Warning'))
          done({
            kind: 'error',
            text: comparable(
              lines
                .join('\n')
                .replace(/^Error: /, '')
                .trim(),
            ),
          })
        }
      },
    )
  })
}

/** Values without the order of keys. */
export function asData(text: string): string {
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

export function firstDifference(a: string, b: string): string {
  const [x, y] = [a.split('\n'), b.split('\n')]
  const at = x.findIndex((line, i) => line !== y[i])
  const line = at === -1 ? x.length : at
  return `line ${line + 1}\n    ours   ${x[line]?.slice(0, 300)}\n    theirs ${y[line]?.slice(0, 300)}`
}

/** Whether ours is what the program says, apart from values that we conceal. */
export function sameText(mine: string, peer: string): boolean {
  if (mine === peer) return true
  if (!mine.includes('++++++++')) return false
  const parts = mine.split('++++++++').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(peer)
}

/** Addresses of Go values stand for nothing. */
function comparable(text: string): string {
  return text
    .replace(/ &\{0x[^}]*\}/g, '')
    .replace(/(merging (?:config|CRDs)) &\{[^}]*\}(?=: )/g, '$1')
}
