import { describe, expect, it } from 'vitest'
import type { Application } from '../../argo/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { ApplicationSet } from '../types.ts'
import { reversedDeletion, reverseStep } from './deletion.ts'

const inStep = (value: string): JsonObject => ({
  matchExpressions: [{ key: 's', operator: 'In', values: [value] }],
})
const setOf = (strategy?: JsonObject): ApplicationSet =>
  ({ metadata: { name: 'set' }, spec: { strategy } }) as unknown as ApplicationSet
const rolling = (deletionOrder?: string, steps: JsonObject[] = [inStep('1'), inStep('2')]) =>
  setOf({ type: 'RollingSync', rollingSync: { steps }, ...(deletionOrder && { deletionOrder }) })
const now = Date.UTC(2030, 0, 1)
const app = (name: string, s?: string, deletingForMs?: number): Application =>
  ({
    metadata: {
      name,
      labels: s === undefined ? {} : { s },
      ...(deletingForMs !== undefined && {
        deletionTimestamp: new Date(now - deletingForMs).toISOString(),
      }),
    },
  }) as unknown as Application

describe('reversedDeletion', () => {
  // Argo CD v3.5.1 TestIsRollingSyncDeletionReversed
  it.each<[string, ApplicationSet, boolean]>([
    ['Reverse', rolling('Reverse'), true],
    ['in any case', rolling('reVERSE'), true],
    ['AllAtOnce', rolling('AllAtOnce'), false],
    ['nothing said', rolling(), false],
    ['no steps', rolling('Reverse', []), false],
    ['another type', setOf({ type: 'AllAtOnce', deletionOrder: 'Reverse' }), false],
    ['no strategy', setOf(), false],
  ])('%s', (_, set, reversed) => {
    expect(reversedDeletion(set)).toBe(reversed)
  })
})

describe('reverseStep', () => {
  const told = (apps: Application[], gone: string[] = []): string => {
    const step = reverseStep(rolling('Reverse'), apps, now, new Set(gone))
    return step.kind === 'done' ? 'done' : `${step.kind} ${step.application.metadata.name}`
  }

  it.each<[string, Application[], string]>([
    ['the last step first', [app('a', '1'), app('b', '2'), app('c', '2')], 'delete b'],
    ['one after the other', [app('a', '1'), app('b', '2', 1000), app('c', '2')], 'wait b'],
    ['then the step before', [app('a', '1')], 'delete a'],
    ['who is in no step goes with the set', [app('x'), app('y', '3')], 'done'],
    ['none are left', [], 'done'],
    ['two minutes are not over two minutes', [app('b', '2', 120_000)], 'wait b'],
    ['it takes too long', [app('b', '2', 120_001)], 'verify b'],
  ])('%s', (_, apps, want) => {
    expect(told(apps)).toBe(want)
  })

  it('goes on with the next when one is known to be gone', () => {
    expect(told([app('a', '1'), app('b', '2', 999_999)], ['b'])).toBe('delete a')
  })

  it('looks again after ten seconds, and says what is wrong after two minutes', () => {
    const set = rolling('Reverse')
    expect(reverseStep(set, [app('a', '1')], now)).toMatchObject({ againMs: 10_000 })
    expect(reverseStep(set, [app('a', '1', 130_000)], now)).toMatchObject({
      failure: 'application has not been deleted in over 2 minutes',
    })
  })
})
