import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SourceError } from '@litecd/core/errors'
import {
  type GitProgram,
  type GitRunOptions,
  isAtLeast,
  type RunResult,
} from '../../process/index.ts'
import type { TlsSettings } from '../http/index.ts'
import { isSshUrl, type RepositorySettings } from '../repository.ts'
import { bringArguments, bringNow } from './bring.ts'
import { lastValue } from './config.ts'
import type { GitCredentials } from './credentials.ts'
import { fetchError, missingCommitWords } from './fetch-error.ts'
import { modeLink, modeSubmodule, modeTree } from './object.ts'
import type { AdvertisedRef } from './refs.ts'
import type { FetchRequest, GitTransport } from './remote.ts'
import { type GitRepository, openRepository } from './repository.ts'
import { resolveCommit } from './revision.ts'
import { serverError } from './smart-http.ts'
import { blobsBelow, treeEntryAt } from './tree.ts'

export interface ProgramTransportOptions {
  readonly git: GitProgram
  readonly url: string
  /** Folder of this remote alone; made when it is not there. */
  readonly folder: string
  readonly settings: RepositorySettings
  readonly credentials: () => Promise<GitCredentials>
  readonly tls?: TlsSettings | undefined
  /** Text of a known_hosts file; undefined trusts what the machine knows. */
  readonly sshKnownHosts?: string | undefined
  readonly userConfig: boolean
  /** Bring content of files only when needed, where the server can. */
  readonly blobless: boolean
}

const keptRefs = 'refs/litecd/'
const maxPacks = 50 // git's own gc.autoPackLimit
const maxPartialBytes = 512 * 1024 * 1024
// what was fetched lately may still be read
const keptCommits = 30
const keptMs = 3_600_000

/**
 * Fetches with the git program into a bare repository: one commit without history at a time, content of files apart
 * where both sides can.
 */
export class ProgramTransport implements GitTransport {
  readonly #options: ProgramTransportOptions
  #repository: GitRepository | undefined
  #credentials: GitCredentials = {}
  #needsAll = false

  constructor(options: ProgramTransportOptions) {
    this.#options = options
  }

  get repository(): GitRepository {
    if (this.#repository === undefined) {
      this.#prepare()
      this.#repository = openRepository(this.#options.folder, {
        bring: (ids) => this.#bringSync(ids),
        blockCacheBytes: 2 * 1024 * 1024,
        baseCacheBytes: 8 * 1024 * 1024,
      })!
    }
    return this.#repository
  }

  release(): void {
    this.#repository?.close()
  }

  async fetch(request: FetchRequest): Promise<string> {
    try {
      return await this.#fetch(request)
    } catch (error) {
      // a server that filters but does not give content by its id: start again with everything
      if (
        !(error instanceof SourceError) ||
        !this.#isBlobless() ||
        !/unadvertised object/.test(error.message)
      ) {
        throw error
      }
      this.#discard()
      this.#needsAll = true
      return await this.#fetch(request)
    }
  }

  async #fetch(request: FetchRequest): Promise<string> {
    const { revision } = request
    const known = this.#known(revision)
    if (known === undefined) this.#makeRoom()
    const repository = this.repository
    if (known === undefined) {
      this.#credentials = await this.#options.credentials()
      if (/^[0-9a-f]{40}$/i.test(revision)) await this.#fetchCommit(revision.toLowerCase(), request)
      else await this.#fetchAll(request)
      repository.objects.rescan()
    }
    const id = known ?? this.#known(revision)
    if (id === undefined) throw fetchError(revision, missingCommitWords(revision, false))
    await this.#bringPaths(id, request)
    if (known === undefined) await this.#tidy()
    return id
  }

  /** Each fetch leaves a pack: many of them become one again, without the commits that were fetched long ago. */
  async #tidy(): Promise<void> {
    const { folder } = this.#options
    const packs = readdirSync(join(folder, 'objects', 'pack')).filter((name) =>
      name.endsWith('.pack'),
    )
    if (packs.length <= maxPacks || this.#isBlobless()) return
    const kept = readdirSync(join(folder, keptRefs), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => ({ name, at: statSync(join(folder, keptRefs, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at)
    const old = kept.slice(keptCommits).filter(({ at }) => at < Date.now() - keptMs)
    for (const { name } of old) rmSync(join(folder, keptRefs, name), { force: true })
    const request = { timeoutMs: 600_000 }
    await this.#run(['repack', '-a', '-d', '--quiet'], request)
    await this.#run(['prune', '--expire=now'], request)
    this.repository.objects.rescan()
  }

  /** A partial clone, of which git never forgets anything, begins anew when it has grown large. */
  #makeRoom(): void {
    if (!this.#isBlobless()) return
    let bytes = 0
    const folder = join(this.#options.folder, 'objects', 'pack')
    for (const name of readdirSync(folder)) bytes += statSync(join(folder, name)).size
    if (bytes > maxPartialBytes) this.#discard()
  }

  /** Forgets everything that was fetched. */
  #discard(): void {
    this.#repository?.close()
    this.#repository = undefined
    rmSync(this.#options.folder, { recursive: true, force: true })
  }

  /** The refs of the remote, in its order. @throws SourceError */
  async list(
    request: Pick<FetchRequest, 'signal' | 'timeoutMs'>,
  ): Promise<readonly AdvertisedRef[]> {
    void this.repository
    this.#credentials = await this.#options.credentials()
    const result = await this.#run(['ls-remote', '--symref', 'origin'], {
      ...request,
      timeoutMs: request.timeoutMs ?? 15_000, // ARGOCD_GIT_REQUEST_TIMEOUT
    })
    if (result.status !== 0) throw listError(wordsOf(result))
    return parseLsRemote(result.stdout.toString('utf8'))
  }

  #known(revision: string): string | undefined {
    const repository = this.repository
    if (/^[0-9a-f]{40}$/i.test(revision)) {
      const id = revision.toLowerCase()
      return repository.objects.has(id) ? resolveCommit(repository, id) : undefined
    }
    try {
      return resolveCommit(repository, revision)
    } catch (error) {
      if (error instanceof SourceError && error.code === 'SOURCE_REVISION_UNKNOWN') return undefined
      throw error
    }
  }

  async #fetchCommit(id: string, request: FetchRequest): Promise<void> {
    const filter = this.#filter(request)
    const result = await this.#run(
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--force',
        '--depth=1',
        filter,
        'origin',
        `${id}:${keptRefs}${id}`,
      ],
      request,
    )
    if (result.status === 0) return
    // servers of old allow only commits that a ref points to: take everything, then look
    if (/unadvertised object|does not support|protocol error/.test(result.stderr)) {
      return await this.#fetchAll(request)
    }
    throw fetchError(request.revision, wordsOf(result))
  }

  async #fetchAll(request: FetchRequest): Promise<void> {
    const filter = this.#filter(request)
    const result = await this.#run(
      [
        'fetch',
        '--quiet',
        '--tags',
        '--force',
        '--prune',
        filter,
        'origin',
        `+refs/heads/*:${keptRefs}heads/*`,
      ],
      request,
    )
    if (result.status !== 0) throw fetchError(request.revision, wordsOf(result))
  }

  /** Brings the content of the wanted paths, and of every link, since each link of the repository is looked at. */
  async #bringPaths(id: string, request: FetchRequest): Promise<void> {
    const repository = this.repository
    const tree = repository.commit(id).tree
    const missing = new Set<string>()
    const want = (blob: string): void => {
      if (!repository.objects.has(blob)) missing.add(blob)
    }
    if (!this.#isBlobless()) return
    for (const { id: blob, mode } of blobsBelow(repository, tree)) if (mode === modeLink) want(blob)
    for (const path of request.paths ?? ['']) {
      const entry = treeEntryAt(repository, tree, path)
      if (entry === undefined || entry.mode === modeSubmodule) continue
      if (entry.mode !== modeTree) want(entry.id)
      else for (const blob of blobsBelow(repository, entry.id)) want(blob.id)
    }
    if (missing.size === 0) return
    const result = await this.#run(bringArguments('origin'), {
      ...request,
      input: [...missing].join('\n') + '\n',
    })
    if (result.status !== 0) throw fetchError(request.revision, wordsOf(result))
    repository.objects.rescan()
  }

  /** Behind a synchronous interface: the program runs while we stand still, so it brings as much as it can at once. */
  #bringSync(ids: readonly string[]): undefined {
    if (!this.#isBlobless()) return undefined
    const missing = ids.filter((id) => !this.repository.objects.has(id))
    if (missing.length === 0) return undefined
    const { options, done } = this.#runOptions()
    try {
      bringNow(this.#options.git, 'origin', missing, options)
    } finally {
      done()
    }
    return undefined
  }

  #filter(request: FetchRequest): string {
    const apart = this.#isBlobless() && request.paths !== undefined && !request.paths.includes('')
    return apart ? '--filter=blob:none' : '--no-filter'
  }

  #isBlobless(): boolean {
    if (!this.#options.blobless || this.#needsAll || !isAtLeast(this.#options.git, 2, 29))
      return false
    // a cache that was made without it stays so
    return (
      this.#repository === undefined ||
      lastValue(this.#repository.config, 'extensions.partialclone') !== undefined
    )
  }

  /** Another process may be fetching into the same folder: git then fails at a lock file, and a moment later works. */
  async #run(
    args: readonly string[],
    request: Pick<FetchRequest, 'signal' | 'timeoutMs'> & { readonly input?: string },
  ): Promise<RunResult> {
    for (let attempt = 0; ; attempt++) {
      const { options, done } = this.#runOptions()
      try {
        const result = await this.#options.git.run(args, {
          ...options,
          ...(request.input === undefined ? {} : { input: request.input }),
          ...(request.signal === undefined ? {} : { signal: request.signal }),
          ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
        })
        if (result.status === 0 || attempt >= 5 || !/\.lock': File exists/.test(result.stderr)) {
          return result
        }
      } finally {
        done()
      }
      await sleep(100 * 2 ** attempt)
    }
  }

  #runOptions(): { readonly options: GitRunOptions; readonly done: () => void } {
    const { folder, settings, tls, url, userConfig } = this.#options
    const config: [string, string][] = []
    const env: NodeJS.ProcessEnv = {}
    const remove: string[] = []
    const secretFile = (name: string, text: string): string => {
      const path = join(folder, 'litecd', `${name}-${process.pid}-${secrets++}`)
      mkdirSync(join(folder, 'litecd'), { recursive: true, mode: 0o700 })
      writeFileSync(path, text.endsWith('\n') ? text : text + '\n', { mode: 0o600 })
      chmodSync(path, 0o600)
      remove.push(path)
      return path
    }
    if (this.#credentials.authorization !== undefined) {
      // only for this server: git does not repeat it to another one after a redirect
      const place = /^https?:\/\/[^/]+/i.exec(url)?.[0] ?? url
      config.push([
        `http.${place}/.extraHeader`,
        `Authorization: ${this.#credentials.authorization}`,
      ])
    }
    if (settings.insecure) env['GIT_SSL_NO_VERIFY'] = 'true'
    else if (tls?.ca !== undefined) env['GIT_SSL_CAINFO'] = secretFile('ca', tls.ca)
    if (tls?.cert !== undefined) env['GIT_SSL_CERT'] = secretFile('cert', tls.cert)
    if (tls?.key !== undefined) env['GIT_SSL_KEY'] = secretFile('key', tls.key)
    if (settings.proxy !== '') {
      env['http_proxy'] = settings.proxy
      env['https_proxy'] = settings.proxy
      env['no_proxy'] = settings.noProxy
    }
    if (isSshUrl(url) || url.startsWith('ssh://')) {
      const ssh = ['ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15']
      const key = this.#credentials.sshPrivateKey
      if (key !== undefined) ssh.push('-i', secretFile('ssh', key), '-o', 'IdentitiesOnly=yes')
      if (settings.insecure) {
        ssh.push('-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null')
      } else {
        ssh.push('-o', 'StrictHostKeyChecking=yes')
        const hosts = this.#options.sshKnownHosts
        if (hosts !== undefined) ssh.push('-o', `UserKnownHostsFile=${secretFile('hosts', hosts)}`)
      }
      if (key !== undefined || !userConfig) env['GIT_SSH_COMMAND'] = ssh.map(quoted).join(' ')
    }
    return {
      options: { cwd: folder, config, env, userConfig, maxOutputBytes: 8 * 1024 * 1024 },
      done: () => {
        for (const path of remove) rmSync(path, { force: true })
      },
    }
  }

  #prepare(): void {
    const { folder, git, url } = this.#options
    if (openRepository(folder) !== undefined) return
    mkdirSync(folder, { recursive: true })
    const run = (...args: readonly string[]): void => {
      const result = git.runSync(args, { cwd: folder })
      if (result.status !== 0) {
        throw new SourceError(
          'SOURCE_UNREACHABLE',
          `the cache ${folder} cannot be made: ${wordsOf(result)}`,
          { retryable: true },
        )
      }
    }
    run('init', '--quiet', '--bare', '.')
    run('config', 'remote.origin.url', url)
    if (this.#isBlobless()) {
      run('config', 'core.repositoryformatversion', '1')
      run('config', 'extensions.partialClone', 'origin')
      run('config', 'remote.origin.promisor', 'true')
    }
  }
}

let secrets = 0

/** What `git ls-remote --symref` prints: `ref: TARGET<tab>NAME`, `ID<tab>NAME`, and `ID<tab>NAME^{}` for what a tag points to. */
export function parseLsRemote(text: string): readonly AdvertisedRef[] {
  const refs: { -readonly [key in keyof AdvertisedRef]: AdvertisedRef[key] }[] = []
  const targets = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [value, name] = line.split('\t')
    if (value === undefined || name === undefined) continue
    const target = /^ref: (\S+)$/.exec(value)?.[1]
    if (target !== undefined) targets.set(name, target)
    else if (name.endsWith('^{}')) {
      const tag = refs.at(-1)
      if (tag?.name === name.slice(0, -3)) tag.peeled = value
    } else {
      const symbolic = targets.get(name)
      refs.push({ name, id: value, ...(symbolic === undefined ? {} : { target: symbolic }) })
    }
  }
  return refs
}

function listError(words: string): SourceError {
  const error = fetchError('', words)
  if (error.code === 'SOURCE_NOT_FOUND') return new SourceError(error.code, 'repository not found')
  const known = serverError(words)
  if (known.code === 'SOURCE_NOT_FOUND') return known
  return new SourceError(error.code, words, { retryable: error.retryable })
}

function wordsOf(result: RunResult): string {
  if (result.ended === 'timeout') return 'fatal: timeout'
  if (result.ended === 'aborted') return 'fatal: canceled'
  // what git adds about filters and file limits is no part of the reason
  return result.stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('warning: '))
    .join('\n')
}

/** For the shell that git starts ssh with. */
function quoted(word: string): string {
  return /^[\w./=:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
