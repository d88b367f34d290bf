import {
  type Application,
  type ApplicationSummary,
  annotationIgnoreDefaultLinks,
  annotationLinkPrefix,
  parseGoBool,
} from '../argo/index.ts'
import { compareStrings, getPath, isObject, type Json, type JsonObject } from '../json/index.ts'
import { annotationsOf, groupOf, type Manifest } from '../kube/index.ts'

/**
 * `.status.summary` from the objects of an Application and everything below them.
 *
 * Images are those of live Pods only. Source: argo-cd v3.5.1 controller/cache/info.go
 */
export function summarize(app: Application, nodes: readonly Manifest[]): ApplicationSummary {
  const images = unique(nodes.flatMap(imagesOf))
  const externalURLs = unique([...nodes.flatMap(urlsOf), ...linksOfApp(app)])
  const isAppOfApps = nodes.some(
    (node) => node.kind === 'Application' && groupOf(node.apiVersion ?? '') === 'argoproj.io',
  )
  return {
    ...(images.length > 0 ? { images } : {}),
    ...(externalURLs.length > 0 ? { externalURLs } : {}),
    ...(isAppOfApps ? { isAppOfApps } : {}),
  }
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(compareStrings)
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function imagesOf(node: Manifest): readonly string[] {
  if (node.kind !== 'Pod' || groupOf(node.apiVersion ?? '') !== '') return []
  return ['initContainers', 'containers']
    .flatMap((field) => list(getPath(node, 'spec', field)))
    .map((container) => text(container['image']))
    .filter((image) => image !== '')
}

function linksOfApp(app: Application): readonly string[] {
  return Object.entries(app.metadata.annotations ?? {})
    .filter(([key]) => key.startsWith(annotationLinkPrefix))
    .map(([, value]) => value)
}

function urlsOf(node: Manifest): readonly string[] {
  const annotations = annotationsOf(node)
  const links = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(annotationLinkPrefix) && isLink(value))
    .map(([, value]) => value)
  if (parseGoBool(annotations[annotationIgnoreDefaultLinks]) === true) return links
  const group = groupOf(node.apiVersion ?? '')
  if (node.kind === 'Ingress' && (group === 'networking.k8s.io' || group === 'extensions')) {
    return [...links, ...ingressUrls(node)]
  }
  if (node.kind === 'Gateway' && group === 'gateway.networking.k8s.io') {
    return [...links, ...gatewayUrls(node)]
  }
  return links
}

/** `url` or `title|url` whose URL is http, https or empty. */
function isLink(value: string): boolean {
  const bar = value.indexOf('|')
  const url = bar === -1 ? value : value.slice(bar + 1)
  return url === '' || /^https?:\/\/\S*$/i.test(url)
}

/**
 * Parity: https as soon as any tls entry names a Secret; hosts of tls entries are not looked at.
 */
function ingressUrls(node: Manifest): readonly string[] {
  const tls = list(getPath(node, 'spec', 'tls'))
  const addresses = list(getPath(node, 'status', 'loadBalancer', 'ingress'))
  const address = addresses
    .map((item) => text(item['hostname']) || text(item['ip']))
    .find((item) => item !== '')
  return list(getPath(node, 'spec', 'rules')).flatMap((rule) => {
    const paths = list(getPath(rule, 'http', 'paths'))
    const host = text(rule['host']) || address
    if (host === undefined || getPath(rule, 'http') === undefined) return []
    const secure = tls.some(
      (entry) => text(entry['secretName']) !== '' || text(entry['host']) === host,
    )
    return paths.map((path) => {
      const suffix = text(path['path']).replace(/\*$/, '')
      return `${secure ? 'https' : 'http'}://${host}${suffix}`
    })
  })
}

function gatewayUrls(node: Manifest): readonly string[] {
  const addresses = list(getPath(node, 'status', 'addresses'))
    .filter((address) => ['Hostname', 'IPAddress', ''].includes(text(address['type'])))
    .map((address) => text(address['value']))
    .filter((value) => value !== '')
  return list(getPath(node, 'spec', 'listeners')).flatMap((listener) => {
    const hostname = text(listener['hostname'])
    const hosts = hostname !== '' && hostname !== '*' ? [hostname] : addresses
    const protocol = text(listener['protocol'])
    const scheme = protocol === 'HTTPS' || protocol === 'TLS' ? 'https' : 'http'
    const port = typeof listener['port'] === 'number' ? listener['port'] : 0
    const shown = port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`
    return hosts.map((host) => `${scheme}://${host}${shown}`).filter((url) => !/\s/.test(url))
  })
}
