import { compareStrings } from '../json/index.ts'
import { dirName, joinPath } from './path.ts'
import type { FileTree, TreeEntry } from './tree.ts'

/** Path → text, bytes, or a symbolic link. */
export type MemoryTreeInput = {
  readonly [path: string]: string | Uint8Array | { readonly link: string }
}

/** A tree held in memory: what browsers, tests and fetched archives use. */
export function memoryTree(files: MemoryTreeInput): FileTree {
  const entries = new Map<string, TreeEntry>()
  const bytes = new Map<string, Uint8Array>()
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  const encoder = new TextEncoder()
  const put = (path: string, entry: TreeEntry): void => {
    const parent = dirName(path)
    if (path !== '' && !folders.has(parent)) {
      folders.set(parent, new Map())
      put(parent, { name: parent.slice(parent.lastIndexOf('/') + 1), kind: 'directory' })
    }
    entries.set(path, entry)
    folders.get(parent)!.set(entry.name, entry)
  }
  for (const [raw, content] of Object.entries(files)) {
    const path = joinPath(raw)
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (typeof content === 'string') bytes.set(path, encoder.encode(content))
    else if (content instanceof Uint8Array) bytes.set(path, content)
    if (bytes.has(path)) put(path, { name, kind: 'file' })
    else put(path, { name, kind: 'link', target: (content as { link: string }).link })
  }
  const sorted = new Map<string, readonly TreeEntry[]>()
  return {
    entry: (path) => (path === '' ? { name: '', kind: 'directory' } : entries.get(path)),
    read: (path) => bytes.get(path),
    list: (path) => {
      const folder = folders.get(path)
      if (folder === undefined) return undefined
      let list = sorted.get(path)
      if (list === undefined) {
        list = [...folder.values()].sort((a, b) => compareStrings(a.name, b.name))
        sorted.set(path, list)
      }
      return list
    },
  }
}
