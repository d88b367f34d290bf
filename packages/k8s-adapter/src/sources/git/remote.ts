import type { GitRepository } from './repository.ts'

/** What a transport is asked to bring into the cache of one remote. */
export interface FetchRequest {
  /** 40 or, abbreviated, 7 or more hex digits. */
  readonly revision: string
  /**
   * Folders and files whose content will be read for certain; undefined for all. A transport that can fetch content
   * apart from names brings these now and the rest when it is read.
   */
  readonly paths?: readonly string[] | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** One way to bring commits of one remote into a repository on this machine. */
export interface GitTransport {
  /**
   * Brings a commit with all its trees; returns its full id. Content may still be missing where the transport brings
   * it on demand.
   *
   * @throws SourceError with the message that Argo CD shows
   */
  fetch(request: FetchRequest): Promise<string>
  /** The repository that `fetch` fills. */
  readonly repository: GitRepository
  /** Drops memory and open files. */
  release(): void
}
