import type { PullRequest } from '../../adapters/index.ts'
import { SourceError } from '../../errors/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { appsetError, within } from '../fail.ts'
import type { Params } from '../params.ts'
import { makeSlug } from '../slug.ts'
import { ask, type GeneratorContext, isProviderStage } from './context.ts'
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
  ['bitbucket', 'bitbucket'],
  ['azuredevops', 'azureDevOps'],
]
const withUrl = blocks.map(([block]) => block)
const selecting = 'failed to select pull request service provider: '
/** Room for thirteen more characters in a DNS label. */
const slugLength = 50

/** Source: argo-cd v3.5.1 applicationset/generators/pull_request.go, services/pull_request/utils.go */
export function pullRequestParams(spec: JsonObject, context: GeneratorContext): readonly Params[] {
  within(selecting, () => checkAllowed(spec, withUrl, context))
  const query = queryOf(spec, blocks, context)
  if (query === undefined) {
    throw appsetError(`${selecting}no Pull Request provider implementation configured`)
  }
  const filters = within('error listing repos: ', () => filtersOf(spec).map(compile))
  const answer = ask<'pullRequests'>(context, { ask: 'pullRequests', ...query })
  if (answer instanceof SourceError) {
    if (isProviderStage(answer)) throw appsetError(selecting + answer.message, answer)
    const isMissing = answer.code === 'SOURCE_NOT_FOUND'
    if (isMissing && spec['continueOnRepoNotFoundError'] === true) return []
    throw appsetError(`error listing repos: ${answer.message}`, answer)
  }
  const labels = wantedLabels(query.config, query.provider)
  return answer
    .filter((pull) => {
      context.budget.spend(1)
      return (
        labels.every((label) => pull.labels.includes(label)) &&
        (filters.length === 0 || filters.some((filter) => filter(pull)))
      )
    })
    .map((pull) =>
      within('failed to append templated values: ', () =>
        context.renderer.withValues(paramsOf(pull, context.renderer.goTemplate), spec['values']),
      ),
    )
}

/** Labels that a pull request must have. GitLab looks at them itself, in its own way; Bitbucket knows none. */
function wantedLabels({ labels }: JsonObject, provider: string): readonly string[] {
  if (provider !== 'github' && provider !== 'gitea' && provider !== 'azureDevOps') return []
  return (Array.isArray(labels) ? labels : []).map(String)
}

function compile(filter: JsonObject): (pull: PullRequest) => boolean {
  const branch = compileFilter(filter, 'branchMatch')
  const target = compileFilter(filter, 'targetBranchMatch')
  const title = compileFilter(filter, 'titleMatch')
  return (pull) =>
    branch?.test(pull.branch) !== false &&
    target?.test(pull.targetBranch) !== false &&
    title?.test(pull.title) !== false
}

function paramsOf(pull: PullRequest, goTemplate: boolean): Params {
  const { number, title, branch, targetBranch, headSha, author, labels } = pull
  const params: { readonly [name: string]: Json } = {
    number: String(number),
    title,
    branch,
    branch_slug: makeSlug(branch, slugLength),
    target_branch: targetBranch,
    target_branch_slug: makeSlug(targetBranch, slugLength),
    head_sha: headSha,
    head_short_sha: headSha.slice(0, 8),
    head_short_sha_7: headSha.slice(0, 7),
    author,
  }
  return goTemplate ? { ...params, labels } : params
}
