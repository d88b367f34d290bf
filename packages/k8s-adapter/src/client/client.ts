import type { Readable } from 'node:stream'
import { ClusterError } from '@litecd/core/errors'
import {
  formatJson,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { linesOf, textOf } from './body.ts'
import { type Connection, type Impersonation, impersonationHeaders } from './connection.ts'
import { Discovery } from './discovery.ts'
import { answerError, statusError } from './failure.ts'
import { type Place, type ResourceRef, resourcePath } from './resource.ts'
import { type Headers, Transport } from './transport.ts'

export interface ClientOptions {
  /** The API server takes the part before `/` as field manager of writes that name none. */
  readonly userAgent?: string
  /** Until an answer begins; 60 s. Watches are not affected. */
  readonly timeoutMs?: number
  /** Texts of `Warning` headers, once per answer. */
  readonly onWarning?: (warning: string) => void
}

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Query | undefined
  readonly headers?: Headers
  readonly body?: Json
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
}

export type Query = { readonly [name: string]: string | number | boolean | undefined }

export interface ReadOptions {
  readonly resourceVersion?: string
  readonly signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact'
  /** Objects in one page; 500 when absent. */
  readonly limit?: number
  /** Ask for metadata alone (PartialObjectMetadata). */
  readonly metadataOnly?: boolean
}

export interface ListPage {
  readonly items: readonly Manifest[]
  readonly resourceVersion: string
}

export interface WatchOptions extends ReadOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly metadataOnly?: boolean
  /** First the objects that exist, then a bookmark that ends them, then what changes. */
  readonly sendInitialEvents?: boolean
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds?: number
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Manifest }
  | {
      readonly type: 'BOOKMARK'
      readonly resourceVersion: string
      /** The objects that existed at the start have all been sent. */
      readonly initialEventsEnd: boolean
    }

export interface WriteOptions {
  readonly namespace?: string | undefined
  readonly subresource?: string | undefined
  /** `dryRun=All`: admission runs, nothing is stored. */
  readonly dryRun?: boolean | undefined
  readonly fieldManager?: string | undefined
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
  readonly signal?: AbortSignal | undefined
}

export type PatchType = 'merge' | 'json' | 'strategic' | 'apply'

export interface PatchOptions extends WriteOptions {
  /** Server-side apply only: take over fields that others own. */
  readonly force?: boolean | undefined
}

export interface DeleteRequestOptions extends WriteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

const patchTypes: { readonly [type in PatchType]: string } = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml', // JSON is YAML
}

const metadataTypes = (list: boolean): string =>
  `application/json;as=PartialObjectMetadata${list ? 'List' : ''};g=meta.k8s.io;v=v1,application/json`

const pageSize = 500 // client-go v0.36.1 tools/pager, argo-cd v3.5.1 gitops-engine/pkg/cache

function queryText(query: Query = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function retryAfterMs(value: string | readonly string[] | undefined): number | undefined {
  const seconds = Number(typeof value === 'string' ? value : value?.[0])
  return value === undefined || !Number.isFinite(seconds) || seconds < 0
    ? undefined
    : seconds * 1000
}

/** The text of an RFC 7234 warning: `299 - "text"`. */
function warningText(header: string): string {
  const quoted = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(header)
  return quoted === null ? header : quoted[1]!.replace(/\\(.)/g, '$1')
}

function asObject(value: Json): JsonObject {
  if (!isObject(value)) {
    throw new ClusterError(
      'CLUSTER_REFUSED',
      'the server answered with something else than an object',
    )
  }
  return value
}

/**
 * The Kubernetes API of one server: requests, lists, watches, writes, discovery.
 *
 * Objects come and go as values; integers beyond 2^53 survive as bigint. Every failure is a ClusterError: with the
 * server's own message, reason and status, or CLUSTER_UNREACHABLE when it did not answer. An aborted signal throws its
 * reason instead.
 */
export class KubeClient {
  readonly connection: Connection
  readonly discovery: Discovery
  private readonly transport: Transport
  private readonly options: ClientOptions
  private readonly impersonation: Impersonation | undefined

  constructor(connection: Connection, options: ClientOptions = {}, parent?: KubeClient) {
    this.connection = connection
    this.options = options
    this.impersonation = connection.impersonate
    this.transport = parent?.transport ?? new Transport(connection)
    this.discovery =
      parent?.discovery ?? new Discovery((path, headers) => this.fetchDiscovery(path, headers))
  }

  /** The same server, session and discovery, with requests made as somebody else. */
  as(who: Impersonation): KubeClient {
    return new KubeClient({ ...this.connection, impersonate: who }, this.options, this)
  }

  /** Ends the connections and every watch on them; shared with what `as` gave. */
  close(): void {
    this.transport.close()
  }

  /** One request and its whole answer as JSON; null for an empty one. */
  async request(request: RawRequest): Promise<Json> {
    const { text } = await this.exchange(request)
    return text === '' ? null : this.parse(text)
  }

  /** `/version` of the server. */
  async version(): Promise<JsonObject> {
    return asObject(await this.request({ method: 'GET', path: '/version' }))
  }

  async get(resource: ResourceRef, name: string, options: GetOptions = {}): Promise<Manifest> {
    const path = resourcePath(resource, { ...options, name })
    const query = { resourceVersion: options.resourceVersion }
    const answer = await this.request({ method: 'GET', path, query, signal: options.signal })
    return asObject(answer) as Manifest
  }

  /** All pages of a list, one after the other. A list of a kind carries no kind in its items; here they have it. */
  async *pages(resource: ResourceRef, options: ListOptions = {}): AsyncGenerator<ListPage> {
    let token: string | undefined
    do {
      const answer = asObject(
        await this.request({
          method: 'GET',
          path: resourcePath(resource, options),
          query: {
            limit: options.limit ?? pageSize,
            continue: token,
            labelSelector: options.labelSelector,
            fieldSelector: options.fieldSelector,
            // A continue token carries the version itself.
            resourceVersion: token === undefined ? options.resourceVersion : undefined,
            resourceVersionMatch: token === undefined ? options.resourceVersionMatch : undefined,
          },
          ...(options.metadataOnly ? { headers: { accept: metadataTypes(true) } } : {}),
          signal: options.signal,
        }),
      )
      const items = answer['items']
      const kind = String(answer['kind'] ?? '').replace(/List$/, '')
      const own = { apiVersion: String(answer['apiVersion'] ?? ''), kind }
      const version = getPath(answer, 'metadata', 'resourceVersion')
      yield {
        items: (Array.isArray(items) ? items : [])
          .filter(isObject)
          .map((item) => ({ ...own, ...item })),
        resourceVersion: typeof version === 'string' ? version : '',
      }
      const next = getPath(answer, 'metadata', 'continue')
      token = typeof next === 'string' && next !== '' ? next : undefined
    } while (token !== undefined)
  }

  /** All objects of a list at once; `resourceVersion` is where a watch may start. */
  async list(resource: ResourceRef, options: ListOptions = {}): Promise<ListPage> {
    const items: Manifest[] = []
    let resourceVersion = ''
    for await (const page of this.pages(resource, options)) {
      items.push(...page.items)
      resourceVersion = page.resourceVersion
    }
    return { items, resourceVersion }
  }

  /**
   * What happens to the objects of a kind, until the server ends the watch (then it just ends) or something fails.
   *
   * Throws ClusterError; status 410 (reason Expired or Gone) when `resourceVersion` is too old to go on from.
   */
  async *watch(resource: ResourceRef, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    const request: RawRequest = {
      method: 'GET',
      path: resourcePath(resource, { namespace: options.namespace }),
      query: {
        watch: 1,
        allowWatchBookmarks: true,
        resourceVersion: options.resourceVersion,
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        timeoutSeconds: options.timeoutSeconds,
        ...(options.sendInitialEvents
          ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
          : {}),
      },
      ...(options.metadataOnly ? { headers: { accept: metadataTypes(false) } } : {}),
      signal: options.signal,
    }
    const response = await this.send(request)
    try {
      for await (const line of linesOf(response.body)) {
        if (line !== '') yield this.watchEvent(line)
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof ClusterError) throw error
      const message = `the watch broke off: ${(error as Error).message}`
      throw new ClusterError('CLUSTER_UNREACHABLE', message, { retryable: true, cause: error })
    } finally {
      response.body.destroy()
    }
  }

  async create(
    resource: ResourceRef,
    object: JsonObject,
    options: WriteOptions & { readonly name?: string } = {},
  ): Promise<Manifest> {
    // A name belongs into the path only with a subresource, such as `serviceaccounts/NAME/token`.
    const place = {
      namespace: options.namespace,
      name: options.name,
      subresource: options.subresource,
    }
    return this.write('POST', resource, place, object, 'application/json', options)
  }

  /** PUT: the whole object; with `metadata.resourceVersion` only if it is still that one. */
  async update(
    resource: ResourceRef,
    name: string,
    object: JsonObject,
    options: WriteOptions = {},
  ): Promise<Manifest> {
    return this.write('PUT', resource, { ...options, name }, object, 'application/json', options)
  }

  async patch(
    resource: ResourceRef,
    name: string,
    type: PatchType,
    patch: Json,
    options: PatchOptions = {},
  ): Promise<Manifest> {
    const query = { force: options.force || undefined }
    return this.write(
      'PATCH',
      resource,
      { ...options, name },
      patch,
      patchTypes[type],
      options,
      query,
    )
  }

  /** Answers with what the server says: the object that is now going, or a Status. */
  async delete(
    resource: ResourceRef,
    name: string,
    options: DeleteRequestOptions = {},
  ): Promise<JsonObject> {
    const preconditions = {
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.resourceVersion === undefined
        ? {}
        : { resourceVersion: options.resourceVersion }),
    }
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...(options.propagationPolicy ? { propagationPolicy: options.propagationPolicy } : {}),
      ...(options.gracePeriodSeconds === undefined
        ? {}
        : { gracePeriodSeconds: options.gracePeriodSeconds }),
      ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
      ...(options.dryRun ? { dryRun: ['All'] } : {}),
    }
    const path = resourcePath(resource, { ...options, name })
    return asObject(await this.request({ method: 'DELETE', path, body, signal: options.signal }))
  }

  private async write(
    method: 'POST' | 'PUT' | 'PATCH',
    resource: ResourceRef,
    place: Place,
    body: Json,
    contentType: string,
    options: WriteOptions,
    query: Query = {},
  ): Promise<Manifest> {
    const answer = await this.request({
      method,
      path: resourcePath(resource, place),
      query: {
        ...query,
        dryRun: options.dryRun ? 'All' : undefined,
        fieldManager: options.fieldManager,
        fieldValidation: options.fieldValidation,
      },
      body,
      contentType,
      signal: options.signal,
    })
    return asObject(answer) as Manifest
  }

  private watchEvent(line: string): WatchEvent {
    const event = this.parse(line)
    const type = getPath(event, 'type')
    const object = asObject(getPath(event, 'object') ?? null)
    if (type === 'ERROR') throw statusError(object, 500)
    if (type === 'BOOKMARK') {
      const annotations = getPath(object, 'metadata', 'annotations')
      return {
        type,
        resourceVersion: String(getPath(object, 'metadata', 'resourceVersion') ?? ''),
        initialEventsEnd: getPath(annotations, 'k8s.io/initial-events-end') === 'true',
      }
    }
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
      throw new ClusterError('CLUSTER_REFUSED', `unknown watch event ${JSON.stringify(type)}`)
    }
    return { type, object: object as Manifest }
  }

  private parse(text: string): Json {
    try {
      return parseJson(text)
    } catch (error) {
      const message = 'the server answered with something else than JSON'
      throw new ClusterError('CLUSTER_REFUSED', message, { cause: error })
    }
  }

  /** The answer to a request, once its status is known to be good. */
  private async send(
    request: RawRequest,
  ): Promise<{ readonly body: Readable; readonly etag: string; readonly status: number }> {
    const response = await this.transport.request({
      method: request.method,
      path: request.path + queryText(request.query),
      headers: {
        accept: 'application/json',
        'user-agent': this.options.userAgent ?? 'litecd',
        ...(this.impersonation === undefined ? {} : impersonationHeaders(this.impersonation)),
        ...(request.body === undefined
          ? {}
          : { 'content-type': request.contentType ?? 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined
        ? {}
        : { body: formatJson(request.body, { escapeHtml: false, sortKeys: false }) }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      timeoutMs: this.options.timeoutMs ?? 60_000,
    })
    const { headers, status } = response
    const warnings = headers['warning']
    if (warnings !== undefined && this.options.onWarning !== undefined) {
      for (const warning of [warnings].flat()) this.options.onWarning(warningText(warning))
    }
    if (status >= 200 && status < 300) {
      return { body: response.body, etag: String(headers['etag'] ?? ''), status }
    }
    if (status === 304) {
      response.body.resume()
      return { body: response.body, etag: '', status }
    }
    const text = await this.readText(response.body, request.signal)
    throw answerError(status, request.method, text, retryAfterMs(headers['retry-after']))
  }

  private async exchange(
    request: RawRequest,
  ): Promise<{ readonly text: string; readonly etag: string; readonly status: number }> {
    for (let attempt = 1; ; attempt++) {
      const { body, etag, status } = await this.send(request)
      if (status === 304) return { text: '', etag, status }
      try {
        return { text: await this.readText(body, request.signal), etag, status }
      } catch (error) {
        // An answer that broke off in the middle: a read may simply be asked for again.
        if (request.method !== 'GET' || attempt === 2 || !(error instanceof ClusterError))
          throw error
      }
    }
  }

  private async readText(body: Readable, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await textOf(body)
    } catch (error) {
      signal?.throwIfAborted()
      const message =
        'stream error when reading response body, may be caused by closed connection. Please retry. ' +
        `Original error: ${(error as Error).message}`
      throw new ClusterError('CLUSTER_UNREACHABLE', message, { retryable: true, cause: error })
    }
  }

  private async fetchDiscovery(
    path: string,
    headers: Headers,
  ): Promise<{ body: Json; etag: string } | undefined> {
    const { text, etag, status } = await this.exchange({ method: 'GET', path, headers })
    return status === 304 ? undefined : { body: this.parse(text), etag }
  }
}

export interface GetOptions extends ReadOptions {
  readonly namespace?: string | undefined
  readonly subresource?: string | undefined
}
