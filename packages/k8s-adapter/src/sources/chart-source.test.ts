import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceRequest } from '@litecd/core/adapters'
import { type FileTree, walkFiles } from '@litecd/core/files'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chartArchive, tarOf, tgzOf } from '../../test/chartserver/archives.ts'
import {
  type FileServer,
  registryUser,
  startFileServer,
  startRegistry,
  type TestRegistry,
} from '../../test/chartserver/servers.ts'
import { tempFolder } from '../../test/gitserver/make-repo.ts'
import {
  createSourceFetcher,
  parseRepositorySecret,
  type SourceFetcherOptions,
  type Sources,
} from './index.ts'

const root = tempFolder()
let server: FileServer
let other: FileServer
let registry: TestRegistry
beforeAll(async () => {
  server = await startFileServer()
  other = await startFileServer()
  registry = await startRegistry()
})
afterEach(() => {
  Object.assign(registry, {
    auth: 'none',
    pageSize: 1000,
    redirectBlobs: false,
    damaged: false,
    silentHead: false,
  })
  registry.requests.length = 0
  for (const one of [server, other]) {
    for (const path of Object.keys(one.files)) delete one.files[path]
    one.requests.length = 0
    one.basic = undefined
  }
})
afterAll(() => {
  server.close()
  other.close()
  registry.close()
  root.remove()
})

let caches = 0
function sources(
  secret: { readonly [key: string]: string } = {},
  options: Partial<SourceFetcherOptions> = {},
): Sources {
  return createSourceFetcher({
    cacheDir: join(root.path, String(caches++)),
    repositories: () => ({
      repositories: [parseRepositorySecret({ url: 'nowhere', ...secret })],
      templates: [],
    }),
    ...options,
  })
}

/** A message with the cache and the name of a file in it replaced. */
const withoutFolder = (message: string): string =>
  message
    .replaceAll(root.path, 'ROOT')
    .replace(/ROOT\/\d+\/argo\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, 'CACHE/argo/UUID')

const content = (tree: FileTree): { readonly [path: string]: string } =>
  Object.fromEntries(
    [...walkFiles(tree, '')].map(({ path, entry }) => [
      path,
      entry.kind === 'link' ? `-> ${entry.target}` : Buffer.from(tree.read(path)!).toString(),
    ]),
  )

/** Puts versions of a chart and their index on a server. */
function publish(versions: readonly string[], place = ''): void {
  let index = 'apiVersion: v1\nentries:\n  web:\n'
  for (const version of versions) {
    index += `  - name: web\n    version: ${version}\n    urls:\n    - charts/web-${version}.tgz\n`
    server.files[`${place}/charts/web-${version}.tgz`] = chartArchive('web', version, {
      'values.yaml': `v: ${version}\n`,
    })
  }
  server.files[`${place}/index.yaml`] = index
}

const chart = (revision: string, more: object = {}): Extract<SourceRequest, { type: 'helm' }> => ({
  type: 'helm',
  url: server.url,
  chart: 'web',
  revision,
  ...more,
})
const versions = ['1.0.0', '1.2.0', '1.2.5', '1.10.0', '2.0.0', '2.1.0-rc.1', '0.9.0']

describe('charts of a Helm repository', () => {
  it.each([
    ['1.2.0', '1.2.0'],
    ['^1.0.0', '1.10.0'],
    ['~1.2', '1.2.5'],
    ['*', '2.0.0'],
    ['>=1.0.0, <1.10.0', '1.2.5'],
    ['<1.0.0 || >5', '0.9.0'],
    ['>=2.0.0-0', '2.1.0-rc.1'],
    ['1.2', '1.2'],
    ['9.9.9', '9.9.9'],
  ])('%s is version %s', async (revision, want) => {
    publish(versions)
    expect(await sources().resolve(chart(revision))).toBe(want)
  })

  it.each([
    [
      'HEAD',
      {},
      'invalid revision: failed to determine semver constraint: improper constraint: HEAD',
      'SOURCE_REVISION_UNKNOWN',
    ],
    [
      '^5.0.0',
      {},
      'invalid revision: version matching constraint not found in 7 tags',
      'SOURCE_REVISION_UNKNOWN',
    ],
    ['*', { chart: 'nope' }, "chart 'nope' not found in index", 'SOURCE_NOT_FOUND'],
    [
      '*',
      { url: '/none' },
      'error loading repo index: failed to get index: 404 File not found',
      'SOURCE_NOT_FOUND',
    ],
    [
      '*',
      { url: 'http://127.0.0.1:1/charts' },
      'error loading repo index: error making HTTP request: Get "http://127.0.0.1:1/charts/index.yaml": dial tcp 127.0.0.1:1: connect: connection refused',
      'SOURCE_UNREACHABLE',
    ],
    [
      '*',
      { url: '127.0.0.1:1/charts' },
      'error loading repo index: error getting index URL: error parsing repository URL: parse "127.0.0.1:1/charts": first path segment in URL cannot contain colon',
      'SOURCE_NOT_FOUND',
    ],
    [
      '*',
      { url: 'localhost:1/charts' },
      'unable to get tags: failed to get tags: Get "https://localhost:1/v2/charts/web/tags/list": dial tcp',
      'SOURCE_UNREACHABLE',
    ],
  ])('%s of %j is refused', async (revision, more, message, code) => {
    publish(versions)
    const url = (more as { readonly url?: string }).url
    const request = chart(revision, {
      ...more,
      ...(url?.startsWith('/') ? { url: server.url + url } : {}),
    })
    const error = await sources()
      .resolve(request)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code, retryable: code === 'SOURCE_UNREACHABLE' })
    expect((error as Error).message.slice(0, message.length)).toBe(message)
  })

  it('are unpacked, once', async () => {
    publish(versions)
    const fetcher = sources()
    const tree = await fetcher.fetch(chart('1.2.0'), '1.2.0')
    expect(content(tree)).toEqual({
      'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.0\n',
      'values.yaml': 'v: 1.2.0\n',
    })
    expect(tree.revision).toBe('1.2.0')
    server.requests.length = 0
    await fetcher.fetch(chart('1.2.0'), '1.2.0')
    expect(server.requests).toEqual([])
    // helm reads a partial version as a constraint
    expect(content(await fetcher.fetch(chart('1.2'), '1.2'))['values.yaml']).toBe('v: 1.2.5\n')
    expect(server.requests.map((request) => request.split(' ')[1])).toEqual([
      '/charts/web-1.2.5.tgz',
    ])
  })

  const pull = (version: string, name: string, url = server.url, flags = ''): string =>
    `error fetching chart: failed to fetch chart: failed running helm: \`helm pull --destination CACHE/argo/UUID --version ${version} --repo ${url} ${name}${flags}\` failed exit status 1: Error: `
  it('say in the words of helm what cannot be pulled', async () => {
    publish(versions)
    const message = async (request: Extract<SourceRequest, { type: 'helm' }>): Promise<string> =>
      sources()
        .fetch(request, request.revision)
        .then(
          () => 'fetched',
          (error: Error) => withoutFolder(error.message),
        )
    expect(await message(chart('9.9.9'))).toBe(
      `${pull('9.9.9', 'web')}chart "web" version "9.9.9" not found in ${server.url} repository`,
    )
    expect(await message(chart('1.0.0', { chart: 'nope', passCredentials: true }))).toBe(
      `${pull('1.0.0', 'nope', server.url, ' --pass-credentials')}chart "nope" version "1.0.0" not found in ${server.url} repository`,
    )
    const refused = 'http://127.0.0.1:1/charts'
    expect(await message(chart('1.0.0', { url: refused }))).toBe(
      `${pull('1.0.0', 'web', refused)}looks like "${refused}" is not a valid chart repository or cannot be reached: Get "${refused}/index.yaml": dial tcp 127.0.0.1:1: connect: connection refused`,
    )
    const none = `${server.url}/none`
    expect(await message(chart('1.0.0', { url: none }))).toBe(
      `${pull('1.0.0', 'web', none)}looks like "${none}" is not a valid chart repository or cannot be reached: failed to fetch ${none}/index.yaml : 404 File not found`,
    )
    delete server.files['/charts/web-1.0.0.tgz']
    expect(await message(chart('1.0.0'))).toBe(
      `${pull('1.0.0', 'web')}failed to fetch ${server.url}/charts/web-1.0.0.tgz : 404 File not found`,
    )
    server.files['/index.yaml'] = 'entries: {}'
    expect(await message(chart('1.0.0'))).toBe(
      `${pull('1.0.0', 'web')}looks like "${server.url}" is not a valid chart repository or cannot be reached: no API version specified`,
    )
  })

  it('look again when a version is newer than what is remembered of the index', async () => {
    publish(['1.0.0'])
    const fetcher = sources()
    expect(await fetcher.resolve(chart('*'))).toBe('1.0.0')
    publish(['1.0.0', '1.1.0'])
    expect(await fetcher.resolve(chart('*'))).toBe('1.0.0')
    expect(content(await fetcher.fetch(chart('1.1.0'), '1.1.0'))['values.yaml']).toBe('v: 1.1.0\n')
    publish(['1.0.0', '1.1.0', '1.2.0'])
    expect(await fetcher.resolve(chart('*'), { noRevisionCache: true })).toBe('1.2.0')
  })

  it('remember the index for three minutes, on disk, and do without when it is gone', async () => {
    publish(['1.0.0'])
    let now = 0
    const cacheDir = join(root.path, 'index-cache')
    const fetcher = sources({}, { now: () => now, cacheDir })
    await fetcher.resolve(chart('*'))
    publish(['2.0.0'])
    now += 179_000
    expect(await fetcher.resolve(chart('*'))).toBe('1.0.0')
    expect(readdirSync(join(cacheDir, 'helm'))).toHaveLength(1)
    rmSync(cacheDir, { recursive: true })
    expect(await fetcher.resolve(chart('*'))).toBe('2.0.0')
  })

  it('show credentials to their own repository alone, unless told otherwise', async () => {
    publish(['1.0.0'])
    const basic = `Basic ${Buffer.from('ada:pw').toString('base64')}`
    const secret = { url: server.url, type: 'helm', username: 'ada', password: 'pw' }
    other.files['/web-1.0.0.tgz'] = chartArchive('web', '1.0.0')
    server.basic = 'ada:pw'
    await sources(secret).fetch(chart('1.0.0'), '1.0.0')
    expect(server.requests.every((request) => request.endsWith(basic))).toBe(true)
    await expect(sources().fetch(chart('1.0.0'), '1.0.0')).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    })
    server.files['/index.yaml'] =
      `apiVersion: v1\nentries:\n  web:\n  - {version: 1.0.0, urls: [${other.url}/web-1.0.0.tgz]}\n`
    await sources(secret).fetch(chart('1.0.0'), '1.0.0')
    expect(other.requests.splice(0)).toEqual(['GET /web-1.0.0.tgz -'])
    await sources(secret).fetch(chart('1.0.0', { passCredentials: true }), '1.0.0')
    expect(other.requests.splice(0)).toEqual([`GET /web-1.0.0.tgz ${basic}`])
    server.files['/index.yaml'] =
      'apiVersion: v1\nentries:\n  web:\n  - {version: 1.0.0, urls: [moved.tgz]}\n'
    server.files['/moved.tgz'] = { location: `${other.url}/web-1.0.0.tgz` }
    await sources(secret).fetch(chart('1.0.0'), '1.0.0')
    expect(other.requests.splice(0)).toEqual(['GET /web-1.0.0.tgz -'])
    const wrong = await sources({ ...secret, password: 'wr0ng' })
      .fetch(chart('1.0.0'), '1.0.0')
      .catch((error: unknown) => error)
    expect(wrong).toMatchObject({
      code: 'SOURCE_REFUSED',
      message: expect.stringContaining('--username ****** --password ******'),
    })
    expect(JSON.stringify(wrong)).not.toContain('wr0ng')
  })

  it.each([
    [
      'a name that leaves it',
      tgzOf({ '../evil': 'x' }),
      'SOURCE_UNSAFE',
      'error untarring chart: illegal filepath in archive: ../evil',
    ],
    [
      'a link that leaves it',
      tgzOf({ 'web/link': { link: '../../etc' } }),
      'SOURCE_UNSAFE',
      'error untarring chart: illegal filepath in symlink: web/link',
    ],
    ['another folder', tgzOf({ 'other/Chart.yaml': 'x' }), 'SOURCE_CORRUPT', 'has no folder web'],
    [
      'too much',
      tgzOf({ 'web/big': 'x'.repeat(3_000_000) }),
      'BUDGET_EXCEEDED',
      'error untarring chart: an archive holds more than',
    ],
    [
      'nothing that is an archive',
      Buffer.from('hello'.repeat(200)),
      'SOURCE_CORRUPT',
      'error untarring chart: archive/tar: invalid tar header',
    ],
    [
      'half of it',
      tgzOf({ 'web/a': 'x'.repeat(5000) }).subarray(0, 40),
      'SOURCE_CORRUPT',
      'error untarring chart: an archive cannot be decompressed',
    ],
  ])('with %s are refused', async (_, archive, code, message) => {
    publish(['1.0.0'])
    server.files['/charts/web-1.0.0.tgz'] = archive
    const error = await sources({}, { maxExtractedBytes: 2_000_000 })
      .fetch(chart('1.0.0'), '1.0.0')
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('may lie below a path and be called by one', async () => {
    server.files['/index.yaml'] =
      'apiVersion: v1\nentries:\n  org/web:\n  - {version: 1.0.0, urls: [x.tgz]}\n'
    server.files['/x.tgz'] = chartArchive('web', '1.0.0', { link: { link: 'Chart.yaml' } })
    const tree = await sources().fetch(chart('1.0.0', { chart: 'org/web' }), '1.0.0')
    expect(content(tree)['link']).toBe('-> Chart.yaml')
  })
})

const helmConfig = 'application/vnd.cncf.helm.config.v1+json'
const helmLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'

describe('charts of a registry', () => {
  const repo = (): { [key: string]: string } => ({
    url: `${registry.host}/charts`,
    type: 'helm',
    enableOCI: 'true',
    insecureOCIForceHttp: 'true',
  })
  const request = (revision: string): Extract<SourceRequest, { type: 'helm' }> => ({
    type: 'helm',
    url: `${registry.host}/charts`,
    chart: 'web',
    revision,
  })
  beforeAll(() => {
    for (const [tag, version] of [
      ['1.0.0', '1.0.0'],
      ['1.1.0_build.1', '1.1.0+build.1'],
      ['2.0.0-rc.1', '2.0.0-rc.1'],
    ] as const) {
      registry.push('charts/web', tag, {
        configType: helmConfig,
        layers: [{ mediaType: helmLayer, bytes: chartArchive('web', version) }],
      })
    }
    registry.push('charts/odd', '1.0.0', {
      layers: [{ mediaType: 'text/plain', bytes: Buffer.from('x') }],
    })
  })

  it('are found by constraint and pulled', async () => {
    const fetcher = sources(repo())
    expect(await fetcher.resolve(request('1.x'))).toBe('1.1.0+build.1')
    const tree = await fetcher.fetch(request(''), '1.1.0+build.1')
    expect(content(tree)).toEqual({
      'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.1.0+build.1\n',
    })
    await expect(fetcher.resolve(request('^7'))).rejects.toThrow(
      'invalid revision: version matching constraint not found in 3 tags',
    )
  })

  it('say in the words of helm what cannot be pulled', async () => {
    const gone = (await sources(repo())
      .fetch(request(''), '9.0.0')
      .catch((error: unknown) => error)) as { readonly code: string; readonly message: string }
    expect(gone.code).toBe('SOURCE_REVISION_UNKNOWN')
    expect(withoutFolder(gone.message)).toBe(
      `error pulling OCI chart: failed to pull OCI chart: failed running helm: \`helm pull oci://${registry.host}/charts/web --version 9.0.0 --destination CACHE/argo/UUID --plain-http\` failed exit status 1: Error: failed to perform "FetchReference" on source: ${registry.host}/charts/web:9.0.0: not found`,
    )
    await expect(
      sources().fetch(
        { type: 'helm', url: 'localhost:1/charts', chart: 'web', revision: '' },
        '1.0.0',
      ),
    ).rejects.toThrow(
      /failed exit status 1: Error: failed to perform "FetchReference" on source: Get "https:\/\/localhost:1\/v2\/charts\/web\/manifests\/1\.0\.0": dial tcp .*:1: connect: connection refused$/,
    )
    await expect(sources(repo()).fetch({ ...request(''), chart: 'odd' }, '1.0.0')).rejects.toThrow(
      'manifest does not contain minimum number of descriptors (2), descriptors found: 1',
    )
  })
})

describe('OCI images', () => {
  const request = (revision: string, name = 'app'): Extract<SourceRequest, { type: 'oci' }> => ({
    type: 'oci',
    url: `oci://${registry.host}/${name}`,
    revision,
  })
  const repo = (more: object = {}): { [key: string]: string } => ({
    url: `oci://${registry.host}/app`,
    type: 'oci',
    insecureOCIForceHttp: 'true',
    ...more,
  })
  const gzipLayer = 'application/vnd.oci.image.layer.v1.tar+gzip'
  const files = { 'a.yaml': 'kind: A\n', 'dir/b.yaml': 'kind: B\n' }
  let digest = ''
  beforeAll(() => {
    registry.push('app', 'v1.0.0', {
      layers: [{ mediaType: gzipLayer, bytes: tgzOf({ 'a.yaml': 'old' }) }],
    })
    digest = registry.push('app', '1.2.0_x', {
      layers: [{ mediaType: gzipLayer, bytes: tgzOf(files) }],
    })
    registry.push('app', 'latest', { layers: [{ mediaType: gzipLayer, bytes: tgzOf(files) }] })
    for (let i = 0; i < 7; i++) registry.push('app', `0.0.${i}`, { layers: [] })
  })

  it.each(['none', 'basic', 'bearer'] as const)(
    'are resolved and unpacked where the registry wants %s',
    async (auth) => {
      registry.auth = auth
      registry.pageSize = 3
      const [username, password] = registryUser.split(':') as [string, string]
      const fetcher = sources(repo({ username, password }))
      expect(await fetcher.resolve(request('1.2.0+x'))).toBe(digest)
      expect(await fetcher.resolve(request('latest'))).toBe(digest)
      expect(await fetcher.resolve(request(digest))).toBe(digest)
      expect(await fetcher.resolve(request('^1.1'))).toBe(digest)
      const tree = await fetcher.fetch(request(''), digest)
      expect(content(tree)).toEqual(files)
      expect(tree.revision).toBe(digest)
      const secret = Buffer.from(registryUser).toString('base64')
      if (auth === 'bearer') {
        const shown = registry.requests.filter((line) => line.includes(secret))
        expect(shown.length).toBeGreaterThan(0)
        expect(
          shown.every((line) =>
            line.startsWith('GET /token?service=registry.test&scope=repository%3Aapp%3Apull '),
          ),
        ).toBe(true)
        expect(shown).toHaveLength(1)
      }
      registry.requests.length = 0
      await fetcher.fetch(request(''), digest)
      expect(registry.requests).toEqual([])
    },
  )

  it('may lie on another server, which sees no credentials', async () => {
    Object.assign(registry, { auth: 'basic', redirectBlobs: true })
    const [username, password] = registryUser.split(':') as [string, string]
    expect(content(await sources(repo({ username, password })).fetch(request(''), digest))).toEqual(
      files,
    )
    expect(
      registry.requests
        .filter((line) => line.startsWith('ELSEWHERE'))
        .every((line) => line.endsWith(' -')),
    ).toBe(true)
    expect(registry.requests.some((line) => line.startsWith('ELSEWHERE'))).toBe(true)
  })

  it('are resolved where HEAD does not tell the digest', async () => {
    registry.silentHead = true
    expect(await sources(repo()).resolve(request('latest'))).toBe(digest)
  })

  it.each([
    [
      '9.9.9',
      'app',
      'failed to resolve revision "9.9.9": cannot get digest for revision 9.9.9: HOST/app:9.9.9: not found',
      'SOURCE_REVISION_UNKNOWN',
    ],
    [
      '^9',
      'app',
      'failed to resolve revision "^9": no version for constraints: version matching constraint not found in 10 tags',
      'SOURCE_REVISION_UNKNOWN',
    ],
    [
      'main',
      'none',
      'failed to resolve revision "main": cannot get digest for revision main: HOST/none:main: not found',
      'SOURCE_REVISION_UNKNOWN',
    ],
    [
      '1.x',
      'none',
      'failed to resolve revision "1.x": error fetching tags: failed to get tags: GET "http://HOST/v2/none/tags/list": response status code 404: name unknown: repository name not known to registry',
      'SOURCE_NOT_FOUND',
    ],
    [
      '',
      'app',
      'failed to resolve revision "": cannot get digest for revision : invalid reference',
      'SOURCE_REVISION_UNKNOWN',
    ],
    [
      'x',
      'App',
      'failed to initialize oci client: failed to initialize repository: invalid reference: invalid repository "App"',
      'SOURCE_REVISION_UNKNOWN',
    ],
  ])('%j of %s is refused', async (revision, name, message, code) => {
    const fetcher = sources({ ...repo(), url: `oci://${registry.host}/${name}` })
    await expect(fetcher.resolve(request(revision, name))).rejects.toMatchObject({
      code,
      message: message.replaceAll('HOST', registry.host),
    })
  })

  it('are refused without credentials, or with wrong ones', async () => {
    registry.auth = 'basic'
    await expect(sources(repo()).resolve(request('latest'))).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
      message: `failed to resolve revision "latest": cannot get digest for revision latest: HEAD "http://${registry.host}/v2/app/manifests/latest": basic credential not found`,
    })
    registry.auth = 'bearer'
    await expect(
      sources(repo({ username: 'ada', password: 'wrong' })).resolve(request('latest')),
    ).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
      message: expect.stringMatching(
        /HEAD "http:\/\/.*\/manifests\/latest": GET "http:\/\/.*\/token\?.*": response status code 401: unauthorized: authentication required$/,
      ),
    })
  })

  it('speak of a host that cannot be reached as Argo CD does', async () => {
    const gone = (revision: string): Promise<string> =>
      sources().resolve({ type: 'oci', url: 'oci://127.0.0.1:1/image', revision })
    await expect(gone('1.0.0')).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      retryable: true,
      message:
        'failed to resolve revision "1.0.0": cannot get digest for revision 1.0.0: Head "https://127.0.0.1:1/v2/image/manifests/1.0.0": dial tcp 127.0.0.1:1: connect: connection refused',
    })
    await expect(gone('1.x')).rejects.toMatchObject({
      message:
        'failed to resolve revision "1.x": error fetching tags: failed to get tags: Get "https://127.0.0.1:1/v2/image/tags/list": dial tcp 127.0.0.1:1: connect: connection refused',
    })
  })

  it.each([
    ['no layer', [], {}, 'expected only a single oci content layer, got 0'],
    [
      'two layers of content',
      [gzipLayer, gzipLayer],
      {},
      'expected only a single oci content layer, got 2',
    ],
    [
      'too many layers',
      Array(11).fill('text/plain'),
      {},
      'expected no more than 10 oci layers, got 11',
    ],
    [
      'a layer of another kind',
      ['application/x.tar'],
      {},
      'oci layer media type application/x.tar is not in the list of allowed media types',
    ],
    [
      'a chart without its layer',
      [gzipLayer],
      { configType: helmConfig },
      'expected only a single oci content layer, got 0',
    ],
    [
      'a layer that is no archive',
      [gzipLayer],
      {},
      /^cannot extract contents of oci image with revision sha256:\w+: could not decompress layer: /,
    ],
  ])('with %s are refused', async (_, types, more, message) => {
    const layers = (types as readonly string[]).map((mediaType, i) => ({
      mediaType,
      bytes: Buffer.from(`no archive ${i}`.repeat(80)),
    }))
    const bad = registry.push('app', 'bad', { ...more, layers })
    await expect(sources(repo()).fetch(request(''), bad)).rejects.toThrow(message)
  })

  it('take attestations and the like beside the content, and uncompressed layers', async () => {
    const mixed = registry.push('app', 'mixed', {
      layers: [
        { mediaType: 'application/vnd.in-toto+json', bytes: Buffer.from('{}') },
        { mediaType: 'application/vnd.oci.image.layer.v1.tar', bytes: tarOf(files) },
      ],
    })
    expect(content(await sources(repo()).fetch(request(''), mixed))).toEqual(files)
  })

  it('unwrap charts', async () => {
    const wrapped = registry.push('app', 'chart', {
      configType: helmConfig,
      layers: [{ mediaType: helmLayer, bytes: chartArchive('some-chart', '1.0.0') }],
    })
    expect(Object.keys(content(await sources(repo()).fetch(request(''), wrapped)))).toEqual([
      'Chart.yaml',
    ])
    const odd = registry.push('app', 'odd', {
      configType: helmConfig,
      layers: [{ mediaType: helmLayer, bytes: tgzOf({ 'a/x': '1', 'b/y': '2' }) }],
    })
    await expect(sources(repo()).fetch(request(''), odd)).rejects.toThrow(
      'expected 1 directory, found 2',
    )
  })

  it('are refused when their content is not what was signed for', async () => {
    registry.damaged = true
    await expect(sources(repo()).fetch(request(''), digest)).rejects.toMatchObject({
      code: 'SOURCE_CORRUPT',
      message: expect.stringMatching(/^could not save oci digest sha256:\w+: mismatch digest/),
    })
  })
})

describe('plain files', () => {
  it('are a tree of one file', async () => {
    server.files['/dir/base.yaml'] = 'kind: X\n'
    const request = { type: 'http', url: `${server.url}/dir/base.yaml`, revision: '' } as const
    const fetcher = sources()
    expect(await fetcher.resolve(request)).toBe('')
    expect(content(await fetcher.fetch(request, ''))).toEqual({ 'base.yaml': 'kind: X\n' })
    await expect(
      fetcher.fetch({ ...request, url: `${server.url}/none` }, ''),
    ).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      message: `failed to fetch ${server.url}/none : 404 File not found`,
    })
  })
})
