import { describe, expect, it } from 'vitest'
import type { Application } from '../argo/index.ts'
import { defaultSettings } from '../argo/index.ts'
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
})
