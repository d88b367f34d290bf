import { describe, expect, it } from 'vitest'
import {
  compareVersions,
  formatVersion,
  parseConstraint,
  parseVersion,
  SemverIssue,
  type Version,
  versionSatisfies,
} from './semver.ts'

describe('versionSatisfies', () => {
  it.each([
    ['>=1.19-0', 'v1.19.0', true],
    ['>=1.19', '1.20.1-gke.1', false],
    ['>=1.19-0', '1.20.1-gke.1', true],
    ['*', '1.5.0-beta', false],
    ['1.x', '1.5.0', true],
    ['=1.2', '1.2.9', true],
    ['<1.2-0', '1.2.0-alpha', false],
    ['>= 1.16-0 < 1.19-0', '1.18.3', true],
    ['1.2 - 1.4', '1.4.9', true],
    ['1.2 - 1.4.5', '1.4.9', false],
    ['1.2.3-a - 2', '1.2.3-b', true],
    ['>1.2', '1.2.5', false],
    ['<=1.2', '1.2.5', true],
    ['^1.2.3-beta.2', '1.2.4-beta.4', true],
    ['>=1.0.0-0 || <0.5', '0.4.0-a', false],
    ['1.2.3+b', '1.2.3+a', true],
    ['^*', '1.4.0', false],
    ['!=1.2.x', '1.3.0', true],
    ['!=1.2.x', '1.2.7', false],
    ['~0.0.0', '7.1.0', true],
    ['^0.2.3', '0.3.0', false],
    ['>=1.0.0-0 <2.0.0', '1.5.0-alpha', true],
    ['>1', '1.9.0', false],
    ['>*', '0.0.1', true],
  ])('%s holds %s: %s', (constraint, version, want) => {
    expect(versionSatisfies(version, constraint)).toBe(want)
  })
})

it.each([
  ['bad', 'improper constraint: "bad"'],
  ['', 'improper constraint: ""'],
  ['>=1 ||', 'improper constraint: ""'],
])('parseConstraint(%j) says what is wrong', (text, message) => {
  expect(parseConstraint(text)).toEqual(new SemverIssue(message))
})

it.each([
  ['v1.2', '1.2.0'],
  ['1', '1.0.0'],
  ['01.02.3', '1.2.3'],
  ['1.2.3-a.1+b', '1.2.3-a.1+b'],
])('parseVersion(%s) is %s', (text, want) => {
  expect(formatVersion(parseVersion(text) as Version)).toBe(want)
})

it.each([
  ['1.2.3.4', 'invalid semantic version'],
  ['', 'invalid semantic version'],
  ['1.2.3-01', 'version segment starts with 0'],
  [
    '99999999999999999999',
    'error parsing version segment: strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
])('parseVersion(%j) is an issue', (text, message) => {
  expect(parseVersion(text)).toEqual(new SemverIssue(message))
})

it('orders prereleases as SemVer 2 does', () => {
  const ordered = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0']
  for (let i = 1; i < ordered.length; i++) {
    const [a, b] = [parseVersion(ordered[i - 1]!) as Version, parseVersion(ordered[i]!) as Version]
    expect(compareVersions(a, b)).toBeLessThan(0)
    expect(compareVersions(b, a)).toBeGreaterThan(0)
  }
})
