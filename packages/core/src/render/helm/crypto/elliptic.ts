import { sha512 } from '../../../text/index.ts'
import { concatBytes, fromBytes, inverse, toBytes } from './numbers.ts'

// NIST P-256, FIPS 186-4 D.1.2.3
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const generator: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

interface Point {
  readonly x: bigint
  readonly y: bigint
}

export const p256Order: bigint = n

const mod = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

/** undefined is the point at infinity. */
function add(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  let slope: bigint
  if (a.x === b.x) {
    if (a.y !== b.y || a.y === 0n) return undefined
    slope = mod((3n * a.x * a.x - 3n) * inverse(2n * a.y, p)!, p)
  } else slope = mod((b.y - a.y) * inverse(mod(b.x - a.x, p), p)!, p)
  const x = mod(slope * slope - a.x - b.x, p)
  return { x, y: mod(slope * (a.x - x) - a.y, p) }
}

function multiply(point: Point, scalar: bigint): Point | undefined {
  let result: Point | undefined
  let addend: Point | undefined = point
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = add(result, addend)
    addend = add(addend, addend)
  }
  return result
}

/** The uncompressed public point of a P-256 key. */
export function p256PublicKey(secret: bigint): Uint8Array {
  const point = multiply(generator, secret)!
  return concatBytes(Uint8Array.of(4), toBytes(point.x, 32), toBytes(point.y, 32))
}

/** An ECDSA signature of a digest with the nonce given; undefined when the nonce will not do. */
export function p256Sign(
  secret: bigint,
  digest: Uint8Array,
  nonce: bigint,
): { readonly r: bigint; readonly s: bigint } | undefined {
  const r = mod(multiply(generator, nonce)?.x ?? 0n, n)
  const s = mod(inverse(nonce, n)! * (fromBytes(digest) + r * secret), n)
  return r === 0n || s === 0n ? undefined : { r, s }
}

// edwards25519, RFC 8032
const q = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const d = mod(-121665n * inverse(121666n, q)!, q)
const base: Point = {
  x: 15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  y: 46316835694926478169428394003475163141307993866256225615783033603165251855960n,
}

function addEdwards(a: Point, b: Point): Point {
  const product = mod(d * a.x * b.x * a.y * b.y, q)
  return {
    x: mod((a.x * b.y + b.x * a.y) * inverse(1n + product, q)!, q),
    y: mod((a.y * b.y + a.x * b.x) * inverse(mod(1n - product, q), q)!, q),
  }
}

function multiplyEdwards(point: Point, scalar: bigint): Point {
  let result: Point = { x: 0n, y: 1n }
  let addend = point
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = addEdwards(result, addend)
    addend = addEdwards(addend, addend)
  }
  return result
}

function littleEndian(bytes: Uint8Array): bigint {
  return fromBytes(bytes.toReversed())
}

function encodePoint(point: Point): Uint8Array {
  const bytes = toBytes(point.y, 32).toReversed()
  bytes[31] = bytes[31]! | (point.x % 2n === 1n ? 0x80 : 0)
  return bytes
}

function expand(seed: Uint8Array): { readonly scalar: bigint; readonly prefix: Uint8Array } {
  const hash = sha512(seed)
  const low = hash.slice(0, 32)
  low[0] = low[0]! & 248
  low[31] = (low[31]! & 127) | 64
  return { scalar: littleEndian(low), prefix: hash.slice(32) }
}

/** The public key of an Ed25519 seed. */
export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  return encodePoint(multiplyEdwards(base, expand(seed).scalar))
}

/** An Ed25519 signature. */
export function ed25519Sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const { scalar, prefix } = expand(seed)
  const r = littleEndian(sha512(concatBytes(prefix, message))) % order
  const point = encodePoint(multiplyEdwards(base, r))
  const challenge =
    littleEndian(sha512(concatBytes(point, ed25519PublicKey(seed), message))) % order
  return concatBytes(point, toBytes((r + challenge * scalar) % order, 32).toReversed())
}
