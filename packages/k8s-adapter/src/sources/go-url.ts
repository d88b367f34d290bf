/** Parts of a URL as Go's net/url splits it. `opaque` is what follows `scheme:` when it does not begin with a slash. */
export interface GoUrl {
  readonly scheme: string
  readonly opaque: string
  readonly user: string
  readonly host: string
  /** As written, percent escapes included. */
  readonly path: string
  readonly query: string | undefined
  readonly fragment: string | undefined
}

/** Go's url.Parse; the error begins with `parse "…": `. Source: go1.24 net/url */
export function parseGoUrl(text: string): GoUrl | { readonly error: string } {
  const fail = (why: string): { readonly error: string } => ({
    error: `parse ${JSON.stringify(text)}: ${why}`,
  })
  if (/[\0-\x1f\x7f]/.test(text)) return fail('net/url: invalid control character in URL')
  const hash = text.indexOf('#')
  const fragment = hash === -1 ? undefined : text.slice(hash + 1)
  let rest = hash === -1 ? text : text.slice(0, hash)
  if (rest.startsWith(':')) return fail('missing protocol scheme')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(rest)?.[1] ?? ''
  if (scheme !== '') rest = rest.slice(scheme.length + 1)
  const mark = rest.indexOf('?')
  const query = mark === -1 ? undefined : rest.slice(mark + 1)
  if (mark !== -1) rest = rest.slice(0, mark)
  const parts = {
    scheme: scheme.toLowerCase(),
    opaque: '',
    user: '',
    host: '',
    path: rest,
    query,
    fragment,
  }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...parts, opaque: rest, path: '' }
    if (rest.split('/')[0]!.includes(':')) {
      return fail('first path segment in URL cannot contain colon')
    }
  }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2)
    const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash)
    parts.path = slash === -1 ? '' : rest.slice(slash)
    const at = authority.lastIndexOf('@')
    parts.user = at === -1 ? '' : authority.slice(0, at)
    parts.host = authority.slice(at + 1)
    const port = /:([^:\]]*)$/.exec(parts.host)?.[1]
    if (port !== undefined && !/^\d*$/.test(port)) return fail(`invalid port ":${port}" after host`)
    if (/[\s"<>\\^`{|}]/.test(parts.host)) {
      return fail(
        `invalid character ${JSON.stringify(/[\s"<>\\^`{|}]/.exec(parts.host)![0])} in host name`,
      )
    }
  }
  const broken = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(parts.path)?.[0]
  if (broken !== undefined) return fail(`invalid URL escape ${JSON.stringify(broken)}`)
  return parts
}

/** The URL as text again; characters that a path may not hold are escaped. */
export function formatGoUrl(url: GoUrl): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`
  if (url.opaque !== '') out += url.opaque
  else {
    if (url.host !== '' || url.user !== '' || (url.scheme !== '' && url.path.startsWith('//'))) {
      out += `//${url.user === '' ? '' : `${url.user}@`}${url.host}`
    } else if (url.scheme === 'file') out += '//'
    out += encodeURI(url.path).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
  }
  if (url.query !== undefined) out += `?${url.query}`
  return url.fragment === undefined ? out : `${out}#${url.fragment}`
}

/** `path.Join(url.Path, name)` on the URL. @returns the URL, or Go's error for one that cannot be parsed */
export function joinUrlPath(
  text: string,
  name: string,
): { readonly url: string } | { readonly error: string } {
  const url = parseGoUrl(text)
  if ('error' in url) return url
  const steps: string[] = []
  for (const step of `${url.path}/${name}`.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..') steps.pop()
    else steps.push(step)
  }
  return { url: formatGoUrl({ ...url, path: `/${steps.join('/')}` }) }
}
