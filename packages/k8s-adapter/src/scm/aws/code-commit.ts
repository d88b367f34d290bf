import type { ScmBranch, ScmRepository } from '@litecd/core/adapters'
import { SourceError } from '@litecd/core/errors'
import { isObject, type JsonObject } from '@litecd/core/json'
import { type ApiAnswer, blockOf, isSuccess, objectIn, objectsOf, readJson } from '../api.ts'
import { textOf } from '../objects.ts'
import { type Provider, prefixed, textsOf } from '../provider.ts'
import { type AwsWorld, endpointOf } from './credentials.ts'
import { type AwsCredentials, signed } from './signature.ts'

const codeCommit = {
  name: 'CodeCommit',
  host: 'codecommit',
  variable: 'CODECOMMIT',
  target: 'CodeCommit_20150413',
}
const tagging = {
  name: 'Resource Groups Tagging API',
  host: 'tagging',
  variable: 'RESOURCE_GROUPS_TAGGING_API',
  target: 'ResourceGroupsTaggingAPI_20170126',
}

const isMissing = new Set([
  'RepositoryDoesNotExistException',
  'CommitDoesNotExistException',
  'FolderDoesNotExistException',
])
const encryption =
  'EncryptionIntegrityChecksFailed EncryptionKeyAccessDenied EncryptionKeyDisabled EncryptionKeyNotFound EncryptionKeyUnavailable'
const repository = 'InvalidRepositoryName RepositoryDoesNotExist RepositoryNameRequired'
/** Errors that an operation has of its own: the client prints them in another way than those of every service. */
const ownErrors: { readonly [operation: string]: ReadonlySet<string> } = Object.fromEntries(
  Object.entries({
    ListRepositories: 'InvalidContinuationToken InvalidOrder InvalidSortBy',
    GetRepository: `${encryption} ${repository}`,
    ListBranches: `${encryption} ${repository} InvalidContinuationToken`,
    GetFolder: `${encryption} ${repository} CommitDoesNotExist FolderDoesNotExist InvalidCommit InvalidPath PathRequired`,
    GetResources: 'InternalService InvalidParameter PaginationTokenExpired Throttled',
  }).map(([operation, names]) => [
    operation,
    new Set(names.split(' ').map((name) => `${name}Exception`)),
  ]),
)
const attempts = 3 // aws-sdk-go-v2 retry.DefaultMaxAttempts

/**
 * AWS CodeCommit. Commits of branches are not told: each would be a question of its own.
 *
 * Source: argo-cd v3.5.1 applicationset/services/scm_provider/aws_codecommit.go
 */
export function awsCodeCommit(
  world: AwsWorld,
  config: JsonObject,
  credentials: (signal?: AbortSignal) => Promise<AwsCredentials>,
  sleep: (ms: number) => Promise<void>,
): Provider {
  const { api } = world

  async function call(
    service: typeof codeCommit,
    operation: string,
    input: JsonObject,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const url = endpointOf(service, world)
    const body = JSON.stringify(input)
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${service.target}.${operation}`,
    }
    const request = { url, service: service.host, region: world.region, headers, body }
    for (let attempt = 1; ; attempt++) {
      const own = await credentials(signal)
      api.hide(own.secretAccessKey)
      if (own.sessionToken !== undefined) api.hide(own.sessionToken)
      const answer = await api.exchange(url, {
        method: 'POST',
        body,
        headers: signed(request, own, world.now()),
        signal,
      })
      if (isSuccess(answer)) {
        const read = readJson(answer.body)
        if ('value' in read) return isObject(read.value) ? read.value : {}
        const words = undecodable(service.name, operation, answer, read.problem)
        throw api.error('SOURCE_CORRUPT', words)
      }
      const { type } = toldBy(answer)
      const again =
        answer.status >= 500 || answer.status === 429 || /Throttl|TooManyRequests/.test(type)
      if (again && attempt < attempts) {
        await sleep(100 * 2 ** attempt)
        continue
      }
      const refusal = api.refusal(answer, explain(service.name, operation, answer))
      throw again
        ? new SourceError('SOURCE_UNREACHABLE', refusal.message, { retryable: true })
        : new SourceError(
            isMissing.has(type) ? 'SOURCE_NOT_FOUND' : 'SOURCE_REFUSED',
            refusal.message,
          )
    }
  }

  async function names(signal?: AbortSignal): Promise<readonly string[]> {
    const tags = tagFilters(config)
    const out: string[] = []
    for (let token = '', page = 1; ; page++) {
      api.checkPages(page)
      if (tags.length === 0) {
        const input = token === '' ? {} : { nextToken: token }
        const answer = await call(codeCommit, 'ListRepositories', input, signal)
        out.push(...objectsOf(answer['repositories']).map((one) => textOf(one, 'repositoryName')))
        token = textOf(answer, 'nextToken')
      } else {
        const answer = await call(
          tagging,
          'GetResources',
          {
            ResourceTypeFilters: ['codecommit:repository'],
            TagFilters: tags,
            ...(token === '' ? {} : { PaginationToken: token }),
          },
          signal,
        )
        for (const { ResourceARN } of objectsOf(answer['ResourceTagMappingList'])) {
          const parts = typeof ResourceARN === 'string' ? ResourceARN.split(':') : []
          if (parts.length >= 6 && parts[0] === 'arn') out.push(parts.slice(5).join(':'))
        }
        token = textOf(answer, 'PaginationToken')
      }
      if (token === '') return out
    }
  }

  async function metadataOf(
    repositoryName: string,
    signal?: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const answer = await call(codeCommit, 'GetRepository', { repositoryName }, signal)
    return blockOf(answer, 'repositoryMetadata')
  }

  return {
    async repositories(signal) {
      const listed = await names(signal).catch(prefixed('failed to list codecommit repository: '))
      const out: ScmRepository[] = []
      for (const name of listed) {
        const found = await metadataOf(name, signal).catch(
          prefixed('failed to get codecommit repository: '),
        )
        if (found === undefined) continue
        out.push({
          organization: textOf(found, 'accountId'),
          repository: textOf(found, 'repositoryName'),
          id: textOf(found, 'repositoryId'),
          cloneUrls: { ssh: textOf(found, 'cloneUrlSsh'), https: textOf(found, 'cloneUrlHttp') },
          branch: textOf(found, 'defaultBranch'),
          labels: [],
        })
      }
      return out
    },

    async branches({ repository }, signal) {
      if (config['allBranches'] !== true) {
        const found = await metadataOf(repository, signal)
        return [{ name: textOf(found ?? {}, 'defaultBranch'), sha: '' }]
      }
      const out: ScmBranch[] = []
      for (let token = '', page = 1; ; page++) {
        api.checkPages(page)
        const answer = await call(
          codeCommit,
          'ListBranches',
          { repositoryName: repository, ...(token === '' ? {} : { nextToken: token }) },
          signal,
        )
        out.push(...textsOf(answer['branches']).map((name) => ({ name, sha: '' })))
        token = textOf(answer, 'nextToken')
        if (token === '') return out
      }
    },

    async hasPath({ repository }, branch, path, signal) {
      const absolute = `/${path
        .split('/')
        .filter((part) => part !== '' && part !== '.')
        .join('/')}`
      if (absolute === '/') return true
      const cut = absolute.lastIndexOf('/')
      let answer: JsonObject
      try {
        answer = await call(
          codeCommit,
          'GetFolder',
          {
            commitSpecifier: branch.name,
            folderPath: cut === 0 ? '/' : absolute.slice(0, cut),
            repositoryName: repository,
          },
          signal,
        )
      } catch (error) {
        if (error instanceof SourceError && error.code === 'SOURCE_NOT_FOUND') return false
        throw error
      }
      const name = absolute.slice(cut + 1)
      return ['subModules', 'subFolders', 'files', 'symbolicLinks'].some((kind) =>
        objectsOf(answer[kind]).some((one) => textOf(one, 'relativePath') === name),
      )
    },

    async pullRequests() {
      throw new SourceError('SOURCE_REFUSED', 'CodeCommit has no pull request generator')
    },
  }
}

/** Values of one key are alternatives; keys must all be there. */
function tagFilters(config: JsonObject): readonly JsonObject[] {
  const byKey = new Map<string, string[]>()
  for (const filter of objectsOf(config['tagFilters'])) {
    const key = textOf(filter, 'key')
    const values = byKey.get(key) ?? []
    const value = textOf(filter, 'value')
    if (value !== '') values.push(value)
    byKey.set(key, values)
  }
  return [...byKey].map(([Key, Values]) => (Values.length > 0 ? { Key, Values } : { Key }))
}

function toldBy(answer: ApiAnswer): { readonly type: string; readonly message: string } {
  const told = objectIn(answer.body)
  const given = textOf(told, '__type') || (answer.headers['x-amzn-errortype'] ?? '')
  const type = given.replace(/:.*$/, '').replace(/^.*#/, '')
  return { type, message: textOf(told, 'message') || textOf(told, 'Message') }
}

/** Source: smithy-go OperationError, ResponseError and APIError */
function explain(service: string, operation: string, answer: ApiAnswer): string {
  const read = readJson(answer.body)
  if (answer.body !== '' && 'problem' in read) {
    return undecodable(service, operation, answer, read.problem)
  }
  const { type, message } = toldBy(answer)
  const isOwn = ownErrors[operation]?.has(type) === true
  const kind = isOwn ? type : `api error ${type || 'UnknownError'}`
  return `${exchangeOf(service, operation, answer)}, ${kind}: ${message || type || 'UnknownError'}`
}

function undecodable(
  service: string,
  operation: string,
  answer: ApiAnswer,
  problem: string,
): string {
  return `${exchangeOf(service, operation, answer)}, deserialization failed, failed to decode response body, ${problem}`
}

function exchangeOf(service: string, operation: string, { status, headers }: ApiAnswer): string {
  return `operation error ${service}: ${operation}, https response error StatusCode: ${status}, RequestID: ${headers['x-amzn-requestid'] ?? ''}`
}
