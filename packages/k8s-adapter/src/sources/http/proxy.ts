import { BlockList, isIP } from 'node:net'

/** Where requests go through. Undefined: whatever the environment says. */
export interface ProxySettings {
  readonly proxy?: string
  /** Hosts that are reached directly: names, `.domain`, `*.domain`, addresses, CIDR ranges, with an optional port. */
  readonly noProxy?: string
}

/**
 * The proxy for a URL, undefined for a direct connection. A proxy of the repository replaces the environment entirely.
 *
 * Source: golang.org/x/net http/httpproxy
 */
export function proxyFor(
  url: URL,
  settings: ProxySettings = {},
  env: NodeJS.ProcessEnv = process.env,
): URL | undefined {
  const own = settings.proxy !== undefined && settings.proxy !== ''
  const value = (name: string): string | undefined => env[name.toUpperCase()] || env[name]
  const proxy = own
    ? settings.proxy
    : url.protocol === 'https:'
      ? value('https_proxy')
      : value('http_proxy')
  const noProxy = own ? (settings.noProxy ?? '') : (value('no_proxy') ?? '')
  if (proxy === undefined || proxy === '' || isDirect(url, noProxy)) return undefined
  try {
    return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
  } catch {
    return undefined
  }
}

function isDirect(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return true
  return noProxy.split(',').some((raw) => {
    const entry = raw.trim().toLowerCase()
    if (entry === '') return false
    if (entry === '*') return true
    const range = /^(.+)\/(\d+)$/.exec(entry)
    if (range !== null) return inRange(host, range[1]!, Number(range[2]))
    const [, name, ownPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? []
    const plain = isIP(entry) !== 0 ? entry : (name ?? entry)
    if (isIP(entry) === 0 && ownPort !== undefined && ownPort !== port) return false
    if (isIP(plain) !== 0) return plain === host
    const suffix = plain.replace(/^\*/, '')
    return suffix.startsWith('.')
      ? host.endsWith(suffix)
      : host === suffix || host.endsWith(`.${suffix}`)
  })
}

function inRange(host: string, network: string, bits: number): boolean {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family) return false
  const list = new BlockList()
  try {
    list.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4')
  } catch {
    return false
  }
  return list.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
