import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareVersions,
  formatVersion,
  highestVersion,
  parseConstraint,
  parseStrictVersion,
  parseVersion,
  type Version,
} from './semver.ts'

const version = (text: string): Version => {
  const parsed = parseVersion(text)
  if ('error' in parsed) throw new Error(parsed.error)
  return parsed.value
}

const versions =
  '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0-alpha 1.0.0-rc.1 1.0.0 1.2.0 1.2.3-beta.2 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0-0 2.0.0 2.1.0-rc.1 11.1.0 v12.0.0'.split(
    ' ',
  )

/** Constraint → which of `versions` satisfy it, or the error. Recorded from Masterminds/semver v3.5.0. */
const recorded: readonly (readonly [string, string])[] = [
  ['*', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['', 'improper constraint: ""'],
  ['x', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['1', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['1.x', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['1.2', '1.2.0 1.2.3 1.2.4'],
  ['1.2.x', '1.2.0 1.2.3 1.2.4'],
  ['1.x.3', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['=1.2', '1.2.0 1.2.3 1.2.4'],
  ['=1.2.3', '1.2.3'],
  ['1.2.3', '1.2.3'],
  ['v1.2.3', '1.2.3'],
  ['!=1.2.3', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['!=1', '0.0.0 0.0.3 0.1.0 0.2.3 2.0.0 11.1.0 v12.0.0'],
  ['!=1.2', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['!=*', '0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['>1', '2.0.0 11.1.0 v12.0.0'],
  ['>1.2', '1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['>1.2.3', '1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['>11', 'v12.0.0'],
  ['>*', '0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['<1.2.3', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0'],
  ['<1', '0.0.0 0.0.3 0.1.0 0.2.3'],
  ['<=1', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['<=1.2', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4'],
  ['<=1.2.3', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3'],
  ['=<1.2', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4'],
  ['=>1.2', '1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['>=1.2', '1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['~1', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['~1.2', '1.2.0 1.2.3 1.2.4'],
  ['~1.2.3', '1.2.3 1.2.4'],
  ['~>1.2', '1.2.0 1.2.3 1.2.4'],
  ['~0.0.0', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['~*', '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['^1', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['^1.2', '1.2.0 1.2.3 1.2.4 1.3.0 1.10.0'],
  ['^1.2.3', '1.2.3 1.2.4 1.3.0 1.10.0'],
  ['^0', '0.0.0 0.0.3 0.1.0 0.2.3'],
  ['^0.2', '0.2.3'],
  ['^0.2.3', '0.2.3'],
  ['^0.0', '0.0.0 0.0.3'],
  ['^0.0.3', '0.0.3'],
  ['^*', '0.0.0'],
  [
    '>=1.0.0-0',
    '1.0.0-alpha 1.0.0-rc.1 1.0.0 1.2.0 1.2.3-beta.2 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0-0 2.0.0 2.1.0-rc.1 11.1.0 v12.0.0',
  ],
  ['^1.0.0-0', '1.0.0-alpha 1.0.0-rc.1 1.0.0 1.2.0 1.2.3-beta.2 1.2.3 1.2.4 1.3.0 1.10.0'],
  [
    '*-0',
    '0.0.0 0.0.3 0.1.0 0.2.3 1.0.0-alpha 1.0.0-rc.1 1.0.0 1.2.0 1.2.3-beta.2 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0-0 2.0.0 2.1.0-rc.1 11.1.0 v12.0.0',
  ],
  ['>=2.0.0-0', '2.0.0-0 2.0.0 2.1.0-rc.1 11.1.0 v12.0.0'],
  ['~1.2.3-beta.1', '1.2.3-beta.2 1.2.3 1.2.4'],
  ['1.0 - 1.2', '1.0.0 1.2.0 1.2.3 1.2.4'],
  [
    '1.0.0-0 - 2.0.0',
    '1.0.0-alpha 1.0.0-rc.1 1.0.0 1.2.0 1.2.3-beta.2 1.2.3 1.2.4 1.3.0 1.10.0 2.0.0-0 2.0.0',
  ],
  ['>=1.0.0 <1.10.0', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0'],
  ['>=1.0.0, <1.10.0', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0'],
  ['>=1.0.0,<1.10.0', '1.0.0 1.2.0 1.2.3 1.2.4 1.3.0'],
  ['<1.0.0 || >5', '0.0.0 0.0.3 0.1.0 0.2.3 11.1.0 v12.0.0'],
  ['<1.0.0||>5', '0.0.0 0.0.3 0.1.0 0.2.3 11.1.0 v12.0.0'],
  ['1.0 - 1.2 || 2', '1.0.0 1.2.0 1.2.3 1.2.4 2.0.0'],
  ['1.0 - 1.2||2.0 - 3.0', 'improper constraint: "2.0 - 3.0"'],
  ['1.2.3.4', 'improper constraint: "1.2.3.4"'],
  ['>1<2', 'improper constraint: ">1<2"'],
  ['latest', 'improper constraint: "latest"'],
  ['HEAD', 'improper constraint: "HEAD"'],
  ['1,', 'improper constraint: "1,"'],
  ['>= 1.2.3', '1.2.3 1.2.4 1.3.0 1.10.0 2.0.0 11.1.0 v12.0.0'],
  ['>=1.2.3-01', 'constraint parser error'],
  ['1|2', 'constraint parser error'],
  [' 1.2.3 ', '1.2.3'],
  ['>>1', 'improper constraint: ">>1"'],
  ['==1', 'improper constraint: "==1"'],
  ['1.2.3+build', '1.2.3'],
  ['>=99999999999999999999', 'constraint parser error'],
]

describe('constraints', () => {
  it.each(recorded)('%j', (text, want) => {
    const parsed = parseConstraint(text, { quoted: true })
    const got =
      'error' in parsed
        ? parsed.error
        : versions.filter((one) => parsed.value.matches(version(one))).join(' ')
    expect(got).toBe(want)
  })

  it('shows a faulty text without quotes, as Argo CD does', () => {
    expect(parseConstraint('HEAD')).toEqual({ error: 'improper constraint: HEAD' })
  })

  it('has limits', () => {
    expect(parseConstraint('1 '.repeat(300))).toEqual({
      error: 'constraint string is too long (max 512 bytes)',
    })
    expect(parseConstraint(Array(33).fill('1').join('||'))).toEqual({
      error: 'too many constraint groups (max 32)',
    })
  })

  it('answers at once, whatever is asked', () => {
    const started = performance.now()
    for (const text of [
      '1  '.repeat(160) + '!',
      ' '.repeat(500) + '!',
      '1-' + 'a-'.repeat(250),
      '1.'.repeat(255),
      '1 - '.repeat(127),
    ]) {
      parseConstraint(text)
    }
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('versions', () => {
  it.each([
    ['1.2.3', '1.2.3'],
    ['v1', '1.0.0'],
    ['01.02', '1.2.0'],
    ['1.2.3-rc.1+b.5', '1.2.3-rc.1+b.5'],
    ['1.2.3-01', 'version segment starts with 0'],
    ['V1', 'invalid semantic version'],
    ['', 'invalid semantic version'],
    ['1.2.3.4', 'invalid semantic version'],
    ['1.2.3-', 'invalid semantic version'],
    [
      '18446744073709551616.0.0',
      'error parsing version segment: strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ['1'.repeat(257), 'version string is too long (max 256 bytes)'],
  ])('%j is read loosely as %j', (text, want) => {
    const parsed = parseVersion(text)
    expect('error' in parsed ? parsed.error : formatVersion(parsed.value)).toBe(want)
  })

  it.each([
    ['1.2.3-rc.1+b.5', '1.2.3-rc.1+b.5'],
    ['', 'version string empty'],
    ['1.2', 'invalid semantic version'],
    ['v1.2.3', 'invalid characters in version'],
    ['01.2.3', 'version segment starts with 0'],
    ['1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['1.2.3-', 'invalid prerelease string'],
    ['1.2.3-01', 'version segment starts with 0'],
    ['1.2.3+', 'invalid metadata string'],
  ])('%j is read strictly as %j', (text, want) => {
    const parsed = parseStrictVersion(text)
    expect('error' in parsed ? parsed.error : formatVersion(parsed.value)).toBe(want)
  })

  it('keeps the order of the semantic versioning page', () => {
    const ordered =
      '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0'.split(
        ' ',
      )
    for (const [i, a] of ordered.entries()) {
      for (const [j, b] of ordered.entries()) {
        expect(compareVersions(version(a), version(b))).toBe(Math.sign(i - j))
      }
    }
    expect(compareVersions(version('1.0.0+a'), version('1.0.0+b'))).toBe(0)
  })

  it('is a total order up to metadata', () => {
    const part = fc.constantFrom('0', '1', '10', 'a', 'b', 'a-b')
    const any = fc
      .tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.array(part, { maxLength: 3 }))
      .map(([a, b, c, pre]) =>
        version(`${a}.${b}.${c}${pre.length > 0 ? `-${pre.join('.')}` : ''}`),
      )
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
        }
      }),
    )
  })
})

describe('the highest version', () => {
  const constraint = (text: string) => {
    const parsed = parseConstraint(text)
    if ('error' in parsed) throw new Error(parsed.error)
    return parsed.value
  }
  it('is given as it was written; the first of equal ones stays; other texts are passed over', () => {
    expect(
      highestVersion(['latest', 'v1.2', '1.2.0', '1.1.9', '2.0.0-rc.1'], constraint('*')),
    ).toBe('v1.2')
    expect(highestVersion(['1.0.0+a', '1.0.0+b'], constraint('1.x'))).toBe('1.0.0+a')
    expect(highestVersion(['1.0.0'], constraint('>1'))).toBeUndefined()
  })
})
