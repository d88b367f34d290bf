import { randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { SourceError } from '@litecd/core/errors'
import { httpRequest, type ProxySettings, type TlsSettings } from '../http/index.ts'
import type { GitCredentials } from './credentials.ts'
import { fetchError, missingCommitWords } from './fetch-error.ts'
import { indexPack } from './index-pack.ts'
import { IsomorphicTransport } from './isomorphic.ts'
import { corrupt } from './object.ts'
import { delimiterPacket, flushPacket, PacketReader, packet } from './pkt-line.ts'
import type { FetchRequest, GitTransport } from './remote.ts'
import { type GitRepository, openRepository } from './repository.ts'
import { resolveCommit } from './revision.ts'
import {
  discoverHttp,
  type GitHttpOptions,
  listHttpRefs,
  statusError,
  unreachable,
} from './smart-http.ts'

export interface HttpTransportOptions {
  readonly url: string
  /** Folder of this remote alone; made when it is not there. */
  readonly folder: string
  readonly credentials: () => Promise<GitCredentials>
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
}

const keptRefs = 'refs/litecd/'
const maxPacks = 100
const maxFolderBytes = 1024 * 1024 * 1024
const maxObjectBytes = 512 * 1024 * 1024
const maxHaves = 32

/**
 * Fetches over HTTP without a git program, by protocol version 2: one commit without history, and only what differs
 * from commits that were fetched before. The pack goes straight to disk. Servers that know only older versions are
 * left to isomorphic-git.
 *
 * Source: git gitprotocol-v2
 */
export class HttpTransport implements GitTransport {
  readonly #options: HttpTransportOptions
  #repository: GitRepository | undefined
  #older: IsomorphicTransport | undefined

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  get repository(): GitRepository {
    if (this.#repository === undefined) {
      const { folder } = this.#options
      if (openRepository(folder) === undefined) {
        for (const part of ['objects/pack', 'objects/info', 'refs/heads', keptRefs]) {
          mkdirSync(join(folder, part), { recursive: true })
        }
        writeFileSync(
          join(folder, 'config'),
          '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
        )
        writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
      }
      this.#repository = openRepository(folder, {
        blockCacheBytes: 2 * 1024 * 1024,
        baseCacheBytes: 8 * 1024 * 1024,
      })!
    }
    return this.#repository
  }

  release(): void {
    this.#repository?.close()
    this.#older?.release()
  }

  async fetch(request: FetchRequest): Promise<string> {
    const { revision } = request
    const known = this.#known(revision)
    if (known !== undefined) return known
    this.#makeRoom()
    const credentials = await this.#options.credentials()
    const options: GitHttpOptions = {
      authorization: credentials.authorization,
      tls: this.#options.tls,
      proxy: this.#options.proxy,
      timeoutMs: request.timeoutMs ?? 90_000, // ARGOCD_EXEC_TIMEOUT
      signal: request.signal,
    }
    const place = await this.#worded(request, () => discoverHttp(this.#options.url, options))
    if (place === undefined) {
      this.#older ??= new IsomorphicTransport(this.#options)
      const id = await this.#older.fetch(request)
      this.repository.objects.rescan()
      return id
    }
    await this.#worded(request, async () => {
      if (/^[0-9a-f]{40}$/i.test(revision))
        await this.#receive(place, [revision.toLowerCase()], 1, options)
      else {
        const refs = await listHttpRefs(this.#options.url, options, ['refs/heads/', 'refs/tags/'])
        const wants = new Set(refs.map((ref) => ref.peeled ?? ref.id))
        if (wants.size > 0) await this.#receive(place, [...wants], undefined, options)
      }
    })
    this.repository.objects.rescan()
    const id = this.#known(revision)
    if (id === undefined) throw fetchError(revision, missingCommitWords(revision, false))
    mkdirSync(join(this.#options.folder, keptRefs), { recursive: true })
    writeFileSync(join(this.#options.folder, keptRefs, id), `${id}\n`)
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

  /** Errors of the protocol as a failed fetch. */
  async #worded<T>(request: FetchRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (/not our ref/.test(error.message)) {
        throw fetchError(request.revision, missingCommitWords(request.revision, false), error)
      }
      throw new SourceError(
        error.code,
        `Failed to fetch default: \`git fetch origin --tags --force --prune\` failed exit status 128: fatal: ${error.message}`,
        { retryable: error.retryable, cause: error },
      )
    }
  }

  /** Asks for commits and stores the pack that comes. Without a depth the whole history of them. */
  async #receive(
    place: string,
    wants: readonly string[],
    depth: number | undefined,
    options: GitHttpOptions,
  ): Promise<void> {
    const repository = this.repository
    const shallow = new Set([...repository.shallow].filter((id) => repository.objects.has(id)))
    const haves = this.#haves()
    const body = Buffer.concat([
      packet('command=fetch\n'),
      packet('object-format=sha1\n'),
      delimiterPacket,
      packet('no-progress\n'),
      packet('thin-pack\n'),
      packet('ofs-delta\n'),
      ...[...shallow].map((id) => packet(`shallow ${id}\n`)),
      ...(depth === undefined
        ? shallow.size > 0
          ? [packet('deepen 2147483647\n')]
          : []
        : [packet(`deepen ${depth}\n`)]),
      ...wants.map((id) => packet(`want ${id}\n`)),
      ...haves.map((id) => packet(`have ${id}\n`)),
      packet('done\n'),
      flushPacket,
    ])
    const folder = join(this.#options.folder, 'objects', 'pack')
    const temporary = join(folder, `tmp_pack_${randomUUID()}`)
    const file = openSync(temporary, 'wx')
    try {
      const answer = new FetchAnswer((bytes) => writeAll(file, bytes))
      try {
        const response = await httpRequest({
          url: `${place}/git-upload-pack`,
          method: 'POST',
          headers: {
            'user-agent': 'git/litecd',
            'git-protocol': 'version=2',
            'content-type': 'application/x-git-upload-pack-request',
            accept: 'application/x-git-upload-pack-result',
          },
          body,
          sink: (chunk) => answer.push(chunk),
          maxBytes: maxFolderBytes * 4,
          authorization: options.authorization,
          tls: options.tls,
          proxy: options.proxy,
          signal: options.signal,
          ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
        })
        if (response.status !== 200) throw statusError(response)
      } catch (error) {
        throw unreachable(error)
      } finally {
        closeSync(file)
      }
      answer.end()
      await indexPack(temporary, folder, maxObjectBytes, (id) => repository.objects.read(id))
      for (const id of answer.shallow) shallow.add(id)
      for (const id of answer.unshallow) shallow.delete(id)
      const list = join(this.#options.folder, 'shallow')
      if (shallow.size === 0) rmSync(list, { force: true })
      else writeFileSync(list, [...shallow].sort().join('\n') + '\n')
    } finally {
      rmSync(temporary, { force: true })
    }
  }

  /** The commits that were fetched last: what is in them need not be sent again. */
  #haves(): readonly string[] {
    const folder = join(this.#options.folder, keptRefs)
    let names: readonly string[]
    try {
      names = readdirSync(folder)
    } catch {
      return [] // nothing was fetched yet
    }
    return names
      .filter((name) => this.repository.objects.has(name))
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at)
      .slice(0, maxHaves)
      .map(({ name }) => name)
  }

  /** Nothing here makes one pack of many: when there are too many, everything begins anew. */
  #makeRoom(): void {
    const folder = join(this.#options.folder, 'objects', 'pack')
    let packs = 0
    let bytes = 0
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.pack')) packs++
      bytes += statSync(join(folder, name)).size
    }
    if (packs < maxPacks && bytes < maxFolderBytes) return
    this.#repository?.close()
    this.#repository = undefined
    rmSync(this.#options.folder, { recursive: true, force: true })
    void this.repository
  }
}

/** Takes apart the answer to a fetch while it comes: which commits end the history, and the pack. */
class FetchAnswer {
  readonly shallow: string[] = []
  readonly unshallow: string[] = []
  readonly #packets = new PacketReader()
  readonly #write: (bytes: Buffer) => void
  #section = ''
  #sawPack = false

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  push(chunk: Buffer): void {
    for (const one of this.#packets.push(chunk)) {
      if (one.kind !== 'data') {
        this.#section = ''
        continue
      }
      if (this.#section === 'packfile') {
        const band = one.bytes[0]
        if (band === 1) this.#write(one.bytes.subarray(1))
        else if (band === 3)
          throw new SourceError(
            'SOURCE_REFUSED',
            `remote error: ${one.bytes.toString('utf8', 1).trim()}`,
          )
        continue
      }
      const line = one.bytes.toString('utf8').trim()
      if (line.startsWith('ERR '))
        throw new SourceError('SOURCE_REFUSED', `remote error: ${line.slice(4)}`)
      if (this.#section === '') {
        this.#section = line
        this.#sawPack ||= line === 'packfile'
      } else if (line.startsWith('shallow ')) this.shallow.push(line.slice(8))
      else if (line.startsWith('unshallow ')) this.unshallow.push(line.slice(10))
    }
  }

  end(): void {
    if (!this.#packets.isDone() || !this.#sawPack)
      throw corrupt('the answer of the server is cut short')
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}
