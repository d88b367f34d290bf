import { spawn, spawnSync } from 'node:child_process'

export interface RunOptions {
  readonly cwd?: string
  /** The whole environment; nothing is inherited beside it. */
  readonly env: NodeJS.ProcessEnv
  readonly input?: string | Uint8Array
  /** The program gets SIGTERM after this time, SIGKILL two seconds later. 90 s unless told. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** More output than this ends the program. 64 MiB unless told. */
  readonly maxOutputBytes?: number
}

export interface RunResult {
  /** Exit status; undefined when a signal ended the program. */
  readonly status: number | undefined
  readonly stdout: Buffer
  readonly stderr: string
  /** Why the program was ended before its time; undefined when it ended by itself. */
  readonly ended: 'timeout' | 'aborted' | 'output' | undefined
}

const defaultTimeoutMs = 90_000 // ARGOCD_EXEC_TIMEOUT
const defaultMaxOutput = 64 * 1024 * 1024
const killAfterMs = 2_000

/**
 * Runs a program without a shell and waits for its end. Standard error keeps its first and last 32 KiB.
 *
 * Rejects only when the program cannot be started.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const maxOutput = options.maxOutputBytes ?? defaultMaxOutput
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted === true) {
      resolve({ status: undefined, stdout: Buffer.alloc(0), stderr: '', ended: 'aborted' })
      return
    }
    const child = spawn(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let ended: RunResult['ended']
    let kill: NodeJS.Timeout | undefined
    const end = (reason: RunResult['ended']): void => {
      if (ended !== undefined) return
      ended = reason
      child.kill('SIGTERM')
      kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    const timeout = setTimeout(() => end('timeout'), options.timeoutMs ?? defaultTimeoutMs)
    const abort = (): void => end('aborted')
    options.signal?.addEventListener('abort', abort)
    const cleanUp = (): void => {
      clearTimeout(timeout)
      clearTimeout(kill)
      options.signal?.removeEventListener('abort', abort)
    }
    const stdout: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxOutput) end('output')
      else stdout.push(chunk)
    })
    const stderr = new Excerpt()
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    child.stdin.on('error', () => {}) // the program may end before it has read everything: its status tells
    child.on('error', (error) => {
      cleanUp()
      reject(error)
    })
    child.on('close', (status) => {
      cleanUp()
      const bytes = Buffer.concat(stdout)
      resolve({ status: status ?? undefined, stdout: bytes, stderr: stderr.text(), ended })
    })
    child.stdin.end(options.input ?? '')
  })
}

/** {@link runProgram} without waiting for the event loop: only for what lies behind a synchronous interface. */
export function runProgramSync(
  program: string,
  args: readonly string[],
  options: Omit<RunOptions, 'signal'>,
): RunResult {
  const result = spawnSync(program, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env,
    input: options.input ?? '',
    timeout: options.timeoutMs ?? defaultTimeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: options.maxOutputBytes ?? defaultMaxOutput,
    windowsHide: true,
  })
  const code = (result.error as NodeJS.ErrnoException | undefined)?.code
  if (
    result.error !== undefined &&
    code !== 'ETIMEDOUT' &&
    code !== 'ENOBUFS' &&
    code !== 'EPIPE'
  ) {
    throw result.error
  }
  const stderr = new Excerpt()
  stderr.add(result.stderr)
  return {
    status: result.status ?? undefined,
    stdout: result.stdout,
    stderr: stderr.text(),
    ended: code === 'ETIMEDOUT' ? 'timeout' : code === 'ENOBUFS' ? 'output' : undefined,
  }
}

const excerptBytes = 32 * 1024

/** The beginning and the end of a text that may be endless. */
class Excerpt {
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)
  #dropped = false

  add(chunk: Buffer): void {
    const room = excerptBytes - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    if (chunk.length <= room) return
    const tail = Buffer.concat([this.#tail, chunk.subarray(Math.max(0, room))])
    this.#dropped ||= tail.length > excerptBytes
    this.#tail = tail.subarray(-excerptBytes)
  }

  text(): string {
    return (
      this.#head.toString('utf8') + (this.#dropped ? '\n…\n' : '') + this.#tail.toString('utf8')
    )
  }
}
