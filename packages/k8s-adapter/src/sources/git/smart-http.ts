import { SourceError } from '@litecd/core/errors'
import {
  HttpError,
  type HttpResponse,
  httpRequest,
  type ProxySettings,
  type TlsSettings,
} from '../http/index.ts'
import { corrupt } from './object.ts'
import { delimiterPacket, flushPacket, packet, readPackets } from './pkt-line.ts'
import type { AdvertisedRef } from './refs.ts'

/** How a git server is reached over HTTP. */
export interface GitHttpOptions {
  readonly authorization?: string | undefined
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const service = 'git-upload-pack'
const maxAdvertisedBytes = 256 * 1024 * 1024

/**
 * The refs of a repository on an HTTP server, without a git program: HEAD first, then by name. With protocol version 2
 * only refs that begin with one of `prefixes` are asked for; undefined asks for all.
 *
 * Failures are in go-git's words. A server that knows only the dumb protocol is refused, as by Argo CD.
 *
 * @throws SourceError SOURCE_UNREACHABLE, SOURCE_REFUSED, SOURCE_NOT_FOUND, SOURCE_CORRUPT
 * Source: git gitprotocol-http, gitprotocol-v2
 */
export async function listHttpRefs(
  url: string,
  options: GitHttpOptions = {},
  prefixes?: readonly string[],
): Promise<readonly AdvertisedRef[]> {
  const { place, lines } = await advertisementOf(url, options)
  const first = lines[0]?.toString('utf8') ?? ''
  if (/^version 2\b/.test(first)) {
    return listVersion2(place, capabilitiesOf(lines), options, prefixes)
  }
  return readVersion0(first === '' || /^version 1\b/.test(first) ? lines.slice(1) : lines)
}

/**
 * Where fetches of a repository go when its server speaks version 2; undefined for an older one.
 *
 * @throws SourceError as {@link listHttpRefs}
 */
export async function discoverHttp(
  url: string,
  options: GitHttpOptions,
): Promise<string | undefined> {
  const { place, lines } = await advertisementOf(url, options)
  if (!/^version 2\b/.test(lines[0]?.toString('utf8') ?? '')) return undefined
  refuseOtherIds(formatOf(capabilitiesOf(lines)))
  return place
}

/** What a server says of itself, without the line that names the service, and where it is after redirects. */
async function advertisementOf(
  url: string,
  options: GitHttpOptions,
): Promise<{ readonly place: string; readonly lines: readonly Buffer[] }> {
  const advertisement = await ask(`${base(url)}/info/refs?service=${service}`, options)
  const type = advertisement.headers['content-type']
  if (type !== `application/x-${service}-advertisement`) {
    throw new SourceError(
      'SOURCE_REFUSED',
      `${url} answers with ${type ?? 'no content type'}: it is no git repository that speaks the smart protocol`,
    )
  }
  const lines: Buffer[] = []
  let sections = 0
  for (const one of readPackets(advertisement.body)) {
    if (one.kind === 'data') lines.push(one.bytes)
    else if (
      sections++ > 0 ||
      lines.some((line) => !line.toString('latin1', 0, 2).startsWith('# '))
    )
      break
    else lines.length = 0 // the line that names the service
  }
  const place = advertisement.url.replace(/\/info\/refs\?service=git-upload-pack$/, '')
  return { place, lines }
}

function capabilitiesOf(lines: readonly Buffer[]): readonly string[] {
  return lines.map((line) => line.toString('utf8').trim())
}

function formatOf(capabilities: readonly string[]): string | undefined {
  return capabilities.find((one) => one.startsWith('object-format='))?.slice(14)
}

async function listVersion2(
  place: string,
  capabilities: readonly string[],
  options: GitHttpOptions,
  prefixes: readonly string[] | undefined,
): Promise<readonly AdvertisedRef[]> {
  refuseOtherIds(formatOf(capabilities))
  const request = [
    packet('command=ls-refs\n'),
    ...(capabilities.includes('object-format=sha1') ? [packet('object-format=sha1\n')] : []),
    delimiterPacket,
    packet('peel\n'),
    packet('symrefs\n'),
    ...(prefixes ?? []).map((prefix) => packet(`ref-prefix ${prefix}\n`)),
    flushPacket,
  ]
  const answer = await ask(`${place}/${service}`, options, Buffer.concat(request))
  const refs: AdvertisedRef[] = []
  for (const one of readPackets(answer.body)) {
    if (one.kind !== 'data') break
    const line = one.bytes.toString('utf8').replace(/\n$/, '')
    if (line.startsWith('ERR ')) throw serverError(line.slice(4))
    const [id, name, ...attributes] = line.split(' ')
    if (id === 'unborn' || name === undefined) continue
    const attribute = (key: string): string | undefined =>
      attributes.find((one) => one.startsWith(`${key}:`))?.slice(key.length + 1)
    const target = attribute('symref-target')
    const peeled = attribute('peeled')
    refs.push({
      name,
      id: checkedId(id),
      ...(target === undefined ? {} : { target }),
      ...(peeled === undefined ? {} : { peeled: checkedId(peeled) }),
    })
  }
  return refs
}

function readVersion0(lines: readonly Buffer[]): readonly AdvertisedRef[] {
  const refs: { -readonly [key in keyof AdvertisedRef]: AdvertisedRef[key] }[] = []
  const targets = new Map<string, string>()
  for (const [index, bytes] of lines.entries()) {
    const [text, features] = bytes.toString('utf8').replace(/\n$/, '').split('\0')
    if (text!.startsWith('ERR ')) throw serverError(text!.slice(4))
    if (index === 0) {
      for (const feature of (features ?? '').split(' ')) {
        if (feature.startsWith('object-format=')) refuseOtherIds(feature.slice(14))
        const [, from, to] = /^symref=([^:]+):(.+)$/.exec(feature) ?? []
        if (from !== undefined) targets.set(from, to!)
      }
    }
    const [id, name] = text!.split(' ')
    if (name === undefined) throw corrupt('the server advertises a ref without a name')
    if (name === 'capabilities^{}') continue
    if (name.endsWith('^{}')) {
      const tag = refs.at(-1)
      if (tag?.name === name.slice(0, -3)) tag.peeled = checkedId(id)
      continue
    }
    const target = targets.get(name)
    refs.push({ name, id: checkedId(id), ...(target === undefined ? {} : { target }) })
  }
  return refs
}

function refuseOtherIds(format: string | undefined): void {
  if (format !== undefined && format.trim() !== 'sha1') {
    throw new SourceError(
      'RENDER_UNSUPPORTED',
      `the repository uses ${format.trim()} object ids; only repositories with SHA-1 ids can be read`,
    )
  }
}

async function ask(url: string, options: GitHttpOptions, body?: Buffer): Promise<HttpResponse> {
  let response: HttpResponse
  try {
    response = await httpRequest({
      url,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'git/litecd',
        'git-protocol': 'version=2',
        ...(body === undefined
          ? {}
          : {
              'content-type': `application/x-${service}-request`,
              accept: `application/x-${service}-result`,
            }),
      },
      ...(body === undefined ? {} : { body }),
      authorization: options.authorization,
      tls: options.tls,
      proxy: options.proxy,
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? 15_000, // ARGOCD_GIT_REQUEST_TIMEOUT
      maxBytes: maxAdvertisedBytes,
    })
  } catch (cause) {
    throw unreachable(cause)
  }
  if (response.status >= 200 && response.status < 300) return response
  throw statusError(response)
}

/** An answer that is no success, in go-git's words. */
export function statusError(response: HttpResponse): SourceError {
  const reason = response.body.toString('utf8', 0, 4096)
  const text = (words: string): string => `${words}: ${reason}`.replace(/: $/, '')
  switch (response.status) {
    case 401:
      return new SourceError('SOURCE_REFUSED', text('authentication required'))
    case 403:
      return new SourceError('SOURCE_REFUSED', text('authorization failed'))
    case 404:
      return new SourceError('SOURCE_NOT_FOUND', text('repository not found'))
    default:
      return new SourceError(
        response.status >= 500 || response.status === 429 ? 'SOURCE_UNREACHABLE' : 'SOURCE_REFUSED',
        `unexpected client error: unexpected requesting ${JSON.stringify(response.url)} status code: ${response.status}`,
        { retryable: response.status >= 500 || response.status === 429 },
      )
  }
}

/** A SourceError for an exchange that did not come to an answer. */
export function unreachable(cause: unknown, prefix = ''): SourceError {
  if (cause instanceof SourceError) return cause
  if (!(cause instanceof HttpError)) throw cause
  const refused = cause.kind === 'too-large' || cause.kind === 'scheme'
  return new SourceError(
    refused ? 'SOURCE_REFUSED' : 'SOURCE_UNREACHABLE',
    prefix + cause.message,
    {
      retryable: !refused && cause.kind !== 'redirects',
      cause,
    },
  )
}

// Source: go-git v5.19.1 plumbing/transport/internal/common isRepoNotFoundError
const notFound =
  /Repository not found\.|repository does not exist\.|does not appear to be a git repository|access denied or repository not exported|The project you were looking for could not be found|no such repository/

/** What a server said instead of refs. */
export function serverError(message: string): SourceError {
  return notFound.test(message)
    ? new SourceError('SOURCE_NOT_FOUND', 'repository not found')
    : new SourceError('SOURCE_REFUSED', message.trim())
}

function checkedId(id: string | undefined): string {
  if (id === undefined || !/^[0-9a-f]{40}$/.test(id))
    throw corrupt('the server advertises an id that is none')
  return id
}

function base(url: string): string {
  return url.replace(/\/+$/, '')
}
