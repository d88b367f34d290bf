import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ControllerProcess {
  readonly pid: number
  /** What it has written so far. */
  readonly log: () => string
  /** Sends the signal and waits for the end: the exit code, or the signal that ended it. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>
}

/** A controller in a process of its own. Settles when it watches. */
export async function startControllerProcess(
  folder: string,
  server: { readonly url: string; readonly token: string; readonly ca?: string },
  ...flags: readonly string[]
): Promise<ControllerProcess> {
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigOf(server))
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...['--conditions=litecd-source', main],
      ...['--kubeconfig', kubeconfig, '--repo-cache', join(folder, 'cache')],
      ...flags,
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      // The test runner's options (loaders, hooks) are not for this process.
      env: { PATH: process.env['PATH'], ARGOCD_SYNC_WAVE_DELAY: '0' },
    },
  )
  let text = ''
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? ''))
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('watching')) resolve()
    })
    void ended.then((end) => reject(new Error(`the controller ended with ${end}: ${text}`)))
  })
  return {
    pid: child.pid!,
    log: () => text,
    async kill(signal) {
      child.kill(signal)
      return await ended
    },
  }
}

function kubeconfigOf(server: {
  readonly url: string
  readonly token: string
  readonly ca?: string
}): string {
  const ca = server.ca === undefined ? undefined : Buffer.from(server.ca).toString('base64')
  const cluster = {
    server: server.url,
    ...(ca === undefined ? {} : { 'certificate-authority-data': ca }),
  }
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'here', cluster }],
    users: [{ name: 'me', user: { token: server.token } }],
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'me' } }],
  })
}
