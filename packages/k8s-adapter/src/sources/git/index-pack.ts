import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import { crc32 as crc32InCore } from '@litecd/core/files'
import { BlockCache } from './block-file.ts'
import { applyDelta } from './delta.ts'
import { corrupt, type GitObjectType } from './object.ts'
import { PackFile } from './pack.ts'

interface Found {
  readonly offset: number
  readonly crc: number
  id: string
}

const crc32 = (zlib as { readonly crc32?: (bytes: Uint8Array) => number }).crc32 ?? crc32InCore

/**
 * Checks a pack that was just received, writes its index (version 2) and moves both to where git looks for them.
 * Gives way to other work every few milliseconds. Returns how many objects there are; a pack without any is removed.
 *
 * @throws SourceError SOURCE_CORRUPT for a damaged pack, or one with a delta whose base is not in it
 * Source: git Documentation/gitformat-pack
 */
export async function indexPack(
  path: string,
  folder: string,
  maxObjectBytes: number,
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
    const sum = checkedSum(path, pack.size)
    if (count === 0) {
      rmSync(path, { force: true })
      return 0
    }
    const found = await identify(pack, count)
    const name = join(folder, `pack-${sum}`)
    writeFileSync(`${name}.idx.tmp`, indexOf(found, sum), { mode: 0o444 })
    renameSync(path, `${name}.pack`)
    // the index last: a pack without one is not looked at
    renameSync(`${name}.idx.tmp`, `${name}.idx`)
    return count
  } finally {
    pack.close()
  }
}

/** The id of every object: of whole ones while reading, of deltas by walking from each base to what is built on it. */
async function identify(pack: PackFile, count: number): Promise<readonly Found[]> {
  const found: Found[] = []
  const byOffset = new Map<number, Found>()
  const onOffset = new Map<number, number[]>()
  const onId = new Map<string, number[]>()
  const whole: number[] = []
  let rested = performance.now()
  const rest = async (): Promise<void> => {
    if (performance.now() - rested < 15) return
    await pause()
    rested = performance.now()
  }
  let at = 12
  for (let i = 0; i < count; i++) {
    await rest()
    const entry = pack.entry(at)
    const one: Found = { offset: at, crc: crc32(pack.read(at, entry.end - at)), id: '' }
    found.push(one)
    byOffset.set(at, one)
    if (entry.kind === 'whole') {
      one.id = idOf(entry.type, entry.bytes)
      whole.push(at)
    } else if (entry.kind === 'offset-delta') add(onOffset, entry.base, at)
    else add(onId, entry.base, at)
    at = entry.end
  }
  if (at !== pack.size - 20) throw corrupt('a pack has something after its last object')
  for (const offset of whole) {
    const own = byOffset.get(offset)!
    if (!onOffset.has(offset) && !onId.has(own.id)) continue
    const entry = pack.entry(offset)
    if (entry.kind !== 'whole') continue
    const stack = [{ offset, bytes: entry.bytes, next: 0 }]
    while (stack.length > 0) {
      await rest()
      const top = stack.at(-1)!
      const children = [
        ...(onOffset.get(top.offset) ?? []),
        ...(onId.get(byOffset.get(top.offset)!.id) ?? []),
      ]
      const child = children[top.next++]
      if (child === undefined) {
        stack.pop()
        continue
      }
      const one = byOffset.get(child)!
      const delta = pack.entry(child)
      if (delta.kind === 'whole' || one.id !== '') continue
      const bytes = applyDelta(top.bytes, delta.delta, Number.POSITIVE_INFINITY)
      one.id = idOf(entry.type, bytes)
      if (onOffset.has(child) || onId.has(one.id)) stack.push({ offset: child, bytes, next: 0 })
    }
  }
  if (found.some(({ id }) => id === '')) throw corrupt('a pack has a delta without a base')
  return found
}

function add<K>(map: Map<K, number[]>, key: K, value: number): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function idOf(type: GitObjectType, bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** The sum at the end of a pack, once it is right. */
function checkedSum(path: string, size: number): string {
  const hash = createHash('sha1')
  const chunk = Buffer.alloc(256 * 1024)
  const file = openSync(path, 'r')
  try {
    for (let at = 0; at < size - 20; ) {
      const length = readSync(file, chunk, 0, Math.min(chunk.length, size - 20 - at), at)
      if (length === 0) throw corrupt('a pack is cut short')
      hash.update(chunk.subarray(0, length))
      at += length
    }
    const sum = hash.digest('hex')
    if (readSync(file, chunk, 0, 20, size - 20) !== 20 || chunk.toString('hex', 0, 20) !== sum) {
      throw corrupt('a pack was damaged on its way')
    }
    return sum
  } finally {
    closeSync(file)
  }
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
