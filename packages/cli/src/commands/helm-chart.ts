import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import type { SourceRequest } from '@litecd/core/adapters'
import { isLitecdError, type LitecdError, RenderError, SourceError } from '@litecd/core/errors'
import type { FileTree, TreeEntry } from '@litecd/core/files'
import { compareStrings } from '@litecd/core/json'
import { type Chart, loadChart, loadChartArchive } from '@litecd/core/render/helm'
import { quoteGo, trimSpace } from '@litecd/core/text'
import type { Io } from '../io.ts'
import { cacheFolder } from '../offline/cache-folder.ts'
import type { HelmCommandLine } from './helm-flags.ts'

/** Brings something from elsewhere: the tree of a chart, or a file. */
export type Fetch = (request: SourceRequest) => Promise<FileTree>

/** Fetches into the user's cache folder; what does so is loaded when it is first needed. */
export function networkFetch(line: HelmCommandLine, io: Io): Fetch {
  return async (request) => {
    const { createSourceFetcher, parseRepositorySecret } = await import(
      '@litecd/k8s-adapter/sources'
    )
    const certificates = fileText(line.text('ca-file'), io)
    const secret = {
      url: request.url,
      username: line.text('username') ?? '',
      password: line.text('password') ?? '',
      insecure: String(line.flag('insecure-skip-tls-verify')),
      insecureOCIForceHttp: String(line.flag('plain-http')),
      tlsClientCertData: fileText(line.text('cert-file'), io) ?? '',
      tlsClientCertKey: fileText(line.text('key-file'), io) ?? '',
    }
    const fetcher = createSourceFetcher({
      cacheDir: cacheFolder(io.env),
      userConfig: true,
      repositories: () => ({ repositories: [parseRepositorySecret(secret)], templates: [] }),
      ...(certificates === undefined ? {} : { certificatesFor: () => certificates }),
    })
    try {
      return await fetcher.fetch(request, await fetcher.resolve(request))
    } catch (error) {
      const version = trimSpace(line.text('version') ?? '')
      throw isLitecdError(error) ? inWordsOfHelm(error, request, version) : error
    }
  }
}

/** The fetcher speaks as Argo CD does and keeps beside it what Helm would say. */
function inWordsOfHelm(error: LitecdError, request: SourceRequest, version: string): LitecdError {
  const text =
    request.type === 'helm'
      ? repositoryText(error, request, version)
      : request.type === 'oci'
        ? registryText(error.message)
        : error.message
  if (text === error.message) return error
  return new SourceError(error.code, text, {
    retryable: error.retryable,
    hint: error.hint,
    data: error.data,
    cause: error,
  })
}

/** Source: helm v4.2.2 pkg/repo/v1/chartrepo.go FindChartInRepoURL */
function repositoryText(
  error: LitecdError,
  { url, chart }: SourceRequest & { readonly type: 'helm' },
  version: string,
): string {
  const { stage, reason } = error.data
  const wanted = `chart ${quoteGo(chart)}${version === '' ? '' : ` version ${quoteGo(version)}`}`
  if (typeof reason === 'string' && reason.endsWith(' has no downloadable URLs')) {
    return `${wanted} has no downloadable URLs`
  }
  if (stage === 'chart' || stage === 'version' || error.code === 'SOURCE_REVISION_UNKNOWN') {
    return `${wanted} not found in ${url} repository`
  }
  return typeof reason === 'string' ? reason : error.message
}

function registryText(message: string): string {
  return message
    .replace(/^failed to initialize oci client: failed to initialize repository: /, '')
    .replace(/^failed to resolve revision .*?failed to get tags: /s, '')
    .replace(
      /^failed to resolve revision .*?cannot get digest for revision \S+: (?:Head (?="))?/s,
      (found) =>
        `failed to perform "FetchReference" on source: ${found.endsWith('Head ') ? 'Get ' : ''}`,
    )
}

/**
 * A chart in a registry: the repository, and its tag or digest where the name has one.
 *
 * Source: helm v4.2.2 pkg/registry/client.go ValidateReference
 */
function registryRequest(name: string, version: string, newest: string): SourceRequest {
  const [, whole = '', digest] = /^(.*?)(?:@([^@]*))?$/.exec(name)!
  const [, url = '', tag] = /^(oci:\/\/.*?)(?::([^/:]+))?$/.exec(whole) ?? []
  if (digest !== undefined) return { type: 'oci', url, revision: digest }
  if (tag !== undefined && version !== '' && version !== tag) {
    throw new RenderError(
      'HELM_FAILED',
      `chart reference and version mismatch: ${version} is not ${tag}`,
    )
  }
  return { type: 'oci', url, revision: version || tag || newest }
}

function fileText(path: string | undefined, io: Io): string | undefined {
  if (path === undefined || path === '') return undefined
  const full = resolve(io.cwd, path)
  if (existsSync(full)) return readFileSync(full, 'utf8')
  throw new RenderError('HELM_FAILED', `open ${path}: no such file or directory`)
}

/** A folder of the disk as Helm sees it: links are followed wherever they lead. */
export function diskTree(root: string): FileTree {
  const top = normalize(root)
  const base = top === '.' ? '' : top.endsWith('/') ? top : top + '/'
  const at = (path: string): string => (path === '' ? top : base + path)
  /** What a folder was seen to hold; saves asking again. */
  const regular = new Set<string>()
  return {
    entry: (path) => entryAt(path.slice(path.lastIndexOf('/') + 1), at(path)),
    read: (path) => {
      const full = at(path)
      const isFile = regular.has(full) || statSync(full, { throwIfNoEntry: false })?.isFile()
      return isFile ? readFileSync(full) : undefined
    },
    list: (path) => {
      const folder = at(path)
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
      const entries = readdirSync(folder, { withFileTypes: true }).map((found): TreeEntry => {
        const { name } = found
        const full = at(path === '' ? name : `${path}/${name}`)
        if (found.isSymbolicLink()) return entryAt(name, full) ?? brokenLink(full)
        if (found.isFile()) regular.add(full)
        return { name, kind: found.isDirectory() ? 'directory' : 'file' }
      })
      return entries.sort((a, b) => compareStrings(a.name, b.name))
    },
  }
}

function entryAt(name: string, path: string): TreeEntry | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && { name, kind: stat.isDirectory() ? 'directory' : 'file' }
}

/** Fails in Helm's words about a link that leads nowhere. */
function brokenLink(path: string): never {
  const steps = resolve(dirname(path), readlinkSync(path)).split('/')
  const missing = steps
    .map((_, i) => steps.slice(0, i + 1).join('/') || '/')
    .find((at) => !existsSync(at))
  throw new RenderError(
    'HELM_FAILED',
    `error evaluating symlink ${path}: lstat ${missing}: no such file or directory`,
  )
}

/** A chart that was found, not yet read. */
export type Located =
  | { readonly path: string }
  | { readonly archive: Uint8Array; readonly path: string }
  | { readonly tree: FileTree }

/** The content of a URL. */
export async function fetchFile(url: string, fetch: Fetch): Promise<Uint8Array> {
  const tree = await fetch({ type: 'http', url, revision: '' })
  const [first] = tree.list('') ?? []
  return (first === undefined ? undefined : tree.read(first.name)) ?? new Uint8Array(0)
}

/** Finds the chart that a command line names, fetching it when it lies elsewhere. Throws with Helm's texts. */
export async function locateChart(
  named: string,
  line: HelmCommandLine,
  io: Io,
  fetch: Fetch,
): Promise<Located> {
  const name = trimSpace(named)
  const repo = line.text('repo') ?? ''
  const version = trimSpace(line.text('version') ?? '')
  const newest = line.flag('devel') ? '>0.0.0-0' : '*'
  const revision = version || newest
  const passCredentials = line.flag('pass-credentials')
  if (repo !== '') {
    const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(repo) ?? []
    if (!['http', 'https', 'oci'].includes(scheme?.toLowerCase() ?? '')) {
      throw new RenderError(
        'HELM_FAILED',
        `could not find protocol handler for: ${scheme?.toLowerCase() ?? ''}`,
      )
    }
    return {
      tree: await fetch({ type: 'helm', url: repo, chart: name, revision, passCredentials }),
    }
  }
  const path = resolve(io.cwd, name)
  if (name !== '' && existsSync(path)) return { path }
  if (name.startsWith('/') || name.startsWith('.')) {
    throw new RenderError('HELM_FAILED', `path ${quoteGo(name)} not found`)
  }
  const [, scheme, place] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(name) ?? []
  if (scheme !== undefined && !/^[^/]+\/./.test(place!)) {
    throw new RenderError(
      'HELM_FAILED',
      `non-absolute URLs should be in form of repo_name/path_to_chart, got: ${name.replace(/\/+$/, '')}`,
    )
  }
  if (name.startsWith('oci://')) {
    return { tree: await fetch(registryRequest(name, version, newest)) }
  }
  if (/^https?:\/\//.test(name)) {
    return { archive: await fetchFile(name, fetch), path: name }
  }
  if (scheme !== undefined) {
    throw new RenderError('HELM_FAILED', `scheme ${quoteGo(scheme.toLowerCase())} not supported`)
  }
  const slash = name.indexOf('/')
  if (slash <= 0) {
    throw new RenderError(
      'HELM_FAILED',
      `non-absolute URLs should be in form of repo_name/path_to_chart, got: ${name}`,
    )
  }
  throw new RenderError('HELM_FAILED', `repo ${name.slice(0, slash)} not found`, {
    hint: 'Repositories that were added to the helm program are not known here; give --repo URL.',
  })
}

/** Reads a chart that was found. Throws with Helm's texts. */
export function readChart(located: Located): Chart {
  if ('tree' in located) return loadChart(located.tree, '')
  const { path } = located
  if ('archive' in located) return loadChartArchive(located.archive, path)
  if (statSync(path).isDirectory()) {
    const file = join(path, 'Chart.yaml')
    if (!existsSync(file)) {
      throw new RenderError(
        'HELM_FAILED',
        `unable to detect chart at ${file}: open ${file}: no such file or directory`,
      )
    }
    return loadChart(diskTree(path), '')
  }
  const bytes = readFileSync(path)
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08) {
    return loadChartArchive(bytes, path)
  }
  throw new RenderError(
    'HELM_FAILED',
    /\.ya?ml$/.test(path)
      ? `file '${path}' seems to be a YAML file, but expected a gzipped archive`
      : `file '${path}' does not appear to be a gzipped archive; got 'application/octet-stream'`,
  )
}
