import {
  FunctionFailure,
  kindOf,
  type Value,
  type ValueMap,
} from '../../../lang/gotemplate/index.ts'
import {
  formatGoUrl,
  formatUserinfo,
  type GoUrl,
  goBase,
  goClean,
  goDir,
  goExt,
  hostnameOf,
  parseGoUrl,
  UrlIssue,
} from '../../../text/index.ts'
import { define, type FunctionList, nilDereference } from './define.ts'

export const urlFunctions: FunctionList = [
  ['urlParse', define('s', ([text]) => urlParse(text))],
  ['urlJoin', define('m', ([map]) => urlJoin(map ?? new Map()))],
  ['getHostByName', define('s', () => '')],
  ...(['', 'os'] as const).flatMap((prefix): FunctionList => {
    const name = (word: string): string =>
      prefix === '' ? word : prefix + word[0]!.toUpperCase() + word.slice(1)
    // path and filepath are the same on Unix
    return [
      [name('base'), define('s', ([s]) => goBase(s))],
      [name('dir'), define('s', ([s]) => goDir(s))],
      [name('clean'), define('s', ([s]) => goClean(s))],
      [name('ext'), define('s', ([s]) => goExt(s))],
      [name('isAbs'), define('s', ([s]) => s.startsWith('/'))],
    ]
  }),
]

function urlParse(text: string): ValueMap {
  const url = parseGoUrl(text)
  if (url instanceof UrlIssue) throw new FunctionFailure(`unable to parse url: ${url.message}`)
  return new Map<string, Value>([
    ['scheme', url.scheme],
    ['host', url.host],
    ['hostname', hostnameOf(url)],
    ['path', url.path],
    ['query', url.rawQuery],
    ['opaque', url.opaque],
    ['fragment', url.fragment],
    ['userinfo', url.userinfo === undefined ? '' : formatUserinfo(url.userinfo)],
  ])
}

function urlJoin(map: ValueMap): string {
  const field = (key: string): string => {
    if (!map.has(key)) return ''
    const value = map.get(key)
    if (value === null || value === undefined) throw nilDereference()
    if (typeof value !== 'string') {
      throw new FunctionFailure(
        `unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`,
      )
    }
    return value
  }
  const url = {
    scheme: field('scheme'),
    host: field('host'),
    path: field('path'),
    rawQuery: field('query'),
    opaque: field('opaque'),
    fragment: field('fragment'),
  }
  const info = field('userinfo')
  let userinfo: GoUrl['userinfo']
  if (info !== '') {
    const parsed = parseGoUrl(`proto://${info}@host`)
    if (parsed instanceof UrlIssue) {
      throw new FunctionFailure(`unable to parse userinfo in dict: ${parsed.message}`)
    }
    userinfo = parsed.userinfo
  }
  return formatGoUrl({
    ...url,
    userinfo,
    rawPath: '',
    forceQuery: false,
    rawFragment: '',
    omitHost: false,
  })
}
