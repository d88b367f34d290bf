import { RenderError, SourceError } from '../../../errors/index.ts'

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
]
const lengthExtra = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
]
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function corrupt(message: string): SourceError {
  return new SourceError('SOURCE_CORRUPT', message)
}

/** A canonical Huffman code: how many symbols have each length, and the symbols in order. */
interface Huffman {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

function huffman(lengths: Uint8Array): Huffman {
  const counts = new Uint16Array(16)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  const offsets = new Uint16Array(16)
  for (let i = 1; i < 15; i++) offsets[i + 1] = offsets[i]! + counts[i]!
  const symbols = new Uint16Array(lengths.length)
  for (const [symbol, length] of lengths.entries()) {
    if (length !== 0) symbols[offsets[length]!++] = symbol
  }
  return { counts, symbols }
}

const fixedLengths = huffman(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
)
const fixedDistances = huffman(new Uint8Array(30).fill(5))

class Inflater {
  private readonly input: Uint8Array
  at: number
  private bits = 0
  private bitCount = 0
  private out: Uint8Array
  private size = 0
  private readonly limit: number

  constructor(input: Uint8Array, at: number, limit: number) {
    this.input = input
    this.at = at
    this.limit = limit
    this.out = new Uint8Array(Math.min(limit, Math.max(1024, input.length * 4)))
  }

  run(): Uint8Array {
    let last = false
    while (!last) {
      last = this.take(1) === 1
      const type = this.take(2)
      if (type === 0) this.stored()
      else if (type === 1) this.block(fixedLengths, fixedDistances)
      else if (type === 2) this.dynamic()
      else throw corrupt(`flate: corrupt input before offset ${this.at}`)
    }
    return this.out.subarray(0, this.size)
  }

  private take(count: number): number {
    while (this.bitCount < count) {
      const byte = this.input[this.at++]
      if (byte === undefined) throw corrupt('unexpected EOF')
      this.bits |= byte << this.bitCount
      this.bitCount += 8
    }
    const value = this.bits & ((1 << count) - 1)
    this.bits >>>= count
    this.bitCount -= count
    return value
  }

  private decode({ counts, symbols }: Huffman): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= 15; length++) {
      code |= this.take(1)
      const count = counts[length]!
      if (code - count < first) return symbols[index + (code - first)]!
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw corrupt(`flate: corrupt input before offset ${this.at}`)
  }

  private room(count: number): void {
    const wanted = this.size + count
    if (wanted > this.limit) {
      throw new RenderError(
        'BUDGET_EXCEEDED',
        `decompressed chart is larger than the maximum size ${this.limit}`,
      )
    }
    if (wanted <= this.out.length) return
    const larger = new Uint8Array(Math.min(this.limit, Math.max(wanted, this.out.length * 2)))
    larger.set(this.out.subarray(0, this.size))
    this.out = larger
  }

  private stored(): void {
    this.bits = 0
    this.bitCount = 0
    const length = this.input[this.at]! | (this.input[this.at + 1]! << 8)
    const inverse = this.input[this.at + 2]! | (this.input[this.at + 3]! << 8)
    if (length !== (~inverse & 0xffff)) {
      throw corrupt(`flate: corrupt input before offset ${this.at}`)
    }
    this.at += 4
    if (this.at + length > this.input.length) throw corrupt('unexpected EOF')
    this.room(length)
    this.out.set(this.input.subarray(this.at, this.at + length), this.size)
    this.at += length
    this.size += length
  }

  private dynamic(): void {
    const literals = this.take(5) + 257
    const distances = this.take(5) + 1
    const codes = this.take(4) + 4
    const lengths = new Uint8Array(320)
    for (let i = 0; i < codes; i++) lengths[codeOrder[i]!] = this.take(3)
    const code = huffman(lengths.subarray(0, 19))
    const all = new Uint8Array(literals + distances)
    let i = 0
    while (i < all.length) {
      const symbol = this.decode(code)
      if (symbol < 16) {
        all[i++] = symbol
        continue
      }
      const value = symbol === 16 ? all[i - 1] : 0
      const times =
        symbol === 16 ? this.take(2) + 3 : symbol === 17 ? this.take(3) + 3 : this.take(7) + 11
      if (value === undefined || i + times > all.length) {
        throw corrupt(`flate: corrupt input before offset ${this.at}`)
      }
      all.fill(value, i, i + times)
      i += times
    }
    this.block(huffman(all.subarray(0, literals)), huffman(all.subarray(literals)))
  }

  private block(literals: Huffman, distances: Huffman): void {
    for (;;) {
      const symbol = this.decode(literals)
      if (symbol === 256) return
      if (symbol < 256) {
        this.room(1)
        this.out[this.size++] = symbol
        continue
      }
      const length = lengthBase[symbol - 257]! + this.take(lengthExtra[symbol - 257]!)
      const slot = this.decode(distances)
      const distance = (distanceBase[slot] ?? Number.NaN) + this.take(distanceExtra[slot] ?? 0)
      if (!(distance <= this.size)) throw corrupt(`flate: corrupt input before offset ${this.at}`)
      this.room(length)
      for (let i = 0; i < length; i++) {
        this.out[this.size] = this.out[this.size - distance]!
        this.size++
      }
    }
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/**
 * The content of the gzip members of `bytes`, at most `limit` bytes.
 *
 * Throws SOURCE_CORRUPT in Go's words, BUDGET_EXCEEDED when there is more.
 */
export function gunzip(bytes: Uint8Array, limit: number): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  let total = 0
  do {
    const start = headerEnd(bytes, at)
    const inflater = new Inflater(bytes, start, limit - total)
    const part = inflater.run()
    const tail = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (inflater.at + 8 > bytes.length) throw corrupt('unexpected EOF')
    const sum = tail.getUint32(inflater.at, true)
    if (sum !== crc32(part) || tail.getUint32(inflater.at + 4, true) !== part.length >>> 0) {
      throw corrupt('gzip: invalid checksum')
    }
    parts.push(part)
    total += part.length
    at = inflater.at + 8
  } while (at < bytes.length && bytes[at] === 0x1f)
  if (parts.length === 1) return parts[0]!
  const out = new Uint8Array(total)
  let offset = 0
  for (const part of parts) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

function headerEnd(bytes: Uint8Array, at: number): number {
  if (bytes.length - at < 10) throw corrupt(at === bytes.length ? 'EOF' : 'unexpected EOF')
  if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 2] !== 8) {
    throw corrupt('gzip: invalid header')
  }
  const flags = bytes[at + 3]!
  let end = at + 10
  if (flags & 4) end += 2 + (bytes[end]! | (bytes[end + 1]! << 8))
  const skipText = (): void => {
    while (end < bytes.length && bytes[end] !== 0) end++
    end++
  }
  if (flags & 8) skipText()
  if (flags & 16) skipText()
  if (flags & 2) end += 2
  return end
}
