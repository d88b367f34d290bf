import type { PullRequest, ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import { isObject, type Json, type JsonObject } from '@litecd/core/json'
import { type Api, type ApiAnswer, blockOf, objectsOf, readJson } from './api.ts'
import { textOf } from './objects.ts'
import { type Provider, prefixed, query, segment } from './provider.ts'

const noProject = 'The following project does not exist'
const branchPrefix = 'refs/heads/'
/** What every server since 2019 speaks, and the service; the fields that are read are the same in later ones. */
export const azureAccept = 'application/json;api-version=5.0'
/** Pull requests that the service lists unless told otherwise. */
const defaultTop = 100

/**
 * Azure DevOps, the service and the server.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/azure_devops.go and pull_request/azure_devops.go,
 * azure-devops-go-api v7
 */
export function azureDevOps(
  api: Api,
  config: JsonObject,
  warn: (message: string) => void,
): Provider {
  const organization = textOf(config, 'organization')
  const project = textOf(config, 'teamProject')

  const placeOf = (team: string, rest: string): string =>
    `${team === '' ? '' : `/${segment(team)}`}/_apis/git/${rest}`

  const branchOf = (found: JsonObject): ScmBranch => ({
    name: textOf(found, 'name'),
    sha: textOf(blockOf(found, 'commit') ?? {}, 'commitId'),
  })

  return {
    async repositories(signal) {
      const { value } = await api.json(placeOf(project, 'repositories'), signal)
      return valuesOf(value)
        .filter((repo) => typeof repo['name'] === 'string' && typeof repo['id'] === 'string')
        .filter((repo) => typeof repo['remoteUrl'] === 'string')
        .map(
          (repo): ScmRepository => ({
            organization,
            repository: textOf(repo, 'name'),
            id: textOf(repo, 'id'),
            cloneUrls: { https: textOf(repo, 'remoteUrl'), ssh: textOf(repo, 'sshUrl') },
            branch: textOf(repo, 'defaultBranch'),
            labels: [],
          }),
        )
    },

    async branches({ repository, branch }, signal) {
      const place = placeOf(project, `repositories/${segment(repository)}/stats/branches`)
      const absent = (error: unknown): undefined => {
        if (typeKeyOf(error) === 'GitRepositoryNotFoundException') return undefined
        throw error
      }
      if (config['allBranches'] === true) {
        const answer = await api
          .json(place, signal)
          .catch(absent)
          .catch(
            prefixed(`failed getting branches from repository ${repository}, project ${project}: `),
          )
        return answer === undefined ? [] : valuesOf(answer.value).map(branchOf)
      }
      const name = branch.replace(branchPrefix, '')
      const answer = await api
        .json(`${place}?${query({ name })}`, signal)
        .catch(absent)
        .catch(
          prefixed(
            `could not get default branch ${name} (${branch}) from repository ${repository}: `,
          ),
        )
      if (answer === undefined) return []
      const found = isObject(answer.value) ? answer.value : {}
      if (typeof found['name'] !== 'string' || !isObject(found['commit'])) {
        throw api.error(
          'SOURCE_CORRUPT',
          `invalid branch result after requesting branch ${branch} from repository ${repository}`,
        )
      }
      return [branchOf(found)]
    },

    async hasPath({ id }, branch, path, signal) {
      const place = placeOf(project, `repositories/${segment(String(id))}/items`)
      try {
        await api.json(
          `${place}?${query({ path, 'versionDescriptor.version': branch.name })}`,
          signal,
        )
        return true
      } catch (error) {
        if (typeKeyOf(error) === 'GitItemNotFoundException') return false
        return prefixed('failed to check for path existence in Azure DevOps: ')(error)
      }
    },

    async pullRequests(signal) {
      const team = textOf(config, 'project')
      const repo = textOf(config, 'repo')
      let value: Json
      try {
        value = (await api.json(placeOf(team, 'pullrequests'), signal)).value
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (error.message.includes(noProject)) {
          throw new SourceError('SOURCE_NOT_FOUND', error.message, { cause: error })
        }
        const code = error.code === 'SOURCE_NOT_FOUND' ? 'SOURCE_REFUSED' : error.code
        if (code === 'BUDGET_EXCEEDED') throw error
        throw new SourceError(code, `failed to get pull requests by project: ${error.message}`, {
          retryable: error.retryable,
          cause: error,
        })
      }
      const all = valuesOf(value)
      if (all.length >= defaultTop) {
        warn(
          `pull requests of project ${team}: only the first ${all.length} are looked at, as in Argo CD`,
        )
      }
      const out: PullRequest[] = []
      for (const pull of all) {
        const source = pull['sourceRefName']
        const target = pull['targetRefName']
        const sha = blockOf(pull, 'lastMergeSourceCommit')?.['commitId']
        if (typeof source !== 'string' || typeof target !== 'string' || typeof sha !== 'string') {
          continue
        }
        if (textOf(blockOf(pull, 'repository') ?? {}, 'name') !== repo) continue
        out.push({
          number: Number(pull['pullRequestId'] ?? 0),
          title: textOf(pull, 'title'),
          branch: source.replace(branchPrefix, ''),
          targetBranch: target.replace(branchPrefix, ''),
          headSha: sha,
          author: textOf(blockOf(pull, 'createdBy') ?? {}, 'uniqueName').split('@')[0] ?? '',
          labels: objectsOf(pull['labels']).map((label) => textOf(label, 'name')),
        })
      }
      return out
    },
  }
}

export function azureBase(url: string, organization: string): string {
  const base = url === '' ? 'https://dev.azure.com' : url
  return `${base.endsWith('/') ? base : `${base}/`}${organization}`
}

function valuesOf(value: Json): readonly JsonObject[] {
  return objectsOf(isObject(value) ? value['value'] : undefined)
}

/** What went wrong, by the name that the server has for it. */
function typeKeyOf(error: unknown): unknown {
  return error instanceof SourceError ? error.data['typeKey'] : undefined
}

interface Told {
  readonly message: string
  readonly typeKey: string
}

function toldBy({ status, statusText, headers, body }: ApiAnswer): Told {
  if (headers['content-length'] === '0') {
    return { message: `Request returned status: ${statusText}`, typeKey: '' }
  }
  const text = body.replace(/^\uFEFF/, '')
  if ((headers['content-type'] ?? '').includes('text/plain')) return { message: text, typeKey: '' }
  const read = readJson(text)
  if ('problem' in read) return { message: read.problem, typeKey: '' }
  const told = isObject(read.value) ? read.value : {}
  const inner = blockOf(told, 'value')
  const message =
    textOf(told, 'message') ||
    textOf(inner ?? {}, 'Message') ||
    textOf(inner ?? {}, 'message') ||
    `REST call returned status code ${status}`
  return { message, typeKey: textOf(told, 'typeKey') }
}

/** Source: azure-devops-go-api v7 UnwrapError */
export function explainAzure(answer: ApiAnswer): string {
  return toldBy(answer).message
}

/** Facts of an error that the provider decides by. */
export function azureFacts(answer: ApiAnswer): { readonly [key: string]: Json } {
  return { typeKey: toldBy(answer).typeKey }
}
