import { ClusterError, type ErrorCode } from '@litecd/core/errors'
import { getPath, isObject, type Json, parseJson } from '@litecd/core/json'

function codeOf(status: number): ErrorCode {
  if (status === 404) return 'CLUSTER_NOT_FOUND'
  if (status === 409) return 'CLUSTER_CONFLICT'
  return 'CLUSTER_REFUSED'
}

/** Reason and text for a status code whose answer explains nothing. Source: apimachinery v0.36.1 pkg/api/errors. */
function generic(status: number, method: string, body: string): readonly [string, string] {
  switch (status) {
    case 400:
      return ['BadRequest', 'the server rejected our request for an unknown reason']
    case 401:
      return ['Unauthorized', 'the server has asked for the client to provide credentials']
    case 403:
      return ['Forbidden', body]
    case 404:
      return ['NotFound', 'the server could not find the requested resource']
    case 405:
      return ['MethodNotAllowed', 'the server does not allow this method on the requested resource']
    case 406:
      return ['NotAcceptable', body]
    case 409:
      return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict']
    case 413:
      return ['RequestEntityTooLarge', body]
    case 415:
      return ['UnsupportedMediaType', body]
    case 422:
      return ['Invalid', 'the server rejected our request due to an error in our request']
    case 429:
      return [
        'TooManyRequests',
        'the server has received too many requests and has asked us to try again later',
      ]
    case 503:
      return ['ServiceUnavailable', 'the server is currently unable to handle the request']
    case 504:
      return [
        'Timeout',
        'the server was unable to return a response in the time allotted, but may still be processing the request',
      ]
    default:
      return status >= 500
        ? [
            'InternalError',
            `an error on the server (${JSON.stringify(body)}) has prevented the request from succeeding`,
          ]
        : [
            '',
            `the server responded with the status code ${status} but did not return more information`,
          ]
  }
}

/** Codes after which the same request may succeed: overload, a restart, a slow store. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/** A metav1.Status as an error. `status` is the HTTP code unless the Status has its own. */
export function statusError(body: Json, status: number, retryAfterMs?: number): ClusterError {
  const code = getPath(body, 'code')
  const number = typeof code === 'number' && code > 0 ? code : status
  const text = (field: string): string => {
    const value = getPath(body, field)
    return typeof value === 'string' ? value : ''
  }
  const details = getPath(body, 'details')
  return new ClusterError(codeOf(number), text('message') || generic(number, '', '')[1], {
    status: number,
    reason: text('reason'),
    retryable: passing.has(number),
    data: {
      ...(isObject(details) ? { details } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  })
}

/** The error that an answer with a status code from 300 on stands for. */
export function answerError(
  status: number,
  method: string,
  body: string,
  retryAfterMs?: number,
): ClusterError {
  let parsed: Json | undefined
  try {
    parsed = parseJson(body)
  } catch {
    // Proxies and old servers answer in plain text or HTML; the text goes into the message below.
  }
  if (parsed !== undefined && getPath(parsed, 'kind') === 'Status') {
    return statusError(parsed, status, retryAfterMs)
  }
  const [reason, message] = generic(status, method, body.trim().slice(0, 2048) || 'unknown')
  return new ClusterError(codeOf(status), message, {
    status,
    reason,
    retryable: passing.has(status),
    ...(retryAfterMs === undefined ? {} : { data: { retryAfterMs } }),
  })
}

const tlsTexts: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
}

/** What went wrong below HTTP, in the words Go programs use for it where there are such words. */
function networkText(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const code = error.code ?? ''
  if (code === 'ECONNREFUSED') {
    return `dial tcp ${error.address}:${error.port}: connect: connection refused`
  }
  if (code === 'ENOTFOUND') {
    return `dial tcp: lookup ${(error as { hostname?: string }).hostname}: no such host`
  }
  if (code === 'ECONNRESET') return 'read: connection reset by peer'
  if (Object.hasOwn(tlsTexts, code)) return `tls: failed to verify certificate: ${tlsTexts[code]}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: ${error.message}`
  }
  return error.message
}

/** The error of a request that got no answer. Go prints the method as `Get`. */
export function unreachable(method: string, url: string, error: unknown): ClusterError {
  if (error instanceof ClusterError) return error
  const cause = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error
  const verb = method[0] + method.slice(1).toLowerCase()
  const shown = url.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
  const text = networkText(cause as NodeJS.ErrnoException)
  return new ClusterError('CLUSTER_UNREACHABLE', `${verb} "${shown}": ${text}`, {
    retryable: true,
    cause: error,
  })
}

/** True when the object, or its kind, is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ClusterError && error.status === 404
}

/** True for a lost race over resourceVersion, and for a name that is taken. */
export function isConflict(error: unknown): boolean {
  return error instanceof ClusterError && error.status === 409
}

/** Milliseconds that the server asked to wait before another try; undefined when it did not say. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof ClusterError)) return undefined
  const wait = error.data['retryAfterMs']
  return typeof wait === 'number' ? wait : undefined
}
