import { SourceError } from '../errors/index.ts'

export interface InflateLimits {
  /** Decompressed bytes beyond which the input is refused. 256 MiB unless told. */
  readonly maxBytes?: number
}

const defaultMaxBytes = 256 * 1024 * 1024

/**
 * Decompresses gzip data, several members one after the other included, and checks their sums.
 *
 * Bytes after the last member are passed over when they are no gzip header: archives are often padded, and Go's tar
 * reader never looks at them.
 *
 * @throws SourceError SOURCE_CORRUPT, BUDGET_EXCEEDED
 * Source: RFC 1952
 */
export function gunzip(bytes: Uint8Array, limits: InflateLimits = {}): Uint8Array {
  const maxBytes = limits.maxBytes ?? defaultMaxBytes
  const members: Uint8Array[] = []
  let total = 0
  let at = 0
  do {
    at = skipGzipHeader(bytes, at)
    const member = inflateFrom(bytes, at, maxBytes - total)
    at = member.end
    if (at + 8 > bytes.length) throw corrupt('unexpected end of gzip data')
    if (
      crc32(member.bytes) !== uint32(bytes, at) ||
      member.bytes.length >>> 0 !== uint32(bytes, at + 4)
    ) {
      throw corrupt('gzip: invalid checksum')
    }
    at += 8
    members.push(member.bytes)
    total += member.bytes.length
  } while (bytes[at] === 0x1f && bytes[at + 1] === 0x8b)
  if (members.length === 1) return members[0]!
  const out = new Uint8Array(total)
  let written = 0
  for (const member of members) {
    out.set(member, written)
    written += member.length
  }
  return out
}

/** True when the bytes begin as gzip data does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Decompresses raw deflate data. @throws SourceError SOURCE_CORRUPT, BUDGET_EXCEEDED. Source: RFC 1951 */
export function inflateRaw(bytes: Uint8Array, limits: InflateLimits = {}): Uint8Array {
  return inflateFrom(bytes, 0, limits.maxBytes ?? defaultMaxBytes).bytes
}

function skipGzipHeader(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== 0x1f || bytes[start + 1] !== 0x8b || bytes[start + 2] !== 8) {
    throw corrupt('gzip: invalid header')
  }
  const flags = bytes[start + 3] ?? 0
  let at = start + 10
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256
  for (const flag of [8, 16]) {
    if (flags & flag) {
      const end = bytes.indexOf(0, at)
      if (end === -1) throw corrupt('gzip: invalid header')
      at = end + 1
    }
  }
  if (flags & 2) at += 2
  if (at > bytes.length) throw corrupt('gzip: invalid header')
  return at
}

// RFC 1951, 3.2.5: how much each length and distance symbol stands for, and how many bits are added to it
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
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const quickBits = 10

/** A canonical Huffman code: short codes by table, long ones bit by bit. */
interface Huffman {
  /** Next bits, lowest first → symbol × 16 + length; 0 for codes longer than `quickBits`. */
  readonly quick: Uint16Array
  /** How many codes there are of each length, and the symbols in the order of their codes. */
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

function buildHuffman(lengths: Uint8Array): Huffman {
  const counts = new Uint16Array(16)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  const offsets = new Uint16Array(17)
  const nextCode = new Uint16Array(16)
  let left = 1
  let code = 0
  let used = 0
  for (let length = 1; length < 16; length++) {
    left = left * 2 - counts[length]!
    if (left < 0) throw corrupt('deflate: too many codes')
    used += counts[length]!
    code = (code + counts[length - 1]!) << 1
    nextCode[length] = code
    offsets[length + 1] = offsets[length]! + counts[length]!
  }
  // an incomplete code is allowed only when it has at most one symbol
  if (left > 0 && used > 1) throw corrupt('deflate: incomplete code')
  const symbols = new Uint16Array(used)
  const quick = new Uint16Array(1 << quickBits)
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!
    if (length === 0) continue
    symbols[offsets[length]!++] = symbol
    const own = nextCode[length]!++
    if (length > quickBits) continue
    let reversed = 0
    for (let bit = 0; bit < length; bit++) reversed |= ((own >> bit) & 1) << (length - 1 - bit)
    for (let at = reversed; at < 1 << quickBits; at += 1 << length) quick[at] = symbol * 16 + length
  }
  return { quick, counts, symbols }
}

let fixed: readonly [Huffman, Huffman] | undefined
function fixedCodes(): readonly [Huffman, Huffman] {
  if (fixed === undefined) {
    const lengths = new Uint8Array(288)
    lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288)
    fixed = [buildHuffman(lengths), buildHuffman(new Uint8Array(32).fill(5))]
  }
  return fixed
}

function inflateFrom(
  input: Uint8Array,
  start: number,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly end: number } {
  let at = start
  let hold = 0
  let held = 0
  let out = new Uint8Array(Math.min(Math.max(64, (input.length - start) * 4), maxBytes))
  let written = 0

  const need = (count: number): void => {
    while (held < count) {
      if (at >= input.length) throw corrupt('unexpected end of compressed data')
      hold |= input[at++]! << held
      held += 8
    }
  }
  const take = (count: number): number => {
    need(count)
    const value = hold & ((1 << count) - 1)
    hold >>>= count
    held -= count
    return value
  }
  const room = (count: number): void => {
    if (written + count <= out.length) return
    if (written + count > maxBytes) {
      throw new SourceError(
        'BUDGET_EXCEEDED',
        `compressed data holds more than the ${maxBytes} bytes that are allowed`,
      )
    }
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(out.length * 2, written + count)))
    larger.set(out)
    out = larger
  }
  const decode = (code: Huffman): number => {
    while (held < 15 && at < input.length) {
      hold |= input[at++]! << held
      held += 8
    }
    const entry = code.quick[hold & ((1 << quickBits) - 1)]!
    if (entry !== 0 && (entry & 15) <= held) {
      hold >>>= entry & 15
      held -= entry & 15
      return entry >> 4
    }
    let value = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16 && length <= held; length++) {
      value |= (hold >>> (length - 1)) & 1
      const count = code.counts[length]!
      if (value - count < first) {
        hold >>>= length
        held -= length
        return code.symbols[index + (value - first)]!
      }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw corrupt(held < 15 ? 'unexpected end of compressed data' : 'deflate: invalid code')
  }
  const readCodes = (): readonly [Huffman, Huffman] => {
    const literals = take(5) + 257
    const distances = take(5) + 1
    const used = take(4) + 4
    if (literals > 286 || distances > 30) throw corrupt('deflate: too many codes')
    const order = new Uint8Array(19)
    for (let i = 0; i < used; i++) order[codeLengthOrder[i]!] = take(3)
    const code = buildHuffman(order)
    const lengths = new Uint8Array(literals + distances)
    for (let i = 0; i < lengths.length; ) {
      const symbol = decode(code)
      if (symbol < 16) {
        lengths[i++] = symbol
        continue
      }
      if (symbol === 16 && i === 0) throw corrupt('deflate: nothing to repeat')
      const value = symbol === 16 ? lengths[i - 1]! : 0
      const repeat = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7)
      if (i + repeat > lengths.length) throw corrupt('deflate: too many codes')
      lengths.fill(value, i, i + repeat)
      i += repeat
    }
    if (lengths[256] === 0) throw corrupt('deflate: no end of block')
    return [buildHuffman(lengths.subarray(0, literals)), buildHuffman(lengths.subarray(literals))]
  }

  for (let last = false; !last; ) {
    last = take(1) === 1
    const type = take(2)
    if (type === 0) {
      // whole bytes that were read ahead go back
      at -= held >> 3
      hold = 0
      held = 0
      if (at + 4 > input.length) throw corrupt('unexpected end of compressed data')
      const length = input[at]! + input[at + 1]! * 256
      if (length !== (~(input[at + 2]! + input[at + 3]! * 256) & 0xffff)) {
        throw corrupt('deflate: invalid stored block')
      }
      at += 4
      if (at + length > input.length) throw corrupt('unexpected end of compressed data')
      room(length)
      out.set(input.subarray(at, at + length), written)
      at += length
      written += length
      continue
    }
    if (type === 3) throw corrupt('deflate: invalid block')
    const [literalCode, distanceCode] = type === 1 ? fixedCodes() : readCodes()
    for (;;) {
      const symbol = decode(literalCode)
      if (symbol < 256) {
        if (written === out.length) room(1)
        out[written++] = symbol
        continue
      }
      if (symbol === 256) break
      if (symbol > 285) throw corrupt('deflate: invalid length')
      const length = lengthBase[symbol - 257]! + take(lengthExtra[symbol - 257]!)
      const back = decode(distanceCode)
      if (back > 29) throw corrupt('deflate: invalid distance')
      const distance = distanceBase[back]! + take(distanceExtra[back]!)
      if (distance > written) throw corrupt('deflate: distance too far back')
      room(length)
      if (distance >= length)
        out.copyWithin(written, written - distance, written - distance + length)
      else for (let i = 0; i < length; i++) out[written + i] = out[written + i - distance]!
      written += length
    }
  }
  return { bytes: out.length === written ? out : out.slice(0, written), end: at - (held >> 3) }
}

let crcTable: Uint32Array | undefined

/** The CRC-32 of gzip and zip. */
export function crc32(bytes: Uint8Array): number {
  if (crcTable === undefined) {
    crcTable = new Uint32Array(256)
    for (let i = 0; i < 256; i++) {
      let value = i
      for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
      crcTable[i] = value
    }
  }
  let crc = 0xffffffff
  for (let i = 0; i < bytes.length; i++) crc = crcTable[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function uint32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  )
}

function corrupt(message: string): SourceError {
  return new SourceError('SOURCE_CORRUPT', message)
}
