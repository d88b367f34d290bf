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
  toHex,
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
import type { ChanceStream } from './chance.ts'
import { define, type FunctionList } from './define.ts'
import { hostOf } from './host.ts'
import { addressBytes } from './ip.ts'
import { remember, rememberChance } from './remember.ts'

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
      context.run.charge(15_000_000 + 16 * (password.length + user.length + site.length))
      return remember(['derivePassword', String(counter), type, password, user, site], () =>
        derivePassword(counter, type, password, user, site),
      )
    }),
  ],
  ['buildCustomCert', define('ss', ([cert, key]) => buildCustomCert(cert, key))],
  ['genCA', define('si', ([cn, days], context) => authority(cn, days, undefined, context))],
  ['genCAWithKey', define('sis', ([cn, days, pem], context) => authority(cn, days, pem, context))],
  [
    'genSelfSignedCert',
    define('slli', ([cn, ips, dns, days], context) =>
      selfSigned({ cn, ips, dns, days }, undefined, context),
    ),
  ],
  [
    'genSelfSignedCertWithKey',
    define('sllis', ([cn, ips, dns, days, pem], context) =>
      selfSigned({ cn, ips, dns, days }, pem, context),
    ),
  ],
  [
    'genSignedCert',
    define('sllic', ([cn, ips, dns, days, ca], context) =>
      signed({ cn, ips, dns, days }, ca, undefined, context),
    ),
  ],
  [
    'genSignedCertWithKey',
    define('sllics', ([cn, ips, dns, days, ca, pem], context) =>
      signed({ cn, ips, dns, days }, ca, pem, context),
    ),
  ],
  [
    'encryptAES',
    define('ss', ([password, text], context) => {
      context.run.charge(text.length * 4)
      return encryptAes(password, text, context)
    }),
  ],
  [
    'decryptAES',
    define('ss', ([password, text], context) => {
      context.run.charge(text.length * 4)
      return decryptAes(password, text)
    }),
  ],
]

function bcryptText(password: string, context: CallContext): string {
  const bytes = textToBytes(password)
  if (bytes.length > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes'
  }
  context.run.charge(800_000)
  return rememberChance(context, ['bcrypt', password], (stream) =>
    bcrypt.hashSync(password, `$2a$10$${bcrypt.encodeBase64(stream.bytes(16), 16)}`),
  )
}

/** Charges for a key and gives what makes it: keys are slow. */
function rsaMaker(bits: number, context: CallContext): (stream: ChanceStream) => PrivateKey {
  const { chance } = hostOf(context)
  // four times the time for twice the bits, and half that again
  context.run.charge((bits / 2048) ** 3 * 2_000_000)
  return (stream) => makeRsaKey(bits, stream, chance.isProbablePrime?.bind(chance))
}

function generateKey(type: string, context: CallContext): string {
  const make = keyMaker(type, context)
  if (make === undefined) return `Unknown type ${type}`
  return rememberChance(context, ['key', type], (stream) => formatPrivateKey(make(stream)))
}

function keyMaker(
  type: string,
  context: CallContext,
): ((stream: ChanceStream) => PrivateKey) | undefined {
  const { chance } = hostOf(context)
  switch (type) {
    case '':
    case 'rsa':
      return rsaMaker(4096, context)
    case 'dsa':
      context.run.charge(2_000_000)
      return (stream) => makeDsaKey(stream, chance.isProbablePrime?.bind(chance))
    case 'ecdsa':
      return makeEcKey
    case 'ed25519':
      return makeEdKey
    default:
      return undefined
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

/** What a certificate is wanted for. */
interface Subject {
  readonly cn: string
  readonly ips: readonly Value[] | undefined
  readonly dns: readonly Value[] | undefined
  readonly days: bigint
}

function request(
  { cn, ips, dns, days }: Subject,
  context: CallContext,
): Omit<CertificateRequest, 'serial'> {
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
  const notBefore = hostOf(context).chance.now().unixSeconds
  const notAfter = notBefore + Number(days) * 86_400
  return { commonName: cn, notBefore, notAfter, isAuthority: false, dnsNames, addresses }
}

/** The key that a template gives for a certificate. */
interface OwnKey {
  readonly pem: string
  readonly key: PrivateKey
}

function ownKey(pem: string | undefined): OwnKey | undefined {
  return pem === undefined ? undefined : { pem, key: givenKey(pem) }
}

interface CertificateAuthority {
  readonly issuer: Issuer
  readonly key: PrivateKey
}

/**
 * Makes a certificate: with a new key unless one is given, signed by itself unless there is an authority.
 *
 * `authorityText` stands for the authority among what the result depends on.
 */
function issue(
  wanted: Omit<CertificateRequest, 'serial'>,
  own: OwnKey | undefined,
  authority: CertificateAuthority | undefined,
  authorityText: string,
  context: CallContext,
): Struct {
  const given = own?.key
  for (const used of [given, authority?.key]) {
    if (used?.type === 'dsa') {
      throw new FunctionFailure(
        'error creating certificate: x509: unsupported public key type: *dsa.PublicKey',
      )
    }
  }
  const makeKey = given === undefined ? rsaMaker(2048, context) : (): PrivateKey => given
  const { addresses, ...plain } = wanted
  const inputs = [JSON.stringify(plain), addresses.map(toHex).join(), own?.pem ?? '', authorityText]
  const [cert, key] = rememberChance(context, ['certificate', ...inputs], (stream) => {
    const key = makeKey(stream)
    const serial = fromBytes(stream.bytes(16))
    const { issuer, key: issuerKey = key } = authority ?? {}
    const bytes = makeCertificate({ ...wanted, serial }, key, issuer, issuerKey, stream)
    return [formatPem({ type: 'CERTIFICATE', bytes }), formatPrivateKey(key)] as const
  })
  return certificate(cert, key)
}

function authority(
  cn: string,
  days: bigint,
  pem: string | undefined,
  context: CallContext,
): Struct {
  const own = ownKey(pem)
  const wanted = request({ cn, ips: [], dns: [], days }, context)
  return issue({ ...wanted, isAuthority: true }, own, undefined, '', context)
}

function selfSigned(subject: Subject, pem: string | undefined, context: CallContext): Struct {
  const own = ownKey(pem)
  return issue(request(subject, context), own, undefined, '', context)
}

function signed(
  subject: Subject,
  ca: Struct,
  pem: string | undefined,
  context: CallContext,
): Struct {
  const own = ownKey(pem)
  const [certText, keyText] = [String(ca.fields.get('Cert')), String(ca.fields.get('Key'))]
  const block = parsePem(certText)
  if (block === undefined) throw new FunctionFailure('unable to decode certificate')
  const issuer = readCertificate(block.bytes)
  if (issuer === undefined) {
    throw new FunctionFailure(
      'error parsing certificate: decodedSignerCert.Bytes: x509: malformed certificate',
    )
  }
  const key = parsePrivateKey(keyText)
  if ('error' in key) throw new FunctionFailure(`error parsing private key: ${key.error}`)
  const wanted = request(subject, context)
  return issue(wanted, own, { issuer, key }, certText + keyText, context)
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
