import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { Served } from './charts.ts'

/**
 * Serves git repositories (smart HTTP, by the git program) under `/git/NAME` and plain files under `/charts/NAME`,
 * on loopback.
 */
export class WebServer {
  readonly #gitDir: string
  readonly #files = new Map<string, Served>()
  readonly #server: Server

  constructor(gitDir: string) {
    this.#gitDir = gitDir
    this.#server = createServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', resolve)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  serve(name: string, files: Served): void {
    this.#files.set(name, files)
  }

  forget(name: string): void {
    this.#files.delete(name)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const git = /^\/git\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack)$/.exec(url.pathname)
    if (git !== null) {
      const dir = join(this.#gitDir, git[1]!)
      if (existsSync(dir)) {
        uploadPack(dir, git[2]!, url, request, response)
        return
      }
    }
    const file = /^\/charts\/([^/]+)\/+(.*)$/.exec(url.pathname)
    const bytes =
      file === null ? undefined : this.#files.get(file[1]!)?.get(decodeURIComponent(file[2]!))
    response.statusCode = bytes === undefined ? 404 : 200
    // The recorder's server said so, and messages quote it.
    if (bytes === undefined) response.statusMessage = 'File not found'
    else {
      const isText = bytes[0] !== 0x1f
      response.setHeader('content-type', isText ? 'application/json' : 'application/gzip')
    }
    response.end(bytes)
  }
}

function uploadPack(
  dir: string,
  what: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const advertise = what === 'info/refs'
  if (advertise && url.searchParams.get('service') !== 'git-upload-pack') {
    response.statusCode = 403 // the dumb protocol, and pushing
    response.end()
    return
  }
  const protocol = request.headers['git-protocol']
  const version2 = typeof protocol === 'string' && protocol.includes('version=2')
  const args = ['upload-pack', '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), dir]
  const child = spawn('git', args, {
    env: { ...process.env, ...(typeof protocol === 'string' ? { GIT_PROTOCOL: protocol } : {}) },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const kind = advertise ? 'advertisement' : 'result'
  response.setHeader('content-type', `application/x-git-upload-pack-${kind}`)
  response.setHeader('cache-control', 'no-cache')
  if (advertise && !version2) response.write('001e# service=git-upload-pack\n0000')
  child.once('error', () => response.destroy())
  child.stdin.on('error', () => {}) // the client went away; the response ends with the process
  const body =
    request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  body.pipe(child.stdin)
  child.stdout.pipe(response)
}
