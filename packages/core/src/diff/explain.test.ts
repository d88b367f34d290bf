import { describe, expect, it } from 'vitest'
import { type Application, defaultSettings } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import { compileDiffRules, formatSource, ignoredDifferences } from './index.ts'

const deployment = (spec: object, managedFields: readonly object[] = []): Manifest =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', managedFields },
    spec,
    status: { replicas: 1 },
  }) as unknown as Manifest

const pod = (image: string): object => ({
  template: { spec: { containers: [{ name: 'a', image, tty: true }] } },
})

const hpa = {
  manager: 'hpa',
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
}

function told(entry: object, target: Manifest, live: Manifest): readonly string[] {
  const app = {
    metadata: { name: 'a' },
    spec: { destination: {}, ignoreDifferences: [{ group: 'apps', kind: 'Deployment', ...entry }] },
  } as unknown as Application
  const rules = compileDiffRules(app, {
    ...defaultSettings,
    overrides: { '*/*': { ignoreDifferences: { jsonPointers: ['/status'] } } },
  } as unknown as typeof defaultSettings)
  return ignoredDifferences({ target, live }, rules).map(({ because, paths }) => {
    const who =
      because.type === 'manager'
        ? because.manager
        : `${because.rule.text} in ${formatSource(because.rule.source)}`
    return `${who}: ${paths.join(' ')}`
  })
}

describe('ignoredDifferences', () => {
  it.each<[string, object, object, object, readonly string[]]>([
    [
      'names the rule that hides a difference',
      { jsonPointers: ['/spec/replicas'] },
      { replicas: 1 },
      { replicas: 2 },
      ['/spec/replicas in spec.ignoreDifferences[0]: spec.replicas'],
    ],
    [
      'leaves out rules that hide nothing',
      { jsonPointers: ['/spec/replicas', '/spec/paused'] },
      { replicas: 1 },
      { replicas: 1, paused: true },
      [],
    ],
    [
      'tells fields of list items by their key',
      { jqPathExpressions: ['.spec.template.spec.containers[].image'] },
      pod('a:1'),
      pod('a:2'),
      [
        '.spec.template.spec.containers[].image in spec.ignoreDifferences[0]: spec.template.spec.containers[name=a].image',
      ],
    ],
    [
      'names managers that are trusted',
      { managedFieldsManagers: ['hpa'] },
      { replicas: 1 },
      { replicas: 2 },
      ['hpa: .spec.replicas'],
    ],
  ])('%s', (_name, entry, target, live, expected) => {
    expect(told(entry, deployment(target), deployment(live, [hpa]))).toEqual(expected)
  })

  it('knows the rules of the settings', () => {
    const target = { ...deployment({}), status: { replicas: 5 } } as unknown as Manifest
    expect(told({}, target, deployment({}))).toEqual([
      '/status in resource.customizations of */*: status',
    ])
  })

  it('has nothing to tell of an object without its other side', () => {
    const rules = compileDiffRules(
      { metadata: { name: 'a' }, spec: { destination: {} } } as unknown as Application,
      defaultSettings,
    )
    expect(ignoredDifferences({ target: deployment({}), live: undefined }, rules)).toEqual([])
  })
})
