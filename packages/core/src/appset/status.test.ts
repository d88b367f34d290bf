import { describe, expect, it } from 'vitest'
import type { Application } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { asksForClusters, requeueAfter } from './requeue.ts'
import { readAppsetSettings } from './settings.ts'
import { conditionsAfter, healthOf, resourcesOf, rolloutPatch, statusPatch } from './status.ts'
import type { ApplicationProgress } from './types.ts'

const now = Date.UTC(2030, 0, 2, 3, 4, 5, 678)
const failed = { upToDate: false, reason: 'R', message: 'why', generated: false } as const
const app = (name: string, status?: JsonObject): Application =>
  ({ metadata: { name, namespace: 'argocd' }, status }) as unknown as Application
const options = { now, maxResources: 0 }

describe('conditions', () => {
  it.each([
    ['success', { upToDate: true } as const, ['False', 'True', 'True'], 'Healthy'],
    ['a failure', failed, ['True', 'False', 'False'], 'Degraded'],
    [
      'an invalid Application',
      { ...failed, generated: true },
      ['True', 'True', 'False'],
      'Degraded',
    ],
  ])('after %s', (_, outcome, statuses, health) => {
    const conditions = conditionsAfter([], outcome, now)
    expect(conditions.map(({ type }) => type)).toEqual([
      'ErrorOccurred',
      'ParametersGenerated',
      'ResourcesUpToDate',
    ])
    expect(conditions.map(({ status }) => status)).toEqual(statuses)
    expect(healthOf(conditions).status).toBe(health)
    expect(conditions[0]?.lastTransitionTime).toBe('2030-01-02T03:04:05Z')
  })

  it('keep their time while they say the same', () => {
    const before = conditionsAfter([], failed, now)
    expect(conditionsAfter(before, failed, now + 60_000)).toEqual(before)
    const after = conditionsAfter(before, { ...failed, message: 'other' }, now + 60_000)
    expect(after[0]?.lastTransitionTime).toBe('2030-01-02T03:05:05Z')
  })
})

describe('resources', () => {
  const apps = [app('b'), app('a', { sync: { status: 'Synced' }, health: { status: 'Healthy' } })]

  it('are listed by name and counted', () => {
    const { resources, resourcesCount } = resourcesOf(apps, 0)
    expect(resources).toMatchObject([
      { name: 'a', status: 'Synced', health: { status: 'Healthy' } },
      { name: 'b', health: {} },
    ])
    expect(resourcesCount).toBe(2)
    expect(resourcesOf(apps, 1)).toMatchObject({ resources: [{ name: 'a' }], resourcesCount: 2 })
  })

  it('change only when they are looked at', () => {
    const good = { upToDate: true } as const
    const { status } = statusPatch({}, good, apps, options) as { status: JsonObject }
    expect(statusPatch(status, good, apps, options)).toBeUndefined()
    expect(statusPatch(status, good, undefined, options)).toBeUndefined()
    expect(statusPatch(status, good, [], options)).toEqual({
      status: { resources: null, resourcesCount: null },
    })
    expect(statusPatch(status, failed, undefined, options)?.['status']).not.toHaveProperty(
      'resources',
    )
  })

  it('replace what a rolling sync has left', () => {
    const before = { applicationStatus: [{ application: 'a' } as ApplicationProgress] }
    expect(statusPatch(before, { upToDate: true }, [], options)).toMatchObject({
      status: { applicationStatus: null },
    })
  })
})

describe('a rolling sync', () => {
  const condition = {
    type: 'RolloutProgressing',
    status: 'True',
    reason: 'ApplicationSetModified',
    message: 'ApplicationSet is performing rollout of step 1',
  } as const
  const entry: ApplicationProgress = {
    application: 'a',
    message: 'm',
    status: 'Waiting',
    step: '1',
    targetRevisions: [],
  }
  const rollout = {
    condition,
    progress: [entry],
    reached: new Set<string>(),
    due: new Set<string>(),
    againMs: 0,
  }

  it('says how far it is before anything is written, and leaves the other conditions', () => {
    const before = { conditions: conditionsAfter([], failed, now) }
    const { status } = rolloutPatch(before, rollout, now) as { status: JsonObject }
    expect(status).toMatchObject({
      conditions: [
        { type: 'ErrorOccurred', status: 'True' },
        { type: 'ParametersGenerated', status: 'True' },
        { type: 'ResourcesUpToDate', status: 'False' },
        condition,
      ],
      health: { status: 'Degraded' },
      applicationStatus: [entry],
    })
    expect(rolloutPatch(status, rollout, now + 5000)).toBeUndefined()
  })

  it('shows in the health of a set that is in order', () => {
    const conditions = conditionsAfter([], { upToDate: true }, now, condition)
    expect(healthOf(conditions)).toEqual({ status: 'Progressing', message: condition.message })
  })

  it.each([
    ['keep', ['ErrorOccurred', 'ParametersGenerated', 'ResourcesUpToDate', 'RolloutProgressing']],
    [undefined, ['ErrorOccurred', 'ParametersGenerated', 'ResourcesUpToDate']],
  ] as const)('whose condition is to %s', (news, types) => {
    const before = conditionsAfter([], { upToDate: true }, now, condition)
    const after = conditionsAfter(before, failed, now, news)
    expect(after.map(({ type }) => type)).toEqual(types)
  })
})

describe('requeueAfter', () => {
  const git = (seconds?: number): JsonObject =>
    seconds === undefined ? { git: {} } : { git: { requeueAfterSeconds: seconds } }

  it.each<[string, JsonObject[], number]>([
    ['nothing', [{ list: {} }, { clusters: {} }], 0],
    ['the default', [git()], 180_000],
    ['never', [git(0)], 0],
    ['the least', [git(), git(7), git(0), { plugin: {} }], 7000],
    ['what is inside', [{ matrix: { generators: [{ list: {} }, git(9)] } }], 9000],
    ['a provider', [{ pullRequest: {} }], 1_800_000],
  ])('%s', (_, generators, ms) => {
    expect(requeueAfter(generators, 180_000)).toBe(ms)
  })

  it('finds clusters at every depth', () => {
    const inner = { merge: { generators: [{ list: {} }, { clusters: {} }] } }
    expect(asksForClusters([{ matrix: { generators: [inner, { git: {} }] } }])).toBe(true)
    expect(asksForClusters([{ git: {} }, { list: {} }])).toBe(false)
  })
})

describe('settings', () => {
  it('are those of Argo CD where nothing is said', () => {
    expect(readAppsetSettings({}, {})).toMatchObject({
      policy: 'sync',
      policyOverride: true,
      progressiveSyncs: false,
      workers: 10,
      maxResources: 5000,
      pollMs: 180_000,
      problems: [],
    })
  })

  it('take the environment before the ConfigMap', () => {
    const params = {
      'applicationsetcontroller.policy': 'create-only',
      'applicationsetcontroller.namespaces': 'a, b*',
      'applicationsetcontroller.requeue.after': '5m',
    }
    const variable = 'ARGOCD_APPLICATIONSET_CONTROLLER_POLICY'
    expect(readAppsetSettings(params, { [variable]: 'create-update' })).toMatchObject({
      policy: 'create-update',
      policyOverride: false,
      namespaces: ['a', 'b*'],
      pollMs: 300_000,
    })
  })

  it('delete nothing under a policy that nobody knows', () => {
    const settings = readAppsetSettings({ 'applicationsetcontroller.policy': 'syncc' }, {})
    expect(settings.policy).toBe('create-only')
    expect(settings.problems).toHaveLength(1)
  })
})
