// Keys, certificates and ciphers in plain TypeScript, from the randomness that is handed in.
export { AesCbc } from './aes.ts'
export {
  formatPrivateKey,
  type KeySource,
  makeDsaKey,
  makeEcKey,
  makeEdKey,
  makeRsaKey,
  type PrivateKey,
  parsePrivateKey,
} from './keys.ts'
export { concatBytes, fromBytes } from './numbers.ts'
export { formatPem, parsePem } from './pem.ts'
export { scrypt } from './scrypt.ts'
export { type CertificateRequest, type Issuer, makeCertificate, readCertificate } from './x509.ts'
