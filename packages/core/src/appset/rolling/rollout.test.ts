import { describe, expect, it } from 'vitest'
import type { Application, OperationPhase } from '../../argo/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { ApplicationProgress, ApplicationSet, ProgressStatus } from '../types.ts'
import { rollOut, rolloutCondition } from './rollout.ts'

const now = Date.UTC(2030, 0, 1, 12)
/** So many seconds before now. */
const ago = (seconds: number): string =>
  new Date(now - seconds * 1000).toISOString().replace('.000', '')

const inStep = (value: string, maxUpdate?: Json): JsonObject => ({
  matchExpressions: [{ key: 's', operator: 'In', values: [value] }],
  ...(maxUpdate === undefined ? {} : { maxUpdate }),
})
const setOf = (...steps: JsonObject[]): ApplicationSet =>
  ({
    metadata: { name: 'set' },
    spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } },
  }) as unknown as ApplicationSet
const twoSteps = setOf(inStep('1'), inStep('2'))

interface Look {
  readonly step?: string
  readonly sync?: string
  readonly health?: string
  readonly revisions?: readonly string[]
  /** Phase and how many seconds ago it began. */
  readonly operation?: readonly [OperationPhase, number]
  readonly reconciled?: number
  readonly condition?: string
  readonly asked?: boolean
}

function app(name: string, look: Look = {}): Application {
  const { step = '1', sync = 'OutOfSync', health = 'Missing', revisions = ['r1'] } = look
  return {
    metadata: { name, labels: { s: step } },
    spec: { project: 'p', destination: {} },
    ...(look.asked === true && { operation: {} }),
    status: {
      sync: {
        status: sync,
        ...(revisions.length === 1 ? { revision: revisions[0] } : { revisions }),
      },
      health: { status: health },
      ...(look.reconciled !== undefined && { reconciledAt: ago(look.reconciled) }),
      ...(look.condition !== undefined && { conditions: [{ type: look.condition, message: '' }] }),
      ...(look.operation !== undefined && {
        operationState: { phase: look.operation[0], startedAt: ago(look.operation[1]) },
      }),
    },
  } as unknown as Application
}

function entry(
  application: string,
  status: ProgressStatus,
  more: Partial<ApplicationProgress> = {},
): ApplicationProgress {
  return {
    application,
    status,
    message: 'before',
    step: '1',
    targetRevisions: ['r1'],
    lastTransitionTime: ago(300),
    ...more,
  }
}

const roll = (
  before: readonly ApplicationProgress[],
  current: readonly Application[],
  more: {
    readonly set?: ApplicationSet
    readonly generated?: readonly Application[]
    readonly differs?: boolean
  } = {},
) =>
  rollOut(more.set ?? twoSteps, before, {
    current,
    generated: more.generated ?? current,
    differs: () => more.differs === true,
    now,
  })

const good = { sync: 'Synced', health: 'Healthy' } as const
const pendingMessage =
  'Application moved to Pending status, watching for the Application resource to start Progressing'

describe('one Application', () => {
  // the tables of Argo CD v3.5.1 TestUpdateApplicationSetApplicationStatus, in our words. Its Waiting shows as Pending
  // here where the step is reached: one look of ours does both.
  it.each<[string, ApplicationProgress | undefined, Look, ProgressStatus, string]>([
    [
      'new, in order',
      undefined,
      good,
      'Healthy',
      'Application resource has synced, updating status to Healthy',
    ],
    [
      'new, synced only',
      undefined,
      { sync: 'Synced', health: 'Degraded' },
      'Progressing',
      'Application resource has synced, updating status to Progressing',
    ],
    ['new, out of sync', undefined, {}, 'Pending', pendingMessage],
    [
      'waiting, in order meanwhile',
      entry('a', 'Waiting'),
      good,
      'Healthy',
      'Application resource has synced, updating status to Healthy',
    ],
    [
      'another revision, in sync',
      entry('a', 'Healthy', { targetRevisions: ['r0'] }),
      good,
      'Healthy',
      'Application resource has synced, updating status to Healthy',
    ],
    [
      'another revision, out of sync',
      entry('a', 'Healthy', { targetRevisions: ['r0'] }),
      { health: 'Healthy' },
      'Pending',
      pendingMessage,
    ],
    [
      'one source less',
      entry('a', 'Healthy', { targetRevisions: ['r1', 'r2'] }),
      {},
      'Pending',
      pendingMessage,
    ],
    [
      'healthy stays, whatever becomes of it',
      entry('a', 'Healthy'),
      { sync: 'OutOfSync', health: 'Degraded', operation: ['Failed', 60] },
      'Healthy',
      'before',
    ],
    [
      'pending, sync is running',
      entry('a', 'Pending'),
      { operation: ['Running', 60], reconciled: 1 },
      'Progressing',
      'Application resource became Progressing, updating status from Pending to Progressing',
    ],
    [
      'pending, sync has succeeded',
      entry('a', 'Pending'),
      { operation: ['Succeeded', 60], reconciled: 1 },
      'Progressing',
      'Application resource completed a sync successfully, updating status from Pending to Progressing',
    ],
    [
      'pending, sync has failed',
      entry('a', 'Pending'),
      { operation: ['Failed', 60], reconciled: 1 },
      'Progressing',
      'Application resource completed a sync, updating status from Pending to Progressing',
    ],
    [
      'pending, sync had an error',
      entry('a', 'Pending'),
      { operation: ['Error', 60], reconciled: 1 },
      'Progressing',
      'Application resource completed a sync, updating status from Pending to Progressing',
    ],
    [
      'pending, never compared, spec refused',
      entry('a', 'Pending'),
      { sync: 'Unknown', health: 'Unknown', condition: 'InvalidSpecError' },
      'Progressing',
      'Application resource has error and cannot sync, updating status to Progressing',
    ],
    [
      'pending, an unknown error',
      entry('a', 'Pending'),
      { condition: 'UnknownError', reconciled: 1 },
      'Progressing',
      'Application resource has error and cannot sync, updating status to Progressing',
    ],
    [
      'pending, an error of another kind',
      entry('a', 'Pending'),
      { condition: 'ComparisonError', reconciled: 1 },
      'Pending',
      'before',
    ],
    [
      'pending, the sync was before',
      entry('a', 'Pending', { lastTransitionTime: ago(0) }),
      { operation: ['Succeeded', 300], reconciled: 1 },
      'Pending',
      'before',
    ],
    [
      'pending, a sync of the same second does not count',
      entry('a', 'Pending', { lastTransitionTime: ago(60) }),
      { operation: ['Succeeded', 60], reconciled: 1 },
      'Pending',
      'before',
    ],
    [
      'pending, not compared since',
      entry('a', 'Pending', { lastTransitionTime: ago(120) }),
      { ...good, operation: ['Succeeded', 60], reconciled: 300 },
      'Pending',
      'before',
    ],
    [
      'progressing, in order now',
      entry('a', 'Progressing'),
      good,
      'Healthy',
      'Application resource became Healthy, updating status from Progressing to Healthy',
    ],
    [
      'progressing, not healthy yet',
      entry('a', 'Progressing'),
      { sync: 'Synced', health: 'Degraded' },
      'Progressing',
      'before',
    ],
    [
      'progressing, healthy but not in sync',
      entry('a', 'Progressing'),
      { sync: 'OutOfSync', health: 'Healthy' },
      'Progressing',
      'before',
    ],
  ])('%s', (_, before, look, status, message) => {
    const current = [app('a', look)]
    const { progress } = roll(before === undefined ? [] : [before], current)
    expect(progress).toMatchObject([{ application: 'a', status, message, step: '1' }])
    const changed = message !== 'before'
    expect(progress[0]?.lastTransitionTime).toBe(changed ? ago(0) : before?.lastTransitionTime)
    expect(progress[0]?.targetRevisions).toEqual(['r1'])
  })

  it.each<[string, string, boolean, string]>([
    ['nothing', 'r1', false, 'No Application status found, defaulting status to Waiting'],
    [
      'the spec',
      'r1',
      true,
      'Application has pending changes (spec differs), setting status to Waiting',
    ],
  ])('waits for its step, new, and %s differs', (_, revision, differs, message) => {
    const set = setOf(inStep('1', 0))
    const { progress } = roll([], [app('a', { revisions: [revision] })], { set, differs })
    expect(progress).toMatchObject([{ status: 'Waiting', message }])
  })

  it.each<[string, string, boolean, string]>([
    ['revision', 'r2', false, 'Application has pending changes, setting status to Waiting'],
    [
      'spec',
      'r1',
      true,
      'Application has pending changes (spec differs), setting status to Waiting',
    ],
    [
      'both',
      'r2',
      true,
      'Application has pending changes (revision and spec differ), setting status to Waiting',
    ],
  ])('waits for its step when it has another %s', (_, revision, differs, message) => {
    const set = setOf(inStep('1', 0))
    const current = [app('a', { revisions: [revision] })]
    const { progress } = roll([entry('a', 'Healthy')], current, { set, differs })
    expect(progress).toMatchObject([{ status: 'Waiting', message, targetRevisions: [revision] }])
  })

  it('is Healthy at once when its spec is to change while all is in order', () => {
    const { progress, due } = roll([entry('a', 'Healthy')], [app('a', good)], { differs: true })
    expect(progress).toMatchObject([
      { status: 'Healthy', message: 'Application resource has synced, updating status to Healthy' },
    ])
    expect([...due]).toEqual([])
  })

  it('is compared with automated sync off', () => {
    const current = [app('a', good)]
    const spec = { project: 'p', destination: {}, syncPolicy: { automated: {} } }
    const seen: unknown[] = []
    rollOut(twoSteps, [], {
      current,
      generated: [{ ...current[0], spec } as Application],
      differs: (generated) => seen.push(generated.spec.syncPolicy) === 0,
      now,
    })
    expect(seen).toEqual([{ automated: { enabled: false } }])
  })

  it('keeps old revisions as long as nothing else changes', () => {
    const set = setOf(inStep('1', 0))
    const message = 'Application has pending changes, setting status to Waiting'
    const before = [entry('a', 'Waiting', { message })]
    const current = [app('a', { revisions: ['r2'] })]
    expect(roll(before, current, { set }).progress).toBe(before)
  })
})

describe('entries', () => {
  it('go with their Applications, and come by name', () => {
    const before = [entry('b', 'Healthy'), entry('gone', 'Healthy')]
    const { progress } = roll(before, [app('b', good), app('a', good)])
    expect(progress.map(({ application }) => application)).toEqual(['a', 'b'])
  })

  it('have the number of their step, which is -1 when they are in none or not generated', () => {
    const before = [entry('a', 'Healthy'), entry('b', 'Healthy'), entry('c', 'Healthy')]
    const current = ['a', 'b', 'c'].map((name, index) =>
      app(name, { ...good, step: ['2', '9', '1'][index] ?? '' }),
    )
    const { progress } = roll(before, current, { generated: current.slice(0, 2) })
    expect(progress.map(({ step }) => step)).toEqual(['2', '-1', '-1'])
  })

  it('go away where there are no steps', () => {
    const result = roll([entry('a', 'Healthy')], [app('a', good)], { set: setOf() })
    expect(result.progress).toEqual([])
    expect(result.condition.status).toBe('False')
  })
})

describe('steps', () => {
  const all = (...statuses: readonly (ProgressStatus | 'unknown' | 'missing')[]) => {
    const names = statuses.map((_, index) => `app${index + 1}`)
    const steps = names.map((_, index) => inStep(String(index + 1)))
    const apps = names.map((name, index) => app(name, { step: String(index + 1) }))
    const before = statuses.flatMap((status, index) =>
      status === 'unknown' || status === 'missing'
        ? []
        : [entry(names[index] ?? '', status, { step: String(index + 1) })],
    )
    const current = apps.filter((_, index) => statuses[index] !== 'missing')
    return [...roll(before, current, { set: setOf(...steps), generated: apps }).reached]
  }

  // Argo CD v3.5.1 TestGetAppsToSync
  it.each<[string, (ProgressStatus | 'unknown' | 'missing')[], number]>([
    ['an Application that is not there holds the next step', ['missing', 'Healthy'], 1],
    ['so does one without an entry', ['unknown', 'unknown'], 1],
    ['so does one that is Waiting', ['Waiting', 'Healthy'], 1],
    ['so does one that is Pending', ['Pending', 'Healthy'], 1],
    ['so does one that is Progressing', ['Progressing', 'Healthy'], 1],
    ['Healthy ones let the next step go', ['Healthy', 'Healthy', 'Waiting'], 3],
    ['but not the one after that', ['Healthy', 'Waiting', 'Waiting'], 2],
  ])('%s', (_, statuses, reached) => {
    expect(all(...statuses)).toEqual(
      Array.from({ length: reached }, (_one, index) => `app${index + 1}`),
    )
  })

  it('without Applications are done', () => {
    const current = [app('a', { step: '2' }), app('b', { step: '2' })]
    expect([...roll([], current).reached]).toEqual(['a', 'b'])
  })

  it('do not wait for Applications in none of them', () => {
    const current = [
      app('old', { step: '9' }),
      app('a', { ...good, step: '1' }),
      app('b', { step: '2' }),
    ]
    const before = [entry('old', 'Progressing', { step: '-1' }), entry('a', 'Healthy')]
    expect([...roll(before, current).reached]).toEqual(['a', 'b'])
  })
})

describe('maxUpdate', () => {
  const statusesAfter = (
    maxUpdate: Json,
    before: readonly ProgressStatus[],
    more: readonly ApplicationProgress[] = [],
    moreApps: readonly Application[] = [],
  ): string => {
    const entries = before.map((status, index) => entry(`a${index}`, status))
    const apps = before.map((_, index) => app(`a${index}`))
    const set = setOf(inStep('1', maxUpdate))
    const { progress } = roll([...entries, ...more], [...apps, ...moreApps], { set })
    return progress
      .slice(0, before.length)
      .map(({ status }) => status[0] + status.slice(1, 4))
      .join(' ')
  }

  // Argo CD v3.5.1 TestUpdateApplicationSetApplicationStatusProgress
  it.each<[string, Json, readonly ProgressStatus[], string]>([
    ['one at a time', 1, ['Waiting', 'Waiting'], 'Pend Wait'],
    ['the one that is Progressing counts', 1, ['Progressing', 'Waiting'], 'Prog Wait'],
    ['the one that is Pending counts', 1, ['Waiting', 'Pending'], 'Wait Pend'],
    ['the one that is Healthy does not', 1, ['Healthy', 'Waiting'], 'Heal Pend'],
    ['rounded down', '50%', ['Waiting', 'Waiting', 'Waiting'], 'Pend Wait Wait'],
    ['none', 0, ['Waiting', 'Waiting'], 'Wait Wait'],
    ['none in percent', '0%', ['Waiting', 'Waiting'], 'Wait Wait'],
    ['all', '100%', ['Waiting', 'Waiting', 'Waiting'], 'Pend Pend Pend'],
    ['at least one', '1%', ['Waiting', 'Waiting', 'Waiting'], 'Pend Wait Wait'],
  ])('%s', (_, maxUpdate, before, after) => {
    expect(statusesAfter(maxUpdate, before)).toBe(after)
  })

  it('counts entries in no step for the first one', () => {
    const stray = entry('stray', 'Progressing', { step: '-1' })
    const strayApp = app('stray', { step: '9', health: 'Progressing' })
    expect(statusesAfter(1, ['Waiting'], [stray], [strayApp])).toBe('Wait')
    expect(statusesAfter(2, ['Waiting'], [stray], [strayApp])).toBe('Pend')
  })

  it('of one step does not hold another', () => {
    const set = setOf(inStep('1', 0), inStep('2', 1))
    const before = [
      entry('a', 'Healthy'),
      entry('b', 'Waiting', { step: '2' }),
      entry('c', 'Waiting', { step: '2' }),
    ]
    const current = [app('a', good), app('b', { step: '2' }), app('c', { step: '2' })]
    const { progress } = roll(before, current, { set })
    expect(progress.map(({ status }) => status)).toEqual(['Healthy', 'Pending', 'Waiting'])
  })
})

describe('syncs', () => {
  const dueOf = (since: number, look: Look = {}) => {
    const before = [entry('a', 'Pending', { lastTransitionTime: ago(since) })]
    const { due, againMs } = roll(before, [app('a', look)])
    return { due: [...due], againMs }
  }

  it('are due once an entry is Pending, in a later second', () => {
    expect(roll([], [app('a')])).toMatchObject({ due: new Set(), againMs: 1000 })
    expect(dueOf(0)).toEqual({ due: [], againMs: 1000 })
    expect(dueOf(1)).toEqual({ due: ['a'], againMs: 0 })
  })

  it.each<[string, Look]>([
    ['is asked for already', { asked: true }],
    ['has begun', { operation: ['Running', 30], reconciled: 90 }],
    ['has ended, and nobody has looked since', { operation: ['Succeeded', 30], reconciled: 90 }],
  ])('are not due when one %s', (_, look) => {
    expect(dueOf(60, look)).toEqual({ due: [], againMs: 0 })
  })

  it('are not due when their step is held again', () => {
    const set = setOf(inStep('1'), inStep('2'))
    const before = [entry('a', 'Progressing'), entry('b', 'Pending', { step: '2' })]
    const current = [app('a'), app('b', { step: '2' })]
    expect(roll(before, current, { set }).due.size).toBe(0)
  })
})

describe('rolloutCondition', () => {
  it.each<[string, ApplicationProgress[], string]>([
    ['nothing there', [], 'ApplicationSet Rollout has completed'],
    ['all Healthy', [entry('a', 'Healthy')], 'ApplicationSet Rollout has completed'],
    [
      'the first open step',
      [
        entry('a', 'Healthy'),
        entry('b', 'Waiting', { step: '3' }),
        entry('c', 'Pending', { step: '2' }),
      ],
      'ApplicationSet is performing rollout of step 2',
    ],
    [
      'one of a step is enough',
      [entry('a', 'Healthy'), entry('b', 'Progressing')],
      'ApplicationSet is performing rollout of step 1',
    ],
    [
      'no step does not count',
      [entry('a', 'Waiting', { step: '-1' })],
      'ApplicationSet Rollout has completed',
    ],
  ])('%s', (_, progress, message) => {
    const condition = rolloutCondition(3, progress)
    const rolling = !message.endsWith('completed')
    expect(condition).toEqual({
      type: 'RolloutProgressing',
      status: rolling ? 'True' : 'False',
      reason: rolling ? 'ApplicationSetModified' : 'ApplicationSetRolloutComplete',
      message,
    })
  })
})
