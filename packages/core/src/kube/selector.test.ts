import { expect, it } from 'vitest'
import { fitsSelector } from './selector.ts'

const labels = { team: 'red', tier: 'web' }

it.each([
  [{}, true],
  [{ matchLabels: { team: 'red' } }, true],
  [{ matchLabels: { team: 'blue' } }, false],
  [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['red', 'blue'] }] }, true],
  [{ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['red'] }] }, false],
  [{ matchExpressions: [{ key: 'other', operator: 'NotIn', values: ['red'] }] }, true],
  [{ matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, false],
  [{ matchExpressions: [{ key: 'tier', operator: 'Like', values: ['w'] }] }, undefined],
  [{ matchExpressions: [{ key: 'tier', operator: 'In' }] }, undefined],
  [undefined, undefined],
])('%j: %s', (selector, want) => {
  expect(fitsSelector(selector, labels)).toBe(want)
})
