import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { isObject, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, objectsOf, originOf } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, prefixed, query, segment, segments } from './provider.ts'

/**
 * Bitbucket Cloud.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/bitbucket_cloud.go and pull_request/bitbucket_cloud.go,
 * ktrysmt/go-bitbucket v0.10
 */
export function bitbucketCloud(
  api: Api,
  config: JsonObject,
  warn: (message: string) => void,
): Provider {
  const owner = textOf(config, 'owner')

  async function pages(path: string, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const out: JsonObject[] = []
    const seen = new Set<string>()
    for (let next = path, count = 1; ; count++) {
      api.checkPages(count)
      const { value } = await api.json(next, signal)
      const page = isObject(value) ? value : {}
      out.push(...objectsOf(page['values']))
      next = textOf(page, 'next')
      if (next === '' || objectsOf(page['values']).length === 0 || seen.has(next)) return out
      // credentials go nowhere else
      if (originOf(next) !== originOf(api.base)) {
        throw api.error('SOURCE_REFUSED', `the next page is at another host: ${originOf(next)}`)
      }
      seen.add(next)
    }
  }

  const branchOf = (found: JsonObject): ScmBranch => ({
    name: textOf(found, 'name'),
    sha: textOf(blockOf(found, 'target') ?? {}, 'hash'),
  })

  return {
    async repositories(signal) {
      if (owner === '') {
        throw api.error(
          'SOURCE_REFUSED',
          `error listing repositories for ${owner}: owner / workspace name not passed in`,
        )
      }
      const found = await pages(`/repositories/${segments(owner)}?role=member`, signal).catch(
        prefixed(`error listing repositories for ${owner}: `),
      )
      return found.map((repo): ScmRepository => {
        const links = objectsOf(blockOf(repo, 'links')?.['clone'])
        return {
          organization: owner,
          repository: textOf(repo, 'slug'),
          id: textOf(repo, 'uuid'),
          cloneUrls: Object.fromEntries(
            links.map((link) => [textOf(link, 'name'), textOf(link, 'href')]),
          ),
          branch: textOf(blockOf(repo, 'mainbranch') ?? {}, 'name'),
          labels: [],
        }
      })
    },

    async branches({ repository, branch }, signal) {
      const place = `/repositories/${segments(owner)}/${segments(repository)}/refs/branches`
      if (config['allBranches'] === true) {
        // Parity: the first page, of ten, is all that Argo CD looks at
        const { value } = await api.json(`${place}?`, signal)
        const page = isObject(value) ? value : {}
        if (textOf(page, 'next') !== '') {
          warn(
            `branches of ${owner}/${repository}: only the first page is looked at, as in Argo CD`,
          )
        }
        return objectsOf(page['values']).map(branchOf)
      }
      if (branch === '') throw api.error('SOURCE_NOT_FOUND', 'Error: Branch Name is empty')
      const { value } = await api.json(`${place}/${segments(branch)}`, signal)
      return isObject(value) ? [branchOf(value)] : []
    },

    async hasPath({ repository }, branch, path, signal) {
      const answer = await api.exchange(
        `/repositories/${segments(owner)}/${segments(repository)}/src/${segments(branch.sha)}/${segments(path)}?${query({ format: 'meta' })}`,
        { signal },
      )
      if (answer.status === 404) return false
      if (answer.status !== 200) throw api.refusal(answer)
      return true
    },

    async pullRequests(signal) {
      const repo = textOf(config, 'repo')
      const found = await pages(
        `/repositories/${segment(owner)}/${segment(repo)}/pullrequests/`,
        signal,
      ).catch(prefixed(`error listing pull requests for ${owner}/${repo}: `, 404))
      return found.map((pull): PullRequest => {
        const source = blockOf(pull, 'source')
        const target = blockOf(pull, 'destination')
        return {
          number: Number(pull['id'] ?? 0),
          title: textOf(pull, 'title'),
          branch: textOf(blockOf(source, 'branch') ?? {}, 'name'),
          targetBranch: textOf(blockOf(target, 'branch') ?? {}, 'name'),
          headSha: textOf(blockOf(source, 'commit') ?? {}, 'hash'),
          author: textOf(blockOf(pull, 'author') ?? {}, 'nickname'),
          labels: [],
        }
      })
    },
  }
}

export function bitbucketCloudBase(url: string): string {
  return (url === '' ? 'https://api.bitbucket.org/2.0' : url).replace(/\/$/, '')
}

/** Source: ktrysmt/go-bitbucket v0.10 UnexpectedResponseStatusError */
export function explainBitbucketCloud({ statusText }: ApiAnswer): string {
  return statusText
}
