import { sha256, textToBytes } from '../../../text/index.ts'
import {
  bitString,
  type DerElement,
  der,
  derNull,
  integer,
  objectId,
  octetString,
  readDer,
  readSequence,
  sequence,
} from './der.ts'
import { ed25519Sign, p256Order, p256Sign } from './elliptic.ts'
import { type KeySource, type PrivateKey, publicKeyInfo, type RsaKey, sameBytes } from './keys.ts'
import { bitLength, concatBytes, fromBytes, inverse, powMod, toBytes } from './numbers.ts'

export interface CertificateRequest {
  readonly commonName: string
  readonly serial: bigint
  /** Seconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
  readonly isAuthority: boolean
  readonly dnsNames: readonly string[]
  /** Four or sixteen bytes each. */
  readonly addresses: readonly Uint8Array[]
}

/** What signing needs of the certificate of the signer. */
export interface Issuer {
  /** The Name as it is encoded there. */
  readonly subject: Uint8Array
  readonly keyId: Uint8Array | undefined
}

const oidCommonName = '2.5.4.3'

/** The Name of a subject that has a common name alone. */
function nameOf(commonName: string): Uint8Array {
  if (commonName === '') return sequence()
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/.test(commonName)
  const value = der(isPrintable ? 0x13 : 0x0c, textToBytes(commonName))
  return sequence(der(0x31, sequence(objectId(oidCommonName), value)))
}

/** UTCTime up to 2049, GeneralizedTime beyond. */
function time(seconds: number): Uint8Array {
  const text = new Date(seconds * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 14) + 'Z'
  const year = Number(text.slice(0, 4))
  return year >= 1950 && year < 2050
    ? der(0x17, textToBytes(text.slice(2)))
    : der(0x18, textToBytes(text))
}

function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  const flag = critical ? [Uint8Array.of(0x01, 0x01, 0xff)] : []
  return sequence(objectId(id), ...flag, octetString(value))
}

/** The first 20 bytes of the SHA-256 of the public key bits, as RFC 7093 proposes and Go does since 1.25. */
export function keyIdOf(publicInfo: Uint8Array): Uint8Array {
  const bits = readSequence(publicInfo)![1]!.content.subarray(1)
  return sha256(bits).subarray(0, 20)
}

function extensions(
  request: CertificateRequest,
  keyId: Uint8Array | undefined,
  authorityKeyId: Uint8Array | undefined,
): Uint8Array {
  const { isAuthority, dnsNames, addresses } = request
  const usage = isAuthority ? 0xa4 : 0xa0 // digitalSignature, keyEncipherment, keyCertSign
  const list = [
    extension('2.5.29.15', true, bitString(Uint8Array.of(usage), isAuthority ? 2 : 5)),
    extension(
      '2.5.29.37',
      false,
      sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2')),
    ),
    extension(
      '2.5.29.19',
      true,
      isAuthority ? sequence(Uint8Array.of(0x01, 0x01, 0xff)) : sequence(),
    ),
  ]
  if (keyId !== undefined) list.push(extension('2.5.29.14', false, octetString(keyId)))
  if (authorityKeyId !== undefined) {
    list.push(extension('2.5.29.35', false, sequence(der(0x80, authorityKeyId))))
  }
  if (dnsNames.length + addresses.length > 0) {
    const names = [
      ...dnsNames.map((name) => der(0x82, textToBytes(name))),
      ...addresses.map((address) => der(0x87, address)),
    ]
    const critical = request.commonName === ''
    list.push(extension('2.5.29.17', critical, sequence(...names)))
  }
  return der(0xa3, sequence(...list))
}

function signatureAlgorithm(key: PrivateKey): Uint8Array {
  switch (key.type) {
    case 'rsa':
      return sequence(objectId('1.2.840.113549.1.1.11'), derNull)
    case 'ecdsa':
      return sequence(objectId('1.2.840.10045.4.3.2'))
    case 'ed25519':
      return sequence(objectId('1.3.101.112'))
    case 'dsa':
      throw new Error('a DSA key cannot sign certificates')
  }
}

function sign(key: PrivateKey, message: Uint8Array, source: KeySource): Uint8Array {
  switch (key.type) {
    case 'rsa':
      return signRsa(key, sha256(message))
    case 'ecdsa':
      for (;;) {
        const nonce = (fromBytes(source.bytes(48)) % (p256Order - 1n)) + 1n
        const signature = p256Sign(key.secret, sha256(message), nonce)
        if (signature !== undefined) return sequence(integer(signature.r), integer(signature.s))
      }
    case 'ed25519':
      return ed25519Sign(key.seed, message)
    case 'dsa':
      throw new Error('a DSA key cannot sign certificates')
  }
}

const sha256Prefix = Uint8Array.of(
  0x30,
  0x31,
  0x30,
  0x0d,
  0x06,
  0x09,
  0x60,
  0x86,
  0x48,
  0x01,
  0x65,
  0x03,
  0x04,
  0x02,
  0x01,
  0x05,
  0x00,
  0x04,
  0x20,
)

/** RSASSA-PKCS1-v1_5 with SHA-256, by the Chinese remainder theorem. */
function signRsa(key: RsaKey, digest: Uint8Array): Uint8Array {
  const size = Math.ceil(bitLength(key.n) / 8)
  const info = concatBytes(sha256Prefix, digest)
  const filler = new Uint8Array(size - info.length - 3).fill(0xff)
  const padded = concatBytes(Uint8Array.of(0, 1), filler, Uint8Array.of(0), info)
  const m = fromBytes(padded)
  const { p, q, d } = key
  const m1 = powMod(m, d % (p - 1n), p)
  const m2 = powMod(m, d % (q - 1n), q)
  const h = ((((m1 - m2) * inverse(q, p)!) % p) + p) % p
  return toBytes(m2 + h * q, size)
}

/** A certificate for the key of the subject, signed by the issuer's key; `issuer` undefined signs itself. */
export function makeCertificate(
  request: CertificateRequest,
  subjectKey: PrivateKey,
  issuer: Issuer | undefined,
  issuerKey: PrivateKey,
  source: KeySource,
): Uint8Array {
  const algorithm = signatureAlgorithm(issuerKey)
  const info = publicKeyInfo(subjectKey)
  const subject = nameOf(request.commonName)
  const keyId = request.isAuthority ? keyIdOf(info) : undefined
  const isSelf = issuer === undefined || sameBytes(issuer.subject, subject)
  const body = sequence(
    der(0xa0, integer(2n)),
    integer(request.serial),
    algorithm,
    issuer?.subject ?? subject,
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    info,
    extensions(request, keyId, isSelf ? undefined : issuer?.keyId),
  )
  return sequence(body, algorithm, bitString(sign(issuerKey, body, source)))
}

/** The subject and key id of a certificate; undefined when it cannot be read. */
export function readCertificate(
  bytes: Uint8Array,
): (Issuer & { readonly publicInfo: Uint8Array }) | undefined {
  const [body] = readSequence(bytes) ?? []
  const fields = body?.tag === 0x30 ? readDer(body.content) : undefined
  if (fields === undefined) return undefined
  const start = fields[0]?.tag === 0xa0 ? 1 : 0
  const subject = fields[start + 4]
  const info = fields[start + 5]
  if (subject?.tag !== 0x30 || info?.tag !== 0x30) return undefined
  return { subject: subject.raw, keyId: keyIdIn(fields), publicInfo: info.raw }
}

function keyIdIn(fields: readonly DerElement[]): Uint8Array | undefined {
  const holder = fields.find(({ tag }) => tag === 0xa3)
  const list = holder === undefined ? undefined : readSequence(holder.content)
  const wanted = objectId('2.5.29.14')
  for (const element of list ?? []) {
    const parts = readDer(element.content)
    if (parts?.[0] !== undefined && sameBytes(parts[0].raw, wanted)) {
      return readDer(parts.at(-1)!.content)?.[0]?.content
    }
  }
  return undefined
}
