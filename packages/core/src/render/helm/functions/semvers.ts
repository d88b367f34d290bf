import {
  type FunctionDef,
  FunctionFailure,
  SizedInt,
  Struct,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import {
  compareVersions,
  formatVersion,
  parseConstraint,
  parseVersion,
  type Version,
} from '../../../text/index.ts'
import { define, type FunctionList } from './define.ts'

export const semverFunctions: FunctionList = [
  ['semver', define('s', ([text]) => versionValue(readVersion(text), true))],
  [
    'semverCompare',
    define('ss', ([constraint, text]) => {
      const rule = constraintOf(constraint)
      if ('error' in rule) throw new FunctionFailure(rule.error)
      return rule.value.matches(readVersion(text))
    }),
  ],
]

const maxConstraints = 500
const constraints = new Map<string, ReturnType<typeof parseConstraint>>()

/** A constraint, read once: charts ask the same few all the time. */
export function constraintOf(text: string): ReturnType<typeof parseConstraint> {
  let rule = constraints.get(text)
  if (rule === undefined) {
    rule = parseConstraint(text, { quoted: true })
    if (constraints.size >= maxConstraints) constraints.clear()
    constraints.set(text, rule)
  }
  return rule
}

function readVersion(text: string): Version {
  const version = parseVersion(text)
  if ('error' in version) throw new FunctionFailure(version.error)
  return version.value
}

const versions = new WeakMap<Struct, Version>()

const zeroVersion: Version = {
  major: 0n,
  minor: 0n,
  patch: 0n,
  prerelease: '',
  metadata: '',
  original: '',
}

/** A *semver.Version, or a semver.Version as its Inc… methods give. */
function versionValue(version: Version, pointer: boolean): Struct {
  const value: Struct = new Struct(
    pointer ? '*semver.Version' : 'semver.Version',
    [
      ['major', new SizedInt('uint64', version.major)],
      ['minor', new SizedInt('uint64', version.minor)],
      ['patch', new SizedInt('uint64', version.patch)],
      ['pre', version.prerelease],
      ['metadata', version.metadata],
      ['original', version.original],
    ],
    {
      methods: methodsOf(version, pointer),
      text: { value: () => formatVersion(version) },
      json: () => formatVersion(version),
      exportedOnly: () => versionValue(zeroVersion, pointer),
    },
  )
  versions.set(value, version)
  return value
}

function methodsOf(version: Version, pointer: boolean): { readonly [name: string]: FunctionDef } {
  const uint = (value: bigint): SizedInt => new SizedInt('uint64', value)
  const next = (changes: Partial<Version>): Struct => {
    const changed = { ...version, prerelease: '', metadata: '', ...changes }
    const v = version.original.startsWith('v') ? 'v' : ''
    return versionValue({ ...changed, original: v + formatVersion(changed) }, false)
  }
  const compared = (test: (order: number) => boolean): FunctionDef => ({
    params: ['*semver.Version'],
    call: ([other]) => test(compareVersions(version, versionOf(other))),
  })
  const values: { [name: string]: FunctionDef } = {
    Major: define('', () => uint(version.major)),
    Minor: define('', () => uint(version.minor)),
    Patch: define('', () => uint(version.patch)),
    Prerelease: define('', () => version.prerelease),
    Metadata: define('', () => version.metadata),
    String: define('', () => formatVersion(version)),
    IncPatch: define('', () =>
      next(version.prerelease === '' ? { patch: version.patch + 1n } : {}),
    ),
    IncMinor: define('', () => next({ minor: version.minor + 1n, patch: 0n })),
    IncMajor: define('', () => next({ major: version.major + 1n, minor: 0n, patch: 0n })),
    SetPrerelease: define('s', ([text]) => {
      checkPart(`1.0.0-${text}`, text, 'invalid prerelease string')
      return next({ prerelease: text, metadata: version.metadata })
    }),
    SetMetadata: define('s', ([text]) => {
      checkPart(`1.0.0+${text}`, text, 'invalid metadata string')
      return next({ prerelease: version.prerelease, metadata: text })
    }),
  }
  if (!pointer) return values
  return {
    ...values,
    Original: define('', () => version.original),
    LessThan: compared((order) => order < 0),
    LessThanEqual: compared((order) => order <= 0),
    GreaterThan: compared((order) => order > 0),
    GreaterThanEqual: compared((order) => order >= 0),
    Equal: compared((order) => order === 0),
    Compare: {
      params: ['*semver.Version'],
      call: ([other]) => BigInt(compareVersions(version, versionOf(other))),
    },
  }
}

function versionOf(value: Value): Version {
  const version = value instanceof Struct ? versions.get(value) : undefined
  if (version === undefined) {
    throw new FunctionFailure('runtime error: invalid memory address or nil pointer dereference')
  }
  return version
}

function checkPart(whole: string, part: string, message: string): void {
  if (part === '') return
  const parsed = parseVersion(whole)
  if ('error' in parsed) {
    throw new FunctionFailure(parsed.error.includes('starts with 0') ? parsed.error : message)
  }
}
