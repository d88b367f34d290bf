import {
  compileRegexp,
  formatGoUrl,
  hostnameOf,
  parseConstraint,
  parseGoUrl,
  parseVersion,
  quoteRegexp,
  RegexpIssue,
  UrlIssue,
} from '../../text/index.ts'
import { revisionOf } from './fields.ts'

type Matcher = (url: string) => boolean

const never: Matcher = () => false
const user = String.raw`[\w\.][\w\.-]{0,30}[\w\.\$-]?`

/**
 * Tells the addresses of the repository that a page of it belongs to: over http, https or ssh, with a user or without,
 * with a port or without, with `.git` or without, in any case. A page that is no URL fits nothing.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go GetWebURLRegex
 */
export function repositoryMatcher(page: string): Matcher {
  return matcher(
    page,
    (host, path) =>
      String.raw`(?i)^((https?|ssh)://)?(${user}@)?((alt)?ssh\.)?${host}(:\d+)?[:/]${path}(\.git)?$`,
  )
}

/** Tells the addresses of the API that `url` is served by. Source: GetAPIURLRegex there. */
export function apiMatcher(url: string): Matcher {
  return matcher(url, (host) => String.raw`(?i)^(https?://)?(${user}@)?${host}(:\d+)?/?$`)
}

function matcher(text: string, pattern: (host: string, path: string) => string): Matcher {
  const url = parseGoUrl(text)
  if (url instanceof UrlIssue) return never
  const path = formatGoUrl({
    ...url,
    scheme: '',
    opaque: '',
    host: '',
    userinfo: undefined,
    forceQuery: false,
    rawQuery: '',
    fragment: '',
    rawFragment: '',
  }).replace(/^\//, '')
  const compiled = compileRegexp(pattern(quoteRegexp(hostnameOf(url)), quoteRegexp(path)))
  if (compiled instanceof RegexpIssue) return never
  return (candidate) => compiled.test(candidate)
}

/**
 * Whether a push of a revision concerns a target revision: HEAD by what the host says, names by themselves, ranges of
 * versions by what fits them.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go sourceRevisionHasChanged
 */
export function touches(
  push: { readonly revision: string; readonly touchedHead: boolean },
  targetRevision: string,
): boolean {
  // Parity: `a/b/HEAD` is HEAD
  const short = revisionOf(targetRevision)
  if (short === '' || short === 'HEAD') return push.touchedHead
  const isFull = /^refs\/(heads|tags)\//.test(targetRevision)
  return comparesTo(push.revision, isFull ? short : targetRevision)
}

/** Equal, or a version within a range. Source: compareRevisions there. */
export function comparesTo(revision: string, target: string): boolean {
  if (revision === target) return true
  const constraint = parseConstraint(target)
  if ('error' in constraint) return false
  const version = parseVersion(revision)
  return !('error' in version) && constraint.value.matches(version.value)
}
