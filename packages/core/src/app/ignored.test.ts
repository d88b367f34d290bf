import { describe, expect, it } from 'vitest'
import type { Application } from '../argo/index.ts'
import { defaultSettings } from '../argo/index.ts'
import { getPath, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { ignoredKeeper } from './ignored.ts'

const app: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop' },
  spec: {
    project: 'default',
    destination: {},
    ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
  },
}

const deployment = (replicas: number, image: string): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'app' },
  spec: { replicas, template: { spec: { containers: [{ name: 'a', image }] } } },
})

describe('ignoredKeeper', () => {
  it('keeps what the Application ignores and nothing else', () => {
    const keep = ignoredKeeper(app, defaultSettings)
    expect(keep(deployment(1, 'web:2'), deployment(5, 'web:1'))).toEqual(deployment(5, 'web:2'))
  })

  it('keeps what trusted managers own', () => {
    const trusting: Application = {
      ...app,
      spec: {
        ...app.spec,
        ignoreDifferences: [{ group: 'apps', kind: '*', managedFieldsManagers: ['hpa'] }],
      },
    }
    const keep = ignoredKeeper(trusting, defaultSettings)
    const fieldsV1 = { 'f:spec': { 'f:replicas': {} } }
    const entry = {
      manager: 'hpa',
      operation: 'Update',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1,
    }
    const live = deployment(5, 'web:1')
    const scaled = {
      ...live,
      metadata: { ...(live['metadata'] as object), managedFields: [entry] },
    } as unknown as Manifest
    expect(keep(deployment(1, 'web:2'), scaled)['spec']).toEqual(deployment(5, 'web:2')['spec'])
  })

  it('leaves other kinds alone', () => {
    const keep = ignoredKeeper(app, defaultSettings)
    const target = { ...deployment(1, 'web:2'), kind: 'StatefulSet' }
    expect(keep(target, { ...deployment(5, 'web:1'), kind: 'StatefulSet' })).toEqual(target)
  })

  const ignoring = (group: string, kind: string, ...jqPathExpressions: readonly string[]) =>
    ignoredKeeper(
      { ...app, spec: { ...app.spec, ignoreDifferences: [{ group, kind, jqPathExpressions }] } },
      defaultSettings,
    )
  const container = (rest: JsonObject, more: JsonObject = {}): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'app' },
    spec: { ...more, template: { spec: { containers: [{ name: 'a', ...rest }] } } },
  })

  it('keeps one variable and lets others come', () => {
    const keep = ignoring(
      'apps',
      'Deployment',
      '.spec.template.spec.containers[].env[] | select(.name == "LEVEL")',
    )
    const target = container({
      env: [
        { name: 'LEVEL', value: 'info' },
        { name: 'COLOR', value: 'red' },
        { name: 'NEW', value: 'yes' },
      ],
    })
    const live = container({
      env: [
        { name: 'LEVEL', value: 'debug' },
        { name: 'COLOR', value: 'blue' },
      ],
    })
    const env = getPath(keep(target, live), 'spec', 'template', 'spec', 'containers')
    expect((env as JsonObject[])[0]?.['env']).toEqual([
      { name: 'LEVEL', value: 'debug' },
      { name: 'COLOR', value: 'red' },
      { name: 'NEW', value: 'yes' },
    ])
  })

  it('keeps an image beside what comes new', () => {
    const keep = ignoring(
      'apps',
      'Deployment',
      '.spec.replicas',
      '.spec.template.spec.containers[].image',
    )
    const target = container(
      {
        image: 'web:1',
        resources: { requests: { cpu: '400m' } },
        env: [{ name: 'A', value: 'b' }],
      },
      { replicas: 1, paused: true },
    )
    const live = container({ image: 'web:7' }, { replicas: 5 })
    expect(keep(target, live)).toEqual(
      container(
        {
          image: 'web:7',
          resources: { requests: { cpu: '400m' } },
          env: [{ name: 'A', value: 'b' }],
        },
        { replicas: 5, paused: true },
      ),
    )
  })

  it('keeps whole items of lists of other kinds', () => {
    const keep = ignoring('example.com', 'Proxy', '.spec.routes[]')
    const proxy = (routes: readonly JsonObject[], host: string): Manifest => ({
      apiVersion: 'example.com/v1',
      kind: 'Proxy',
      metadata: { name: 'p' },
      spec: { host, routes: [...routes] },
    })
    const kept = keep(
      proxy([{ path: '/a', limits: [1, 2] }, { path: '/b' }], 'new'),
      proxy([{ path: '/a', limits: [3] }], 'old'),
    )
    expect(kept).toEqual(proxy([{ path: '/a', limits: [3] }], 'new'))
  })

  it('takes away an annotation that is ignored and not there', () => {
    const keep = ignoring('', 'ConfigMap', '.metadata.annotations.version')
    const map = (annotations: JsonObject): Manifest => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', annotations },
    })
    expect(keep(map({ version: '1', other: 'new' }), map({ other: 'old' }))).toEqual(
      map({ other: 'new' }),
    )
  })

  it('keeps one label of a selector that is replaced as a whole', () => {
    const keep = ignoring('policy', 'PodDisruptionBudget', '.spec.selector.matchLabels.hash')
    const budget = (matchLabels: JsonObject, more: JsonObject = {}): Manifest => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels, ...more } },
    })
    const kept = keep(
      budget(
        { app: 'new', hash: 'target' },
        { matchExpressions: [{ key: 'x', operator: 'Exists' }] },
      ),
      budget({ app: 'old', hash: 'live', foreign: 'yes' }),
    )
    expect(kept).toEqual(
      budget(
        { app: 'new', hash: 'live' },
        { matchExpressions: [{ key: 'x', operator: 'Exists' }] },
      ),
    )
  })
})
