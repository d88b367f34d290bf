import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { findBinary } from '../binaries.ts'

export interface ApiServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string
  /** PEM of what signed the server's certificate, which covers 127.0.0.1 and `kubernetes.default.svc`. */
  readonly ca: string
  /** Bearer token of a user in group `system:masters`. */
  readonly token: string
  readonly kubeconfigPath: string
  /** Ends the processes and removes their folder. Does nothing for a shared server, which ends with the test run. */
  stop(): Promise<void>
  /** Kills kube-apiserver and starts it again; resolves at once. Not for a shared server. */
  restart(): void
}

interface State {
  readonly url: string
  readonly ca: string
  readonly token: string
  readonly kubeconfigPath: string
}

const deadlineMs = 120_000 // ready after 5 s on an idle machine with 2 cores; test machines are not idle

function need(name: Parameters<typeof findBinary>[0]): string {
  const path = findBinary(name)
  if (path === undefined) throw new Error(`${name} not found; \`npm run testbin\` builds it`)
  return path
}

function supervise(dir: string, owner: number, controllers: boolean): number {
  const order = {
    dir,
    owner,
    etcd: need('etcd'),
    apiserver: need('kube-apiserver'),
    ...(controllers ? { controllerManager: need('kube-controller-manager') } : {}),
  }
  const script = fileURLToPath(new URL('./supervisor.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    stdio: 'ignore',
    detached: true,
    // The test runner's options (loaders, hooks) are not for this process.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  child.unref()
  return child.pid!
}

async function ready(dir: string): Promise<State> {
  const start = Date.now()
  for (;;) {
    const state = join(dir, 'state.json')
    if (existsSync(state)) return JSON.parse(readFileSync(state, 'utf8')) as State
    const failed = join(dir, 'failed')
    if (existsSync(failed)) throw new Error(`the API server: ${readFileSync(failed, 'utf8')}`)
    if (Date.now() - start > deadlineMs) throw new Error('the API server did not get ready')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * A real kube-apiserver on its own etcd, on free loopback ports, ready to answer. `controllers` adds the garbage
 * collector and the controllers of namespaces, workloads and Jobs. Ends with this process at the latest.
 *
 * Takes about 5 s and 500 MiB; tests that need no server of their own take {@link sharedApiServer}.
 */
export async function startApiServer(
  options: { readonly controllers?: boolean } = {},
): Promise<ApiServer> {
  for (let attempt = 1; ; attempt++) {
    const dir = mkdtempSync(join(tmpdir(), 'litecd-apiserver-'))
    const pid = supervise(dir, process.pid, options.controllers ?? false)
    try {
      const state = await ready(dir)
      return {
        ...state,
        restart() {
          process.kill(pid, 'SIGUSR2')
        },
        async stop() {
          if (alive(pid)) process.kill(pid, 'SIGTERM')
          while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
        },
      }
    } catch (error) {
      if (alive(pid)) process.kill(pid, 'SIGTERM')
      rmSync(dir, { recursive: true, force: true })
      // Between finding a free port and taking it, somebody else may have.
      if (attempt === 3 || !/address already in use/.test(String(error))) throw error
    }
  }
}

/**
 * One API server with controllers for a whole test run: the first caller starts it, callers in other workers find it,
 * and it ends with the runner. Use a namespace of your own in it.
 */
export async function sharedApiServer(): Promise<ApiServer> {
  // A worker thread shares the runner's process; a forked worker is its child.
  const owner = isMainThread && process.env['VITEST'] !== undefined ? process.ppid : process.pid
  const dir = join(tmpdir(), `litecd-apiserver-of-${owner}`)
  let first = true
  try {
    mkdirSync(dir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    first = false
  }
  if (first) supervise(dir, owner, true)
  return {
    ...(await ready(dir)),
    stop: async () => {},
    restart() {
      throw new Error('others use this server')
    },
  }
}
