import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap, repoUrl, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

const set = (
  generators: string,
  name: string,
  parameter: string,
): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: team, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators: ${generators}
  template:
    metadata: {name: 'team-${name}', annotations: {v: '${parameter}'}}
    spec:
      project: default
      source: {repoURL: '${repoUrl}', path: apps/a, targetRevision: main}
      destination: {server: https://kubernetes.default.svc, namespace: default}
`

const answers = `
repositories:
  - provider: github
    where: {organization: acme}
    list:
      - repository: web
        id: 11
        branch: main
        urls: {ssh: 'git@example.com:acme/web.git', https: 'https://example.com/acme/web.git'}
        labels: [deploy, go]
        branches:
          - {name: main, sha: 0123456789abcdef, paths: [deploy/app.yaml]}
          - {name: old, sha: fedcba9876543210, paths: []}
      - {repository: db, branch: main, urls: {ssh: x}, archived: true, branches: [{name: main, sha: a, paths: []}]}
      - {repository: bare, branch: main, urls: {ssh: x}}
pullRequests:
  - provider: github
    where: {owner: acme, repo: web}
    list:
      - {number: 7, title: Add, branch: feature/x, targetBranch: main, headSha: 0123456789abcdef, author: ann, labels: [deploy]}
      - {number: 8, title: Fix, branch: fix, targetBranch: main, headSha: abc, author: bob}
  - {provider: azuredevops, where: {project: gone}, missing: true}
plugins:
  - {configMap: plugin, input: {env: prod}, parameters: [{name: a}, {name: b}]}
  - {configMap: plugin, parameters: [{name: other}]}
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: decisions}, data: {apiVersion: example.io/v1, kind: placementpolicies, matchKey: clusterName, statusListKey: chosen}}
  - {apiVersion: example.io/v1, kind: PlacementPolicy, metadata: {name: one, labels: {a: b}}, status: {chosen: [{clusterName: far, weight: 5}, {clusterName: unknown}]}}
`

beforeEach(() => {
  repository = testRepository()
  repository.write({ 'apps/a/x.yaml': configMap('a'), 'scm.yaml': answers })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

interface Made {
  readonly metadata: { readonly name: string; readonly annotations: { readonly v: string } }
}

async function generate(
  generators: string,
  name: string,
  parameter: string,
  ...flags: string[]
): Promise<{ readonly code: number; readonly made: readonly string[]; readonly err: string }> {
  repository.write({
    'set.yaml': set(generators, name, parameter),
    'clusters.json': '[{"name": "far", "server": "https://far.example.com"}]',
  })
  const argv = ['appset', 'generate', '-f', 'set.yaml', '-o', 'json', '--offline', ...flags]
  const { code, out, err } = await repository.litecd(...argv)
  const items = out === '' ? [] : (JSON.parse(out) as { readonly items: readonly Made[] }).items
  return {
    code,
    err,
    made: items.map(({ metadata }) => `${metadata.name} ${metadata.annotations.v}`),
  }
}

const github = '{organization: acme'

describe('litecd appset generate --scm', () => {
  it.each<readonly [string, string, string, string, readonly string[]]>([
    [
      'repositories with their parameters',
      `[{scmProvider: {github: ${github}, excludeArchivedRepos: true}, filters: [{repositoryMatch: web}]}}]`,
      '{{ .repository }}',
      '{{ .organization }} {{ .repository_id }} {{ .url }} {{ .branch }} {{ .short_sha }} {{ .labels }}',
      ['team-web acme 11 git@example.com:acme/web.git main 01234567 deploy,go'],
    ],
    [
      'all branches, by paths',
      `[{scmProvider: {cloneProtocol: https, github: ${github}, allBranches: true}, filters: [{repositoryMatch: ^web$, pathsDoNotExist: [deploy/]}]}}]`,
      '{{ .branch }}',
      '{{ .url }}',
      ['team-old https://example.com/acme/web.git'],
    ],
    [
      'pull requests',
      '[{pullRequest: {github: {owner: acme, repo: web, labels: [deploy]}}}]',
      '{{ .number }}',
      '{{ .branch_slug }} {{ .head_short_sha_7 }} {{ .author }} {{ .labels }}',
      ['team-7 feature-x 0123456 ann [deploy]'],
    ],
    [
      'a repository that is gone, where that is fine',
      '[{pullRequest: {continueOnRepoNotFoundError: true, azuredevops: {organization: o, project: gone, repo: r}}}]',
      '{{ .number }}',
      'x',
      [],
    ],
    [
      'plugins, by their input',
      '[{plugin: {configMapRef: {name: plugin}, input: {parameters: {env: prod}}, values: {x: "v-{{ .name }}"}}}]',
      '{{ .name }}',
      '{{ .values.x }}',
      ['team-a v-a', 'team-b v-b'],
    ],
    [
      'decisions about clusters',
      '[{clusterDecisionResource: {configMapRef: decisions, labelSelector: {matchLabels: {a: b}}, values: {t: "{{ .name }}"}}}]',
      '{{ .name }}',
      '{{ .server }} {{ .weight }} {{ .values.t }}',
      ['team-far https://far.example.com 5 {{ .name }}'],
    ],
    [
      'repositories in a matrix',
      '[{matrix: {generators: [{list: {elements: [{org: acme}]}}, {scmProvider: {github: {organization: "{{ .org }}"}, filters: [{repositoryMatch: db}]}}]}}]',
      '{{ .repository }}',
      '{{ .org }}',
      ['team-db acme'],
    ],
  ])('takes %s from the file', async (_, generators, name, parameter, made) => {
    const flags = ['--scm', 'scm.yaml', '--clusters', 'clusters.json']
    const { err, ...rest } = await generate(generators, name, parameter, ...flags)
    expect(rest, err).toEqual({ code: 0, made })
  })

  it.each([
    ['github of organization other', '[{scmProvider: {github: {organization: other}}}]'],
    ['the branches of acme/bare', `[{scmProvider: {github: ${github}}}}]`],
    ['gitlab of project 5', '[{pullRequest: {gitlab: {project: "5"}}}]'],
    ['what none makes of its input', '[{plugin: {configMapRef: {name: none}}}]'],
    ['the ConfigMap none', '[{clusterDecisionResource: {configMapRef: none, name: x}}]'],
  ])('does not guess %s', async (what, generators) => {
    const flags = ['--scm', 'scm.yaml', '--clusters', 'clusters.json']
    const { code, made, err } = await generate(generators, 'x', 'x', ...flags)
    expect({ code, made }).toEqual({ code: 3, made: [] })
    expect(err).toContain(`needs to know ${what}, which scm.yaml does not tell`)
    expect(err).toContain('RENDER_UNSUPPORTED')
  })

  it('says what would be asked when there is no file', async () => {
    const { code, err } = await generate(`[{scmProvider: {github: ${github}}}}]`, 'x', 'x')
    expect(code).toBe(3)
    expect(err).toContain('the scmProvider generator needs to know what the provider answers')
  })

  it.each([
    [
      'other: []',
      'the file: other is not known; known: repositories, pullRequests, plugins, objects',
    ],
    ['repositories: [{provider: svn, list: []}]', 'repositories[0].provider: one of github'],
    [
      'repositories: [{provider: github, list: [{repository: 5}]}]',
      'repositories[0].list[0].repository: a text is wanted',
    ],
    [
      'pullRequests: [{provider: github, list: [{number: 5}]}]',
      'pullRequests[0].list[0]: branch is missing',
    ],
    ['repositories: [{provider: github}]', 'repositories[0]: list is missing'],
    [
      'plugins: [{configMap: x, parameters: [1]}]',
      'plugins[0].parameters: a list of mappings is wanted',
    ],
    ['objects: [{kind: 5}]', 'objects[0]: an object of Kubernetes is wanted'],
  ])('refuses a file that holds %s', async (content, why) => {
    repository.write({ 'scm.yaml': content })
    const { code, err } = await generate('[]', 'x', 'x', '--scm', 'scm.yaml')
    expect(code).toBe(2)
    expect(err).toContain(`scm.yaml: ${why}`)
  })

  it('shows the format, which can be read', async () => {
    const { out } = await repository.litecd('appset', 'generate', '--help')
    const shown = out.slice(out.indexOf('It is YAML:') + 'It is YAML:'.length)
    repository.write({ 'scm.yaml': shown.slice(0, shown.indexOf('\n\n')) })
    const { code, made, err } = await generate(
      '[{pullRequest: {github: {owner: acme, repo: web}}}]',
      '{{ .number }}',
      '{{ .title }}',
      '--scm',
      'scm.yaml',
    )
    expect({ code, made }, err).toEqual({ code: 0, made: ['team-7 Add it'] })
  })
})

describe('reports with --scm', () => {
  const pulls = '[{pullRequest: {github: {owner: acme, repo: web}}}]'

  it('show Applications of pull requests', async () => {
    repository.write({ 'sets/team.yaml': set(pulls, '{{ .number }}', 'x') })
    const { code, out } = await repository.litecd('diff', '-o', 'json', '--scm', 'scm.yaml')
    const report = JSON.parse(out) as {
      readonly applications: readonly { readonly name: string; readonly change: string }[]
    }
    expect(code).toBe(1)
    expect(report.applications.map(({ name, change }) => `${name} ${change}`)).toEqual([
      'team-7 added',
      'team-8 added',
    ])
  })

  it('say what is missing without the file', async () => {
    repository.write({ 'sets/team.yaml': set(pulls, '{{ .number }}', 'x') })
    const { out } = await repository.litecd('diff', '-o', 'json')
    const report = JSON.parse(out) as {
      readonly remarks: readonly { readonly code: string; readonly hint?: string }[]
    }
    expect(report.remarks[0]).toMatchObject({
      code: 'RENDER_UNSUPPORTED',
      hint: 'Say what would be answered: --scm FILE.',
    })
  })

  it('are rendered', async () => {
    repository.write({ 'sets/team.yaml': set(pulls, '{{ .number }}', 'x') })
    const { code, out, err } = await repository.litecd(
      'render',
      '--scm',
      'scm.yaml',
      '--app',
      'team-7',
    )
    expect(code, err).toBe(0)
    expect(out).toContain('argocd.argoproj.io/tracking-id: team-7:')
  })
})

describe('a project that parameters choose', () => {
  const git = `[{git: {repoURL: '${repoUrl}', revision: main, directories: [{path: 'apps/*'}]}}]`
  const chosen = set(git, '{{ .path.basename }}', 'x').replace(
    'project: default',
    "project: '{{ .path.basename }}'",
  )

  it('is told where a change makes it so, and not again', async () => {
    const remarks = async (): Promise<readonly { readonly code: string }[]> => {
      const { out } = await repository.litecd('diff', '-o', 'json')
      return (JSON.parse(out) as { readonly remarks: readonly { readonly code: string }[] }).remarks
    }
    const told = { code: 'APPSET_PROJECT_CHOSEN' }
    repository.write({ 'sets/team.yaml': chosen })
    expect(await remarks()).toContainEqual(expect.objectContaining(told))
    repository.commit('chosen')
    repository.git('branch', '-f', 'main', 'HEAD')
    repository.write({ 'apps/b/x.yaml': configMap('b') })
    expect(await remarks()).not.toContainEqual(expect.objectContaining(told))
  })

  it('is told when the set is generated', async () => {
    repository.write({ 'set.yaml': chosen })
    const { code, err } = await repository.litecd('appset', 'generate', '-f', 'set.yaml')
    expect(code).toBe(0)
    expect(err).toContain('team: note: template.spec.project is a template: whoever decides')
  })
})
