import { SourceError } from '@litecd/core/errors'
import { fetchError, missingCommitWords } from './fetch-error.ts'
import type { FetchRequest, GitTransport } from './remote.ts'
import { type GitRepository, openRepository } from './repository.ts'
import { resolveCommit } from './revision.ts'

/** A remote on this machine: nothing is copied, its objects are read where they are. */
export class LocalTransport implements GitTransport {
  readonly repository: GitRepository

  /** @throws SourceError SOURCE_NOT_FOUND */
  constructor(path: string) {
    const repository = openRepository(path) ?? openRepository(`${path}.git`)
    if (repository === undefined) throw new SourceError('SOURCE_NOT_FOUND', 'repository not found')
    this.repository = repository
  }

  release(): void {
    this.repository.close()
  }

  async fetch(request: FetchRequest): Promise<string> {
    const revision = request.revision.toLowerCase()
    try {
      return resolveCommit(this.repository, revision)
    } catch (error) {
      if (error instanceof SourceError && error.code === 'SOURCE_REVISION_UNKNOWN') {
        throw fetchError(request.revision, missingCommitWords(request.revision, true), error)
      }
      throw error
    }
  }
}

/** The folder that a `file://` URL or an absolute path names; undefined for any other URL. */
export function localPath(url: string): string | undefined {
  if (url.startsWith('/')) return url
  const path = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(url)?.[1]
  if (path === undefined) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
