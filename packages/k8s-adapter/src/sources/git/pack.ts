import { inflateSync } from 'node:zlib'
import { type BlockCache, BlockFile } from './block-file.ts'
import { corrupt, type GitObjectType, tooLarge } from './object.ts'

/** What lies at one offset of a pack: a whole object, or a delta and where its base is. `end` is where the next begins. */
export type PackEntry = { readonly end: number } & (
  | { readonly kind: 'whole'; readonly type: GitObjectType; readonly bytes: Buffer }
  | { readonly kind: 'offset-delta'; readonly base: number; readonly delta: Buffer }
  | { readonly kind: 'id-delta'; readonly base: string; readonly delta: Buffer }
)

const types: readonly (GitObjectType | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag']

// zlib's compressBound, plus room: how many compressed bytes an object of `size` bytes can take at most
const compressedAtMost = (size: number): number => size + (size >> 9) + (size >> 12) + 64

/**
 * One pack with its index (version 1 or 2), read in ranges.
 *
 * Source: git Documentation/gitformat-pack
 */
export class Pack {
  readonly name: string
  readonly count: number
  readonly #index: BlockFile
  readonly #packPath: string
  readonly #cache: BlockCache
  readonly #maxBytes: number
  readonly #version: 1 | 2
  readonly #fanout: Uint32Array
  #pack: PackFile | undefined

  /** `name` is the path of the pack without its extension. */
  constructor(name: string, cache: BlockCache, maxBytes: number) {
    this.name = name
    this.#cache = cache
    this.#maxBytes = maxBytes
    this.#packPath = name + '.pack'
    this.#index = new BlockFile(name + '.idx', cache)
    const head = this.#index.read(0, 8)
    this.#version = head.length === 8 && head.readUInt32BE(0) === 0xff744f63 ? 2 : 1
    if (this.#version === 2 && head.readUInt32BE(4) !== 2) {
      throw corrupt(`${name}.idx has version ${head.readUInt32BE(4)}, which is unknown`)
    }
    const table = this.#index.read(this.#version === 2 ? 8 : 0, 1024)
    if (table.length < 1024) throw corrupt(`${name}.idx is cut short`)
    this.#fanout = new Uint32Array(256)
    for (let i = 0; i < 256; i++) this.#fanout[i] = table.readUInt32BE(i * 4)
    this.count = this.#fanout[255]!
  }

  /** Offset of an object in the pack; undefined when it is not here. */
  find(id: Buffer): number | undefined {
    const first = id[0]!
    const low = first === 0 ? 0 : this.#fanout[first - 1]!
    const high = this.#fanout[first]!
    const width = this.#version === 2 ? 20 : 24
    const skip = this.#version === 2 ? 0 : 4
    const bucket = this.#index.read(this.#idsAt() + low * width, (high - low) * width)
    let from = 0
    let to = Math.floor(bucket.length / width)
    while (from < to) {
      const middle = (from + to) >> 1
      const at = middle * width + skip
      const order = bucket.compare(id, 0, 20, at, at + 20)
      if (order === 0) return this.#offset(low + middle)
      if (order < 0) from = middle + 1
      else to = middle
    }
    return undefined
  }

  /** Ids that begin with the hex digits `prefix`, at least two of them. */
  *idsWithPrefix(prefix: string): Generator<string> {
    const first = Number.parseInt(prefix.slice(0, 2), 16)
    const low = first === 0 ? 0 : this.#fanout[first - 1]!
    const high = this.#fanout[first]!
    const width = this.#version === 2 ? 20 : 24
    const skip = this.#version === 2 ? 0 : 4
    const bucket = this.#index.read(this.#idsAt() + low * width, (high - low) * width)
    for (let at = skip; at + 20 <= bucket.length; at += width) {
      const id = bucket.toString('hex', at, at + 20)
      if (id.startsWith(prefix)) yield id
    }
  }

  entry(offset: number): PackEntry {
    this.#pack ??= new PackFile(this.#packPath, this.#cache, this.#maxBytes)
    return this.#pack.entry(offset)
  }

  close(): void {
    this.#index.close()
    this.#pack?.close()
  }

  #idsAt(): number {
    return this.#version === 2 ? 8 + 1024 : 1024
  }

  #offset(position: number): number {
    if (this.#version === 1) return this.#index.read(1024 + position * 24, 4).readUInt32BE(0)
    const offsets = 8 + 1024 + this.count * 24
    const short = this.#index.read(offsets + position * 4, 4).readUInt32BE(0)
    if (short < 0x80000000) return short
    const long = this.#index.read(offsets + this.count * 4 + (short - 0x80000000) * 8, 8)
    return Number(long.readBigUInt64BE(0))
  }
}

/** The file of a pack: what lies at an offset, without an index. */
export class PackFile {
  readonly path: string
  readonly #file: BlockFile
  readonly #maxBytes: number

  constructor(path: string, cache: BlockCache, maxBytes: number) {
    this.path = path
    this.#file = new BlockFile(path, cache)
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#file.size
  }

  read(offset: number, length: number): Buffer {
    return this.#file.read(offset, length)
  }

  entry(offset: number): PackEntry {
    const head = this.#file.read(offset, 32)
    let at = 0
    let byte = head[at++]
    if (byte === undefined) throw corrupt(`${this.path} ends before offset ${offset}`)
    const type = (byte >> 4) & 7
    let size = byte & 15
    let factor = 16
    while (byte & 0x80) {
      byte = head[at++]
      if (byte === undefined) throw corrupt(`${this.path} is cut short`)
      size += (byte & 0x7f) * factor
      factor *= 128
    }
    if (size > this.#maxBytes) throw tooLarge(size, this.#maxBytes)
    if (type === 6) {
      byte = head[at++]!
      let distance = byte & 0x7f
      while (byte & 0x80) {
        byte = head[at++]!
        distance = (distance + 1) * 128 + (byte & 0x7f)
      }
      if (!(distance > 0 && distance <= offset))
        throw corrupt(`a delta of ${this.path} has no base`)
      const { bytes, end } = this.#inflate(offset + at, size)
      return { kind: 'offset-delta', base: offset - distance, delta: bytes, end }
    }
    if (type === 7) {
      const base = this.#file.read(offset + at, 20).toString('hex')
      const { bytes, end } = this.#inflate(offset + at + 20, size)
      return { kind: 'id-delta', base, delta: bytes, end }
    }
    const known = types[type]
    if (known === undefined) throw corrupt(`${this.path} has an object of unknown type ${type}`)
    return { kind: 'whole', type: known, ...this.#inflate(offset + at, size) }
  }

  close(): void {
    this.#file.close()
  }

  #inflate(offset: number, size: number): { readonly bytes: Buffer; readonly end: number } {
    const window = this.#file.read(offset, compressedAtMost(size))
    let bytes: Buffer
    let used: number
    try {
      const options = { maxOutputLength: Math.max(1, size), chunkSize: size + 64, info: true }
      const result = inflateSync(window, options) as unknown as {
        readonly buffer: Buffer
        readonly engine: { readonly bytesWritten: number }
      }
      bytes = result.buffer
      used = result.engine.bytesWritten
    } catch (cause) {
      throw corrupt(`${this.path} cannot be read at offset ${offset}`, cause)
    }
    if (bytes.length !== size) {
      throw corrupt(`${this.path} has an object of the wrong size at offset ${offset}`)
    }
    return { bytes, end: offset + used }
  }
}
