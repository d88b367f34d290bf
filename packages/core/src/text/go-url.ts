import { quoteGo } from './go-quote.ts'
import { bytesToText, textToBytes } from './go-string.ts'

/** url.QueryEscape: letters, digits and `-_.~` stay, a space becomes `+`. */
export function queryEscape(text: string): string {
  return percentEncode(text, /[A-Za-z0-9_.~-]/).replaceAll('%20', '+')
}

function percentEncode(text: string, safe: RegExp): string {
  let out = ''
  for (const byte of textToBytes(text)) {
    const char = String.fromCharCode(byte)
    if (byte < 0x80 && safe.test(char)) out += char
    else out += '%' + byte.toString(16).toUpperCase().padStart(2, '0')
  }
  return out
}

/** A URL as Go's net/url takes it apart; texts are decoded but for `rawQuery`, `opaque` and the raw forms. */
export interface GoUrl {
  readonly scheme: string
  readonly opaque: string
  readonly userinfo:
    | { readonly username: string; readonly password: string | undefined }
    | undefined
  readonly host: string
  readonly path: string
  /** The path as written when that differs from the default encoding of `path`. */
  readonly rawPath: string
  readonly forceQuery: boolean
  readonly rawQuery: string
  readonly fragment: string
  readonly rawFragment: string
  readonly omitHost: boolean
}

/** What is wrong with a URL, in Go's words without the leading `parse "…": `. */
export class UrlIssue {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** url.Parse; the message of an issue is complete. */
export function parseGoUrl(raw: string): GoUrl | UrlIssue {
  const fail = (text: string, message: string): UrlIssue =>
    new UrlIssue(`parse ${quoteGo(text)}: ${message}`)
  const hash = raw.indexOf('#')
  const body = hash === -1 ? raw : raw.slice(0, hash)
  const parsed = parseBody(body)
  if (parsed instanceof UrlIssue) return fail(body, parsed.message)
  if (hash === -1) return parsed
  const rawFragment = raw.slice(hash + 1)
  const fragment = decodePart(rawFragment, 'fragment')
  if (fragment instanceof UrlIssue) return fail(raw, fragment.message)
  const same = percentEncode(fragment, fragmentSafe) === rawFragment
  return { ...parsed, fragment, rawFragment: same ? '' : rawFragment }
}

const pathSafe = /[A-Za-z0-9_.~$&+,/:;=@-]/
const fragmentSafe = /[A-Za-z0-9_.~$&+,/:;=?@!()*-]/
const userSafe = /[A-Za-z0-9_.~$&+,;=-]/
const hostSafe = /[A-Za-z0-9_.~!$&'()*+,;=:[\]<>"-]/

function parseBody(text: string): GoUrl | UrlIssue {
  if (/[\u0000-\u001f\u007f]/.test(text))
    return new UrlIssue('net/url: invalid control character in URL')
  const empty = {
    scheme: '',
    opaque: '',
    userinfo: undefined,
    host: '',
    path: '',
    rawPath: '',
    forceQuery: false,
    rawQuery: '',
    fragment: '',
    rawFragment: '',
    omitHost: false,
  }
  if (text === '*') return { ...empty, path: '*' }
  const cut = schemeOf(text)
  if (cut instanceof UrlIssue) return cut
  const scheme = cut.scheme.toLowerCase()
  let rest = cut.rest
  let rawQuery = ''
  let forceQuery = false
  if (rest.endsWith('?') && rest.indexOf('?') === rest.length - 1) {
    forceQuery = true
    rest = rest.slice(0, -1)
  } else {
    const question = rest.indexOf('?')
    if (question !== -1) {
      rawQuery = rest.slice(question + 1)
      rest = rest.slice(0, question)
    }
  }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, opaque: rest, rawQuery, forceQuery }
    if (rest.split('/')[0]!.includes(':')) {
      return new UrlIssue('first path segment in URL cannot contain colon')
    }
  }
  let userinfo: GoUrl['userinfo']
  let host = ''
  let omitHost = false
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2)
    const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash)
    rest = slash === -1 ? '' : rest.slice(slash)
    const parsed = parseAuthority(authority)
    if (parsed instanceof UrlIssue) return parsed
    userinfo = parsed.userinfo
    host = parsed.host
  } else if (scheme !== '' && rest.startsWith('/')) omitHost = true
  const path = decodePart(rest, 'path')
  if (path instanceof UrlIssue) return path
  const same = percentEncode(path, pathSafe) === rest
  return {
    ...empty,
    scheme,
    userinfo,
    host,
    path,
    rawPath: same ? '' : rest,
    rawQuery,
    forceQuery,
    omitHost,
  }
}

function schemeOf(text: string): { scheme: string; rest: string } | UrlIssue {
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (/[A-Za-z]/.test(char)) continue
    if (/[0-9+.-]/.test(char)) {
      if (i === 0) return { scheme: '', rest: text }
      continue
    }
    if (char !== ':') return { scheme: '', rest: text }
    if (i === 0) return new UrlIssue('missing protocol scheme')
    return { scheme: text.slice(0, i), rest: text.slice(i + 1) }
  }
  return { scheme: '', rest: text }
}

function parseAuthority(text: string): Pick<GoUrl, 'userinfo' | 'host'> | UrlIssue {
  const at = text.lastIndexOf('@')
  const host = parseHost(text.slice(at + 1))
  if (host instanceof UrlIssue) return host
  if (at === -1) return { userinfo: undefined, host }
  const user = text.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user))
    return new UrlIssue('net/url: invalid userinfo')
  const colon = user.indexOf(':')
  const username = decodePart(colon === -1 ? user : user.slice(0, colon), 'user')
  if (username instanceof UrlIssue) return username
  if (colon === -1) return { userinfo: { username, password: undefined }, host }
  const password = decodePart(user.slice(colon + 1), 'user')
  if (password instanceof UrlIssue) return password
  return { userinfo: { username, password }, host }
}

function parseHost(text: string): string | UrlIssue {
  if (text.lastIndexOf('[') > 0) return new UrlIssue('invalid IP-literal')
  const validPort = (port: string): boolean => /^(:[0-9]*)?$/.test(port)
  if (text.startsWith('[')) {
    const close = text.lastIndexOf(']')
    if (close === -1) return new UrlIssue("missing ']' in host")
    const port = text.slice(close + 1)
    if (!validPort(port)) return new UrlIssue(`invalid port ${quoteGo(port)} after host`)
  } else {
    const colon = text.indexOf(':')
    if (colon !== -1 && !validPort(text.slice(text.lastIndexOf(':')))) {
      return new UrlIssue(`invalid port ${quoteGo(text.slice(text.lastIndexOf(':')))} after host`)
    }
  }
  return decodePart(text, 'host')
}

function decodePart(text: string, mode: 'path' | 'fragment' | 'user' | 'host'): string | UrlIssue {
  // of a host, only what is no ASCII may be escaped
  const wrong =
    mode === 'host' ? /%(?![89A-Fa-f][0-9A-Fa-f]|25)|[^%\u0080-\uffff]/g : /%(?![0-9A-Fa-f]{2})/g
  for (const { 0: char, index } of text.matchAll(wrong)) {
    if (char === '%') {
      return new UrlIssue(`invalid URL escape ${quoteGo(text.slice(index, index + 3))}`)
    }
    if (!hostSafe.test(char)) {
      return new UrlIssue(`invalid character ${quoteGo(char)} in host name`)
    }
  }
  if (!text.includes('%')) return text
  const bytes: number[] = []
  for (let i = 0; i < text.length; ) {
    if (text[i] === '%') {
      bytes.push(Number.parseInt(text.slice(i + 1, i + 3), 16))
      i += 3
    } else {
      const char = String.fromCodePoint(text.codePointAt(i)!)
      for (const byte of textToBytes(char)) bytes.push(byte)
      i += char.length
    }
  }
  return bytesToText(Uint8Array.from(bytes))
}

/** URL.Hostname: without port and brackets. */
export function hostnameOf(url: GoUrl): string {
  const host =
    /:[0-9]*$/.test(url.host) && !(url.host.startsWith('[') && url.host.endsWith(']'))
      ? url.host.slice(0, url.host.lastIndexOf(':'))
      : url.host
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

/** Userinfo.String. */
export function formatUserinfo(user: NonNullable<GoUrl['userinfo']>): string {
  const name = percentEncode(user.username, userSafe)
  return user.password === undefined ? name : `${name}:${percentEncode(user.password, userSafe)}`
}

/** URL.String. */
export function formatGoUrl(url: GoUrl): string {
  let out = url.scheme === '' ? '' : url.scheme + ':'
  if (url.opaque !== '') out += url.opaque
  else {
    if (url.scheme !== '' || url.host !== '' || url.userinfo !== undefined) {
      if (!(url.omitHost && url.host === '' && url.userinfo === undefined)) {
        if (url.host !== '' || url.path !== '' || url.userinfo !== undefined) out += '//'
        if (url.userinfo !== undefined) out += formatUserinfo(url.userinfo) + '@'
        if (url.host !== '') out += percentEncode(url.host, hostSafe)
      }
    }
    const path =
      url.rawPath !== '' ? url.rawPath : url.path === '*' ? '*' : percentEncode(url.path, pathSafe)
    if (path !== '' && !path.startsWith('/') && url.host !== '') out += '/'
    if (out === '' && path.split('/')[0]!.includes(':')) out += './'
    out += path
  }
  if (url.forceQuery || url.rawQuery !== '') out += '?' + url.rawQuery
  if (url.fragment !== '') {
    out +=
      '#' + (url.rawFragment !== '' ? url.rawFragment : percentEncode(url.fragment, fragmentSafe))
  }
  return out
}
