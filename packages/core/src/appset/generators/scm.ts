import type { ScmBranch, ScmProviderName, ScmQuery, ScmRepository } from '../../adapters/index.ts'
import { SourceError } from '../../errors/index.ts'
import type { JsonObject } from '../../json/index.ts'
import { type GoRegexp, regexpCost } from '../../text/index.ts'
import { appsetError, within } from '../fail.ts'
import type { Params } from '../params.ts'
import { normalizeName } from '../slug.ts'
import { ask, type GeneratorContext, isProviderStage } from './context.ts'
import { Needs } from './facts.ts'
import {
  checkAllowed,
  compileFilter,
  filtersOf,
  type ProviderBlocks,
  queryOf,
} from './providers.ts'

const blocks: ProviderBlocks = [
  ['github', 'github'],
  ['gitlab', 'gitlab'],
  ['gitea', 'gitea'],
  ['bitbucketServer', 'bitbucketServer'],
  ['azureDevOps', 'azureDevOps'],
  ['bitbucket', 'bitbucket'],
  ['awsCodeCommit', 'awsCodeCommit'],
]
const withUrl = ['github', 'gitlab', 'gitea', 'bitbucketServer', 'azureDevOps']

/** A repository with one of its branches. */
interface Found {
  readonly repository: ScmRepository
  readonly url: string
  readonly branch: ScmBranch
}

/**
 * The repositories of a provider. What is still to be asked is asked for many repositories at once.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/scm_provider.go, services/scm_provider/utils.go
 */
export function scmParams(spec: JsonObject, context: GeneratorContext): readonly Params[] {
  checkAllowed(spec, withUrl, context)
  const query = queryOf(spec, blocks, context)
  if (query === undefined) throw appsetError('no SCM provider implementation configured')
  const protocol = typeof spec['cloneProtocol'] === 'string' ? spec['cloneProtocol'] : ''
  const filters = within('error listing repos: ', () => filtersOf(spec).map(compile))
  const answer = ask<'repositories'>(context, { ask: 'repositories', ...query })
  if (answer instanceof SourceError && isProviderStage(answer)) {
    throw appsetError(answer.message, answer)
  }
  const found = within('error listing repos: ', () =>
    find(query, answer, filters, protocol, context),
  )
  return found.map(({ repository, url, branch }) => {
    const params = {
      organization: repository.organization,
      repository: repository.repository,
      repository_id: repository.id,
      url,
      branch: branch.name,
      sha: branch.sha,
      short_sha: branch.sha.slice(0, 8),
      short_sha_7: branch.sha.slice(0, 7),
      labels: repository.labels.join(','),
      branchNormalized: normalizeName(branch.name),
    }
    return within('failed to append templated values: ', () =>
      context.renderer.withValues(params, spec['values']),
    )
  })
}

interface Filter {
  readonly repositoryMatch: GoRegexp | undefined
  readonly labelMatch: GoRegexp | undefined
  readonly branchMatch: GoRegexp | undefined
  readonly pathsExist: readonly string[]
  readonly pathsDoNotExist: readonly string[]
  /** What it decides about; a filter without conditions decides nothing. */
  readonly about: 'repository' | 'branch' | 'nothing'
}

function compile(filter: JsonObject): Filter {
  const repositoryMatch = compileFilter(filter, 'repositoryMatch')
  const labelMatch = compileFilter(filter, 'labelMatch')
  const branchMatch = compileFilter(filter, 'branchMatch')
  const { pathsExist, pathsDoNotExist } = filter
  const ofBranch =
    Array.isArray(pathsExist) || Array.isArray(pathsDoNotExist) || branchMatch !== undefined
  const ofRepository = repositoryMatch !== undefined || labelMatch !== undefined
  return {
    repositoryMatch,
    labelMatch,
    branchMatch,
    pathsExist: pathsOf(pathsExist),
    pathsDoNotExist: pathsOf(pathsDoNotExist),
    about: ofBranch ? 'branch' : ofRepository ? 'repository' : 'nothing',
  }
}

function pathsOf(paths: unknown): readonly string[] {
  return (Array.isArray(paths) ? paths : []).map((path) => String(path).replace(/\/+$/, ''))
}

function find(
  query: ScmQuery,
  answer: readonly ScmRepository[] | SourceError,
  filters: readonly Filter[],
  protocol: string,
  context: GeneratorContext,
): readonly Found[] {
  const ofRepositories = filters.filter(({ about }) => about === 'repository')
  const ofBranches = filters.filter(({ about }) => about === 'branch')
  if (answer instanceof SourceError) throw appsetError(answer.message, answer)
  // Argo CD lists branches of repositories that no filter can take as well, and fails with them
  const repositories = listed(query, answer, protocol, context).filter(({ repository }) =>
    [ofRepositories, ofBranches].every(
      (group) =>
        group.length === 0 || group.some((filter) => fitsRepository(repository, filter, context)),
    ),
  )
  const needs = new Needs()
  const found: Found[] = []
  for (const { repository, url } of repositories) {
    const branches = needs.try(() => branchesOf(query, repository, context))
    for (const branch of branches ?? []) found.push({ repository, url, branch })
    context.budget.spend(1 + (branches?.length ?? 0))
  }
  needs.raise()
  const kept = found.filter(
    (one) =>
      ofBranches.length === 0 ||
      needs.try(() => ofBranches.some((filter) => fitsBranch(query, one, filter, context))),
  )
  needs.raise()
  return kept
}

function listed(
  query: ScmQuery,
  repositories: readonly ScmRepository[],
  protocol: string,
  context: GeneratorContext,
): readonly { readonly repository: ScmRepository; readonly url: string }[] {
  const { provider, config } = query
  const out: { repository: ScmRepository; url: string }[] = []
  for (const repository of repositories) {
    context.budget.spend(1)
    const url = cloneUrl(provider, repository, protocol)
    if (config['excludeArchivedRepos'] === true && repository.archived === true) continue
    if (repository.branch === '' && skipsWithoutDefault.has(provider)) continue
    out.push({ repository, url })
  }
  return out
}

const skipsWithoutDefault: ReadonlySet<ScmProviderName> = new Set([
  'bitbucketServer',
  'azureDevOps',
  'awsCodeCommit',
])

function branchesOf(
  query: ScmQuery,
  repository: ScmRepository,
  context: GeneratorContext,
): readonly ScmBranch[] {
  const answer = ask<'branches'>(context, { ask: 'branches', ...query, repository })
  if (answer instanceof SourceError) throw appsetError(answer.message, answer)
  return answer
}

function fitsRepository(
  { repository, labels }: ScmRepository,
  { repositoryMatch, labelMatch }: Filter,
  { budget }: GeneratorContext,
): boolean {
  const fits = (pattern: GoRegexp, text: string): boolean => {
    budget.spend(1 + (regexpCost(pattern.source, text) >> 8))
    return pattern.test(text)
  }
  if (repositoryMatch !== undefined && !fits(repositoryMatch, repository)) return false
  return labelMatch === undefined || labels.some((label) => fits(labelMatch, label))
}

function fitsBranch(
  query: ScmQuery,
  { repository, branch }: Found,
  filter: Filter,
  context: GeneratorContext,
): boolean {
  const { branchMatch, pathsExist, pathsDoNotExist } = filter
  context.budget.spend(1)
  if (!fitsRepository(repository, { ...filter, labelMatch: undefined }, context)) return false
  if (branchMatch !== undefined && !branchMatch.test(branch.name)) return false
  if (!fitsRepository(repository, filter, context)) return false
  const has = (path: string): boolean => {
    const answer = ask<'path'>(context, { ask: 'path', ...query, repository, branch, path })
    if (answer instanceof SourceError) throw appsetError(answer.message, answer)
    return answer
  }
  return pathsExist.every(has) && !pathsDoNotExist.some(has)
}

const providerWords: { readonly [provider in ScmProviderName]: string } = {
  github: 'GitHub',
  gitlab: 'Gitlab',
  gitea: 'GitHub', // Parity: Argo CD says so
  bitbucketServer: 'Bitbucket Server',
  bitbucket: 'Bitbucket cloud',
  azureDevOps: '',
  awsCodeCommit: 'codecommit',
}

function cloneUrl(
  provider: ScmProviderName,
  { cloneUrls, repository }: ScmRepository,
  protocol: string,
): string {
  const named = (name: string): string =>
    Object.hasOwn(cloneUrls, name) ? (cloneUrls[name] ?? '') : ''
  if (provider === 'azureDevOps') return named('https')
  const wanted = protocol === '' ? 'ssh' : protocol
  const unknown = `unknown clone protocol for ${providerWords[provider]} ${wanted}`
  if (provider === 'bitbucket') {
    if (Object.hasOwn(cloneUrls, wanted)) return named(wanted)
    throw appsetError(`error fetching clone url for repo ${repository}: ${unknown}`)
  }
  if (wanted === 'ssh' || wanted === 'https') return named(wanted)
  if (provider === 'awsCodeCommit' && wanted === 'https-fips') return fipsUrl(named('https'))
  throw appsetError(unknown)
}

const codeCommitHost = 'https://git-codecommit.'
const codeCommitFipsHost = 'https://git-codecommit-fips.'

function fipsUrl(url: string): string {
  if (url.startsWith(codeCommitFipsHost)) return url
  if (url.startsWith(codeCommitHost)) return codeCommitFipsHost + url.slice(codeCommitHost.length)
  throw appsetError(
    `https-fips is provided but repoUrl can't be transformed to FIPS endpoint: the provided https endpoint isn't recognized, cannot be transformed to FIPS endpoint: ${url}`,
  )
}
