import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { argoNamespace } from './store.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** How the recordings were set, as far as flags and environment tell it. */
const environment = {
  ARGOCD_SYNC_WAVE_DELAY: '1',
  ARGOCD_GIT_ATTEMPTS_COUNT: '1',
  ARGOCD_GPG_ENABLED: 'false',
  ARGOCD_RECONCILIATION_TIMEOUT: '3600s',
  ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_TIMEOUT_SECONDS: '1',
  ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS: 'true',
}

/** The controller under test, as a process of its own. */
export class Controller {
  readonly #kubeconfig: string
  readonly #dir: string
  readonly #port: number | undefined
  readonly #command: readonly string[]
  readonly #log: WriteStream
  readonly logPath: string
  #child: ChildProcess | undefined
  #ending = false
  /** Told once when the process ends by itself. */
  onCrash: (words: string) => void = () => {}

  /**
   * `command` is what starts it, without the flags; undefined: this repository's controller, unbuilt. With a port it
   * tells there what it compares.
   */
  constructor(
    kubeconfig: string,
    dir: string,
    command: readonly string[] | undefined,
    log?: string,
    port?: number,
  ) {
    this.#kubeconfig = kubeconfig
    this.#dir = dir
    this.#port = port
    mkdirSync(join(dir, 'repo-cache'), { recursive: true })
    const main = join(repository, 'packages/controller/src/main.ts')
    this.#command = command ?? [process.execPath, '--conditions=litecd-source', main]
    this.logPath = log ?? join(dir, 'controller.log')
    this.#log = createWriteStream(this.logPath)
  }

  /** Folders that its messages may name. */
  get workFolders(): readonly string[] {
    return [join(this.#dir, 'repo-cache'), this.#dir]
  }

  start(): void {
    this.#ending = false
    const [program, ...args] = this.#command
    const child = spawn(
      program!,
      [
        ...args,
        ...['--kubeconfig', this.#kubeconfig, '--namespace', argoNamespace],
        ...['--repo-cache', join(this.#dir, 'repo-cache')],
        ...['--self-heal-timeout-seconds', '1', '--app-resync', '3600'],
        ...(this.#port === undefined ? [] : ['--port', `${this.#port}`, '--managed-resources']),
      ],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    this.#child = child
    child.stdout.pipe(this.#log, { end: false })
    child.stderr.pipe(this.#log, { end: false })
    const ended = (how: string): void => {
      if (this.#ending || this.#child !== child) return
      this.#child = undefined
      this.onCrash(`${how}\n${readFileSync(this.logPath, 'utf8').slice(-3000)}`)
    }
    child.once('error', (error) => ended(error.message))
    child.once('exit', (code, signal) => ended(`the controller ended (${signal ?? code})`))
  }

  /** At once, without a chance to finish anything. */
  kill(): void {
    this.#ending = true
    this.#child?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    this.#ending = true
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(hard)
  }

  async restart(): Promise<void> {
    await this.stop()
    this.start()
  }
}
