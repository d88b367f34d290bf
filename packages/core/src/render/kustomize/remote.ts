import { cleanPath } from '../../files/index.ts'
import { parseGoDuration } from '../../text/index.ts'

/** A reference to a directory of a git repository. */
export interface RepoSpec {
  /** As it was written. */
  readonly raw: string
  /** What to clone. */
  readonly clone: string
  /** '' for HEAD. */
  readonly ref: string
  readonly path: string
  readonly submodules: boolean
  readonly timeoutMs: number
}

const schemes = ['ssh://', 'https://', 'http://', 'file://']
const fileScheme = 'file://'
const defaultTimeoutMs = 27_000

/**
 * Reads a reference to a git repository; undefined for everything that is none, and so may be a path.
 *
 * Source: kustomize v5.8.1 api/internal/git/repospec.go
 */
export function parseRepo(raw: string): RepoSpec | undefined {
  if (raw.startsWith('/')) return undefined
  const mark = raw.indexOf('?')
  const { host, rest } = splitHost(mark === -1 ? raw : raw.slice(0, mark))
  if (host === undefined) return undefined
  const parts = splitRepo(rest, host.startsWith(fileScheme))
  if (parts === undefined || parts.repo === '') return undefined
  const climbed = cleanPath(parts.path.replace(/^\//, ''))
  if (climbed === '..' || climbed.startsWith('../')) return undefined
  const query = readQuery(mark === -1 ? '' : raw.slice(mark + 1))
  return { raw, clone: host + parts.repo, path: parts.path.replace(/^\//, ''), ...query }
}

function splitHost(text: string): { readonly host: string | undefined; readonly rest: string } {
  const none = { host: undefined, rest: text }
  let rest = /^git::/i.test(text) ? text.slice(5) : text
  let scheme = schemes.find((known) => rest.toLowerCase().startsWith(known)) ?? ''
  rest = rest.slice(scheme.length)
  let user = /^[a-zA-Z][a-zA-Z0-9-]*@/.exec(rest)?.[0] ?? ''
  rest = rest.slice(user.length)
  const isGithub = /^github\.com[/:]/i.test(rest)
  const isScp = scheme === '' && (user !== '' || isGithub)
  if (scheme === '' && !isScp) return none
  if (scheme === fileScheme) return { host: scheme, rest: user + rest }
  let at = rest.indexOf('/')
  if (isScp) {
    const colon = rest.indexOf(':')
    if (at === -1 || (colon > 0 && colon < at)) at = colon
  }
  let host = at === -1 ? rest : rest.slice(0, at + 1)
  rest = at === -1 ? '' : rest.slice(at + 1)
  if (isGithub) {
    const bySsh = scheme === 'ssh://' || user !== ''
    host = bySsh ? 'github.com:' : 'github.com/'
    scheme = bySsh ? '' : 'https://'
    if (!bySsh) user = ''
  }
  return host === '' ? none : { host: scheme + user + host, rest }
}

function splitRepo(
  text: string,
  isFile: boolean,
): { readonly repo: string; readonly path: string } | undefined {
  const azure = text.indexOf('_git/')
  if (azure !== -1) {
    const [name = '', ...path] = text.slice(azure + 5).split('/')
    return { repo: text.slice(0, azure + 5) + name, path: path.join('/') }
  }
  const double = text.indexOf('//')
  if (double !== -1) return { repo: text.slice(0, double), path: text.slice(double + 2) }
  const suffix = text.indexOf('.git')
  if (suffix !== -1) return { repo: text.slice(0, suffix + 4), path: text.slice(suffix + 4) }
  if (isFile) return { repo: text, path: '' }
  const steps = text.split('/')
  if (steps.length < 2) return undefined
  return { repo: steps.slice(0, 2).join('/'), path: steps.slice(2).join('/') }
}

function readQuery(text: string): {
  readonly ref: string
  readonly submodules: boolean
  readonly timeoutMs: number
} {
  const none = { ref: '', submodules: true, timeoutMs: defaultTimeoutMs }
  const values = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    if (pair.includes(';')) return none
    const equals = pair.indexOf('=')
    const key = unescapeQuery(equals === -1 ? pair : pair.slice(0, equals))
    const value = unescapeQuery(equals === -1 ? '' : pair.slice(equals + 1))
    if (key === undefined || value === undefined) return none
    if (!values.has(key)) values.set(key, value)
  }
  const flag = values.get('submodules') ?? ''
  return {
    ref: values.get('ref') || values.get('version') || '',
    submodules: !/^(?:0|f|F|false|FALSE|False)$/.test(flag),
    timeoutMs: timeoutOf(values.get('timeout') ?? ''),
  }
}

function unescapeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function timeoutOf(text: string): number {
  if (/^[+-]?\d+$/.test(text)) {
    const seconds = Number(text)
    return seconds > 0 ? seconds * 1000 : defaultTimeoutMs
  }
  const duration = parseGoDuration(text)
  const milliseconds = Number(duration ?? 0) / 1e6
  return milliseconds > 0 ? milliseconds : defaultTimeoutMs
}
