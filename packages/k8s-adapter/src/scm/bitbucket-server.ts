import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { isObject, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, isSuccess, objectsOf, readJson } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, prefixed, query, segments } from './provider.ts'

/**
 * Bitbucket Server and Data Center.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/bitbucket_server.go and
 * pull_request/bitbucket_server.go, go-bitbucket-v1
 */
export function bitbucketServer(api: Api, config: JsonObject): Provider {
  const project = textOf(config, 'project')
  const placeOf = (key: string, repo: string): string =>
    `/api/1.0/projects/${segments(key)}/repos/${segments(repo)}`

  async function pages(path: string, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const out: JsonObject[] = []
    let start: number | undefined
    for (let count = 1; ; count++) {
      api.checkPages(count)
      const { value } = await api.json(`${path}?${query({ limit: 100, start })}`, signal)
      const page = isObject(value) ? value : {}
      out.push(...objectsOf(page['values']))
      const next = page['nextPageStart']
      if (page['isLastPage'] !== false || typeof next !== 'number' || next <= (start ?? -1)) {
        return out
      }
      start = next
    }
  }

  /** Undefined where there is none: the repository is empty. */
  async function defaultBranch(
    key: string,
    repo: string,
    signal?: AbortSignal,
  ): Promise<ScmBranch | undefined> {
    const answer = await api.exchange(`${placeOf(key, repo)}/branches/default`, { signal })
    if (answer.status === 404) return undefined
    if (!isSuccess(answer)) throw api.refusal(answer)
    if (answer.body.trim() === '') return undefined
    const value = api.parsed(answer)
    return isObject(value) ? branchOf(value) : undefined
  }

  const branchOf = (found: JsonObject): ScmBranch => ({
    name: textOf(found, 'displayId'),
    sha: textOf(found, 'latestCommit'),
  })

  return {
    async repositories(signal) {
      const found = await pages(`/api/1.0/projects/${segments(project)}/repos`, signal).catch(
        prefixed(`error listing repositories for ${project}: `),
      )
      const out: ScmRepository[] = []
      for (const repo of found) {
        const organization = textOf(blockOf(repo, 'project') ?? {}, 'key')
        const repository = textOf(repo, 'name') // Parity: the name where the API wants the slug
        const links = objectsOf(blockOf(repo, 'links')?.['clone'])
        const link = (name: string): string => {
          const one = links.find((candidate) => candidate['name'] === name)
          return one === undefined ? '' : textOf(one, 'href')
        }
        const branch = await defaultBranch(organization, repository, signal)
        out.push({
          organization,
          repository,
          id: Number(repo['id'] ?? 0),
          cloneUrls: { ssh: link('ssh'), https: link('http') },
          branch: branch?.name ?? '',
          labels: [],
          archived: repo['archived'] === true,
        })
      }
      return out
    },

    async branches({ organization, repository }, signal) {
      const failed = `error listing branches for ${organization}/${repository}: `
      if (config['allBranches'] === true) {
        const found = await pages(`${placeOf(organization, repository)}/branches`, signal).catch(
          prefixed(failed + failed), // Parity: Argo CD says it twice
        )
        return found.map(branchOf)
      }
      const branch = await defaultBranch(organization, repository, signal).catch(prefixed(failed))
      return branch === undefined ? [] : [branch]
    },

    async hasPath({ organization, repository }, branch, path, signal) {
      const place = path === '' ? '' : `/${segments(path)}`
      const answer = await api.exchange(
        `${placeOf(organization, repository)}/browse${place}?${query({ at: branch.name, limit: 100, type: true })}`,
        { signal },
      )
      if (answer.status === 404) return false
      if (!isSuccess(answer)) throw api.refusal(answer)
      return true
    },

    async pullRequests(signal) {
      const repo = textOf(config, 'repo')
      const found = await pages(`${placeOf(project, repo)}/pull-requests`, signal).catch(
        prefixed(`error listing pull requests for ${project}/${repo}: `, 404),
      )
      return found.map(
        (pull): PullRequest => ({
          number: Number(pull['id'] ?? 0),
          title: textOf(pull, 'title'),
          branch: textOf(blockOf(pull, 'fromRef') ?? {}, 'displayId'),
          targetBranch: textOf(blockOf(pull, 'toRef') ?? {}, 'displayId'),
          headSha: textOf(blockOf(pull, 'fromRef') ?? {}, 'latestCommit'),
          author: textOf(blockOf(blockOf(pull, 'author'), 'user') ?? {}, 'name'),
          labels: [],
        }),
      )
    },
  }
}

export function bitbucketServerBase(url: string): string {
  if (url.endsWith('/rest/')) return url.slice(0, -1)
  return url.endsWith('/rest') ? url : `${url}/rest`
}

/** Source: go-bitbucket-v1 reportError and NewAPIResponseWithError */
export function explainBitbucketServer({ statusText, body }: ApiAnswer): string {
  const text = `Status: ${statusText}, Body: ${body}`
  const read = readJson(body)
  return 'problem' in read ? `${text} ParseError: ${read.problem}` : text
}
