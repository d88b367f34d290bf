// One suite for every provider, against a server that speaks the real APIs.
import { createVerify, generateKeyPairSync } from 'node:crypto'
import type {
  ProviderReader,
  ScmProviderName,
  ScmQuery,
  ScmRepository,
} from '@litecd/core/adapters'
import { isLitecdError, type LitecdError } from '@litecd/core/errors'
import type { JsonObject } from '@litecd/core/json'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  pulls as modelPulls,
  repositories as modelRepositories,
} from '../../test/scmserver/model.ts'
import { type ScmServer, startScmServer } from '../../test/scmserver/server.ts'
import {
  type ApiCall,
  createProviderReader,
  type ProviderReaderOptions,
  type StoredSecret,
} from './index.ts'

const token = 'secret-token-0123456789'
const set = { namespace: 'team', name: 'set' }
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secrets: { readonly [place: string]: StoredSecret } = {
  'team/creds': { labels: {}, data: { token } },
  'team/labelled': { labels: { 'argocd.argoproj.io/secret-type': 'scm-creds' }, data: { token } },
  'argocd/app': {
    labels: {},
    data: {
      githubAppID: '42',
      githubAppPrivateKey: keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    },
  },
  'argocd/empty': { labels: {}, data: {} },
  'argocd/argocd-secret': { labels: {}, data: { 'plugin.token': `${token}\n` } },
  'argocd/other': { labels: {}, data: { key: token } },
}
const configMaps: { readonly [place: string]: { readonly [key: string]: string } } = {
  'team/ca': { 'ca.crt': 'no certificate' },
}

let server: ScmServer
beforeAll(async () => {
  server = await startScmServer()
})
afterEach(() => server.clear())
afterAll(() => server.close())

const sleeps: number[] = []
const warnings: string[] = []
const calls: ApiCall[] = []

function reader(options: Partial<ProviderReaderOptions> = {}): ProviderReader {
  sleeps.length = 0
  warnings.length = 0
  calls.length = 0
  let clock = Date.now()
  return createProviderReader({
    namespace: 'argocd',
    environment: {
      BITBUCKET_API_BASE_URL: `${server.url}/bitbucket/2.0`,
      AWS_ENDPOINT_URL: `${server.url}/awsCodeCommit`,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: token,
      AWS_REGION: 'eu-central-1',
    },
    objects: {
      secret: async (namespace, name) => secrets[`${namespace}/${name}`],
      configMap: async (namespace, name) => configMaps[`${namespace}/${name}`],
      list: async () => [],
    },
    now: () => clock,
    sleep: async (ms) => {
      sleeps.push(ms)
      clock += ms
    },
    warn: (message) => warnings.push(message),
    observe: (call) => calls.push(call),
    ...options,
  })
}

interface ProviderCase {
  readonly provider: ScmProviderName
  /** The block of an scmProvider generator. */
  readonly config: () => JsonObject
  /** The block of a pullRequest generator. */
  readonly pulls?: () => JsonObject
  /** What the credentials become. */
  readonly sends: readonly [header: string, value: RegExp]
  readonly organization: string
  readonly urls: (name: string) => { readonly [protocol: string]: string }
  readonly id: (id: number) => string | number
  readonly branch?: (name: string) => string
  readonly labels: boolean
  /** False where commits are not told. */
  readonly shas: boolean
  /** False where Argo CD looks at the first page only. */
  readonly pages: boolean
  readonly author?: false
  /** The texts of errors, of an answer of status 500 and of a repository that is not there. */
  readonly broken: (url: string) => string
  readonly absent?: string
}

const ref = { secretName: 'creds', key: 'token' }
const at = (name: string): string => `${server.url}/${name}`
const basic = (text: string): RegExp =>
  new RegExp(`^Basic ${Buffer.from(text).toString('base64')}$`)
const gitUrls = (name: string): { readonly [protocol: string]: string } => ({
  ssh: `git@git.example.com:acme/${name}.git`,
  https: `https://git.example.com/acme/${name}.git`,
})

const cases: readonly ProviderCase[] = [
  {
    provider: 'github',
    config: () => ({ organization: 'acme', api: at('github'), tokenRef: ref }),
    pulls: () => ({ owner: 'acme', repo: 'web', api: at('github'), tokenRef: ref }),
    sends: ['authorization', new RegExp(`^Bearer ${token}$`)],
    organization: 'acme',
    urls: gitUrls,
    id: (id) => id,
    labels: true,
    shas: true,
    pages: true,
    broken: (url) =>
      `error listing repositories for acme: GET ${url}/github/api/v3/orgs/acme/repos?per_page=100: 500 oh no []`,
    absent: 'GET URL/github/api/v3/repos/acme/absent/pulls?per_page=100: 404 Not Found []',
  },
  {
    provider: 'gitlab',
    config: () => ({ group: 'acme', api: at('gitlab'), tokenRef: ref }),
    pulls: () => ({ project: 'acme/web', api: at('gitlab'), tokenRef: ref }),
    sends: ['private-token', new RegExp(`^${token}$`)],
    organization: 'acme',
    urls: gitUrls,
    id: (id) => id,
    labels: true,
    shas: true,
    pages: true,
    broken: (url) =>
      `error listing projects for acme: GET ${url}/gitlab/api/v4/groups/acme/projects: 500 {message: oh no}`,
    absent: '404 Not Found',
  },
  {
    provider: 'gitea',
    config: () => ({ owner: 'acme', api: at('gitea'), tokenRef: ref }),
    pulls: () => ({ owner: 'acme', repo: 'web', api: at('gitea'), tokenRef: ref }),
    sends: ['authorization', new RegExp(`^token ${token}$`)],
    organization: 'acme',
    urls: (name) => ({ ...gitUrls(name), https: `https://git.example.com/acme/${name}` }),
    id: (id) => id,
    labels: true,
    shas: true,
    pages: false,
    broken: () => 'oh no',
    absent: "The target couldn't be found.",
  },
  {
    provider: 'bitbucketServer',
    config: () => ({ project: 'acme', api: at('bitbucketServer'), bearerToken: { tokenRef: ref } }),
    pulls: () => ({
      project: 'acme',
      repo: 'web',
      api: at('bitbucketServer'),
      basicAuth: { username: 'me', passwordRef: ref },
    }),
    sends: [
      'authorization',
      new RegExp(`^(Bearer ${token}|${basic(`me:${token}`).source.slice(1)})`),
    ],
    organization: 'acme',
    urls: gitUrls,
    id: (id) => id,
    labels: false,
    shas: true,
    pages: true,
    broken: () =>
      'error listing repositories for acme: Status: 500 Internal Server Error, Body: {"message":"oh no"}',
    absent:
      'Status: 404 Not Found, Body: {"errors":[{"context":null,"message":"Repository acme/absent does not exist.","exceptionName":"NoSuchThingException"}]}',
  },
  {
    provider: 'bitbucket',
    config: () => ({ owner: 'acme', user: 'me', appPasswordRef: ref }),
    pulls: () => ({
      owner: 'acme',
      repo: 'web',
      api: `${at('bitbucket')}/2.0`,
      basicAuth: { username: 'me', passwordRef: ref },
    }),
    sends: ['authorization', basic(`me:${token}`)],
    organization: 'acme',
    urls: gitUrls,
    id: (id) => `{${id}}`,
    labels: false,
    shas: true,
    pages: true,
    broken: () => 'error listing repositories for acme: 500 Internal Server Error',
    absent: '404 Not Found',
  },
  {
    provider: 'azureDevOps',
    config: () => ({
      organization: 'acme',
      teamProject: 'team',
      api: at('azureDevOps'),
      accessTokenRef: ref,
    }),
    pulls: () => ({
      organization: 'acme',
      project: 'team',
      repo: 'web',
      api: at('azureDevOps'),
      tokenRef: ref,
    }),
    sends: ['authorization', basic(`:${token}`)],
    organization: 'acme',
    urls: gitUrls,
    id: (id) => `00000000-0000-0000-0000-0000000000${id}`,
    branch: (name) => `refs/heads/${name}`,
    labels: false,
    shas: true,
    pages: false,
    broken: () => 'oh no',
    absent:
      'TF200016: The following project does not exist: absent. Verify that the name of the project is correct and that the project exists on the specified Azure DevOps Server.',
  },
  {
    provider: 'awsCodeCommit',
    config: () => ({}),
    sends: [
      'authorization',
      /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/eu-central-1\/codecommit/,
    ],
    organization: '123456789012',
    urls: (name) => ({
      ssh: `ssh://git-codecommit.eu-central-1.amazonaws.com/v1/repos/${name}`,
      https: `https://git-codecommit.eu-central-1.amazonaws.com/v1/repos/${name}`,
    }),
    id: (id) => `id-${id}`,
    labels: false,
    shas: false,
    pages: true,
    broken: () =>
      'failed to list codecommit repository: operation error CodeCommit: ListRepositories, https response error StatusCode: 500, RequestID: , api error UnknownError: oh no',
  },
]

const scm = ({ provider, config }: ProviderCase, more: JsonObject = {}): ScmQuery => ({
  provider,
  config: { ...config(), ...more },
  set,
})
const pr = (one: ProviderCase, more: JsonObject = {}): ScmQuery => ({
  provider: one.provider,
  config: { ...one.pulls!(), ...more },
  set,
})
async function failureOf(work: Promise<unknown>): Promise<LitecdError> {
  try {
    await work
  } catch (error) {
    if (isLitecdError(error)) return error
    throw error
  }
  throw new Error('it did not fail')
}
const web = async (one: ProviderCase): Promise<ScmRepository> => {
  const found = await reader().read({ ask: 'repositories', ...scm(one) })
  return found.find(({ repository }) => repository === 'web')!
}

const each = describe.each(cases.map((one) => [one.provider, one] as const))

each('repositories of %s', (_, one) => {
  it('are all listed, over pages, by somebody who says who he is', async () => {
    if (one.pages) server.pageSize = 2
    const found = await reader().read({ ask: 'repositories', ...scm(one) })
    expect(found.map(({ archived: _, ...rest }) => rest)).toEqual(
      modelRepositories.map(({ name, id, branch, topics }) => ({
        organization: one.organization,
        repository: name,
        id: one.id(id),
        cloneUrls: one.urls(name),
        branch: one.branch?.(branch) ?? branch,
        labels: one.labels ? topics : [],
      })),
    )
    for (const headers of server.headers) expect(headers[one.sends[0]]).toMatch(one.sends[1])
    expect(warnings).toEqual([])
  })

  it('have a default branch, or all branches', async () => {
    const repository = await web(one)
    const sha = (text: string): string => (one.shas ? text : '')
    expect(await reader().read({ ask: 'branches', ...scm(one), repository })).toEqual([
      { name: 'main', sha: sha('a'.repeat(40)) },
    ])
    if (one.pages && one.provider !== 'bitbucket') server.pageSize = 1
    const all = await reader().read({
      ask: 'branches',
      ...scm(one, { allBranches: true }),
      repository,
    })
    expect(all).toEqual([
      { name: 'main', sha: sha('a'.repeat(40)) },
      { name: 'feature/x', sha: sha('b'.repeat(40)) },
      { name: 'old', sha: sha('c'.repeat(40)) },
    ])
  })

  it('find a branch with a slash in its name', async () => {
    const found = await reader().read({ ask: 'repositories', ...scm(one) })
    const repository = found.find((other) => other.repository === 'db')!
    expect(await reader().read({ ask: 'branches', ...scm(one), repository })).toMatchObject([
      { name: 'trunk/one' },
    ])
  })

  it('tell files and folders that are there from those that are not', async () => {
    const repository = await web(one)
    const has = (path: string, name = 'main', sha = 'a'.repeat(40)): Promise<boolean> =>
      reader().read({ ask: 'path', ...scm(one), repository, branch: { name, sha }, path })
    expect(await has('README.md')).toBe(true)
    expect(await has('deploy')).toBe(true)
    expect(await has('deploy/app.yaml')).toBe(true)
    expect(await has('deploy/none.yaml')).toBe(false)
    expect(await has('nothing/at/all')).toBe(false)
    expect(await has('deploy', 'feature/x', 'b'.repeat(40))).toBe(false)
  })

  it('fail in the words of the client when the server is broken', async () => {
    server.faults = [
      { path: /repos|projects|awsCodeCommit/, status: 500, body: { message: 'oh no' } },
    ]
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(one) }))
    expect(error.message).toBe(one.broken(server.url))
    expect(error).toMatchObject({ code: 'SOURCE_UNREACHABLE', retryable: true })
  })

  it('never show the credentials, whatever the server says', async () => {
    server.faults = [{ path: /repos|projects|awsCodeCommit/, status: 401, echo: true }]
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(one) }))
    const seen = JSON.stringify([
      error.message,
      error.data,
      error.toJSON(),
      calls,
      String(error.stack),
    ])
    expect(server.headers[0]![one.sends[0]]).toMatch(one.sends[1])
    for (const text of [token, `me:${token}`, `:${token}`]) {
      expect(seen).not.toContain(text)
      expect(seen).not.toContain(Buffer.from(text).toString('base64'))
    }
    expect(error.code).toBe('SOURCE_REFUSED')
  })

  it('wait as long as the server wants, when that is not long', async () => {
    server.faults = [
      {
        path: /repos|projects|awsCodeCommit/,
        status: 429,
        headers: { 'retry-after': '2' },
        times: 1,
      },
    ]
    const found = await reader().read({ ask: 'repositories', ...scm(one) })
    expect(found).toHaveLength(5)
    expect(sleeps.some((ms) => ms > 1900 && ms <= 2000)).toBe(true)
  })

  it('do not wait for an hour, nor ask again before it is over', async () => {
    server.faults = [
      { path: /repos|projects|awsCodeCommit/, status: 429, headers: { 'retry-after': '3600' } },
    ]
    const one2 = reader()
    const error = await failureOf(one2.read({ ask: 'repositories', ...scm(one) }))
    expect(error).toMatchObject({ code: 'SOURCE_UNREACHABLE', retryable: true })
    const asked = server.asked.length
    const again = await failureOf(one2.read({ ask: 'repositories', ...scm(one) }))
    expect(again.message).toContain('rate limit still exceeded, not asked again before')
    expect(server.asked.length).toBe(asked)
    expect(sleeps.filter((ms) => ms > 1000)).toEqual([])
  })

  it('stop at a listing without end', async () => {
    if (!one.pages) return
    server.pageSize = 1
    const error = await failureOf(
      reader({ limits: { pages: 3 } }).read({ ask: 'repositories', ...scm(one) }),
    )
    expect(error.code).toBe('BUDGET_EXCEEDED')
    expect(error.message).toContain('has more than 3 pages')
  })

  it('refuse answers that are too large, and those that do not come', async () => {
    const large = { limits: { bytes: 20 } }
    expect((await failureOf(reader(large).read({ ask: 'repositories', ...scm(one) }))).code).toBe(
      'BUDGET_EXCEEDED',
    )
    server.faults = [{ path: /./, hang: true }]
    const late = reader({ limits: { timeMs: 200 }, now: Date.now })
    const error = await failureOf(late.read({ ask: 'repositories', ...scm(one) }))
    expect(error.message).toMatch(/context deadline exceeded|takes more than/)
  })
})

describe.each(
  cases.filter(({ pulls }) => pulls !== undefined).map((one) => [one.provider, one] as const),
)('pull requests of %s', (_, one) => {
  it('are all listed, over pages', async () => {
    if (one.pages) server.pageSize = 2
    const found = await reader().read({ ask: 'pullRequests', ...pr(one) })
    const labelled = ['github', 'gitlab', 'gitea', 'azureDevOps'].includes(one.provider)
    expect(found).toEqual(
      modelPulls.map(({ number, title, branch, target, sha, author, labels }) => ({
        number,
        title,
        branch,
        targetBranch: target,
        headSha: sha,
        author,
        labels: labelled ? labels : [],
      })),
    )
    for (const headers of server.headers) expect(headers[one.sends[0]]).toMatch(one.sends[1])
  })

  it('tell a repository that is not there from one that cannot be asked', async () => {
    const absent =
      one.provider === 'azureDevOps' ? { project: 'absent' } : { repo: 'absent', project: 'acme' }
    const gone = one.provider === 'gitlab' ? { project: 'acme/absent' } : absent
    const error = await failureOf(reader().read({ ask: 'pullRequests', ...pr(one, gone) }))
    expect(error.code).toBe('SOURCE_NOT_FOUND')
    expect(error.message.replaceAll(server.url, 'URL')).toBe(one.absent)
    server.faults = [{ path: /pull|merge_requests/, status: 403, body: { message: 'no' } }]
    const refused = await failureOf(reader().read({ ask: 'pullRequests', ...pr(one) }))
    expect(refused.code).toBe('SOURCE_REFUSED')
  })

  it('fail in the words of Go when nobody listens', async () => {
    const more = { api: 'http://127.0.0.1:1' }
    const error = await failureOf(reader().read({ ask: 'pullRequests', ...pr(one, more) }))
    expect(error.message).toMatch(
      /Get "http:\/\/127\.0\.0\.1:1\/\S*": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    )
    expect(error.retryable).toBe(true)
  })
})

describe('answers that have not changed', () => {
  it.each(
    cases
      .filter(({ provider }) => provider !== 'awsCodeCommit')
      .map((one) => [one.provider, one] as const),
  )('are not sent again by %s', async (_, one) => {
    server.etags = true
    const asks = reader()
    const first = await asks.read({ ask: 'repositories', ...scm(one) })
    const count = server.headers.length
    expect(await asks.read({ ask: 'repositories', ...scm(one) })).toEqual(first)
    const again = server.headers
      .slice(count)
      .filter((headers) => headers['if-none-match'] !== undefined)
    expect(again.length).toBeGreaterThan(0)
  })

  it('are not shared between credentials', async () => {
    server.etags = true
    const asks = reader()
    const [github] = cases
    await asks.read({ ask: 'repositories', ...scm(github!) })
    server.headers.length = 0
    const { tokenRef: _, ...anonymous } = github!.config()
    await asks.read({ ask: 'repositories', provider: 'github', config: anonymous, set })
    expect(server.headers[0]!['if-none-match']).toBeUndefined()
    expect(server.headers[0]!['authorization']).toBeUndefined()
  })
})

// What Argo CD v3.5.1's own provider code printed for the same server.
describe('answers that are no answers', () => {
  const listings = /repos|projects|awsCodeCommit/
  const literal = "invalid character 'o' in literal null (expecting 'u')"
  const aws = (status: number): string =>
    `failed to list codecommit repository: operation error CodeCommit: ListRepositories, https response error StatusCode: ${status}, RequestID: , `
  const odd: readonly (readonly [ScmProviderName, number, string, string])[] = [
    ['github', 200, 'not json', `error listing repositories for acme: ${literal}`],
    [
      'github',
      403,
      '',
      'error listing repositories for acme: GET URL/github/api/v3/orgs/acme/repos?per_page=100: 403  []',
    ],
    ['gitlab', 200, 'not json', `error listing projects for acme: ${literal}`],
    [
      'gitlab',
      403,
      '',
      'error listing projects for acme: GET URL/gitlab/api/v4/groups/acme/projects: 403',
    ],
    [
      'gitlab',
      400,
      'not json',
      'error listing projects for acme: GET URL/gitlab/api/v4/groups/acme/projects: 400 failed to parse unknown error format: not json',
    ],
    ['gitea', 200, 'not json', literal],
    [
      'gitea',
      403,
      '',
      "unknown API error: 403\nRequest: '/gitea/api/v1/orgs/acme/repos' with 'GET' method and '' body",
    ],
    ['gitea', 422, '{"message": {"name": ["bad", "worse"]}}', 'map[name:[bad worse]]'],
    ['gitea', 418, '{"error": "x"}', '418 I\'m a Teapot: {"error": "x"}'],
    ['bitbucketServer', 200, 'not json', `error listing repositories for acme: ${literal}`],
    [
      'bitbucketServer',
      403,
      '',
      'error listing repositories for acme: Status: 403 Forbidden, Body:  ParseError: unexpected end of JSON input',
    ],
    ['bitbucket', 403, '', 'error listing repositories for acme: 403 Forbidden'],
    [
      'awsCodeCommit',
      200,
      'not json',
      `${aws(200)}deserialization failed, failed to decode response body, ${literal}`,
    ],
    ['awsCodeCommit', 403, '', `${aws(403)}api error UnknownError: UnknownError`],
    [
      'awsCodeCommit',
      400,
      '{"__type": "a#AccessDeniedException", "message": "no"}',
      `${aws(400)}api error AccessDeniedException: no`,
    ],
    [
      'awsCodeCommit',
      400,
      '{"__type": "a#InvalidOrderException", "message": "no"}',
      `${aws(400)}InvalidOrderException: no`,
    ],
  ]

  it.each(odd)('of %s: %d %s', async (provider, status, body, message) => {
    server.faults = [{ path: listings, status, body }]
    const one = cases.find((other) => other.provider === provider)!
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(one) }))
    expect(error.message.replaceAll(server.url, 'URL')).toBe(message)
  })
})

describe('credentials', () => {
  const listing = (
    provider: ScmProviderName,
    config: JsonObject,
    options = {},
  ): Promise<LitecdError> =>
    failureOf(reader(options).read({ ask: 'repositories', provider, config, set }))
  const pulling = (
    provider: ScmProviderName,
    config: JsonObject,
    options = {},
  ): Promise<LitecdError> =>
    failureOf(reader(options).read({ ask: 'pullRequests', provider, config, set }))
  const absent = { secretName: 'absent', key: 'token' }
  const noKey = { secretName: 'creds', key: 'nokey' }
  const missing = 'error fetching secret team/absent: Secret "absent" not found'

  it.each<readonly [ScmProviderName, JsonObject, string]>([
    ['github', { tokenRef: absent }, `scm provider: error fetching Github token: ${missing}`],
    [
      'github',
      { appSecretName: 'absent' },
      'scm provider: error fetching Github app secret: failed to get secret absent: secret "absent" not found',
    ],
    [
      'github',
      { appSecretName: 'empty' },
      'scm provider: error fetching Github app secret: no github app found for empty',
    ],
    [
      'gitlab',
      { tokenRef: noKey },
      'error fetching Gitlab token: key "nokey" in secret team/creds not found',
    ],
    [
      'gitlab',
      { caRef: { configMapName: 'none', key: 'x' } },
      'error fetching CA certificates from ConfigMap: ConfigMap "none" not found',
    ],
    [
      'gitlab',
      { caRef: { configMapName: 'ca', key: 'x' } },
      'error fetching CA certificates from ConfigMap: key x not found in ConfigMap ca',
    ],
    ['gitea', { tokenRef: absent }, `error fetching Gitea token: ${missing}`],
    [
      'bitbucketServer',
      { bearerToken: { tokenRef: absent } },
      `error fetching Secret Bearer token: ${missing}`,
    ],
    [
      'bitbucketServer',
      { basicAuth: { passwordRef: absent } },
      `error fetching Secret token: ${missing}`,
    ],
    [
      'bitbucket',
      { appPasswordRef: absent },
      `error fetching Bitbucket cloud appPassword: ${missing}`,
    ],
    [
      'azureDevOps',
      { accessTokenRef: absent },
      `error fetching Azure Devops access token: ${missing}`,
    ],
    ['azureDevOps', {}, 'error initializing Azure Devops service: no access token provided'],
    [
      'gitea',
      { api: 'http://127.0.0.1:1' },
      'error initializing Gitea service: error creating a new gitea client: Get "http://127.0.0.1:1/api/v1/version": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
  ])('of %s %j', async (provider, config, message) => {
    const error = await listing(provider, config)
    expect(error.message).toBe(message)
    expect(error.data['stage']).toBe('provider')
    expect(server.asked).toEqual([])
  })

  it.each<readonly [ScmProviderName, JsonObject, string]>([
    ['github', { tokenRef: absent }, `error fetching Secret token: ${missing}`],
    [
      'github',
      { appSecretName: 'empty' },
      'error getting GitHub App secret: no github app found for empty',
    ],
    ['gitlab', { tokenRef: absent }, `error fetching Secret token: ${missing}`],
    [
      'bitbucket',
      { bearerToken: { tokenRef: absent } },
      `error fetching Secret Bearer token: ${missing}`,
    ],
    ['azureDevOps', { tokenRef: absent }, `error fetching Secret token: ${missing}`],
  ])('for pull requests of %s %j', async (provider, config, message) => {
    expect((await pulling(provider, config)).message).toBe(message)
  })

  it('need a label in strict mode', async () => {
    const config = { organization: 'acme', api: at('github'), tokenRef: ref }
    expect((await listing('github', config, { strictTokens: true })).message).toBe(
      'scm provider: error fetching Github token: secret team/creds is not a valid SCM creds secret: secret must have label "argocd.argoproj.io/secret-type"="scm-creds"',
    )
    const labelled = { ...config, tokenRef: { secretName: 'labelled', key: 'token' } }
    const strict = reader({ strictTokens: true })
    expect(
      await strict.read({ ask: 'repositories', provider: 'github', config: labelled, set }),
    ).toHaveLength(5)
  })

  it.each([
    ['github', 'GITHUB_TOKEN', { organization: 'acme' }, 'authorization', 'Bearer env-token'],
    ['gitlab', 'GITLAB_TOKEN', { group: 'acme' }, 'private-token', 'env-token'],
    ['gitea', 'GITEA_TOKEN', { owner: 'acme' }, 'authorization', 'token env-token'],
  ] as const)(
    'of %s come from %s where the generator has none',
    async (provider, variable, config, header, value) => {
      const asks = reader({ environment: { [variable]: 'env-token' } })
      await asks.read({
        ask: 'repositories',
        provider,
        config: { ...config, api: at(provider) },
        set,
      })
      expect(server.headers[0]![header]).toBe(value)
    },
  )

  it('do not follow a redirect to another host', async () => {
    const other = await startScmServer()
    try {
      for (const one of cases.filter(
        ({ provider }) => provider === 'github' || provider === 'gitlab',
      )) {
        server.faults = [
          { path: /orgs|groups/, status: 302, headers: { location: `${other.url}/x` }, times: 1 },
        ]
        await failureOf(reader().read({ ask: 'repositories', ...scm(one) }))
      }
      expect(other.asked).toEqual([])
    } finally {
      other.close()
    }
  })

  it('do not go to the next page of another host', async () => {
    const bitbucket = cases.find(({ provider }) => provider === 'bitbucket')!
    server.faults = [
      { path: /repositories/, body: { values: [{}], next: 'http://127.0.0.1:1/2.0/x' }, times: 1 },
    ]
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(bitbucket) }))
    expect(error.message).toContain('the next page is at another host: http://127.0.0.1:1')
  })

  it('of a GitHub App are a signed token and then one of its installation', async () => {
    const config = { organization: 'acme', api: at('github'), appSecretName: 'app' }
    const asks = reader()
    const found = await asks.read({ ask: 'repositories', provider: 'github', config, set })
    expect(found).toHaveLength(5)
    const [jwt, , last] = server.headers.map(({ authorization }) => authorization ?? '')
    const [head, body, signature] = jwt!.replace('Bearer ', '').split('.')
    const verify = createVerify('RSA-SHA256').update(`${head}.${body}`)
    expect(verify.verify(keys.publicKey, Buffer.from(signature!, 'base64url'))).toBe(true)
    const claims = JSON.parse(Buffer.from(body!, 'base64url').toString()) as {
      [name: string]: number
    }
    expect(claims['iss']).toBe('42')
    expect(claims['exp']! - claims['iat']!).toBe(120)
    expect(last).toBe('token ghs_installation')
    const count = server.asked.length
    await asks.read({ ask: 'repositories', provider: 'github', config, set })
    expect(server.asked.slice(count).filter((path) => path.includes('/app/'))).toEqual([])
  })

  it('of a role are asked for once', async () => {
    const config = { role: 'arn:aws:iam::1:role/reader', tagFilters: [{ key: 'deploy' }] }
    const asks = reader()
    const found = await asks.read({ ask: 'repositories', provider: 'awsCodeCommit', config, set })
    expect(found.map(({ repository }) => repository)).toEqual(['web'])
    const forms = server.bodies.filter((body) => body.startsWith('Action='))
    expect(forms).toHaveLength(1)
    expect(server.headers.at(-1)!['authorization']).toContain('Credential=ASIAROLE/')
    expect(server.headers.at(-1)!['x-amz-security-token']).toBe('role-session')
  })
})

describe('limits of GitHub', () => {
  const [github] = cases
  it('are told as go-github tells them', async () => {
    const reset = String(Math.floor(Date.now() / 1000) + 185)
    server.faults = [
      {
        path: /orgs/,
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
        body: {
          message: 'API rate limit exceeded',
          documentation_url: 'https://docs.github.com/x',
        },
      },
    ]
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(github!) }))
    expect(error.message).toMatch(/403 API rate limit exceeded \[rate reset in 3m0[3-5]s\]$/)
    expect(error.code).toBe('SOURCE_UNREACHABLE')
  })

  it('and errors with their details', async () => {
    server.faults = [
      {
        path: /orgs/,
        status: 422,
        body: {
          message: 'Validation Failed',
          errors: [{ resource: 'Org', field: 'name', code: 'invalid' }, 'x'],
        },
      },
    ]
    const error = await failureOf(reader().read({ ask: 'repositories', ...scm(github!) }))
    expect(error.message).toMatch(
      /422 Validation Failed \[\{Resource:Org Field:name Code:invalid Message:\} \{Resource: Field: Code: Message:x\}\]$/,
    )
  })

  it('are seen by whoever counts', async () => {
    server.faults = []
    await reader().read({ ask: 'repositories', ...scm(github!) })
    expect(calls).toMatchObject([
      {
        provider: 'github',
        set,
        method: 'GET',
        path: '/github/api/v3/orgs/acme/repos',
        status: 200,
      },
    ])
  })
})

describe('what Argo CD does not look at is said', () => {
  it('of Gitea, and of branches of Bitbucket', async () => {
    server.pageSize = 2
    const gitea = cases.find(({ provider }) => provider === 'gitea')!
    const found = await reader().read({ ask: 'repositories', ...scm(gitea) })
    expect(found).toHaveLength(2)
    expect(warnings).toContain('repositories of acme: 2 of 5 are looked at, as in Argo CD')
    const bitbucket = cases.find(({ provider }) => provider === 'bitbucket')!
    const repository = { ...found[0]!, repository: 'web' }
    await reader().read({ ask: 'branches', ...scm(bitbucket, { allBranches: true }), repository })
    expect(warnings).toEqual([
      'branches of acme/web: only the first page is looked at, as in Argo CD',
    ])
  })
})

describe('options of GitLab', () => {
  it('are asked for as Argo CD does', async () => {
    const gitlab = cases.find(({ provider }) => provider === 'gitlab')!
    const more = {
      includeSubgroups: true,
      includeSharedProjects: false,
      topic: 'go',
      includeArchivedRepos: true,
    }
    await reader().read({ ask: 'repositories', ...scm(gitlab, more) })
    expect(server.asked).toEqual([
      'GET /gitlab/api/v4/groups/acme/projects?archived=true&include_subgroups=true&per_page=100&topic=go&with_shared=false',
    ])
    server.clear()
    await reader().read({
      ask: 'pullRequests',
      ...pr(gitlab, { labels: ['deploy', 'big'], pullRequestState: 'opened' }),
    })
    expect(server.asked).toEqual([
      'GET /gitlab/api/v4/projects/acme%2Fweb/merge_requests?labels=deploy%2Cbig&per_page=100&state=opened',
    ])
  })
})

describe('plugins', () => {
  const asks = (data: { readonly [key: string]: string } | undefined): Promise<unknown> =>
    reader({
      objects: {
        secret: async (namespace, name) => secrets[`${namespace}/${name}`],
        configMap: async (namespace) => (namespace === 'argocd' ? data : undefined),
        list: async () => [],
      },
    }).read({ ask: 'plugin', configMap: 'plugin', set, parameters: { a: { b: [1] } } })
  const good = (): { readonly [key: string]: string } => ({
    baseUrl: at('plugin'),
    token: '$plugin.token',
  })

  it('are asked with the input, and give parameters', async () => {
    server.faults = [
      { path: /getparams/, body: { output: { parameters: [{ x: 1 }, { y: 'z' }] } } },
    ]
    expect(await asks(good())).toEqual([{ x: 1 }, { y: 'z' }])
    expect(server.asked).toEqual(['POST /plugin/api/v1/getparams.execute'])
    expect(JSON.parse(server.bodies[0]!)).toEqual({
      applicationSetName: 'set',
      input: { parameters: { a: { b: [1] } } },
    })
    expect(server.headers[0]).toMatchObject({
      authorization: `Bearer ${token}`,
      'user-agent': 'argocd-applicationset',
      'content-type': 'application/json',
    })
  })

  it('may have a Secret of their own', async () => {
    server.faults = [{ path: /getparams/, body: { output: { parameters: [] } } }]
    expect(await asks({ ...good(), token: '$other:key' })).toEqual([])
    expect(server.headers[0]!['authorization']).toBe(`Bearer ${token}`)
  })

  const getting = 'error getting plugin from generator: '
  it.each<readonly [string, { readonly [key: string]: string } | undefined, string]>([
    ['no ConfigMap', undefined, `${getting}error fetching ConfigMap: ConfigMap "plugin" not found`],
    [
      'no URL',
      { token: '$x' },
      `${getting}error fetching ConfigMap: baseUrl not found in ConfigMap`,
    ],
    [
      'no token',
      { baseUrl: 'x' },
      `${getting}error fetching ConfigMap: token not found in ConfigMap`,
    ],
    [
      'a token in plain text',
      { baseUrl: 'x', token: 'plain' },
      `${getting}error fetching Secret token: token is empty, or does not reference a secret key starting with '$': plain`,
    ],
    [
      'no Secret',
      { baseUrl: 'x', token: '$none:key' },
      `${getting}error fetching Secret token: error fetching secret argocd/none: Secret "none" not found`,
    ],
    [
      'a strange timeout',
      { baseUrl: 'x', token: '$x', requestTimeout: '1s' },
      `${getting}error set requestTimeout : strconv.Atoi: parsing "1s": invalid syntax`,
    ],
  ])('%s', async (_, data, message) => {
    expect((await failureOf(asks(data))).message).toBe(message)
  })

  it.each<readonly [number, unknown, string]>([
    [
      400,
      { error: 'invalid_request', description: 'x' },
      'API error with status code 400: invalid_request',
    ],
    [500, { message: 'oh', error: 'no' }, 'API error with status code 500: oh'],
    [401, '', 'API error with status code 401: '],
    [502, 'bad gateway', 'API error with status code 502: bad gateway'],
    [200, '{"output"', 'unexpected end of JSON input: {"output"'],
  ])('status %d %j', async (status, body, message) => {
    server.faults = [{ path: /getparams/, status, body }]
    const error = await failureOf(asks(good()))
    expect(error.message).toBe(`error listing params: error get api 'set': ${message}`)
  })
})
