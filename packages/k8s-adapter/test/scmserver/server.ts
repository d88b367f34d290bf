import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answered, type Asked, notFound } from './answers.ts'
import { answerAws } from './aws.ts'
import { answerAzure } from './azure.ts'
import { answerBitbucketCloud, answerBitbucketServer } from './bitbucket.ts'
import { answerGitea } from './gitea.ts'
import { answerGithub } from './github.ts'
import { answerGitlab } from './gitlab.ts'

export interface Fault extends Answered {
  /** Of the path after the provider's part. */
  readonly path: RegExp
  /** How many times; always unless told. */
  times?: number
  /** The message is what the client said about itself. */
  readonly echo?: boolean
  /** No answer at all. */
  readonly hang?: boolean
}

const providers: { readonly [name: string]: (asked: Asked) => Answered } = {
  github: answerGithub,
  gitlab: answerGitlab,
  gitea: answerGitea,
  bitbucketServer: answerBitbucketServer,
  bitbucket: answerBitbucketCloud,
  azureDevOps: answerAzure,
  azuredevops: answerAzure, // Microsoft's client makes URLs small
  awsCodeCommit: answerAws,
}

export interface ScmServer {
  readonly url: string
  /** What was asked, in order: `GET /path?query`. */
  readonly asked: string[]
  readonly headers: IncomingMessage['headers'][]
  readonly bodies: string[]
  pageSize: number
  /** Whether answers carry ETags. */
  etags: boolean
  faults: Fault[]
  /** Forgets what was asked and every fault. */
  clear(): void
  close(): void
}

/** Speaks every provider's API on loopback, each below a path of its name. */
export async function startScmServer(): Promise<ScmServer> {
  const state: ScmServer = {
    url: '',
    asked: [],
    headers: [],
    bodies: [],
    pageSize: 100,
    etags: false,
    faults: [],
    clear() {
      state.asked.length = 0
      state.headers.length = 0
      state.bodies.length = 0
      state.faults = []
      state.pageSize = 100
      state.etags = false
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => respond(request, response, Buffer.concat(chunks).toString(), state))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, { url })
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  state: ScmServer,
): void {
  const url = new URL(request.url ?? '/', state.url)
  const [, provider = '', rest = '/'] = /^\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
  state.asked.push(`${request.method} ${request.url}`)
  state.headers.push(request.headers)
  state.bodies.push(body)
  const fault = state.faults.find(
    ({ path, times }) => path.test(request.url ?? '') && (times ?? 1) > 0,
  )
  if (fault?.hang === true) return
  if (fault?.times !== undefined) fault.times -= 1
  const answer =
    fault ??
    providers[provider]?.({
      method: request.method ?? 'GET',
      path: rest,
      query: url.searchParams,
      headers: request.headers as Asked['headers'],
      body,
      base: `${state.url}/${provider}`,
      pageSize: state.pageSize,
    }) ??
    notFound
  const text =
    fault?.echo === true
      ? JSON.stringify({
          message: `no ${request.headers.authorization ?? request.headers['private-token']}`,
        })
      : answer.body === undefined
        ? ''
        : typeof answer.body === 'string'
          ? answer.body
          : JSON.stringify(answer.body)
  const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
  const status = answer.status ?? 200
  if (state.etags && status === 200 && request.method === 'GET') {
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end()
      return
    }
  }
  response.setHeader('content-type', 'application/json')
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  response.writeHead(status).end(request.method === 'HEAD' ? '' : text)
}
