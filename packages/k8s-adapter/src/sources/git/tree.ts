import type { FileTree, PathChange, TreeEntry } from '@litecd/core/files'
import { compareStrings } from '@litecd/core/json'
import { corrupt, type GitTreeEntry, modeLink, modeSubmodule, modeTree } from './object.ts'
import type { GitRepository } from './repository.ts'

interface Folder {
  readonly id: string
  readonly byName: ReadonlyMap<string, GitTreeEntry>
  list: readonly TreeEntry[] | undefined
}

/**
 * The files of a commit or tree as a {@link FileTree}, read when they are asked for. `contentId` is the id of the blob.
 * A submodule is an empty folder. `subdir` becomes the root; when it is no folder of the commit, the tree is empty.
 *
 * @throws SourceError SOURCE_CORRUPT when the commit is missing; later, when an object is
 */
export function gitTree(repository: GitRepository, commitOrTree: string, subdir = ''): FileTree {
  const root = repository.peel(commitOrTree)
  const rootTree = root.type === 'commit' ? repository.commit(root.id).tree : root.id
  const folders = new Map<string, Folder | undefined>()

  const openFolder = (id: string): Folder => ({
    id,
    byName: new Map(repository.tree(id).map((entry) => [entry.name, entry])),
    list: undefined,
  })
  const folderAt = (path: string): Folder | undefined => {
    if (folders.has(path)) return folders.get(path)
    let folder: Folder | undefined
    if (path === '') {
      const entry = treeEntryAt(repository, rootTree, subdir)
      folder = entry?.mode === modeTree ? openFolder(entry.id) : undefined
    } else {
      const entry = entryAt(path)
      if (entry?.mode === modeTree) folder = openFolder(entry.id)
      else if (entry?.mode === modeSubmodule) folder = { id: '', byName: new Map(), list: [] }
    }
    folders.set(path, folder)
    return folder
  }
  const entryAt = (path: string): GitTreeEntry | undefined => {
    const slash = path.lastIndexOf('/')
    const folder = folderAt(slash === -1 ? '' : path.slice(0, slash))
    return folder?.byName.get(path.slice(slash + 1))
  }
  const blob = (entry: GitTreeEntry, folder: string): Buffer => {
    const object = repository.objects.read(entry.id, () =>
      likelyNext(repository, folderAt(folder), folder),
    )
    if (object?.type !== 'blob') throw corrupt(`blob ${entry.id} is missing`)
    return object.bytes
  }
  const toEntry = (entry: GitTreeEntry, folder: string): TreeEntry => {
    if (entry.mode === modeTree || entry.mode === modeSubmodule) {
      return { name: entry.name, kind: 'directory' }
    }
    if (entry.mode !== modeLink) return { name: entry.name, kind: 'file' }
    return { name: entry.name, kind: 'link', target: blob(entry, folder).toString('utf8') }
  }
  const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const file = (path: string): GitTreeEntry | undefined => {
    const entry = path === '' ? undefined : entryAt(path)
    return entry !== undefined && isFile(entry.mode) ? entry : undefined
  }
  return {
    entry(path) {
      if (path === '') return { name: '', kind: 'directory' }
      const entry = entryAt(path)
      return entry === undefined ? undefined : toEntry(entry, parent(path))
    },
    read(path) {
      const entry = file(path)
      return entry === undefined ? undefined : blob(entry, parent(path))
    },
    list(path) {
      const folder = folderAt(path)
      if (folder === undefined) return path === '' ? [] : undefined
      folder.list ??= [...folder.byName.values()]
        .map((entry) => toEntry(entry, path))
        .sort((a, b) => compareStrings(a.name, b.name))
      return folder.list
    },
    contentId: (path) => file(path)?.id,
  }
}

function isFile(mode: number): boolean {
  return mode !== modeTree && mode !== modeSubmodule && mode !== modeLink
}

/** What will be read after a file of this folder that is missing: the folder, and below it unless it is the root. */
function likelyNext(
  repository: GitRepository,
  folder: Folder | undefined,
  path: string,
): readonly string[] {
  if (folder === undefined || folder.id === '') return []
  const ids: string[] = []
  for (const blob of blobsBelow(repository, folder.id, '', path !== '')) {
    if (!repository.objects.has(blob.id)) ids.push(blob.id)
  }
  return ids
}

/** What is at `path` of a tree; undefined when nothing is. */
export function treeEntryAt(
  repository: GitRepository,
  tree: string,
  path: string,
): { readonly mode: number; readonly id: string } | undefined {
  let at: { readonly mode: number; readonly id: string } = { mode: modeTree, id: tree }
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (at.mode !== modeTree) return undefined
    const entry = repository.tree(at.id).find((one) => one.name === name)
    if (entry === undefined) return undefined
    at = entry
  }
  return at
}

/** Every blob in and, if `deep`, below a tree, links included, in git's order. Submodules are left out. */
export function* blobsBelow(
  repository: GitRepository,
  tree: string,
  prefix = '',
  deep = true,
): Generator<{ readonly path: string; readonly id: string; readonly mode: number }> {
  for (const entry of repository.tree(tree)) {
    const path = prefix + entry.name
    if (entry.mode === modeTree) {
      if (deep) yield* blobsBelow(repository, entry.id, `${path}/`)
    } else if (entry.mode !== modeSubmodule) yield { path, id: entry.id, mode: entry.mode }
  }
}

/**
 * Paths that differ between two commits or trees, in byte order, as `git diff --name-status --no-renames` lists them:
 * files, links and submodules, never folders. A change of the mode alone is a modification. Undefined stands for the
 * empty tree. Equal folders are not opened.
 */
export function diffTrees(
  repository: GitRepository,
  a: string | undefined,
  b: string | undefined,
): readonly PathChange[] {
  const changes: PathChange[] = []
  const treeOf = (id: string | undefined): string | undefined => {
    if (id === undefined) return undefined
    const peeled = repository.peel(id)
    return peeled.type === 'commit' ? repository.commit(peeled.id).tree : peeled.id
  }
  const whole = (entry: GitTreeEntry, path: string, change: 'added' | 'removed'): void => {
    if (entry.mode !== modeTree) changes.push({ path, change })
    else
      for (const child of repository.tree(entry.id)) whole(child, `${path}/${child.name}`, change)
  }
  const compare = (one: string | undefined, other: string | undefined, prefix: string): void => {
    if (one === other) return
    const before = new Map((one === undefined ? [] : repository.tree(one)).map((e) => [e.name, e]))
    for (const after of other === undefined ? [] : repository.tree(other)) {
      const path = prefix + after.name
      const old = before.get(after.name)
      before.delete(after.name)
      if (old === undefined) whole(after, path, 'added')
      else if (old.mode === modeTree && after.mode === modeTree)
        compare(old.id, after.id, path + '/')
      else if (old.mode === modeTree || after.mode === modeTree) {
        whole(old, path, 'removed')
        whole(after, path, 'added')
      } else if (old.id !== after.id || old.mode !== after.mode) {
        changes.push({ path, change: 'modified' })
      }
    }
    for (const old of before.values()) whole(old, prefix + old.name, 'removed')
  }
  compare(treeOf(a), treeOf(b), '')
  return changes.sort((one, other) => compareStrings(one.path, other.path))
}
