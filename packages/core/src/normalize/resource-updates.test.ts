import { describe, expect, it } from 'vitest'
import { defaultSettings, type Settings } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import { compileUpdateRules, hasFingerprint, updateFingerprint } from './index.ts'

const live = (spec: object, metadata: object = {}, rest: object = {}): Manifest =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', ...metadata },
    spec,
    ...rest,
  }) as unknown as Manifest

const rules = (jsonPointers: readonly string[]): object => ({
  jsonPointers,
  jqPathExpressions: [],
  managedFieldsManagers: [],
})

const settings = (more: object): Settings => ({
  ...defaultSettings,
  overrides: {
    Node: {
      ignoreResourceUpdates: rules(['/spec/beat']),
      ignoreDifferences: rules(['/spec/size']),
    },
  } as never,
  ...more,
})

const same = (a: Manifest, b: Manifest, more: object = {}): boolean => {
  const compiled = compileUpdateRules(settings(more))!
  return updateFingerprint(a, compiled) === updateFingerprint(b, compiled)
}

describe('which updates count', () => {
  it.each<[string, Manifest, Manifest, object, boolean]>([
    [
      'what every update changes',
      live({}, { resourceVersion: '1', generation: 1 }),
      live({}, { resourceVersion: '2', generation: 2, managedFields: [] }),
      {},
      true,
    ],
    ['another field', live({ a: 1 }), live({ a: 2 }), {}, false],
    ['a field of ignoreResourceUpdates', live({ beat: 1 }), live({ beat: 2 }), {}, true],
    ['a field of ignoreDifferences', live({ size: 1 }), live({ size: 2 }), {}, true],
    [
      'the same, kept apart',
      live({ size: 1 }),
      live({ size: 2 }),
      { ignoreDifferencesOnResourceUpdates: false },
      false,
    ],
    [
      'the status, where it is ignored',
      live({}, {}, { status: 1 }),
      live({}, {}, { status: 2 }),
      { overrides: defaultSettings.overrides },
      true,
    ],
    ['and where it is not', live({}, {}, { status: 1 }), live({}, {}, { status: 2 }), {}, false],
  ])('%s', (_name, a, b, more, isSame) => {
    expect(same(a, b, more)).toBe(isSame)
  })

  it('is all of them when it is switched off', () => {
    expect(compileUpdateRules(settings({ ignoreResourceUpdatesEnabled: false }))).toBeUndefined()
  })

  it.each<[string, Manifest, boolean, boolean]>([
    ['tracked objects', live({}), true, true],
    ['others', live({}), false, false],
    [
      'others that ask for it',
      live({}, { annotations: { 'argocd.argoproj.io/ignore-resource-updates': 'true' } }),
      false,
      true,
    ],
    [
      'and that do not',
      live({}, { annotations: { 'argocd.argoproj.io/ignore-resource-updates': 'no' } }),
      false,
      false,
    ],
    [
      'Applications',
      { ...live({}), apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
      false,
      true,
    ],
  ])('tells updates apart of %s', (_name, object, isTracked, expected) => {
    expect(hasFingerprint(object, isTracked)).toBe(expected)
  })
})
