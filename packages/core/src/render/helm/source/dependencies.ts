import type { SourceRequest } from '../../../adapters/index.ts'
import { isLitecdError, type RenderError } from '../../../errors/index.ts'
import { cleanPath, decodeText, type FileTree, joinPath } from '../../../files/index.ts'
import { isObject } from '../../../json/index.ts'
import { goJoin, parseConstraint, parseVersion } from '../../../text/index.ts'
import { parseYaml } from '../../../yaml/index.ts'
import type { RenderAnswer, RenderNeed } from '../../types.ts'
import { type Chart, loadChart } from '../chart/index.ts'
import { missingDependencies } from '../render.ts'
import {
  addFailed,
  buildFailed,
  type FetchFailure,
  fetchFailure,
  noDefinition,
  noIndex,
  noVersions,
} from './dependency-errors.ts'
import { isLockCurrent, isNamed, type Locked, lockedDependencies } from './dependency-lock.ts'
import { type ProjectQuestion, refusedByProject } from './dependency-permission.ts'

/** What building needs to know of a render. */
export interface BuildInput {
  readonly tree: FileTree
  readonly path: string
  readonly answers: { readonly [id: string]: RenderAnswer }
  readonly source: { readonly helm?: { readonly passCredentials?: boolean } }
  /**
   * `helm dependency update` of a user: no lock counts, no repository is known by name, and `file://` may lead anywhere
   * in the tree, which is the whole disk.
   */
  readonly isUpdate?: boolean
  readonly context?: ProjectQuestion
}

/** What `helm dependency build` would do for the dependencies that a chart names and does not hold. */
interface Build {
  readonly isLocked: boolean
  /** Those of the lock where there is one. */
  readonly wanted: readonly Locked[]
  /** Repositories that Argo CD adds to helm first. */
  readonly added: ReadonlySet<string>
  /** Why it cannot even begin. */
  readonly refusal: RenderError | undefined
}

/** Undefined when nothing is missing. Parity: only then does Argo CD build. */
function buildOf(chart: Chart, input: BuildInput): Build | undefined {
  return missingDependencies(chart).length === 0 ? undefined : planBuild(chart, input)
}

function planBuild(chart: Chart, input: BuildInput): Build {
  const missing = new Set(missingDependencies(chart))
  const declared = (chart.metadata.dependencies ?? []).filter(({ name }) => missing.has(name))
  const isUpdate = input.isUpdate === true
  const lock = isUpdate ? undefined : lockedDependencies(chart)
  const locked = lock?.filter(({ name }) => missing.has(name))
  const added = isUpdate ? new Set<string>() : addedRepositories(input)
  // a locked chart is asked for under the name of its repository where it has one
  const named = new Map(
    declared
      .filter(({ repository }) => isNamed(repository))
      .map(({ name, repository }) => [name, repository]),
  )
  return {
    isLocked: locked !== undefined,
    wanted: (locked ?? declared).map(({ name, version, repository }) => ({
      name,
      version,
      repository: named.get(name) ?? repository,
    })),
    added,
    refusal: refusalOf(chart, declared, locked, added, input),
  }
}

/**
 * Repositories that Argo CD makes known to helm before it builds: those of Chart.yaml that are https or called by name,
 * not those of requirements.yaml.
 *
 * Source: argo-cd v3.5.1 reposerver/repository/repository.go getHelmDependencyRepos
 */
function addedRepositories(input: BuildInput): ReadonlySet<string> {
  return new Set(namedRepositories(input).filter((item) => isNamed(item) || /^https:/i.test(item)))
}

/** Repositories of the dependencies of Chart.yaml, in its order. */
function namedRepositories(input: BuildInput): readonly string[] {
  const path = joinPath(input.path, 'Chart.yaml')
  const bytes = input.tree.read(path)
  const chart = bytes === undefined ? null : parseYaml(decodeText(bytes), { path })
  const list = isObject(chart) ? chart['dependencies'] : undefined
  return (Array.isArray(list) ? list : []).flatMap((item) => {
    const repository = isObject(item) ? item['repository'] : undefined
    return typeof repository === 'string' ? [repository] : []
  })
}

/** What helm says before it asks any repository. Source: helm v4.2.1 pkg/downloader/manager.go Build */
function refusalOf(
  chart: Chart,
  declared: readonly Locked[],
  locked: readonly Locked[] | undefined,
  added: ReadonlySet<string>,
  input: BuildInput,
): RenderError | undefined {
  for (const { repository } of declared) {
    if (repository.startsWith('file://') && localFolder(repository, input) === undefined) {
      return noFolder(repository.slice('file://'.length), input)
    }
  }
  const undefinedOnes = declared.filter(
    ({ repository }) =>
      repository !== '' &&
      (isNamed(repository)
        ? input.isUpdate === true
        : !/^([a-z][a-z0-9+.-]*:|\/)/i.test(repository)),
  )
  if (undefinedOnes.length > 0) {
    return buildFailed(noDefinition(undefinedOnes.map(({ repository }) => repository)))
  }
  if (locked === undefined) return undefined
  if (!isLockCurrent(chart)) {
    return buildFailed(
      chart.metadata.apiVersion === 'v1'
        ? 'the lock file (requirements.lock) is out of sync with the dependencies file (requirements.yaml). Please update the dependencies'
        : "the lock file (Chart.lock) is out of sync with the dependencies file (Chart.yaml). Please update the dependencies with 'helm dependency update'",
    )
  }
  const named = new Set(
    declared.filter(({ repository }) => isNamed(repository)).map(({ name }) => name),
  )
  const known = new Set([...added].map(withoutSlash))
  const unknown = locked.filter(
    ({ name, repository }) =>
      /^https?:/i.test(repository) && !named.has(name) && !known.has(withoutSlash(repository)),
  )
  if (unknown.length === 0) return undefined
  return buildFailed(
    `no repository definition for ${unknown.map(({ repository }) => repository).join(', ')}. Please add the missing repos via 'helm repo add'`,
  )
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '')
}

/** What must be fetched so that every dependency is there; `file://` dependencies lie in the repository. */
export function dependencyNeeds(chart: Chart, input: BuildInput): readonly RenderNeed[] {
  const build = buildOf(chart, input)
  if (build === undefined || build.refusal !== undefined) return []
  const needs = build.wanted.flatMap((wanted) => {
    const request = requestOf(wanted, build, input)
    return request === undefined ? [] : [{ id: idOf(request), request }]
  })
  return [...new Map(needs.map((need) => [need.id, need])).values()]
}

function requestOf(
  { name, version, repository }: Locked,
  build: Build,
  input: BuildInput,
): SourceRequest | undefined {
  if (repository === '' || repository.startsWith('file://')) return undefined
  // Helm finds no version for these, which it says of each in its turn
  if (!build.isLocked && 'error' in parseConstraint(version, { quoted: true })) return undefined
  const passCredentials = input.source.helm?.passCredentials === true
  return {
    type: 'helm',
    url: repository,
    chart: name,
    revision: version,
    ...(passCredentials && build.added.has(repository) ? { passCredentials } : {}),
  }
}

function idOf(request: SourceRequest): string {
  return JSON.stringify(request)
}

/**
 * The chart with the dependencies that were fetched or lie elsewhere in the repository. What is still missing stays
 * missing: Helm then says so.
 *
 * Throws HELM_FAILED in the words of Argo CD and `helm dependency build`.
 */
export function withDependencies(chart: Chart, input: BuildInput): Chart {
  const build = buildOf(chart, input)
  if (build === undefined) return chart
  if (build.refusal !== undefined) throw build.refusal
  const results = build.wanted.map((wanted) => resultOf(wanted, build, input))
  try {
    checkAdded(results, build, input)
    if (!build.isLocked) checkResolved(results, input)
    return { ...chart, dependencies: [...chart.dependencies, ...downloaded(results, build)] }
  } catch (error) {
    if (!isLitecdError(error) || input.context === undefined) throw error
    const unknown = results.flatMap(({ failure }, i) =>
      failure?.stage === 'name' ? [build.wanted[i]!.repository] : [],
    )
    throw refusedByProject(error, namedRepositories(input), unknown, input.context) ?? error
  }
}

/** What became of one wanted dependency. */
interface Result extends Locked {
  readonly chart?: Chart
  readonly failure?: FetchFailure
  /** The same for dependencies that are one file of charts/. */
  readonly id: string
}

function resultOf(wanted: Locked, build: Build, input: BuildInput): Result {
  const { repository } = wanted
  if (repository.startsWith('file://')) {
    const dir = localFolder(repository, input)
    const chart = dir === undefined ? undefined : loadLocal(dir, input)
    return { ...wanted, id: repository, ...(chart === undefined ? {} : { chart }) }
  }
  const request = requestOf(wanted, build, input)
  if (request === undefined) return { ...wanted, id: `${wanted.name} ${wanted.version}` }
  const answer = input.answers[idOf(request)]
  const base = { ...wanted, id: idOf(request) }
  if (answer === undefined) return base
  if (!('error' in answer)) return { ...base, chart: loadChart(answer.tree, '') }
  const failure = fetchFailure(answer.error)
  return { ...base, repository: failure.repository ?? repository, failure }
}

function loadLocal(dir: string, input: BuildInput): Chart {
  if (input.tree.entry(joinPath(dir, 'Chart.yaml')) === undefined) {
    throw buildFailed('Chart.yaml file is missing')
  }
  try {
    return loadChart(input.tree, dir)
  } catch (error) {
    throw isLitecdError(error) ? buildFailed(error.message, error) : error
  }
}

/** The folder of a `file://` repository; undefined where there is none. Parity: `file:///` is no place in the repository. */
function localFolder(repository: string, input: BuildInput): string | undefined {
  const path = repository.slice('file://'.length)
  if (path.startsWith('/') && input.isUpdate !== true) return undefined
  if (path.startsWith('/')) return input.tree.entry(path) === undefined ? undefined : path
  const dir = cleanPath(`${input.path}/${path}`)
  if (dir === '..' || dir.startsWith('../')) return undefined
  return dir === '' || input.tree.entry(dir)?.kind === 'directory' ? dir : undefined
}

function noFolder(path: string, input: BuildInput): RenderError {
  const shown = input.isUpdate === true && !path.startsWith('/') ? [`/${input.path}`, path] : [path]
  return buildFailed(`directory ${goJoin(...shown)} not found`)
}

/** Repositories that could not be added. Source: argo-cd v3.5.1 util/helm/helm.go DependencyBuild */
function checkAdded(results: readonly Result[], build: Build, input: BuildInput): void {
  for (const [i, { failure, repository }] of results.entries()) {
    const declared = build.wanted[i]!.repository
    if (failure === undefined || !build.added.has(declared)) continue
    if (failure.stage !== 'index' && failure.stage !== 'name') continue
    const name = isNamed(declared)
      ? declared.replace(/^(@|alias:)/, '')
      : declared.replaceAll('/', '-')
    const url = failure.stage === 'name' ? '' : repository
    const flags = `${failure.flags}${input.source.helm?.passCredentials === true ? '--pass-credentials ' : ''}`
    throw addFailed({ name, url }, { ...failure, flags })
  }
}

/** Picks versions as an update does. Source: helm v4.2.1 internal/resolver/resolver.go Resolve */
function checkResolved(results: readonly Result[], input: BuildInput): void {
  const missing: Locked[] = []
  for (const { name, version, repository, chart, failure } of results) {
    const constraint = parseConstraint(version, { quoted: true })
    if ('error' in constraint) {
      throw buildFailed(
        `dependency "${name}" has an invalid version/constraint format: ${constraint.error}`,
      )
    }
    if (repository === '') throw noFolder(`charts/${name}`, input)
    if (repository.startsWith('file://')) {
      const own = parseVersion(chart?.metadata.version ?? '')
      if ('value' in own && !constraint.value.matches(own.value)) {
        missing.push({ name, version, repository })
      }
      continue
    }
    switch (failure?.stage) {
      case 'index':
        throw buildFailed(noIndex(repository), failure.cause)
      case 'chart':
        throw buildFailed(`${name} chart not found in repo ${repository}`, failure.cause)
      case 'tags':
        throw buildFailed(
          `could not retrieve list of tags for repository ${repository}: ${failure.reason}`,
          failure.cause,
        )
      case 'version':
        if (!repository.startsWith('oci://')) missing.push({ name, version, repository })
    }
  }
  if (missing.length > 0) throw buildFailed(noVersions(missing))
}

/** The charts as they come into charts/. Source: helm v4.2.1 pkg/downloader/manager.go downloadAll */
function downloaded(results: readonly Result[], build: Build): readonly Chart[] {
  const out = new Map<string, Chart>()
  for (const { name, version, repository, chart, failure, id } of results) {
    if (repository === '') {
      throw buildFailed(`unable to load chart 'charts/${name}': Chart.yaml file is missing`)
    }
    if (failure !== undefined)
      throw buildFailed(downloadText(name, repository, failure), failure.cause)
    if (chart === undefined) continue
    if (build.isLocked && repository.startsWith('file://') && !fits(chart, version)) {
      throw buildFailed(`can't get a valid version for dependency ${name}`)
    }
    out.set(id, chart)
  }
  return [...out.values()]
}

function fits(chart: Chart, version: string): boolean {
  const constraint = parseConstraint(version, { quoted: true })
  const own = parseVersion(chart.metadata.version)
  return 'value' in constraint && 'value' in own && constraint.value.matches(own.value)
}

function downloadText(name: string, repository: string, failure: FetchFailure): string {
  switch (failure.stage) {
    case 'chart':
      return 'could not find : entry not found'
    case 'version':
      return repository.startsWith('oci://')
        ? `could not download ${repository}/${name}: ${failure.reason}`
        : 'could not find : no matching version'
    case 'archive':
      return `could not download ${failure.url || `${repository}/${name}`}: ${failure.reason}`
    case 'index':
      return `could not find : chart ${name} not found in ${repository}: ${failure.reason}`
    default:
      return failure.reason
  }
}
