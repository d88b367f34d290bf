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

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

/**
 * Salsa20/8 of `state` mixed with the block at `from`, added to the state and written to `to` of `out`.
 *
 * Because: sixteen local numbers are several times faster than an array, and this runs a million times a password.
 */
function salsa8(
  state: Int32Array,
  words: Int32Array,
  from: number,
  out: Int32Array,
  to: number,
): void {
  for (let i = 0; i < 16; i++) state[i] = state[i]! ^ words[from + i]!
  let x0 = state[0]!
  let x1 = state[1]!
  let x2 = state[2]!
  let x3 = state[3]!
  let x4 = state[4]!
  let x5 = state[5]!
  let x6 = state[6]!
  let x7 = state[7]!
  let x8 = state[8]!
  let x9 = state[9]!
  let x10 = state[10]!
  let x11 = state[11]!
  let x12 = state[12]!
  let x13 = state[13]!
  let x14 = state[14]!
  let x15 = state[15]!
  for (let round = 0; round < 4; round++) {
    x4 ^= rotate(x0 + x12, 7)
    x8 ^= rotate(x4 + x0, 9)
    x12 ^= rotate(x8 + x4, 13)
    x0 ^= rotate(x12 + x8, 18)
    x9 ^= rotate(x5 + x1, 7)
    x13 ^= rotate(x9 + x5, 9)
    x1 ^= rotate(x13 + x9, 13)
    x5 ^= rotate(x1 + x13, 18)
    x14 ^= rotate(x10 + x6, 7)
    x2 ^= rotate(x14 + x10, 9)
    x6 ^= rotate(x2 + x14, 13)
    x10 ^= rotate(x6 + x2, 18)
    x3 ^= rotate(x15 + x11, 7)
    x7 ^= rotate(x3 + x15, 9)
    x11 ^= rotate(x7 + x3, 13)
    x15 ^= rotate(x11 + x7, 18)
    x1 ^= rotate(x0 + x3, 7)
    x2 ^= rotate(x1 + x0, 9)
    x3 ^= rotate(x2 + x1, 13)
    x0 ^= rotate(x3 + x2, 18)
    x6 ^= rotate(x5 + x4, 7)
    x7 ^= rotate(x6 + x5, 9)
    x4 ^= rotate(x7 + x6, 13)
    x5 ^= rotate(x4 + x7, 18)
    x11 ^= rotate(x10 + x9, 7)
    x8 ^= rotate(x11 + x10, 9)
    x9 ^= rotate(x8 + x11, 13)
    x10 ^= rotate(x9 + x8, 18)
    x12 ^= rotate(x15 + x14, 7)
    x13 ^= rotate(x12 + x15, 9)
    x14 ^= rotate(x13 + x12, 13)
    x15 ^= rotate(x14 + x13, 18)
  }
  state[0] = state[0]! + x0
  state[1] = state[1]! + x1
  state[2] = state[2]! + x2
  state[3] = state[3]! + x3
  state[4] = state[4]! + x4
  state[5] = state[5]! + x5
  state[6] = state[6]! + x6
  state[7] = state[7]! + x7
  state[8] = state[8]! + x8
  state[9] = state[9]! + x9
  state[10] = state[10]! + x10
  state[11] = state[11]! + x11
  state[12] = state[12]! + x12
  state[13] = state[13]! + x13
  state[14] = state[14]! + x14
  state[15] = state[15]! + x15
  out.set(state, to)
}

/** scryptBlockMix of `words` into `out`. */
function blockMix(words: Int32Array, out: Int32Array, r: number, state: Int32Array): void {
  state.set(words.subarray(words.length - 16))
  for (let i = 0; i < 2 * r; i++) salsa8(state, words, i * 16, out, ((i & 1) * r + (i >> 1)) * 16)
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
    const words = new Int32Array(size / 4)
    const mixed = new Int32Array(size / 4)
    const state = new Int32Array(16)
    for (let k = 0; k < words.length; k++) words[k] = view.getInt32(k * 4, true)
    const table = new Int32Array(n * words.length)
    for (let k = 0; k < n; k++) {
      table.set(words, k * words.length)
      blockMix(words, mixed, r, state)
      words.set(mixed)
    }
    for (let k = 0; k < n; k++) {
      const j = (words[words.length - 16]! & (n - 1)) * words.length
      for (let m = 0; m < words.length; m++) words[m] = words[m]! ^ table[j + m]!
      blockMix(words, mixed, r, state)
      words.set(mixed)
    }
    for (let k = 0; k < words.length; k++) view.setInt32(k * 4, words[k]!, true)
  }
  return pbkdf2(password, blocks, length)
}
