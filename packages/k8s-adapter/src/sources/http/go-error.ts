import { getServers } from 'node:dns'
import { isIP } from 'node:net'

/**
 * A failed connection in the words of Go's net and crypto packages, which is what Argo CD shows and people search for.
 * Facts that Node does not tell (ports of a broken connection) are left out.
 */
export function goNetworkError(error: unknown, host: string, port: number): string {
  const first = firstOf(error)
  const code = first.code ?? ''
  const address = first.address ?? host
  const place = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${place}: connect: connection refused`
    case 'EHOSTUNREACH':
      return `dial tcp ${place}: connect: no route to host`
    case 'ENETUNREACH':
      return `dial tcp ${place}: connect: network is unreachable`
    case 'ETIMEDOUT':
      return `dial tcp ${place}: i/o timeout`
    case 'ENOTFOUND':
      return `dial tcp: lookup ${host}${nameServer()}: no such host`
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${host}${nameServer()}: server misbehaving`
    case 'ECONNRESET':
      return first.message === 'socket hang up' ? 'EOF' : 'read: connection reset by peer'
    case 'EPIPE':
      return 'write: broken pipe'
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: certificate is not valid for ${host}`
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return 'tls: first record does not look like a TLS handshake'
    default:
      return first.message
  }
}

/** The first name server, which is the one that Go names. */
function nameServer(): string {
  const [server] = getServers()
  if (server === undefined) return ''
  const hasPort = /^\[.*\]:\d+$/.test(server) || /^[^:]+:\d+$/.test(server)
  return ` on ${hasPort ? server : server.includes(':') ? `[${server}]:53` : `${server}:53`}`
}

/** With several addresses Node tells about all of them; Go tells about the first. */
function firstOf(error: unknown): NodeJS.ErrnoException & { readonly address?: string } {
  return error instanceof AggregateError && error.errors.length > 0
    ? firstOf(error.errors[0])
    : (error as NodeJS.ErrnoException)
}
