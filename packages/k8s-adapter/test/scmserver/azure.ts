import type { Answered, Asked } from './answers.ts'
import { find, hasFile, pulls, repositories } from './model.ts'

const refused = (status: number, typeKey: string, message: string): Answered => ({
  status,
  body: {
    $id: '1',
    innerException: null,
    message,
    typeName: `Microsoft.${typeKey}`,
    typeKey,
    errorCode: 0,
  },
})

const idOf = (number: number): string => `00000000-0000-0000-0000-0000000000${number}`

/** Where resources are, for clients that ask before anything else. */
const locations = [
  [
    'e81700f7-3be2-46de-8624-2eb35882fcaa',
    'Location',
    'ResourceAreas',
    '_apis/{resource}/{areaId}',
  ],
  [
    '225f7195-f9c7-4d14-ab28-a83f7ff77e1f',
    'git',
    'repositories',
    '{project}/_apis/{area}/{resource}/{repositoryId}',
  ],
  [
    'd5b216de-d8d5-4d32-ae76-51df755b16d3',
    'git',
    'branches',
    '{project}/_apis/{area}/repositories/{repositoryId}/stats/{resource}',
  ],
  [
    'fb93c0db-47ed-4a31-8c20-47552878fb44',
    'git',
    'items',
    '{project}/_apis/{area}/repositories/{repositoryId}/{resource}/{*path}',
  ],
  [
    'a5d28130-9cd2-40fa-9f08-902e7daa9efb',
    'git',
    'pullrequests',
    '{project}/_apis/{area}/{resource}/{pullRequestId}',
  ],
].map(([id, area, resourceName, routeTemplate]) => ({
  id,
  area,
  resourceName,
  routeTemplate,
  resourceVersion: 1,
  minVersion: '1.0',
  maxVersion: '7.1',
  releasedVersion: '7.0',
}))

/** Source: learn.microsoft.com/rest/api/azure/devops/git, version 5.0 */
export function answerAzure(asked: Asked): Answered {
  const path = decodeURIComponent(asked.path)
  if (path === '/acme/_apis') return { body: { count: locations.length, value: locations } }
  if (path === '/acme/_apis/ResourceAreas') return { body: { count: 0, value: [] } }
  const [, project = '', rest = ''] = /^\/acme\/([^/]+)\/_apis\/git\/(.*)$/.exec(path) ?? []
  if (project !== 'team') {
    return refused(
      404,
      'ProjectDoesNotExistWithNameException',
      `TF200016: The following project does not exist: ${project}. Verify that the name of the project is correct and that the project exists on the specified Azure DevOps Server.`,
    )
  }
  if (rest === 'repositories') {
    const value = repositories.map((repo) => ({
      id: idOf(repo.id),
      name: repo.name,
      defaultBranch: `refs/heads/${repo.branch}`,
      remoteUrl: `https://git.example.com/acme/${repo.name}.git`,
      sshUrl: `git@git.example.com:acme/${repo.name}.git`,
      project: { name: 'team' },
    }))
    return { body: { count: value.length, value } }
  }
  if (rest === 'pullrequests') {
    const value = [
      ...pulls.map((pull) => ({
        pullRequestId: pull.number,
        title: pull.title,
        status: 'active',
        repository: { id: idOf(11), name: 'web' },
        sourceRefName: `refs/heads/${pull.branch}`,
        targetRefName: `refs/heads/${pull.target}`,
        lastMergeSourceCommit: { commitId: pull.sha },
        createdBy: { displayName: 'Somebody', uniqueName: `${pull.author}@example.com` },
        ...(pull.labels.length > 0 ? { labels: pull.labels.map((name) => ({ name })) } : {}),
      })),
      {
        pullRequestId: 99,
        title: 'Elsewhere',
        repository: { name: 'db' },
        sourceRefName: 'refs/heads/x',
        targetRefName: 'refs/heads/y',
        lastMergeSourceCommit: { commitId: 'x' },
        createdBy: { uniqueName: 'x' },
      },
      {
        pullRequestId: 100,
        title: 'Without a commit',
        repository: { name: 'web' },
        sourceRefName: 'refs/heads/x',
        targetRefName: 'refs/heads/y',
      },
    ]
    return { body: { count: value.length, value } }
  }
  const [, name = '', what = ''] = /^repositories\/([^/]+)\/(.*)$/.exec(rest) ?? []
  const repo = find(name) ?? repositories.find(({ id }) => idOf(id) === name)
  if (repo === undefined) {
    return refused(
      404,
      'GitRepositoryNotFoundException',
      `TF401019: The Git repository with name or identifier ${name} does not exist.`,
    )
  }
  const branches = Object.entries(repo.branches).map(([branch, sha]) => ({
    name: branch,
    commit: { commitId: sha },
    isBaseVersion: branch === repo.branch,
  }))
  if (what === 'stats/branches') {
    const wanted = asked.query.get('name')
    if (wanted === null) return { body: { count: branches.length, value: branches } }
    const one = branches.find((branch) => branch.name === wanted)
    return one === undefined
      ? refused(
          404,
          'GitUnresolvableToCommitException',
          `TF401175: The version descriptor <Branch: ${wanted} > could not be resolved to a version in the repository ${name}`,
        )
      : { body: one }
  }
  if (what === 'items') {
    const file = asked.query.get('path') ?? ''
    const kind = hasFile(repo, asked.query.get('versionDescriptor.version') ?? '', file)
    return kind === undefined
      ? refused(
          404,
          'GitItemNotFoundException',
          `TF401174: The item '${file}' could not be found in the repository.`,
        )
      : { body: { path: `/${file}`, isFolder: kind === 'folder' } }
  }
  return refused(404, 'NotFoundException', 'Nothing is here.')
}
