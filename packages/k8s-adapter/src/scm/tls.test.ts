// How hosts are trusted: caRef, the installation's file of certificates, insecure.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScmProviderName } from '@litecd/core/adapters'
import type { JsonObject } from '@litecd/core/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProviderReader, type ProviderReaderOptions } from './index.ts'

let folder: string
let server: Server
let url: string
let certificate: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'litecd-scm-'))
  const key = join(folder, 'key')
  const cert = join(folder, 'cert')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  certificate = readFileSync(cert, 'utf8')
  server = createServer({ key: readFileSync(key), cert: certificate }, (request, response) => {
    const version = request.url?.endsWith('/version') === true
    const list = request.url?.includes('/projects/') === true
    response.end(
      version ? '{"version": "1.24.0"}' : list ? '{"values": [], "isLastPage": true}' : '[]',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

function list(
  provider: ScmProviderName,
  config: JsonObject,
  options: Partial<ProviderReaderOptions> = {},
): Promise<unknown> {
  return createProviderReader({
    namespace: 'argocd',
    environment: {},
    objects: {
      secret: async () => undefined,
      configMap: async () => ({ 'ca.crt': certificate, broken: 'no certificate' }),
      list: async () => [],
    },
    ...options,
  }).read({
    ask: 'repositories',
    provider,
    config: { api: url, group: 'g', owner: 'o', project: 'p', ...config },
    set: { namespace: 'team', name: 'set' },
  })
}

const untrusted = 'tls: failed to verify certificate: x509: certificate signed by unknown authority'

describe.each<[ScmProviderName]>([['gitlab'], ['bitbucketServer']])('%s', (provider) => {
  it('is not trusted without its certificate', async () => {
    await expect(list(provider, {})).rejects.toThrow(untrusted)
  })

  it('is trusted by caRef', async () => {
    const caRef = { configMapName: 'ca', key: 'ca.crt' }
    expect(await list(provider, { caRef })).toEqual([])
  })

  it("is trusted by the installation's file", async () => {
    const rootCaPath = join(folder, 'root.pem')
    writeFileSync(rootCaPath, certificate)
    expect(await list(provider, {}, { rootCaPath })).toEqual([])
  })

  it('is trusted where nothing is to be checked', async () => {
    expect(await list(provider, { insecure: true })).toEqual([])
  })

  it('is not trusted by what is no certificate, which is said', async () => {
    const said: string[] = []
    const warn = (message: string): void => void said.push(message)
    const caRef = { configMapName: 'ca', key: 'broken' }
    await expect(list(provider, { caRef }, { warn })).rejects.toThrow(untrusted)
    expect(said).toEqual(['caRef or scm.root.ca.path holds no certificates'])
    const missing = { rootCaPath: join(folder, 'none'), warn }
    await expect(list(provider, {}, missing)).rejects.toThrow(untrusted)
    expect(said[1]).toContain('ENOENT')
  })
})

it('gitea is trusted where nothing is to be checked', async () => {
  await expect(list('gitea', {})).rejects.toThrow(untrusted)
  expect(await list('gitea', { insecure: true })).toEqual([])
})

it('goes through the proxy of the installation', async () => {
  const proxy = { proxy: 'http://127.0.0.1:1' }
  const api = 'http://git.example.com'
  await expect(list('gitlab', { api }, { proxy })).rejects.toThrow(
    'proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused',
  )
})
