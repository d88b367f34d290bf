import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { ApiServer } from './server.ts'

/** A request that the API server has answered. Watches are none. */
export interface ProxiedCall {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly dryRun: boolean
  readonly status: number
}

export interface ProxyOptions {
  /** Whose call it is, from its path and body; undefined for calls that belong to nobody. Watches are not asked about. */
  readonly ownerOf: (path: string, body: string) => string | undefined
}

/**
 * Stands between clients and an API server, counts what passes, and can hold back everything that one owner sends.
 *
 * An owner that is held after a call never gets that call's answer, and nothing that it sends later reaches the server:
 * for the server its process has died at that moment.
 */
export class ApiProxy {
  /** Calls that the API server has answered by owner, whether or not the answer got through. */
  readonly calls: Map<string, ProxiedCall[]> = new Map()
  private readonly server: ApiServer
  private readonly options: ProxyOptions
  /** Few connections: a busy server takes long for each new one. Watches keep theirs. */
  private readonly agent: Agent
  private readonly watchAgent: Agent
  private readonly sockets = new Set<Socket>()
  private readonly holds = new Map<string, (call: ProxiedCall) => boolean>()
  private readonly held = new Set<string>()
  private readonly listener = createServer((incoming, answer) => this.receive(incoming, answer))

  constructor(server: ApiServer, options: ProxyOptions) {
    this.server = server
    this.options = options
    this.agent = new Agent({ keepAlive: true, maxSockets: 30, ca: server.ca })
    this.watchAgent = new Agent({ keepAlive: true, ca: server.ca })
    this.listener.keepAliveTimeout = 0 // a server that hangs up on idle clients would look like one that broke down
    this.listener.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.sockets.delete(socket))
    })
  }

  /** Resolves with `http://127.0.0.1:PORT`; clients show their own token. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.listener.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`
  }

  /** Counts an owner's calls from now on, and holds it after the first one for which `isLast` is true. */
  follow(owner: string, isLast: (call: ProxiedCall) => boolean): void {
    this.calls.set(owner, [])
    this.holds.set(owner, isLast)
  }

  isHeld(owner: string): boolean {
    return this.held.has(owner)
  }

  /** Lets every owner pass again. What was held back is lost: its clients are dead by now. */
  release(): void {
    this.holds.clear()
    this.held.clear()
    for (const socket of this.sockets) socket.destroy()
  }

  close(): void {
    this.listener.close()
    for (const socket of this.sockets) socket.destroy()
    this.agent.destroy()
    this.watchAgent.destroy()
  }

  private receive(incoming: IncomingMessage, answer: ServerResponse): void {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', () => answer.destroy())
    incoming.on('end', () => this.pass(incoming, Buffer.concat(chunks), answer))
  }

  private pass(incoming: IncomingMessage, body: Buffer, answer: ServerResponse): void {
    const url = new URL(incoming.url ?? '/', this.server.url)
    const isWatch = url.searchParams.has('watch')
    const owner = isWatch ? undefined : this.options.ownerOf(url.pathname, body.toString())
    if (owner !== undefined && this.isHeld(owner)) return
    const { host: _host, connection: _connection, ...headers } = incoming.headers
    const method = incoming.method ?? 'GET'
    const agent = isWatch ? this.watchAgent : this.agent
    const outgoing = request(url, { method, headers, agent }, (response) => {
      const status = response.statusCode ?? 0
      if (owner !== undefined) {
        const dryRun = url.searchParams.has('dryRun')
        this.note(owner, { method, path: url.pathname, dryRun, status })
        if (this.isHeld(owner)) {
          response.resume()
          return
        }
      }
      answer.writeHead(status, response.headers)
      answer.flushHeaders() // an idle watch has headers long before it has a body
      response.on('error', () => answer.destroy())
      response.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    // a watch ends with its client; what the server has begun to do it does
    answer.on('close', () => {
      if (isWatch) outgoing.destroy()
    })
    outgoing.end(body)
  }

  private note(owner: string, call: ProxiedCall): void {
    const known = this.calls.get(owner)
    if (known === undefined) this.calls.set(owner, [call])
    else known.push(call)
    if (this.holds.get(owner)?.(call) === true) this.held.add(owner)
  }
}
