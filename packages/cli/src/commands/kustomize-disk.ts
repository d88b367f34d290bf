import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FileTree, TreeEntry } from '@litecd/core/files'
import { compareStrings } from '@litecd/core/json'

/** The whole file system as a tree whose root is `/`; nothing is read before it is asked for. */
export const diskTree: FileTree = {
  entry: (path) => {
    if (path === '') return { name: '', kind: 'directory' }
    return quietly(() => entryAt('/' + path))
  },
  read: (path) => quietly(() => readFileSync('/' + path)),
  list: (path) =>
    quietly(() =>
      readdirSync('/' + path)
        .sort(compareStrings)
        .map((name) => entryAt(join('/' + path, name))),
    ),
}

/** What is not there, or may not be read, is undefined in a tree. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function entryAt(path: string): TreeEntry {
  const stat = lstatSync(path)
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!stat.isSymbolicLink()) return { name, kind: stat.isDirectory() ? 'directory' : 'file' }
  const target = readlinkSync(path)
  const isAbsolute = target.startsWith('/')
  return { name, kind: 'link', target: isAbsolute ? relative(dirname(path), target) : target }
}
