import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, isSuccess, objectsOf, readJson } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, prefixed, query, segment, textsOf } from './provider.ts'

type Parameters = { readonly [name: string]: string | number | boolean | undefined }

/**
 * GitLab.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/gitlab.go and pull_request/gitlab.go, client-go v1.46
 */
export function gitlab(api: Api, config: JsonObject): Provider {
  async function pages(
    path: string,
    parameters: Parameters,
    signal?: AbortSignal,
  ): Promise<readonly JsonObject[]> {
    const out: JsonObject[] = []
    for (let page = 1, count = 1; ; count++) {
      api.checkPages(count)
      const { value, answer } = await api.json(
        `${path}?${query({ ...parameters, per_page: 100, ...(page > 1 ? { page } : {}) })}`,
        signal,
      )
      out.push(...objectsOf(value))
      // listings of more than 10,000 have no number of pages, but a next one
      const next = Number(answer.headers['x-next-page'] || 0)
      if (!(next > page)) return out
      page = next
    }
  }

  return {
    async repositories(signal) {
      const group = textOf(config, 'group')
      const found = await pages(
        `groups/${escaped(group)}/projects`,
        {
          include_subgroups: config['includeSubgroups'] === true,
          with_shared: config['includeSharedProjects'] !== false,
          topic: textOf(config, 'topic'),
          archived: config['includeArchivedRepos'] === true ? true : undefined,
        },
        signal,
      ).catch(prefixed(`error listing projects for ${group}: `))
      return found.map((project): ScmRepository => {
        const topics = textsOf(project['topics'])
        return {
          organization: textOf(blockOf(project, 'namespace') ?? {}, 'full_path'),
          repository: textOf(project, 'path'),
          id: Number(project['id'] ?? 0),
          cloneUrls: {
            ssh: textOf(project, 'ssh_url_to_repo'),
            https: textOf(project, 'http_url_to_repo'),
          },
          branch: textOf(project, 'default_branch'),
          labels: topics.length > 0 ? topics : textsOf(project['tag_list']), // before GitLab 14.5
          archived: project['archived'] === true,
        }
      })
    },

    async branches({ organization, repository, id, branch }, signal) {
      const place = `projects/${escaped(String(id))}/repository/branches`
      const failed = prefixed(`error listing branches for ${organization}/${repository}: `)
      const branchOf = (found: JsonObject): ScmBranch => ({
        name: textOf(found, 'name'),
        sha: textOf(blockOf(found, 'commit') ?? {}, 'id'),
      })
      const none = (error: unknown): readonly JsonObject[] => {
        if (statusOf(error) === 404) return []
        return failed(error)
      }
      if (config['allBranches'] === true) {
        return (await pages(place, {}, signal).catch(none)).map(branchOf)
      }
      const found = await api
        .json(`${place}/${escaped(branch)}`, signal)
        .then(({ value }) => (isObject(value) ? [value] : []), none)
      return found.map(branchOf)
    },

    async hasPath({ id }, branch, path, signal) {
      const place = `projects/${escaped(String(id))}/repository`
      const ref = branch.name
      const file = await api.exchange(`${place}/files/${escaped(path)}?${query({ ref })}`, {
        method: 'HEAD',
        signal,
      })
      if (isSuccess(file)) return true
      if (file.status !== 404) throw api.refusal(file)
      const folder = await api.exchange(`${place}/tree?${query({ path, ref })}`, { signal })
      if (isSuccess(folder)) return true
      if (folder.status !== 404) throw api.refusal(folder)
      return false
    },

    async pullRequests(signal) {
      const project = textOf(config, 'project')
      const labels = textsOf(config['labels'])
      const state = textOf(config, 'pullRequestState')
      const found = await pages(
        `projects/${escaped(project)}/merge_requests`,
        {
          labels: labels.length > 0 ? labels.join(',') : undefined,
          state: state === '' ? undefined : state,
        },
        signal,
      ).catch(prefixed(`error listing merge requests for project '${project}': `, 404))
      return found.map(
        (request): PullRequest => ({
          number: Number(request['iid'] ?? 0),
          title: textOf(request, 'title'),
          branch: textOf(request, 'source_branch'),
          targetBranch: textOf(request, 'target_branch'),
          headSha: textOf(request, 'sha'),
          author: textOf(blockOf(request, 'author') ?? {}, 'username'),
          labels: textsOf(request['labels']),
        }),
      )
    },
  }
}

export function gitlabBase(url: string): string {
  if (url === '') return 'https://gitlab.com/api/v4/'
  const base = url.endsWith('/') ? url : `${url}/`
  return base.endsWith('/api/v4/') ? base : `${base}api/v4/`
}

function escaped(text: string): string {
  return segment(text).replaceAll('.', '%2E')
}

function statusOf(error: unknown): unknown {
  return (error as { readonly data?: JsonObject }).data?.['status']
}

/** Source: gitlab client-go v1.46 CheckResponse */
export function explainGitlab({ method, url, status, body }: ApiAnswer): string {
  if (status === 404) return '404 Not Found'
  const line = `${method} ${url.replace(/[?#].*$/s, '')}: ${status}`
  if (body.trim() === '') return line
  const read = readJson(body)
  const message =
    'problem' in read ? `failed to parse unknown error format: ${body}` : told(read.value)
  return message === '' ? line : `${line} ${message}`
}

function told(value: Json): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(told).join(', ')}]`
  if (isObject(value)) {
    return Object.entries(value)
      .map(([key, item]) => `{${key}: ${told(item)}}`)
      .sort()
      .join(', ')
  }
  const kind = value === null ? '<nil>' : typeof value === 'boolean' ? 'bool' : 'float64'
  return `failed to parse unexpected error type: ${kind}`
}
