import { join } from 'node:path'
import type { FetchOptions, SourceFetcher, SourceRequest } from '@litecd/core/adapters'
import type { PathChange } from '@litecd/core/files'
import { type GitProgram, gitProgram } from '../process/index.ts'
import { maxExtractedBytes } from './archive.ts'
import {
  type ChartSource,
  fetchChart,
  fetchFile,
  fetchOci,
  resolveChart,
  resolveOci,
} from './chart-source.ts'
import { DiskCache } from './disk-cache.ts'
import type { FetchedTree } from './fetched-tree.ts'
import { type AdvertisedRef, GitClient, TokenCache } from './git/index.ts'
import {
  changesBetween,
  fetchGit,
  type GitRequest,
  type GitSource,
  resolveGit,
} from './git-source.ts'
import { defaultLayerTypes } from './oci/index.ts'
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
  /** Largest index of a Helm repository; 1 GB unless told (ARGOCD_REPO_SERVER_HELM_MANIFEST_MAX_INDEX_SIZE). */
  readonly maxIndexBytes?: number
  /**
   * Extracted bytes of a chart or image beyond which it is refused; 256 MiB unless told. Argo CD allows 1 GB, but here
   * the files of a chart are held in memory while it is rendered.
   */
  readonly maxExtractedBytes?: number
  /** Media types of layers of OCI images that are taken (ARGOCD_REPO_SERVER_OCI_LAYER_MEDIA_TYPES). */
  readonly layerTypes?: readonly string[]
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
  const charts: ChartSource = {
    repositories: git.repositories,
    certificatesFor: options.certificatesFor,
    now,
    indexes: new TimedCache<true>(ttlMs, now),
    indexFiles: new DiskCache(join(options.cacheDir, 'helm')),
    tags: new TimedCache<readonly string[]>(ttlMs, now, 200),
    // Parity: messages name the folder to which helm pulls, which has this form in Argo CD
    archives: new DiskCache(join(options.cacheDir, 'argo')),
    registries: new Map(),
    maxIndexBytes: options.maxIndexBytes ?? 1_000_000_000,
    maxExtractedBytes: options.maxExtractedBytes ?? maxExtractedBytes,
    layerTypes: options.layerTypes ?? defaultLayerTypes,
  }
  return {
    async resolve(request, call = {}) {
      switch (request.type) {
        case 'git':
          return resolveGit(git, request, call)
        case 'helm':
          return resolveChart(charts, request, call)
        case 'oci':
          return resolveOci(charts, request, call)
        case 'http':
          return ''
      }
    },
    async fetch(request, revision, call = {}) {
      switch (request.type) {
        case 'git':
          return fetchGit(git, request, revision, call)
        case 'helm':
          return fetchChart(charts, request, revision, call)
        case 'oci':
          return fetchOci(charts, request, revision, call)
        case 'http':
          return fetchFile(charts, request, call)
      }
    },
    changes: (request, from, to, call = {}) => changesBetween(git, request, from, to, call),
    release: () => git.client.release(),
  }
}
