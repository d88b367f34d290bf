import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { SourceError } from '@litecd/core/errors'
import { bringFrom } from './bring.ts'
import { type GitConfig, isTrue, lastValue, parseGitConfig } from './config.ts'
import {
  corrupt,
  type GitCommit,
  type GitTreeEntry,
  parseCommit,
  parseTag,
  parseTree,
} from './object.ts'
import { isMissing, ObjectStore, type ObjectStoreOptions } from './object-store.ts'
import { RefStore } from './refs.ts'

/** An existing repository, read without the git program. */
export interface GitRepository {
  /** The folder of HEAD and the index: `.git`, or `.git/worktrees/NAME` for a linked work tree. */
  readonly gitDir: string
  /** The folder of objects and refs. */
  readonly commonDir: string
  /** Undefined for a bare repository. */
  readonly workTree: string | undefined
  readonly config: GitConfig
  readonly objects: ObjectStore
  readonly refs: RefStore
  /** Commits whose parents were not fetched. */
  readonly shallow: ReadonlySet<string>
  /** @throws SourceError SOURCE_CORRUPT when it is missing or no commit */
  commit(id: string): GitCommit
  /** Entries of a tree in git's order, kept for a while. @throws SourceError SOURCE_CORRUPT */
  tree(id: string): readonly GitTreeEntry[]
  /** Follows annotated tags until something else is reached. */
  peel(id: string): { readonly id: string; readonly type: 'commit' | 'tree' | 'blob' }
  /** Drops memory and open files; what is asked afterwards opens them again. */
  close(): void
}

/**
 * Opens the repository at `path`: a work tree (with a `.git` folder or file), a `.git` folder, or a bare repository.
 * Undefined when there is none. What a partial clone lacks is fetched by the git program, when it is read.
 *
 * @throws SourceError RENDER_UNSUPPORTED for repositories with SHA-256 ids, SOURCE_CORRUPT
 */
export function openRepository(
  path: string,
  options: ObjectStoreOptions = {},
): GitRepository | undefined {
  const place = locate(resolve(path))
  if (place === undefined) return undefined
  const { gitDir, workTree } = place
  const commonDir = commonDirOf(gitDir)
  const config = parseGitConfig(textOf(join(commonDir, 'config')) ?? '')
  const format = lastValue(config, 'extensions.objectformat')
  if (format !== undefined && format.toLowerCase() !== 'sha1') {
    throw new SourceError(
      'RENDER_UNSUPPORTED',
      `${path} uses ${format} object ids; only repositories with SHA-1 ids can be read`,
      { hint: 'clone the repository with `git init --object-format=sha1`' },
    )
  }
  const refFormat = lastValue(config, 'extensions.refstorage')
  if (refFormat !== undefined && refFormat.toLowerCase() !== 'files') {
    throw new SourceError(
      'RENDER_UNSUPPORTED',
      `${path} stores its refs as ${refFormat}; only loose and packed refs can be read`,
      { hint: 'run `git refs migrate --ref-format=files` in the repository' },
    )
  }
  const promisor = promisorOf(config)
  const objects = new ObjectStore(join(commonDir, 'objects'), {
    ...(promisor === undefined ? {} : { bring: bringFrom(promisor, gitDir) }),
    ...options,
  })
  const bare = lastValue(config, 'core.bare') === 'true' && gitDir === commonDir
  const elsewhere = lastValue(config, 'core.worktree')
  const trees = new TreeCache()
  const shallow = new ShallowFile(join(commonDir, 'shallow'))
  const commits = new Map<string, GitCommit>()
  return {
    gitDir,
    commonDir,
    workTree:
      elsewhere !== undefined && gitDir === commonDir
        ? resolve(gitDir, elsewhere)
        : bare
          ? undefined
          : workTree,
    config,
    objects,
    refs: new RefStore(gitDir, commonDir),
    get shallow() {
      return shallow.read()
    },
    commit(id) {
      let commit = commits.get(id)
      if (commit === undefined) {
        const object = objects.read(id)
        if (object?.type !== 'commit') throw corrupt(`commit ${id} is missing`)
        commit = parseCommit(object.bytes, id)
        if (commits.size > 50_000) commits.clear()
        commits.set(id, commit)
      }
      return commit
    },
    tree(id) {
      let entries = trees.get(id)
      if (entries === undefined) {
        if (id === emptyTree) return []
        const object = objects.read(id)
        if (object?.type !== 'tree') throw corrupt(`tree ${id} is missing`)
        entries = parseTree(object.bytes, id)
        trees.set(id, entries)
      }
      return entries
    },
    peel(id) {
      let at = id
      for (let depth = 0; depth < 100; depth++) {
        const object = objects.read(at)
        if (object === undefined) throw corrupt(`object ${at} is missing`)
        if (object.type !== 'tag') return { id: at, type: object.type }
        at = parseTag(object.bytes, at).id
      }
      throw corrupt(`tag ${id} points to tags without end`)
    },
    close() {
      objects.close()
      commits.clear()
      trees.clear()
    },
  }
}

/** The remote that promised the objects which a partial clone lacks. */
function promisorOf(config: GitConfig): string | undefined {
  const named = lastValue(config, 'extensions.partialclone')
  if (named !== undefined) return named
  for (const [key, values] of config) {
    const remote = /^remote\.(.+)\.promisor$/.exec(key)?.[1]
    if (remote !== undefined && isTrue(values.at(-1))) return remote
  }
  return undefined
}

/** The repository that holds the folder `path`: the nearest one at or above it. */
export function findRepository(
  path: string,
  options: ObjectStoreOptions = {},
): GitRepository | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    const repository = openRepository(at, options)
    if (repository !== undefined) return repository
    if (dirname(at) === at) return undefined
  }
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Parsed trees, the least recently used ones dropped when they hold too many names. */
class TreeCache {
  readonly #trees = new Map<string, readonly GitTreeEntry[]>()
  #names = 0

  clear(): void {
    this.#trees.clear()
    this.#names = 0
  }

  get(id: string): readonly GitTreeEntry[] | undefined {
    const tree = this.#trees.get(id)
    if (tree !== undefined) {
      this.#trees.delete(id)
      this.#trees.set(id, tree)
    }
    return tree
  }

  set(id: string, tree: readonly GitTreeEntry[]): void {
    this.#trees.set(id, tree)
    this.#names += tree.length
    for (const [oldest, entries] of this.#trees) {
      if (this.#names <= 50_000 || oldest === id) break
      this.#trees.delete(oldest)
      this.#names -= entries.length
    }
  }
}

/** The list of commits whose parents were not fetched; every fetch may change it. */
class ShallowFile {
  readonly #path: string
  #stamp = ''
  #ids: ReadonlySet<string> = new Set()

  constructor(path: string) {
    this.#path = path
  }

  read(): ReadonlySet<string> {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    const stamp = stat === undefined ? '' : `${stat.mtimeMs}:${stat.size}:${stat.ino}`
    if (stamp !== this.#stamp) {
      this.#stamp = stamp
      this.#ids = new Set((textOf(this.#path) ?? '').split('\n').filter((id) => id !== ''))
    }
    return this.#ids
  }
}

function locate(path: string): { gitDir: string; workTree: string | undefined } | undefined {
  const dotGit = join(path, '.git')
  let isFile = false
  try {
    isFile = statSync(dotGit).isFile()
  } catch (error) {
    if (!isMissing(error)) throw corrupt(`${dotGit} cannot be read`, error)
  }
  if (isFile) {
    const target = /^gitdir: (.+?)\r?\n?$/.exec(textOf(dotGit) ?? '')?.[1]
    if (target === undefined) throw corrupt(`${dotGit} names no repository`)
    const gitDir = isAbsolute(target) ? target : join(path, target)
    if (!isGitDir(gitDir)) throw corrupt(`${dotGit} points to ${gitDir}, which is no repository`)
    return { gitDir: realpathSync(gitDir), workTree: path }
  }
  if (isGitDir(dotGit)) return { gitDir: dotGit, workTree: path }
  if (isGitDir(path)) {
    return { gitDir: path, workTree: path.endsWith('/.git') ? dirname(path) : undefined }
  }
  return undefined
}

function isGitDir(path: string): boolean {
  if (!existsSync(join(path, 'HEAD'))) return false
  const common = commonDirOf(path)
  return existsSync(join(common, 'objects')) && existsSync(join(common, 'refs'))
}

function commonDirOf(gitDir: string): string {
  const common = textOf(join(gitDir, 'commondir'))?.replace(/\r?\n$/, '')
  return common === undefined ? gitDir : resolve(gitDir, common)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw corrupt(`${path} cannot be read`, error)
  }
}
