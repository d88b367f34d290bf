import bcrypt from 'bcryptjs'
import {
  type CallContext,
  FunctionFailure,
  formatValue,
  Struct,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import {
  bytesToText,
  decodeBase64,
  encodeBase64,
  hmacSha256,
  textToBytes,
} from '../../../text/index.ts'
import {
  AesCbc,
  type CertificateRequest,
  concatBytes,
  formatPem,
  formatPrivateKey,
  fromBytes,
  type Issuer,
  makeCertificate,
  makeDsaKey,
  makeEcKey,
  makeEdKey,
  makeRsaKey,
  type PrivateKey,
  parsePem,
  parsePrivateKey,
  readCertificate,
  scrypt,
} from '../crypto/index.ts'
import { define, type FunctionList } from './define.ts'
import { hostOf } from './host.ts'
import { addressBytes } from './ip.ts'

export const cryptoFunctions: FunctionList = [
  ['bcrypt', define('s', ([password], context) => bcryptText(password, context))],
  [
    'htpasswd',
    define('ss', ([user, password], context) =>
      user.includes(':') ? `invalid username: ${user}` : `${user}:${bcryptText(password, context)}`,
    ),
  ],
  ['genPrivateKey', define('s', ([type], context) => generateKey(type, context))],
  [
    'derivePassword',
    define('ussss', ([counter, type, password, user, site], context) => {
      // scrypt with the parameters of Master Password is a second of work
      context.run.charge(500_000)
      return derivePassword(counter, type, password, user, site)
    }),
  ],
  ['buildCustomCert', define('ss', ([cert, key]) => buildCustomCert(cert, key))],
  ['genCA', define('si', ([cn, days], context) => authority(cn, days, newRsa(context), context))],
  [
    'genCAWithKey',
    define('sis', ([cn, days, pem], context) => authority(cn, days, givenKey(pem), context)),
  ],
  [
    'genSelfSignedCert',
    define('slli', ([cn, ips, dns, days], context) =>
      selfSigned(cn, ips, dns, days, newRsa(context), context),
    ),
  ],
  [
    'genSelfSignedCertWithKey',
    define('sllis', ([cn, ips, dns, days, pem], context) =>
      selfSigned(cn, ips, dns, days, givenKey(pem), context),
    ),
  ],
  [
    'genSignedCert',
    define('sllic', ([cn, ips, dns, days, ca], context) =>
      signed(cn, ips, dns, days, ca, () => newRsa(context), context),
    ),
  ],
  [
    'genSignedCertWithKey',
    define('sllics', ([cn, ips, dns, days, ca, pem], context) => {
      const key = givenKey(pem)
      return signed(cn, ips, dns, days, ca, () => key, context)
    }),
  ],
  ['encryptAES', define('ss', ([password, text], context) => encryptAes(password, text, context))],
  ['decryptAES', define('ss', ([password, text]) => decryptAes(password, text))],
]

function bcryptText(password: string, context: CallContext): string {
  const bytes = textToBytes(password)
  if (bytes.length > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes'
  }
  context.run.charge(20_000)
  const salt = bcrypt.encodeBase64(hostOf(context).stream.bytes(16), 16)
  return bcrypt.hashSync(password, `$2a$10$${salt}`)
}

function newRsa(context: CallContext): PrivateKey {
  return rsa(2048, context)
}

function rsa(bits: number, context: CallContext): PrivateKey {
  const { chance, stream } = hostOf(context)
  context.run.charge(bits * 100)
  return makeRsaKey(bits, stream, chance.isProbablePrime?.bind(chance))
}

function generateKey(type: string, context: CallContext): string {
  const { chance, stream } = hostOf(context)
  switch (type) {
    case '':
    case 'rsa':
      return formatPrivateKey(rsa(4096, context))
    case 'dsa':
      context.run.charge(200_000)
      return formatPrivateKey(makeDsaKey(stream, chance.isProbablePrime?.bind(chance)))
    case 'ecdsa':
      return formatPrivateKey(makeEcKey(stream))
    case 'ed25519':
      return formatPrivateKey(makeEdKey(stream))
    default:
      return `Unknown type ${type}`
  }
}

function givenKey(pem: string): PrivateKey {
  const key = parsePrivateKey(pem)
  if ('error' in key) throw new FunctionFailure(`parsing private key: ${key.error}`)
  return key
}

function certificate(cert: string, key: string): Struct {
  return new Struct('sprig.certificate', [
    ['Cert', cert],
    ['Key', key],
  ])
}

function request(
  commonName: string,
  ips: readonly Value[] | undefined,
  dns: readonly Value[] | undefined,
  days: bigint,
  context: CallContext,
): CertificateRequest {
  const addresses = (ips ?? []).map((ip) => {
    if (typeof ip !== 'string') {
      throw new FunctionFailure(`error parsing ip: ${formatValue(ip)} is not a string`)
    }
    const bytes = addressBytes(ip)
    if (bytes === undefined) throw new FunctionFailure(`error parsing ip: ${ip}`)
    return bytes
  })
  const dnsNames = (dns ?? []).map((name) => {
    if (typeof name !== 'string') {
      throw new FunctionFailure(
        `error processing alternate dns name: ${formatValue(name)} is not a string`,
      )
    }
    return name
  })
  const { chance, stream } = hostOf(context)
  const notBefore = chance.now().unixSeconds
  return {
    commonName,
    serial: fromBytes(stream.bytes(16)),
    notBefore,
    notAfter: notBefore + Number(days) * 86_400,
    isAuthority: false,
    dnsNames,
    addresses,
  }
}

function issue(
  wanted: CertificateRequest,
  key: PrivateKey,
  issuer: Issuer | undefined,
  issuerKey: PrivateKey,
  context: CallContext,
): Struct {
  for (const used of [key, issuerKey]) {
    if (used.type === 'dsa') {
      throw new FunctionFailure(
        'error creating certificate: x509: unsupported public key type: *dsa.PublicKey',
      )
    }
  }
  const bytes = makeCertificate(wanted, key, issuer, issuerKey, hostOf(context).stream)
  return certificate(formatPem({ type: 'CERTIFICATE', bytes }), formatPrivateKey(key))
}

function authority(cn: string, days: bigint, key: PrivateKey, context: CallContext): Struct {
  const wanted = { ...request(cn, [], [], days, context), isAuthority: true }
  return issue(wanted, key, undefined, key, context)
}

function selfSigned(
  cn: string,
  ips: readonly Value[],
  dns: readonly Value[],
  days: bigint,
  key: PrivateKey,
  context: CallContext,
): Struct {
  return issue(request(cn, ips, dns, days, context), key, undefined, key, context)
}

function signed(
  cn: string,
  ips: readonly Value[],
  dns: readonly Value[],
  days: bigint,
  ca: Struct,
  makeKey: () => PrivateKey,
  context: CallContext,
): Struct {
  const block = parsePem(String(ca.fields.get('Cert')))
  if (block === undefined) throw new FunctionFailure('unable to decode certificate')
  const issuer = readCertificate(block.bytes)
  if (issuer === undefined) {
    throw new FunctionFailure(
      'error parsing certificate: decodedSignerCert.Bytes: x509: malformed certificate',
    )
  }
  const issuerKey = parsePrivateKey(String(ca.fields.get('Key')))
  if ('error' in issuerKey) {
    throw new FunctionFailure(`error parsing private key: ${issuerKey.error}`)
  }
  const wanted = request(cn, ips, dns, days, context)
  return issue(wanted, makeKey(), issuer, issuerKey, context)
}

function buildCustomCert(cert64: string, key64: string): Struct {
  const cert = decodeBase64(textToBytes(cert64))
  if (!(cert instanceof Uint8Array)) {
    throw new FunctionFailure('unable to decode base64 certificate')
  }
  const key = decodeBase64(textToBytes(key64))
  if (!(key instanceof Uint8Array)) {
    throw new FunctionFailure('unable to decode base64 private key')
  }
  const block = parsePem(bytesToText(cert))
  if (block === undefined) throw new FunctionFailure('unable to decode certificate')
  if (readCertificate(block.bytes) === undefined) {
    throw new FunctionFailure(
      'error parsing certificate: decodedCert.Bytes: x509: malformed certificate',
    )
  }
  const parsed = parsePrivateKey(bytesToText(key))
  if ('error' in parsed) throw new FunctionFailure(`error parsing private key: ${parsed.error}`)
  return certificate(bytesToText(cert), bytesToText(key))
}

function aesKey(password: string): Uint8Array {
  const key = new Uint8Array(32)
  key.set(textToBytes(password).subarray(0, 32))
  return key
}

function encryptAes(password: string, text: string, context: CallContext): string {
  if (text === '') return ''
  const plain = textToBytes(text)
  context.run.charge(plain.length)
  const padding = 16 - (plain.length % 16)
  const padded = concatBytes(plain, new Uint8Array(padding).fill(padding))
  const iv = hostOf(context).stream.bytes(16)
  return encodeBase64(concatBytes(iv, new AesCbc(aesKey(password)).encrypt(padded, iv)))
}

function decryptAes(password: string, text: string): string {
  if (text === '') return ''
  const bytes = decodeBase64(textToBytes(text))
  if (!(bytes instanceof Uint8Array)) {
    throw new FunctionFailure(`illegal base64 data at input byte ${bytes.errorAt}`)
  }
  if (bytes.length < 16) {
    throw new FunctionFailure(
      `runtime error: slice bounds out of range [:16] with capacity ${bytes.length}`,
    )
  }
  if (bytes.length % 16 !== 0) throw new FunctionFailure('crypto/cipher: input not full blocks')
  if (bytes.length === 16) throw new FunctionFailure('runtime error: index out of range [-1]')
  const plain = new AesCbc(aesKey(password)).decrypt(bytes.subarray(16), bytes.subarray(0, 16))
  const end = plain.length - plain.at(-1)!
  if (end < 0) throw new FunctionFailure(`runtime error: slice bounds out of range [:${end}]`)
  return bytesToText(plain.subarray(0, end))
}

const masterSeed = 'com.lyndir.masterpassword'

/** Password templates and character classes of the Master Password algorithm, version 1. */
const passwordTemplates: { readonly [type: string]: readonly string[] } = {
  maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
  long: [
    'CvcvnoCvcvCvcv',
    'CvcvCvcvnoCvcv',
    'CvcvCvcvCvcvno',
    'CvccnoCvcvCvcv',
    'CvccCvcvnoCvcv',
    'CvccCvcvCvcvno',
    'CvcvnoCvccCvcv',
    'CvcvCvccnoCvcv',
    'CvcvCvccCvcvno',
    'CvcvnoCvcvCvcc',
    'CvcvCvcvnoCvcc',
    'CvcvCvcvCvccno',
    'CvccnoCvccCvcv',
    'CvccCvccnoCvcv',
    'CvccCvccCvcvno',
    'CvcvnoCvccCvcc',
    'CvcvCvccnoCvcc',
    'CvcvCvccCvccno',
    'CvccnoCvcvCvcc',
    'CvccCvcvnoCvcc',
    'CvccCvcvCvccno',
  ],
  medium: ['CvcnoCvc', 'CvcCvcno'],
  short: ['Cvcn'],
  basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
  pin: ['nnnn'],
}

const passwordCharacters: { readonly [letter: string]: string } = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function derivePassword(
  counter: Value,
  type: string,
  password: string,
  user: string,
  site: string,
): string {
  const templates = Object.hasOwn(passwordTemplates, type) ? passwordTemplates[type] : undefined
  if (templates === undefined) return `cannot find password template ${type}`
  const prefix = textToBytes(masterSeed)
  const [userBytes, siteBytes] = [textToBytes(user), textToBytes(site)]
  const salt = concatBytes(prefix, word(userBytes.length), userBytes)
  const key = scrypt(textToBytes(password), salt, 32_768, 8, 2, 64)
  const message = concatBytes(prefix, word(siteBytes.length), siteBytes, word(Number(counter)))
  const seed = hmacSha256(key, message)
  const template = templates[seed[0]! % templates.length]!
  return [...template]
    .map((letter, i) => {
      const characters = passwordCharacters[letter]!
      return characters[seed[i + 1]! % characters.length]!
    })
    .join('')
}
