import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../json/index.ts'
import { type PushEvent, type WebhookEvent, WebhookRefused } from './event.ts'
import { providerOf, type WebhookProvider } from './provider.ts'
import { readWebhookEvent } from './read.ts'

describe('providerOf', () => {
  it.each<[Record<string, string>, WebhookProvider | undefined]>([
    [{ 'x-vss-activityid': '1', 'x-github-event': 'push' }, 'azuredevops'],
    [{ 'x-gitea-event': 'push', 'x-gogs-event': 'push', 'x-github-event': 'push' }, 'gogs'],
    [{ 'x-github-event': 'push' }, 'github'],
    [{ 'x-github-event': 'package' }, 'ghcr'],
    [{ 'x-gitlab-event': 'Push Hook' }, 'gitlab'],
    [{ 'x-hook-uuid': 'u', 'x-event-key': 'repo:push' }, 'bitbucket'],
    [{ 'x-event-key': 'repo:refs_changed' }, 'bitbucketserver'],
    [{ 'x-github-event': '' }, undefined],
    [{ 'x-random-event': 'push' }, undefined],
  ])('%j: %s', (headers, provider) => {
    expect(providerOf(headers)).toBe(provider)
  })
})

const commits = [
  { added: ['a.yaml'], modified: ['b/c.yaml'], removed: [] },
  { removed: ['d'], modified: [7] },
]
const files = ['a.yaml', 'b/c.yaml', 'd']
const both = { kind: 'push', forApplications: true, forSets: true }
const gitHub = (event: string) => ({ 'x-github-event': event })
const gitLab = (event: string) => ({ 'x-gitlab-event': event })
const project = { web_url: 'https://gitlab.com/g/p', default_branch: 'main' }
const mergeRequest = (action: string, kind = 'merge_request'): Json => ({
  object_kind: kind,
  project,
  object_attributes: { action, target_project_id: 100500 },
})
const azure = (eventType: string, resource: Json): Json => ({ eventType, resource })
const azureRepository = {
  name: 'repo',
  remoteUrl: 'https://dev.azure.com/o/p/_git/repo',
  defaultBranch: 'refs/heads/main',
  project: { name: 'p' },
}

describe('readWebhookEvent', () => {
  it.each<[string, WebhookProvider, Record<string, string>, Json, object]>([
    [
      'a push to GitHub',
      'github',
      gitHub('push'),
      {
        ref: 'refs/heads/main',
        repository: { html_url: 'https://github.com/o/r', default_branch: 'main' },
        commits,
      },
      { ...both, urls: ['https://github.com/o/r'], revision: 'main', touchedHead: true, files },
    ],
    [
      'a tag on GitHub',
      'github',
      gitHub('push'),
      { ref: 'refs/tags/v1/x', repository: { html_url: 'u', default_branch: 'main' }, commits: [] },
      { ...both, urls: ['u'], revision: 'v1/x', touchedHead: false, files: [] },
    ],
    ['a ping of GitHub', 'github', gitHub('ping'), {}, { kind: 'nothing' }],
    [
      'a pull request on GitHub',
      'github',
      gitHub('pull_request'),
      {
        action: 'opened',
        repository: {
          name: 'r',
          owner: { login: 'o' },
          url: 'https://api.github.com/repos/o/r',
        },
      },
      {
        kind: 'pullRequest',
        host: 'github',
        owner: 'o',
        repository: 'r',
        apiUrl: 'https://api.github.com/repos/o/r',
      },
    ],
    [
      'somebody is assigned on GitHub',
      'github',
      gitHub('pull_request'),
      { action: 'assigned' },
      { kind: 'nothing' },
    ],
    [
      'a push to GitLab',
      'gitlab',
      gitLab('Push Hook'),
      { ref: 'refs/heads/dev', project, commits },
      { ...both, urls: [project.web_url], revision: 'dev', touchedHead: false, files },
    ],
    [
      'a push told by a system hook',
      'gitlab',
      gitLab('System Hook'),
      { object_kind: 'push', ref: 'refs/heads/main', project },
      { ...both, revision: 'main', touchedHead: true },
    ],
    [
      'a tag on GitLab, no matter for sets',
      'gitlab',
      gitLab('Tag Push Hook'),
      { ref: 'refs/tags/v1', project },
      { kind: 'push', forApplications: true, forSets: false, revision: 'v1' },
    ],
    [
      'a merge request on GitLab',
      'gitlab',
      gitLab('Merge Request Hook'),
      mergeRequest('open'),
      { kind: 'pullRequest', host: 'gitlab', projectId: '100500', hostname: 'gitlab.com' },
    ],
    [
      'the same told by a system hook',
      'gitlab',
      gitLab('System Hook'),
      mergeRequest('merge'),
      { kind: 'pullRequest', projectId: '100500' },
    ],
    [
      'an approval on GitLab',
      'gitlab',
      gitLab('Merge Request Hook'),
      mergeRequest('approved'),
      { kind: 'nothing' },
    ],
    [
      'a push to Azure DevOps',
      'azuredevops',
      {},
      azure('git.push', {
        repository: azureRepository,
        refUpdates: [{ name: 'refs/heads/main' }, { name: 'refs/heads/x' }],
      }),
      {
        ...both,
        urls: [azureRepository.remoteUrl],
        revision: 'main',
        touchedHead: true,
        files: undefined,
      },
    ],
    [
      'a push to Azure DevOps that tells nothing',
      'azuredevops',
      {},
      azure('git.push', { repository: { remoteUrl: 'u' } }),
      { ...both, urls: ['u'], revision: '', touchedHead: false },
    ],
    [
      'a pull request on Azure DevOps',
      'azuredevops',
      {},
      azure('git.pullrequest.updated', { repository: azureRepository }),
      { kind: 'pullRequest', host: 'azuredevops', project: 'p', repository: 'repo' },
    ],
    [
      'a build on Azure DevOps',
      'azuredevops',
      {},
      azure('build.complete', {}),
      { kind: 'nothing' },
    ],
    [
      'a push to Bitbucket',
      'bitbucket',
      { 'x-event-key': 'repo:push' },
      {
        repository: { links: { html: { href: 'https://bitbucket.org/o/r' } } },
        push: { changes: [{ new: { name: 'a/b' } }, { new: { name: 'other' } }] },
      },
      {
        kind: 'push',
        forApplications: true,
        forSets: false,
        urls: ['https://bitbucket.org/o/r'],
        revision: 'a/b',
        touchedHead: true,
        files: undefined,
      },
    ],
    [
      'a push to Bitbucket Server',
      'bitbucketserver',
      { 'x-event-key': 'repo:refs_changed' },
      {
        repository: {
          links: {
            clone: [
              { name: 'http', href: 'https://b.example.com/scm/p/r.git' },
              { name: 'ssh', href: 'ssh://git@b.example.com:7999/p/r.git' },
              { name: 'else', href: 'x' },
              { name: 'http', href: [] },
            ],
          },
        },
        changes: [{ ref: { id: 'refs/heads/feature/x' } }],
      },
      {
        kind: 'push',
        forSets: false,
        urls: ['https://b.example.com/scm/p/r.git', 'ssh://git@b.example.com:7999/p/r.git'],
        revision: 'feature/x',
        touchedHead: true,
      },
    ],
    [
      'Bitbucket Server with links of another shape',
      'bitbucketserver',
      { 'x-event-key': 'repo:refs_changed' },
      { repository: { links: { clone: 'boom' } }, changes: [] },
      { urls: [], revision: '' },
    ],
    [
      'a test of Bitbucket Server',
      'bitbucketserver',
      { 'x-event-key': 'diagnostics:ping' },
      { test: true },
      { kind: 'nothing' },
    ],
    [
      'a push to Gogs',
      'gogs',
      { 'x-gogs-event': 'push' },
      {
        ref: 'refs/heads/main',
        repository: { html_url: 'https://g.example.com/o/r', default_branch: 'main' },
        commits,
      },
      {
        kind: 'push',
        forSets: false,
        urls: ['https://g.example.com/o/r'],
        touchedHead: true,
        files,
      },
    ],
    [
      'a push to Gogs without a repository',
      'gogs',
      { 'x-gogs-event': 'push' },
      { ref: 'test' },
      { urls: [], revision: 'test', touchedHead: false },
    ],
    [
      'a package of GHCR',
      'ghcr',
      gitHub('package'),
      {
        action: 'published',
        package: {
          name: 'chart',
          package_type: 'CONTAINER',
          owner: { login: 'Org' },
          package_version: { container_metadata: { tag: { name: '1.2.3' } } },
        },
      },
      { kind: 'package', url: 'oci://ghcr.io/Org/chart', tag: '1.2.3' },
    ],
    [
      'a package without a tag',
      'ghcr',
      gitHub('package'),
      { action: 'published', package: { package_type: 'container' } },
      { kind: 'nothing' },
    ],
    ['no object at all', 'github', gitHub('push'), [1], { urls: [''], revision: '' }],
  ])('%s', (_, provider, headers, body, want) => {
    expect(readWebhookEvent(provider, headers, body)).toMatchObject(want)
  })

  it.each<[WebhookProvider, Record<string, string>, Json]>([
    ['github', gitHub('issues'), {}],
    ['gitlab', gitLab('Note Hook'), {}],
    ['gitlab', gitLab('System Hook'), { event_name: 'user_create' }],
    ['gogs', { 'x-gogs-event': 'release' }, {}],
    ['bitbucket', { 'x-event-key': 'repo:fork' }, {}],
    ['bitbucketserver', { 'x-event-key': 'pr:opened' }, {}],
    ['azuredevops', {}, { eventType: 'workitem.created' }],
  ])('refuses what nobody accepts: %s %j', (provider, headers, body) => {
    expect(readWebhookEvent(provider, headers, body)).toBeInstanceOf(WebhookRefused)
  })

  it('compares no more files, addresses and names than senders have', () => {
    const push = (facts: JsonObject): WebhookEvent | WebhookRefused =>
      readWebhookEvent('github', gitHub('push'), { ref: 'refs/heads/main', ...facts })
    const files = (names: readonly string[]): unknown =>
      (push({ commits: [{ added: [...names, 'a'] }, { removed: ['a'] }] }) as PushEvent).files
    const many = Array.from({ length: 5001 }, (_, i) => `f${i}`)
    expect(files(['b'])).toEqual(['b', 'a'])
    expect(files(many.slice(2))).toHaveLength(5000)
    expect(files(many)).toBeUndefined()
    expect(files(['x'.repeat(5000)])).toBeUndefined()
    expect(push({ ref: `refs/heads/${'x'.repeat(5000)}` })).toMatchObject({ revision: '' })
    const clone = many.map((name) => ({ name: 'http', href: `https://git.example.com/${name}` }))
    const event = readWebhookEvent(
      'bitbucketserver',
      { 'x-event-key': 'repo:refs_changed' },
      { repository: { links: { clone } } },
    )
    expect((event as PushEvent).urls).toHaveLength(32)
  })
})
