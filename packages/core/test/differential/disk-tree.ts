import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { RenderError } from '@litecd/core/errors'
import type { FileTree, TreeEntry } from '@litecd/core/files'

/** A folder of the disk; links are followed wherever they lead, and reading a folder with one that leads nowhere throws. */
export function diskTree(root: string): FileTree {
  const at = (path: string): string => join(root, path)
  const entryOf = (name: string, folder: string): TreeEntry | undefined => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    return stat && { name, kind: stat.isDirectory() ? 'directory' : 'file' }
  }
  return {
    entry: (path) =>
      path === ''
        ? { name: '', kind: 'directory' }
        : entryOf(path.slice(path.lastIndexOf('/') + 1), join(at(path), '..')),
    read: (path) =>
      statSync(at(path), { throwIfNoEntry: false })?.isFile() ? readFileSync(at(path)) : undefined,
    list: (path) => {
      if (!existsSync(at(path)) || !statSync(at(path)).isDirectory()) return undefined
      const names = readdirSync(at(path)).sort((a, b) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      )
      return names.map((name) => entryOf(name, at(path)) ?? brokenLink(join(at(path), name)))
    },
  }
}

/** Fails in Helm's words about a link that leads nowhere. */
export function brokenLink(path: string): never {
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
