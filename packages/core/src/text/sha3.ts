const mask = (1n << 64n) - 1n
const rate = 72 // bytes taken in per round for a digest of 64

const rotations: number[] = new Array(25).fill(0)
const roundConstants: bigint[] = []

/** FIPS 202: rotation offsets and round constants from their definitions. */
function initialise(): void {
  let [x, y] = [1, 0]
  for (let t = 0; t < 24; t++) {
    rotations[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  let register = 1
  for (let round = 0; round < 24; round++) {
    let constant = 0n
    for (let j = 0; j < 7; j++) {
      if (register & 1) constant |= 1n << BigInt((1 << j) - 1)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    roundConstants.push(constant)
  }
}
initialise()

function rotate(value: bigint, by: number): bigint {
  const shift = BigInt(by)
  return ((value << shift) | (value >> (64n - shift))) & mask
}

function permute(state: bigint[]): void {
  const column: bigint[] = [0n, 0n, 0n, 0n, 0n]
  const moved: bigint[] = new Array<bigint>(25).fill(0n)
  for (const constant of roundConstants) {
    for (let x = 0; x < 5; x++) {
      let parity = 0n
      for (let y = 0; y < 25; y += 5) parity ^= state[x + y]!
      column[x] = parity
    }
    for (let x = 0; x < 5; x++) {
      const change = column[(x + 4) % 5]! ^ rotate(column[(x + 1) % 5]!, 1)
      for (let y = 0; y < 25; y += 5) state[x + y] = state[x + y]! ^ change
    }
    for (let x = 0; x < 5; x++) {
      for (let y = 0; y < 5; y++) {
        moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(state[x + 5 * y]!, rotations[x + 5 * y]!)
      }
    }
    for (let y = 0; y < 25; y += 5) {
      for (let x = 0; x < 5; x++) {
        const next = ~moved[((x + 1) % 5) + y]! & mask
        state[x + y] = moved[x + y]! ^ (next & moved[((x + 2) % 5) + y]!)
      }
    }
    state[0] = state[0]! ^ constant
  }
}

/** SHA3-512, 64 bytes. */
export function sha3(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate)
  padded.set(bytes)
  padded[bytes.length] = 0x06
  padded[padded.length - 1]! |= 0x80
  const view = new DataView(padded.buffer)
  const state = new Array<bigint>(25).fill(0n)
  for (let block = 0; block < padded.length; block += rate) {
    for (let i = 0; i < rate / 8; i++) {
      state[i] = state[i]! ^ view.getBigUint64(block + i * 8, true)
    }
    permute(state)
  }
  const out = new DataView(new ArrayBuffer(64))
  for (let i = 0; i < 8; i++) out.setBigUint64(i * 8, state[i]!, true)
  return new Uint8Array(out.buffer)
}
