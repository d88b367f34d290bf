import { join } from 'node:path'
import type { SourceRequest } from '@litecd/core/adapters'
import type { LitecdError } from '@litecd/core/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chartArchive } from '../../test/chartserver/archives.ts'
import {
  type FileServer,
  registryUser,
  startFileServer,
  startRegistry,
  type TestRegistry,
} from '../../test/chartserver/servers.ts'
import { tempFolder } from '../../test/gitserver/make-repo.ts'
import { createSourceFetcher, parseRepositorySecret } from './index.ts'

const root = tempFolder()
let server: FileServer
let registry: TestRegistry
beforeAll(async () => {
  server = await startFileServer()
  registry = await startRegistry()
  registry.push('charts/lib', '1.0.0', {
    configType: 'application/vnd.cncf.helm.config.v1+json',
    layers: [
      {
        mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
        bytes: chartArchive('lib', '1.0.0'),
      },
    ],
  })
})
beforeEach(() => {
  server.basic = undefined
  registry.auth = 'none'
  server.files['/index.yaml'] = [
    'apiVersion: v1',
    'entries:',
    '  lib:',
    '  - {name: lib, version: 1.0.0, urls: [lib-1.0.0.tgz]}',
    '  gone:',
    '  - {name: gone, version: 1.0.0, urls: [gone-1.0.0.tgz]}',
    '  nourl:',
    '  - {name: nourl, version: 1.0.0, urls: []}',
  ].join('\n')
  server.files['/lib-1.0.0.tgz'] = chartArchive('lib', '1.0.0')
})
afterAll(() => {
  server.close()
  registry.close()
  root.remove()
})

type Secret = { readonly [key: string]: string }
let caches = 0

/** The files of a dependency, or the data of the error. */
async function bring(
  url: string,
  chart: string,
  revision: string,
  secrets: readonly Secret[] = [],
): Promise<unknown> {
  const fetcher = createSourceFetcher({
    cacheDir: join(root.path, String(caches++)),
    repositories: () => ({
      repositories: secrets.map((secret) => parseRepositorySecret(secret)),
      templates: [],
    }),
  })
  const request: SourceRequest = { type: 'helm', url, chart, revision }
  const options = { project: 'default' }
  try {
    const tree = await fetcher.fetch(request, await fetcher.resolve(request, options), options)
    return tree.list('')?.map(({ name }) => name)
  } catch (error) {
    return (error as LitecdError).data
  }
}

describe('charts that others depend on', () => {
  it.each([
    ['lib', '^1.0.0', ['Chart.yaml']],
    ['lib', '^2.0.0', { stage: 'version' }],
    ['lib', '2.0.0', { stage: 'version' }],
    ['other', '^2.0.0', { stage: 'chart' }],
    ['other', '2.0.0', { stage: 'chart' }],
    ['nourl', '1.0.0', { stage: 'version' }],
  ])('%s %s of a repository', async (chart, revision, want) => {
    const got = await bring(server.url, chart, revision)
    if (Array.isArray(want)) expect(got).toEqual(want)
    else expect(got).toMatchObject(want)
  })

  it('tell the archive that is not there', async () => {
    expect(await bring(server.url, 'gone', '1.0.0')).toMatchObject({
      stage: 'archive',
      url: `${server.url}/gone-1.0.0.tgz`,
      reason: `failed to fetch ${server.url}/gone-1.0.0.tgz : 404 File not found`,
    })
  })

  it.each(['1.0.0', '^1.0.0'])('tell the index that is not there: %s', async (revision) => {
    const url = `${server.url}/none`
    const secret = { url, type: 'helm', username: 'ada', password: 'p', insecure: 'true' }
    expect(await bring(url, 'lib', revision, [secret])).toEqual({
      stage: 'index',
      repository: url,
      flags: '--username ****** --password ****** --insecure-skip-tls-verify ',
      reason: `looks like "${url}" is not a valid chart repository or cannot be reached: failed to fetch ${url}/index.yaml : 404 File not found`,
    })
  })

  it('are found by the name of the repository, with its credentials', async () => {
    server.basic = 'ada:p'
    const secret = { url: server.url, type: 'helm', name: 'stable', username: 'ada', password: 'p' }
    for (const url of ['@stable', 'alias:stable']) {
      expect(await bring(url, 'lib', '1.0.0', [secret])).toEqual(['Chart.yaml'])
    }
    expect(await bring('@stable', 'lib', '1.0.0')).toEqual({
      stage: 'name',
      reason: 'could not find protocol handler for: ',
    })
    const elsewhere = { ...secret, project: 'other' }
    expect(await bring('@stable', 'lib', '1.0.0', [elsewhere])).toMatchObject({ stage: 'name' })
  })

  it.each([
    ['the same URL', ''],
    ['the same URL with a scheme', 'oci://'],
  ])('come from a registry with the Secret of %s', async (_, scheme) => {
    registry.auth = 'basic'
    const [username, password] = registryUser.split(':') as [string, string]
    const secret = {
      url: `${scheme}${registry.host}/charts`,
      type: 'helm',
      enableOCI: 'true',
      insecureOCIForceHttp: 'true',
      username,
      password,
    }
    const url = `oci://${registry.host}/charts`
    expect(await bring(url, 'lib', '^1.0.0', [secret])).toEqual(['Chart.yaml'])
  })

  it.each(['', '/charts/more'])('come from a registry with a Secret for %j', async (path) => {
    registry.auth = 'basic'
    const [username, password] = registryUser.split(':') as [string, string]
    const secret = {
      url: `${registry.host}${path}`,
      type: 'helm',
      enableOCI: 'true',
      insecureOCIForceHttp: 'true',
      username,
      password,
    }
    const url = `oci://${registry.host}/charts`
    expect(await bring(url, 'lib', '1.0.0', [secret])).toEqual(['Chart.yaml'])
    const foreign = { ...secret, project: 'other' }
    expect(await bring(url, 'lib', '1.0.0', [foreign])).toMatchObject({ stage: 'archive' })
  })

  it('tell tags and manifests that a registry does not give', async () => {
    const plain = { url: registry.host, enableOCI: 'true', insecureOCIForceHttp: 'true' }
    const url = `oci://${registry.host}/charts`
    expect(await bring(url, 'lib', '^2.0.0', [plain])).toMatchObject({
      stage: 'version',
      reason: 'could not locate a version matching provided version string ^2.0.0',
    })
    expect(await bring(url, 'lib', '2.0.0', [plain])).toMatchObject({
      stage: 'archive',
      reason: `failed to perform "FetchReference" on source: ${registry.host}/charts/lib:2.0.0: not found`,
    })
    expect(await bring('oci://localhost:1/charts', 'lib', '^2.0.0')).toMatchObject({
      stage: 'tags',
    })
  })
})
