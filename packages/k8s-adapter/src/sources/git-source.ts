import type { FetchOptions, SourceRequest } from '@litecd/core/adapters'
import type { PathChange } from '@litecd/core/files'
import type { FetchedTree } from './fetched-tree.ts'
import {
  type AdvertisedRef,
  diffTrees,
  type GitClient,
  isFullId,
  resolveAmong,
  withSubmodules,
} from './git/index.ts'
import { type RepositoryList, repositoryFor } from './repository.ts'
import type { TimedCache } from './timed-cache.ts'

export type GitRequest = Extract<SourceRequest, { type: 'git' }>

/** Git repositories as sources: a client, what is known of repositories, and a memory of their refs. */
export interface GitSource {
  readonly client: GitClient
  readonly refs: TimedCache<readonly AdvertisedRef[]>
  readonly repositories: () => RepositoryList
}

/** @throws SourceError with the messages that Argo CD shows */
export async function resolveGit(
  source: GitSource,
  request: GitRequest,
  options: FetchOptions,
): Promise<string> {
  if (isFullId(request.revision)) return request.revision
  const repository = repositoryFor(request.url, options.project ?? '', source.repositories())
  const refs = await source.refs.get(
    JSON.stringify([request.url, repository.project]),
    () =>
      source.client.lsRemote(repository, { signal: options.signal, timeoutMs: request.timeoutMs }),
    options.noRevisionCache === true,
  )
  return resolveAmong(refs, request.revision, request.tagPrefix)
}

/** @throws SourceError with the messages that Argo CD shows */
export async function fetchGit(
  source: GitSource,
  request: GitRequest,
  revision: string,
  options: FetchOptions,
): Promise<FetchedTree> {
  const list = source.repositories()
  const project = options.project ?? ''
  const repository = repositoryFor(request.url, project, list)
  const common = { signal: options.signal, timeoutMs: request.timeoutMs }
  const paths = request.paths === undefined ? undefined : [...request.paths, '.gitmodules']
  const fetched = await source.client.fetch(repository, { ...common, revision, paths })
  const own = fetched.transport.repository
  if (request.submodules === false) return { ...fetched.tree, revision: fetched.id }
  const tree = await withSubmodules(
    own,
    fetched.id,
    fetched.tree,
    request.url,
    async (url, commit) => {
      const inner = repositoryFor(url, project, list)
      const got = await source.client.fetch(inner, { ...common, revision: commit })
      return { repository: got.transport.repository, id: got.id, tree: got.tree }
    },
  )
  return { ...tree, revision: fetched.id }
}

/** Paths that differ between two commits of a repository, as `git diff --name-only` would list them. */
export async function changesBetween(
  source: GitSource,
  request: GitRequest,
  from: string,
  to: string,
  options: FetchOptions,
): Promise<readonly PathChange[]> {
  const repository = repositoryFor(request.url, options.project ?? '', source.repositories())
  const ids: string[] = []
  let reader: Parameters<typeof diffTrees>[0] | undefined
  for (const revision of [from, to]) {
    const fetched = await source.client.fetch(repository, {
      revision,
      paths: [],
      signal: options.signal,
      timeoutMs: request.timeoutMs,
    })
    ids.push(fetched.id)
    reader = fetched.transport.repository
  }
  return diffTrees(reader!, ids[0], ids[1])
}
