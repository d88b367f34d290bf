import { describe, expect, it } from 'vitest'
import type { Application, OperationState } from '../argo/index.ts'
import { missedLook } from './refresh.ts'

const state: OperationState = {
  operation: { sync: {}, initiatedBy: { username: 'admin' } },
  phase: 'Succeeded',
  startedAt: '2026-01-02T03:04:00Z',
  finishedAt: '2026-01-02T03:04:05Z',
}

describe('missedLook', () => {
  it.each<[string, Partial<OperationState> | undefined, string | undefined, 2 | 3 | undefined]>([
    ['nobody has looked since the end', {}, '2026-01-02T03:04:00Z', 3],
    ['nobody has looked at all', {}, undefined, 3],
    ['the last look was in the second of the end', {}, '2026-01-02T03:04:05Z', 3],
    ['somebody has looked since', {}, '2026-01-02T03:04:06Z', undefined],
    [
      'the sync was automated',
      { operation: { sync: {}, initiatedBy: { automated: true } } },
      undefined,
      2,
    ],
    ['it was a dry run', { operation: { sync: { dryRun: true } } }, undefined, undefined],
    ['it was no sync', { operation: {} }, undefined, undefined],
    ['it waits for its next attempt', { phase: 'Running' }, undefined, undefined],
    ['there was no operation', undefined, undefined, undefined],
  ])('when %s', (_name, changes, reconciledAt, want) => {
    const app: Application = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'a' },
      spec: { project: 'default', destination: {} },
      status: {
        ...(reconciledAt === undefined ? {} : { reconciledAt }),
        ...(changes === undefined ? {} : { operationState: { ...state, ...changes } }),
      },
    }
    expect(missedLook(app)).toBe(want)
  })
})
