import type { Answered, Asked } from './answers.ts'
import { find, repositories } from './model.ts'

const refused = (type: string, message: string): Answered => ({
  status: 400,
  headers: { 'x-amzn-requestid': 'r-1' },
  body: { __type: type, message },
})

function listed<T>(
  all: readonly T[],
  token: unknown,
  pageSize: number,
): { readonly items: readonly T[]; readonly next: string | undefined } {
  const start = typeof token === 'string' && token !== '' ? Number(token) : 0
  const end = start + pageSize
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined }
}

/** Source: docs.aws.amazon.com: CodeCommit 2015-04-13, Resource Groups Tagging API 2017-01-26, STS 2011-06-15 */
export function answerAws(asked: Asked): Answered {
  if ((asked.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(asked.body)
    return {
      headers: { 'content-type': 'text/xml' },
      body: `<${form.get('Action')}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${form.get('Action')}Result><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-secret</SecretAccessKey><SessionToken>role-session</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></${form.get('Action')}Result></${form.get('Action')}Response>`,
    }
  }
  const authorization = asked.headers['authorization'] ?? ''
  if (!/^AWS4-HMAC-SHA256 Credential=(AKIATEST|ASIAROLE)\//.test(authorization)) {
    return refused(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    )
  }
  const target = asked.headers['x-amz-target'] ?? ''
  const operation = target.replace(/^.*\./, '')
  const input = JSON.parse(asked.body || '{}') as { readonly [name: string]: unknown }
  if (operation === 'ListRepositories') {
    const { items, next } = listed(repositories, input['nextToken'], asked.pageSize)
    return {
      body: {
        repositories: items.map(({ id, name }) => ({
          repositoryId: `id-${id}`,
          repositoryName: name,
        })),
        ...(next === undefined ? {} : { nextToken: next }),
      },
    }
  }
  if (operation === 'GetResources') {
    const filters = input['TagFilters'] as readonly { readonly Key: string }[]
    const found = repositories.filter(({ topics }) =>
      filters.every(({ Key }) => topics.includes(Key)),
    )
    const { items, next } = listed(found, input['PaginationToken'], asked.pageSize)
    return {
      body: {
        ResourceTagMappingList: items.map(({ name }) => ({
          ResourceARN: `arn:aws:codecommit:eu-central-1:123456789012:${name}`,
          Tags: [],
        })),
        PaginationToken: next ?? '',
      },
    }
  }
  const name = String(input['repositoryName'])
  const repo = find(name)
  if (repo === undefined)
    return refused('RepositoryDoesNotExistException', `${name} does not exist`)
  if (operation === 'GetRepository') {
    return {
      body: {
        repositoryMetadata: {
          accountId: '123456789012',
          repositoryId: `id-${repo.id}`,
          repositoryName: repo.name,
          defaultBranch: repo.branch,
          cloneUrlHttp: `https://git-codecommit.eu-central-1.amazonaws.com/v1/repos/${repo.name}`,
          cloneUrlSsh: `ssh://git-codecommit.eu-central-1.amazonaws.com/v1/repos/${repo.name}`,
        },
      },
    }
  }
  if (operation === 'ListBranches') {
    const { items, next } = listed(Object.keys(repo.branches), input['nextToken'], asked.pageSize)
    return { body: { branches: items, ...(next === undefined ? {} : { nextToken: next }) } }
  }
  if (operation === 'GetFolder') {
    const folder = String(input['folderPath']).replace(/^\//, '')
    const files = repo.files[String(input['commitSpecifier'])]
    if (files === undefined) return refused('CommitDoesNotExistException', 'no such commit')
    const below = files
      .filter((file) => folder === '' || file.startsWith(`${folder}/`))
      .map((file) => file.slice(folder === '' ? 0 : folder.length + 1))
    if (below.length === 0) return refused('FolderDoesNotExistException', 'no such folder')
    const folders = new Set(
      below.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
    )
    return {
      body: {
        files: below.filter((file) => !file.includes('/')).map((file) => ({ relativePath: file })),
        subFolders: [...folders].map((relativePath) => ({ relativePath })),
        subModules: [],
        symbolicLinks: [],
      },
    }
  }
  return refused('UnknownOperationException', operation)
}
