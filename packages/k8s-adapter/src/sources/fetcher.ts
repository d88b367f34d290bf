import type { FetchOptions, SourceFetcher, SourceRequest } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import type { PathChange } from '@litecd/core/files'
import { type GitProgram, gitProgram } from '../process/index.ts'
import type { FetchedTree } from './fetched-tree.ts'
import { type AdvertisedRef, GitClient, TokenCache } from './git/index.ts'
import {
  changesBetween,
  fetchGit,
  type GitRequest,
  type GitSource,
  resolveGit,
} from './git-source.ts'
import { noRepositories, type RepositoryList } from './repository.ts'
import { TimedCache } from './timed-cache.ts'

export interface SourceFetcherOptions {
  /** Folder for repositories and archives; made when it is not there. It may be removed at any time between runs. */
  readonly cacheDir: string
  /** What is known of repositories now; asked for each request. Nothing unless told. */
  readonly repositories?: () => RepositoryList
  /** Milliseconds since the epoch; Date.now unless told. */
  readonly now?: () => number
  /** How long refs and tags are remembered; three minutes unless told, as in Argo CD. */
  readonly revisionCacheMs?: number
  /** The git program; the one on PATH unless told. Null: none. */
  readonly git?: GitProgram | null
  /** True on a developer's machine: git uses the user's configuration, credential helpers and keys. */
  readonly userConfig?: boolean
  /**
   * True fetches content apart from names where git and the server can: first that of the paths that a request names,
   * the rest when it is read. That reading waits for the network while everything else in the process stands still, so
   * it suits large repositories in a process that does nothing else. False unless told.
   */
  readonly blobless?: boolean
  /** PEM certificates to trust for a host instead of the system's (`argocd-tls-certs-cm`). */
  readonly certificatesFor?: (host: string) => string | undefined
  /** Text of `argocd-ssh-known-hosts-cm`. */
  readonly sshKnownHosts?: string
}

/** A SourceFetcher, and what only this one can do. */
export interface Sources extends SourceFetcher {
  fetch(request: SourceRequest, revision: string, options?: FetchOptions): Promise<FetchedTree>
  /** Paths that differ between two commits, as `git diff --name-only` lists them. @throws SourceError */
  changes(
    request: GitRequest,
    from: string,
    to: string,
    options?: FetchOptions,
  ): Promise<readonly PathChange[]>
  /** Drops memory and open files when nothing is going on; everything works on afterwards. */
  release(): void
}

/** The SourceFetcher of a process. */
export function createSourceFetcher(options: SourceFetcherOptions): Sources {
  const now = options.now ?? Date.now
  const ttlMs = options.revisionCacheMs ?? 180_000
  const git: GitSource = {
    client: new GitClient({
      cacheDir: options.cacheDir,
      git: options.git === null ? undefined : (options.git ?? gitProgram()),
      tokens: new TokenCache(now),
      userConfig: options.userConfig ?? false,
      blobless: options.blobless ?? false,
      sshKnownHosts: options.sshKnownHosts,
      certificatesFor: options.certificatesFor,
    }),
    refs: new TimedCache<readonly AdvertisedRef[]>(ttlMs, now),
    repositories: options.repositories ?? (() => noRepositories),
  }
  return {
    resolve(request, call = {}) {
      if (request.type === 'git') return resolveGit(git, request, call)
      return Promise.reject(unsupported(request.type))
    },
    fetch(request, revision, call = {}) {
      if (request.type === 'git') return fetchGit(git, request, revision, call)
      return Promise.reject(unsupported(request.type))
    },
    changes: (request, from, to, call = {}) => changesBetween(git, request, from, to, call),
    release: () => git.client.release(),
  }
}

function unsupported(type: string): SourceError {
  return new SourceError('RENDER_UNSUPPORTED', `sources of type ${type} cannot be fetched yet`)
}
