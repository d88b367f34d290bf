import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, normalize, resolve } from 'node:path'
import { RenderError } from '@litecd/core/errors'
import type { FileTree, TreeEntry } from '@litecd/core/files'
import { compareStrings } from '@litecd/core/json'

/** A folder of the disk; links are followed wherever they lead, and reading a folder with one that leads nowhere throws. */
export function diskTree(root: string): FileTree {
  const top = normalize(root)
  const base = top === '.' ? '' : top.endsWith('/') ? top : top + '/'
  const at = (path: string): string => (path === '' ? top : base + path)
  /** What a folder was seen to hold; saves asking again. */
  const regular = new Set<string>()
  return {
    entry: (path) =>
      path === ''
        ? { name: '', kind: 'directory' }
        : entryAt(path.slice(path.lastIndexOf('/') + 1), at(path)),
    read: (path) => {
      const full = at(path)
      const isFile = regular.has(full) || statSync(full, { throwIfNoEntry: false })?.isFile()
      return isFile ? readFileSync(full) : undefined
    },
    list: (path) => {
      const folder = at(path)
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
      const entries = readdirSync(folder, { withFileTypes: true }).map((found): TreeEntry => {
        const { name } = found
        const full = at(path === '' ? name : `${path}/${name}`)
        if (found.isSymbolicLink()) return entryAt(name, full) ?? brokenLink(full)
        if (found.isFile()) regular.add(full)
        return { name, kind: found.isDirectory() ? 'directory' : 'file' }
      })
      return entries.sort((a, b) => compareStrings(a.name, b.name))
    },
  }
}

function entryAt(name: string, path: string): TreeEntry | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && { name, kind: stat.isDirectory() ? 'directory' : 'file' }
}

/** Fails in Helm's words about a link that leads nowhere. */
function brokenLink(path: string): never {
  const target = resolve(dirname(path), readlinkSync(path))
  const steps = target.split('/')
  const missing = steps
    .map((_, i) => steps.slice(0, i + 1).join('/') || '/')
    .find((at) => !existsSync(at))
  throw new RenderError(
    'HELM_FAILED',
    `error evaluating symlink ${path}: lstat ${missing}: no such file or directory`,
  )
}
