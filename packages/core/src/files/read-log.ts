import { compareStrings } from '../json/index.ts'
import { dirName } from './path.ts'
import type { FileTree, TreeEntry } from './tree.ts'

/**
 * What a piece of work asked of a tree: files read, paths that were looked for and absent, folders listed (and so
 * every name in them), links passed. All sorted; together they are the exact input of the work.
 */
export interface ReadLogData {
  readonly files: readonly string[]
  readonly absent: readonly string[]
  readonly folders: readonly string[]
  readonly links: readonly string[]
}

/** A log that is still being written. `remote` takes what had to be asked of the outside, as text. */
export interface ReadLog {
  readonly tree: FileTree
  data(): ReadLogData
}

/** Wraps a tree so that everything asked of it is recorded. */
export function recordReads(tree: FileTree): ReadLog {
  const files = new Set<string>()
  const absent = new Set<string>()
  const folders = new Set<string>()
  const links = new Set<string>()
  const note = (path: string, entry: TreeEntry | undefined): void => {
    if (entry === undefined) absent.add(path)
    else if (entry.kind === 'link') links.add(path)
  }
  const contentId = tree.contentId?.bind(tree)
  return {
    tree: {
      entry: (path) => {
        const entry = tree.entry(path)
        note(path, entry)
        return entry
      },
      read: (path) => {
        const bytes = tree.read(path)
        if (bytes === undefined) absent.add(path)
        else files.add(path)
        return bytes
      },
      list: (path) => {
        const list = tree.list(path)
        if (list === undefined) absent.add(path)
        else folders.add(path)
        return list
      },
      ...(contentId === undefined
        ? {}
        : {
            contentId: (path: string) => {
              files.add(path)
              return contentId(path)
            },
          }),
    },
    data: () => ({
      files: [...files].sort(compareStrings),
      absent: [...absent].sort(compareStrings),
      folders: [...folders].sort(compareStrings),
      links: [...links].sort(compareStrings),
    }),
  }
}

/** The union of several logs over the same tree. */
export function mergeReadLogs(logs: readonly ReadLogData[]): ReadLogData {
  const union = (pick: (log: ReadLogData) => readonly string[]): readonly string[] =>
    [...new Set(logs.flatMap(pick))].sort(compareStrings)
  return {
    files: union((log) => log.files),
    absent: union((log) => log.absent),
    folders: union((log) => log.folders),
    links: union((log) => log.links),
  }
}

/** A path that differs between two trees. */
export interface PathChange {
  readonly path: string
  readonly change: 'added' | 'removed' | 'modified'
}

/**
 * The changes that can alter the outcome of the work behind `log`.
 *
 * A modified file counts when it was read or is a link that was passed; an added or removed one also when its folder
 * was listed, or when a folder above it that it brings into being, or empties, was listed or looked for.
 */
export function changesTouching(
  log: ReadLogData,
  changes: readonly PathChange[],
): readonly PathChange[] {
  const exact = new Set([...log.files, ...log.links, ...log.absent])
  const folders = new Set(log.folders)
  return changes.filter((change) => {
    if (exact.has(change.path)) return true
    if (change.change === 'modified') return false
    for (let dir = dirName(change.path); ; dir = dirName(dir)) {
      if (folders.has(dir) || exact.has(dir)) return true
      if (dir === '') return false
    }
  })
}
