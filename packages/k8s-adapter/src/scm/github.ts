import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { isObject, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, isSuccess, objectIn, objectsOf } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, prefixed, query, segment, segments, textsOf } from './provider.ts'

/**
 * GitHub and GitHub Enterprise.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/github.go and pull_request/github.go, go-github v69
 */
export function github(api: Api, config: JsonObject): Provider {
  const organization = textOf(config, 'organization')

  async function pages(path: string, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const out: JsonObject[] = []
    for (let page = 1, count = 1; ; count++) {
      api.checkPages(count)
      const parameters = query({ per_page: 100, ...(page > 1 ? { page } : {}) })
      const { value, answer } = await api.json(`${path}?${parameters}`, signal)
      out.push(...objectsOf(value))
      const next = nextPage(answer.headers['link'])
      if (next <= page) return out
      page = next
    }
  }

  return {
    async repositories(signal) {
      const found = await pages(`orgs/${segments(organization)}/repos`, signal).catch(
        prefixed(`error listing repositories for ${organization}: `),
      )
      return found.map(
        (repo): ScmRepository => ({
          organization: textOf(blockOf(repo, 'owner') ?? {}, 'login'),
          repository: textOf(repo, 'name'),
          id: Number(repo['id'] ?? 0),
          cloneUrls: { ssh: textOf(repo, 'ssh_url'), https: textOf(repo, 'clone_url') },
          branch: textOf(repo, 'default_branch'),
          labels: textsOf(repo['topics']),
          archived: repo['archived'] === true,
        }),
      )
    },

    async branches({ organization: owner, repository, branch }, signal) {
      const place = `repos/${segments(owner)}/${segments(repository)}/branches`
      const listing = prefixed(`error listing branches for ${owner}/${repository}: `)
      const branchOf = (found: JsonObject): ScmBranch => ({
        name: textOf(found, 'name'),
        sha: textOf(blockOf(found, 'commit') ?? {}, 'sha'),
      })
      if (config['allBranches'] === true) {
        return (await pages(place, signal).catch(listing)).map(branchOf)
      }
      const answer = await api.exchange(`${place}/${segment(branch)}`, { signal }).catch(listing)
      if (answer.status === 404) return [] // the repository is empty
      if (answer.status !== 200) {
        throw api.refusal(
          answer,
          `error listing branches for ${owner}/${repository}: unexpected status code: ${answer.statusText}`,
        )
      }
      const found = api.parsed(answer)
      return isObject(found) ? [branchOf(found)] : []
    },

    async hasPath({ organization: owner, repository }, branch, path, signal) {
      const answer = await api.exchange(
        `repos/${segments(owner)}/${segments(repository)}/contents/${segments(path)}?${query({ ref: branch.name })}`,
        { signal },
      )
      if (answer.status === 404) return false
      if (!isSuccess(answer)) throw api.refusal(answer)
      return true
    },

    async pullRequests(signal) {
      const owner = textOf(config, 'owner')
      const repo = textOf(config, 'repo')
      const found = await pages(`repos/${segments(owner)}/${segments(repo)}/pulls`, signal).catch(
        prefixed(`error listing pull requests for ${owner}/${repo}: `, 404),
      )
      return found.map(
        (pull): PullRequest => ({
          number: Number(pull['number'] ?? 0),
          title: textOf(pull, 'title'),
          branch: textOf(blockOf(pull, 'head') ?? {}, 'ref'),
          targetBranch: textOf(blockOf(pull, 'base') ?? {}, 'ref'),
          headSha: textOf(blockOf(pull, 'head') ?? {}, 'sha'),
          author: textOf(blockOf(pull, 'user') ?? {}, 'login'),
          labels: objectsOf(pull['labels']).map((label) => textOf(label, 'name')),
        }),
      )
    },
  }
}

/** The URL of the API of a server: GitHub's own, or what belongs to an Enterprise server's address. */
export function githubBase(url: string): string {
  if (url === '') return 'https://api.github.com/'
  const base = url.endsWith('/') ? url : `${url}/`
  const host = /^https?:\/\/([^/?#]*)/.exec(base)?.[1] ?? ''
  const isApi = base.endsWith('/api/v3/') || host.startsWith('api.') || host.includes('.api.')
  return isApi ? base : `${base}api/v3/`
}

/** The number of the page that the Link header calls next; 0 where there is none. */
function nextPage(link: string | undefined): number {
  for (const part of (link ?? '').split(',')) {
    if (!/;\s*rel="?next"?/.test(part)) continue
    const page = /[?&]page=(\d+)/.exec(part)?.[1]
    if (page !== undefined) return Number(page)
  }
  return 0
}

/** Source: go-github v69 ErrorResponse, RateLimitError and AbuseRateLimitError */
export function explainGithub(answer: ApiAnswer, now: number): string {
  const { method, url, status, headers } = answer
  const told = decodable(objectIn(answer.body))
  const line = `${method} ${url}: ${status} ${textOf(told, 'message')}`
  if (status === 403 && headers['x-ratelimit-remaining'] === '0') {
    return `${line} ${resetText(Number(headers['x-ratelimit-reset'] ?? 0) * 1000 - now)}`
  }
  const about = textOf(told, 'documentation_url')
  if (status === 403 && /(#abuse-rate-limits|secondary-rate-limits)$/.test(about)) return line
  const errors = Array.isArray(told['errors']) ? told['errors'] : []
  const shown = errors.map((error) => {
    const one = typeof error === 'string' ? { message: error } : isObject(error) ? error : {}
    const [resource, field, code, message] = ['resource', 'field', 'code', 'message'].map((name) =>
      textOf(one, name),
    )
    return `{Resource:${resource} Field:${field} Code:${code} Message:${message}}`
  })
  return `${line} [${shown.join(' ')}]`
}

/** What Go's client cannot decode it forgets altogether. */
function decodable(told: JsonObject): JsonObject {
  const { message, documentation_url: about, errors } = told
  const isText = (value: unknown): boolean =>
    value === undefined || value === null || typeof value === 'string'
  const fits =
    isText(message) &&
    isText(about) &&
    (errors === undefined || errors === null || Array.isArray(errors))
  return fits ? told : {}
}

function resetText(ms: number): string {
  const total = Math.floor(0.5 + Math.abs(ms) / 1000)
  const minutes = Math.floor(total / 60)
  const seconds = total - minutes * 60
  const text = minutes > 0 ? `${minutes}m${String(seconds).padStart(2, '0')}s` : `${seconds}s`
  return ms < 0 ? `[rate limit was reset ${text} ago]` : `[rate reset in ${text}]`
}
