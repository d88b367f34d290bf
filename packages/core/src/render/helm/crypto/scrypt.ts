import { hmacSha256 } from '../../../text/index.ts'
import { concatBytes } from './numbers.ts'

/** PBKDF2 with HMAC-SHA-256 and a single round. */
function pbkdf2(password: Uint8Array, salt: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = []
  for (let i = 1; blocks.length * 32 < length; i++) {
    const index = new Uint8Array(4)
    new DataView(index.buffer).setUint32(0, i)
    blocks.push(hmacSha256(password, concatBytes(salt, index)))
  }
  return concatBytes(...blocks).slice(0, length)
}

function salsa8(block: Int32Array): void {
  const x = Int32Array.from(block)
  const mix = (to: number, a: number, b: number, bits: number): void => {
    const sum = (x[a]! + x[b]!) | 0
    x[to] = x[to]! ^ ((sum << bits) | (sum >>> (32 - bits)))
  }
  const quarter = (a: number, b: number, c: number, d: number): void => {
    mix(b, a, d, 7)
    mix(c, b, a, 9)
    mix(d, c, b, 13)
    mix(a, d, c, 18)
  }
  for (let round = 0; round < 4; round++) {
    quarter(0, 4, 8, 12)
    quarter(5, 9, 13, 1)
    quarter(10, 14, 2, 6)
    quarter(15, 3, 7, 11)
    quarter(0, 1, 2, 3)
    quarter(5, 6, 7, 4)
    quarter(10, 11, 8, 9)
    quarter(15, 12, 13, 14)
  }
  for (let i = 0; i < 16; i++) block[i] = block[i]! + x[i]!
}

function blockMix(words: Int32Array, r: number): Int32Array {
  const out = new Int32Array(words.length)
  const x = words.slice(-16)
  for (let i = 0; i < 2 * r; i++) {
    for (let k = 0; k < 16; k++) x[k] = x[k]! ^ words[i * 16 + k]!
    salsa8(x)
    out.set(x, ((i & 1) * r + (i >> 1)) * 16)
  }
  return out
}

/** scrypt, RFC 7914. `n` is a power of two; takes 128 · n · r bytes while it runs. */
export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  n: number,
  r: number,
  p: number,
  length: number,
): Uint8Array {
  const size = 128 * r
  const blocks = pbkdf2(password, salt, p * size)
  for (let i = 0; i < p; i++) {
    const view = new DataView(blocks.buffer, i * size, size)
    let words = new Int32Array(size / 4)
    for (let k = 0; k < words.length; k++) words[k] = view.getInt32(k * 4, true)
    const table = new Int32Array(n * words.length)
    for (let k = 0; k < n; k++) {
      table.set(words, k * words.length)
      words = blockMix(words, r) as Int32Array<ArrayBuffer>
    }
    for (let k = 0; k < n; k++) {
      const j = words[words.length - 16]! & (n - 1)
      for (let m = 0; m < words.length; m++) words[m] = words[m]! ^ table[j * words.length + m]!
      words = blockMix(words, r) as Int32Array<ArrayBuffer>
    }
    for (let k = 0; k < words.length; k++) view.setInt32(k * 4, words[k]!, true)
  }
  return pbkdf2(password, blocks, length)
}
