import { quoteGo } from './go-quote.ts'

/** A version as Masterminds/semver reads it: missing minor and patch are 0, a leading `v` is allowed. */
export interface Version {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  /** Without the hyphen; '' for a release. */
  readonly prerelease: string
  /** Without the plus; '' when absent. */
  readonly metadata: string
  /** The text that was read. */
  readonly original: string
}

/** What is wrong with a version or a constraint, in the words of Masterminds/semver v3. */
export class SemverIssue {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

const maxVersionLength = 256 // semver v3.5.0 version.go
const maxConstraintLength = 512
const maxConstraintGroups = 32

const identifiers = String.raw`[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`
const looseVersion = new RegExp(
  String.raw`^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-(${identifiers}))?(?:\+(${identifiers}))?$`,
)

/** semver.NewVersion. */
export function parseVersion(text: string): Version | SemverIssue {
  if (text.length > maxVersionLength) return new SemverIssue('version string is too long')
  const match = looseVersion.exec(text)
  if (match === null || text.endsWith('\n')) return new SemverIssue('invalid semantic version')
  const numbers: bigint[] = []
  for (const part of [match[1]!, match[2] ?? '0', match[3] ?? '0']) {
    const value = BigInt(part)
    if (value >= 1n << 64n) {
      return new SemverIssue(
        `error parsing version segment: strconv.ParseUint: parsing ${quoteGo(part)}: value out of range`,
      )
    }
    numbers.push(value)
  }
  const prerelease = match[4] ?? ''
  if (prerelease !== '' && prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))) {
    return new SemverIssue('version segment starts with 0')
  }
  return {
    major: numbers[0]!,
    minor: numbers[1]!,
    patch: numbers[2]!,
    prerelease,
    metadata: match[5] ?? '',
    original: text,
  }
}

/** semver.StrictNewVersion succeeds: three parts, no `v`, no leading zeros. */
export function isStrictVersion(text: string): boolean {
  if (!/^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-|\+|$)/.test(text)) return false
  return !(parseVersion(text) instanceof SemverIssue)
}

/** `1.2.3-pre+meta`, without a leading `v`. */
export function formatVersion(version: Version): string {
  return (
    `${version.major}.${version.minor}.${version.patch}` +
    (version.prerelease === '' ? '' : '-' + version.prerelease) +
    (version.metadata === '' ? '' : '+' + version.metadata)
  )
}

/** SemVer 2 precedence: negative, zero or positive; metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  if (a.major !== b.major) return a.major < b.major ? -1 : 1
  if (a.minor !== b.minor) return a.minor < b.minor ? -1 : 1
  if (a.patch !== b.patch) return a.patch < b.patch ? -1 : 1
  if (a.prerelease === b.prerelease) return 0
  if (a.prerelease === '') return 1
  if (b.prerelease === '') return -1
  return comparePrerelease(a.prerelease, b.prerelease)
}

function comparePrerelease(a: string, b: string): number {
  const left = a.split('.')
  const right = b.split('.')
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = comparePart(left[i] ?? '', right[i] ?? '')
    if (order !== 0) return order
  }
  return 0
}

const digits = /^[0-9]+$/

function comparePart(a: string, b: string): number {
  if (a === b) return 0
  if (a === '') return -1
  if (b === '') return 1
  const aNumber = digits.test(a) && BigInt(a) < 1n << 64n
  const bNumber = digits.test(b) && BigInt(b) < 1n << 64n
  if (aNumber && bNumber) return BigInt(a) > BigInt(b) ? 1 : -1
  if (aNumber !== bNumber) return aNumber ? -1 : 1
  return a > b ? 1 : -1
}

interface Comparator {
  readonly operator: string
  readonly version: Version
  readonly minorMissing: boolean
  readonly patchMissing: boolean
  /** Some part is missing or `x`. */
  readonly dirty: boolean
}

/** Groups joined by `||`, each a list of comparators that must all hold. */
export interface Constraint {
  readonly groups: readonly { readonly comparators: readonly Comparator[]; readonly pre: boolean }[]
}

const ws = String.raw`[\t\n\f\r ]`
const partial = String.raw`v?([0-9|x|X|*]+)(\.[0-9|x|X|*]+)?(\.[0-9|x|X|*]+)?(-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?`
const operators = String.raw`=||!=|>|<|>=|=>|<=|=<|~|~>|\^`
const comparatorPattern = new RegExp(`^${ws}*(${operators})${ws}*(${partial})${ws}*$`)
const rangePattern = new RegExp(`${ws}*(${partial})${ws}+-${ws}+(${partial})${ws}*`, 'g')
const findPattern = new RegExp(`(${operators})${ws}*(${partial})`, 'g')
const groupPattern = new RegExp(
  `^(${ws}*(${operators})${ws}*(${partial})${ws}*)((?:${ws}+|,${ws}*)(${operators})${ws}*(${partial})${ws}*)*$`,
)

/** semver.NewConstraint. */
export function parseConstraint(text: string): Constraint | SemverIssue {
  if (text.length > maxConstraintLength) {
    return new SemverIssue(`constraint string is too long (max ${maxConstraintLength} bytes)`)
  }
  const groups = rewriteRanges(text).split('||')
  if (groups.length > maxConstraintGroups) {
    return new SemverIssue(`too many constraint groups (max ${maxConstraintGroups})`)
  }
  const out: { comparators: Comparator[]; pre: boolean }[] = []
  for (const group of groups) {
    if (!groupPattern.test(group)) return new SemverIssue(`improper constraint: ${quoteGo(group)}`)
    const comparators: Comparator[] = []
    for (const found of group.matchAll(findPattern)) {
      const comparator = parseComparator(found[0])
      if (comparator instanceof SemverIssue) return comparator
      comparators.push(comparator)
    }
    out.push({ comparators, pre: comparators.some((c) => c.version.prerelease !== '') })
  }
  return { groups: out }
}

/** `A - B` becomes `>= A, <= B`. */
function rewriteRanges(text: string): string {
  let out = text
  for (const match of text.matchAll(rangePattern)) {
    out = out.replace(match[0], () => `>= ${match[1]}, <= ${match[11]} `)
  }
  return out
}

function parseComparator(text: string): Comparator | SemverIssue {
  const match = comparatorPattern.exec(text)
  if (match === null) return new SemverIssue(`improper constraint: ${quoteGo(text)}`)
  const [major, minor, patch, pre] = [match[3]!, match[4] ?? '', match[5] ?? '', match[6] ?? '']
  let version = match[2]!
  let minorMissing = false
  let patchMissing = false
  let dirty = true
  if (isWild(major)) version = `0.0.0${pre}`
  else if (minor === '' || isWild(minor.slice(1))) {
    minorMissing = true
    version = `${major}.0.0${pre}`
  } else if (patch === '' || isWild(patch.slice(1))) {
    patchMissing = true
    version = `${major}${minor}.0${pre}`
  } else dirty = false
  const parsed = parseVersion(version)
  if (parsed instanceof SemverIssue) return new SemverIssue('constraint parser error')
  return { operator: match[1]!, version: parsed, minorMissing, patchMissing, dirty }
}

function isWild(text: string): boolean {
  return text === 'x' || text === 'X' || text === '*'
}

/** Constraints.Check: one group holds. A prerelease needs a comparator with one in the same group. */
export function satisfies(version: Version, constraint: Constraint): boolean {
  return constraint.groups.some(
    (group) =>
      (version.prerelease === '' || group.pre) &&
      group.comparators.every((comparator) => holds(version, comparator)),
  )
}

function holds(v: Version, c: Comparator): boolean {
  const order = compareVersions(v, c.version)
  switch (c.operator) {
    case '!=':
      return differs(v, c, order)
    case '>':
      if (!c.dirty) return order > 0
      if (v.major !== c.version.major) return v.major > c.version.major
      if (c.minorMissing) return false
      if (c.patchMissing) return v.minor > c.version.minor
      return order > 0
    case '<':
      return order < 0
    case '>=':
    case '=>':
      return order >= 0
    case '<=':
    case '=<':
      if (!c.dirty) return order <= 0
      if (v.major > c.version.major) return false
      return !(v.major === c.version.major && v.minor > c.version.minor && !c.minorMissing)
    case '~':
    case '~>':
      return tilde(v, c, order)
    case '^':
      return caret(v, c, order)
    default:
      return c.dirty ? tilde(v, c, order) : order === 0
  }
}

function differs(v: Version, c: Comparator, order: number): boolean {
  if (!c.dirty) return order !== 0
  if (c.version.major !== v.major) return true
  if (c.minorMissing) return false
  if (c.version.minor !== v.minor) return true
  if (c.patchMissing) {
    if (v.prerelease === '' && c.version.prerelease === '') return false
    return comparePrerelease(v.prerelease, c.version.prerelease) !== 0
  }
  return c.version.patch !== v.patch ? true : order !== 0
}

function tilde(v: Version, c: Comparator, order: number): boolean {
  if (order < 0) return false
  const { major, minor, patch } = c.version
  if (major === 0n && minor === 0n && patch === 0n && !c.minorMissing && !c.patchMissing) return true
  if (v.major !== major) return false
  return c.minorMissing || v.minor === minor
}

function caret(v: Version, c: Comparator, order: number): boolean {
  if (order < 0) return false
  if (c.version.major > 0n || c.minorMissing) return v.major === c.version.major
  if (v.major > 0n) return false
  if (c.version.minor > 0n || c.patchMissing) return v.minor === c.version.minor
  if (v.minor > 0n) return false
  return c.version.patch === v.patch
}

/** semverCompare of a constraint text and a version text; false when either cannot be read. */
export function versionSatisfies(version: string, constraint: string): boolean {
  const parsed = parseVersion(version)
  const rule = parseConstraint(constraint)
  return !(parsed instanceof SemverIssue) && !(rule instanceof SemverIssue) && satisfies(parsed, rule)
}
