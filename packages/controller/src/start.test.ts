import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parseOptions } from './options/index.ts'
import { startController } from './start.ts'

it('lets go of everything when it cannot start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'litecd-start-'))
  let calls = 0
  const deaf = createServer((socket) => {
    calls++
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    deaf.listen(0, '127.0.0.1', resolve)
  })
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    const { port } = deaf.address() as AddressInfo
    writeFileSync(
      kubeconfig,
      `apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}"}}]
users: [{name: u, user: {}}]
`,
    )
    const options = parseOptions(
      ['--kubeconfig', kubeconfig, '--repo-cache', join(folder, 'cache'), '--port', '0'],
      {},
    )
    await expect(startController(options, () => {})).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
    })
    expect(calls).toBeGreaterThan(0)
    await sleep(500) // what was on its way
    const before = calls
    await sleep(2_500)
    expect(calls).toBe(before)
  } finally {
    deaf.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 20_000)
