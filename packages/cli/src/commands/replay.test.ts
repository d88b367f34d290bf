import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SyncRecording } from '@litecd/core/app'
import { afterAll, describe, expect, it } from 'vitest'
import { main } from '../main.ts'

const folder = mkdtempSync(join(tmpdir(), 'litecd-replay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = { repoURL: 'https://git.example.com/shop.git', path: 'app' }
const operation = { sync: {}, initiatedBy: { username: 'admin' }, retry: {} }
const row = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  namespace: 'app',
  name: 'conf',
  syncPhase: 'Sync',
  status: 'Synced',
  hookPhase: 'Running',
  message: 'configmap/conf created',
} as const
const startedAt = '2026-01-02T03:04:05Z'
const began = { operation, phase: 'Running', startedAt } as const
const syncResult = { revision: 'abc', source, resources: [row] }
const message = 'successfully synced (all tasks run)'
const entry = {
  id: 0,
  deployedAt: startedAt,
  deployStartedAt: startedAt,
  initiatedBy: { username: 'admin' },
  source,
  revision: 'abc',
}

/** One sync of one ConfigMap. */
const recording: SyncRecording = {
  format: 'litecd.dev/sync-recording',
  version: 1,
  engine: '1.2.3',
  application: 'argocd/shop',
  settings: {
    controllerNamespace: 'argocd',
    trackingMethod: 'annotation',
    labelKey: 'app.kubernetes.io/instance',
    installationId: '',
    syncTimeoutMs: 0,
    syncWaveDelayMs: 2_000,
  },
  objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf', namespace: 'app' } }],
  clusters: [{ kubeVersion: 'v1.36.1', apiVersions: [], scopes: { '/ConfigMap': 'Namespaced' } }],
  beats: [
    {
      app: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'shop', namespace: 'argocd' },
        spec: { project: 'default', source, destination: { namespace: 'app' } },
        status: {},
        operation,
      },
      project: { syncWindows: [] },
      times: [Date.parse(startedAt)],
      comparison: {
        revision: 'abc',
        comparedTo: { source },
        conditions: [],
        targets: [0],
        live: [],
        cluster: 0,
        forbidden: {},
        health: {},
        modified: {},
      },
      steps: [
        { do: 'store', patch: { status: { operationState: began } } },
        {
          do: 'call',
          calls: ['dryRun   Sync/0 resource ConfigMap app/conf'],
          outcomes: [{ message: 'configmap/conf created (dry run)' }],
        },
        {
          do: 'call',
          calls: ['apply    Sync/0 resource ConfigMap app/conf'],
          outcomes: [{ message: 'configmap/conf created' }],
        },
        {
          do: 'store',
          patch: {
            status: {
              operationState: { phase: 'Succeeded', message, syncResult, finishedAt: startedAt },
              history: [entry],
            },
            operation: null,
          },
        },
      ],
      result: {
        state: { ...began, phase: 'Succeeded', message, syncResult, finishedAt: startedAt },
        events: [
          {
            type: 'Normal',
            reason: 'OperationCompleted',
            message: 'Sync operation to abc succeeded',
          },
        ],
        pauseMs: 0,
        refreshLevel: 3,
      },
    },
  ],
}

async function run(
  content: string,
  ...flags: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  writeFileSync(join(folder, 'sync.json'), content)
  let stdout = ''
  let stderr = ''
  const code = await main(['replay', 'sync.json', ...flags], {
    cwd: folder,
    env: {},
    stdoutIsTerminal: false,
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
  })
  return { code, stdout, stderr }
}

describe('litecd replay', () => {
  it('shows every step and says that the end is the recorded one', async () => {
    const { code, stdout, stderr } = await run(JSON.stringify(recording))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('argocd/shop: a sync recorded by litecd 1.2.3')
    expect(stdout).toContain('beat 1 at 2026-01-02T03:04:05.000Z')
    expect(stdout).toContain('  apply    Sync/0 resource ConfigMap app/conf\n')
    expect(stdout).toContain('  Succeeded: successfully synced (all tasks run)\n')
    expect(stdout.endsWith('\nThe sync goes and ends as it was recorded.\n')).toBe(true)
  })

  it('shows the first step that is another one and ends with 1', async () => {
    const text = JSON.stringify(recording).replace('apply    Sync/0', 'apply    Sync/7')
    const { code, stdout } = await run(text)
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(-6, -1)).toEqual([
      'The sync leaves the recording in beat 1: step 3 is another one.',
      'recorded:',
      '  apply    Sync/7 resource ConfigMap app/conf',
      'now:',
      '  apply    Sync/0 resource ConfigMap app/conf',
    ])
  })

  it('prints JSON', async () => {
    const { code, stdout } = await run(JSON.stringify(recording), '-o', 'json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      application: 'argocd/shop',
      same: true,
      beats: [{ number: 1, result: { state: { phase: 'Succeeded' } } }],
    })
  })

  it('refuses what is no recording', async () => {
    const { code, stderr } = await run('{"format": "another"}')
    expect(code).toBe(3)
    expect(stderr).toContain('its format is not litecd.dev/sync-recording')
  })

  it('says which file is missing', async () => {
    const io = { cwd: folder, env: {}, stdoutIsTerminal: false, stdout: () => undefined }
    let stderr = ''
    const code = await main(['replay', 'nowhere.json'], {
      ...io,
      stderr: (text) => {
        stderr += text
      },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('nowhere.json')
  })
})
