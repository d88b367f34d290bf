import { type Answered, type Asked, notFound, pageOf } from './answers.ts'
import { find, hasFile, organization, pulls, repositories, type TestRepository } from './model.ts'

const numbered = { page: 'page', size: 'per_page' }

function paged<T>(all: readonly T[], asked: Asked): Answered {
  const { items, page, pages } = pageOf(all, asked, numbered)
  const link = (to: number, rel: string): string => {
    const query = new URLSearchParams(asked.query)
    query.set('page', String(to))
    return `<${asked.base}${asked.path}?${query}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev'), link(1, 'first')] : []),
    ...(page < pages ? [link(page + 1, 'next'), link(pages, 'last')] : []),
  ]
  return { body: items, headers: links.length > 0 ? { link: links.join(', ') } : {} }
}

/** Source: docs.github.com/rest, version 2022-11-28 */
export function answerGithub(asked: Asked): Answered {
  const path = decodeURIComponent(asked.path)
  if (path === `/app/installations/77/access_tokens` && asked.method === 'POST') {
    if (!/^Bearer ey/.test(asked.headers['authorization'] ?? '')) return unauthorized
    return { status: 201, body: { token: 'ghs_installation', expires_at: '2100-01-01T00:00:00Z' } }
  }
  if (path === '/api/v3/app/installations') {
    return {
      body: [
        { id: 5, account: { login: 'other' } },
        { id: 77, account: { login: 'ACME' } },
      ],
    }
  }
  if (path === `/api/v3/orgs/${organization}/repos`) return paged(repositories.map(told), asked)
  const [, name = '', rest = ''] = /^\/api\/v3\/repos\/acme\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const repo = find(name)
  if (repo === undefined) return notFound
  const branches = Object.entries(repo.branches).map(([branch, sha]) => ({
    name: branch,
    commit: { sha, url: `${asked.base}/commits/${sha}` },
    protected: false,
  }))
  if (rest === '/branches') return paged(branches, asked)
  if (rest.startsWith('/branches/')) {
    const one = branches.find((branch) => branch.name === rest.slice('/branches/'.length))
    return one === undefined
      ? { status: 404, body: { message: 'Branch not found' } }
      : { body: one }
  }
  if (rest.startsWith('/contents/')) {
    const file = rest.slice('/contents/'.length)
    const kind = hasFile(repo, asked.query.get('ref') ?? repo.branch, file)
    if (kind === undefined) return notFound
    return {
      body: kind === 'file' ? { type: 'file', path: file } : [{ type: 'file', path: `${file}/x` }],
    }
  }
  if (rest === '/pulls') {
    return paged(
      pulls.map((pull) => ({
        number: pull.number,
        title: pull.title,
        state: 'open',
        head: { ref: pull.branch, sha: pull.sha },
        base: { ref: pull.target },
        user: { login: pull.author },
        labels: pull.labels.map((label) => ({ name: label })),
      })),
      asked,
    )
  }
  return notFound
}

const unauthorized: Answered = { status: 401, body: { message: 'Bad credentials' } }

function told(repo: TestRepository): object {
  return {
    id: repo.id,
    name: repo.name,
    full_name: `${organization}/${repo.name}`,
    owner: { login: organization },
    default_branch: repo.branch,
    clone_url: `https://git.example.com/acme/${repo.name}.git`,
    ssh_url: `git@git.example.com:acme/${repo.name}.git`,
    topics: repo.topics,
    archived: repo.archived,
  }
}
