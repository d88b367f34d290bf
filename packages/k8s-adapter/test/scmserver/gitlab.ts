import { type Answered, type Asked, pageOf } from './answers.ts'
import { find, hasFile, organization, pulls, repositories, type TestRepository } from './model.ts'

const missing = (what: string): Answered => ({
  status: 404,
  body: { message: `404 ${what} Not Found` },
})

function paged<T>(all: readonly T[], asked: Asked): Answered {
  const { items, page, pages } = pageOf(all, asked, { page: 'page', size: 'per_page' })
  return {
    body: items,
    headers: {
      'x-page': String(page),
      'x-next-page': page < pages ? String(page + 1) : '',
      'x-total-pages': String(pages),
      'x-total': String(all.length),
    },
  }
}

/** Source: docs.gitlab.com/api/rest, version 4 */
export function answerGitlab(asked: Asked): Answered {
  const prefix = '/api/v4/'
  if (!asked.path.startsWith(prefix)) return missing('Page')
  const parts = asked.path.slice(prefix.length).split('/').map(decodeURIComponent)
  const [kind, id = '', ...rest] = parts
  const { query } = asked
  if (kind === 'groups' && rest.join('/') === 'projects') {
    if (id !== organization) return missing('Group')
    const archived = query.get('archived')
    const topic = query.get('topic')
    const found = repositories.filter(
      (repo) =>
        (archived === null ? true : repo.archived === (archived === 'true')) &&
        (!topic || repo.topics.includes(topic)),
    )
    return paged(found.map(told), asked)
  }
  if (kind !== 'projects') return missing('Page')
  if (rest.join('/') === 'merge_requests') {
    if (id !== 'acme/web') return missing('Project')
    const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '')
    const found = pulls.filter((pull) => labels.every((label) => pull.labels.includes(label)))
    return paged(
      found.map((pull) => ({
        id: 1000 + pull.number,
        iid: pull.number,
        title: pull.title,
        state: 'opened',
        source_branch: pull.branch,
        target_branch: pull.target,
        sha: pull.sha,
        labels: pull.labels,
        author: { id: 1, username: pull.author, name: 'Somebody' },
      })),
      asked,
    )
  }
  const repo = find(id.replace(/^acme\//, ''))
  if (repo === undefined) return missing('Project')
  if (rest.length === 0) return { body: told(repo) }
  const branches = Object.entries(repo.branches).map(([name, sha]) => ({
    name,
    commit: { id: sha, short_id: sha.slice(0, 8) },
    default: name === repo.branch,
  }))
  if (rest[0] !== 'repository') return missing('Page')
  if (rest[1] === 'branches') {
    if (rest[2] === undefined) return paged(branches, asked)
    const one = branches.find(({ name }) => name === rest[2])
    return one === undefined ? missing('Branch') : { body: one }
  }
  const ref = query.get('ref') ?? ''
  if (rest[1] === 'files') {
    return hasFile(repo, ref, rest[2] ?? '') === 'file'
      ? { body: { file_path: rest[2], ref } }
      : missing('File')
  }
  if (rest[1] === 'tree') {
    return hasFile(repo, ref, query.get('path') ?? '') === 'folder'
      ? { body: [{ name: 'x', type: 'blob' }] }
      : missing('Tree')
  }
  return missing('Page')
}

function told(repo: TestRepository): object {
  return {
    id: repo.id,
    path: repo.name,
    name: repo.name.toUpperCase(),
    path_with_namespace: `acme/${repo.name}`,
    namespace: { id: 3, full_path: organization, path: organization },
    default_branch: repo.branch,
    ssh_url_to_repo: `git@git.example.com:acme/${repo.name}.git`,
    http_url_to_repo: `https://git.example.com/acme/${repo.name}.git`,
    topics: repo.topics,
    tag_list: repo.topics,
    archived: repo.archived,
  }
}
