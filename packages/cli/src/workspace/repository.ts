import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { isLitecdError, SourceError } from '@litecd/core/errors'
import type { FileTree, PathChange } from '@litecd/core/files'
import {
  diffTrees,
  findRepository,
  type GitRepository,
  gitTree,
  mergeBase,
  openWorktree,
  resolveCommit,
} from '@litecd/k8s-adapter/sources/git'
import { repositoryName } from '../offline/repository-name.ts'

/** One side of a comparison. */
export interface Revision {
  /** As people say it: `main`, `working tree`. */
  readonly name: string
  /** The commit; for the working tree the one it stands on. */
  readonly commit: string
  readonly tree: FileTree
}

export interface Workspace {
  readonly repository: GitRepository
  readonly root: string
  readonly base: Revision
  readonly head: Revision
  /** Between base and head. */
  readonly changes: readonly PathChange[]
  /** Branch names that mean "the branch this change goes to", besides '' and HEAD. */
  readonly targetBranches: readonly string[]
  /** Names under which Applications know this repository, as `repositoryName` gives them. */
  readonly urls: readonly string[]
  /** An absolute path as a path of the tree, '' for the root. */
  pathInside(path: string): string
}

export interface WorkspaceOptions {
  readonly base?: string | undefined
  readonly head?: string | undefined
  readonly repoUrls?: readonly string[]
  readonly targetBranch?: string | undefined
}

function invalid(message: string, hint: string, cause?: unknown): SourceError {
  return new SourceError('WORKSPACE_INVALID', message, { hint, cause })
}

/**
 * Opens the repository around `path` at two revisions: by default the merge base with the default branch, and the
 * working tree.
 *
 * Throws SourceError WORKSPACE_INVALID when there is no repository or a revision is unknown.
 */
export function openWorkspace(path: string, options: WorkspaceOptions): Workspace {
  const repository = findRepository(resolve(path))
  if (repository === undefined) {
    throw invalid(
      `${path} is not inside a git repository`,
      'Run litecd in a checkout, or give the path of one.',
    )
  }
  const commitOf = (text: string): string => {
    try {
      return resolveCommit(repository, text)
    } catch (error) {
      if (!isLitecdError(error)) throw error
      throw invalid(
        `revision ${JSON.stringify(text)} is not known in this repository`,
        'Fetch it first (shallow clones need `git fetch --unshallow` or a deeper fetch), or name another one.',
        error,
      )
    }
  }
  const head = openHead(repository, options.head, commitOf)
  const defaultBranch = findDefaultBranch(repository)
  const base = openBase(repository, options.base, defaultBranch, head.commit, commitOf)
  const short = (name: string): string => name.replace(/^refs\/(heads|remotes\/[^/]+)\//, '')
  return {
    repository,
    root: repository.workTree ?? repository.gitDir,
    base,
    head,
    changes: head.changesSince(base.commit),
    targetBranches:
      options.targetBranch !== undefined
        ? [options.targetBranch]
        : [
            ...new Set(
              [defaultBranch, options.base].flatMap((name) =>
                name === undefined ? [] : [short(name), name.replace(/^origin\//, '')],
              ),
            ),
          ],
    urls: [...remoteUrls(repository), ...(options.repoUrls ?? [])].map(repositoryName),
    pathInside: (inner) => {
      const place = relative(repository.workTree ?? repository.gitDir, realpathSync(inner))
      return place.startsWith('..') ? '' : place.split(sep).join('/')
    },
  }
}

interface Head extends Revision {
  changesSince(commit: string): readonly PathChange[]
}

function openHead(
  repository: GitRepository,
  head: string | undefined,
  commitOf: (text: string) => string,
): Head {
  if (head !== undefined) {
    const commit = commitOf(head)
    return {
      name: head,
      commit,
      tree: gitTree(repository, commit),
      changesSince: (base) => diffTrees(repository, base, commit),
    }
  }
  if (repository.workTree === undefined) {
    throw invalid(
      'this is a bare repository, it has no working tree',
      'Name the revision: --head REF, or --revision REF to render.',
    )
  }
  const { tree, changesSince } = openWorktree(repository)
  return { name: 'working tree', commit: commitOf('HEAD'), tree, changesSince }
}

function openBase(
  repository: GitRepository,
  base: string | undefined,
  defaultBranch: string | undefined,
  head: string,
  commitOf: (text: string) => string,
): Revision {
  const name = base ?? defaultBranch
  if (name === undefined) {
    throw invalid(
      'the default branch of this repository is not known',
      'Name the revision to compare with: --base REF.',
    )
  }
  const tip = commitOf(name)
  const commit = mergeBase(repository, tip, head)
  if (commit === undefined) {
    throw invalid(
      `${name} and the head have no common ancestor here`,
      'In a shallow clone fetch more history (`git fetch --deepen`), or name another --base.',
    )
  }
  return {
    name: name.replace(/^refs\/(heads|remotes)\//, ''),
    commit,
    tree: gitTree(repository, commit),
  }
}

/** What the remote says, else the usual names, else the branch that is checked out. */
function findDefaultBranch(repository: GitRepository): string | undefined {
  const known = (name: string): boolean => {
    try {
      resolveCommit(repository, name)
      return true
    } catch (error) {
      if (isLitecdError(error)) return false
      throw error
    }
  }
  const candidates = [
    'refs/remotes/origin/HEAD',
    'refs/remotes/origin/main',
    'refs/remotes/origin/master',
    'refs/heads/main',
    'refs/heads/master',
    'HEAD',
  ]
  const found = candidates.find(known)
  if (found !== 'refs/remotes/origin/HEAD') return found
  const value = repository.refs.read('refs/remotes/origin/HEAD')
  return value !== undefined && 'symbolic' in value ? value.symbolic : found
}

function remoteUrls(repository: GitRepository): readonly string[] {
  const urls: string[] = []
  for (const [key, values] of repository.config) {
    if (/^remote\..*\.(url|pushurl)$/.test(key)) urls.push(...values)
  }
  return urls
}
