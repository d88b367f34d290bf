import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { isIP } from 'node:net'
import { SourceError } from '@litecd/core/errors'
import { codeOfStatus, exchangeError } from '../answer-error.ts'
import {
  basicAuthorization,
  type HttpResponse,
  httpRequest,
  type ProxySettings,
  type TlsSettings,
} from '../http/index.ts'

/** What a registry calls a piece of content. */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface RegistryOptions {
  /** Host with an optional port. */
  readonly host: string
  readonly plainHttp: boolean
  readonly username: string
  readonly password: string
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
  readonly now: () => number
}

export interface RegistryCall {
  readonly signal?: AbortSignal | undefined
}

const manifestTypes =
  'application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, application/vnd.oci.artifact.manifest.v1+json'
const maxManifestBytes = 4 * 1024 * 1024 // what oras and containerd take
const maxTagPages = 1000

/**
 * One registry: manifests, content and tags, with the token dance. Content is checked against its digest. Errors are
 * in the words of oras, which Argo CD and Helm use.
 *
 * Source: OCI distribution-spec v1.1; distribution "Token Authentication"
 */
export class Registry {
  readonly #options: RegistryOptions
  readonly #tokens = new Map<string, { readonly header: string; readonly until: number }>()

  constructor(options: RegistryOptions) {
    this.#options = options
  }

  /** All tags, in the order of the registry. @throws SourceError */
  async tags(repository: string, call: RegistryCall = {}): Promise<readonly string[]> {
    const tags: string[] = []
    let path = `/v2/${repository}/tags/list`
    for (let page = 0; page < maxTagPages; page++) {
      const response = await this.#ask('GET', path, repository, call, {
        maxBytes: 64 * 1024 * 1024,
      })
      if (response.status !== 200) throw statusError('GET', response)
      const body = parseJson(response.body) as { readonly tags?: readonly string[] | null }
      tags.push(...(body.tags ?? []))
      const next = /<([^>]+)>\s*;\s*rel="?next"?/i.exec(response.headers['link'] ?? '')?.[1]
      if (next === undefined) break
      const url = new URL(next, response.url)
      path = url.pathname + url.search
    }
    return tags
  }

  /** What a tag or digest stands for now. @throws SourceError SOURCE_REVISION_UNKNOWN and others */
  async resolve(
    repository: string,
    reference: string,
    call: RegistryCall = {},
  ): Promise<Descriptor> {
    const path = `/v2/${repository}/manifests/${checkedReference(reference)}`
    const response = await this.#ask('HEAD', path, repository, call, { accept: manifestTypes })
    if (response.status === 404) throw this.#notFound(repository, reference)
    if (response.status !== 200) throw statusError('HEAD', response)
    const digest = response.headers['docker-content-digest']
    // some registries do not tell the digest without sending the manifest
    if (digest === undefined || !isDigest(digest))
      return (await this.manifest(repository, reference, call)).descriptor
    return {
      digest,
      mediaType: mediaTypeOf(response),
      size: Number(response.headers['content-length'] ?? 0),
    }
  }

  /** @throws SourceError SOURCE_REVISION_UNKNOWN, SOURCE_CORRUPT and others */
  async manifest(
    repository: string,
    reference: string,
    call: RegistryCall = {},
  ): Promise<{ readonly descriptor: Descriptor; readonly bytes: Buffer }> {
    const path = `/v2/${repository}/manifests/${checkedReference(reference)}`
    const response = await this.#ask('GET', path, repository, call, {
      accept: manifestTypes,
      maxBytes: maxManifestBytes,
    })
    if (response.status === 404) throw this.#notFound(repository, reference)
    if (response.status !== 200) throw statusError('GET', response)
    const digest = digestOf(response.body)
    const wanted = isDigest(reference) ? reference : response.headers['docker-content-digest']
    if (wanted?.startsWith('sha256:') && wanted !== digest) throw mismatch(wanted, digest)
    return {
      descriptor: { digest, mediaType: mediaTypeOf(response), size: response.body.length },
      bytes: response.body,
    }
  }

  /** @throws SourceError SOURCE_CORRUPT when the content is not what its digest says */
  async blob(
    repository: string,
    descriptor: Descriptor,
    maxBytes: number,
    call: RegistryCall = {},
  ): Promise<Buffer> {
    if (descriptor.size > maxBytes) {
      throw new SourceError(
        'BUDGET_EXCEEDED',
        `${descriptor.digest} has ${descriptor.size} bytes; ${maxBytes} are allowed`,
      )
    }
    const path = `/v2/${repository}/blobs/${checkedReference(descriptor.digest)}`
    const response = await this.#ask('GET', path, repository, call, {
      maxBytes: descriptor.size + 1,
    })
    if (response.status === 404) throw this.#notFound(repository, descriptor.digest)
    if (response.status !== 200) throw statusError('GET', response)
    const digest = digestOf(response.body, descriptor.digest.split(':')[0])
    if (digest !== descriptor.digest) throw mismatch(descriptor.digest, digest)
    return response.body
  }

  async #ask(
    method: 'GET' | 'HEAD',
    path: string,
    repository: string,
    call: RegistryCall,
    more: { readonly accept?: string; readonly maxBytes?: number },
  ): Promise<HttpResponse> {
    const { host, plainHttp } = this.#options
    // the one registry whose name is not its host
    const place = host === 'docker.io' ? 'registry-1.docker.io' : host
    const url = `${plainHttp ? 'http' : 'https'}://${place}${path}`
    const scope = `repository:${repository}:pull`
    const known = this.#tokens.get(scope)
    const request = {
      url,
      method,
      headers: {
        'accept-encoding': 'identity',
        ...(more.accept === undefined ? {} : { accept: more.accept }),
      },
      ...(more.maxBytes === undefined ? {} : { maxBytes: more.maxBytes }),
      tls: this.#options.tls,
      proxy: this.#options.proxy,
      signal: call.signal,
    }
    const authorization =
      known !== undefined && known.until > this.#options.now() ? known.header : undefined
    try {
      const response = await httpRequest({ ...request, authorization })
      // a challenge of another server, reached by a redirect, gets no answer
      if (response.status !== 401 || new URL(response.url).host !== place) return response
      const label = `${method} ${JSON.stringify(response.url)}: `
      const header = await this.#authorize(response, scope, url, label, call)
      return header === undefined
        ? response
        : await httpRequest({ ...request, authorization: header })
    } catch (error) {
      throw exchangeError(error, '')
    }
  }

  /** Answers a challenge; undefined for one of unknown kind. */
  async #authorize(
    response: HttpResponse,
    scope: string,
    registryUrl: string,
    label: string,
    call: RegistryCall,
  ): Promise<string | undefined> {
    const { username, password } = this.#options
    const challenge = parseChallenge(response.headers['www-authenticate'] ?? '')
    if (challenge?.scheme === 'basic') {
      if (username === '' && password === '') {
        throw new SourceError('SOURCE_REFUSED', `${label}basic credential not found`)
      }
      const header = basicAuthorization(username, password)
      this.#tokens.set(scope, { header, until: Number.POSITIVE_INFINITY })
      return header
    }
    if (challenge?.scheme !== 'bearer') return undefined
    const realm = checkedRealm(challenge.parameters['realm'] ?? '', registryUrl, label)
    const service = challenge.parameters['service']
    if (service !== undefined) realm.searchParams.set('service', service)
    const scopes = new Set([
      scope,
      ...(challenge.parameters['scope'] ?? '').split(' ').filter((one) => one !== ''),
    ])
    for (const one of scopes) realm.searchParams.append('scope', one)
    let answer: HttpResponse
    try {
      answer = await httpRequest({
        url: realm.href,
        authorization:
          username === '' && password === '' ? undefined : basicAuthorization(username, password),
        tls: this.#options.tls,
        proxy: this.#options.proxy,
        signal: call.signal,
        maxBytes: 1024 * 1024,
      })
    } catch (error) {
      throw exchangeError(error, label)
    }
    if (answer.status !== 200) {
      const error = statusError('GET', answer)
      throw new SourceError(error.code, label + error.message, { retryable: error.retryable })
    }
    const body = parseJson(answer.body) as {
      token?: string
      access_token?: string
      expires_in?: number
    }
    const token = body.access_token ?? body.token
    if (token === undefined || token === '') {
      throw new SourceError('SOURCE_REFUSED', `${label}empty token returned`)
    }
    // a token is good for a minute when nobody says otherwise
    const lifetime = (body.expires_in ?? 60) * 1000
    this.#tokens.set(scope, {
      header: `Bearer ${token}`,
      until: this.#options.now() + lifetime * 0.8,
    })
    return `Bearer ${token}`
  }

  #notFound(repository: string, reference: string): SourceError {
    const join = isDigest(reference) ? '@' : ':'
    const message = `${this.#options.host}/${repository}${join}${reference}: not found`
    return new SourceError('SOURCE_REVISION_UNKNOWN', message)
  }
}

/**
 * Splits `host/repository` and checks both as oras does.
 *
 * @throws SourceError SOURCE_REFUSED
 */
export function parseRepository(text: string): {
  readonly host: string
  readonly repository: string
} {
  const slash = text.indexOf('/')
  if (slash === -1) throw invalidReference('missing registry or repository')
  const host = text.slice(0, slash)
  const repository = text.slice(slash + 1)
  if (!/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?$/.test(host)) {
    throw invalidReference(`invalid registry ${JSON.stringify(host)}`)
  }
  const part = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
  if (repository.length > 255 || !new RegExp(`^${part}(?:/${part})*$`).test(repository)) {
    throw invalidReference(`invalid repository ${JSON.stringify(repository)}`)
  }
  return { host, repository }
}

export function isDigest(reference: string): boolean {
  return /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/.test(reference)
}

function checkedReference(reference: string): string {
  if (reference === '') throw new SourceError('SOURCE_REVISION_UNKNOWN', 'invalid reference')
  if (reference.includes(':')) {
    if (!isDigest(reference))
      throw invalidReference(
        `invalid digest ${JSON.stringify(reference)}: invalid checksum digest format`,
      )
  } else if (!/^\w[\w.-]{0,127}$/.test(reference)) {
    throw invalidReference(`invalid tag ${JSON.stringify(reference)}`)
  }
  return reference
}

function invalidReference(why: string): SourceError {
  return new SourceError('SOURCE_REVISION_UNKNOWN', `invalid reference: ${why}`)
}

export function digestOf(bytes: Uint8Array, algorithm = 'sha256'): string {
  const name = algorithm === 'sha512' ? 'sha512' : 'sha256'
  return `${name}:${createHash(name).update(bytes).digest('hex')}`
}

function mismatch(wanted: string, got: string): SourceError {
  return new SourceError(
    'SOURCE_CORRUPT',
    `mismatch digest: content is ${got}, ${wanted} was asked for`,
  )
}

function mediaTypeOf(response: HttpResponse): string {
  return (response.headers['content-type'] ?? '').split(';')[0]!.trim()
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new SourceError('SOURCE_CORRUPT', 'the registry did not answer with JSON', { cause })
  }
}

/** `GET "https://…": response status code 404: name unknown: …` Source: oras-go v2.6 registry/remote/errcode */
function statusError(method: string, response: HttpResponse): SourceError {
  let words = STATUS_CODES[response.status] ?? ''
  try {
    const { errors } = JSON.parse(response.body.toString('utf8')) as {
      readonly errors?: readonly { readonly code?: string; readonly message?: string }[]
    }
    const said = (errors ?? []).map(({ code = '', message = '' }) => {
      const plain = code.replaceAll('_', ' ').toLowerCase()
      return message === '' ? plain : `${plain}: ${message}`
    })
    if (said.length > 0) words = said.join('; ')
  } catch {
    // no JSON: the status has to do
  }
  const { code, retryable } = codeOfStatus(response.status)
  const message = `${method} ${JSON.stringify(response.url)}: response status code ${response.status}: ${words}`
  return new SourceError(code, message, { retryable })
}

function parseChallenge(
  header: string,
):
  | { readonly scheme: string; readonly parameters: { readonly [name: string]: string } }
  | undefined {
  const scheme = /^\s*([A-Za-z]+)/.exec(header)?.[1]?.toLowerCase()
  if (scheme === undefined) return undefined
  const parameters: { [name: string]: string } = {}
  for (const [, name, quoted, plain] of header
    .slice(scheme.length)
    .matchAll(/([a-z_]+)=(?:"([^"]*)"|([^\s,]+))/gi)) {
    parameters[name!.toLowerCase()] = quoted ?? plain ?? ''
  }
  return { scheme, parameters }
}

/** Where a token may be asked for: never over plain HTTP for a registry over TLS, never on an inner address that is not the registry's. */
function checkedRealm(realm: string, registry: string, label: string): URL {
  const refuse = (why: string): SourceError =>
    new SourceError('SOURCE_REFUSED', `${label}bearer realm ${JSON.stringify(realm)} ${why}`)
  let url: URL
  try {
    url = new URL(realm)
  } catch {
    throw refuse('cannot be parsed')
  }
  const own = new URL(registry)
  if (url.protocol === 'http:' && own.protocol === 'https:')
    throw refuse('uses http but registry was contacted over https')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse(`uses unsupported scheme ${JSON.stringify(url.protocol.slice(0, -1))}`)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  const inner =
    isIP(address) !== 0 &&
    /^(127\.|10\.|192\.168\.|169\.254\.|0\.|172\.(1[6-9]|2\d|3[01])\.|::1?$|fe[89ab]|f[cd])/i.test(
      address,
    )
  if (inner && url.hostname !== own.hostname) {
    throw refuse('is a loopback, link-local, private, or unspecified address')
  }
  return url
}
