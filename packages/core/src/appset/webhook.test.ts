import { describe, expect, it } from 'vitest'
import type { PullRequestEvent, PushEvent } from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import type { GeneratorFacts } from './generators/facts.ts'
import type { ApplicationSet } from './types.ts'
import { concernsSet } from './webhook.ts'

const facts: GeneratorFacts = {
  clusters: [{ name: 'prod', server: 'https://prod', labels: { repo: 'mono' } }],
  tree: () => undefined,
}
const set = (generators: readonly JsonObject[], goTemplate = false): ApplicationSet =>
  ({ metadata: { name: 's' }, spec: { goTemplate, generators, template: {} } }) as never

const push = (more: Partial<PushEvent> = {}): PushEvent => ({
  kind: 'push',
  urls: ['https://github.com/org/repo'],
  revision: 'main',
  touchedHead: true,
  files: ['a'],
  forSets: true,
  forApplications: true,
  ...more,
})
const gitHub: PullRequestEvent = {
  kind: 'pullRequest',
  host: 'github',
  owner: 'CodeCorp',
  repository: 'Repo',
  apiUrl: 'https://api.github.com/repos/CodeCorp/Repo',
}
const gitLab: PullRequestEvent = {
  kind: 'pullRequest',
  host: 'gitlab',
  projectId: '100500',
  hostname: 'gitlab.com',
}
const azure: PullRequestEvent = {
  kind: 'pullRequest',
  host: 'azuredevops',
  project: 'p',
  repository: 'r',
}

const git = (repoURL = 'https://github.com/org/repo', revision?: string): JsonObject => ({
  git: { repoURL, ...(revision !== undefined && { revision }) },
})
const pull = (provider: JsonObject): JsonObject => ({ pullRequest: provider })
const pullGitHub = (more: JsonObject = {}): JsonObject =>
  pull({ github: { owner: 'codecorp', repo: 'repo', ...more } })
const list = (...elements: readonly JsonObject[]): JsonObject => ({ list: { elements } })
const scm = { scmProvider: { github: { organization: 'org' } } }
const plugin = { plugin: { configMapRef: { name: 'x' } } }
const matrix = (...generators: readonly JsonObject[]): JsonObject => ({ matrix: { generators } })
const merge = (...generators: readonly JsonObject[]): JsonObject => ({
  merge: { mergeKeys: ['a'], generators },
})

describe('git generators', () => {
  // what Argo CD v3.5.1 TestWebhookHandler and TestGenRevisionHasChanged expect, in our words
  it.each<[string, JsonObject, Partial<PushEvent>, boolean]>([
    ['the repository', git(), {}, true],
    ['by ssh', git('git@github.com:org/repo.git'), {}, true],
    ['by another host of ssh', git('ssh://git@ssh.github.com:443/org/repo'), {}, true],
    ['another repository', git('https://github.com/org/other'), {}, false],
    ['not the default branch', git(), { touchedHead: false }, false],
    ['HEAD', git(undefined, 'HEAD'), {}, true],
    ['the branch', git(undefined, 'main'), { touchedHead: false }, true],
    ['the branch by its full name', git(undefined, 'refs/heads/main'), {}, true],
    ['another branch', git(undefined, 'dev'), {}, false],
    ['a branch with slashes', git(undefined, 'a/b/c'), { revision: 'a/b/c' }, true],
    ['ranges are no ranges here', git(undefined, '1.*'), { revision: '1.1.0' }, false],
    ['a host without generators', git(), { forSets: false }, false],
    ['a template', git('{{repo}}'), {}, false],
  ])('%s', (_, generator, more, hit) => {
    expect(concernsSet(set([generator]), push(more), facts)).toBe(hit)
  })

  it('do not look at pull requests', () => {
    expect(concernsSet(set([git()]), gitHub, facts)).toBe(false)
  })
})

describe('pull request generators', () => {
  it.each<[string, JsonObject, PullRequestEvent, boolean]>([
    ['GitHub, in any case', pullGitHub(), gitHub, true],
    ['GitHub, another owner', pullGitHub({ owner: 'x' }), gitHub, false],
    ['GitHub, another repository', pullGitHub({ repo: 'x' }), gitHub, false],
    ['GitHub, its API', pullGitHub({ api: 'https://api.github.com' }), gitHub, true],
    ['GitHub, another API', pullGitHub({ api: 'https://ghe.example.com/api/v3' }), gitHub, false],
    ['GitLab by number', pull({ gitlab: { project: '100500' } }), gitLab, true],
    ['GitLab by path', pull({ gitlab: { project: 'g/p' } }), gitLab, false],
    [
      'GitLab elsewhere',
      pull({ gitlab: { project: '100500', api: 'https://git.example.com/' } }),
      gitLab,
      false,
    ],
    ['Azure DevOps', pull({ azuredevops: { project: 'p', repo: 'r' } }), azure, true],
    [
      'Azure DevOps, another case',
      pull({ azuredevops: { project: 'P', repo: 'r' } }),
      azure,
      false,
    ],
    ['another host', pullGitHub(), gitLab, false],
    ['a push', pullGitHub(), push() as never, false],
  ])('%s', (_, generator, event, hit) => {
    expect(concernsSet(set([generator]), event, facts)).toBe(hit)
  })
})

describe('generators inside others', () => {
  it.each<[string, JsonObject, PushEvent | PullRequestEvent, boolean]>([
    ['a plugin: everything', plugin, gitLab, true],
    ['a plugin, second of a matrix', matrix(pullGitHub(), plugin), azure, true],
    ['a plugin, first of a matrix', matrix(plugin, list({ a: 'b' })), push(), false],
    ['a plugin in a merge', merge(plugin, list({ a: 'b' })), push(), false],
    ['first of a matrix', matrix(git(), list({ a: 'b' })), push(), true],
    ['second of a matrix', matrix(list({ a: 'b' }), git()), push(), true],
    ['three are none', matrix(git(), list({ a: 'b' }), list({})), push(), false],
    [
      'rendered with the first',
      matrix(list({ r: 'x' }, { r: 'repo' }), git('https://github.com/org/{{r}}')),
      push(),
      true,
    ],
    [
      'rendered with the first, in vain',
      matrix(list({ r: 'x' }, { r: 'y' }), git('https://github.com/org/{{r}}')),
      push(),
      false,
    ],
    [
      'rendered with clusters',
      matrix({ clusters: { selector: {} } }, git('https://x/{{metadata.labels.repo}}')),
      push({ urls: ['https://x/mono'] }),
      true,
    ],
    [
      'a pull request rendered with the first',
      matrix(list({ r: 'repo' }), pullGitHub({ repo: '{{r}}' })),
      gitHub,
      true,
    ],
    ['the first would have to be asked for', matrix(scm, git('{{url}}')), push(), true],
    ['and the rest is no template', matrix(scm, git('{{url}}', 'release')), push(), false],
    ['a child of a merge', merge(list({ a: 'b' }), git()), push(), true],
    ['a merge without it', merge(list({ a: 'b' }), git('https://x/y')), push(), false],
    ['a matrix in a matrix', matrix(matrix(list({}), git()), list({ a: 'b' })), push(), true],
    [
      'a matrix second in a matrix',
      matrix(list({ r: 'repo' }), matrix(list({}), git('https://github.com/org/{{r}}'))),
      push(),
      true,
    ],
    [
      'a merge second in a matrix',
      matrix(list({ r: 'repo' }), merge(list({}), git('https://github.com/org/{{r}}'))),
      push(),
      true,
    ],
    ['no generator of a host', list({ a: 'b' }), push(), false],
  ])('%s', (_, generator, event, hit) => {
    expect(concernsSet(set([list({ z: 'z' }), generator]), event, facts)).toBe(hit)
  })

  it('are rendered as Go templates where the set says so', () => {
    const generator = matrix(list({ r: 'repo' }), git('https://github.com/org/{{ .r }}'))
    expect(concernsSet(set([generator], true), push(), facts)).toBe(true)
    const broken = matrix(list({ r: 'x' }), git('https://github.com/org/{{ fail .r }}'))
    expect(concernsSet(set([broken], true), push(), facts)).toBe(true)
  })
})
