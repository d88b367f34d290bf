import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { SourceError } from '@litecd/core/errors'
import type { FileTree, PathChange, TreeEntry } from '@litecd/core/files'
import { compareStrings } from '@litecd/core/json'
import { type GitProgram, gitProgram } from '../../process/index.ts'
import { isTrue, lastValue } from './config.ts'
import { IgnoreRules } from './ignore.ts'
import { type GitIndex, type IndexEntry, readIndex } from './index-file.ts'
import { corrupt, modeLink, modeSubmodule, modeTree } from './object.ts'
import { isMissing } from './object-store.ts'
import type { GitRepository } from './repository.ts'

/** The work tree of a repository as it would be committed now: tracked files, and untracked ones that are not ignored. */
export interface Worktree {
  /** A submodule is an empty folder, as in {@link gitTree}. File names are a snapshot, contents are read when asked for. */
  readonly tree: FileTree
  /** What differs from a commit or tree, in byte order; never folders. A change of the mode alone counts. */
  changesSince(commitOrTree: string): readonly PathChange[]
}

export interface WorktreeOptions {
  /** The git program, which lists untracked files and applies filters; the one on PATH unless told. Null: none. */
  readonly git?: GitProgram | null
}

interface Item {
  readonly path: string
  readonly mode: number
  /** Where a link points. */
  readonly target: string
  /** The id that the index knows to be that of the content on disk; or that of a file that is not on disk. */
  readonly id: string | undefined
  readonly onDisk: boolean
}

/**
 * Looks at the work tree of a repository.
 *
 * Without a git program untracked files are found by our own reading of `.gitignore`, and line endings and filters of
 * `.gitattributes` are not undone when a changed file is compared with a commit.
 *
 * @throws SourceError WORKSPACE_INVALID for a bare repository, SOURCE_CORRUPT, RENDER_UNSUPPORTED
 */
export function openWorktree(repository: GitRepository, options: WorktreeOptions = {}): Worktree {
  const root = repository.workTree
  if (root === undefined) {
    throw new SourceError('WORKSPACE_INVALID', `${repository.gitDir} has no work tree`)
  }
  const git = options.git === null ? undefined : (options.git ?? gitProgram())
  const index = readIndex(repository, git)
  const items = snapshot(repository, root, index, git)
  const converted = mayConvert(repository, index)
  return {
    tree: treeOf(items, (item) => {
      // what lies on disk may have other line endings than what was committed
      if (!item.onDisk || (converted && item.id !== undefined)) {
        const object = repository.objects.read(item.id!)
        if (object?.type === 'blob') return object.bytes
        if (!item.onDisk) throw corrupt(`blob ${item.id} of ${item.path} is missing`)
      }
      return contentOnDisk(join(root, item.path))
    }),
    changesSince(base) {
      const before = entriesOf(repository, base)
      const unsure: { readonly item: Item; readonly id: string }[] = []
      const changes: PathChange[] = []
      for (const item of items.values()) {
        const old = before.get(item.path)
        before.delete(item.path)
        if (old === undefined) changes.push({ path: item.path, change: 'added' })
        else if (old.mode !== item.mode || (item.id !== undefined && old.id !== item.id)) {
          changes.push({ path: item.path, change: 'modified' })
        } else if (item.id === undefined) unsure.push({ item, id: old.id })
      }
      for (const path of before.keys()) changes.push({ path, change: 'removed' })
      const ids = idsOf(
        unsure.map(({ item }) => item),
        root,
        converted ? git : undefined,
      )
      for (const { item, id } of unsure) {
        if (ids.get(item.path) !== id) changes.push({ path: item.path, change: 'modified' })
      }
      return changes.sort((a, b) => compareStrings(a.path, b.path))
    },
  }
}

/** A folder that belongs to no repository, or is to be taken as it is: every file in it but those in `.git`. */
export function folderTree(root: string): FileTree {
  const items = new Map<string, Item>()
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const target = entry.isSymbolicLink() ? readlinkSync(join(root, path)) : ''
        const mode = entry.isSymbolicLink() ? modeLink : 0o100644
        items.set(path, { path, mode, target, id: undefined, onDisk: true })
      }
    }
  }
  walk('')
  return treeOf(items, (item) => contentOnDisk(join(root, item.path)))
}

/** Every path that would be committed, and what is known of it without reading content. */
function snapshot(
  repository: GitRepository,
  root: string,
  index: GitIndex,
  git: GitProgram | undefined,
): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>()
  const tracked = new Map<string, IndexEntry>()
  const usesMode = lastValue(repository.config, 'core.filemode') !== 'false'
  const realFolders = new Map([['', true]])
  const isRealFolder = (path: string): boolean => {
    let real = realFolders.get(path)
    if (real === undefined) {
      real = isRealFolder(parentOf(path)) && statOf(join(root, path))?.isDirectory() === true
      realFolders.set(path, real)
    }
    return real
  }
  for (const entry of index.entries) {
    if (tracked.has(entry.path)) continue // another side of a merge conflict
    tracked.set(entry.path, entry)
    const { path, id, mode } = entry
    // what lies behind a link to a folder is not what is tracked
    const stat = isRealFolder(parentOf(path)) ? statOf(join(root, path)) : undefined
    if (mode === modeSubmodule) {
      if (stat?.isDirectory() || entry.skipWorktree) {
        items.set(path, { path, mode, target: '', id, onDisk: false })
      }
    } else if (stat === undefined || stat.isDirectory()) {
      if (!entry.skipWorktree || stat !== undefined) continue
      const target = mode === modeLink ? repository.objects.read(id)?.bytes.toString('utf8') : ''
      items.set(path, { path, mode, target: target ?? '', id, onDisk: false })
    } else {
      const item = onDisk(root, path, stat, usesMode ? undefined : mode)
      if (item === undefined) continue
      const known = entry.stage === 0 && !entry.intentToAdd && isUntouched(entry, item, stat, index)
      items.set(path, known ? { ...item, id } : item)
    }
  }
  for (const path of untracked(repository, root, tracked, git)) {
    const stat = statOf(join(root, path))
    const item = stat === undefined ? undefined : onDisk(root, path, stat, usesMode ? undefined : 0)
    if (item !== undefined && !items.has(path)) items.set(path, item)
  }
  return items
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function onDisk(
  root: string,
  path: string,
  stat: Stats,
  tracked: number | undefined,
): Item | undefined {
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(join(root, path))
    return { path, mode: modeLink, target, id: undefined, onDisk: true }
  }
  if (!stat.isFile()) return undefined
  const executable = tracked === undefined ? (stat.mode & 0o100) !== 0 : tracked === 0o100755
  return { path, mode: executable ? 0o100755 : 0o100644, target: '', id: undefined, onDisk: true }
}

/** Whether lstat says the same as when the index was written, and the file was not changed in that very moment. */
function isUntouched(entry: IndexEntry, item: Item, stat: Stats, index: GitIndex): boolean {
  const old = entry.stat
  if (old === undefined || (entry.mode & 0o170000) !== (item.mode & 0o170000)) return false
  // milliseconds as floating point are exact to about a quarter of a microsecond
  const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.002
  return (
    same(old.mtimeMs, stat.mtimeMs) &&
    same(old.ctimeMs, stat.ctimeMs) &&
    old.size === stat.size % 2 ** 32 &&
    (old.ino === 0 || old.ino === stat.ino % 2 ** 32) &&
    old.mtimeMs < index.writtenMs - 0.002
  )
}

function untracked(
  repository: GitRepository,
  root: string,
  tracked: ReadonlyMap<string, IndexEntry>,
  git: GitProgram | undefined,
): readonly string[] {
  if (git !== undefined) {
    const args = ['ls-files', '--others', '--exclude-standard', '-z']
    const result = git.runSync(args, { cwd: root, userConfig: true, maxOutputBytes: 1 << 29 })
    if (result.status === 0) {
      // a trailing slash marks a repository within the repository
      const paths = result.stdout.toString('utf8').split('\0')
      return paths.filter((path) => path !== '' && !path.endsWith('/'))
    }
    // for instance a folder of another owner, which git refuses: read it ourselves
  }
  const rules = new IgnoreRules(repository, root)
  const found: string[] = []
  const walk = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true })
    if (folder !== '' && entries.some((entry) => entry.name === '.git')) return
    for (const entry of entries) {
      if (entry.name === '.git') continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (tracked.get(path)?.mode !== modeSubmodule && !rules.isIgnored(path, true)) walk(path)
      } else if (!tracked.has(path) && !rules.isIgnored(path, false)) found.push(path)
    }
  }
  walk('')
  return found
}

function treeOf(
  items: ReadonlyMap<string, Item>,
  read: (item: Item) => Uint8Array | undefined,
): FileTree {
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  const folder = (path: string): Map<string, TreeEntry> => {
    let names = folders.get(path)
    if (names === undefined) {
      names = new Map()
      folders.set(path, names)
      const slash = path.lastIndexOf('/')
      const name = path.slice(slash + 1)
      folder(path.slice(0, Math.max(0, slash))).set(name, { name, kind: 'directory' })
    }
    return names
  }
  for (const { path, mode, target } of items.values()) {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    if (mode === modeSubmodule) folder(path)
    else {
      const entry: TreeEntry =
        mode === modeLink ? { name, kind: 'link', target } : { name, kind: 'file' }
      folder(path.slice(0, Math.max(0, slash))).set(name, entry)
    }
  }
  const sorted = new Map<string, readonly TreeEntry[]>()
  const entryAt = (path: string): TreeEntry | undefined => {
    if (path === '') return { name: '', kind: 'directory' }
    const slash = path.lastIndexOf('/')
    return folders.get(path.slice(0, Math.max(0, slash)))?.get(path.slice(slash + 1))
  }
  const file = (path: string): Item | undefined =>
    entryAt(path)?.kind === 'file' ? items.get(path) : undefined
  return {
    entry: entryAt,
    read(path) {
      const item = file(path)
      return item === undefined ? undefined : read(item)
    },
    list(path) {
      let list = sorted.get(path)
      if (list === undefined) {
        const names = folders.get(path)
        if (names === undefined) return undefined
        list = [...names.values()].sort((a, b) => compareStrings(a.name, b.name))
        sorted.set(path, list)
      }
      return list
    },
    contentId(path) {
      const item = file(path)
      if (item === undefined) return undefined
      if (item.id !== undefined) return item.id
      const bytes = read(item)
      return bytes === undefined ? undefined : blobId(bytes)
    },
  }
}

/** Everything in a commit but folders, submodules included. */
function entriesOf(
  repository: GitRepository,
  commitOrTree: string,
): Map<string, { readonly mode: number; readonly id: string }> {
  const root = repository.peel(commitOrTree)
  const entries = new Map<string, { readonly mode: number; readonly id: string }>()
  const walk = (tree: string, prefix: string): void => {
    for (const { name, mode, id } of repository.tree(tree)) {
      if (mode === modeTree) walk(id, `${prefix}${name}/`)
      else entries.set(prefix + name, { mode: mode === 0o100664 ? 0o100644 : mode, id })
    }
  }
  walk(root.type === 'commit' ? repository.commit(root.id).tree : root.id, '')
  return entries
}

/** Ids that the content on disk would have once committed: filters applied where there is a git program for it. */
function idsOf(
  items: readonly Item[],
  root: string,
  git: GitProgram | undefined,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const files: Item[] = []
  for (const item of items) {
    if (item.mode === modeLink) ids.set(item.path, blobId(Buffer.from(item.target)))
    else if (git !== undefined && !/[\n"\\]/.test(item.path)) files.push(item)
    else ids.set(item.path, blobId(contentOnDisk(join(root, item.path)) ?? Buffer.alloc(0)))
  }
  if (files.length > 0) {
    const input = files.map((item) => item.path + '\n').join('')
    const result = git!.runSync(['hash-object', '--stdin-paths'], {
      cwd: root,
      userConfig: true,
      input,
    })
    const lines = result.stdout.toString('latin1').split('\n')
    files.forEach((item, i) => {
      const own = (): string => blobId(contentOnDisk(join(root, item.path)) ?? Buffer.alloc(0))
      ids.set(item.path, result.status === 0 ? lines[i]! : own())
    })
  }
  return ids
}

/** True when what is committed may differ from what is on disk: line endings, filters, encodings. */
function mayConvert(repository: GitRepository, index: GitIndex): boolean {
  const crlf = lastValue(repository.config, 'core.autocrlf')
  if (isTrue(crlf) || crlf === 'input') return true
  if (
    index.entries.some(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'))
  ) {
    return true
  }
  return statOf(join(repository.commonDir, 'info', 'attributes')) !== undefined
}

/** The id of a blob with this content. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new SourceError('SOURCE_NOT_FOUND', `${path} cannot be looked at`, { cause: error })
  }
}

function contentOnDisk(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined // removed since the names were listed
    throw new SourceError('SOURCE_NOT_FOUND', `${path} cannot be read`, { cause: error })
  }
}
