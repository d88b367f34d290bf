import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OperationHost } from '../../../test/support/operation-host.ts'
import { objectOfThing, things } from '../../../test/support/random-sync.ts'
import { defaultSettings } from '../../argo/index.ts'
import type { Manifest } from '../../kube/index.ts'
import { encodeBase64, quoteGo, textToBytes } from '../../text/index.ts'
import { parseRecording, replaySync, SyncRecorder, type SyncRecording } from './index.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** A whole sync of an Application in memory, recorded. */
async function record(
  targets: readonly Manifest[],
  live: readonly Manifest[],
  refusal?: string,
): Promise<SyncRecording> {
  const host = new OperationHost({
    operation: {
      sync: { prune: true, manifests: ['secret: hidden-manifest'] },
      info: [{ name: 'why', value: 'hidden-info' }],
      retry: { limit: 1, backoff: { duration: '1s' } },
    },
    targets,
    live,
    assess: () => ({ health: { status: 'Healthy' } }),
  })
  const source = {
    ...host.app.spec.source!,
    repoURL: 'https://me:hidden-password@git.example.com/a',
  }
  const helm = { parameters: [{ name: 'password', value: 'hidden-parameter' }] }
  host.app = { ...host.app, spec: { ...host.app.spec, source: { ...source, helm } } }
  if (refusal !== undefined) host.memory.refuses = () => refusal
  const recorder = new SyncRecorder(host.app, defaultSettings, 'test')
  host.wrap = (input, ports, run) => {
    const beat = recorder.begin(input, ports)
    return run(beat.input, beat.ports).then((result) => {
      beat.end(result)
      return result
    })
  }
  for (let beat = 0; beat < 100 && !host.idle; beat++) {
    const { requeueAfterMs = 0 } = await host.beat()
    host.now += requeueAfterMs
  }
  expect(host.idle).toBe(true)
  return JSON.parse(JSON.stringify(recorder.recording())) as SyncRecording
}

function secret(values: readonly string[], form: 'data' | 'stringData'): Manifest {
  const entries = values.map((value, i) => [
    `key-${i}`,
    form === 'data' ? encodeBase64(textToBytes(value)) : value,
  ])
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db', namespace: 'app' },
    [form]: Object.fromEntries(entries) as { [key: string]: string },
  }
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { [lastApplied]: JSON.stringify(object) } },
  }
}

describe('a recording', () => {
  it('replays to the same end', async () => {
    await fc.assert(
      fc.asyncProperty(things, async (list) => {
        const objects = list.map((thing, i) => ({ thing, manifest: objectOfThing(thing, i) }))
        const recording = await record(
          objects.filter(({ thing }) => thing.role !== 'prune').map(({ manifest }) => manifest),
          objects.filter(({ thing }) => thing.role === 'prune').map(({ manifest }) => manifest),
        )
        const replay = await replaySync(recording)
        expect(replay.difference).toBeUndefined()
        expect(replay.beats).toHaveLength(recording.beats.length)
        const parsed = parseRecording(JSON.stringify(recording))
        expect(parsed).toEqual({ recording })
      }),
      { numRuns: 100, seed: 20260103 },
    )
  })

  it('shows the first step that is another one', async () => {
    const recording = await record([secret(['value'], 'data')], [])
    const [beat] = recording.beats
    const at = beat!.steps.findIndex((step) => step.do === 'call')
    const steps = beat!.steps.map((step, i) =>
      i === at && step.do === 'call' ? { ...step, calls: ['dryRun   Sync/0 resource A b'] } : step,
    )
    const changed = { ...recording, beats: [{ ...beat!, steps }] }
    expect((await replaySync(changed)).difference).toEqual({
      beat: 1,
      step: at + 1,
      recorded: ['dryRun   Sync/0 resource A b'],
      replayed: ['dryRun   Sync/0 resource Secret app/db'],
    })
  })

  it('shows another result', async () => {
    const recording = await record([secret(['value'], 'data')], [])
    const [beat] = recording.beats
    const changed = { ...recording, beats: [{ ...beat!, result: { events: [], pauseMs: 7 } }] }
    const { difference } = await replaySync(changed as unknown as SyncRecording)
    expect(difference).toMatchObject({
      beat: 1,
      recorded: expect.arrayContaining(['  "pauseMs": 7']) as string[],
    })
  })

  it('keeps nothing of sources, local manifests and notes but their places', async () => {
    const text = JSON.stringify(await record([secret(['value'], 'data')], []))
    expect(text).toContain('git.example.com')
    expect(text).not.toContain('hidden')
  })

  it('holds no value of a Secret in any form', async () => {
    // words of the recording itself are no secrets
    const value = fc
      .string({ minLength: 4, maxLength: 60, unit: 'grapheme' })
      .map((text) => `\u00a7${text}`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('data' as const, 'stringData' as const),
        fc.boolean(),
        async (values, form, isLive) => {
          const forms = values.flatMap((text) => [
            text,
            encodeBase64(textToBytes(text)),
            JSON.stringify(text),
            quoteGo(text),
            encodeURIComponent(text),
          ])
          const object = secret(values, form)
          const refusal = `Secret "db" is invalid: data: Invalid value: ${forms.join(' and ')}`
          const recording = await record([object], isLive ? [object] : [], refusal)
          const text = JSON.stringify(recording)
          expect(text).toContain('Secret \\"db\\" is invalid')
          const leaves = stringsOf(recording)
          for (const form of forms) {
            expect(leaves.filter((leaf) => leaf.includes(form))).toEqual([])
          }
          expect((await replaySync(recording)).difference).toBeUndefined()
        },
      ),
      { numRuns: 200, seed: 20260104 },
    )
  })
})

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)])
}

describe('parseRecording', () => {
  const head = { format: 'litecd.dev/sync-recording', version: 1, engine: '1', application: 'a/b' }
  it.each([
    ['no JSON', '{', 'JSON'],
    ['another format', '{}', 'format'],
    ['a later version', JSON.stringify({ ...head, version: 2 }), 'version 2'],
    ['a missing part', JSON.stringify(head), 'settings is no object'],
  ])('refuses %s', (_name, text, problem) => {
    expect(parseRecording(text)).toMatchObject({
      problem: expect.stringContaining(problem) as string,
    })
  })

  it('refuses what refers to nothing', async () => {
    const recording = await record([secret(['value'], 'data')], [])
    const text = JSON.stringify({ ...recording, objects: [] })
    expect(parseRecording(text)).toMatchObject({
      problem: expect.stringContaining('refers to something that is not there') as string,
    })
  })
})
