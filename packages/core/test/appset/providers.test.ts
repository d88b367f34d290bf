// Every decision of the generators that ask providers, plugins and resources, as argo-cd v3.5.1
// applicationset/generators and applicationset/services test them.
import { describe, expect, it } from 'vitest'
import type {
  ProviderAnswers,
  ProviderRequest,
  PullRequest,
  ScmProviderName,
  ScmRepository,
} from '../../src/adapters/index.ts'
import { SourceError } from '../../src/errors/index.ts'
import type { Json, JsonObject } from '../../src/json/index.ts'
import { errorOf, generated, paramsOf, type World } from './harness.ts'

interface Repo extends Partial<ScmRepository> {
  /** Branches by name; the default one alone where left out. */
  readonly branches?: { readonly [name: string]: string }
  readonly paths?: readonly string[]
}

const repo = ({ branches: _, paths: __, ...more }: Repo): ScmRepository => ({
  organization: 'acme',
  repository: 'one',
  id: 1,
  cloneUrls: { ssh: 'ssh-url', https: 'https-url' },
  branch: 'main',
  labels: [],
  ...more,
})

/** A provider that has these repositories. */
function host(repos: readonly Repo[]): NonNullable<World['answer']> {
  const find = ({ repository }: ScmRepository): Repo =>
    repos.find((one) => (one.repository ?? 'one') === repository)!
  return (request) => {
    switch (request.ask) {
      case 'repositories':
        return repos.map(repo)
      case 'branches': {
        const { branch } = request.repository
        const branches = find(request.repository).branches ?? { [branch]: 'a'.repeat(40) }
        return Object.entries(branches)
          .filter(([name]) => request.config['allBranches'] === true || name === branch)
          .map(([name, sha]) => ({ name, sha }))
      }
      case 'path':
        return (find(request.repository).paths ?? []).includes(request.path)
      default:
        throw new Error(`${request.ask} is not asked`)
    }
  }
}

const scm = (more: JsonObject = {}, config: JsonObject = { organization: 'acme' }): JsonObject => ({
  scmProvider: { github: config, ...more },
})
const named = (
  repos: readonly Repo[],
  filters: readonly JsonObject[],
  config?: JsonObject,
): readonly Json[] =>
  paramsOf(scm({ filters }, config), { answer: host(repos) }).map(
    ({ repository, branch }) => `${String(repository)} ${String(branch)}`,
  )

describe('scmProvider gives', () => {
  it('every parameter, short commits where commits are long', () => {
    const sha = '0123456789abcdef0123456789abcdef01234567'
    const repos = [
      { repository: 'one', id: 190_320_251, labels: ['prod', 'staging'], branches: { main: sha } },
      { repository: 'two', id: 'text', branch: 'Feature/X', branches: { 'Feature/X': '59d0' } },
    ]
    expect(paramsOf(scm(), { answer: host(repos) })).toEqual([
      {
        organization: 'acme',
        repository: 'one',
        repository_id: 190_320_251,
        url: 'ssh-url',
        branch: 'main',
        branchNormalized: 'main',
        sha,
        short_sha: '01234567',
        short_sha_7: '0123456',
        labels: 'prod,staging',
      },
      {
        organization: 'acme',
        repository: 'two',
        repository_id: 'text',
        url: 'ssh-url',
        branch: 'Feature/X',
        branchNormalized: 'feature-x',
        sha: '59d0',
        short_sha: '59d0',
        short_sha_7: '59d0',
        labels: '',
      },
    ])
  })

  it('values, in both template languages', () => {
    const values = { foo: 'bar', force: '{{ branch }}?' }
    expect(paramsOf(scm({ values }), { answer: host([{}]) })[0]).toMatchObject({
      'values.foo': 'bar',
      'values.force': 'main?',
    })
    const world = { goTemplate: true, answer: host([{}]) }
    expect(paramsOf(scm({ values: { force: '{{ .branch }}?' } }), world)[0]).toMatchObject({
      values: { force: 'main?' },
    })
    expect(
      errorOf(scm({ values: { x: '{{ .none.x }}' } }), {
        ...world,
        goTemplateOptions: ['missingkey=error'],
      }),
    ).toBe(
      'failed to append templated values: failed to replace templated string: failed to replace templated string with rendered values: failed to execute go template {{ .none.x }}: template: base:1:8: executing "base" at <.none.x>: map has no entry for key "none"',
    )
  })

  const repos: readonly Repo[] = [
    {
      repository: 'one',
      labels: ['prod-one', 'prod-two', 'staging'],
      branches: { main: 'a', two: 'b' },
    },
    { repository: 'two', labels: ['prod-two'], branches: { main: 'c' }, paths: ['two', 'deploy'] },
    {
      repository: 'three',
      labels: ['staging'],
      branches: { main: 'd', two: 'e' },
      paths: ['deploy'],
    },
    { repository: 'four', branches: { main: 'f' } },
  ]

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['all without filters', [], ['one', 'two', 'three', 'four']],
    ['those whose name fits anywhere', [{ repositoryMatch: 'n|hr' }], ['one', 'three']],
    ['those with a label that fits', [{ labelMatch: '^prod-.*$' }], ['one', 'two']],
    ['those that have a path', [{ pathsExist: ['two'] }], ['two']],
    ['those that have all paths', [{ pathsExist: ['two', 'deploy'] }], ['two']],
    [
      'those that have a path with slashes after it',
      [{ pathsExist: ['deploy//'] }],
      ['two', 'three'],
    ],
    ['those that lack a path', [{ pathsDoNotExist: ['two'] }], ['one', 'three', 'four']],
    ['both conditions of one filter', [{ repositoryMatch: 'w', labelMatch: '^prod-.*$' }], ['two']],
    [
      'either of two filters',
      [{ repositoryMatch: 'f' }, { labelMatch: '^prod' }],
      ['one', 'two', 'four'],
    ],
    [
      'repository and path conditions, each needed',
      [{ repositoryMatch: 'three|four' }, { pathsExist: ['deploy'] }],
      ['three'],
    ],
    [
      'conditions of a path filter about the repository',
      [{ repositoryMatch: 'three', pathsExist: ['deploy'] }],
      ['three'],
    ],
    ['nothing less for a filter without conditions', [{}], ['one', 'two', 'three', 'four']],
    [
      'nothing less for an empty list of paths',
      [{ pathsExist: [] }],
      ['one', 'two', 'three', 'four'],
    ],
  ])('%s', (_, filters, want) => {
    expect(named(repos, filters)).toEqual(want.map((name) => `${name} main`))
  })

  it('branches that fit', () => {
    const config = { organization: 'acme', allBranches: true }
    expect(named(repos, [{ branchMatch: 'w' }], config)).toEqual(['one two', 'three two'])
    expect(named(repos, [{ branchMatch: 'w' }, { repositoryMatch: 'one' }], config)).toEqual([
      'one two',
    ])
    expect(named(repos, [], config)).toHaveLength(6)
  })

  it('no repositories that are archived, where they are not wanted', () => {
    const some = [{ repository: 'old', archived: true }, { repository: 'new' }]
    expect(named(some, [], { excludeArchivedRepos: true })).toEqual(['new main'])
    expect(named(some, [])).toEqual(['old main', 'new main'])
  })

  it('nothing for a repository without branches', () => {
    expect(named([{ branches: {} }], [])).toEqual([])
  })

  it('asks for many at once, and only what the filters leave open', () => {
    const { asked } = generated(
      scm({ filters: [{ repositoryMatch: 't', pathsExist: ['deploy', 'two'] }] }),
      { answer: host(repos) },
    )
    expect(asked.map((round) => round.map(({ ask }) => ask))).toEqual([
      ['repositories'],
      ['branches', 'branches'],
      ['path', 'path'],
      ['path', 'path'],
    ])
  })

  it.each(['repositoryMatch', 'labelMatch', 'branchMatch'])('an error for a bad %s', (field) => {
    const name = field[0]!.toUpperCase() + field.slice(1)
    expect(errorOf(scm({ filters: [{ [field]: '(' }] }))).toBe(
      `error listing repos: error compiling ${name} regexp "(": error parsing regexp: missing closing ): \`(\``,
    )
  })

  it('the words of an error, with those of its own stage', () => {
    const failing =
      (data: JsonObject): NonNullable<World['answer']> =>
      () =>
        new SourceError('SOURCE_REFUSED', 'it failed', { data })
    expect(errorOf(scm(), { answer: failing({}) })).toBe('error listing repos: it failed')
    expect(errorOf(scm(), { answer: failing({ stage: 'provider' }) })).toBe('it failed')
    const late: World['answer'] = (request) =>
      request.ask === 'repositories'
        ? [repo({})]
        : new SourceError('SOURCE_REFUSED', `no ${request.ask}`)
    expect(errorOf(scm(), { answer: late })).toBe('error listing repos: no branches')
  })

  it('an error without a provider', () => {
    expect(errorOf({ scmProvider: {} })).toBe('no SCM provider implementation configured')
  })
})

describe('clone protocols', () => {
  const url = (
    provider: ScmProviderName,
    cloneProtocol: string | undefined,
    cloneUrls: ScmRepository['cloneUrls'],
  ): Json => {
    const item = {
      scmProvider: { [provider]: {}, ...(cloneProtocol === undefined ? {} : { cloneProtocol }) },
    }
    const { params, error } = generated(item, { answer: host([{ cloneUrls }]) })
    return error ?? params![0]!['url']!
  }
  const both = { ssh: 'S', https: 'H' }

  it.each<readonly [ScmProviderName, string | undefined, string]>([
    ['github', undefined, 'S'],
    ['github', 'ssh', 'S'],
    ['github', 'https', 'H'],
    ['github', 'ftp', 'error listing repos: unknown clone protocol for GitHub ftp'],
    ['gitlab', 'https', 'H'],
    ['gitlab', 'ftp', 'error listing repos: unknown clone protocol for Gitlab ftp'],
    ['gitea', 'https', 'H'],
    ['gitea', 'ftp', 'error listing repos: unknown clone protocol for GitHub ftp'],
    ['bitbucketServer', undefined, 'S'],
    [
      'bitbucketServer',
      'ftp',
      'error listing repos: unknown clone protocol for Bitbucket Server ftp',
    ],
    ['bitbucket', undefined, 'S'],
    ['bitbucket', 'https', 'H'],
    [
      'bitbucket',
      'ftp',
      'error listing repos: error fetching clone url for repo one: unknown clone protocol for Bitbucket cloud ftp',
    ],
    ['azureDevOps', undefined, 'H'],
    ['azureDevOps', 'ftp', 'H'],
    ['awsCodeCommit', undefined, 'S'],
    ['awsCodeCommit', 'ftp', 'error listing repos: unknown clone protocol for codecommit ftp'],
  ])('%s %s', (provider, protocol, want) => {
    expect(url(provider, protocol, both)).toBe(want)
  })

  it.each([
    [
      'https://git-codecommit.eu-central-1.amazonaws.com/v1/repos/a',
      'https://git-codecommit-fips.eu-central-1.amazonaws.com/v1/repos/a',
    ],
    [
      'https://git-codecommit-fips.us-east-1.amazonaws.com/v1/repos/a',
      'https://git-codecommit-fips.us-east-1.amazonaws.com/v1/repos/a',
    ],
    [
      'https://elsewhere/a',
      "error listing repos: https-fips is provided but repoUrl can't be transformed to FIPS endpoint: the provided https endpoint isn't recognized, cannot be transformed to FIPS endpoint: https://elsewhere/a",
    ],
  ])('https-fips of CodeCommit: %s', (https, want) => {
    expect(url('awsCodeCommit', 'https-fips', { https })).toBe(want)
  })

  it.each<readonly [ScmProviderName, number]>([
    ['github', 1],
    ['bitbucketServer', 0],
    ['azureDevOps', 0],
    ['awsCodeCommit', 0],
  ])('%s and a repository without a default branch', (provider, count) => {
    const item = { scmProvider: { [provider]: { allBranches: true } } }
    const answer = host([{ branch: '', branches: { x: 'y' } }])
    expect(paramsOf(item, { answer })).toHaveLength(count)
  })
})

describe('which hosts may be asked', () => {
  const scmPolicy = {
    enabled: true,
    allowedProviders: ['https://github.acme.com', 'https://gitlab.acme.com'],
  }
  const api = 'https://inside.svc.cluster.local'
  const text = `scm provider not allowed: scm provider "${api}" not allowed, must use one of the following: https://github.acme.com, https://gitlab.acme.com`

  it.each(['github', 'gitlab', 'gitea', 'bitbucketServer', 'azureDevOps'])(
    'scmProvider %s',
    (block) => {
      expect(errorOf({ scmProvider: { [block]: { api } } }, { scm: scmPolicy })).toBe(text)
    },
  )

  it.each(['github', 'gitlab', 'gitea', 'bitbucketServer', 'bitbucket', 'azuredevops'])(
    'pullRequest %s',
    (block) => {
      expect(errorOf({ pullRequest: { [block]: { api } } }, { scm: scmPolicy })).toBe(
        `failed to select pull request service provider: ${text}`,
      )
    },
  )

  it('compares the text, and lets through what names no URL', () => {
    const allowed = (config: JsonObject): readonly unknown[] =>
      paramsOf({ scmProvider: { github: config } }, { scm: scmPolicy, answer: host([]) })
    expect(allowed({ api: 'https://github.acme.com' })).toEqual([])
    expect(allowed({})).toEqual([])
    expect(
      errorOf({ scmProvider: { github: { api: 'https://github.acme.com/' } } }, { scm: scmPolicy }),
    ).toContain('not allowed')
    const cloud = { scmProvider: { bitbucket: { api } } }
    expect(paramsOf(cloud, { scm: scmPolicy, answer: host([]) })).toEqual([])
  })

  it('none at all where they are switched off', () => {
    const off = { scm: { enabled: false, allowedProviders: [] } }
    expect(errorOf({ scmProvider: { github: {} } }, off)).toBe('scm providers are disabled')
    expect(errorOf({ pullRequest: { github: {} } }, off)).toBe(
      'failed to select pull request service provider: scm providers are disabled',
    )
  })
})

const pull = (more: Partial<PullRequest> = {}): PullRequest => ({
  number: 1,
  title: 'title1',
  branch: 'branch1',
  targetBranch: 'master',
  headSha: '089d92cbf9ff857a39e6feccd32798ca700fb958',
  author: 'testName',
  labels: [],
  ...more,
})
const pulls = (more: JsonObject = {}, config: JsonObject = {}): JsonObject => ({
  pullRequest: { github: config, ...more },
})

describe('pullRequest gives', () => {
  it('every parameter', () => {
    expect(paramsOf(pulls(), { answer: () => [pull({ labels: ['preview'] })] })).toEqual([
      {
        number: '1',
        title: 'title1',
        branch: 'branch1',
        branch_slug: 'branch1',
        target_branch: 'master',
        target_branch_slug: 'master',
        head_sha: '089d92cbf9ff857a39e6feccd32798ca700fb958',
        head_short_sha: '089d92cb',
        head_short_sha_7: '089d92c',
        author: 'testName',
      },
    ])
  })

  it('labels to Go templates only', () => {
    const world = {
      goTemplate: true,
      answer: () => [pull({ labels: ['preview', 'preview:team1'] })],
    }
    const values = { env: '{{ regexFind "(team1|team2)" (.labels | join ",") }}' }
    expect(paramsOf(pulls({ values }), world)[0]).toMatchObject({
      labels: ['preview', 'preview:team1'],
      values: { env: 'team1' },
    })
  })

  it.each([
    [
      'feat/areally+long_pull_request_name_to_test_argo_slugification_and_branch_name_shortening_feature',
      'feat-areally-long-pull-request-name-to-test-argo',
    ],
    [
      'feat/anotherreally+long_pull_request_name_to_test_argo_slugification_and_branch_name_shortening_feature',
      'feat-anotherreally-long-pull-request-name-to-test',
    ],
    ['my_branch', 'my-branch'],
    ['feat/areallylongpullrequestnametotestargoslugificationandbranchname', 'feat'],
    ['a'.repeat(60), 'a'.repeat(50)],
    ['--Fix: A&B @ home--', 'fix-aandb-at-home'],
    ['größe/Überschrift', 'grosse-uberschrift'],
    ['задача/42', 'zadacha-42'],
    ['日本', ''],
  ])('the slug of %s', (branch, want) => {
    const [params] = paramsOf(pulls(), { answer: () => [pull({ branch, targetBranch: branch })] })
    expect([params!['branch_slug'], params!['target_branch_slug']]).toEqual([want, want])
  })

  it('short commits as they are', () => {
    expect(paramsOf(pulls(), { answer: () => [pull({ headSha: 'abcd' })] })[0]).toMatchObject({
      head_short_sha: 'abcd',
      head_short_sha_7: 'abcd',
    })
  })

  const some = [
    pull({ branch: 'one', targetBranch: 'master', title: 'PR one - filter' }),
    pull({ branch: 'two', targetBranch: 'branch1', title: 'PR two' }),
    pull({ branch: 'three', targetBranch: 'branch2', title: '[filter] PR three' }),
    pull({ branch: 'four', targetBranch: 'branch3', title: 'PR four' }),
    pull({ branch: 'five', targetBranch: 'branch3', title: 'another title' }),
  ]

  it.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['all', [], ['one', 'two', 'three', 'four', 'five']],
    ['by branch', [{ branchMatch: 'w' }], ['two']],
    ['by target', [{ targetBranchMatch: '1' }], ['two']],
    ['by title', [{ titleMatch: '\\[filter]' }], ['three']],
    [
      'by one of two titles',
      [{ titleMatch: '\\[filter]' }, { titleMatch: '- filter' }],
      ['one', 'three'],
    ],
    [
      'by one of two branches',
      [{ branchMatch: 'w' }, { branchMatch: 'r' }],
      ['two', 'three', 'four'],
    ],
    [
      'by all conditions of one filter',
      [
        { branchMatch: 'w', targetBranchMatch: '1' },
        { branchMatch: 'r', targetBranchMatch: '3' },
        { titleMatch: 'nothing' },
        { branchMatch: 'five', titleMatch: 'another title' },
      ],
      ['two', 'four', 'five'],
    ],
    [
      'all that a filter without conditions lets through',
      [{}],
      ['one', 'two', 'three', 'four', 'five'],
    ],
  ])('%s', (_, filters, want) => {
    expect(
      paramsOf(pulls({ filters }), { answer: () => some }).map(({ branch }) => branch),
    ).toEqual(want)
  })

  it.each(['branchMatch', 'targetBranchMatch', 'titleMatch'])('an error for a bad %s', (field) => {
    const name = field[0]!.toUpperCase() + field.slice(1)
    expect(errorOf(pulls({ filters: [{ [field]: '(' }] }))).toBe(
      `error listing repos: error compiling ${name} regexp "(": error parsing regexp: missing closing ): \`(\``,
    )
  })

  it.each(['github', 'gitea', 'azuredevops'])('those of %s that have every label', (block) => {
    const answer = (): readonly PullRequest[] => [
      pull({ number: 1, labels: ['a', 'b'] }),
      pull({ number: 2, labels: ['a'] }),
      pull({ number: 3 }),
    ]
    const item = (labels: readonly string[]): JsonObject => ({
      pullRequest: { [block]: { labels } },
    })
    expect(paramsOf(item(['a']), { answer })).toHaveLength(2)
    expect(paramsOf(item(['a', 'b']), { answer })).toHaveLength(1)
    expect(paramsOf(item([]), { answer })).toHaveLength(3)
    expect(paramsOf(item(['c']), { answer })).toHaveLength(0)
  })

  it('leaves labels to GitLab', () => {
    const item = { pullRequest: { gitlab: { labels: ['Any'] } } }
    expect(paramsOf(item, { answer: () => [pull()] })).toHaveLength(1)
  })

  it('an error, or nothing where the repository may be absent', () => {
    const absent = (): SourceError => new SourceError('SOURCE_NOT_FOUND', 'repository not found')
    const goon = { continueOnRepoNotFoundError: true }
    expect(errorOf(pulls(), { answer: absent })).toBe('error listing repos: repository not found')
    expect(paramsOf(pulls(goon), { answer: absent })).toEqual([])
    const other = (): SourceError => new SourceError('SOURCE_REFUSED', 'fake error')
    expect(errorOf(pulls(goon), { answer: other })).toBe('error listing repos: fake error')
    const early = (): SourceError =>
      new SourceError('SOURCE_NOT_FOUND', 'no Secret', { data: { stage: 'provider' } })
    expect(errorOf(pulls(goon), { answer: early })).toBe(
      'failed to select pull request service provider: no Secret',
    )
    expect(errorOf({ pullRequest: {} })).toBe(
      'failed to select pull request service provider: no Pull Request provider implementation configured',
    )
  })
})

const parameters = { pkey1: 'val1', pkey2: { deep: [1] } }
const plugin = (more: JsonObject = {}): JsonObject => ({
  plugin: { configMapRef: { name: 'first' }, input: { parameters }, ...more },
})
const output = {
  key1: 'val1',
  key2: { key2_1: 'val2_1', key2_2: { key2_2_1: 'val2_2_1' } },
  key3: 123,
}

describe('plugin gives', () => {
  const answer = (): readonly JsonObject[] => [output]

  it('what is returned, flattened for fasttemplate', () => {
    const { params, asked } = generated(plugin(), { answer })
    expect(params).toEqual([
      {
        key1: 'val1',
        'key2.key2_1': 'val2_1',
        'key2.key2_2.key2_2_1': 'val2_2_1',
        key3: '123',
        generator: { input: { parameters } },
      },
    ])
    expect(asked).toEqual([
      [{ ask: 'plugin', configMap: 'first', set: { namespace: 'team', name: 'set' }, parameters }],
    ])
  })

  it('what is returned, as it is for Go templates', () => {
    const values = { v: 'templated-{{ .key1 }}', deep: '{{ .key2.key2_1 }}' }
    expect(paramsOf(plugin({ values }), { goTemplate: true, answer })).toEqual([
      {
        ...output,
        generator: { input: { parameters } },
        values: { v: 'templated-val1', deep: 'val2_1' },
      },
    ])
  })

  it('the input, as Argo CD shows it', () => {
    const values = {
      printed: '{{ .generator.input.parameters.pkey1 }}',
      raw: '{{ .generator.input.parameters.pkey1.Raw | toString }}',
      deep: '{{ (.generator.input.parameters.pkey2.Raw | toString | fromJson).deep | first }}',
    }
    expect(paramsOf(plugin({ values }), { goTemplate: true, answer })[0]!['values']).toEqual({
      printed: '{[34 118 97 108 49 34]}',
      raw: '"val1"',
      deep: '1',
    })
    expect(
      paramsOf(plugin({ values: { v: '{{key1}} {{generator.input.parameters.pkey1}}' } }), {
        answer,
      })[0],
    ).toMatchObject({
      'values.v': 'val1 {{generator.input.parameters.pkey1}}',
    })
  })

  it('nothing for nothing, and no input where there is none', () => {
    expect(paramsOf(plugin(), { answer: () => [] })).toEqual([])
    const bare = { plugin: { configMapRef: { name: 'first' } } }
    expect(paramsOf(bare, { answer })[0]!['generator']).toEqual({ input: { parameters: {} } })
  })

  it('an error in its own words', () => {
    const failing = (): SourceError =>
      new SourceError('SOURCE_REFUSED', "error listing params: error get api 'set': no")
    expect(errorOf(plugin(), { answer: failing })).toBe(
      "error listing params: error get api 'set': no",
    )
    expect(
      errorOf(plugin({ values: { v: '{{ .a.b }}' } }), {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        answer,
      }),
    ).toMatch(
      /^error generating params: failed to replace templated string: failed to replace templated string with rendered values: failed to execute go template/,
    )
  })

  it('asks with what another generator gave', () => {
    const item = {
      matrix: {
        generators: [
          { list: { elements: [{ env: 'prod' }, { env: 'dev' }] } },
          {
            plugin: {
              configMapRef: { name: 'first' },
              input: { parameters: { env: '{{ .env }}', repo: 'x' } },
            },
          },
        ],
      },
    }
    const { asked } = generated(item, { goTemplate: true, answer })
    expect(asked.flat().map((request) => (request as { parameters: Json }).parameters)).toEqual([
      { env: 'prod', repo: 'x' },
      { env: 'dev', repo: 'x' },
    ])
  })
})

describe('clusterDecisionResource gives', () => {
  const clusters = [
    { name: 'staging-01', server: 'https://staging-01.example.com' },
    { name: 'production-01', server: 'https://production-01.example.com' },
  ]
  const configMap = {
    apiVersion: 'mallard.io/v1',
    kind: 'ducks',
    statusListKey: 'decisions',
    matchKey: 'clusterName',
  }
  const duck = (decisions: Json | undefined): JsonObject => ({
    apiVersion: 'mallard.io/v1',
    kind: 'Duck',
    metadata: { name: 'quak' },
    ...(decisions === undefined ? {} : { status: { decisions } }),
  })
  const world = (
    resources: readonly JsonObject[] | SourceError,
    map: { readonly [key: string]: string } | SourceError = configMap,
  ): World => ({
    clusters,
    answer: (request: ProviderRequest) =>
      (request.ask === 'configMap' ? map : resources) as ProviderAnswers['configMap'],
  })
  const item = (more: JsonObject = { name: 'quak' }): JsonObject => ({
    clusterDecisionResource: { configMapRef: 'my-configmap', ...more },
  })
  const both = duck([{ clusterName: 'staging-01' }, { clusterName: 'production-01' }])
  const staging = {
    clusterName: 'staging-01',
    name: 'staging-01',
    server: 'https://staging-01.example.com',
  }
  const production = {
    clusterName: 'production-01',
    name: 'production-01',
    server: 'https://production-01.example.com',
  }

  it.each<readonly [string, JsonObject, JsonObject]>([
    ['a name', { name: 'quak' }, { name: 'quak' }],
    [
      'labels',
      { labelSelector: { matchLabels: { duck: 'all' } } },
      { labelSelector: { matchLabels: { duck: 'all' } } },
    ],
    [
      'expressions',
      { labelSelector: { matchExpressions: [{ key: 'duck', operator: 'In', values: ['all'] }] } },
      { labelSelector: { matchExpressions: [{ key: 'duck', operator: 'In', values: ['all'] }] } },
    ],
  ])('clusters, by %s', (_, chosen, asked) => {
    const outcome = generated(item(chosen), world([both]))
    expect(outcome.params).toEqual([staging, production])
    expect(outcome.asked).toEqual([
      [{ ask: 'configMap', name: 'my-configmap' }],
      [{ ask: 'resources', group: 'mallard.io', version: 'v1', resource: 'ducks', ...asked }],
    ])
  })

  it('values as they are written', () => {
    const only = duck([{ clusterName: 'production-01' }])
    const values = { foo: 'bar', t: '{{name}}' }
    expect(paramsOf(item({ name: 'quak', values }), world([only]))).toEqual([
      { ...production, 'values.foo': 'bar', 'values.t': '{{name}}' },
    ])
    expect(
      paramsOf(item({ name: 'quak', values }), { ...world([only]), goTemplate: true }),
    ).toEqual([{ ...production, values }])
  })

  it('every field of a decision as a text', () => {
    const decision = {
      clusterName: 'staging-01',
      reason: '',
      score: 0,
      large: 12_345_678,
      part: 0.5,
      yes: true,
      none: null,
      list: [1, 'a', { b: 12_345_678 }],
      server: 'https://other',
    }
    expect(paramsOf(item(), world([duck([decision])]))).toEqual([
      {
        name: 'staging-01',
        server: 'https://other',
        clusterName: 'staging-01',
        reason: '',
        score: '0',
        large: '12345678',
        part: '0.5',
        yes: 'true',
        none: '<nil>',
        list: '[1 a map[b:12345678]]',
      },
    ])
  })

  it('no parameters without decisions, clusters or a key', () => {
    expect(paramsOf(item(), world([duck(undefined)]))).toEqual([])
    expect(paramsOf(item(), world([duck([])]))).toEqual([])
    expect(
      paramsOf(
        item(),
        world([duck([{ clusterName: 'unknown' }, { other: 'staging-01' }, { clusterName: '' }])]),
      ),
    ).toEqual([])
    const { matchKey: _, ...without } = configMap
    expect(paramsOf(item(), world([both], without))).toEqual([])
  })

  it('the cluster of Argo CD itself, and the default list', () => {
    const inside = { ...duck(undefined), status: { clusters: [{ clusterName: 'in-cluster' }] } }
    const { statusListKey: _, ...map } = configMap
    expect(paramsOf(item(), world([inside], map))).toEqual([
      { clusterName: 'in-cluster', name: 'in-cluster', server: 'https://kubernetes.default.svc' },
    ])
  })

  it('decisions of several resources', () => {
    const two = [duck([{ clusterName: 'staging-01' }]), duck([{ clusterName: 'production-01' }])]
    expect(paramsOf(item({ labelSelector: { matchLabels: { a: 'b' } } }), world(two))).toEqual([
      staging,
      production,
    ])
  })

  const definition =
    'there is a problem with the definition of the ClusterDecisionResource generator'
  const kinds = 'there is a problem with the apiVersion, kind or resourceName provided'
  it.each<readonly [string, JsonObject, World, string]>([
    ['neither name nor selector', {}, world([both]), definition],
    ['an empty selector', { labelSelector: {} }, world([both]), definition],
    [
      'both',
      { name: 'quak', labelSelector: { matchLabels: { a: 'b' } } },
      world([both]),
      definition,
    ],
    ['no kind', { name: 'quak' }, world([both], { ...configMap, kind: '' }), kinds],
    ['no group', { name: 'quak' }, world([both], { ...configMap, apiVersion: 'v1' }), kinds],
    ['an empty group', { name: 'quak' }, world([both], { ...configMap, apiVersion: '/v1' }), kinds],
    ['nothing found', { name: 'quak' }, world([]), 'no clusterDecisionResources found'],
    [
      'no ConfigMap',
      { name: 'quak' },
      world([], new SourceError('SOURCE_NOT_FOUND', 'configmaps "my-configmap" not found')),
      'error reading configMapRef: configmaps "my-configmap" not found',
    ],
    [
      'an unknown resource',
      { name: 'quak' },
      world(
        new SourceError('SOURCE_NOT_FOUND', 'the server could not find the requested resource'),
      ),
      'failed to get dynamic resources: the server could not find the requested resource',
    ],
    [
      'a status without the list, where Argo CD panics',
      { name: 'quak' },
      world([{ ...duck(undefined), status: { other: 1 } }]),
      'Duck quak has no list of objects at status.decisions',
    ],
  ])('an error for %s', (_, chosen, where, message) => {
    expect(errorOf(item(chosen), where)).toBe(message)
  })
})
