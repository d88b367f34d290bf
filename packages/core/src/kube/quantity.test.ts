import { describe, expect, it } from 'vitest'
import { canonicalQuantity } from './quantity.ts'

describe('canonicalQuantity', () => {
  it.each([
    ['0.2', '200m'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1.0', '1'],
    ['1.5', '1500m'],
    ['1.500', '1.500'],
    ['1024Mi', '1Gi'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1000Mi', '1000Mi'],
    ['1000M', '1G'],
    ['1073741824', '1073741824'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['12E', '12E'],
    ['1000E', '1'],
    ['-0.5', '-500m'],
    ['+5', '+5'],
    ['0012', '0012'],
    ['0', '0'],
    ['0.0', '0'],
    ['000Gi', '0'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['8Ei', '9223372036854775807'],
    ['99999999999999999999', '99999999999999999999'],
    ['.5', '500m'],
    ['5.', '5.'],
  ])('%s is %s', (text, want) => {
    expect(canonicalQuantity(text)).toBe(want)
  })

  it.each([
    '',
    'abc',
    '1K',
    '1ki',
    '1Kib',
    '1 Gi',
    '1e',
    '--1',
    '1.2.3',
    '0x1',
    'Ei',
    '1,5',
    '1e9999999999999999999',
  ])('%j is no quantity', (text) => {
    expect(canonicalQuantity(text)).toBeUndefined()
  })

  it('does not work on for ever on a long text', () => {
    expect(canonicalQuantity('1'.repeat(20_000))).toBeUndefined()
    expect(canonicalQuantity(`1e-${'9'.repeat(9)}`)).toBe('1e-9')
  })
})
