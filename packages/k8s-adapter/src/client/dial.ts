import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { ClusterError } from '@litecd/core/errors'
import type { Connection } from './connection.ts'
import type { Identity } from './identity.ts'

export interface Dialled {
  readonly socket: Socket
  /** What TLS agreed on; plain `http://` servers are spoken to in HTTP/1.1. */
  readonly protocol: 'h2' | 'http/1.1'
}

const dialTimeoutMs = 30_000 // client-go v0.36.1 transport: net.Dialer Timeout

function settled<T extends Socket>(socket: T, event: 'connect' | 'secureConnect'): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('i/o timeout')), dialTimeoutMs)
    const done = (): void => {
      clearTimeout(timer)
      socket.off('error', failed)
      socket.off('close', closed)
    }
    const failed = (error: Error): void => {
      done()
      reject(error)
    }
    const closed = (): void => failed(new Error('unexpected EOF'))
    socket.once('error', failed)
    socket.once('close', closed)
    socket.once(event, () => {
      done()
      resolve(socket)
    })
  })
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** The host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** A tunnel through an HTTP proxy: CONNECT, then everything but the first blank line belongs to us. */
async function tunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw new ClusterError(
      'CLUSTER_CONFIG',
      `proxy ${proxy.protocol}//${proxy.host} is not supported`,
      { hint: 'Use an http:// or https:// proxy that understands CONNECT.' },
    )
  }
  const raw = connectTcp({ host: hostOf(proxy), port: portOf(proxy) })
  let socket: Socket = await settled(raw, 'connect')
  if (proxy.protocol === 'https:') {
    socket = await settled(connectTls({ socket, ...serverName(hostOf(proxy)) }), 'secureConnect')
  }
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const user = decodeURIComponent(proxy.username)
  const login = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString('base64')
  const auth = user === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n`)
  const head = await new Promise<string>((resolve, reject) => {
    let seen = Buffer.alloc(0)
    const read = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1 && seen.length < 64 * 1024) return
      socket.off('data', read).off('error', reject).off('close', closed).pause()
      if (end !== -1 && end + 4 < seen.length) socket.unshift(seen.subarray(end + 4))
      resolve(seen.toString('latin1', 0, end === -1 ? 0 : end))
    }
    const closed = (): void => reject(new Error('the proxy closed the connection'))
    socket.on('data', read).once('error', reject).once('close', closed)
  })
  if (!/^HTTP\/1\.[01] 2\d\d/.test(head)) {
    socket.destroy()
    throw new Error(`the proxy refused to connect: ${head.split('\r\n', 1)[0]}`)
  }
  return socket
}

/** SNI must be a name; an address in the URL is checked against the certificate without it. */
function serverName(host: string): { servername?: string; host: string } {
  return isIP(host) === 0 ? { servername: host, host } : { host }
}

/** A connected socket to the server, TLS done, HTTP/2 offered first. */
export async function dial(connection: Connection, identity: Identity): Promise<Dialled> {
  const url = new URL(connection.server)
  const host = hostOf(url)
  const port = portOf(url)
  const raw =
    connection.proxyUrl === undefined
      ? settled(connectTcp({ host, port, noDelay: true }), 'connect')
      : tunnel(new URL(connection.proxyUrl), host, port)
  const socket = await raw
  if (url.protocol === 'http:') return { socket, protocol: 'http/1.1' }
  const tls: TLSSocket = connectTls({
    socket,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...serverName(connection.tlsServerName ?? host),
    ...(connection.ca === undefined ? {} : { ca: connection.ca }),
    rejectUnauthorized: connection.insecureSkipTlsVerify !== true,
    ...(identity.clientCertificate === undefined || identity.clientKey === undefined
      ? {}
      : { cert: identity.clientCertificate, key: identity.clientKey }),
  })
  await settled(tls, 'secureConnect')
  tls.setKeepAlive(true, 30_000)
  return { socket: tls, protocol: tls.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' }
}
