import type { FetchOptions, SourceFetcher, SourceRequest } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import { type GitRepository, gitTree, resolveCommit } from '@litecd/k8s-adapter/sources/git'
import type { Revision } from '../workspace/repository.ts'
import { repositoryName } from './repository-name.ts'

export interface LocalSources {
  readonly repository: GitRepository
  /** Names of this repository, as `repositoryName` gives them. */
  readonly urls: readonly string[]
  readonly targetBranches: readonly string[]
  /** Brings everything else; undefined refuses it. */
  readonly remote: SourceFetcher | undefined
}

/** True when a revision text means the branch that the change goes to. */
export function followsChange(revision: string, targetBranches: readonly string[]): boolean {
  if (revision === '' || revision === 'HEAD') return true
  return targetBranches.includes(revision.replace(/^refs\/heads\//, ''))
}

/**
 * A fetcher that answers for the repository at hand from `side`: a source that follows the target branch sees that
 * side's files, one that is pinned sees the commit it names, and everything else goes to the remote fetcher.
 */
export function localSourceFetcher(side: Revision, local: LocalSources): SourceFetcher {
  const isLocal = (request: SourceRequest): boolean =>
    request.type === 'git' && local.urls.includes(repositoryName(request.url))
  const remote = (request: SourceRequest): SourceFetcher => {
    if (local.remote !== undefined) return local.remote
    throw new SourceError(
      'SOURCE_UNREACHABLE',
      `${request.url} is another repository, and --offline forbids to fetch it`,
      {
        hint: 'Leave out --offline, or name this checkout with --repo if it is that repository.',
      },
    )
  }
  return {
    resolve: async (request: SourceRequest, options?: FetchOptions): Promise<string> => {
      if (!isLocal(request)) return remote(request).resolve(request, options)
      if (followsChange(request.revision, local.targetBranches)) return side.commit
      try {
        return resolveCommit(local.repository, request.revision)
      } catch {
        return resolveCommit(local.repository, `origin/${request.revision}`)
      }
    },
    fetch: async (
      request: SourceRequest,
      revision: string,
      options?: FetchOptions,
    ): Promise<FileTree> => {
      if (!isLocal(request)) return remote(request).fetch(request, revision, options)
      if (followsChange(request.revision, local.targetBranches)) return side.tree
      return gitTree(local.repository, revision)
    },
  }
}
