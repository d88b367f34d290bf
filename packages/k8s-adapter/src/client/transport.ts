import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
} from 'node:http2'
import { request as requestTls, Agent as TlsAgent } from 'node:https'
import type { Readable } from 'node:stream'
import type { Connection } from './connection.ts'
import { dial } from './dial.ts'
import { unreachable } from './failure.ts'
import { type Identity, type IdentitySource, identitySource } from './identity.ts'

export type Headers = { readonly [name: string]: string | readonly string[] }

export interface TransportRequest {
  readonly method: string
  /** Begins with `/`, query included; goes below the path of the connection's server. */
  readonly path: string
  readonly headers: Headers
  readonly body?: string
  readonly signal?: AbortSignal
  /** Until the answer's headers are here. */
  readonly timeoutMs: number
}

export interface TransportResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Must be read to its end, or destroyed. */
  readonly body: Readable
}

const pingAfterMs = 30_000 // client-go v0.36.1 HTTP2_READ_IDLE_TIMEOUT_SECONDS
const pingTimeoutMs = 15_000 // client-go v0.36.1 HTTP2_PING_TIMEOUT_SECONDS
const streamWindow = 1 << 20
const sessionWindow = 4 << 20

/** Thrown where the server has certainly not begun to act, so that even a POST may be sent again. */
class NotSent extends Error {}

/** One HTTP/2 connection. It is given up as soon as the server says GOAWAY; streams on it run to their end. */
class Session {
  readonly identity: Identity
  usable = true
  /** Streams that run or are about to. */
  private active = 0
  private readonly http2: ClientHttp2Session
  private timer: NodeJS.Timeout | undefined

  constructor(http2: ClientHttp2Session, identity: Identity) {
    this.http2 = http2
    this.identity = identity
    const gone = (): void => {
      this.usable = false
      if (this.timer !== undefined) clearInterval(this.timer)
    }
    http2.on('goaway', gone)
    http2.on('close', gone)
    http2.on('error', gone)
    http2.setLocalWindowSize(sessionWindow)
  }

  /** False when the server's limit of parallel streams is reached; a second connection then helps. */
  get hasRoom(): boolean {
    return this.active < (this.http2.remoteSettings?.maxConcurrentStreams ?? 100)
  }

  /** Takes one place; every call is followed by one of {@link open}. */
  reserve(): this {
    if (this.active++ === 0) this.watchOver()
    return this
  }

  open(headers: { [name: string]: string | string[] }, endStream: boolean): ClientHttp2Stream {
    let stream: ClientHttp2Stream
    try {
      stream = this.http2.request(headers, { endStream })
    } catch (error) {
      // ERR_HTTP2_GOAWAY_SESSION, ERR_HTTP2_INVALID_SESSION: it ended between our look and our call.
      this.usable = false
      this.release()
      throw new NotSent('the session is gone', { cause: error })
    }
    stream.once('close', () => this.release())
    return stream
  }

  private release(): void {
    if (--this.active > 0) return
    clearInterval(this.timer)
    this.timer = undefined
    // An idle connection must not keep the process alive.
    if (!this.http2.destroyed) this.http2.unref()
  }

  /** A peer that vanished without a word is found by pings; a watch would otherwise wait for ever. */
  private watchOver(): void {
    this.http2.ref()
    this.timer = setInterval(() => {
      if (this.http2.destroyed) return
      const late = setTimeout(
        () => this.http2.destroy(new Error('http2: ping timeout')),
        pingTimeoutMs,
      )
      late.unref()
      this.http2.ping((error) => {
        clearTimeout(late)
        if (error !== null && !this.http2.destroyed) this.http2.destroy(error)
      })
    }, pingAfterMs)
    this.timer.unref()
  }

  /** No new streams; those that run may end. */
  retire(): void {
    this.usable = false
    if (!this.http2.closed) this.http2.close()
  }

  destroy(): void {
    this.usable = false
    this.http2.destroy(new Error('the connection was closed by this client'))
  }
}

/**
 * Requests to one API server over one HTTP/2 connection (more when the server limits parallel streams), HTTP/1.1 where
 * the server or a proxy before it speaks nothing newer.
 *
 * Errors: ClusterError CLUSTER_UNREACHABLE, retryable, when there is no answer. An answer of any status is no error here.
 */
export class Transport {
  readonly connection: Connection
  private readonly identities: IdentitySource
  private readonly basePath: string
  private readonly authority: string
  private sessions: Session[] = []
  private dialling: Promise<void> | undefined
  /** Set once the server has chosen HTTP/1.1. */
  private agent: PlainAgent | undefined

  constructor(connection: Connection) {
    this.connection = connection
    this.identities = identitySource(connection)
    const url = new URL(connection.server)
    this.basePath = url.pathname.replace(/\/+$/, '')
    this.authority = url.host
    if (url.protocol === 'http:') this.agent = new PlainAgent({ keepAlive: true })
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted()
    let renewed = false
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.send(request, await this.identities.current())
        if (response.status !== 401 || renewed || !this.identities.renew()) return response
        renewed = true
        response.body.resume()
      } catch (error) {
        request.signal?.throwIfAborted()
        const again = error instanceof NotSent || (request.method === 'GET' && isReset(error))
        if (!again || attempt === 3) {
          const cause = error instanceof NotSent ? (error.cause ?? error) : error
          throw unreachable(request.method, this.connection.server + request.path, cause)
        }
      }
    }
  }

  /** Ends everything, running watches too. A later request connects anew. */
  close(): void {
    for (const session of this.sessions) session.destroy()
    this.sessions = []
    this.agent?.destroy()
  }

  private async send(request: TransportRequest, identity: Identity): Promise<TransportResponse> {
    const headers: { [name: string]: string | string[] } = {}
    for (const [name, value] of Object.entries(request.headers)) {
      headers[name] = typeof value === 'string' ? value : [...value]
    }
    if (identity.authorization !== undefined) headers['authorization'] = identity.authorization
    const session = this.agent === undefined ? await this.session(identity) : undefined
    return session === undefined
      ? this.sendHttp1(request, headers, identity)
      : this.sendHttp2(request, headers, session)
  }

  private sendHttp2(
    request: TransportRequest,
    headers: { [name: string]: string | string[] },
    session: Session,
  ): Promise<TransportResponse> {
    const stream = session.open(
      {
        ...headers,
        ':method': request.method,
        ':path': this.basePath + request.path,
        ':scheme': 'https',
        ':authority': this.authority,
      },
      request.body === undefined,
    )
    return new Promise((resolve, reject) => {
      const cancel = (reason: unknown): void => {
        stream.destroy(reason instanceof Error ? reason : new Error('the request was cancelled'))
      }
      const timer = setTimeout(
        () => cancel(new Error('timed out while awaiting headers')),
        request.timeoutMs,
      )
      const aborted = (): void => cancel(request.signal?.reason)
      request.signal?.addEventListener('abort', aborted, { once: true })
      let answered = false
      stream.once('response', (answer) => {
        answered = true
        clearTimeout(timer)
        const { ':status': status, ...rest } = answer
        resolve({
          status: status ?? 0,
          headers: rest as TransportResponse['headers'],
          body: stream,
        })
      })
      // Stays attached: an error after the answer reaches whoever reads the body, and must not be unhandled.
      stream.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
        if (!answered) reject(refused ? new NotSent('refused', { cause: error }) : error)
      })
      stream.once('close', () => {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', aborted)
        const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
        if (answered) return
        reject(refused ? new NotSent('refused') : reset('the connection was closed'))
      })
      if (request.body !== undefined) stream.end(request.body)
    })
  }

  private sendHttp1(
    request: TransportRequest,
    headers: { [name: string]: string | string[] },
    identity: Identity,
  ): Promise<TransportResponse> {
    const url = new URL(this.connection.server)
    const send = url.protocol === 'http:' ? requestPlain : requestTls
    const all = { ...headers, host: url.host }
    if (request.body !== undefined) {
      ;(all as { [name: string]: string })['content-length'] = `${Buffer.byteLength(request.body)}`
    }
    return new Promise((resolve, reject) => {
      const outgoing = send({
        method: request.method,
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port,
        path: this.basePath + request.path,
        headers: all as { [name: string]: string },
        agent: this.http1Agent(identity),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      })
      const timer = setTimeout(
        () => outgoing.destroy(new Error('timed out while awaiting headers')),
        request.timeoutMs,
      )
      outgoing.once('response', (answer: IncomingMessage) => {
        clearTimeout(timer)
        answer.on('error', () => {}) // reaches whoever reads the body
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer })
      })
      outgoing.on('error', (error) => {
        clearTimeout(timer)
        reject(error)
      })
      outgoing.end(request.body)
    })
  }

  /** Keeps sockets between requests; they are made by `dial`, which knows certificates and proxies. */
  private http1Agent(identity: Identity): PlainAgent {
    const { agent, connection } = this
    if (agent === undefined) throw new Error('the protocol is not known yet')
    if (new URL(connection.server).protocol === 'http:' && connection.proxyUrl === undefined) {
      return agent
    }
    agent.createConnection = ((_options: unknown, done: (e: Error | null, s?: unknown) => void) => {
      dial(connection, identity).then(
        ({ socket }) => done(null, socket),
        (error: Error) => done(error),
      )
    }) as never
    return agent
  }

  /** A place on a session, or undefined when the server turned out to speak HTTP/1.1 only. */
  private async session(identity: Identity): Promise<Session | undefined> {
    while (this.agent === undefined) {
      this.sessions = this.sessions.filter((session) => session.usable)
      for (const session of this.sessions) {
        if (session.identity.clientCertificate !== identity.clientCertificate) session.retire()
        else if (session.hasRoom) return session.reserve()
      }
      // One dial at a time: whoever finds no room waits for it, and looks again.
      this.dialling ??= this.dialSession(identity).finally(() => {
        this.dialling = undefined
      })
      await this.dialling
    }
    return undefined
  }

  private async dialSession(identity: Identity): Promise<void> {
    const dialled = await dial(this.connection, identity)
    if (dialled.protocol === 'http/1.1') {
      dialled.socket.destroy()
      this.agent = new TlsAgent({ keepAlive: true })
      return
    }
    const http2 = connectHttp2(this.connection.server, {
      createConnection: () => dialled.socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
    })
    // The server's settings hold its limit of parallel streams.
    await new Promise<void>((resolve, reject) => {
      http2.once('remoteSettings', () => resolve())
      http2.once('error', reject)
      http2.once('close', () => reject(reset('the connection was closed')))
    })
    this.sessions.push(new Session(http2, identity))
  }
}

function reset(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' })
}

/** Connection lost before any answer: a GET may simply be sent again. */
function isReset(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return ['ECONNRESET', 'EPIPE', 'ERR_HTTP2_SESSION_ERROR', 'ERR_HTTP2_STREAM_CANCEL'].includes(
    code,
  )
}
