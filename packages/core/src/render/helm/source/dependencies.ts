import type { SourceRequest } from '../../../adapters/index.ts'
import { RenderError } from '../../../errors/index.ts'
import { cleanPath } from '../../../files/index.ts'
import { isObject } from '../../../json/index.ts'
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
    if ('error' in answer) throw buildFailed(answer.error.message, answer.error)
    added.push(loadChart(answer.tree, ''))
  }
  return added.length === 0 ? chart : { ...chart, dependencies: [...chart.dependencies, ...added] }
}

function buildFailed(why: string, cause?: unknown): RenderError {
  return new RenderError(
    'HELM_FAILED',
    `error building helm chart dependencies: failed to build helm dependencies: ${why}`,
    { cause, hint: 'Vendor the dependency below charts/, or make its repository reachable.' },
  )
}
