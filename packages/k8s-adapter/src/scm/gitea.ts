import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, isSuccess, objectsOf, readJson } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, query, segment, segments } from './provider.ts'

/** Parity: one page as long as the server's own default is all that Argo CD looks at. */
const onePage = { page: 1, limit: 0 }

/**
 * Gitea and Forgejo.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/gitea.go and pull_request/gitea.go, gitea sdk v0.25
 */
export function gitea(api: Api, config: JsonObject, warn: (message: string) => void): Provider {
  const owner = textOf(config, 'owner')

  async function list(
    path: string,
    what: string,
    signal?: AbortSignal,
  ): Promise<readonly JsonObject[]> {
    const { value, answer } = await api.json(`${path}?${query(onePage)}`, signal)
    const found = objectsOf(value)
    const total = Number(answer.headers['x-total-count'] ?? 0)
    if (total > found.length) {
      warn(`${what}: ${found.length} of ${total} are looked at, as in Argo CD`)
    }
    return found
  }

  return {
    async repositories(signal) {
      const found = await list(`/orgs/${segment(owner)}/repos`, `repositories of ${owner}`, signal)
      const out: ScmRepository[] = []
      for (const repo of found) {
        const name = textOf(repo, 'name')
        const labels = await list(
          `/repos/${segment(owner)}/${segment(name)}/labels`,
          `labels of ${owner}/${name}`,
          signal,
        )
        out.push({
          organization: owner,
          repository: name,
          id: Number(repo['id'] ?? 0),
          cloneUrls: { ssh: textOf(repo, 'ssh_url'), https: textOf(repo, 'html_url') },
          branch: textOf(repo, 'default_branch'),
          labels: labels.map((label) => textOf(label, 'name')),
          archived: repo['archived'] === true,
        })
      }
      return out
    },

    async branches({ repository, branch }, signal) {
      const place = `/repos/${segment(owner)}/${segment(repository)}/branches`
      const shaOf = (found: JsonObject): string => textOf(blockOf(found, 'commit') ?? {}, 'id')
      if (config['allBranches'] === true) {
        const found = await list(place, `branches of ${owner}/${repository}`, signal)
        return found.map((one): ScmBranch => ({ name: textOf(one, 'name'), sha: shaOf(one) }))
      }
      const answer = await api.exchange(`${place}/${segments(branch)}`, { signal })
      if (answer.status === 404) {
        throw api.refusal(
          answer,
          `got 404 while getting default branch ${JSON.stringify(branch)} for repo ${JSON.stringify(repository)} - check your repo config: ${explainGitea(answer)}`,
        )
      }
      if (!isSuccess(answer)) throw api.refusal(answer)
      const found = api.parsed(answer)
      return [{ name: branch, sha: isObject(found) ? shaOf(found) : '' }]
    },

    async hasPath({ organization, repository }, branch, path, signal) {
      const answer = await api.exchange(
        `/repos/${segment(organization)}/${segment(repository)}/contents/${segments(path.replace(/^\//, ''))}?${query({ ref: branch.name })}`,
        { signal },
      )
      if (answer.status === 404) return false
      if (!isSuccess(answer)) throw api.refusal(answer)
      return true
    },

    async pullRequests(signal) {
      const repo = textOf(config, 'repo')
      const { value, answer } = await api.json(
        `/repos/${segment(owner)}/${segment(repo)}/pulls?${query({ ...onePage, state: 'open' })}`,
        signal,
      )
      const found = objectsOf(value)
      const total = Number(answer.headers['x-total-count'] ?? 0)
      if (total > found.length) {
        warn(
          `pull requests of ${owner}/${repo}: ${found.length} of ${total} are looked at, as in Argo CD`,
        )
      }
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

export function giteaBase(url: string): string {
  return `${url.replace(/\/$/, '')}/api/v1`
}

/** Asks for the version, as the client does before anything else. */
export async function checkGitea(api: Api, signal?: AbortSignal): Promise<void> {
  const { value } = await api.json('/version', signal)
  const version = isObject(value) ? textOf(value, 'version') : ''
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  if (major !== undefined && Number(major) === 1 && Number(minor) < 11) {
    throw api.error(
      'SOURCE_REFUSED',
      `gitea server at ${api.base.replace(/\/api\/v1$/, '')} is older than 1.11.0`,
    )
  }
}

/** A value as Go's `%v` prints it. */
function goText(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(goText).join(' ')}]`
  if (isObject(value)) {
    const parts = Object.keys(value).sort()
    return `map[${parts.map((key) => `${key}:${goText(value[key] ?? null)}`).join(' ')}]`
  }
  return value === null ? '<nil>' : String(value)
}

/** Source: gitea sdk v0.25 statusCodeToErr */
export function explainGitea({ method, url, status, statusText, body }: ApiAnswer): string {
  const read = readJson(body)
  if ('problem' in read || !isObject(read.value)) {
    return `unknown API error: ${status}\nRequest: '${new URL(url).pathname}' with '${method}' method and '${body}' body`
  }
  const { message } = read.value
  if (message !== undefined) return goText(message)
  return `${statusText}: ${body}`
}
