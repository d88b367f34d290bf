import {
  canonicalJson,
  formatJson,
  isObject,
  type Json,
  type JsonObject,
} from '../../../json/index.ts'
import { sha256, toHex } from '../../../text/index.ts'
import { parseYaml } from '../../../yaml/index.ts'
import type { Chart, Dependency } from '../chart/index.ts'

/** One line of Chart.lock or requirements.lock. */
export interface Locked {
  readonly name: string
  readonly version: string
  readonly repository: string
}

/** What the lock of a chart names, in its order; undefined where there is no lock. */
export function lockedDependencies(chart: Chart): readonly Locked[] | undefined {
  if (chart.lock === undefined) return undefined
  const list = lockOf(chart)['dependencies']
  return (Array.isArray(list) ? list : []).filter(isObject).map((entry) => ({
    name: textOf(entry, 'name'),
    version: textOf(entry, 'version'),
    repository: textOf(entry, 'repository'),
  }))
}

/**
 * Whether the digest of the lock is that of the dependencies as they are declared and locked. No lock is current.
 *
 * A repository that is declared by its name (`@name`) counts with the URL that the lock has for it, which is the one
 * that Helm finds under that name unless the repository has moved.
 *
 * Source: helm v4.2.1 internal/resolver/resolver.go HashReq, HashV2Req
 */
export function isLockCurrent(chart: Chart): boolean {
  const locked = lockedDependencies(chart)
  if (locked === undefined) return true
  const { dependencies = [], apiVersion } = chart.metadata
  const urls = new Map(locked.map(({ name, repository }) => [name, repository]))
  const wanted = dependencies.map((dependency) => {
    const url = isNamed(dependency.repository) ? urls.get(dependency.name) : undefined
    return encoded({ ...dependency, repository: url ?? dependency.repository })
  })
  const digest = textOf(lockOf(chart), 'digest')
  if (digest === digestOf([wanted, locked.map(lockedEntry)])) return true
  // Parity: locks of charts of the first version may be those that Helm 2 wrote
  return apiVersion === 'v1' && digest === digestOf({ dependencies: dependencies.map(encoded) })
}

/** A repository that is called by the name under which it is known. */
export function isNamed(repository: string): boolean {
  return repository.startsWith('@') || repository.startsWith('alias:')
}

function lockOf(chart: Chart): JsonObject {
  const lock = parseYaml(chart.lock!.text, { path: chart.lock!.name })
  return isObject(lock) ? lock : {}
}

function textOf(entry: JsonObject, field: string): string {
  const value = entry[field]
  return typeof value === 'string' ? value : ''
}

function digestOf(value: Json): string {
  const text = formatJson(value, { sortKeys: false })
  return `sha256:${toHex(sha256(new TextEncoder().encode(text)))}`
}

/** A dependency as Go's encoder writes it: fields in the order of the struct, empty ones left out. */
function encoded(dependency: Dependency): JsonObject {
  const { name, version, repository, condition, tags, importValues, alias } = dependency
  const imports = (importValues as readonly Json[]).map(
    (item) => JSON.parse(canonicalJson(item)) as Json,
  )
  return {
    name,
    ...(version === '' ? {} : { version }),
    repository,
    ...(condition === '' ? {} : { condition }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(imports.length === 0 ? {} : { 'import-values': imports }),
    ...(alias === '' ? {} : { alias }),
  }
}

function lockedEntry({ name, version, repository }: Locked): JsonObject {
  return { name, ...(version === '' ? {} : { version }), repository }
}
