import { type Answered, type Asked, pageOf } from './answers.ts'
import { find, hasFile, organization, pulls, repositories, type TestRepository } from './model.ts'

const missing: Answered = {
  status: 404,
  body: {
    errors: null,
    message: "The target couldn't be found.",
    url: 'https://git.example.com/api/swagger',
  },
}

function paged<T>(all: readonly T[], asked: Asked): Answered {
  const { items } = pageOf(all, asked, { page: 'page', size: 'limit' })
  return { body: items, headers: { 'x-total-count': String(all.length) } }
}

/** Source: the swagger document of Gitea 1.24, api/v1 */
export function answerGitea(asked: Asked): Answered {
  const path = decodeURIComponent(asked.path)
  if (path === '/api/v1/version') return { body: { version: '1.24.3' } }
  if (path === `/api/v1/orgs/${organization}/repos`) return paged(repositories.map(told), asked)
  const [, name = '', rest = ''] = /^\/api\/v1\/repos\/acme\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const repo = find(name)
  if (repo === undefined) return missing
  const branches = Object.entries(repo.branches).map(([branch, sha]) => ({
    name: branch,
    commit: { id: sha, message: 'x' },
  }))
  if (rest === '/labels')
    return paged(
      repo.topics.map((topic, id) => ({ id, name: topic })),
      asked,
    )
  if (rest === '/branches') return paged(branches, asked)
  if (rest.startsWith('/branches/')) {
    const one = branches.find((branch) => branch.name === rest.slice('/branches/'.length))
    return one === undefined ? missing : { body: one }
  }
  if (rest.startsWith('/contents/')) {
    const file = rest.slice('/contents/'.length)
    const kind = hasFile(repo, asked.query.get('ref') ?? repo.branch, file)
    if (kind === undefined) return missing
    return { body: kind === 'file' ? { type: 'file', path: file } : [{ type: 'file' }] }
  }
  if (rest === '/pulls') {
    return paged(
      pulls.map((pull) => ({
        id: 100 + pull.number,
        number: pull.number,
        title: pull.title,
        state: 'open',
        head: { label: pull.branch, ref: pull.branch, sha: pull.sha },
        base: { label: pull.target, ref: pull.target, sha: 'x' },
        user: { login: pull.author, full_name: 'Somebody' },
        labels: pull.labels.map((label) => ({ name: label })),
      })),
      asked,
    )
  }
  return missing
}

function told(repo: TestRepository): object {
  return {
    id: repo.id,
    name: repo.name,
    owner: { login: organization },
    default_branch: repo.branch,
    html_url: `https://git.example.com/acme/${repo.name}`,
    clone_url: `https://git.example.com/acme/${repo.name}.git`,
    ssh_url: `git@git.example.com:acme/${repo.name}.git`,
    archived: repo.archived,
  }
}
