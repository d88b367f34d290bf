import { createHash } from 'node:crypto'
import { type ErrorCode, SourceError } from '@litecd/core/errors'
import { isObject, type Json, type JsonObject, parseJson } from '@litecd/core/json'
import {
  HttpError,
  type HttpMethod,
  httpRequest,
  type ProxySettings,
  type TlsSettings,
} from '../sources/http/index.ts'

/** What one question to a host may use up. */
export interface ScmLimits {
  /** Pages of one listing. */
  readonly pages: number
  /** Bytes of one answer. */
  readonly bytes: number
  /** The whole of a listing, waits included. */
  readonly timeMs: number
  /** The longest pause that a host may ask for; what is longer is an error. */
  readonly waitMs: number
}

export const defaultScmLimits: ScmLimits = {
  pages: 1_000,
  bytes: 32 * 1024 * 1024,
  timeMs: 300_000,
  waitMs: 10_000,
}

/** One exchange, for metrics; it tells no query and no credentials. */
export interface ApiCall {
  readonly provider: string
  readonly set: { readonly namespace: string; readonly name: string }
  readonly method: string
  readonly path: string
  /** 0 when there was no answer. */
  readonly status: number
  readonly seconds: number
  /** The headers that tell of limits. */
  readonly limits: { readonly [header: string]: string }
}

export interface ApiAnswer {
  readonly method: string
  readonly url: string
  readonly status: number
  /** Such as `404 Not Found`. */
  readonly statusText: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface ApiOptions {
  /** URL before paths; ends with a slash or not, as the provider's client has it. */
  readonly base: string
  readonly headers?: { readonly [name: string]: string }
  /** Value of the Authorization header. */
  readonly authorization?: () => Promise<string | undefined>
  /** Texts that no error may show. */
  readonly secrets: readonly string[]
  readonly tls?: TlsSettings | undefined
  readonly proxy?: ProxySettings | undefined
  readonly limits: ScmLimits
  readonly memory: AnswerMemory
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly timeoutMs?: number
  readonly observe?: (call: {
    readonly method: string
    readonly path: string
    readonly status: number
    readonly seconds: number
    readonly limits: { readonly [header: string]: string }
  }) => void
  /** The client's text for an answer that is no success. */
  readonly explain: (answer: ApiAnswer, now: number) => string
  /** What else an error tells about such an answer. */
  readonly facts?: (answer: ApiAnswer) => { readonly [key: string]: Json }
}

interface Remembered {
  readonly etag: string
  readonly answer: ApiAnswer
}

/** Answers that hosts said how to recognise, so that they need not be sent again. The oldest go first. */
export class AnswerMemory {
  readonly #maxBytes: number
  readonly #answers = new Map<string, Remembered>()
  readonly #blocked = new Map<string, number>()
  #bytes = 0

  constructor(maxBytes: number = 16 * 1024 * 1024) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Remembered | undefined {
    return this.#answers.get(key)
  }

  put(key: string, etag: string, answer: ApiAnswer): void {
    this.#forget(key)
    if (answer.body.length > this.#maxBytes / 4) return
    this.#answers.set(key, { etag, answer })
    this.#bytes += answer.body.length
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#forget(oldest)
    }
  }

  /** Until when a host does not want to be asked with these credentials; milliseconds since the epoch. */
  blockedUntil(key: string): number {
    return this.#blocked.get(key) ?? 0
  }

  block(key: string, until: number): void {
    if (this.#blocked.size > 1_000) this.#blocked.clear()
    this.#blocked.set(key, until)
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.answer.body.length ?? 0
    this.#answers.delete(key)
  }
}

/** Questions to one host on behalf of one generator: limits of rates, pages, bytes and time are kept. */
export class Api {
  readonly #options: ApiOptions
  readonly #secrets: Set<string>
  readonly #deadline: number

  constructor(options: ApiOptions) {
    this.#options = options
    this.#secrets = new Set(options.secrets)
    this.#deadline = options.now() + options.limits.timeMs
  }

  get base(): string {
    return this.#options.base
  }

  get maxPages(): number {
    return this.#options.limits.pages
  }

  /** An answer of any status. Throws SourceError when there is none. */
  async exchange(
    path: string,
    request: {
      readonly method?: HttpMethod
      readonly body?: string
      readonly headers?: { readonly [name: string]: string }
      readonly timeoutMs?: number
      readonly signal?: AbortSignal | undefined
    } = {},
  ): Promise<ApiAnswer> {
    const { now, sleep, limits, memory } = this.#options
    const url = /^https?:\/\//.test(path) ? path : this.base + path
    const authorization = await this.#options.authorization?.()
    const account = createHash('sha256')
      .update(`${originOf(url)}\n${authorization ?? ''}\n${JSON.stringify(this.#options.headers)}`)
      .digest('hex')
    const method = request.method ?? 'GET'
    const known = method === 'GET' ? memory.get(`${account} ${url}`) : undefined
    for (let attempt = 0; ; attempt++) {
      const blocked = memory.blockedUntil(account) - now()
      if (blocked > limits.waitMs) {
        throw this.error(
          'SOURCE_UNREACHABLE',
          `${method} ${masked(url)}: rate limit still exceeded, not asked again before ${new Date(now() + blocked).toISOString()}`,
          { retryAfterMs: blocked },
        )
      }
      if (blocked > 0) await this.#pause(blocked, sleep)
      const answer = await this.#once(url, method, authorization, {
        ...request,
        headers: {
          ...request.headers,
          ...(known === undefined ? {} : { 'if-none-match': known.etag }),
        },
      })
      if (answer.status === 304 && known !== undefined) return known.answer
      const wait = retryAfter(answer, now())
      if (wait !== undefined) {
        memory.block(account, now() + wait)
        if (wait <= limits.waitMs && attempt < 3) continue
      } else if (answer.status === 200 && method === 'GET') {
        const etag = answer.headers['etag']
        if (etag !== undefined) memory.put(`${account} ${url}`, etag, answer)
      }
      return answer
    }
  }

  /** A successful answer's JSON. Throws SourceError in the client's words otherwise. */
  async json(path: string, signal?: AbortSignal): Promise<{ value: Json; answer: ApiAnswer }> {
    const answer = await this.exchange(path, { signal })
    if (!isSuccess(answer)) throw this.refusal(answer)
    return { value: this.parsed(answer), answer }
  }

  parsed(answer: ApiAnswer): Json {
    const read = readJson(answer.body)
    if ('problem' in read) throw this.error('SOURCE_CORRUPT', read.problem)
    return read.value
  }

  /** The error of an answer that is no success: what the client says about it, unless told. */
  refusal(answer: ApiAnswer, text?: string): SourceError {
    const { now, explain } = this.#options
    const wait = retryAfter(answer, now())
    return this.error(codeOf(answer.status, wait !== undefined), text ?? explain(answer, now()), {
      status: answer.status,
      ...this.#options.facts?.(answer),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    })
  }

  error(
    code: ErrorCode,
    message: string,
    data: { readonly [key: string]: Json } = {},
  ): SourceError {
    let text = message
    for (const secret of this.#secrets) {
      if (secret.length >= 4) text = text.replaceAll(secret, '***')
    }
    return new SourceError(code, text, { retryable: code === 'SOURCE_UNREACHABLE', data })
  }

  /** Another text that no error may show. */
  hide(secret: string): void {
    this.#secrets.add(secret)
  }

  /** Throws BUDGET_EXCEEDED for a page too many. */
  checkPages(count: number): void {
    if (count <= this.maxPages) return
    throw this.error(
      'BUDGET_EXCEEDED',
      `${originOf(this.base)} has more than ${this.maxPages} pages`,
    )
  }

  async #pause(ms: number, sleep: (ms: number) => Promise<void>): Promise<void> {
    if (this.#options.now() + ms > this.#deadline) throw this.#late()
    await sleep(ms)
  }

  #late(): SourceError {
    return this.error(
      'BUDGET_EXCEEDED',
      `${originOf(this.base)} takes more than ${this.#options.limits.timeMs / 1000} s`,
    )
  }

  async #once(
    url: string,
    method: HttpMethod,
    authorization: string | undefined,
    request: {
      readonly body?: string
      readonly headers?: { readonly [name: string]: string }
      readonly timeoutMs?: number
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<ApiAnswer> {
    const { now, limits, tls, proxy, observe } = this.#options
    const started = now()
    const left = this.#deadline - started
    if (left <= 0) throw this.#late()
    const seen = (status: number, headers: { readonly [name: string]: string }): void =>
      observe?.({
        method,
        path: new URL(url).pathname,
        status,
        seconds: (now() - started) / 1000,
        limits: Object.fromEntries(
          Object.entries(headers).filter(([name]) => /ratelimit|retry-after/.test(name)),
        ),
      })
    try {
      const response = await httpRequest({
        url,
        method,
        authorization,
        headers: { ...this.#options.headers, ...request.headers },
        timeoutMs: Math.min(left, request.timeoutMs ?? this.#options.timeoutMs ?? 60_000),
        maxBytes: limits.bytes,
        sameHostOnly: true,
        signal: request.signal,
        ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
        ...(tls === undefined ? {} : { tls }),
        ...(proxy === undefined ? {} : { proxy }),
      })
      seen(response.status, response.headers)
      const { location } = response.headers
      if (response.status >= 300 && response.status < 400 && location !== undefined) {
        const to = originOf(new URL(location, response.url).href)
        throw this.error(
          'SOURCE_REFUSED',
          `${method} ${masked(url)}: it redirects to another host, ${to}, which gets no credentials and is not asked`,
        )
      }
      return {
        method,
        url: masked(url),
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
        body: response.body.toString('utf8'),
      }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      if (error.kind !== 'scheme') seen(0, {})
      const code =
        error.kind === 'too-large'
          ? 'BUDGET_EXCEEDED'
          : error.kind === 'scheme'
            ? 'SOURCE_REFUSED'
            : 'SOURCE_UNREACHABLE'
      throw this.error(code, error.message)
    }
  }
}

export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300
}

function codeOf(status: number, limited: boolean): ErrorCode {
  if (limited || status >= 500 || status === 408) return 'SOURCE_UNREACHABLE'
  if (status === 404 || status === 410) return 'SOURCE_NOT_FOUND'
  return 'SOURCE_REFUSED'
}

/**
 * After how many milliseconds a host wants to be asked again; undefined where the answer does not speak of limits. Hosts
 * say so with 429, some with 403 or 503.
 */
export function retryAfter({ status, headers }: ApiAnswer, now: number): number | undefined {
  if (status !== 429 && status !== 403 && status !== 503) return undefined
  const after = headers['retry-after']
  if (after !== undefined) {
    if (/^\d+$/.test(after)) return Number(after) * 1000
    const at = Date.parse(after)
    if (!Number.isNaN(at)) return Math.max(0, at - now)
  }
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']
  if (remaining === '0' && reset !== undefined && /^\d+$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now)
  }
  return status === 429 ? 60_000 : undefined
}

export function originOf(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    return ''
  }
}

/** A URL without credentials of its own. */
function masked(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/, '$1')
}

/** JSON, or what is wrong with it in Go's words. */
export function readJson(text: string): { readonly value: Json } | { readonly problem: string } {
  const broken = new Error('no JSON')
  let problem = ''
  try {
    const value = parseJson(text, ({ message }) => {
      problem = message
      throw broken
    })
    return { value }
  } catch (error) {
    if (error !== broken) throw error
    return { problem }
  }
}

/** The object that a text holds; an empty one where it holds none. */
export function objectIn(text: string): JsonObject {
  const read = readJson(text)
  return 'value' in read && isObject(read.value) ? read.value : {}
}

/** A list of objects under a name of an answer, or the answer itself. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

export function blockOf(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name]
  return isObject(value) ? value : undefined
}
