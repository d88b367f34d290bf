import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type OperateInput,
  parseRecording,
  replaySync,
  type SyncComparison,
  type SyncRecording,
} from '@litecd/core/app'
import { type Application, defaultSettings } from '@litecd/core/argo'
import { type JsonObject, mergePatch } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryCluster } from '../../core/test/support/memory-cluster.ts'
import { createLogger } from './log/index.ts'
import { Recordings, recordingLimits } from './recordings.ts'
import { version } from './version.ts'

const source = { repoURL: 'https://git.example.com/shop.git', path: 'app' }
const hook: Manifest = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'migrate',
    namespace: 'app',
    annotations: { 'argocd.argoproj.io/hook': 'PreSync' },
  },
}
const comparison: SyncComparison = {
  revision: 'abc',
  comparedTo: { source },
  conditions: [],
  targets: [
    hook,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'app' } },
  ],
  live: [],
  facts: { kubeVersion: '', apiVersions: [], scopeOf: () => 'Namespaced' },
  permits: () => undefined,
  assess: () => ({ health: { status: 'Healthy' } }),
  modified: () => undefined,
}

let folder: string
let lines: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'litecd-recordings-'))
  lines = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Syncs to the end; the second start is a minute after the first. */
async function sync(recordings: Recordings, name: string, minute = 0): Promise<void> {
  const cluster = new MemoryCluster()
  let app: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: { project: 'default', source, destination: { namespace: 'app' } },
    operation: { sync: {} },
  }
  const project = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default' },
    spec: {},
  }
  let now = Date.parse('2026-01-02T03:04:05Z') + minute * 60_000
  for (let beat = 0; beat < 20 && app.operation !== undefined && app.operation !== null; beat++) {
    const input: OperateInput = {
      app,
      settings: defaultSettings,
      project,
      compare: async () => ({ ...comparison, live: cluster.live }),
      connect: async () => cluster.cluster(),
    }
    await recordings.beat(`argocd/${name}`, input, {
      clock: { now: () => (now += 10) },
      save: async ({ patch }) => {
        app = mergePatch(app as unknown as JsonObject, patch) as unknown as Application
      },
    })
  }
  expect(app.status?.operationState?.phase).toBe('Succeeded')
}

function read(name: string): SyncRecording {
  const parsed = parseRecording(readFileSync(join(folder, name), 'utf8'))
  if ('problem' in parsed) throw new Error(parsed.problem)
  return parsed.recording
}

const log = createLogger('warn', (line) => lines.push(line))

describe('Recordings', () => {
  it('writes a whole sync into one file that replays', async () => {
    await sync(new Recordings(folder, '1.2.3', log), 'shop')
    expect(readdirSync(folder)).toEqual(['argocd_shop_20260102T030405Z.json'])
    const recording = read('argocd_shop_20260102T030405Z.json')
    expect(recording).toMatchObject({ engine: '1.2.3', application: 'argocd/shop' })
    expect(recording.beats.length).toBeGreaterThan(1)
    expect((await replaySync(recording)).difference).toBeUndefined()
    expect(lines).toEqual([])
  })

  it('writes syncs of one Application into files of their own', async () => {
    const recordings = new Recordings(folder, '1.2.3', log)
    await sync(recordings, 'shop')
    await sync(recordings, 'shop')
    await sync(recordings, 'shop', 1)
    expect(readdirSync(folder).sort()).toEqual([
      'argocd_shop_20260102T030405Z-2.json',
      'argocd_shop_20260102T030405Z.json',
      'argocd_shop_20260102T030505Z.json',
    ])
    expect(read('argocd_shop_20260102T030505Z.json').beats[0]?.app.status).toEqual({})
  })

  it('takes no more beats once a file is too large, and says so', async () => {
    const limits = { ...recordingLimits, fileBytes: 100, everyMs: 0 }
    await sync(new Recordings(folder, '1.2.3', log, limits), 'shop')
    const recording = read('argocd_shop_20260102T030405Z.json')
    expect(recording.truncated).toBe(true)
    expect(recording.beats).toHaveLength(1)
    expect((await replaySync(recording)).difference).toBeUndefined()
  })

  it('keeps the newest files and leaves those of others alone', async () => {
    writeFileSync(join(folder, 'notes.json'), '{}')
    const recordings = new Recordings(folder, '1.2.3', log, { ...recordingLimits, files: 2 })
    for (const minute of [0, 1, 2, 3]) {
      await sync(recordings, 'shop', minute)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(readdirSync(folder).sort()).toEqual([
      'argocd_shop_20260102T030605Z.json',
      'argocd_shop_20260102T030705Z.json',
      'notes.json',
    ])
  })

  it('lets a sync go on when nothing can be written', async () => {
    const recordings = new Recordings(join(folder, 'gone'), '1.2.3', log)
    rmSync(join(folder, 'gone'), { recursive: true })
    await sync(recordings, 'shop')
    expect(lines.join()).toContain('sync not recorded')
  })

  it('names the version of the package', () => {
    const path = new URL('../package.json', import.meta.url)
    const { version: wanted } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    expect(version).toBe(wanted)
  })
})
