const sbox = new Uint8Array(256)
const inverseSbox = new Uint8Array(256)

/** The substitution box of FIPS 197: inverse in GF(2^8), then an affine map. Filled by the first cipher. */
function fillBoxes(): void {
  if (sbox[0] !== 0) return
  let p = 1
  let q = 1
  do {
    p = p ^ ((p << 1) & 0xff) ^ (p & 0x80 ? 0x1b : 0)
    q ^= q << 1
    q ^= q << 2
    q ^= q << 4
    q &= 0xff
    if (q & 0x80) q ^= 0x09
    const rotate = (n: number): number => ((q << n) | (q >> (8 - n))) & 0xff
    sbox[p] = q ^ rotate(1) ^ rotate(2) ^ rotate(3) ^ rotate(4) ^ 0x63
  } while (p !== 1)
  sbox[0] = 0x63
  for (let i = 0; i < 256; i++) inverseSbox[sbox[i]!] = i
}

function double(byte: number): number {
  return ((byte << 1) ^ (byte & 0x80 ? 0x1b : 0)) & 0xff
}

function times(a: number, b: number): number {
  let product = 0
  for (let x = a, y = b; y > 0; y >>= 1, x = double(x)) if (y & 1) product ^= x
  return product
}

/** AES-256 in CBC mode over whole blocks. */
export class AesCbc {
  private readonly keys: Uint8Array
  private static readonly rounds = 14

  constructor(key: Uint8Array) {
    fillBoxes()
    const size = 16 * (AesCbc.rounds + 1)
    const keys = new Uint8Array(size)
    keys.set(key)
    let constant = 1
    for (let i = 32; i < size; i += 4) {
      let word = Array.from(keys.subarray(i - 4, i))
      if (i % 32 === 0) {
        word = [word[1]!, word[2]!, word[3]!, word[0]!].map((byte) => sbox[byte]!)
        word[0] = word[0]! ^ constant
        constant = double(constant)
      } else if (i % 32 === 16) word = word.map((byte) => sbox[byte]!)
      for (let k = 0; k < 4; k++) keys[i + k] = keys[i + k - 32]! ^ word[k]!
    }
    this.keys = keys
  }

  encrypt(plain: Uint8Array, iv: Uint8Array): Uint8Array {
    const out = new Uint8Array(plain.length)
    let previous = iv
    for (let i = 0; i < plain.length; i += 16) {
      const block = plain.slice(i, i + 16).map((byte, k) => byte ^ previous[k]!)
      previous = this.encryptBlock(block)
      out.set(previous, i)
    }
    return out
  }

  decrypt(cipher: Uint8Array, iv: Uint8Array): Uint8Array {
    const out = new Uint8Array(cipher.length)
    let previous = iv
    for (let i = 0; i < cipher.length; i += 16) {
      const block = cipher.slice(i, i + 16)
      out.set(
        this.decryptBlock(block).map((byte, k) => byte ^ previous[k]!),
        i,
      )
      previous = block
    }
    return out
  }

  private addKey(state: Uint8Array, round: number): void {
    for (let i = 0; i < 16; i++) state[i] = state[i]! ^ this.keys[round * 16 + i]!
  }

  private encryptBlock(block: Uint8Array): Uint8Array {
    const state = block.slice()
    this.addKey(state, 0)
    for (let round = 1; round <= AesCbc.rounds; round++) {
      const shifted = state.map((_, i) => sbox[state[(i + 4 * (i % 4)) % 16]!]!)
      state.set(round === AesCbc.rounds ? shifted : mixColumns(shifted, [2, 3, 1, 1]))
      this.addKey(state, round)
    }
    return state
  }

  private decryptBlock(block: Uint8Array): Uint8Array {
    const state = block.slice()
    this.addKey(state, AesCbc.rounds)
    for (let round = AesCbc.rounds - 1; round >= 0; round--) {
      state.set(state.map((_, i) => inverseSbox[state[(i + 16 - 4 * (i % 4)) % 16]!]!))
      this.addKey(state, round)
      if (round > 0) state.set(mixColumns(state, [14, 11, 13, 9]))
    }
    return state
  }
}

function mixColumns(state: Uint8Array, factors: readonly number[]): Uint8Array {
  return state.map((_, i) => {
    const column = i - (i % 4)
    let sum = 0
    for (let k = 0; k < 4; k++) sum ^= times(state[column + k]!, factors[(k - (i % 4) + 4) % 4]!)
    return sum
  })
}
