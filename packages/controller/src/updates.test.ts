import { defaultSettings, parseSettings, type Settings } from '@litecd/core/argo'
import type { JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { describe, expect, it } from 'vitest'
import { UpdateFilter } from './updates.ts'

const tracked = { 'argocd.argoproj.io/tracking-id': 'web:apps/Deployment:web/web' }

function deployment(rest: JsonObject, metadata: JsonObject = {}): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'web', generation: 1, annotations: tracked, ...metadata },
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    ...rest,
  }
}
const before = deployment({})
const busy = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 0 }
const more = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1, x: 1 }

function settings(argocdCm: { readonly [key: string]: string }): Settings {
  return parseSettings({ argocdCm }).settings
}

describe('UpdateFilter', () => {
  it.each<[string, Manifest, Settings, boolean]>([
    ['another version', deployment({}, { resourceVersion: '7' }), defaultSettings, false],
    ['another owner of fields', deployment({}, { managedFields: [{}] }), defaultSettings, false],
    ['a status as healthy', deployment({ status: more }), defaultSettings, false],
    ['a status less healthy', deployment({ status: busy }), defaultSettings, true],
    ['a spec', deployment({ spec: { replicas: 2 } }), defaultSettings, true],
    ['a label', deployment({}, { labels: { a: 'b' } }), defaultSettings, true],
    [
      'a label that is ignored',
      deployment({}, { labels: { a: 'b' } }),
      settings({
        'resource.customizations.ignoreResourceUpdates.apps_Deployment':
          'jsonPointers: [/metadata/labels]',
      }),
      false,
    ],
    [
      'a field that comparisons ignore',
      deployment({ spec: { replicas: 1, paused: false } }),
      settings({
        'resource.customizations.ignoreDifferences.apps_Deployment':
          'jqPathExpressions: [.spec.paused]',
      }),
      false,
    ],
    [
      'the same, kept apart',
      deployment({ spec: { replicas: 1, paused: false } }),
      settings({
        'resource.customizations.ignoreDifferences.apps_Deployment':
          'jqPathExpressions: [.spec.paused]',
        'resource.compareoptions': 'ignoreDifferencesOnResourceUpdates: false',
      }),
      true,
    ],
    [
      'anything, when switched off',
      deployment({}, { resourceVersion: '7' }),
      settings({ 'resource.ignoreResourceUpdatesEnabled': 'false' }),
      true,
    ],
    [
      'anything, when an expression is wrong',
      deployment({}, { resourceVersion: '7' }),
      settings({
        'resource.customizations.ignoreResourceUpdates.all': 'jqPathExpressions: ["(("]',
      }),
      true,
    ],
  ])('%s', (_, now, given, expected) => {
    expect(new UpdateFilter().counts({ before, now }, given)).toBe(expected)
  })

  it('lets what came or went count, and what nobody tracks', () => {
    const filter = new UpdateFilter()
    expect(filter.counts({ before: undefined, now: before }, defaultSettings)).toBe(true)
    expect(filter.counts({ before, now: undefined }, defaultSettings)).toBe(true)
    const bare = deployment({}, { annotations: {} })
    expect(filter.counts({ before: bare, now: bare }, defaultSettings)).toBe(true)
    const marked = deployment(
      {},
      { annotations: { 'argocd.argoproj.io/ignore-resource-updates': 'true' } },
    )
    expect(filter.counts({ before: marked, now: marked }, defaultSettings)).toBe(false)
  })

  it('follows the settings', () => {
    const filter = new UpdateFilter()
    const now = deployment({}, { labels: { a: 'b' } })
    const quiet = settings({
      'resource.customizations.ignoreResourceUpdates.all': 'jsonPointers: [/metadata/labels]',
    })
    expect(filter.counts({ before, now }, defaultSettings)).toBe(true)
    expect(filter.counts({ before, now }, quiet)).toBe(false)
    expect(filter.counts({ before, now }, defaultSettings)).toBe(true)
  })
})
