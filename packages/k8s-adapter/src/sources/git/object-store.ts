import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { BlockCache } from './block-file.ts'
import { applyDelta } from './delta.ts'
import { corrupt, type GitObject, type GitObjectType, tooLarge } from './object.ts'
import { Pack } from './pack.ts'

export interface ObjectStoreOptions {
  /**
   * Called once for objects that are not here (a partial clone lacks blobs): brings them into the store, as packs or
   * loose objects, or returns their content. The first id is the one that is wanted; the others are likely to be next.
   */
  readonly bring?: (ids: readonly string[]) => ReadonlyMap<string, GitObject> | undefined
  /** Larger objects are refused. 512 MiB unless told. */
  readonly maxObjectBytes?: number
  /** Memory for blocks of packs. 4 MiB unless told. */
  readonly blockCacheBytes?: number
  /** Memory for bases of deltas. 16 MiB unless told. */
  readonly baseCacheBytes?: number
}

const maxDeltaDepth = 10_000 // git itself writes chains of at most 4,095 (pack.depth)
const maxAlternateDepth = 5 // git object-file.c refuses deeper nesting

/** Objects by id: loose ones and packs, those of alternates included. Synchronous; SHA-1 only. */
export class ObjectStore {
  readonly #folders: readonly string[]
  readonly #bring: ObjectStoreOptions['bring']
  readonly #maxBytes: number
  readonly #blocks: BlockCache
  readonly #bases = new Map<string, GitObject>()
  readonly #maxBaseBytes: number
  #baseBytes = 0
  #packs: Pack[] | undefined

  /** `folder` is the `objects` folder of a repository. */
  constructor(folder: string, options: ObjectStoreOptions = {}) {
    this.#folders = [...objectFolders(folder, 0, new Set())]
    this.#bring = options.bring
    this.#maxBytes = options.maxObjectBytes ?? 512 * 1024 * 1024
    this.#blocks = new BlockCache(options.blockCacheBytes ?? 4 * 1024 * 1024)
    this.#maxBaseBytes = options.baseCacheBytes ?? 16 * 1024 * 1024
  }

  /**
   * The object, or undefined when the store does not have it and cannot get it.
   *
   * @param neighbours ids that are likely to be wanted next; asked for only when this one is missing.
   * @throws SourceError SOURCE_CORRUPT
   */
  read(id: string, neighbours?: () => readonly string[]): GitObject | undefined {
    const found = this.#local(id)
    if (found !== undefined || this.#bring === undefined) return found
    const others = neighbours?.() ?? []
    const brought = this.#bring([id, ...others.filter((other) => other !== id)])
    this.rescan()
    return brought?.get(id) ?? this.#local(id)
  }

  /** True when the object is in the store already; brings nothing. */
  has(id: string): boolean {
    if (this.#pathOfLoose(id) !== undefined) return true
    const key = Buffer.from(id, 'hex')
    return this.#allPacks().some((pack) => pack.find(key) !== undefined)
  }

  /** Ids that begin with `prefix` (four hex digits or more), in no order, without duplicates. */
  idsWithPrefix(prefix: string): readonly string[] {
    const ids = new Set<string>()
    for (const folder of this.#folders) {
      for (const rest of names(join(folder, prefix.slice(0, 2)))) {
        const id = prefix.slice(0, 2) + rest
        if (id.length === 40 && id.startsWith(prefix)) ids.add(id)
      }
    }
    for (const pack of this.#allPacks()) for (const id of pack.idsWithPrefix(prefix)) ids.add(id)
    return [...ids]
  }

  /** Looks for packs that came or went since. */
  rescan(): void {
    const known = new Map((this.#packs ?? []).map((pack) => [pack.name, pack]))
    const packs: Pack[] = []
    for (const folder of this.#folders) {
      for (const file of names(join(folder, 'pack'))) {
        if (!file.endsWith('.idx')) continue
        const name = join(folder, 'pack', file.slice(0, -4))
        const pack = known.get(name)
        known.delete(name)
        if (pack !== undefined) packs.push(pack)
        else if (existsSync(name + '.pack'))
          packs.push(new Pack(name, this.#blocks, this.#maxBytes))
      }
    }
    for (const gone of known.values()) gone.close()
    this.#packs = packs
  }

  /** Drops memory and open files; what is asked afterwards opens them again. */
  close(): void {
    for (const pack of this.#packs ?? []) pack.close()
    this.#packs = undefined
    this.#blocks.clear()
    this.#bases.clear()
    this.#baseBytes = 0
  }

  #local(id: string): GitObject | undefined {
    const found = this.#packed(id) ?? this.#loose(id)
    if (found !== undefined) return found
    // git gc may have moved the object into a new pack since the last look
    this.rescan()
    return this.#packed(id)
  }

  #allPacks(): Pack[] {
    if (this.#packs === undefined) this.rescan()
    return this.#packs!
  }

  #packed(id: string): GitObject | undefined {
    const key = Buffer.from(id, 'hex')
    const packs = this.#allPacks()
    for (let i = 0; i < packs.length; i++) {
      const pack = packs[i]!
      const offset = pack.find(key)
      if (offset === undefined) continue
      if (i > 0) {
        packs.splice(i, 1)
        packs.unshift(pack)
      }
      return this.#resolve(pack, offset)
    }
    return undefined
  }

  /** Follows a chain of deltas down to a whole object or a base that is at hand, then applies them upwards. */
  #resolve(pack: Pack, offset: number): GitObject {
    const pending: { readonly key: string; readonly delta: Buffer }[] = []
    let object: GitObject | undefined
    let key = ''
    for (let at = offset; object === undefined; ) {
      key = `${pack.name}:${at}`
      object = this.#base(key)
      if (object !== undefined) break
      const entry = pack.entry(at)
      if (entry.kind === 'whole') {
        object = { type: entry.type, bytes: entry.bytes }
        break
      }
      if (pending.length >= maxDeltaDepth) throw corrupt('a chain of deltas never ends')
      pending.push({ key, delta: entry.delta })
      if (entry.kind === 'offset-delta') {
        at = entry.base
        continue
      }
      const inside = pack.find(Buffer.from(entry.base, 'hex'))
      if (inside !== undefined) {
        at = inside
        continue
      }
      object = this.#packed(entry.base) ?? this.#loose(entry.base)
      if (object === undefined) throw corrupt(`base ${entry.base} of a delta is missing`)
      key = entry.base
    }
    if (pending.length > 0) this.#keepBase(key, object)
    while (pending.length > 0) {
      const next = pending.pop()!
      object = { type: object.type, bytes: applyDelta(object.bytes, next.delta, this.#maxBytes) }
      if (pending.length > 0) this.#keepBase(next.key, object)
    }
    return object
  }

  #base(key: string): GitObject | undefined {
    const base = this.#bases.get(key)
    if (base !== undefined) {
      this.#bases.delete(key)
      this.#bases.set(key, base)
    }
    return base
  }

  #keepBase(key: string, object: GitObject): void {
    if (this.#bases.has(key) || object.bytes.length > this.#maxBaseBytes / 4) return
    this.#bases.set(key, object)
    this.#baseBytes += object.bytes.length
    for (const [oldest, { bytes }] of this.#bases) {
      if (this.#baseBytes <= this.#maxBaseBytes) break
      this.#bases.delete(oldest)
      this.#baseBytes -= bytes.length
    }
  }

  #pathOfLoose(id: string): string | undefined {
    for (const folder of this.#folders) {
      const path = join(folder, id.slice(0, 2), id.slice(2))
      if (existsSync(path)) return path
    }
    return undefined
  }

  #loose(id: string): GitObject | undefined {
    for (const folder of this.#folders) {
      let packed: Buffer
      try {
        packed = readFileSync(join(folder, id.slice(0, 2), id.slice(2)))
      } catch (error) {
        if (isMissing(error)) continue
        throw corrupt(`object ${id} cannot be read`, error)
      }
      return parseLoose(packed, id, this.#maxBytes)
    }
    return undefined
  }
}

function parseLoose(packed: Buffer, id: string, maxBytes: number): GitObject {
  let bytes: Buffer
  try {
    // small objects are many, and each would keep a buffer of 16 KiB
    const chunkSize = Math.min(Math.max(packed.length * 8, 64), 16_384)
    bytes = inflateSync(packed, { maxOutputLength: maxBytes + 64, chunkSize })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(undefined, maxBytes)
    }
    throw corrupt(`object ${id} cannot be read`, cause)
  }
  const end = bytes.indexOf(0)
  const [, type, size] =
    /^(commit|tree|blob|tag) (\d+)$/.exec(bytes.toString('latin1', 0, end)) ?? []
  if (type === undefined || bytes.length - end - 1 !== Number(size)) {
    throw corrupt(`object ${id} has a broken header`)
  }
  return { type: type as GitObjectType, bytes: bytes.subarray(end + 1) }
}

/** The folder itself and every folder that its `info/alternates` names, in git's order. */
function* objectFolders(folder: string, depth: number, seen: Set<string>): Generator<string> {
  if (depth > maxAlternateDepth || seen.has(folder)) return
  seen.add(folder)
  yield folder
  let text = ''
  try {
    text = readFileSync(join(folder, 'info', 'alternates'), 'utf8')
  } catch (error) {
    if (!isMissing(error)) throw corrupt(`the alternates of ${folder} cannot be read`, error)
  }
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    yield* objectFolders(isAbsolute(line) ? line : join(folder, line), depth + 1, seen)
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw corrupt(`${folder} cannot be listed`, error)
  }
}

/** True for the errors of a path that is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOENT' || code === 'ENOTDIR'
}
