import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const blockBytes = 32 * 1024

/** Blocks of open files, least recently used ones dropped: what keeps reading many small ranges to few system calls. */
export class BlockCache {
  readonly #blocks = new Map<number, Buffer>()
  readonly #maxBlocks: number

  constructor(maxBytes: number) {
    this.#maxBlocks = Math.max(4, Math.floor(maxBytes / blockBytes))
  }

  clear(): void {
    this.#blocks.clear()
  }

  block(file: BlockFile, index: number): Buffer {
    const key = file.number * 2 ** 32 + index
    const known = this.#blocks.get(key)
    if (known !== undefined) {
      this.#blocks.delete(key)
      this.#blocks.set(key, known)
      return known
    }
    const block = file.load(index * blockBytes, blockBytes)
    this.#blocks.set(key, block)
    if (this.#blocks.size > this.#maxBlocks) {
      for (const oldest of this.#blocks.keys()) {
        this.#blocks.delete(oldest)
        break
      }
    }
    return block
  }
}

let nextNumber = 1

/** A file read at random, through a shared {@link BlockCache}. It is opened at once, so that it survives being unlinked. */
export class BlockFile {
  readonly path: string
  readonly size: number
  readonly number: number = nextNumber++
  readonly #cache: BlockCache
  #fd: number | undefined

  constructor(path: string, cache: BlockCache) {
    this.path = path
    this.#cache = cache
    this.#fd = openSync(path, 'r')
    this.size = fstatSync(this.#fd).size
  }

  /** Bytes from `offset`, fewer than `length` only at the end of the file. Shared: never write to them. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(offset + length, this.size)
    const first = Math.floor(offset / blockBytes)
    const last = Math.floor((end - 1) / blockBytes)
    if (end <= offset) return Buffer.alloc(0)
    if (first === last) {
      const start = first * blockBytes
      return this.#cache.block(this, first).subarray(offset - start, end - start)
    }
    if (last - first > 8) return this.load(offset, end - offset)
    const parts: Buffer[] = []
    for (let index = first; index <= last; index++) {
      const start = index * blockBytes
      const block = this.#cache.block(this, index)
      parts.push(block.subarray(Math.max(0, offset - start), Math.min(block.length, end - start)))
    }
    return Buffer.concat(parts)
  }

  /** Straight from the file, past the cache. */
  load(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, this.size - offset)))
    let done = 0
    while (done < bytes.length) {
      const count = readSync(this.#open(), bytes, done, bytes.length - done, offset + done)
      if (count === 0) return bytes.subarray(0, done)
      done += count
    }
    return bytes
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #open(): number {
    this.#fd ??= openSync(this.path, 'r')
    return this.#fd
  }
}
