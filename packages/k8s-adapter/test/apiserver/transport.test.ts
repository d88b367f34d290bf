import { readFileSync } from 'node:fs'
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { canStartApiServer, sharedApiServer } from '../../../../test/apiserver/index.ts'
import { type Connection, KubeClient, loadKubeconfig, namespaces } from '../../src/client/index.ts'

const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

function clientOf(connection: Connection): KubeClient {
  const client = new KubeClient(connection)
  closing.push(client)
  return client
}

async function listen(server: Server): Promise<number> {
  closing.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A proxy that knows CONNECT; `seen` gets what was asked of it. */
function connectProxy(seen: string[], answer = 'HTTP/1.1 200 Connection established'): Server {
  const proxy = createHttp()
  proxy.on('connect', (request, downstream) => {
    seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    downstream.write(`${answer}\r\n\r\n`)
    if (!answer.includes(' 200 ')) return void downstream.end()
    const [host, port] = request.url!.split(':')
    const upstream = connect(Number(port), host)
    upstream.pipe(downstream).on('error', () => upstream.destroy())
    downstream.pipe(upstream).on('error', () => downstream.destroy())
    closing.push({ close: () => upstream.destroy() })
  })
  return proxy
}

describe.skipIf(!canStartApiServer('the transport'))('transport', () => {
  let connection: Connection
  let pair: { readonly cert: string; readonly key: string }

  beforeAll(async () => {
    const { kubeconfigPath } = await sharedApiServer()
    connection = await loadKubeconfig({ path: kubeconfigPath })
    const folder = join(dirname(kubeconfigPath), 'certs')
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
    pair = { cert: read('apiserver.crt'), key: read('apiserver.key') }
  })

  it('goes through an HTTP proxy', async () => {
    const seen: string[] = []
    const port = await listen(connectProxy(seen))
    const client = clientOf({ ...connection, proxyUrl: `http://me:p%40ss@127.0.0.1:${port}` })
    expect(await client.get(namespaces, 'default')).toMatchObject({ kind: 'Namespace' })
    const login = Buffer.from('me:p@ss').toString('base64')
    expect(seen).toEqual([`${new URL(connection.server).host} Basic ${login}`])
  })

  it('says that the proxy refused, and which proxies it does not know', async () => {
    const port = await listen(connectProxy([], 'HTTP/1.1 407 Proxy Authentication Required'))
    const refused = clientOf({ ...connection, proxyUrl: `http://127.0.0.1:${port}` })
    await expect(refused.version()).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      message: expect.stringContaining('the proxy refused to connect: HTTP/1.1 407'),
    })
    const socks = clientOf({ ...connection, proxyUrl: 'socks5://127.0.0.1:1' })
    await expect(socks.version()).rejects.toMatchObject({
      code: 'CLUSTER_CONFIG',
      message: 'proxy socks5://127.0.0.1:1 is not supported',
    })
  })

  it('speaks HTTP/1.1 to a server that has nothing newer', async () => {
    const seen: string[] = []
    const server = createHttps(pair, (request, response) => {
      seen.push(`${request.httpVersion} ${request.method} ${request.url}`)
      request.pipe(response)
    })
    const port = await listen(server as unknown as Server)
    const client = clientOf({
      server: `https://127.0.0.1:${port}/below`,
      ca: connection.ca!,
      credentials: {},
    })
    const body = { kind: 'Ä' }
    expect(await client.request({ method: 'POST', path: '/x', body })).toEqual(body)
    expect(await client.request({ method: 'PUT', path: '/y', body })).toEqual(body)
    expect(seen).toEqual(['1.1 POST /below/x', '1.1 PUT /below/y'])
  })

  it('shows its certificate', async () => {
    const server = createHttps(
      { ...pair, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        response.end(JSON.stringify({ name: subject?.CN ?? null }))
      },
    )
    const port = await listen(server as unknown as Server)
    const common = { server: `https://127.0.0.1:${port}`, ca: connection.ca! }
    const bare = clientOf({ ...common, credentials: {} })
    expect(await bare.version()).toEqual({ name: null })
    const credentials = { clientCertificate: pair.cert, clientKey: pair.key }
    const shown = await clientOf({ ...common, credentials }).version()
    expect(String(shown['name'])).toMatch(/^[0-9.:a-f]+@\d+$/)
  })

  it('connects anew after GOAWAY, which the server sends to strangers after each answer', async () => {
    const stranger = clientOf({ ...connection, credentials: {} })
    for (let i = 0; i < 5; i++) {
      await expect(stranger.get(namespaces, 'default')).rejects.toMatchObject({ status: 403 })
    }
  })

  it('gives up when no answer begins in time, or its caller does', async () => {
    const server = createHttp(() => {})
    const port = await listen(server)
    const slow = new KubeClient(
      { server: `http://127.0.0.1:${port}`, credentials: {} },
      { timeoutMs: 50 },
    )
    closing.push(slow)
    await expect(slow.version()).rejects.toThrow('timed out while awaiting headers')
    const patient = clientOf({ server: `http://127.0.0.1:${port}`, credentials: {} })
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('never mind')), 20)
    await expect(patient.get(namespaces, 'default', { signal: stop.signal })).rejects.toThrow(
      'never mind',
    )
  })

  it('runs 500 requests at once', async () => {
    const client = clientOf(connection)
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => client.get(namespaces, 'default')),
    )
    expect(answers).toHaveLength(500)
  })
})
