import { quoteGo } from './go-quote.ts'

/** A version as Masterminds/semver reads it. Numbers are unsigned 64-bit. */
export interface Version {
  readonly major: bigint
  readonly minor: bigint
  readonly patch: bigint
  /** Without the '-'; '' when there is none. */
  readonly prerelease: string
  /** Without the '+'; '' when there is none. */
  readonly metadata: string
  /** As it was written, a leading `v` included. */
  readonly original: string
}

/** A set of ranges: alternatives joined by `||`, each a list of terms that must all hold. */
export interface VersionConstraint {
  readonly text: string
  /** Pre-releases satisfy an alternative only when one of its terms names a pre-release. */
  matches(version: Version): boolean
}

export type Parsed<T> = { readonly value: T } | { readonly error: string }

const maxVersionBytes = 256 // Masterminds/semver v3.5.0 MaxVersionLen
const maxConstraintBytes = 512 // MaxConstraintLen
const maxAlternatives = 32 // MaxConstraintGroups
const uint64Limit = 1n << 64n

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const tail = `(?:-(${identifiers}))?(?:\\+(${identifiers}))?`
const looseVersion = new RegExp(`^v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?${tail}$`)

const invalid = 'invalid semantic version'

/**
 * A version, read loosely: `v1`, `1.2` and leading zeros in numbers are fine.
 *
 * Source: Masterminds/semver v3.5.0 NewVersion, with CoerceNewVersion
 */
export function parseVersion(text: string): Parsed<Version> {
  if (text.length > maxVersionBytes) {
    return { error: `version string is too long (max ${maxVersionBytes} bytes)` }
  }
  const match = looseVersion.exec(text)
  if (match === null) return { error: invalid }
  const numbers: bigint[] = []
  for (const digits of [match[1]!, match[2] ?? '0', match[3] ?? '0']) {
    const number = BigInt(digits)
    if (number >= uint64Limit) {
      const reason = `strconv.ParseUint: parsing ${quoteGo(digits)}: value out of range`
      return { error: `error parsing version segment: ${reason}` }
    }
    numbers.push(number)
  }
  const [major, minor, patch] = numbers as [bigint, bigint, bigint]
  const prerelease = match[4] ?? ''
  if (hasLeadingZero(prerelease)) return { error: 'version segment starts with 0' }
  return { value: { major, minor, patch, prerelease, metadata: match[5] ?? '', original: text } }
}

/**
 * A version with all three numbers, without `v` and without leading zeros.
 *
 * Source: Masterminds/semver v3.5.0 StrictNewVersion
 */
export function parseStrictVersion(text: string): Parsed<Version> {
  if (text === '') return { error: 'version string empty' }
  if (text.length > maxVersionBytes) {
    return { error: `version string is too long (max ${maxVersionBytes} bytes)` }
  }
  const [major, minor, ...others] = text.split('.')
  if (minor === undefined || others.length === 0) return { error: invalid }
  let rest = others.join('.')
  const plus = rest.indexOf('+')
  const metadata = plus === -1 ? undefined : rest.slice(plus + 1)
  if (plus !== -1) rest = rest.slice(0, plus)
  const all = new RegExp(`^${identifiers}$`)
  if (metadata !== undefined && !all.test(metadata)) return { error: 'invalid metadata string' }
  const dash = rest.indexOf('-')
  const prerelease = dash === -1 ? undefined : rest.slice(dash + 1)
  if (dash !== -1) rest = rest.slice(0, dash)
  if (prerelease !== undefined) {
    // identifiers are judged one after the other, so the first bad one decides which error it is
    for (const part of prerelease.split('.')) {
      if (!/^[0-9A-Za-z-]+$/.test(part)) return { error: 'invalid prerelease string' }
      if (hasLeadingZero(part)) return { error: 'version segment starts with 0' }
    }
  }
  const numbers: bigint[] = []
  for (const digits of [major!, minor, rest]) {
    if (/[^0-9]/.test(digits)) return { error: 'invalid characters in version' }
    if (/^0./.test(digits)) return { error: 'version segment starts with 0' }
  }
  for (const digits of [major!, minor, rest]) {
    const reason = `strconv.ParseUint: parsing ${quoteGo(digits)}: `
    if (digits === '') return { error: reason + 'invalid syntax' }
    const number = BigInt(digits)
    if (number >= uint64Limit) return { error: reason + 'value out of range' }
    numbers.push(number)
  }
  return {
    value: {
      major: numbers[0]!,
      minor: numbers[1]!,
      patch: numbers[2]!,
      prerelease: prerelease ?? '',
      metadata: metadata ?? '',
      original: text,
    },
  }
}

/** `1.2.3-pre+meta`, whatever the original looked like. */
export function formatVersion(version: Version): string {
  const { major, minor, patch, prerelease, metadata } = version
  return `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`
}

/** Order of two versions by precedence: numbers, then pre-releases below releases. Metadata does not count. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1
  }
  if (a.prerelease === '' || b.prerelease === '') {
    return a.prerelease === b.prerelease ? 0 : a.prerelease === '' ? 1 : -1
  }
  return comparePrereleases(a.prerelease, b.prerelease)
}

function comparePrereleases(a: string, b: string): -1 | 0 | 1 {
  const one = a.split('.')
  const other = b.split('.')
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const x = one[i] ?? ''
    const y = other[i] ?? ''
    if (x === y) continue
    if (x === '' || y === '') return x === '' ? -1 : 1
    const xNumber = numberOf(x)
    const yNumber = numberOf(y)
    if (xNumber === undefined && yNumber === undefined) return x > y ? 1 : -1
    if (xNumber === undefined || yNumber === undefined) return xNumber === undefined ? 1 : -1
    return xNumber > yNumber ? 1 : -1
  }
  return 0
}

function numberOf(part: string): bigint | undefined {
  if (!/^[0-9]+$/.test(part)) return undefined
  const number = BigInt(part)
  return number < uint64Limit ? number : undefined
}

function hasLeadingZero(prerelease: string): boolean {
  return prerelease.split('.').some((part) => /^0[0-9]+$/.test(part))
}

// Parity: '|' counts as a digit in a constraint, as it does in Masterminds' expression, so that `1.0 - 2.0||3.0` fails.
const wild = '[0-9|xX*]+'
const operand = `v?${wild}(?:\\.${wild})?(?:\\.${wild})?(?:-${identifiers})?(?:\\+${identifiers})?`
const space = '[\\t\\n\\f\\r ]'
const operator = '!=|=>|=<|>=|<=|~>|[=<>~^]'
// one way only to read any run of spaces, so that no text can make the matcher try them all
const separator = `(?:${space}+(?:,${space}*)?|,${space}*)`
const term = `(?:(?:${operator})${space}*)?${operand}`
const alternative = new RegExp(`^${space}*${term}(?:${separator}${term})*${space}*$`)
const eachTerm = new RegExp(`(?:(${operator})${space}*)?(${operand})`, 'g')
const hyphenRange = new RegExp(`${space}*(${operand})${space}+-${space}+(${operand})${space}*`, 'g')
const operandParts = new RegExp(
  `^v?(${wild})(?:\\.(${wild}))?(?:\\.(${wild}))?(-${identifiers})?(?:\\+${identifiers})?$`,
)

interface Term {
  readonly operator: string
  /** The version with every missing or wild number as 0. */
  readonly bound: Version
  /** How many numbers were given before the first wild or missing one: 0 to 3. */
  readonly given: number
}

/**
 * A constraint such as `^1.2`, `>=1.0.0, <2 || 3.x`, `1.2 - 2.3` or `*`.
 *
 * `quoted` chooses how a faulty text is shown: in quotes as of v3.5.0 (Helm 4.2), bare as in v3.4.0 (Argo CD v3.5.1).
 *
 * Source: Masterminds/semver v3.5.0 NewConstraint and Check
 */
export function parseConstraint(
  text: string,
  options: { readonly quoted?: boolean } = {},
): Parsed<VersionConstraint> {
  if (text.length > maxConstraintBytes) {
    return { error: `constraint string is too long (max ${maxConstraintBytes} bytes)` }
  }
  const rewritten = text.replace(
    hyphenRange,
    (_, low: string, high: string) => `>= ${low}, <= ${high} `,
  )
  const parts = rewritten.split('||')
  if (parts.length > maxAlternatives) {
    return { error: `too many constraint groups (max ${maxAlternatives})` }
  }
  const alternatives: { readonly terms: readonly Term[]; readonly prereleases: boolean }[] = []
  for (const part of parts) {
    if (!alternative.test(part)) {
      return { error: `improper constraint: ${options.quoted === true ? quoteGo(part) : part}` }
    }
    const terms: Term[] = []
    for (const [, operator, operand] of part.matchAll(eachTerm)) {
      const found = parseTerm(operator ?? '', operand!)
      if (found === undefined) return { error: 'constraint parser error' }
      terms.push(found)
    }
    alternatives.push({ terms, prereleases: terms.some((one) => one.bound.prerelease !== '') })
  }
  return {
    value: {
      text,
      matches: (version) =>
        alternatives.some(
          ({ terms, prereleases }) =>
            (version.prerelease === '' || prereleases) && terms.every((one) => holds(version, one)),
        ),
    },
  }
}

function parseTerm(operator: string, operand: string): Term | undefined {
  const match = operandParts.exec(operand)
  if (match === null) return undefined
  const numbers = [match[1]!, match[2], match[3]]
  const open = numbers.findIndex((number) => number === undefined || /^[xX*]$/.test(number))
  const given = open === -1 ? 3 : open
  const text =
    given === 3
      ? operand
      : [...numbers.slice(0, given), '0', '0', '0'].slice(0, 3).join('.') + (match[4] ?? '')
  const bound = parseVersion(text)
  return 'error' in bound ? undefined : { operator, bound: bound.value, given }
}

function holds(version: Version, { operator, bound, given }: Term): boolean {
  const order = compareVersions(version, bound)
  switch (operator) {
    case '!=':
      return differs(version, bound, given)
    case '>':
      // a bound with open numbers stands for all of them: 11.1.0 is not greater than 11
      if (given === 3 || given === 0 || version.major !== bound.major) {
        return given === 0 && version.major !== bound.major
          ? version.major > bound.major
          : order > 0
      }
      return given === 2 && version.minor > bound.minor
    case '<':
      return order < 0
    case '>=':
    case '=>':
      return order >= 0
    case '<=':
    case '=<':
      if (given === 3) return order <= 0
      if (version.major > bound.major) return false
      return !(given !== 1 && version.major === bound.major && version.minor > bound.minor)
    case '^':
      return order >= 0 && inCaretRange(version, bound, given)
    case '~':
    case '~>':
      return order >= 0 && inTildeRange(version, bound, given)
    default:
      return given === 3 ? order === 0 : order >= 0 && inTildeRange(version, bound, given)
  }
}

function differs(version: Version, bound: Version, given: number): boolean {
  if (given === 3 || version.major !== bound.major) {
    return version.major !== bound.major || compareVersions(version, bound) !== 0
  }
  if (given === 1) return false
  if (version.minor !== bound.minor) return true
  if (given === 0) return compareVersions(version, bound) !== 0
  return comparePrereleases(version.prerelease, bound.prerelease) !== 0
}

function inTildeRange(version: Version, bound: Version, given: number): boolean {
  const isZero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n
  // Parity: `~0.0.0` takes everything, as `~*` does
  if (isZero && given !== 1 && given !== 2) return true
  return version.major === bound.major && (given === 1 || version.minor === bound.minor)
}

function inCaretRange(version: Version, bound: Version, given: number): boolean {
  if (bound.major > 0n || given === 1) return version.major === bound.major
  if (version.major > 0n) return false
  if (bound.minor > 0n || given === 2) return version.minor === bound.minor
  // Parity: `^*` is `^0.0.0`, which takes 0.0.0 alone
  return version.minor === 0n && version.patch === bound.patch
}

/**
 * The text of the highest version among `candidates` that satisfies the constraint; the first of equal ones.
 * Candidates that are no versions are passed over. Undefined when none fits.
 */
export function highestVersion(
  candidates: Iterable<string>,
  constraint: VersionConstraint,
): string | undefined {
  let best: Version | undefined
  for (const candidate of candidates) {
    const version = parseVersion(candidate)
    if ('error' in version || !constraint.matches(version.value)) continue
    if (best === undefined || compareVersions(version.value, best) > 0) best = version.value
  }
  return best?.original
}
