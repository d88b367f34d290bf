// A git server over HTTP: `git http-backend` behind node:http, with switches for what servers do.
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export interface GitServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Requests since the last call, as `METHOD /path`. */
  requests(): Promise<readonly string[]>
  /** Changes what the server does from now on; what is not named goes back to normal. */
  behave(behaviour: Behaviour): Promise<void>
  close(): void
}

export interface Behaviour {
  /** `user:password` or a bearer token that every request must show. */
  readonly basic?: string
  readonly bearer?: string
  /** Answers with protocol 0 even where version 2 is asked for. */
  readonly version0?: boolean
  /** Answers every request with this status. */
  readonly status?: number
  readonly delayMs?: number
}

/**
 * Serves every repository below `root`, from a thread of its own: tests also read what is fetched while this thread
 * stands still. Paths below `/moved/` are redirected to the same path without it.
 */
export async function startGitServer(root: string): Promise<GitServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { root } })
  const next = (): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve))
  const port = (await next()) as number
  const ask = async (message: object): Promise<unknown> => {
    const answer = next()
    worker.postMessage(message)
    return answer
  }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: async () => (await ask({ requests: true })) as readonly string[],
    behave: async (behaviour) => void (await ask({ behaviour })),
    close: () => void worker.terminate(),
  }
}

function serve(root: string): void {
  let requests: string[] = []
  let behaviour: Behaviour = {}
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    setTimeout(() => answer(root, behaviour, request, response), behaviour.delayMs ?? 0)
  })
  server.listen(0, '127.0.0.1', () =>
    parentPort!.postMessage((server.address() as AddressInfo).port),
  )
  parentPort!.on('message', (message: { readonly behaviour?: Behaviour }) => {
    if (message.behaviour !== undefined) {
      behaviour = message.behaviour
      parentPort!.postMessage('done')
      return
    }
    parentPort!.postMessage(requests)
    requests = []
  })
}

if (!isMainThread && (workerData as { readonly root?: string } | undefined)?.root !== undefined) {
  serve((workerData as { readonly root: string }).root)
}

function answer(
  root: string,
  behaviour: Behaviour,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://x')
  if (url.pathname.startsWith('/moved/')) {
    response.writeHead(301, { location: (request.url ?? '').replace('/moved/', '/') }).end()
    return
  }
  if (behaviour.status !== undefined) {
    response.writeHead(behaviour.status).end()
    return
  }
  const wanted =
    behaviour.bearer !== undefined
      ? `Bearer ${behaviour.bearer}`
      : behaviour.basic === undefined
        ? undefined
        : `Basic ${Buffer.from(behaviour.basic).toString('base64')}`
  if (wanted !== undefined && request.headers.authorization !== wanted) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('who are you?')
    return
  }
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(behaviour.version0 === true
        ? {}
        : { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
    },
  })
  request.pipe(backend.stdin)
  backend.stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  let begun = false
  backend.stdout.on('data', (chunk: Buffer) => {
    if (begun) {
      response.write(chunk)
      return
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    begun = true
    let status = 200
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name, value] = line.split(/: (.*)/s) as [string, string]
      if (name.toLowerCase() === 'status') status = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.writeHead(status)
    response.write(head.subarray(end + 4))
  })
  backend.on('close', () => response.end())
}
