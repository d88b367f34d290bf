import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { httpRequest } from './client.ts'
import { proxyFor } from './proxy.ts'

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const serve = (handler: RequestListener): Promise<number> => listen(createServer(handler))

describe('httpRequest', () => {
  it('returns any answer, decompressed, and the place it came from', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/from') return response.writeHead(302, { location: '/to' }).end()
      if (request.url === '/none') return response.writeHead(404, 'File not found').end('no')
      response.writeHead(200, { 'content-encoding': 'gzip', 'x-one': 'yes' }).end(gzipSync('hello'))
    })
    const answer = await httpRequest({ url: `http://127.0.0.1:${port}/from` })
    expect(answer).toMatchObject({ status: 200, url: `http://127.0.0.1:${port}/to` })
    expect(answer.body.toString()).toBe('hello')
    expect(answer.headers['x-one']).toBe('yes')
    const none = await httpRequest({ url: `http://127.0.0.1:${port}/none` })
    expect(none).toMatchObject({ status: 404, statusText: '404 File not found' })
  })

  it('shows credentials to the host that was asked and to no other', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end()
    })
    const port = await serve((request, response) => {
      seen.push(request.headers.authorization)
      if (request.url === '/same') response.writeHead(307, { location: '/end' }).end()
      else if (request.url === '/other')
        response.writeHead(307, { location: `http://127.0.0.1:${other}/x` }).end()
      else response.end()
    })
    const base = `http://127.0.0.1:${port}`
    await httpRequest({ url: `${base}/same`, authorization: 'Bearer s3cret' })
    expect(seen.splice(0)).toEqual(['Bearer s3cret', 'Bearer s3cret'])
    await httpRequest({ url: `${base}/other`, authorization: 'Bearer s3cret' })
    expect(seen.splice(0)).toEqual(['Bearer s3cret', undefined])
    await httpRequest({
      url: `${base}/other`,
      authorization: 'Bearer s3cret',
      passToOtherHosts: true,
    })
    expect(seen.splice(0)).toEqual(['Bearer s3cret', 'Bearer s3cret'])
    await httpRequest({ url: `http://me:p%40ss@127.0.0.1:${port}/other` })
    expect(seen.splice(0)).toEqual([
      `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      undefined,
    ])
  })

  it('speaks of failures as Go does, without passwords', async () => {
    await expect(httpRequest({ url: 'http://127.0.0.1:1/x' })).rejects.toThrow(
      'Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused',
    )
    await expect(
      httpRequest({ url: 'http://me:secret@127.0.0.1:1', method: 'HEAD' }),
    ).rejects.toThrow(
      'Head "http://me:xxxxx@127.0.0.1:1": dial tcp 127.0.0.1:1: connect: connection refused',
    )
    await expect(httpRequest({ url: 'ftp://x/y' })).rejects.toThrow(
      'unsupported protocol scheme "ftp"',
    )
    const hangUp = await listen(createTcpServer((socket) => socket.on('data', () => socket.end())))
    await expect(httpRequest({ url: `http://127.0.0.1:${hangUp}/` })).rejects.toThrow(': EOF')
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('x')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(httpRequest({ url: `http://127.0.0.1:${cut}/` })).rejects.toThrow('unexpected EOF')
  })

  it('ends at its limits: time, size, redirects, a signal', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/slow') return
      if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
      if (request.url === '/bomb')
        return response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(10_000_000)))
      response.end('x'.repeat(1000))
    })
    const base = `http://127.0.0.1:${port}`
    await expect(httpRequest({ url: `${base}/slow`, timeoutMs: 50 })).rejects.toMatchObject({
      kind: 'timeout',
    })
    await expect(httpRequest({ url: `${base}/loop` })).rejects.toThrow('stopped after 10 redirects')
    await expect(httpRequest({ url: `${base}/big`, maxBytes: 999 })).rejects.toMatchObject({
      kind: 'too-large',
    })
    await expect(httpRequest({ url: `${base}/bomb`, maxBytes: 100_000 })).rejects.toMatchObject({
      kind: 'too-large',
    })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    await expect(
      httpRequest({ url: `${base}/slow`, signal: controller.signal }),
    ).rejects.toMatchObject({ kind: 'aborted' })
    await expect(
      httpRequest({ url: `${base}/slow`, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ kind: 'aborted' })
  })

  it('goes through a proxy', async () => {
    const seen: (string | undefined)[] = []
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
      response.end('from the proxy')
    })
    const port = await listen(proxy)
    const answer = await httpRequest({
      url: 'http://charts.example/index.yaml',
      proxy: { proxy: `http://me:pw@127.0.0.1:${port}` },
    })
    expect(answer.body.toString()).toBe('from the proxy')
    expect(seen).toEqual([
      `GET http://charts.example/index.yaml Basic ${Buffer.from('me:pw').toString('base64')}`,
    ])
  })

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'trusts whom it is told to trust, also through a proxy',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'litecd-tls-'))
      try {
        execFileSync(
          'openssl',
          [
            'req',
            '-x509',
            '-newkey',
            'ec',
            '-pkeyopt',
            'ec_paramgen_curve:P-256',
            '-nodes',
            '-days',
            '1',
            '-subj',
            '/CN=localhost',
            '-addext',
            'subjectAltName=DNS:git.example,DNS:localhost',
            '-keyout',
            join(folder, 'key'),
            '-out',
            join(folder, 'cert'),
          ],
          { stdio: 'ignore' },
        )
        const key = readFileSync(join(folder, 'key'), 'utf8')
        const cert = readFileSync(join(folder, 'cert'), 'utf8')
        const port = await listen(
          createSecureServer(
            { key, cert, requestCert: true, rejectUnauthorized: false },
            (request, response) => {
              const peer = (
                request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } }
              ).getPeerCertificate()
              response.end(`secure ${peer.subject?.CN ?? 'nobody'}`)
            },
          ) as unknown as Server,
        )
        const tunnels: string[] = []
        const proxy = createServer()
        proxy.on('connect', (request: IncomingMessage, socket) => {
          tunnels.push(request.url ?? '')
          const upstream = connect(port, '127.0.0.1', () => {
            socket.write('HTTP/1.1 200 OK\r\n\r\n')
            upstream.pipe(socket).pipe(upstream)
          })
        })
        const proxyPort = await listen(proxy)
        const url = `https://localhost:${port}/`
        await expect(httpRequest({ url })).rejects.toThrow(
          `Get "https://localhost:${port}": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
        )
        const read = async (tls: object, to = url, via?: object): Promise<string> =>
          (
            await httpRequest({ url: to, tls, ...(via === undefined ? {} : { proxy: via }) })
          ).body.toString()
        expect(await read({ ca: cert })).toBe('secure nobody')
        expect(await read({ insecure: true })).toBe('secure nobody')
        expect(await read({ ca: cert, cert, key })).toBe('secure localhost')
        await expect(read({ ca: cert }, `https://127.0.0.1:${port}/`)).rejects.toThrow(
          'x509: certificate is not valid for 127.0.0.1',
        )
        const via = { proxy: `http://127.0.0.1:${proxyPort}` }
        expect(await read({ ca: cert }, 'https://git.example/x', via)).toBe('secure nobody')
        expect(tunnels).toEqual(['git.example:443'])
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})

describe('proxyFor', () => {
  it.each([
    ['https://git.example/x', '', 'http://p:3128/'],
    ['https://git.example/x', 'git.example', undefined],
    ['https://a.git.example/x', 'git.example', undefined],
    ['https://agit.example/x', 'git.example', 'http://p:3128/'],
    ['https://a.git.example/x', '.git.example', undefined],
    ['https://git.example/x', '.git.example', 'http://p:3128/'],
    ['https://a.git.example/x', '*.git.example', undefined],
    ['https://git.example:8443/x', 'git.example:443', 'http://p:3128/'],
    ['https://git.example:8443/x', 'git.example:8443', undefined],
    ['https://10.1.2.3/x', '10.0.0.0/8', undefined],
    ['https://11.1.2.3/x', '10.0.0.0/8', 'http://p:3128/'],
    ['https://[fd00::1]/x', 'fd00::/8', undefined],
    ['https://x/y', 'a, *', undefined],
    ['https://localhost/y', '', undefined],
  ])('%s without %s', (url, noProxy, want) => {
    expect(proxyFor(new URL(url), { proxy: 'p:3128', noProxy })?.href).toBe(want)
    expect(
      proxyFor(new URL(url), {}, { https_proxy: 'http://p:3128', NO_PROXY: noProxy })?.href,
    ).toBe(want)
  })
})
