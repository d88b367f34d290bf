import { SourceError } from '@litecd/core/errors'
import type { Json, JsonObject } from '@litecd/core/json'
import { compareVersions, parseConstraint, parseVersion, type Version } from '@litecd/core/text'
import { parseYaml } from '@litecd/core/yaml'

/** One version of a chart in the index of a repository. */
export interface ChartVersion {
  readonly version: string
  readonly urls: readonly string[]
}

/** What an index says of one chart; undefined when it does not name the chart. */
export interface ChartEntries {
  readonly versions: readonly ChartVersion[] | undefined
  /** Helm refuses an index without one. */
  readonly hasApiVersion: boolean
}

/**
 * Reads the entries of one chart out of an `index.yaml`: the lines of the chart are cut out and parsed alone, since an
 * index may have tens of megabytes. An index in another style than Helm writes is parsed whole.
 *
 * @throws RenderError YAML_INVALID, SourceError SOURCE_CORRUPT
 */
export function readChartEntries(index: Buffer, chart: string): ChartEntries {
  const slice = sliceOf(index, chart)
  if (slice !== undefined) {
    try {
      const entries =
        slice.text === undefined ? undefined : toVersions(entriesOf(parseYaml(slice.text)))
      return { versions: entries, hasApiVersion: slice.hasApiVersion }
    } catch {
      // an anchor defined elsewhere, say: the whole file decides
    }
  }
  const whole = parseYaml(index.toString('utf8'))
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
    throw wrongType(whole, 'value of type repo.IndexFile')
  }
  const entries = (whole as JsonObject)['entries'] ?? null
  if (entries !== null && (typeof entries !== 'object' || Array.isArray(entries))) {
    throw wrongType(entries, 'struct field IndexFile.entries of type map[string]repo.ChartVersions')
  }
  const own =
    entries !== null && Object.hasOwn(entries as JsonObject, chart)
      ? (entries as JsonObject)[chart]
      : undefined
  return {
    versions: own === undefined ? undefined : toVersions(own),
    hasApiVersion: typeof (whole as JsonObject)['apiVersion'] === 'string',
  }
}

/** As encoding/json words it. */
function wrongType(value: Json, wanted: string): SourceError {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const name = kind === 'boolean' ? 'bool' : kind === 'bigint' ? 'number' : kind
  return new SourceError('SOURCE_CORRUPT', `json: cannot unmarshal ${name} into Go ${wanted}`)
}

function entriesOf(value: Json): Json {
  return Object.values(value as JsonObject)[0] ?? null
}

function toVersions(value: Json): readonly ChartVersion[] {
  if (value === null) return []
  if (!Array.isArray(value)) {
    throw wrongType(value, 'struct field IndexFile.entries of type repo.ChartVersions')
  }
  const versions: ChartVersion[] = []
  for (const one of value) {
    if (one === null || typeof one !== 'object' || Array.isArray(one)) continue
    const { version, urls } = one as JsonObject
    if (version === undefined || version === null || typeof version === 'object') continue
    versions.push({
      version: String(version),
      urls: Array.isArray(urls) ? urls.filter((url): url is string => typeof url === 'string') : [],
    })
  }
  return versions
}

const space = 0x20
const dash = 0x2d
const hash = 0x23
const newline = 0x0a

/**
 * The lines of one chart, from the line with its name to the next line that is not indented deeper. Undefined when the
 * file is not in block style with `entries:` at the margin.
 */
function sliceOf(
  bytes: Buffer,
  chart: string,
): { readonly text: string | undefined; readonly hasApiVersion: boolean } | undefined {
  const lineEnd = (at: number): number => {
    const end = bytes.indexOf(newline, at)
    return end === -1 ? bytes.length : end
  }
  const entriesAt = findLine(bytes, 'entries:')
  if (entriesAt === -1) return undefined
  const rest = bytes.toString('latin1', entriesAt + 8, lineEnd(entriesAt)).trim()
  if (rest !== '' && !rest.startsWith('#')) return undefined
  const hasApiVersion = findLine(bytes, 'apiVersion:') !== -1
  const names = new Set([chart, JSON.stringify(chart), `'${chart.replaceAll("'", "''")}'`])
  let indent = -1
  let start = -1
  for (let at = lineEnd(entriesAt) + 1; at < bytes.length; at = lineEnd(at) + 1) {
    let text = at
    while (bytes[text] === space) text++
    const first = bytes[text]
    const width = text - at
    if (first === undefined || first === newline || first === 0x0d || first === hash) continue
    if (first === 0x09) return undefined
    if (width === 0 && first !== dash) {
      // the next key at the margin ends the entries
      if (start !== -1) return { text: bytes.toString('utf8', start, at), hasApiVersion }
      return { text: undefined, hasApiVersion }
    }
    if (indent === -1) {
      if (first === dash || first === 0x7b) return undefined
      indent = width
    }
    if (width > indent || (width === indent && first === dash)) continue
    if (width < indent) return undefined
    if (start !== -1) return { text: bytes.toString('utf8', start, at), hasApiVersion }
    const line = bytes.toString('utf8', text, lineEnd(at)).replace(/\r$/, '')
    const key = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:#]+?)\s*:(?:\s|$)/.exec(line)?.[1]
    if (key === undefined) return undefined
    if (names.has(key)) start = at
  }
  return { text: start === -1 ? undefined : bytes.toString('utf8', start), hasApiVersion }
}

/** Where a line begins with `text`; -1 when none does. */
function findLine(bytes: Buffer, text: string): number {
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    if (at === 0 || bytes[at - 1] === newline) return at
    if (at === 3 && bytes[0] === 0xef) return at
  }
  return -1
}

/**
 * The version that `helm pull --version` takes: the one written exactly so, else the highest that satisfies it as a
 * constraint.
 *
 * Source: helm v4.2.2 pkg/repo/v1/index.go Get
 */
export function pickVersion(
  versions: readonly ChartVersion[],
  wanted: string,
): ChartVersion | undefined {
  const readable: { readonly entry: ChartVersion; readonly version: Version }[] = []
  for (const entry of versions) {
    const version = parseVersion(entry.version)
    if ('value' in version) readable.push({ entry, version: version.value })
  }
  const constraint = parseConstraint(wanted === '' ? '*' : wanted)
  if ('error' in constraint) return undefined
  readable.sort((a, b) => compareVersions(b.version, a.version))
  return (
    readable.find(({ entry }) => wanted !== '' && entry.version === wanted) ??
    readable.find(({ version }) => constraint.value.matches(version))
  )?.entry
}
