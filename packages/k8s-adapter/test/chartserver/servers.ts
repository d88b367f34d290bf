// A Helm repository and an OCI registry in this process, with switches for what such servers do.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FileServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Path → content, status, or a place to be sent to. Change it as you like. */
  readonly files: { [path: string]: string | Buffer | number | { readonly location: string } }
  /** Requests so far: `METHOD /path authorization`. */
  readonly requests: string[]
  /** `user:password` that every request must show. */
  basic: string | undefined
  close(): void
}

/** Serves files by path; what is not there is `404 File not found`. */
export async function startFileServer(): Promise<FileServer> {
  const served: FileServer = {
    url: '',
    files: {},
    requests: [],
    basic: undefined,
    close: () => server.close(),
  }
  const server = createServer((request, response) => {
    served.requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`)
    if (served.basic !== undefined && request.headers.authorization !== basic(served.basic)) {
      response.writeHead(401, 'Unauthorized').end()
      return
    }
    const file = served.files[request.url ?? '']
    if (file === undefined) response.writeHead(404, 'File not found').end()
    else if (typeof file === 'number') response.writeHead(file).end()
    else if (typeof file === 'string' || Buffer.isBuffer(file)) response.end(file)
    else response.writeHead(302, { location: file.location }).end()
  })
  return Object.assign(served, { url: await listen(server) })
}

export interface TestRegistry {
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly requests: string[]
  /** How the registry asks who is there. */
  auth: 'none' | 'basic' | 'bearer'
  /** Tags that one page holds. */
  pageSize: number
  /** Content is on another server, to which clients are sent. */
  redirectBlobs: boolean
  /** Answers with content that is not what its digest says. */
  damaged: boolean
  /** HEAD does not tell the digest. */
  silentHead: boolean
  /** Adds an image; returns the digest of its manifest. */
  push(repository: string, tag: string, image: TestImage): string
  close(): void
}

export interface TestImage {
  readonly configType?: string
  readonly layers: readonly { readonly mediaType: string; readonly bytes: Buffer }[]
}

export const registryUser = 'ada:l0velace'

export async function startRegistry(): Promise<TestRegistry> {
  const manifests = new Map<string, Buffer>()
  const tags = new Map<string, Map<string, string>>()
  const blobs = new Map<string, Buffer>()
  const digest = (bytes: Buffer): string =>
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const elsewhere = createServer((request, response) => {
    registry.requests.push(`ELSEWHERE ${request.url} ${request.headers.authorization ?? '-'}`)
    response.end(blobs.get((request.url ?? '').slice(1)))
  })
  const elsewhereUrl = await listen(elsewhere)
  const server = createServer((request, response) => answer(request, response))
  const registry: TestRegistry = {
    host: (await listen(server)).replace('http://', ''),
    requests: [],
    auth: 'none',
    pageSize: 1000,
    redirectBlobs: false,
    damaged: false,
    silentHead: false,
    push(repository, tag, image) {
      const describe = (mediaType: string, bytes: Buffer): object => {
        blobs.set(digest(bytes), bytes)
        return { mediaType, digest: digest(bytes), size: bytes.length }
      }
      const manifest = Buffer.from(
        JSON.stringify({
          schemaVersion: 2,
          mediaType: 'application/vnd.oci.image.manifest.v1+json',
          config: describe(
            image.configType ?? 'application/vnd.oci.empty.v1+json',
            Buffer.from('{}'),
          ),
          layers: image.layers.map(({ mediaType, bytes }) => describe(mediaType, bytes)),
        }),
      )
      manifests.set(digest(manifest), manifest)
      const own = tags.get(repository) ?? new Map<string, string>()
      own.set(tag, digest(manifest))
      tags.set(repository, own)
      return digest(manifest)
    },
    close() {
      server.close()
      elsewhere.close()
    },
  }
  return registry

  function answer(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url ?? '/', `http://${registry.host}`)
    registry.requests.push(
      `${request.method} ${request.url} ${request.headers.authorization ?? '-'}`,
    )
    const refuse = (status: number, code: string, message: string): unknown => {
      response.writeHead(status, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ errors: [{ code, message }] }))
    }
    if (url.pathname === '/token') {
      if (
        request.headers.authorization !== undefined &&
        request.headers.authorization !== basic(registryUser)
      ) {
        return refuse(401, 'UNAUTHORIZED', 'authentication required')
      }
      response.end(
        JSON.stringify({
          token: `token-for-${url.searchParams.getAll('scope').join('+')}`,
          expires_in: 300,
        }),
      )
      return
    }
    const [, repository, kind, reference] =
      /^\/v2\/(.+)\/(manifests|blobs|tags)\/([^/]+)$/.exec(url.pathname) ?? []
    const wanted =
      registry.auth === 'basic'
        ? basic(registryUser)
        : registry.auth === 'bearer'
          ? `Bearer token-for-repository:${repository}:pull`
          : undefined
    if (wanted !== undefined && request.headers.authorization !== wanted) {
      response.setHeader(
        'www-authenticate',
        registry.auth === 'basic'
          ? 'Basic realm="registry"'
          : `Bearer realm="http://${registry.host}/token",service="registry.test",scope="repository:${repository}:pull"`,
      )
      return refuse(401, 'UNAUTHORIZED', 'authentication required')
    }
    const own = tags.get(repository ?? '')
    if (own === undefined)
      return refuse(404, 'NAME_UNKNOWN', 'repository name not known to registry')
    if (kind === 'tags') {
      const all = [...own.keys()].sort()
      const start = all.indexOf(url.searchParams.get('last') ?? '') + 1
      const page = all.slice(start, start + registry.pageSize)
      if (start + page.length < all.length) {
        response.setHeader('link', `</v2/${repository}/tags/list?last=${page.at(-1)}>; rel="next"`)
      }
      response.end(JSON.stringify({ name: repository, tags: page }))
      return
    }
    if (kind === 'blobs') {
      const blob = blobs.get(reference!)
      if (blob === undefined) return refuse(404, 'BLOB_UNKNOWN', 'blob unknown to registry')
      if (registry.redirectBlobs)
        response.writeHead(307, { location: `${elsewhereUrl}/${reference}` }).end()
      else
        response.end(
          registry.damaged ? Buffer.concat([blob.subarray(1), blob.subarray(0, 1)]) : blob,
        )
      return
    }
    const id = own.get(reference!) ?? reference!
    const manifest = manifests.get(id)
    if (manifest === undefined) return refuse(404, 'MANIFEST_UNKNOWN', 'manifest unknown')
    response.setHeader('content-type', 'application/vnd.oci.image.manifest.v1+json')
    if (!(registry.silentHead && request.method === 'HEAD'))
      response.setHeader('docker-content-digest', id)
    response.end(request.method === 'HEAD' ? undefined : manifest)
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}
