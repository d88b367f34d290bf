import { type Answered, type Asked, pageOf } from './answers.ts'
import { find, hasFile, organization, pulls, repositories, type TestRepository } from './model.ts'

const missing = (message: string): Answered => ({
  status: 404,
  body: { errors: [{ context: null, message, exceptionName: 'NoSuchThingException' }] },
})

function windowed<T>(all: readonly T[], { query, pageSize }: Asked): Answered {
  const limit = Math.min(Number(query.get('limit') ?? 25), pageSize)
  const start = Number(query.get('start') ?? 0)
  const values = all.slice(start, start + limit)
  const isLastPage = start + limit >= all.length
  return {
    body: {
      size: values.length,
      limit,
      start,
      isLastPage,
      values,
      nextPageStart: isLastPage ? null : start + limit,
    },
  }
}

/** Source: developer.atlassian.com/server/bitbucket/rest, version 8 */
export function answerBitbucketServer(asked: Asked): Answered {
  const path = decodeURIComponent(asked.path)
  const project = '/rest/api/1.0/projects/acme/repos'
  if (path === project) {
    return windowed(
      repositories.map((repo) => ({
        id: repo.id,
        slug: repo.name,
        name: repo.name,
        archived: repo.archived,
        project: { key: organization, id: 1, name: 'Acme' },
        links: {
          clone: [
            { href: `https://git.example.com/acme/${repo.name}.git`, name: 'http' },
            { href: `git@git.example.com:acme/${repo.name}.git`, name: 'ssh' },
          ],
        },
      })),
      asked,
    )
  }
  if (!path.startsWith(`${project}/`)) return missing('Project nothing does not exist.')
  const [name = '', ...more] = path.slice(project.length + 1).split('/')
  const rest = more.join('/')
  const repo = find(name)
  if (repo === undefined) return missing(`Repository acme/${name} does not exist.`)
  const branches = Object.entries(repo.branches).map(([branch, sha]) => ({
    id: `refs/heads/${branch}`,
    displayId: branch,
    type: 'BRANCH',
    latestCommit: sha,
    isDefault: branch === repo.branch,
  }))
  if (rest === 'branches') return windowed(branches, asked)
  if (rest === 'branches/default') return { body: branches.find(({ isDefault }) => isDefault) }
  if (rest.startsWith('browse/')) {
    const kind = hasFile(repo, asked.query.get('at') ?? '', rest.slice('browse/'.length))
    return kind === undefined
      ? missing('The path does not exist.')
      : { body: { type: kind === 'file' ? 'FILE' : 'DIRECTORY' } }
  }
  if (rest === 'pull-requests') {
    return windowed(
      pulls.map((pull) => ({
        id: pull.number,
        title: pull.title,
        state: 'OPEN',
        fromRef: {
          id: `refs/heads/${pull.branch}`,
          displayId: pull.branch,
          latestCommit: pull.sha,
        },
        toRef: { id: `refs/heads/${pull.target}`, displayId: pull.target },
        author: { user: { name: pull.author, displayName: 'Somebody' }, role: 'AUTHOR' },
      })),
      asked,
    )
  }
  return missing('Nothing is here.')
}

function cloudPage<T>(all: readonly T[], asked: Asked, size: number): Answered {
  const query = new URLSearchParams(asked.query)
  query.set('pagelen', String(size))
  const { items, page, pages } = pageOf(all, { ...asked, query }, { page: 'page', size: 'pagelen' })
  const next = new URLSearchParams(asked.query)
  next.set('page', String(page + 1))
  return {
    body: {
      values: items,
      page,
      size: all.length,
      pagelen: size,
      ...(page < pages ? { next: `${asked.base}${asked.path}?${next}` } : {}),
    },
  }
}

const cloudMissing: Answered = {
  status: 404,
  body: { type: 'error', error: { message: 'Repository not found' } },
}

/** Source: developer.atlassian.com/cloud/bitbucket/rest, version 2.0 */
export function answerBitbucketCloud(asked: Asked): Answered {
  const path = decodeURIComponent(asked.path)
  if (path === `/2.0/repositories/${organization}`)
    return cloudPage(repositories.map(cloud), asked, 10)
  const [, name = '', rest = ''] = /^\/2\.0\/repositories\/acme\/([^/]+)\/(.*)$/.exec(path) ?? []
  const repo = find(name)
  if (repo === undefined) return cloudMissing
  const branches = Object.entries(repo.branches).map(([branch, sha]) => ({
    name: branch,
    type: 'branch',
    target: { hash: sha, type: 'commit' },
  }))
  if (rest === 'refs/branches') return cloudPage(branches, asked, 10)
  if (rest.startsWith('refs/branches/')) {
    const one = branches.find((branch) => branch.name === rest.slice('refs/branches/'.length))
    return one === undefined ? cloudMissing : { body: one }
  }
  const [, sha = '', file = ''] = /^src\/([^/]+)\/(.*)$/.exec(rest) ?? []
  if (sha !== '') {
    const branch = branches.find(({ target }) => target.hash === sha)?.name ?? ''
    return hasFile(repo, branch, file) === undefined
      ? cloudMissing
      : { body: { type: 'commit_file', path: file } }
  }
  if (rest === 'pullrequests/') {
    return cloudPage(
      pulls.map((pull) => ({
        id: pull.number,
        title: pull.title,
        state: 'OPEN',
        source: { branch: { name: pull.branch }, commit: { hash: pull.sha } },
        destination: { branch: { name: pull.target }, commit: { hash: 'x' } },
        author: { nickname: pull.author, display_name: 'Somebody' },
      })),
      asked,
      10,
    )
  }
  return cloudMissing
}

function cloud(repo: TestRepository): object {
  return {
    type: 'repository',
    uuid: `{${repo.id}}`,
    slug: repo.name,
    name: repo.name,
    full_name: `acme/${repo.name}`,
    mainbranch: { type: 'branch', name: repo.branch },
    links: {
      clone: [
        { name: 'https', href: `https://git.example.com/acme/${repo.name}.git` },
        { name: 'ssh', href: `git@git.example.com:acme/${repo.name}.git` },
      ],
    },
  }
}
