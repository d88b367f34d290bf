import type { JsonObject } from '@litecd/core/json'
import { describe, expect, it } from 'vitest'
import type { RecordedBeat } from '../../packages/core/test/corpus/argocd-cases.ts'
import { compareAnswers, splitDetours } from './compare.ts'

function beat(app: JsonObject, more: JsonObject = {}): RecordedBeat {
  return { beat: 'one', applications: { $APP: app }, ...more }
}

function paths(want: RecordedBeat, got: RecordedBeat): readonly string[] {
  return compareAnswers([want], [got]).map((difference) => difference.path)
}

const conf = { kind: 'ConfigMap', name: 'conf', namespace: '$NS', status: 'Synced', version: 'v1' }
const other = { ...conf, name: 'other' }
const result = (name: string, syncPhase: string): JsonObject => ({
  kind: 'ConfigMap',
  name,
  syncPhase,
  message: `${name} done`,
})
const state = (...resources: readonly JsonObject[]): JsonObject => ({
  status: { operationState: { syncResult: { resources } } },
})

describe('what counts as equal', () => {
  const cases: readonly (readonly [string, RecordedBeat, RecordedBeat])[] = [
    ['the order of keys', beat({ status: { a: 1, b: 2 } }), beat({ status: { b: 2, a: 1 } })],
    [
      'the order of results within one phase',
      beat(state(result('a', 'Sync'), result('b', 'Sync'))),
      beat(state(result('b', 'Sync'), result('a', 'Sync'))),
    ],
    ['the order of events', beat({ events: ['a', 'b', 'a'] }), beat({ events: ['a', 'a', 'b'] })],
    ['no events and an empty list', beat({ events: [] }), beat({})],
    [
      'the order of objects',
      beat({}, { objects: [{ object: 'a' }, { object: 'b' }] }),
      beat({}, { objects: [{ object: 'b' }, { object: 'a' }] }),
    ],
    [
      'empty structs and absent ones',
      beat({ status: { summary: {}, sourceHydrator: {}, health: {} } }),
      beat({ status: {} }),
    ],
    [
      'empty structs of an operation',
      beat({ status: { operationState: { operation: { retry: {}, sync: {} } } } }),
      beat({ status: { operationState: { operation: { sync: {} } } } }),
    ],
    [
      'folders of the machine',
      beat({ events: ['`helm pull --destination <work>/argo/<uid> --version 1`'] }),
      beat({ events: ['`helm pull --destination <path to cached source> --version 1`'] }),
    ],
    ['no set and an empty map of them', beat({}, { applicationsets: {} }), beat({})],
    ['diffs that our side does not show', beat({}, { managed: { $APP: [] } }), beat({})],
  ]
  it.each(cases)('%s', (_, want, got) => {
    expect(compareAnswers([want], [got])).toEqual([])
    expect(compareAnswers([got], [want]).filter(({ path }) => path !== 'one.managed')).toEqual([])
  })
})

describe('what differs, and where', () => {
  const cases: readonly (readonly [string, RecordedBeat, RecordedBeat, readonly string[]])[] = [
    [
      'a value',
      beat({ status: { sync: { status: 'Synced' } } }),
      beat({ status: { sync: { status: 'OutOfSync' } } }),
      ['one.applications.$APP.status.sync.status'],
    ],
    [
      'a resource of ours alone',
      beat({ status: { resources: [conf] } }),
      beat({ status: { resources: [conf, other] } }),
      ['one.applications.$APP.status.resources./ConfigMap/$NS/other'],
    ],
    [
      'the order of resources',
      beat({ status: { resources: [conf, other] } }),
      beat({ status: { resources: [other, conf] } }),
      [
        'one.applications.$APP.status.resources.(order)[0]',
        'one.applications.$APP.status.resources.(order)[1]',
      ],
    ],
    [
      'a field of a resource',
      beat({ status: { resources: [conf] } }),
      beat({ status: { resources: [{ ...conf, status: 'OutOfSync' }] } }),
      ['one.applications.$APP.status.resources./ConfigMap/$NS/conf.status'],
    ],
    [
      'the order of phases',
      beat(state(result('a', 'PreSync'), result('b', 'Sync'))),
      beat(state(result('b', 'Sync'), result('a', 'PreSync'))),
      [
        'one.applications.$APP.status.operationState.syncResult.resources.(phases)[0]',
        'one.applications.$APP.status.operationState.syncResult.resources.(phases)[1]',
      ],
    ],
    [
      'one event more of a kind',
      beat({ events: ['a'] }),
      beat({ events: ['a', 'a'] }),
      ['one.applications.$APP.events.a'],
    ],
    [
      'a condition by its type',
      beat({ status: { conditions: [{ type: 'SyncError', message: 'x' }] } }),
      beat({ status: { conditions: [{ type: 'SyncError', message: 'y' }] } }),
      ['one.applications.$APP.status.conditions.SyncError.message'],
    ],
    [
      'the second object of a name',
      beat({}, { objects: [{ object: 'a' }, { object: 'a', owner: 'x' }] }),
      beat({}, { objects: [{ object: 'a' }] }),
      ['one.objects.a#2'],
    ],
    [
      'an operation without a sync part',
      beat({ operation: { sync: {} } }),
      beat({ operation: {} }),
      ['one.applications.$APP.operation.sync'],
    ],
    ['an Application', beat({}), { beat: 'one', applications: {} }, ['one.applications.$APP']],
    [
      'an object that should be gone',
      beat({}, { objects: [] }),
      beat({}, { objects: [{ object: 'ConfigMap/$NS/conf' }] }),
      ['one.objects.ConfigMap/$NS/conf'],
    ],
  ]
  it.each(cases)('%s', (_, want, got, expected) => {
    expect(paths(want, got)).toEqual(expected)
  })

  it('a beat that is missing', () => {
    expect(compareAnswers([beat({}), { beat: 'two' }], [beat({})])).toEqual([
      { path: 'two', want: 'recorded', got: undefined },
    ])
  })
})

describe('health events', () => {
  const event = (from: string, to: string): string =>
    `Normal ResourceUpdated: Updated health status: ${from} -> ${to}`
  const split = (want: readonly string[], got: readonly string[]): readonly number[] => {
    const { rest, detours } = splitDetours(
      compareAnswers([beat({ events: want })], [beat({ events: got })]),
    )
    return [rest.length, detours.length]
  }

  it.each([
    ['a state that was not seen', [event('A', 'B'), event('B', 'C')], [event('A', 'C')], [0, 3]],
    ['a state more', [event('A', 'C')], [event('A', 'B'), event('B', 'C')], [0, 3]],
    ['there and back', [], [event('A', 'B'), event('B', 'A')], [0, 2]],
    ['another last state', [event('A', 'B')], [event('A', 'C')], [2, 0]],
    ['no way at all', [event('A', 'B')], [], [1, 0]],
    ['other events stay', [event('A', 'B'), 'x'], [event('A', 'C'), event('C', 'B')], [1, 3]],
  ])('%s', (_, want, got, expected) => {
    expect(split(want, got)).toEqual(expected)
  })
})
