import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  application,
  configMap,
  repoUrl,
  type TestRepository,
  testRepository,
} from './repository.ts'

let repository: TestRepository

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'apps/web.yaml': application('web', 'web'),
    'apps/db.yaml': application('db', 'db'),
    'web/a.yaml': configMap('a'),
    'db/a.yaml': configMap('a'),
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

interface JsonReport {
  summary: { unchanged: number; rendered: number; failed: number }
  applications: {
    name: string
    change: string
    reasons: string[]
    renamedFrom?: string
    renamedTo?: string
    origin: { parents: string[]; position: { path: string; line: number } }
    objects: {
      key: { kind: string; name: string }
      change: string
      wave: number
      fields: { path: string }[]
      secretKeys: { key: string; change: string }[]
      remark?: string
    }[]
    failure?: {
      error: {
        code: string
        position?: { path: string; line?: number; column?: number }
        hint?: string
      }
    }
  }[]
  problems: {
    code: string
    message: string
    position?: { path: string; line?: number; column?: number }
    hint?: string
  }[]
  remarks: {
    code: string
    message: string
    position?: { path: string; line: number; column: number }
  }[]
}

async function report(...argv: string[]): Promise<{ code: number; value: JsonReport }> {
  const { code, out, err } = await repository.litecd('diff', '-o', 'json', ...argv)
  if (out === '') throw new Error(err)
  return { code, value: JSON.parse(out) as JsonReport }
}

describe('litecd diff', () => {
  it('pairs what is only renamed, Applications and objects', async () => {
    const data = { a: '1', b: '2', c: '3', d: '4' }
    repository.write({ 'web/many.yaml': configMap('settings', data) })
    repository.commit('more')
    repository.git('branch', '--force', 'main')
    repository.write({
      'web/many.yaml': configMap('options', { ...data, d: '5' }),
      'apps/db.yaml': application('database', 'db').replace('namespace: database', 'namespace: db'),
    })
    const { out } = await repository.litecd('diff')
    expect(out).toContain(`+ v1 ConfigMap web/options  web/many.yaml:1
        renamed from settings
        ~ data.d: 4 → 5  ← line 4
`)
    expect(out).toContain(
      '    - v1 ConfigMap web/settings  web/many.yaml:1\n        renamed to options\n',
    )
    expect(out).toContain(
      'why: it seems to be argocd/db, renamed: that one is deleted, this one is new',
    )
    const { value } = await report()
    const renames = value.applications.map((app) => [app.name, app.renamedFrom, app.renamedTo])
    expect(renames).toEqual([
      ['database', 'argocd/db', undefined],
      ['db', undefined, 'argocd/database'],
      ['web', undefined, undefined],
    ])
  })

  it('exits with 0 when nothing changes, and renders nothing', async () => {
    const { code, value } = await report()
    expect(code).toBe(0)
    expect(value.summary).toMatchObject({ unchanged: 2, rendered: 0, failed: 0 })
  })

  it('compares the working tree with the default branch, and renders only what the change touches', async () => {
    repository.write({ 'web/a.yaml': configMap('a', { a: '2' }) })
    const { code, value } = await report()
    expect(code).toBe(1)
    expect(value.applications.map((app) => [app.name, app.change, app.reasons])).toEqual([
      ['web', 'changed', ['web/a.yaml changed']],
    ])
    expect(value.applications[0]!.objects[0]).toMatchObject({
      change: 'changed',
      fields: [{ path: 'data.a' }],
    })
    expect(value.summary).toMatchObject({ unchanged: 1, rendered: 1 })
  })

  it('sees files that are not committed, and not those that git ignores', async () => {
    repository.write({
      '.gitignore': 'web/ignored.yaml\n',
      'web/new.yaml': configMap('new'),
      'web/ignored.yaml': configMap('no'),
    })
    const { value } = await report()
    expect(value.applications[0]!.objects.map(({ key, change }) => [key.name, change])).toEqual([
      ['new', 'added'],
    ])
  })

  it('compares with the merge base, not with the tip of the default branch', async () => {
    repository.write({ 'web/a.yaml': configMap('a', { a: '2' }) })
    repository.commit('change')
    repository.git('checkout', '--quiet', 'main')
    repository.write({ 'db/a.yaml': configMap('a', { a: '9' }) })
    repository.commit('meanwhile')
    const { value } = await report('--base', 'main', '--head', 'change')
    expect(value.applications.map((app) => app.name)).toEqual(['web'])
  })

  it('follows Applications that others render, three deep, and says who renders them', async () => {
    repository.write({
      'bootstrap/root.yaml': application('root', 'level1'),
      'level1/one.yaml': application('one', 'level2'),
      'level2/two.yaml': application('two', 'leaf'),
      'leaf/a.yaml': configMap('leaf'),
    })
    repository.commit('nested')
    repository.git('branch', '--force', 'main', 'HEAD')
    repository.write({ 'leaf/a.yaml': configMap('leaf', { a: '2' }) })
    const { value } = await report()
    expect(value.applications.map((app) => [app.name, app.origin.parents])).toEqual([
      ['two', ['root', 'one']],
    ])
  })

  it('reports a child that appears only by rendering, and its objects', async () => {
    repository.write({ 'bootstrap/root.yaml': application('root', 'apps') })
    repository.commit('root')
    repository.git('branch', '--force', 'main', 'HEAD')
    repository.write({
      'apps/new.yaml': application('new', 'new'),
      'new/a.yaml': configMap('inside'),
    })
    const { value } = await report()
    expect(
      value.applications.map((app) => [
        app.name,
        app.change,
        app.objects.map(({ key }) => `${key.kind}/${key.name}`),
      ]),
    ).toEqual([
      ['new', 'added', ['ConfigMap/inside']],
      ['root', 'changed', ['Application/new']],
    ])
  })

  it('tells what becomes of removed objects', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web', '  syncPolicy: {automated: {prune: true}}\n'),
      'web/c.yaml': configMap('c'),
      'web/b.yaml': configMap('b').replace(
        'metadata: {name: b}',
        'metadata: {name: b, annotations: {argocd.argoproj.io/sync-options: Prune=false}}',
      ),
    })
    repository.commit('prune')
    repository.git('branch', '--force', 'main', 'HEAD')
    repository.write({ 'web/a.yaml': null, 'web/b.yaml': null })
    const { value } = await report()
    expect(
      value.applications[0]!.objects.map((object) => [object.key.name, object.remark]),
    ).toEqual([
      ['a', 'pruned by the automated sync'],
      ['b', 'stays in the cluster: Prune=false'],
    ])
  })

  it('sorts objects by wave', async () => {
    const wave = (name: string, value: number): string =>
      configMap(name).replace(
        `{name: ${name}}`,
        `{name: ${name}, annotations: {argocd.argoproj.io/sync-wave: "${value}"}}`,
      )
    repository.write({
      'web/x.yaml': [wave('late', 5), wave('early', -3), wave('none', 0)].join('---\n'),
    })
    const { value } = await report()
    expect(value.applications[0]!.objects.map((object) => [object.key.name, object.wave])).toEqual([
      ['early', -3],
      ['none', 0],
      ['late', 5],
    ])
  })

  it('leaves an Application pinned to a tag alone', async () => {
    repository.git('tag', 'v1')
    repository.write({
      'apps/web.yaml': application('web', 'web').replace(
        'targetRevision: main',
        'targetRevision: v1',
      ),
    })
    repository.commit('pin')
    repository.git('branch', '--force', 'main', 'HEAD')
    repository.write({ 'web/a.yaml': configMap('a', { a: '2' }) })
    expect((await report()).code).toBe(0)
  })

  it('prints no value of a Secret, only the names of its keys', async () => {
    const secret = (password: string): string =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"p":"${password}"}}'}\nstringData: {p: ${password}, user: same}\ndata: {q: ${Buffer.from(password).toString('base64')}}\n`
    repository.write({ 'web/s.yaml': secret('old-secret-value') })
    repository.commit('secret')
    repository.git('branch', '--force', 'main', 'HEAD')
    repository.write({
      'web/s.yaml': secret('new-secret-value'),
      'db/new.yaml': secret('third-secret-value'),
    })
    for (const format of ['text', 'markdown', 'json']) {
      const { out, err } = await repository.litecd('diff', '-o', format)
      for (const value of ['old-secret-value', 'new-secret-value', 'third-secret-value']) {
        expect(out + err).not.toContain(value)
        expect(out + err).not.toContain(Buffer.from(value).toString('base64'))
      }
      expect(out).toContain('p')
    }
    const { value } = await report()
    const web = value.applications.find((app) => app.name === 'web')!
    expect(web.objects[0]!.secretKeys).toEqual([
      { key: 'p', change: 'modify' },
      { key: 'q', change: 'modify' },
    ])
  })
})

describe('what is broken', () => {
  it.each([
    [
      'broken YAML',
      { 'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [}\n' },
      'YAML_INVALID',
      'web/a.yaml',
      3,
    ],
    [
      'a manifest without kind',
      { 'web/b.yaml': `${configMap('ok')}---\napiVersion: v1\nmetadata: {name: x}\n` },
      'MANIFEST_INVALID',
      'web/b.yaml',
      6,
    ],
    [
      'a link out of the repository',
      { 'web/l.yaml': { link: '../../outside.yaml' } },
      'SOURCE_UNSAFE',
      'web/l.yaml',
      undefined,
    ],
  ])(
    '%s: code, file and line, and the others are unaffected',
    async (_what, files, errorCode, path, line) => {
      repository.write({ ...files, 'db/a.yaml': configMap('a', { a: '2' }) })
      const { code, value } = await report()
      expect(code).toBe(3)
      const web = value.applications.find((app) => app.name === 'web')!
      expect(web.failure?.error.code).toBe(errorCode)
      expect(web.failure?.error.position?.path).toBe(path)
      expect(web.failure?.error.position?.line).toBe(line)
      expect(web.failure?.error.hint).toBeTruthy()
      if (errorCode !== 'SOURCE_UNSAFE') {
        expect(value.applications.find((app) => app.name === 'db')?.change).toBe('changed')
      }
    },
  )

  it('a missing path', async () => {
    repository.write({ 'apps/web.yaml': application('web', 'nowhere') })
    const { code, value } = await report()
    expect(code).toBe(3)
    expect(value.applications[0]!.failure?.error.code).toBe('SOURCE_NOT_FOUND')
  })

  it('two objects with the same key: the last wins, and that is said', async () => {
    repository.write({ 'web/z.yaml': configMap('a', { a: '2' }) })
    const { out, code } = await repository.litecd('diff')
    expect(code).toBe(1)
    expect(out).toContain('Resource /ConfigMap/web/a appeared 2 times among application resources.')
  })

  it('an unknown field: a note with its place and a guess', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web').replace('targetRevision', 'targetRevison'),
    })
    const { value } = await report()
    expect(value.remarks[0]).toMatchObject({
      code: 'APP_UNKNOWN_FIELD',
      position: { path: 'apps/web.yaml', line: 11, column: 5 },
    })
  })

  it('an Application of a wrong shape: an error with its place', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web').replace(
        '  project: default',
        '  project: [default]',
      ),
    })
    const { code, value } = await report()
    expect(code).toBe(3)
    expect(value.problems[0]).toMatchObject({
      code: 'APP_INVALID',
      position: { path: 'apps/web.yaml', line: 7 },
    })
  })

  it('an Application that was of a wrong shape before: a note, and no verdict on the change', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web').replace(
        '  project: default',
        '  project: [default]',
      ),
    })
    repository.commit('broken')
    repository.git('branch', '--force', 'main')
    const still = application('web', 'web').replace('  project: default', '  project: [other]')
    repository.write({ 'apps/web.yaml': `# a line more\n${still}` })
    const { code, value } = await report()
    expect({ code, problems: value.problems }).toEqual({ code: 0, problems: [] })
    expect(value.remarks[0]).toMatchObject({
      code: 'APP_INVALID',
      message: expect.stringMatching(/^also before this change: /),
      position: { path: 'apps/web.yaml', line: 8 },
    })
    repository.write({ 'db/a.yaml': configMap('a', { a: '2' }) })
    expect((await report()).code).toBe(1)
  })

  it('several sources that cannot be fetched: not blamed on what else changed', async () => {
    const sources = `  sources:
    - repoURL: https://127.0.0.1:1/x.git
      path: a
    - repoURL: ${repoUrl}
      path: web
      targetRevision: main
`
    const several = application('web', 'web').replace(/ {2}source:\n( {4}.*\n)+/, sources)
    repository.write({ 'apps/web.yaml': several })
    repository.commit('several')
    repository.git('branch', '--force', 'main')
    repository.write({ 'web/a.yaml': configMap('a', { a: '2' }) })
    const { code, value } = await report('--offline')
    expect(code).toBe(3)
    expect(value.applications[0]?.reasons).toEqual([
      'it cannot be rendered at the base, so whether the change reaches it is not known',
    ])
  })

  it('a repository that cannot be reached', async () => {
    repository.write({
      'apps/web.yaml': application('web', 'web').replace('git.example.com', '127.0.0.1:1'),
    })
    const { code, value } = await report('--offline')
    expect(code).toBe(3)
    expect(value.applications[0]!.failure?.error.code).toBe('SOURCE_UNREACHABLE')
  })

  it('an Application that is defined twice', async () => {
    repository.write({ 'other/web.yaml': application('web', 'db') })
    const { value } = await report()
    expect(value.remarks[0]).toMatchObject({
      code: 'APP_DUPLICATE',
      position: { path: 'other/web.yaml' },
    })
  })
})

describe('usage', () => {
  it.each([
    [['diff', '--nonsense'], /Unknown option '--nonsense'/],
    [['diff', '-o', 'xml'], /--output must be one of text, markdown, json/],
    [['diff', '--base', 'no-such-branch'], /WORKSPACE_INVALID/],
    [['frobnicate'], /unknown command "frobnicate"/],
    [[], /Usage: litecd COMMAND/],
  ])('%j exits with 2', async (argv, message) => {
    const { code, err } = await repository.litecd(...argv)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('outside of a repository exits with 2', async () => {
    const { code, err } = await repository.litecd('diff', '/')
    expect(code).toBe(2)
    expect(err).toContain('is not inside a git repository')
  })

  it('colours only where asked', async () => {
    repository.write({ 'web/a.yaml': configMap('a', { a: '2' }) })
    expect((await repository.litecd('diff')).out).not.toContain('\u001b[')
    expect((await repository.litecd('diff', '--color', 'always')).out).toContain('\u001b[')
  })

  it('makes control characters of a repository harmless', async () => {
    repository.write({ 'web/a.yaml': configMap('a', { a: 'x\u001b[31my' }) })
    expect((await repository.litecd('diff')).out).toContain('x\\u001b[31my')
  })
})

describe('Applications that come and go', () => {
  const set = (elements: readonly string[], more = ''): string =>
    `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: many, namespace: argocd}
spec:${more}
  generators:
    - list: {elements: [${elements.map((name) => `{name: ${name}}`).join(', ')}]}
  template:
    metadata: {name: '{{name}}'}
    spec:
      project: default
      source: {repoURL: ${repoUrl}, path: data, targetRevision: main}
      destination: {server: 'https://kubernetes.default.svc', namespace: '{{name}}'}
`
  const claim =
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n'

  beforeEach(() => {
    repository.write({
      'sets/many.yaml': set(['one', 'two']),
      'data/a.yaml': configMap('a'),
      'data/claim.yaml': claim,
    })
    repository.commit('sets')
    repository.git('branch', '--force', 'main')
  })

  it('are told in one line, with what goes with them', async () => {
    repository.write({ 'sets/many.yaml': set(['one', 'three', 'four']) })
    const line =
      'This change adds 2 Applications, deletes 1 (and with it 2 objects, one PersistentVolumeClaim among them).'
    const warning =
      'Application two is deleted, and 2 objects with it (1 PersistentVolumeClaim): ApplicationSet/many makes it no more'
    const { out } = await repository.litecd('diff')
    const [, , third, fourth] = out.split('\n')
    expect(third).toBe(line)
    expect(fourth).toBe(`! ${warning}`)
    const markdown = await repository.litecd('diff', '-o', 'markdown')
    expect(markdown.out).toContain(`\n${line}\n\n- ⚠️ **${warning}**\n`)
    const { value } = await report()
    expect(value).toMatchObject({
      warnings: [warning],
      turnover: {
        added: 2,
        departures: [
          { name: 'two', certain: true, objects: 2, weighty: { PersistentVolumeClaim: 1 } },
        ],
      },
    })
  })

  it('warn first of a set that makes none any more', async () => {
    repository.write({ 'sets/many.yaml': set([]) })
    const { out } = await repository.litecd('diff')
    const lines = out.split('\n')
    expect(lines[2]).toMatch(/^This change deletes 2 Applications \(and with them 4 objects/)
    expect(lines[3]).toMatch(/^! ApplicationSet\/many made 2 Applications and makes none now/)
    expect(out.match(/makes none now/g)).toHaveLength(1)
  })

  it('do not warn where their objects stay', async () => {
    const preserve = '\n  syncPolicy: {preserveResourcesOnDeletion: true}'
    repository.write({ 'sets/many.yaml': set(['one', 'two'], preserve) })
    repository.commit('preserve')
    repository.git('branch', '--force', 'main')
    repository.write({ 'sets/many.yaml': set(['one'], preserve) })
    const { value } = await report()
    expect(value).toMatchObject({ warnings: [], turnover: { departures: [{ objects: 0 }] } })
    const { out } = await repository.litecd('diff')
    expect(out).toContain('This change deletes 1 Application (its objects stay).')
  })

  it('say so where only a denial permits them', async () => {
    repository.write({
      'projects/team.yaml': `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team, namespace: argocd}
spec:
  sourceRepos: ['*']
  destinations: [{server: '*', namespace: '!kube-system'}]
`,
      'apps/web.yaml': application('web', 'web').replace('project: default', 'project: team'),
    })
    const { value } = await report()
    expect(value.remarks.map(({ code }) => code)).toContain('PROJECT_LOOSE')
    const strict = await report('--strict-project-denies')
    expect(strict.value.remarks.map(({ code }) => code)).not.toContain('PROJECT_LOOSE')
    const { out } = await repository.litecd('diff', '--strict-project-denies')
    expect(out).toContain("do not match any of the allowed destinations in project 'team'")
  })
})
