import { SourceError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import { codeOfStatus, exchangeError, reworded, staged } from '../answer-error.ts'
import { subTree, unpack } from '../archive.ts'
import { joinUrlPath, parseGoUrl } from '../go-url.ts'
import {
  basicAuthorization,
  type HttpResponse,
  httpRequest,
  type TlsSettings,
} from '../http/index.ts'
import type { RepositorySettings } from '../repository.ts'
import { type ChartEntries, pickVersion, readChartEntries } from './index-file.ts'

export interface HelmRepositoryOptions {
  readonly settings: RepositorySettings
  readonly tls: TlsSettings
  readonly maxIndexBytes: number
  readonly maxExtractedBytes: number
  /** Where the archive goes, as messages name it. */
  readonly destination: string
}

export interface HelmCall {
  readonly signal?: AbortSignal | undefined
}

/** How long Argo CD lets helm run (ARGOCD_EXEC_TIMEOUT). */
const timeoutMs = 90_000

/**
 * What the index of a repository says of a chart, downloaded now.
 *
 * @throws SourceError whose message begins with `error loading repo index: `
 * Source: argo-cd v3.5.1 util/helm/client.go loadRepoIndex
 */
export async function downloadIndex(
  options: HelmRepositoryOptions,
  call: HelmCall = {},
): Promise<Buffer> {
  const { settings } = options
  const prefix = 'error loading repo index: '
  const place = joinUrlPath(settings.url, 'index.yaml')
  if ('error' in place) {
    throw new SourceError(
      'SOURCE_NOT_FOUND',
      `${prefix}error getting index URL: error parsing repository URL: ${place.error}`,
    )
  }
  let response: HttpResponse
  try {
    response = await httpRequest({
      url: place.url,
      authorization:
        settings.username === '' && settings.password === ''
          ? undefined
          : basicAuthorization(settings.username, settings.password),
      ...exchangeSettings(options, call),
      maxBytes: options.maxIndexBytes,
    })
  } catch (error) {
    throw exchangeError(error, `${prefix}error making HTTP request: `)
  }
  if (response.status !== 200) {
    const { code, retryable } = codeOfStatus(response.status)
    throw new SourceError(code, `${prefix}failed to get index: ${response.statusText}`, {
      retryable,
    })
  }
  return response.body
}

/** @throws SourceError SOURCE_CORRUPT whose message begins with `error decoding index: ` */
export function chartEntries(index: Buffer, chart: string): ChartEntries {
  try {
    return readChartEntries(index, chart)
  } catch (cause) {
    throw new SourceError('SOURCE_CORRUPT', `error decoding index: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/**
 * The archive of a chart, as `helm pull --repo` would download it.
 *
 * `index` gives what is known of the chart; it is called again with `true` when the version is not in there.
 *
 * @throws SourceError in Argo CD's words; `data.reason` is what helm itself would say
 * Source: helm v4.2.2 pkg/repo/v1/chartrepo.go FindChartInRepoURL, pkg/getter/httpgetter.go
 */
export async function pullChart(
  options: HelmRepositoryOptions,
  chart: string,
  version: string,
  passCredentials: boolean,
  index: (fresh: boolean) => Promise<Buffer>,
  call: HelmCall = {},
): Promise<Buffer> {
  const { settings } = options
  let place = ''
  try {
    const url = await findChart(options, chart, version, index)
    place = url
    const own = new URL(settings.url)
    const target = new URL(url)
    const may = passCredentials || (own.protocol === target.protocol && own.host === target.host)
    const response = await httpRequest({
      url,
      headers: { accept: 'application/gzip,application/octet-stream' },
      authorization:
        may && settings.username !== '' && settings.password !== ''
          ? basicAuthorization(settings.username, settings.password)
          : undefined,
      passToOtherHosts: passCredentials,
      ...exchangeSettings(options, call),
      maxBytes: options.maxExtractedBytes,
    }).catch((error: unknown) => {
      throw exchangeError(error, '')
    })
    if (response.status !== 200) {
      const { code, retryable } = codeOfStatus(response.status)
      throw new SourceError(code, `failed to fetch ${url} : ${response.statusText}`, { retryable })
    }
    return response.body
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const failed = pullError(
      error,
      pullCommand(options, chart, version, passCredentials),
      'error fetching chart: failed to fetch chart',
    )
    const facts = { repository: settings.url, flags: credentialFlags(settings) }
    const stage = error.data['stage'] as 'index' | 'chart' | 'version' | undefined
    throw stage === undefined
      ? staged(failed, 'archive', error.message, { ...facts, url: place })
      : staged(failed, stage, error.message, facts)
  }
}

async function findChart(
  options: HelmRepositoryOptions,
  chart: string,
  version: string,
  index: (fresh: boolean) => Promise<Buffer>,
): Promise<string> {
  const { settings } = options
  const name = `chart ${JSON.stringify(chart)}${version === '' ? '' : ` version ${JSON.stringify(version)}`}`
  let isKnown = false
  for (const fresh of [false, true]) {
    let entries: ChartEntries
    try {
      const bytes = await index(fresh)
      if (bytes.length === 0) throw new SourceError('SOURCE_CORRUPT', 'empty index.yaml file')
      entries = chartEntries(bytes, chart)
      if (!entries.hasApiVersion)
        throw new SourceError('SOURCE_CORRUPT', 'no API version specified')
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const refused = notARepository(settings.url, error)
      throw staged(refused, 'index', refused.message)
    }
    isKnown = entries.versions !== undefined
    const found = pickVersion(entries.versions ?? [], version)
    if (found === undefined) continue
    const [first] = found.urls
    if (first === undefined) {
      const text = `${name} has no downloadable URLs`
      throw staged(new SourceError('SOURCE_NOT_FOUND', text), 'version', text)
    }
    return absoluteUrl(settings.url, first)
  }
  const text = `${name} not found in ${settings.url} repository`
  throw staged(
    new SourceError('SOURCE_REVISION_UNKNOWN', text),
    isKnown ? 'version' : 'chart',
    text,
  )
}

/** The words of helm for an index that cannot be had, from those of Argo CD for the same. */
export function notARepository(url: string, error: SourceError): SourceError {
  const plain = error.message
    .replace(/^error loading repo index: (?:error making HTTP request: )?/, '')
    .replace(/^failed to get index: /, `failed to fetch ${joined(url)} : `)
    .replace(/^error decoding index: (?=yaml: )/, 'error converting YAML to JSON: ')
    .replace(/^error decoding index: /, 'error unmarshaling JSON: while decoding JSON: ')
  return new SourceError(
    error.code,
    `looks like ${JSON.stringify(url)} is not a valid chart repository or cannot be reached: ${plain}`,
    { retryable: error.retryable, cause: error },
  )
}

function joined(url: string): string {
  const place = joinUrlPath(url, 'index.yaml')
  return 'error' in place ? url : place.url
}

/** Source: helm v4.2.2 pkg/repo/v1/chartrepo.go ResolveReferenceURL */
function absoluteUrl(repository: string, reference: string): string {
  const parsed = parseGoUrl(reference)
  if ('error' in parsed) {
    throw new SourceError(
      'SOURCE_CORRUPT',
      `failed to make chart URL absolute: failed to parse ${reference} as URL: ${parsed.error}`,
    )
  }
  if (parsed.scheme !== '') return reference
  const base = new URL(repository)
  const query = base.search
  base.search = ''
  base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  const url = new URL(reference, base)
  url.search = query
  return url.href
}

/** The command line that Argo CD shows, secrets masked as there; its temporary folder has a name of the same form. */
function pullCommand(
  { settings, destination }: HelmRepositoryOptions,
  chart: string,
  version: string,
  passCredentials: boolean,
): string {
  return [
    `helm pull --destination ${destination}`,
    ...(version === '' ? [] : [`--version ${version}`]),
    ...(credentialFlags(settings) === '' ? [] : [credentialFlags(settings).trimEnd()]),
    `--repo ${settings.url} ${chart}`,
    ...(passCredentials ? ['--pass-credentials'] : []),
  ].join(' ')
}

/** What helm is told of credentials, secrets masked, with a space after each. */
export function credentialFlags({ username, password, insecure }: RepositorySettings): string {
  return `${username === '' ? '' : '--username ****** '}${password === '' ? '' : '--password ****** '}${insecure ? '--insecure-skip-tls-verify ' : ''}`
}

/** A failed pull as Argo CD words it. */
export function pullError(error: SourceError, command: string, prefix: string): SourceError {
  return new SourceError(
    error.code,
    `${prefix}: failed running helm: \`${command}\` failed exit status 1: Error: ${error.message}`,
    { retryable: error.retryable, hint: error.hint, data: { reason: error.message }, cause: error },
  )
}

/**
 * The tree of a chart out of its archive: the folder named as the last part of the chart's name.
 *
 * @throws SourceError in Argo CD's words
 */
export async function chartTree(
  archive: Uint8Array,
  chart: string,
  maxBytes: number,
): Promise<FileTree> {
  let tree: FileTree
  try {
    tree = await unpack(archive, maxBytes)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw reworded(error, 'error untarring chart: ')
  }
  const last = chart.slice(chart.lastIndexOf('/') + 1)
  const folder = last === '' || last === '.' || last === '..' ? chart : last
  if (tree.list(folder) === undefined) {
    throw new SourceError('SOURCE_CORRUPT', `the archive of chart ${chart} has no folder ${folder}`)
  }
  return subTree(tree, folder)
}

function exchangeSettings(
  options: HelmRepositoryOptions,
  call: HelmCall,
): Pick<Parameters<typeof httpRequest>[0], 'tls' | 'proxy' | 'signal' | 'timeoutMs'> {
  return {
    tls: options.tls,
    proxy: { proxy: options.settings.proxy, noProxy: options.settings.noProxy },
    signal: call.signal,
    timeoutMs,
  }
}
