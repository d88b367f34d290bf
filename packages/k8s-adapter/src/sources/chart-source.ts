import type { FetchOptions, SourceRequest } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import { memoryTree } from '@litecd/core/files'
import { codeOfStatus, exchangeError, reworded, staged } from './answer-error.ts'
import type { DiskCache } from './disk-cache.ts'
import type { FetchedTree } from './fetched-tree.ts'
import { parseGoUrl } from './go-url.ts'
import {
  type ChartVersion,
  chartEntries,
  chartTree,
  credentialFlags,
  downloadIndex,
  type HelmRepositoryOptions,
  notARepository,
  pullChart,
  pullError,
} from './helm/index.ts'
import { type HttpResponse, httpRequest } from './http/index.ts'
import {
  chartLayer,
  contentLayer,
  type Manifest,
  parseRepository,
  Registry,
  resolveImage,
  unpackLayer,
} from './oci/index.ts'
import {
  type RepositoryList,
  type RepositorySettings,
  registryFor,
  repositoryFor,
  repositoryNamed,
} from './repository.ts'
import type { TimedCache } from './timed-cache.ts'
import { hostOf, tlsSettings } from './tls-settings.ts'
import { isVersion, maxVersion } from './versions.ts'

export type HelmRequest = Extract<SourceRequest, { type: 'helm' }>
export type OciRequest = Extract<SourceRequest, { type: 'oci' }>
export type HttpSourceRequest = Extract<SourceRequest, { type: 'http' }>

/** Charts, images and files as sources: what is known of repositories, and memories of what they said. */
export interface ChartSource {
  readonly repositories: () => RepositoryList
  readonly certificatesFor: ((host: string) => string | undefined) | undefined
  readonly now: () => number
  /** Whether an index was downloaded lately; the bytes are on disk. */
  readonly indexes: TimedCache<true>
  readonly indexFiles: DiskCache
  readonly tags: TimedCache<readonly string[]>
  readonly archives: DiskCache
  readonly registries: Map<string, Registry>
  readonly maxIndexBytes: number
  readonly maxExtractedBytes: number
  readonly layerTypes: readonly string[]
}

/** @throws SourceError in Argo CD's words */
export async function resolveChart(
  source: ChartSource,
  request: HelmRequest,
  options: FetchOptions,
): Promise<string> {
  // Parity: an exact version is not looked up, so one that does not exist fails only when it is pulled.
  if (isVersion(request.revision)) return request.revision
  const settings = chartSettings(source, request.url, options)
  let versions: readonly string[]
  if (isRegistry(settings)) {
    try {
      versions = await tagsOf(
        source,
        settings,
        `${registryPath(settings)}/${request.chart}`,
        options,
      )
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw staged(
        reworded(error, 'unable to get tags: failed to get tags: '),
        'tags',
        error.message,
      )
    }
    versions = versions.map((tag) => tag.replaceAll('_', '+'))
  } else {
    const entries = await entriesOf(source, settings, request.chart, options)
    if (entries === undefined) {
      throw staged(
        new SourceError('SOURCE_NOT_FOUND', `chart '${request.chart}' not found in index`),
        'chart',
        `chart ${JSON.stringify(request.chart)} not found in ${settings.url} repository`,
        { repository: settings.url },
      )
    }
    versions = entries.map(({ version }) => version)
  }
  const answer = maxVersion(request.revision, versions)
  if ('version' in answer) return answer.version
  throw staged(
    new SourceError('SOURCE_REVISION_UNKNOWN', `invalid revision: ${answer.error}`, {
      hint: 'give an exact version, or a constraint such as 1.x or >=1.2.0 <2.0.0',
    }),
    'version',
    `could not locate a version matching provided version string ${request.revision}`,
    { repository: settings.url },
  )
}

/** The versions of a chart in the index of its repository. */
async function entriesOf(
  source: ChartSource,
  settings: RepositorySettings,
  chart: string,
  options: FetchOptions,
): Promise<readonly ChartVersion[] | undefined> {
  try {
    const index = await indexOf(source, settings, options, options.noRevisionCache === true)
    return chartEntries(index, chart).versions
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw staged(error, 'index', notARepository(settings.url, error).message, {
      repository: settings.url,
      flags: credentialFlags(settings),
    })
  }
}

/** @throws SourceError in Argo CD's words */
export async function fetchChart(
  source: ChartSource,
  request: HelmRequest,
  revision: string,
  options: FetchOptions,
): Promise<FetchedTree> {
  const settings = chartSettings(source, request.url, options)
  const key = JSON.stringify(['chart', settings.url, settings.project, request.chart, revision])
  let archive = source.archives.read(key)
  if (archive === undefined) {
    archive = isRegistry(settings)
      ? await pullFromRegistry(
          source,
          settings,
          request.chart,
          revision,
          source.archives.pathOf(key),
          options,
        )
      : await pullChart(
          helmOptions(source, settings, source.archives.pathOf(key)),
          request.chart,
          revision,
          request.passCredentials ?? false,
          (fresh) => indexOf(source, settings, options, fresh),
          { signal: options.signal },
        )
    source.archives.write(key, archive)
  }
  const tree = await chartTree(archive, request.chart, source.maxExtractedBytes)
  return { ...tree, revision }
}

/** @throws SourceError in Argo CD's words */
export async function resolveOci(
  source: ChartSource,
  request: OciRequest,
  options: FetchOptions,
): Promise<string> {
  const { settings, path } = ociPlace(source, request, options)
  const { registry, repository } = registryAt(source, settings, path)
  return resolveImage(
    registry,
    repository,
    request.revision,
    () => tagsOf(source, settings, path, options),
    {
      signal: options.signal,
    },
  )
}

/** @throws SourceError in Argo CD's words */
export async function fetchOci(
  source: ChartSource,
  request: OciRequest,
  digest: string,
  options: FetchOptions,
): Promise<FetchedTree> {
  const { settings, path } = ociPlace(source, request, options)
  const { registry, repository } = registryAt(source, settings, path)
  const call = { signal: options.signal }
  const key = JSON.stringify(['image', path, settings.project, digest])
  let unwrap: boolean
  let layer = source.archives.read(key)
  if (layer !== undefined) {
    unwrap = layer[0] === 1
    layer = layer.subarray(1)
  } else {
    const { bytes } = await registry.manifest(repository, digest, call).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error
      throw reworded(error, `error fetching oci manifest for digest ${digest}: `)
    })
    let manifest: Manifest
    try {
      manifest = JSON.parse(bytes.toString('utf8')) as Manifest
    } catch (cause) {
      throw new SourceError(
        'SOURCE_CORRUPT',
        `error decoding oci manifest for digest ${digest}: ${(cause as Error).message}`,
        { cause },
      )
    }
    const content = contentLayer(manifest, source.layerTypes)
    unwrap = content.unwrap
    layer = await registry
      .blob(repository, content.descriptor, source.maxExtractedBytes, call)
      .catch((error: unknown) => {
        if (!(error instanceof SourceError)) throw error
        throw reworded(error, `could not save oci digest ${digest}: `)
      })
    source.archives.write(key, Buffer.concat([Buffer.from([unwrap ? 1 : 0]), layer]))
  }
  const tree = await unpackLayer(layer, unwrap, digest, source.maxExtractedBytes)
  return { ...tree, revision: digest }
}

/** One file, under the last part of its path. @throws SourceError */
export async function fetchFile(
  source: ChartSource,
  request: HttpSourceRequest,
  options: FetchOptions,
): Promise<FetchedTree> {
  const settings = settingsFor(source, request.url, options)
  let response: HttpResponse
  try {
    response = await httpRequest({
      url: request.url,
      tls: tlsSettings(settings, hostOf(request.url), source.certificatesFor),
      proxy: { proxy: settings.proxy, noProxy: settings.noProxy },
      signal: options.signal,
      maxBytes: source.maxExtractedBytes,
    })
  } catch (error) {
    throw exchangeError(error, '')
  }
  if (response.status !== 200) {
    const { code, retryable } = codeOfStatus(response.status)
    throw new SourceError(code, `failed to fetch ${request.url} : ${response.statusText}`, {
      retryable,
      data: { status: response.status },
    })
  }
  const name = new URL(request.url).pathname.split('/').findLast((part) => part !== '') ?? 'index'
  return { ...memoryTree({ [decoded(name)]: response.body }), revision: '' }
}

/** A name of one segment; what cannot be decoded, or would become several, stays as it is. */
function decoded(name: string): string {
  try {
    const text = decodeURIComponent(name)
    return text.includes('/') ? name : text
  } catch {
    return name
  }
}

function chartSettings(
  source: ChartSource,
  url: string,
  options: FetchOptions,
): RepositorySettings {
  const list = source.repositories()
  const project = options.project ?? ''
  if (url.startsWith('oci://')) return registryFor(url, project, list)
  const name = /^(?:@|alias:)(.*)$/s.exec(url)?.[1]
  if (name === undefined) return settingsFor(source, url, options)
  const named = repositoryNamed(name, project, list)
  if (named !== undefined) return named
  throw staged(
    new SourceError('SOURCE_NOT_FOUND', `no repository is called ${JSON.stringify(name)}`, {
      hint: 'Repositories get names from `name` in their Secrets.',
    }),
    'name',
    'could not find protocol handler for: ',
  )
}

function settingsFor(source: ChartSource, url: string, options: FetchOptions): RepositorySettings {
  const found = repositoryFor(url, options.project ?? '', source.repositories())
  // a Secret may spell the URL differently; what is asked for is what the Application says
  return { ...found, url }
}

/** A registry-style Helm repository: told so, or a URL without a host part. Source: argo-cd v3.5.1 IsHelmOciRepo */
function isRegistry(settings: RepositorySettings): boolean {
  const url = parseGoUrl(settings.url)
  return settings.enableOCI || (settings.url !== '' && !('error' in url) && url.host === '')
}

function registryPath(settings: RepositorySettings): string {
  return settings.url.replace(/^(?:https|oci):\/\//, '').replace(/\/+$/, '')
}

function helmOptions(
  source: ChartSource,
  settings: RepositorySettings,
  destination = '',
): HelmRepositoryOptions {
  return {
    settings,
    tls: tlsSettings(settings, hostOf(settings.url), source.certificatesFor),
    maxIndexBytes: source.maxIndexBytes,
    maxExtractedBytes: source.maxExtractedBytes,
    destination,
  }
}

/** The index of a repository; downloaded at most once in a while, kept on disk in between. */
async function indexOf(
  source: ChartSource,
  settings: RepositorySettings,
  options: FetchOptions,
  fresh: boolean,
): Promise<Buffer> {
  const key = JSON.stringify(['index', settings.url, settings.project])
  let downloaded: Buffer | undefined
  const download = async (): Promise<true> => {
    downloaded = await downloadIndex(helmOptions(source, settings), { signal: options.signal })
    source.indexFiles.write(key, downloaded)
    return true
  }
  await source.indexes.get(key, download, fresh)
  return (
    downloaded ??
    source.indexFiles.read(key) ??
    downloadIndex(helmOptions(source, settings), { signal: options.signal })
  )
}

function tagsOf(
  source: ChartSource,
  settings: RepositorySettings,
  path: string,
  options: FetchOptions,
): Promise<readonly string[]> {
  return source.tags.get(
    JSON.stringify(['tags', path, settings.project]),
    async () => {
      const { registry, repository } = registryAt(source, settings, path)
      return registry.tags(repository, { signal: options.signal })
    },
    options.noRevisionCache === true,
  )
}

function registryAt(
  source: ChartSource,
  settings: RepositorySettings,
  path: string,
): { readonly registry: Registry; readonly repository: string } {
  let parsed: ReturnType<typeof parseRepository>
  try {
    parsed = parseRepository(path)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw reworded(error, 'failed to initialize repository: ')
  }
  const key = JSON.stringify([parsed.host, settings])
  let registry = source.registries.get(key)
  if (registry === undefined) {
    registry = new Registry({
      host: parsed.host,
      plainHttp: settings.insecureOCIForceHttp,
      username: settings.username,
      password: settings.password,
      tls: tlsSettings(settings, hostOf(parsed.host), source.certificatesFor),
      proxy: { proxy: settings.proxy, noProxy: settings.noProxy },
      now: source.now,
    })
    if (source.registries.size > 200) source.registries.clear()
    source.registries.set(key, registry)
  }
  return { registry, repository: parsed.repository }
}

function ociPlace(
  source: ChartSource,
  request: OciRequest,
  options: FetchOptions,
): { readonly settings: RepositorySettings; readonly path: string } {
  const settings = settingsFor(source, request.url, options)
  const path = request.url.replace(/^oci:\/\//, '')
  try {
    parseRepository(path)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw reworded(error, 'failed to initialize oci client: failed to initialize repository: ')
  }
  return { settings, path }
}

/** As `helm pull oci://…` does. Source: helm v4.2.2 pkg/registry */
async function pullFromRegistry(
  source: ChartSource,
  settings: RepositorySettings,
  chart: string,
  version: string,
  destination: string,
  options: FetchOptions,
): Promise<Buffer> {
  const path = `${registryPath(settings)}/${chart}`
  const call = { signal: options.signal }
  try {
    const { registry, repository } = registryAt(source, settings, path)
    const { bytes } = await registry
      .manifest(repository, version.replaceAll('+', '_'), call)
      .catch((error: unknown) => {
        if (!(error instanceof SourceError)) throw error
        throw reworded(error, 'failed to perform "FetchReference" on source: ')
      })
    const layer = chartLayer(JSON.parse(bytes.toString('utf8')) as Manifest)
    return await registry.blob(repository, layer, source.maxExtractedBytes, call)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const command = `helm pull oci://${path} --version ${version} --destination ${destination}${settings.insecure ? ' --insecure-skip-tls-verify' : ''}${settings.insecureOCIForceHttp ? ' --plain-http' : ''}`
    const failed = pullError(error, command, 'error pulling OCI chart: failed to pull OCI chart')
    throw staged(failed, 'archive', error.message)
  }
}
