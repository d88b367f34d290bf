import { createHash } from 'node:crypto'
import {
  closeSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import { crc32 as crc32InCore } from '@litecd/core/files'
import { BlockCache } from './block-file.ts'
import { applyDelta } from './delta.ts'
import { corrupt, type GitObject, type GitObjectType } from './object.ts'
import { PackFile } from './pack.ts'

interface Found {
  readonly offset: number
  readonly crc: number
  id: string
}

const crc32 = (zlib as { readonly crc32?: (bytes: Uint8Array) => number }).crc32 ?? crc32InCore

/**
 * Checks a pack that was just received, writes its index (version 2) and moves both to where git looks for them.
 * Gives way to other work every few milliseconds. Returns how many objects came; a pack without any is removed.
 *
 * A thin pack, with deltas against objects that are here already, is completed with these; `baseOf` gives them.
 *
 * @throws SourceError SOURCE_CORRUPT for a damaged pack, or one with a delta whose base is nowhere
 * Source: git Documentation/gitformat-pack
 */
export async function indexPack(
  path: string,
  folder: string,
  maxObjectBytes: number,
  baseOf: (id: string) => GitObject | undefined = () => undefined,
): Promise<number> {
  const pack = new PackFile(path, new BlockCache(4 * 1024 * 1024), maxObjectBytes)
  try {
    const head = pack.read(0, 12)
    if (
      head.length < 12 ||
      head.toString('latin1', 0, 4) !== 'PACK' ||
      head.readUInt32BE(4) !== 2
    ) {
      throw corrupt('what the server sent is no pack')
    }
    const count = head.readUInt32BE(8)
    let sum = checkedSum(path, pack.size)
    if (count === 0) {
      rmSync(path, { force: true })
      return 0
    }
    const indexer = new Indexer(pack)
    await indexer.scan(count)
    const appended = await indexer.resolve(baseOf)
    if (appended.length > 0) sum = complete(path, pack.size, count, appended)
    const name = join(folder, `pack-${sum}`)
    writeFileSync(`${name}.idx.tmp`, indexOf(indexer.found, sum), { mode: 0o444 })
    renameSync(path, `${name}.pack`)
    // the index last: a pack without one is not looked at
    renameSync(`${name}.idx.tmp`, `${name}.idx`)
    return count
  } finally {
    pack.close()
  }
}

/** Finds the id of every object: of whole ones while reading, of deltas by walking from each base to what is built on it. */
class Indexer {
  readonly found: Found[] = []
  readonly #pack: PackFile
  readonly #byOffset = new Map<number, Found>()
  readonly #onOffset = new Map<number, number[]>()
  readonly #onId = new Map<string, number[]>()
  readonly #whole: number[] = []
  #rested = performance.now()

  constructor(pack: PackFile) {
    this.#pack = pack
  }

  /** Reads every object once. */
  async scan(count: number): Promise<void> {
    let at = 12
    for (let i = 0; i < count; i++) {
      await this.#rest()
      const entry = this.#pack.entry(at)
      const id = entry.kind === 'whole' ? idOf(entry.type, entry.bytes) : ''
      this.#note(at, crc32(this.#pack.read(at, entry.end - at)), id)
      if (entry.kind === 'whole') this.#whole.push(at)
      else if (entry.kind === 'offset-delta') add(this.#onOffset, entry.base, at)
      else add(this.#onId, entry.base, at)
      at = entry.end
    }
    if (at !== this.#pack.size - 20) throw corrupt('a pack has something after its last object')
  }

  /** Builds every delta. Returns what must be appended to the pack for it to stand alone, in order. */
  async resolve(baseOf: (id: string) => GitObject | undefined): Promise<readonly Buffer[]> {
    for (const offset of this.#whole) {
      if (!this.#onOffset.has(offset) && !this.#onId.has(this.#byOffset.get(offset)!.id)) continue
      const entry = this.#pack.entry(offset)
      if (entry.kind === 'whole') await this.#build(offset, entry.type, entry.bytes)
    }
    const appended: Buffer[] = []
    const known = new Set(this.found.map(({ id }) => id))
    let end = this.#pack.size - 20
    for (const [id, children] of [...this.#onId]) {
      if (known.has(id) || children.every((child) => this.#byOffset.get(child)!.id !== '')) continue
      const base = baseOf(id)
      if (base === undefined) continue
      const raw = Buffer.concat([
        entryHead(base.type, base.bytes.length),
        zlib.deflateSync(base.bytes),
      ])
      this.#note(end, crc32(raw), id)
      await this.#build(end, base.type, base.bytes)
      appended.push(raw)
      end += raw.length
    }
    if (this.found.some(({ id }) => id === '')) throw corrupt('a pack has a delta without a base')
    return appended
  }

  /** Builds what is based on one object, and what is based on that, holding one chain in memory. */
  async #build(offset: number, type: GitObjectType, bytes: Buffer): Promise<void> {
    const stack = [{ offset, bytes, next: 0 }]
    while (stack.length > 0) {
      await this.#rest()
      const top = stack.at(-1)!
      const children = [
        ...(this.#onOffset.get(top.offset) ?? []),
        ...(this.#onId.get(this.#byOffset.get(top.offset)!.id) ?? []),
      ]
      const child = children[top.next++]
      if (child === undefined) {
        stack.pop()
        continue
      }
      const one = this.#byOffset.get(child)!
      const delta = this.#pack.entry(child)
      if (delta.kind === 'whole' || one.id !== '') continue
      const built = applyDelta(top.bytes, delta.delta, Number.POSITIVE_INFINITY)
      one.id = idOf(type, built)
      if (this.#onOffset.has(child) || this.#onId.has(one.id)) {
        stack.push({ offset: child, bytes: built, next: 0 })
      }
    }
  }

  #note(offset: number, crc: number, id: string): void {
    const one: Found = { offset, crc, id }
    this.found.push(one)
    this.#byOffset.set(offset, one)
  }

  async #rest(): Promise<void> {
    if (performance.now() - this.#rested < 15) return
    await pause()
    this.#rested = performance.now()
  }
}

/** Type and size as they stand before an object in a pack. */
function entryHead(type: GitObjectType, size: number): Buffer {
  const bytes: number[] = []
  let byte = (packTypes.indexOf(type) << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
  }
  return Buffer.from([...bytes, byte])
}

const packTypes: readonly (GitObjectType | '')[] = ['', 'commit', 'tree', 'blob', 'tag']

/** Puts further objects at the end of a pack; returns its new sum. */
function complete(path: string, size: number, count: number, appended: readonly Buffer[]): string {
  const file = openSync(path, 'r+')
  try {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(count + appended.length)
    writeAt(file, head, 8)
    let at = size - 20
    for (const raw of appended) at = writeAt(file, raw, at)
    const sum = sumOf(file, at)
    writeAt(file, Buffer.from(sum, 'hex'), at)
    return sum
  } finally {
    closeSync(file)
  }
}

function add<K>(map: Map<K, number[]>, key: K, value: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function idOf(type: GitObjectType, bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

function writeAt(file: number, bytes: Buffer, offset: number): number {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, offset + done)
  }
  return offset + bytes.length
}

/** The sum at the end of a pack, once it is right. */
function checkedSum(path: string, size: number): string {
  const file = openSync(path, 'r')
  try {
    const sum = sumOf(file, size - 20)
    const end = Buffer.alloc(20)
    if (readSync(file, end, 0, 20, size - 20) !== 20 || end.toString('hex') !== sum) {
      throw corrupt('a pack was damaged on its way')
    }
    return sum
  } finally {
    closeSync(file)
  }
}

function sumOf(file: number, length: number): string {
  const hash = createHash('sha1')
  const chunk = Buffer.alloc(256 * 1024)
  for (let at = 0; at < length; ) {
    const count = readSync(file, chunk, 0, Math.min(chunk.length, length - at), at)
    if (count === 0) throw corrupt('a pack is cut short')
    hash.update(chunk.subarray(0, count))
    at += count
  }
  return hash.digest('hex')
}

function indexOf(found: readonly Found[], sum: string): Buffer {
  const sorted = [...found].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const large = sorted.filter(({ offset }) => offset >= 0x80000000)
  const count = sorted.length
  const out = Buffer.alloc(8 + 1024 + count * 28 + large.length * 8 + 40)
  out.writeUInt32BE(0xff744f63, 0)
  out.writeUInt32BE(2, 4)
  const fanout = new Uint32Array(256)
  let larger = 0
  sorted.forEach(({ id, crc, offset }, i) => {
    fanout[Number.parseInt(id.slice(0, 2), 16)]!++
    out.write(id, 8 + 1024 + i * 20, 'hex')
    out.writeUInt32BE(crc >>> 0, 8 + 1024 + count * 20 + i * 4)
    const short = offset < 0x80000000 ? offset : 0x80000000 + larger
    out.writeUInt32BE(short, 8 + 1024 + count * 24 + i * 4)
    if (offset >= 0x80000000) {
      out.writeBigUInt64BE(BigInt(offset), 8 + 1024 + count * 28 + larger++ * 8)
    }
  })
  let total = 0
  for (let i = 0; i < 256; i++) {
    total += fanout[i]!
    out.writeUInt32BE(total, 8 + i * 4)
  }
  out.write(sum, out.length - 40, 'hex')
  out.write(createHash('sha1').update(out.subarray(0, -20)).digest('hex'), out.length - 20, 'hex')
  return out
}
