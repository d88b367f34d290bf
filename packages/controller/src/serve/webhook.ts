import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { providerOf, readWebhookEvent, type WebhookEvent, WebhookRefused } from '@litecd/core/argo'
import { type Json, parseJson } from '@litecd/core/json'
import { isGenuine, isProvenByHeaders, type WebhookSecrets } from './webhook-verify.ts'

export interface WebhookListener {
  readonly host: string | undefined
  /** 0 takes any. */
  readonly port: number
  readonly secrets: () => Promise<WebhookSecrets>
  readonly maxPayloadMb: () => number
  readonly onEvent: (event: WebhookEvent) => void
  /** Why a request was not taken. Never a secret, nor anything of its body. */
  readonly onRefused: (why: string) => void
}

export interface WebhookServer {
  readonly url: string
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly text: string
}

const failed = 'Webhook processing failed'
const full: Answer = { status: 503, text: 'Queue is full, discarding webhook payload' }
/** Bodies that are being read at the same time, in bytes announced or read. */
const maxHeld = 128 * 1024 * 1024
const slowMs = 30_000

/**
 * Serves `POST /api/webhook`, and nothing else, for Applications and ApplicationSets at once: an event that either of
 * them accepts is accepted.
 *
 * Source: argo-cd v3.5.1 util/webhook/webhook.go Handler, applicationset/webhook/webhook.go Handler
 */
export async function listenForWebhooks(listener: WebhookListener): Promise<WebhookServer> {
  const held = { bytes: 0 }
  const server = createServer((request, response) => {
    answerTo(request, listener, held).then(
      (answer) => send(request, response, answer),
      (error: unknown) => {
        listener.onRefused(String((error as Error)?.message ?? error))
        send(request, response, { status: 500, text: 'Internal Server Error' })
      },
    )
  })
  server.headersTimeout = slowMs
  server.requestTimeout = slowMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listener.port, listener.host, resolve)
  })
  const { address, port, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer | undefined,
): void {
  // what is left of a body is not worth reading
  if (!request.complete) response.setHeader('connection', 'close')
  if (answer === undefined) response.writeHead(200).end()
  else {
    response.writeHead(answer.status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    response.end(`${answer.text}\n`)
  }
}

/** Undefined: accepted. */
async function answerTo(
  request: IncomingMessage,
  { secrets, maxPayloadMb, onEvent, onRefused }: WebhookListener,
  held: { bytes: number },
): Promise<Answer | undefined> {
  const path = (request.url ?? '').replace(/\?.*$/, '')
  if (path !== '/api/webhook') return { status: 404, text: 'not found' }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0] : value,
    ]),
  )
  const provider = providerOf(headers)
  if (provider === undefined) return { status: 400, text: 'Unknown webhook event' }
  const refuse = (why: string, answer: Answer = { status: 400, text: failed }): Answer => {
    onRefused(`${provider}: ${why}`)
    return answer
  }
  if (request.method !== 'POST') return refuse('no POST', { status: 405, text: failed })
  const known = await secrets()
  const forged = (): Answer =>
    provider === 'ghcr'
      ? refuse('it is not signed as it should be', { status: 401, text: 'Unauthorized' })
      : refuse('it is not signed as it should be')
  if (isProvenByHeaders(provider) && !isGenuine(provider, headers, new Uint8Array(), known)) {
    return forged()
  }
  const most = maxPayloadMb()
  const body = await readBody(request, most * 1024 * 1024, held)
  if (body === 'busy') return refuse('too much at the same time', full)
  if (body === undefined || body.length === 0) {
    const text = `${failed}: payload must be valid JSON under ${most} MB`
    return refuse('no body, or one that is too large', { status: 400, text })
  }
  if (!isGenuine(provider, headers, body, known)) return forged()
  const json = readJson(body)
  if (json === undefined) return refuse('the body is no JSON')
  const event = readWebhookEvent(provider, headers, json)
  if (event instanceof WebhookRefused) return refuse(`nobody asked for ${event.message}`)
  onEvent(event)
  return undefined
}

function readJson(body: Buffer): Json | undefined {
  try {
    return parseJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Undefined for a body above the limit or one that breaks off. */
async function readBody(
  request: IncomingMessage,
  limit: number,
  held: { bytes: number },
): Promise<Buffer | 'busy' | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length
      held.bytes += part.length
      if (size > limit) return undefined
      if (held.bytes > maxHeld) return 'busy'
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch {
    return undefined // the sender has gone
  } finally {
    held.bytes -= size
  }
}
