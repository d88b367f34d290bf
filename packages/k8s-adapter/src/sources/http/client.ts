import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { goNetworkError } from './go-error.ts'
import { type ProxySettings, proxyFor } from './proxy.ts'

/** How a host is trusted and how we show who we are. */
export interface TlsSettings {
  /** PEM certificates that replace the roots of the system. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure?: boolean
}

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT'

export interface HttpRequest {
  readonly url: string
  readonly method?: HttpMethod
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Uint8Array
  /** Value of the Authorization header. Sent to the host of `url` only, unless `passToOtherHosts`. */
  readonly authorization?: string | undefined
  readonly passToOtherHosts?: boolean
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
  /** For the whole exchange. 60 s unless told. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** Larger answers are refused. 1 GB unless told. */
  readonly maxBytes?: number
  /** Takes the body of a 200 answer as it comes, which is then not kept. What it throws ends the exchange. */
  readonly sink?: (chunk: Buffer) => void
  /** 10 unless told, as in Go. */
  readonly maxRedirects?: number
  /** A redirect to another host is not followed but given as the answer, for headers that must not get there. */
  readonly sameHostOnly?: boolean
}

export interface HttpResponse {
  readonly status: number
  /** Such as `404 Not Found`, as the server said it. */
  readonly statusText: string
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
  /** Where the answer came from, after redirects. */
  readonly url: string
}

/** There was no answer. `message` is in Go's words: `Get "http://…": dial tcp …: connect: connection refused`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly kind: 'network' | 'timeout' | 'aborted' | 'too-large' | 'redirects' | 'scheme'

  constructor(kind: HttpError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

const defaultMaxBytes = 1_000_000_000

/** One exchange, redirects followed. Answers of any status are answers. @throws HttpError */
export async function httpRequest(request: HttpRequest): Promise<HttpResponse> {
  const deadline = Date.now() + (request.timeoutMs ?? 60_000)
  const method = request.method ?? 'GET'
  const first = parse(request.url, method)
  let url = first
  let current: HttpMethod = method
  let body = request.body
  for (let redirects = 0; ; redirects++) {
    const sameHost =
      url.host === first.host && (url.protocol === first.protocol || first.protocol === 'http:')
    const mayAuthorize = sameHost || request.passToOtherHosts === true
    const response = await exchange(
      url,
      { ...request, method: current, ...(body === undefined ? {} : { body }) },
      mayAuthorize,
      deadline,
    )
    const location = response.headers['location']
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined)
      return response
    if (redirects >= (request.maxRedirects ?? 10)) {
      throw new HttpError(
        'redirects',
        `${verb(method)} "${shown(first)}": stopped after ${redirects} redirects`,
      )
    }
    const next = parse(new URL(location, url).href, current)
    if (request.sameHostOnly === true && next.origin !== url.origin) return response
    url = next
    // as browsers and Go do: only 307 and 308 repeat the body
    if (response.status !== 307 && response.status !== 308 && current === 'POST') {
      current = 'GET'
      body = undefined
    }
  }
}

function parse(text: string, method: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new HttpError('scheme', `parse "${text}": invalid URL`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HttpError(
      'scheme',
      `${verb(method)} "${shown(url)}": unsupported protocol scheme "${url.protocol.slice(0, -1)}"`,
    )
  }
  return url
}

function exchange(
  url: URL,
  request: HttpRequest,
  mayAuthorize: boolean,
  deadline: number,
): Promise<HttpResponse> {
  const method = request.method ?? 'GET'
  const maxBytes = request.maxBytes ?? defaultMaxBytes
  const label = `${verb(method)} "${shown(url)}"`
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (secure ? 443 : 80))
  const proxy = proxyFor(url, request.proxy)
  const authorization = mayAuthorize ? (request.authorization ?? basicOf(url)) : undefined
  const headers: { [name: string]: string } = {
    'user-agent': 'litecd',
    'accept-encoding': 'gzip, br',
    ...request.headers,
    ...(authorization === undefined ? {} : { authorization }),
    ...(request.body === undefined ? {} : { 'content-length': String(request.body.length) }),
  }
  const tls = {
    ...(request.tls?.ca === undefined ? {} : { ca: request.tls.ca }),
    ...(request.tls?.cert === undefined || !mayAuthorize ? {} : { cert: request.tls.cert }),
    ...(request.tls?.key === undefined || !mayAuthorize ? {} : { key: request.tls.key }),
    rejectUnauthorized: request.tls?.insecure !== true,
  }
  return new Promise((resolve, reject) => {
    let settled = false
    let outgoing: ClientRequest | undefined
    let tunnel: ClientRequest | undefined
    const fail = (error: Error): void => {
      if (settled) return
      settled = true
      cleanUp()
      outgoing?.destroy()
      tunnel?.destroy()
      reject(error)
    }
    const failNetwork = (error: unknown): void => {
      const { syscall } = error as NodeJS.ErrnoException
      const unproxied = proxy === undefined || secure
      const words =
        unproxied || (syscall !== 'connect' && syscall !== 'getaddrinfo')
          ? goNetworkError(error, host, port)
          : `proxyconnect tcp: ${goNetworkError(error, proxy.hostname, Number(proxy.port || 80))}`
      fail(new HttpError('network', `${label}: ${words}`, error))
    }
    const timer = setTimeout(
      () => fail(new HttpError('timeout', `${label}: context deadline exceeded`)),
      Math.max(0, deadline - Date.now()),
    )
    const abort = (): void => fail(new HttpError('aborted', `${label}: context canceled`))
    const cleanUp = (): void => {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', abort)
    }
    if (request.signal?.aborted === true) return abort()
    request.signal?.addEventListener('abort', abort)

    const receive = (incoming: IncomingMessage): void => {
      const flat: { [name: string]: string } = {}
      for (const [name, value] of Object.entries(incoming.headers)) {
        if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
      }
      const chunks: Buffer[] = []
      let length = 0
      const encoding = flat['content-encoding']
      const decoder =
        encoding === 'gzip'
          ? createGunzip()
          : encoding === 'br'
            ? createBrotliDecompress()
            : undefined
      const stream = decoder === undefined || method === 'HEAD' ? incoming : incoming.pipe(decoder)
      stream.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (settled) return
        if (length <= maxBytes) {
          if (request.sink === undefined || incoming.statusCode !== 200) chunks.push(chunk)
          else
            try {
              request.sink(chunk)
            } catch (error) {
              fail(error as Error)
            }
        } else
          fail(new HttpError('too-large', `${label}: the answer is larger than ${maxBytes} bytes`))
      })
      incoming.on('error', failNetwork)
      stream.on('error', failNetwork)
      incoming.on('aborted', () => fail(new HttpError('network', `${label}: unexpected EOF`)))
      stream.on('end', () => {
        if (settled) return
        settled = true
        cleanUp()
        resolve({
          status: incoming.statusCode ?? 0,
          statusText: `${incoming.statusCode} ${incoming.statusMessage ?? ''}`.trim(),
          headers: flat,
          body: Buffer.concat(chunks),
          url: url.href,
        })
      })
    }
    const send = (socket?: Socket): void => {
      const absolute = proxy !== undefined && !secure
      const target = absolute ? proxy : url
      const options = {
        method,
        host: target.hostname.replace(/^\[|\]$/g, ''),
        port: Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
        path: absolute
          ? `${url.origin}${url.pathname}${url.search}`
          : `${url.pathname}${url.search}`,
        headers: { host: url.host, ...headers, ...(absolute ? proxyAuthorization(proxy) : {}) },
        // a socket that is there already is used only where no agent makes another one
        ...(socket === undefined ? { agent: false as const } : { createConnection: () => socket }),
      }
      const begin =
        (secure && socket === undefined) || target.protocol === 'https:'
          ? secureRequest
          : plainRequest
      outgoing =
        socket === undefined
          ? begin({ ...options, ...(absolute ? {} : tls) })
          : plainRequest(options)
      outgoing.on('error', failNetwork)
      outgoing.on('response', receive)
      outgoing.end(request.body)
    }
    if (proxy === undefined || !secure) return send()

    tunnel = (proxy.protocol === 'https:' ? secureRequest : plainRequest)({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: Number(proxy.port || (proxy.protocol === 'https:' ? 443 : 80)),
      path: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      headers: { host: `${url.hostname}:${port}`, ...proxyAuthorization(proxy) },
      agent: false,
    })
    tunnel.on('error', (error) =>
      fail(
        new HttpError(
          'network',
          `${label}: proxyconnect tcp: ${goNetworkError(error, proxy.hostname, Number(proxy.port || 80))}`,
          error,
        ),
      ),
    )
    tunnel.on('connect', (answer, raw: Socket) => {
      if (answer.statusCode !== 200) {
        raw.destroy()
        return fail(
          new HttpError('network', `${label}: ${answer.statusMessage ?? 'proxy refused'}`),
        )
      }
      const socket = connectTls({ socket: raw, servername: host, ...tls })
      socket.on('error', failNetwork)
      socket.on('secureConnect', () => send(socket))
    })
    tunnel.end()
  })
}

function proxyAuthorization(proxy: URL): { readonly [name: string]: string } {
  const basic = basicOf(proxy)
  return basic === undefined ? {} : { 'proxy-authorization': basic }
}

/** Credentials that are part of a URL. */
function basicOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  return basicAuthorization(decodeURIComponent(url.username), decodeURIComponent(url.password))
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** `Get` for GET, as Go begins its errors. */
function verb(method: string): string {
  return method[0]! + method.slice(1).toLowerCase()
}

/** The URL without a password, as Go shows it. */
function shown(url: URL): string {
  if (url.password === '') return withoutSlash(url)
  const copy = new URL(url)
  copy.password = 'xxxxx'
  return withoutSlash(copy)
}

/** Node adds a slash to a bare host where Go does not. */
function withoutSlash(url: URL): string {
  return url.pathname === '/' && url.search === '' ? url.href.replace(/\/$/, '') : url.href
}
