import type { SourceRequest } from '../../../adapters/index.ts'
import { isLitecdError, RenderError } from '../../../errors/index.ts'
import { cleanPath } from '../../../files/index.ts'
import { formatJson, isObject, type Json, type JsonObject } from '../../../json/index.ts'
import { sha256, toHex } from '../../../text/index.ts'
import { parseYaml } from '../../../yaml/index.ts'
import type { RenderInput, RenderNeed } from '../../types.ts'
import { type Chart, type Dependency, loadChart } from '../chart/index.ts'

/** A dependency that the chart names and does not hold. */
interface Missing {
  readonly dependency: Dependency
  /** The version of Chart.lock where there is one. */
  readonly version: string
}

function missingOf(chart: Chart): readonly Missing[] {
  const present = new Set(chart.dependencies.map(({ metadata }) => metadata.name))
  const locked = lockedVersions(chart)
  return (chart.metadata.dependencies ?? [])
    .filter(({ name }) => !present.has(name))
    .map((dependency) => ({
      dependency,
      version: locked.get(dependency.name) ?? dependency.version,
    }))
}

function lockedVersions(chart: Chart): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  if (chart.lock === undefined) return out
  const value = parseYaml(chart.lock.text, { path: chart.lock.name })
  const list = isObject(value) && Array.isArray(value['dependencies']) ? value['dependencies'] : []
  for (const item of list) {
    if (!isObject(item)) continue
    const { name, version } = item
    if (typeof name === 'string' && typeof version === 'string') out.set(name, version)
  }
  return out
}

/**
 * Whether the digest of Chart.lock is that of the dependencies in Chart.yaml and of what it locked. No lock is current.
 *
 * Source: helm v4.2.1 internal/resolver/resolver.go HashReq
 */
function isLockCurrent(chart: Chart): boolean {
  if (chart.lock === undefined) return true
  const lock = parseYaml(chart.lock.text, { path: chart.lock.name })
  if (!isObject(lock) || typeof lock['digest'] !== 'string') return false
  const locked = Array.isArray(lock['dependencies']) ? lock['dependencies'].filter(isObject) : []
  const wanted = (chart.metadata.dependencies ?? []).map(encoded)
  const text = formatJson([wanted, locked.map(lockedEntry)], { sortKeys: false })
  return lock['digest'] === `sha256:${toHex(sha256(new TextEncoder().encode(text)))}`
}

/** A dependency as Go's encoder writes it: fields in the order of the struct, empty ones left out. */
function encoded(dependency: Dependency): JsonObject {
  const { name, version, repository, condition, tags, importValues, alias } = dependency
  return {
    name,
    ...(version === '' ? {} : { version }),
    repository,
    ...(condition === '' ? {} : { condition }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(importValues.length === 0 ? {} : { 'import-values': importValues as readonly Json[] }),
    ...(alias === '' ? {} : { alias }),
  }
}

function lockedEntry(entry: JsonObject): JsonObject {
  const text = (field: string): string => (typeof entry[field] === 'string' ? entry[field] : '')
  return {
    name: text('name'),
    ...(text('version') === '' ? {} : { version: text('version') }),
    repository: text('repository'),
  }
}

/** What must be fetched so that every dependency is there; `file://` dependencies lie in the repository. */
export function dependencyNeeds(chart: Chart): readonly RenderNeed[] {
  return missingOf(chart).flatMap(({ dependency, version }) => {
    const request = requestOf(dependency, version)
    return request === undefined ? [] : [{ id: idOf(request), request }]
  })
}

function requestOf(dependency: Dependency, version: string): SourceRequest | undefined {
  const { repository, name } = dependency
  if (repository === '' || repository.startsWith('file://')) return undefined
  if (repository.startsWith('oci://')) {
    return { type: 'oci', url: `${repository.replace(/\/+$/, '')}/${name}`, revision: version }
  }
  return { type: 'helm', url: repository, chart: name, revision: version }
}

function idOf(request: SourceRequest): string {
  return JSON.stringify(request)
}

/**
 * The chart with the dependencies that were fetched or lie elsewhere in the repository. What is still missing stays
 * missing: Helm then says so.
 *
 * Throws HELM_FAILED with Argo CD's words when a dependency could not be fetched.
 */
export function withDependencies(chart: Chart, input: RenderInput): Chart {
  const added: Chart[] = []
  const refused: string[] = []
  if (missingOf(chart).length > 0 && !isLockCurrent(chart)) {
    throw buildFailed(
      "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'helm dependency update'",
    )
  }
  for (const { dependency, version } of missingOf(chart)) {
    const { repository } = dependency
    if (repository.startsWith('file://')) {
      const dir = cleanPath(`${input.path}/${repository.slice('file://'.length)}`)
      if (dir === '..' || dir.startsWith('../')) {
        throw buildFailed(
          `chart dependency ${dependency.name}: ${repository} leaves the repository`,
        )
      }
      if (input.tree.entry(dir)?.kind === 'directory') added.push(loadChart(input.tree, dir))
      continue
    }
    const request = requestOf(dependency, version)
    if (request === undefined) continue
    const answer = input.answers[idOf(request)]
    if (answer === undefined) continue
    if ('error' in answer) {
      const { error } = answer
      const unknown = isLitecdError(error) && error.code === 'SOURCE_REVISION_UNKNOWN'
      if (!unknown || !error.message.includes('version matching constraint not found')) {
        throw buildFailed(error.message, error)
      }
      refused.push(`"${dependency.name}" (repository "${repository}", version "${version}")`)
      continue
    }
    added.push(loadChart(answer.tree, ''))
  }
  if (refused.length > 0) {
    throw buildFailed(
      `can't get a valid version for ${refused.length} subchart(s): ${refused.join(', ')}. Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml`,
    )
  }
  return added.length === 0 ? chart : { ...chart, dependencies: [...chart.dependencies, ...added] }
}

function buildFailed(why: string, cause?: unknown): RenderError {
  return new RenderError(
    'HELM_FAILED',
    `error building helm chart dependencies: failed to build helm dependencies: failed to build dependencies: failed running helm: \`helm dependency build\` failed exit status 1: Error: ${why}`,
    { cause, hint: 'Vendor the dependency below charts/, or make its repository reachable.' },
  )
}
