import { describe, expect, it } from 'vitest'
import type { Application, OperationState } from '../argo/index.ts'
import {
  appendHistory,
  closeBeat,
  completedEvent,
  newOperationState,
  newSyncResult,
  stageOf,
  withNamespaceMetadata,
} from './operation.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const source = { repoURL: 'https://git.example.com/shop.git', path: 'app', targetRevision: 'main' }

function app(changes: Partial<Application> = {}): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { project: 'default', source, destination: { namespace: 'app' } },
    ...changes,
  }
}

function running(changes: Partial<OperationState> = {}): OperationState {
  return {
    operation: { sync: {} },
    phase: 'Running',
    startedAt: '2026-01-02T03:00:00Z',
    ...changes,
  }
}

describe('stageOf', () => {
  const operation = { sync: { prune: true } }

  it('does nothing without an operation, whatever the state says', () => {
    expect(stageOf(app({ status: { operationState: running() } }), 0, now)).toEqual({
      stage: 'idle',
    })
  })

  it('starts from a clean state, also over a finished operation', () => {
    const old = running({ phase: 'Succeeded', message: 'old', syncResult: { revision: 'x' } })
    expect(stageOf(app({ operation, status: { operationState: old } }), 0, now)).toEqual({
      stage: 'beat',
      changed: true,
      timedOut: false,
      state: {
        operation: { sync: { prune: true }, initiatedBy: {}, retry: {} },
        phase: 'Running',
        startedAt: '2026-01-02T03:04:05Z',
      },
    })
  })

  it('resumes what runs, not what was written beside it', () => {
    const state = running({ message: 'waiting' })
    const stage = stageOf(app({ operation, status: { operationState: state } }), 0, now)
    expect(stage).toEqual({ stage: 'beat', state, changed: false, timedOut: false })
  })

  it('terminates after the timeout, which no retry moves', () => {
    const state = running({ retryCount: 3 })
    const stage = stageOf(app({ operation, status: { operationState: state } }), 60_000, now)
    expect(stage).toMatchObject({
      stage: 'beat',
      timedOut: true,
      state: { phase: 'Terminating', message: 'operation is terminating due to timeout' },
    })
    expect(
      stageOf(app({ operation, status: { operationState: state } }), 600_000, now),
    ).toMatchObject({
      timedOut: false,
    })
  })

  describe('a failed attempt', () => {
    const failed = running({
      operation: { sync: { revision: 'abc' }, retry: { limit: 3, backoff: { duration: '10s' } } },
      finishedAt: '2026-01-02T03:04:00Z',
      retryCount: 1,
      message: 'no. Retrying attempt #1 at 3:04AM.',
      syncResult: { revision: 'abc', resources: [] },
    })

    it('waits one factor longer than it said', () => {
      const stage = stageOf(app({ operation, status: { operationState: failed } }), 0, now)
      expect(stage).toEqual({ stage: 'waiting', afterMs: 15_000 })
    })

    it('begins anew when it is due', () => {
      const stage = stageOf(app({ operation, status: { operationState: failed } }), 0, now + 15_000)
      const { finishedAt: _finished, syncResult: _result, ...rest } = failed
      expect(stage).toEqual({
        stage: 'beat',
        changed: true,
        timedOut: false,
        state: { ...rest, message: 'Retrying operation. Attempt #1' },
      })
    })

    it('looks for the latest revision where it is told to', () => {
      const refresh = {
        ...failed,
        operation: { ...failed.operation, retry: { limit: 3, refresh: true } },
      }
      const stage = stageOf(
        app({ operation, status: { operationState: refresh } }),
        0,
        now + 60_000,
      )
      expect(stage).toMatchObject({
        state: {
          message: 'Retrying operation with latest revisions. Attempt #1',
          operation: { sync: { revision: 'abc' } },
          syncResult: { revision: '', source },
        },
      })
    })

    it('ends as an Error where the backoff cannot be read', () => {
      const broken = {
        ...failed,
        operation: { ...failed.operation, retry: { backoff: { duration: 'x' } } },
      }
      expect(stageOf(app({ operation, status: { operationState: broken } }), 0, now)).toMatchObject(
        {
          stage: 'ended',
          state: { phase: 'Error', message: 'unable to parse x as a duration' },
        },
      )
    })
  })
})

describe('closeBeat', () => {
  const calm = { terminating: false, timedOut: false }

  it('gives what is completed its time', () => {
    expect(closeBeat(running({ phase: 'Succeeded' }), calm, now).finishedAt).toBe(
      '2026-01-02T03:04:05Z',
    )
    expect(closeBeat(running(), calm, now).finishedAt).toBeUndefined()
  })

  it('turns a failure with attempts left into a wait', () => {
    const state = running({
      phase: 'Failed',
      message: 'no',
      retryCount: 1,
      operation: { sync: {}, retry: { limit: 2, backoff: { duration: '1m' } } },
    })
    expect(closeBeat(state, calm, now)).toMatchObject({
      phase: 'Running',
      retryCount: 2,
      finishedAt: '2026-01-02T03:04:05Z',
      message: 'no. Retrying attempt #2 at 3:06AM.',
    })
    const forever = { ...state, retryCount: 99, operation: { sync: {}, retry: { limit: -1 } } }
    expect(closeBeat(forever, calm, now)).toMatchObject({ phase: 'Running', retryCount: 100 })
  })

  it.each<[string, Partial<OperationState>, typeof calm, string]>([
    ['no attempt left', { retryCount: 2 }, calm, 'no (retried 2 times).'],
    ['terminated', {}, { terminating: true, timedOut: false }, 'no'],
    [
      'timed out',
      { retryCount: 1 },
      { terminating: true, timedOut: true },
      'no, triggered by controller sync timeout (retried 1 times).',
    ],
  ])('%s', (_about, changes, beat, message) => {
    const operation = { sync: {}, retry: { limit: 2 } }
    const state = running({ phase: 'Failed', message: 'no', operation, ...changes })
    expect(closeBeat(state, beat, now)).toMatchObject({ phase: 'Failed', message })
  })

  it('says that it cannot retry', () => {
    const operation = { sync: {}, retry: { limit: 2, backoff: { duration: 'soon' } } }
    const state = running({ phase: 'Failed', message: 'no', operation })
    expect(closeBeat(state, calm, now)).toMatchObject({
      phase: 'Error',
      message: 'no (failed to retry: unable to parse soon as a duration)',
    })
  })
})

describe('newSyncResult', () => {
  const other = { repoURL: 'https://git.example.com/other.git', path: 'x' }

  it.each<[string, Application, object, object]>([
    ['the source of the spec', app(), {}, { revision: '', source }],
    ['the revision of the operation', app(), { revision: 'v1' }, { revision: 'v1', source }],
    ['the source of the operation', app(), { source: other }, { revision: '', source: other }],
    [
      'several sources: the first one beside them',
      app({ spec: { project: '', destination: {}, sources: [other, source] } }),
      { revisions: ['a', 'b'] },
      { revision: '', source: other, sources: [other, source], revisions: ['a', 'b'] },
    ],
    [
      'several sources of the operation: none beside them',
      app(),
      { sources: [other] },
      { revision: '', source: { repoURL: '' }, sources: [other] },
    ],
  ])('%s', (_about, application, sync, want) => {
    expect(newSyncResult(application, { sync })).toEqual(want)
  })
})

describe('withNamespaceMetadata', () => {
  const metadata = { labels: { team: 'blue' } }
  const spec = app().spec

  it.each<[string, Application, object | undefined]>([
    [
      'taken over',
      app({ spec: { ...spec, syncPolicy: { managedNamespaceMetadata: metadata } } }),
      metadata,
    ],
    ['dropped', app({ spec: { ...spec, syncPolicy: {} } }), undefined],
    ['left without a policy', app(), { labels: { old: 'x' } }],
  ])('%s', (_about, application, want) => {
    const result = { managedNamespaceMetadata: { labels: { old: 'x' } } }
    expect(withNamespaceMetadata(result, application).managedNamespaceMetadata).toEqual(want)
  })
})

describe('appendHistory', () => {
  const synced = { revision: 'abc', revisions: undefined, comparedTo: { source } }
  const entry = (id: number): { id: number; deployedAt: string } => ({ id, deployedAt: 'x' })

  it('counts on from the last entry', () => {
    const before = app({ status: { history: [entry(4), entry(7)] } })
    const state = running({ operation: { initiatedBy: { username: 'admin' } } })
    expect(appendHistory(before, state, synced, now)).toEqual([
      entry(4),
      entry(7),
      {
        id: 8,
        revision: 'abc',
        source,
        deployedAt: '2026-01-02T03:04:05Z',
        deployStartedAt: '2026-01-02T03:00:00Z',
        initiatedBy: { username: 'admin' },
      },
    ])
  })

  it.each([
    [undefined, 10],
    [2, 2],
    [0, 0],
    [-3, 0],
  ])('with a limit of %s it keeps %i', (limit, kept) => {
    const history = Array.from({ length: 12 }, (_, i) => entry(i))
    const spec = { ...app().spec, ...(limit === undefined ? {} : { revisionHistoryLimit: limit }) }
    expect(appendHistory(app({ spec, status: { history } }), running(), synced, now)).toHaveLength(
      kept,
    )
  })

  it('keeps all sources', () => {
    const state = running({ syncResult: { sources: [source, source] } })
    const several = {
      revision: '',
      revisions: ['a', 'b'],
      comparedTo: { sources: [source, source] },
    }
    expect(appendHistory(app(), state, several, now)[0]).toMatchObject({
      id: 0,
      source: { repoURL: '' },
      sources: [source, source],
      revisions: ['a', 'b'],
    })
  })
})

describe('completedEvent', () => {
  it.each<[Partial<OperationState>, string, string]>([
    [
      { phase: 'Succeeded', syncResult: { revision: 'abc' } },
      'Normal',
      'Sync operation to abc succeeded',
    ],
    [
      { phase: 'Succeeded', syncResult: { revision: '' } },
      'Normal',
      'Sync operation to  succeeded',
    ],
    [{ phase: 'Error', message: 'no' }, 'Warning', 'Sync operation failed: no'],
    [
      {
        phase: 'Failed',
        message: 'no',
        syncResult: { revision: 'abc' },
        operation: { sync: { resources: [{ kind: 'ConfigMap', name: 'a' }] } },
      },
      'Warning',
      'Partial sync operation to abc failed: no',
    ],
  ])('%j', (changes, type, message) => {
    expect(completedEvent(running(changes))).toEqual({
      type,
      reason: 'OperationCompleted',
      message,
    })
  })
})

describe('newOperationState', () => {
  it('is written as Argo CD writes it', () => {
    const operation = {
      sync: { prune: false, revision: '', syncOptions: [], autoHealAttemptsCount: 0 },
      retry: { limit: 0, backoff: {} },
      info: [{ name: 'a', value: '' }],
    }
    expect(newOperationState(operation, now).operation).toEqual({
      sync: {},
      retry: { backoff: {} },
      initiatedBy: {},
      info: [{ name: 'a', value: '' }],
    })
  })
})
