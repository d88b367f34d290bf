import { describe, expect, it } from 'vitest'
import { unrest } from './settle.ts'

const rest = { metadata: { name: 'a' }, status: { sync: { status: 'Synced' } } }

describe('when an Application is at rest', () => {
  it.each([
    ['compared', rest, false, undefined],
    ['with a condition only', { status: { conditions: [{ type: 'X' }] } }, false, undefined],
    ['without any status', { metadata: { name: 'a' } }, false, 'has neither'],
    ['with an operation', { ...rest, operation: { sync: {} } }, false, 'has an operation'],
    ['with one that may run', { ...rest, operation: { sync: {} } }, true, undefined],
    [
      'with one that is running',
      { status: { ...rest.status, operationState: { phase: 'Running' } } },
      false,
      'is Running',
    ],
    [
      'with one that is over',
      { status: { ...rest.status, operationState: { phase: 'Failed' } } },
      false,
      undefined,
    ],
    [
      'asked to refresh',
      { ...rest, metadata: { annotations: { 'argocd.argoproj.io/refresh': '' } } },
      true,
      'refresh annotation',
    ],
  ])('%s', (_, app, runningIsRest, expected) => {
    const why = unrest(app, runningIsRest)
    if (expected === undefined) expect(why).toBeUndefined()
    else expect(why).toContain(expected)
  })
})
