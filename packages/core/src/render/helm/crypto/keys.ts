import {
  bitString,
  der,
  derNull,
  integer,
  objectId,
  octetString,
  readDer,
  readInteger,
  readSequence,
  sequence,
} from './der.ts'
import { ed25519PublicKey, p256Order, p256PublicKey } from './elliptic.ts'
import { fromBytes, inverse, powMod, toBytes } from './numbers.ts'
import { formatPem, parsePem } from './pem.ts'
import { firstPrime, type PrimeTest } from './primes.ts'

/** Random bits for making keys. */
export interface KeySource {
  bytes(count: number): Uint8Array
}

export interface RsaKey {
  readonly type: 'rsa'
  readonly n: bigint
  readonly e: bigint
  readonly d: bigint
  readonly p: bigint
  readonly q: bigint
}
export interface DsaKey {
  readonly type: 'dsa'
  readonly p: bigint
  readonly q: bigint
  readonly g: bigint
  readonly y: bigint
  readonly x: bigint
}
export interface EcKey {
  readonly type: 'ecdsa'
  readonly secret: bigint
}
export interface EdKey {
  readonly type: 'ed25519'
  readonly seed: Uint8Array
}
export type PrivateKey = RsaKey | DsaKey | EcKey | EdKey

const publicExponent = 65537n

/** A number of exactly `bits` bits with the two highest set, so that products are long enough, and odd. */
function primeStart(source: KeySource, bits: number): bigint {
  const raw = fromBytes(source.bytes(bits / 8))
  return raw | (3n << BigInt(bits - 2)) | 1n
}

/** An RSA key of `bits` bits; the same source gives the same key, whatever tests for primes. */
export function makeRsaKey(bits: number, source: KeySource, test?: PrimeTest): RsaKey {
  const fits = (prime: bigint): boolean => (prime - 1n) % publicExponent !== 0n
  for (;;) {
    const first = firstPrime({ start: primeStart(source, bits / 2), step: 2n, fits, test })!
    const second = firstPrime({ start: primeStart(source, bits / 2), step: 2n, fits, test })!
    const [p, q] = first > second ? [first, second] : [second, first]
    const n = p * q
    if (p === q || n >> BigInt(bits) !== 0n) continue
    const d = inverse(publicExponent, (p - 1n) * (q - 1n))!
    return { type: 'rsa', n, e: publicExponent, d, p, q }
  }
}

/** A DSA key with parameters of 2048 and 256 bits. */
export function makeDsaKey(source: KeySource, test?: PrimeTest): DsaKey {
  const q = firstPrime({ start: primeStart(source, 256), step: 2n, test })!
  const step = 2n * q
  const fits = (candidate: bigint): boolean => candidate >> 2047n === 1n
  let p: bigint | undefined
  while (p === undefined) {
    const near = fromBytes(source.bytes(256)) | (1n << 2047n)
    p = firstPrime({ start: near - (near % step) + 1n, step, count: 8192, fits, test })
  }
  let h = 2n
  let g = powMod(h, (p - 1n) / q, p)
  while (g === 1n) g = powMod(++h, (p - 1n) / q, p)
  const x = (fromBytes(source.bytes(40)) % (q - 1n)) + 1n
  return { type: 'dsa', p, q, g, y: powMod(g, x, p), x }
}

/** A P-256 key. */
export function makeEcKey(source: KeySource): EcKey {
  return { type: 'ecdsa', secret: (fromBytes(source.bytes(48)) % (p256Order - 1n)) + 1n }
}

export function makeEdKey(source: KeySource): EdKey {
  return { type: 'ed25519', seed: source.bytes(32) }
}

const oidRsa = '1.2.840.113549.1.1.1'
const oidEc = '1.2.840.10045.2.1'
const oidP256 = '1.2.840.10045.3.1.7'
const oidEd25519 = '1.3.101.112'

/** The key as sprig prints it: PKCS#1, SEC 1, sprig's DSA form, or PKCS#8. */
export function formatPrivateKey(key: PrivateKey): string {
  switch (key.type) {
    case 'rsa': {
      const { n, e, d, p, q } = key
      const numbers = [0n, n, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)!]
      return formatPem({ type: 'RSA PRIVATE KEY', bytes: sequence(...numbers.map(integer)) })
    }
    case 'dsa': {
      const numbers = [0n, key.p, key.q, key.g, key.y, key.x]
      return formatPem({ type: 'DSA PRIVATE KEY', bytes: sequence(...numbers.map(integer)) })
    }
    case 'ecdsa':
      return formatPem({
        type: 'EC PRIVATE KEY',
        bytes: sequence(
          integer(1n),
          octetString(toBytes(key.secret, 32)),
          der(0xa0, objectId(oidP256)),
          der(0xa1, bitString(p256PublicKey(key.secret))),
        ),
      })
    case 'ed25519':
      return formatPem({
        type: 'PRIVATE KEY',
        bytes: sequence(
          integer(0n),
          sequence(objectId(oidEd25519)),
          octetString(octetString(key.seed)),
        ),
      })
  }
}

/** SubjectPublicKeyInfo of the public half. */
export function publicKeyInfo(key: PrivateKey): Uint8Array {
  switch (key.type) {
    case 'rsa':
      return sequence(
        sequence(objectId(oidRsa), derNull),
        bitString(sequence(integer(key.n), integer(key.e))),
      )
    case 'ecdsa':
      return sequence(
        sequence(objectId(oidEc), objectId(oidP256)),
        bitString(p256PublicKey(key.secret)),
      )
    case 'ed25519':
      return sequence(sequence(objectId(oidEd25519)), bitString(ed25519PublicKey(key.seed)))
    case 'dsa':
      throw new Error('a DSA key has no place in a certificate')
  }
}

/** A key, or what is wrong with the text in sprig's and Go's words. */
export function parsePrivateKey(text: string): PrivateKey | { readonly error: string } {
  const block = parsePem(text)
  if (block === undefined) return { error: 'no PEM data in input' }
  const { type, bytes } = block
  if (type === 'PRIVATE KEY') {
    return pkcs8(bytes) ?? { error: 'decoding PEM as PKCS#8: asn1: structure error: malformed key' }
  }
  if (!type.endsWith(' PRIVATE KEY')) {
    return { error: `no private key data in PEM block of type ${type}` }
  }
  const kind = type.slice(0, -' PRIVATE KEY'.length)
  switch (kind) {
    case 'RSA':
      return (
        pkcs1(bytes) ?? {
          error: 'parsing RSA private key from PEM: asn1: structure error: malformed key',
        }
      )
    case 'EC':
      return (
        sec1(bytes) ?? {
          error: 'parsing EC private key from PEM: x509: failed to parse EC private key',
        }
      )
    case 'DSA':
      return (
        dsa(bytes) ?? {
          error: 'parsing DSA private key from PEM: asn1: structure error: malformed key',
        }
      )
    default:
      return { error: `invalid private key type ${kind}` }
  }
}

function integers(bytes: Uint8Array, count: number): readonly bigint[] | undefined {
  const numbers = readSequence(bytes)?.map(readInteger)
  if (numbers === undefined || numbers.length < count || numbers.includes(undefined))
    return undefined
  return numbers as bigint[]
}

function pkcs1(bytes: Uint8Array): RsaKey | undefined {
  const numbers = integers(bytes, 9)
  if (numbers === undefined) return undefined
  const [, n, e, d, p, q] = numbers as [bigint, bigint, bigint, bigint, bigint, bigint]
  return p * q === n ? { type: 'rsa', n, e, d, p, q } : undefined
}

function dsa(bytes: Uint8Array): DsaKey | undefined {
  const numbers = integers(bytes, 6)
  if (numbers === undefined) return undefined
  const [, p, q, g, y, x] = numbers as [bigint, bigint, bigint, bigint, bigint, bigint]
  return { type: 'dsa', p, q, g, y, x }
}

function sec1(bytes: Uint8Array): EcKey | undefined {
  const [, secret] = readSequence(bytes) ?? []
  if (secret?.tag !== 0x04) return undefined
  return { type: 'ecdsa', secret: fromBytes(secret.content) }
}

function pkcs8(bytes: Uint8Array): PrivateKey | undefined {
  const [, algorithm, key] = readSequence(bytes) ?? []
  if (algorithm?.tag !== 0x30 || key?.tag !== 0x04) return undefined
  const id = readDer(algorithm.content)?.[0]?.raw
  const is = (oid: string): boolean => id !== undefined && sameBytes(id, objectId(oid))
  if (is(oidRsa)) return pkcs1(key.content)
  if (is(oidEc)) return sec1(key.content)
  if (!is(oidEd25519)) return undefined
  const seed = readDer(key.content)?.[0]
  return seed?.content.length === 32 ? { type: 'ed25519', seed: seed.content } : undefined
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
