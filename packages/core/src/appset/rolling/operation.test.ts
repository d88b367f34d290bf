import { describe, expect, it } from 'vitest'
import type { Application, SyncPolicy } from '../../argo/index.ts'
import { rollingOperation, withoutAutomation } from './operation.ts'

const app = (syncPolicy?: SyncPolicy): Application =>
  ({ metadata: { name: 'a' }, spec: { project: 'p', destination: {}, syncPolicy } }) as never

const common = {
  initiatedBy: { username: 'applicationset-controller', automated: true },
  info: [
    {
      name: 'Reason',
      value: 'ApplicationSet RollingSync triggered a sync of this Application resource',
    },
  ],
}

describe('rollingOperation', () => {
  // Argo CD v3.5.1 TestSyncApplication, and what SyncDesiredApplications hands to it
  it.each<[string, SyncPolicy | undefined, object]>([
    ['no policy', undefined, { sync: {}, retry: { limit: 5 } }],
    [
      'retry and options of the policy',
      { retry: { limit: 10 }, syncOptions: ['CreateNamespace=true'] },
      { sync: { syncOptions: ['CreateNamespace=true'] }, retry: { limit: 10 } },
    ],
    ['automated with prune', { automated: { prune: true } }, { sync: { prune: true } }],
    ['said to be on', { automated: { prune: true, enabled: true } }, { sync: { prune: true } }],
    ['switched off by the user', { automated: { prune: true, enabled: false } }, { sync: {} }],
    ['automated without prune', { automated: {} }, { sync: {} }],
  ])('%s', (_, policy, want) => {
    expect(rollingOperation(app(policy))).toEqual({ ...common, retry: { limit: 5 }, ...want })
  })
})

describe('withoutAutomation', () => {
  it.each<[SyncPolicy | undefined, SyncPolicy | undefined]>([
    [undefined, undefined],
    [{ syncOptions: ['a=b'] }, { syncOptions: ['a=b'] }],
    [{ automated: {} }, { automated: { enabled: false } }],
    [
      { automated: { enabled: true, prune: true }, retry: { limit: 1 } },
      { automated: { enabled: false, prune: true }, retry: { limit: 1 } },
    ],
  ])('%j', (policy, want) => {
    const once = withoutAutomation(app(policy))
    expect(once.spec.syncPolicy).toEqual(want)
    expect(withoutAutomation(once).spec.syncPolicy).toEqual(want)
  })
})
