import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SourceError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import type { GitProgram } from '../../process/index.ts'
import type { TlsSettings } from '../http/index.ts'
import { isSshUrl, normalizeGitUrl, type RepositorySettings } from '../repository.ts'
import { hostOf, tlsSettings } from '../tls-settings.ts'
import { advertisedRefs } from './advertised.ts'
import { type GitCredentials, gitCredentials, type TokenCache } from './credentials.ts'
import { HttpTransport } from './http-transport.ts'
import { LocalTransport, localPath } from './local-transport.ts'
import { ProgramTransport } from './program-transport.ts'
import type { AdvertisedRef } from './refs.ts'
import type { FetchRequest, GitTransport } from './remote.ts'
import { listHttpRefs } from './smart-http.ts'
import { gitTree } from './tree.ts'

export interface GitClientOptions {
  readonly cacheDir: string
  readonly git: GitProgram | undefined
  readonly tokens: TokenCache
  readonly userConfig: boolean
  readonly blobless: boolean
  readonly sshKnownHosts?: string | undefined
  /** PEM certificates to trust for a host instead of the system's. */
  readonly certificatesFor?: ((host: string) => string | undefined) | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** A fetched commit. `tree` reads from the cache on disk when it is asked. */
export interface FetchedCommit {
  readonly id: string
  readonly tree: FileTree
  readonly transport: GitTransport
}

/** Lists refs and fetches commits of remotes by whatever means there are; one fetch at a time for each remote. */
export class GitClient {
  readonly #options: GitClientOptions
  readonly #transports = new Map<string, GitTransport>()
  readonly #queues = new Map<string, Promise<unknown>>()
  readonly #running = new Map<string, Promise<FetchedCommit>>()

  constructor(options: GitClientOptions) {
    this.#options = options
  }

  /**
   * The refs of a remote in the order in which it names them.
   *
   * @throws SourceError whose message begins with `failed to list refs: `
   */
  async lsRemote(
    repository: RepositorySettings,
    options: CallOptions = {},
  ): Promise<readonly AdvertisedRef[]> {
    let refs: readonly AdvertisedRef[]
    try {
      refs = await this.#list(repository, options)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw new SourceError(error.code, `failed to list refs: ${error.message}`, {
        retryable: error.retryable,
        hint: error.hint,
        cause: error,
      })
    }
    if (refs.length === 0) {
      throw new SourceError(
        'SOURCE_REVISION_UNKNOWN',
        'failed to list refs: remote repository is empty',
      )
    }
    return refs
  }

  /** Brings a commit; calls for the same one share the work. */
  fetch(repository: RepositorySettings, request: FetchRequest): Promise<FetchedCommit> {
    const place = repository.url
    const key = JSON.stringify([place, repository.project, request.revision, request.paths])
    const running = this.#running.get(key)
    if (running !== undefined) return unlessAborted(running, request.signal)
    const previous = this.#queues.get(place) ?? Promise.resolve()
    // shared by whoever asks meanwhile, so no single caller can end it; its own time limit does
    const { signal: _, ...shared } = request
    const work = previous.then(async (): Promise<FetchedCommit> => {
      const transport = this.#transport(repository)
      const id = await transport.fetch(shared)
      return { id, tree: gitTree(transport.repository, id), transport }
    })
    const settled = work.catch(() => {})
    this.#queues.set(place, settled)
    this.#running.set(key, work)
    void settled.then(() => {
      if (this.#running.get(key) === work) this.#running.delete(key)
      if (this.#queues.get(place) === settled) this.#queues.delete(place)
    })
    return unlessAborted(work, request.signal)
  }

  /** Drops memory and open files; everything works on afterwards. */
  release(): void {
    for (const transport of this.#transports.values()) transport.release()
    this.#transports.clear()
  }

  async #list(
    repository: RepositorySettings,
    options: CallOptions,
  ): Promise<readonly AdvertisedRef[]> {
    const { url } = repository
    const path = localPath(url)
    if (path !== undefined) return advertisedRefs(this.#transport(repository).repository)
    const scheme = schemeOf(url)
    if (
      (scheme === 'http' || scheme === 'https') &&
      !(this.#options.userConfig && this.#options.git)
    ) {
      const credentials = await this.#credentials(repository, options)
      return listHttpRefs(withoutPassword(url), {
        authorization: credentials.authorization,
        tls: this.#tls(repository),
        proxy: { proxy: repository.proxy, noProxy: repository.noProxy },
        timeoutMs: options.timeoutMs,
        signal: options.signal,
      })
    }
    const transport = this.#transport(repository)
    if (!(transport instanceof ProgramTransport)) throw unsupported(scheme)
    return transport.list(options)
  }

  #transport(repository: RepositorySettings): GitTransport {
    const { url } = repository
    // credentials are part of the identity: what one project may read must not answer another one
    const identity = createHash('sha256')
      .update(JSON.stringify([normalizeGitUrl(url) || url, url, repository.project]))
      .digest('hex')
      .slice(0, 32)
    const settingsKey = `${identity} ${JSON.stringify(repository)}`
    const known = this.#transports.get(settingsKey)
    if (known !== undefined) return known
    const path = localPath(url)
    if (path !== undefined) {
      const local = new LocalTransport(path)
      this.#transports.set(settingsKey, local)
      return local
    }
    const scheme = schemeOf(url)
    const { git, cacheDir } = this.#options
    const common = {
      // what is in the URL goes the way of all credentials, not to a command line or a file
      url: withoutPassword(url),
      folder: join(cacheDir, 'git', identity),
      credentials: () => this.#credentials(repository, {}),
      tls: this.#tls(repository),
    }
    let transport: GitTransport
    if (git !== undefined) {
      transport = new ProgramTransport({
        ...common,
        git,
        settings: repository,
        sshKnownHosts: this.#options.sshKnownHosts,
        userConfig: this.#options.userConfig,
        blobless: this.#options.blobless,
      })
    } else if (scheme === 'ssh') {
      throw new SourceError(
        'RENDER_UNSUPPORTED',
        `${url} needs the git program, which is not installed here`,
        {
          hint: 'install git and an ssh client, or use an https:// URL',
        },
      )
    } else {
      transport = new HttpTransport({
        ...common,
        proxy: { proxy: repository.proxy, noProxy: repository.noProxy },
      })
    }
    this.#transports.set(settingsKey, transport)
    return transport
  }

  #credentials(repository: RepositorySettings, options: CallOptions): Promise<GitCredentials> {
    return gitCredentials(repository, this.#options.tokens, options.signal)
  }

  #tls(repository: RepositorySettings): TlsSettings {
    return tlsSettings(repository, hostOf(repository.url), this.#options.certificatesFor)
  }
}

/** 'http', 'https' or 'ssh'. @throws SourceError for anything else, as go-git words it */
function schemeOf(url: string): 'http' | 'https' | 'ssh' {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'http' || scheme === 'https' || scheme === 'ssh') return scheme
  if (scheme !== undefined) throw unsupported(scheme)
  if (isSshUrl(url) || /^[\w.-]+:[^/].*/.test(url)) return 'ssh'
  // anything else is a path to go-git; a relative one leads nowhere
  throw new SourceError('SOURCE_NOT_FOUND', 'repository not found')
}

function unsupported(scheme: string): SourceError {
  return new SourceError('SOURCE_REFUSED', `unsupported scheme ${JSON.stringify(scheme)}`, {
    hint: 'use https://, http://, ssh:// or file://',
  })
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(new SourceError('SOURCE_UNREACHABLE', 'context canceled', { retryable: true }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    const stop = (): void => signal.removeEventListener('abort', abort)
    work.then(resolve, reject).finally(stop)
  })
}

function withoutPassword(url: string): string {
  return url.replace(/^(https?:\/\/)[^/@]*:[^/@]*@/i, '$1')
}
