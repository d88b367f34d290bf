interface Constants {
  readonly k256: Uint32Array
  readonly h256: Uint32Array
  readonly k512: BigUint64Array
  readonly h512: BigUint64Array
}

let known: Constants | undefined

/**
 * Fractional bits of cube and square roots of the first primes, as FIPS 180-4 defines the constants. SHA-256 takes the
 * first half of those of SHA-512. Made when they are first asked for: most runs of a program hash nothing.
 */
function constants(): Constants {
  if (known !== undefined) return known
  const primes: number[] = []
  for (let n = 2; primes.length < 80; n++) if (primes.every((p) => n % p !== 0)) primes.push(n)
  const cubeRoot = (prime: number): bigint => root(BigInt(prime) << 192n, 3n, Math.cbrt(prime))
  const squareRoot = (prime: number): bigint => root(BigInt(prime) << 128n, 2n, Math.sqrt(prime))
  // an array of 64-bit words keeps only the fraction
  const k512 = BigUint64Array.from(primes, cubeRoot)
  const h512 = BigUint64Array.from(primes.slice(0, 8), squareRoot)
  const upper = (word: bigint): number => Number(word >> 32n)
  known = {
    k512,
    h512,
    k256: Uint32Array.from(Array.from(k512.subarray(0, 64), upper)),
    h256: Uint32Array.from(Array.from(h512, upper)),
  }
  return known
}

/** The whole root of `value`, by Newton's way down from a little above `near` times 2 to the 64. */
function root(value: bigint, power: bigint, near: number): bigint {
  let at = BigInt(Math.ceil(near * 2 ** 32) + 1) << 32n
  for (;;) {
    const next = ((power - 1n) * at + value / at ** (power - 1n)) / power
    if (next >= at) return at
    at = next
  }
}

function pad(bytes: Uint8Array, block: number, lengthBytes: number): Uint8Array {
  const total = Math.ceil((bytes.length + 1 + lengthBytes) / block) * block
  const out = new Uint8Array(total)
  out.set(bytes)
  out[bytes.length] = 0x80
  new DataView(out.buffer).setBigUint64(total - 8, BigInt(bytes.length) * 8n)
  return out
}

/** SHA-1, 20 bytes. */
export function sha1(bytes: Uint8Array): Uint8Array {
  const data = pad(bytes, 64, 8)
  const view = new DataView(data.buffer)
  let [a0, b0, c0, d0, e0] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  const w = new Int32Array(80)
  for (let offset = 0; offset < data.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4)
    for (let i = 16; i < 80; i++) {
      const x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!
      w[i] = (x << 1) | (x >>> 31)
    }
    let [a, b, c, d, e] = [a0 | 0, b0 | 0, c0 | 0, d0 | 0, e0 | 0]
    for (let i = 0; i < 80; i++) {
      const [f, k] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6]
      const next = (((a << 5) | (a >>> 27)) + f + e + k + w[i]!) | 0
      e = d
      d = c
      c = (b << 30) | (b >>> 2)
      b = a
      a = next
    }
    a0 = (a0 + a) | 0
    b0 = (b0 + b) | 0
    c0 = (c0 + c) | 0
    d0 = (d0 + d) | 0
    e0 = (e0 + e) | 0
  }
  const out = new DataView(new ArrayBuffer(20))
  for (const [i, word] of [a0, b0, c0, d0, e0].entries()) out.setInt32(i * 4, word)
  return new Uint8Array(out.buffer)
}

const w256 = new Int32Array(64)

/** SHA-256, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const data = pad(bytes, 64, 8)
  const view = new DataView(data.buffer)
  const { h256, k256 } = constants()
  const h = Int32Array.from(h256)
  const w = w256
  for (let offset = 0; offset < data.length; offset += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4)
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
    }
    let a = h[0]!
    let b = h[1]!
    let c = h[2]!
    let d = h[3]!
    let e = h[4]!
    let f = h[5]!
    let g = h[6]!
    let last = h[7]!
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (last + s1 + ((e & f) ^ (~e & g)) + k256[i]! + w[i]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      last = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    h[0] = h[0]! + a
    h[1] = h[1]! + b
    h[2] = h[2]! + c
    h[3] = h[3]! + d
    h[4] = h[4]! + e
    h[5] = h[5]! + f
    h[6] = h[6]! + g
    h[7] = h[7]! + last
  }
  const out = new DataView(new ArrayBuffer(32))
  for (let i = 0; i < 8; i++) out.setInt32(i * 4, h[i]!)
  return new Uint8Array(out.buffer)
}

/** SHA-512, 64 bytes. */
export function sha512(bytes: Uint8Array): Uint8Array {
  const data = pad(bytes, 128, 16)
  const view = new DataView(data.buffer)
  const { h512, k512: k } = constants()
  const h = h512.slice()
  const w = new BigUint64Array(80)
  const mask = (1n << 64n) - 1n
  const rotate = (x: bigint, n: bigint): bigint => ((x >> n) | (x << (64n - n))) & mask
  for (let offset = 0; offset < data.length; offset += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(offset + i * 8)
    for (let i = 16; i < 80; i++) {
      const x = w[i - 15]!
      const y = w[i - 2]!
      const s0 = rotate(x, 1n) ^ rotate(x, 8n) ^ (x >> 7n)
      const s1 = rotate(y, 19n) ^ rotate(y, 61n) ^ (y >> 6n)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    let [a, b, c, d, e, f, g, last] = [...h] as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ]
    for (let i = 0; i < 80; i++) {
      const s1 = rotate(e, 14n) ^ rotate(e, 18n) ^ rotate(e, 41n)
      const t1 = (last + s1 + ((e & f) ^ (~e & mask & g)) + k[i]! + w[i]!) & mask
      const s0 = rotate(a, 28n) ^ rotate(a, 34n) ^ rotate(a, 39n)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) & mask
      last = g
      g = f
      f = e
      e = (d + t1) & mask
      d = c
      c = b
      b = a
      a = (t1 + t2) & mask
    }
    for (const [i, word] of [a, b, c, d, e, f, g, last].entries()) h[i] = h[i]! + word
  }
  const out = new DataView(new ArrayBuffer(64))
  for (let i = 0; i < 8; i++) out.setBigUint64(i * 8, h[i]!)
  return new Uint8Array(out.buffer)
}

/** HMAC with SHA-256. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64)
  block.set(key.length > 64 ? sha256(key) : key)
  const inner = new Uint8Array(64 + message.length)
  const outer = new Uint8Array(96)
  for (let i = 0; i < 64; i++) {
    inner[i] = block[i]! ^ 0x36
    outer[i] = block[i]! ^ 0x5c
  }
  inner.set(message, 64)
  outer.set(sha256(inner), 64)
  return sha256(outer)
}

/** The Adler-32 checksum. */
export function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
}

/** Lower-case hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += (byte < 16 ? '0' : '') + byte.toString(16)
  return out
}
