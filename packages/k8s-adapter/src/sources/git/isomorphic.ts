import * as fs from 'node:fs'
import { SourceError } from '@litecd/core/errors'
import { HttpError, httpRequest, type ProxySettings, type TlsSettings } from '../http/index.ts'
import type { GitCredentials } from './credentials.ts'
import { fetchError, missingCommitWords } from './fetch-error.ts'
import type { FetchRequest, GitTransport } from './remote.ts'
import { type GitRepository, openRepository } from './repository.ts'
import { resolveCommit } from './revision.ts'
import { unreachable } from './smart-http.ts'

export interface IsomorphicTransportOptions {
  readonly url: string
  /** Folder of this remote alone; made when it is not there. */
  readonly folder: string
  readonly credentials: () => Promise<GitCredentials>
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
}

/** The part of isomorphic-git that is used; it is loaded only where there is no git program. */
interface IsomorphicGit {
  init(args: object): Promise<void>
  addRemote(args: object): Promise<void>
  fetch(args: object): Promise<unknown>
}

interface IsomorphicHttpRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: AsyncIterable<Uint8Array>
}

/** Fetches over HTTP without a git program, by isomorphic-git: all content at once, no history. */
export class IsomorphicTransport implements GitTransport {
  readonly #options: IsomorphicTransportOptions
  #repository: GitRepository | undefined

  constructor(options: IsomorphicTransportOptions) {
    this.#options = options
  }

  get repository(): GitRepository {
    this.#repository ??= openRepository(this.#options.folder)
    if (this.#repository === undefined)
      throw new SourceError('SOURCE_NOT_FOUND', 'nothing was fetched yet')
    return this.#repository
  }

  release(): void {
    this.#repository?.close()
  }

  async fetch(request: FetchRequest): Promise<string> {
    const { folder, url } = this.#options
    const git = (await import('isomorphic-git')).default as unknown as IsomorphicGit
    if (openRepository(folder) === undefined) {
      fs.mkdirSync(folder, { recursive: true })
      await git.init({ fs, gitdir: folder, bare: true })
    }
    await git.addRemote({ fs, gitdir: folder, remote: 'origin', url, force: true })
    const known = this.#known(request.revision)
    if (known !== undefined) return known
    const credentials = await this.#options.credentials()
    const http = {
      request: (one: IsomorphicHttpRequest) => this.#exchange(one, credentials, request),
    }
    const common = { fs, http, gitdir: folder, url, remote: 'origin' }
    const isFull = /^[0-9a-f]{40}$/i.test(request.revision)
    const everything = { ...common, singleBranch: false, tags: true }
    try {
      if (isFull) {
        const remoteRef = request.revision.toLowerCase()
        await git.fetch({ ...common, remoteRef, singleBranch: true, depth: 1 })
      } else await git.fetch(everything)
    } catch (error) {
      // the old protocol gives only commits that a ref points to: take everything, then look
      if (!isFull || !isNotOurs(error)) throw this.#error(error, request.revision)
      await git.fetch(everything).catch((again: unknown) => {
        throw this.#error(again, request.revision)
      })
    }
    this.repository.objects.rescan()
    const id = this.#known(request.revision)
    if (id === undefined)
      throw fetchError(request.revision, missingCommitWords(request.revision, false))
    return id
  }

  #known(revision: string): string | undefined {
    const repository = this.repository
    if (/^[0-9a-f]{40}$/i.test(revision) && !repository.objects.has(revision.toLowerCase()))
      return undefined
    try {
      return resolveCommit(repository, revision)
    } catch (error) {
      if (error instanceof SourceError && error.code === 'SOURCE_REVISION_UNKNOWN') return undefined
      throw error
    }
  }

  #error(error: unknown, revision: string): SourceError {
    if (error instanceof SourceError) return error
    const said = error instanceof Error ? error.message : String(error)
    const data = (error as { readonly data?: { readonly statusCode?: number } }).data
    const words = isNotOurs(error)
      ? missingCommitWords(revision, false)
      : data?.statusCode === undefined
        ? `fatal: ${said}`
        : `fatal: unable to access '${this.#options.url}/': The requested URL returned error: ${data.statusCode}`
    return fetchError(revision, words, error)
  }

  async #exchange(
    one: IsomorphicHttpRequest,
    credentials: GitCredentials,
    request: FetchRequest,
  ): Promise<object> {
    const chunks: Uint8Array[] = []
    for await (const chunk of one.body ?? []) chunks.push(chunk)
    try {
      const response = await httpRequest({
        url: one.url,
        method: one.method === 'POST' ? 'POST' : 'GET',
        ...(one.headers === undefined ? {} : { headers: one.headers }),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        authorization: credentials.authorization,
        tls: this.#options.tls,
        proxy: this.#options.proxy,
        signal: request.signal,
        timeoutMs: request.timeoutMs ?? 90_000, // ARGOCD_EXEC_TIMEOUT
      })
      return {
        url: response.url,
        method: one.method ?? 'GET',
        headers: response.headers,
        body: [response.body],
        statusCode: response.status,
        statusMessage: response.statusText,
      }
    } catch (error) {
      if (error instanceof HttpError) throw unreachable(error, 'Failed to fetch default: ')
      throw error
    }
  }
}

function isNotOurs(error: unknown): boolean {
  return error instanceof Error && /not our ref/.test(error.message)
}
