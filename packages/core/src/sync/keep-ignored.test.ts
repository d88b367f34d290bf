import { describe, expect, it } from 'vitest'
import { deletePath, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { keepIgnored } from './keep-ignored.ts'

function keep(target: JsonObject, live: JsonObject, ...ignored: readonly string[][]): JsonObject {
  const normalize = (manifest: JsonObject): Manifest =>
    ignored.reduce<JsonObject>((left, path) => deletePath(left, ...path), manifest) as Manifest
  const pair = (manifest: JsonObject): { manifest: Manifest; normalized: Manifest } => ({
    manifest: manifest as Manifest,
    normalized: normalize(manifest),
  })
  return keepIgnored(pair(target), pair(live))
}

const deployment = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec,
  ...more,
})

describe('keepIgnored', () => {
  it('takes the live value of an ignored field', () => {
    const target = deployment({ replicas: 1, paused: false })
    const live = deployment({ replicas: 5, paused: true })
    expect(keep(target, live, ['spec', 'replicas'])).toEqual(
      deployment({ replicas: 5, paused: false }),
    )
  })

  it('takes one that the target does not have', () => {
    const live = deployment({ replicas: 5 })
    expect(keep(deployment({}), live, ['spec', 'replicas'])).toEqual(deployment({ replicas: 5 }))
  })

  it('leaves out one that the live object does not have', () => {
    const target = deployment({ replicas: 1, paused: true })
    expect(keep(target, deployment({}), ['spec', 'replicas'])).toEqual(deployment({ paused: true }))
  })

  it('takes over nothing that is not ignored', () => {
    const live = deployment({ replicas: 5, minReadySeconds: 3 }, { status: { replicas: 5 } })
    expect(keep(deployment({ replicas: 1 }), live)).toEqual(deployment({ replicas: 1 }))
  })

  it('never takes the status', () => {
    const live = deployment({ replicas: 1 }, { status: { replicas: 5 } })
    expect(keep(deployment({ replicas: 1 }), live, ['status'])).toEqual(deployment({ replicas: 1 }))
  })

  it('merges fields of other kinds as JSON', () => {
    const thing = (spec: JsonObject): JsonObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec,
    })
    const target = thing({ size: 1, colour: 'red' })
    const live = thing({ size: 7, colour: 'blue', grown: true })
    expect(keep(target, live, ['spec', 'size'])).toEqual(thing({ size: 7, colour: 'red' }))
  })

  it('repairs what is replaced as a whole', () => {
    const budget = (spec: JsonObject): JsonObject => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec,
    })
    const target = budget({ selector: { matchLabels: { app: 'web', tier: 'a' } } })
    const live = budget({ selector: { matchLabels: { app: 'old', tier: 'b', extra: 'x' } } })
    // `selector` has the patch strategy `replace`
    expect(keep(target, live, ['spec', 'selector', 'matchLabels', 'tier'])).toEqual(
      budget({ selector: { matchLabels: { app: 'web', tier: 'b' } } }),
    )
  })

  it('changes nothing of an object that is ignored as a whole', () => {
    const target = deployment({ replicas: 1 }) as Manifest
    const live = deployment({ replicas: 5 }) as Manifest
    const ignored = { manifest: target, normalized: undefined }
    expect(keepIgnored(ignored, { manifest: live, normalized: undefined })).toBe(target)
  })
})
