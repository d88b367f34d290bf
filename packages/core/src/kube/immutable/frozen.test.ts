import { describe, expect, it } from 'vitest'
import { frozenCases, set, workload } from '../../../test/support/frozen-cases.ts'
import { frozenChanges } from './frozen.ts'

describe('frozenChanges', () => {
  it.each(frozenCases)('%s', (_about, live, target, expected) => {
    const found = frozenChanges({ live, target, original: live, replaces: false })
    expect(found.map(({ field, certain }) => [field, certain])).toEqual(expected)
  })

  it('merges what others have set, unless the target takes the place of all', () => {
    const live = workload('Deployment', { selector: { matchLabels: { app: 'web', added: 'x' } } })
    const target = workload('Deployment', {})
    const check = (replaces: boolean): readonly string[] =>
      frozenChanges({ live, target, original: undefined, replaces }).map(({ field }) => field)
    expect(check(false)).toEqual([])
    expect(check(true)).toEqual(['spec.selector'])
  })

  it('says it in the words of the API server', () => {
    const [change] = frozenChanges({
      live: set({}),
      target: set({ podManagementPolicy: 'Parallel' }),
      original: undefined,
      replaces: false,
    })
    expect(change).toMatchObject({ field: 'spec.podManagementPolicy', certain: true })
    expect(change?.message).toContain("fields other than 'replicas', 'ordinals', 'template'")
  })
})
