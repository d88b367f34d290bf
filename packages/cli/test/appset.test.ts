import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap, repoUrl, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

const set = (generators: string, name = 'team'): string => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: ${name}, namespace: argocd}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators: ${generators}
  template:
    metadata: {name: '${name}-{{ .path.basename }}'}
    spec:
      project: default
      source: {repoURL: '${repoUrl}', path: '{{ .path.path }}', targetRevision: main}
      destination: {server: https://kubernetes.default.svc, namespace: '{{ .path.basename }}'}
`
const folders = `[{git: {repoURL: '${repoUrl}', revision: main, directories: [{path: 'apps/*'}]}}]`
const clusters = set('[{clusters: {}}]', 'everywhere')
  .replaceAll('.path.basename', '.name')
  .replace('{{ .path.path }}', 'apps/a')

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'sets/team.yaml': set(folders),
    'apps/a/x.yaml': configMap('a'),
    'apps/b/x.yaml': configMap('b'),
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

interface Shown {
  readonly applications: readonly {
    readonly name: string
    readonly change: string
    readonly reasons: readonly string[]
    readonly origin: { readonly parents: readonly string[] }
  }[]
  readonly problems: readonly { readonly code: string; readonly message: string }[]
  readonly remarks: readonly {
    readonly code: string
    readonly message: string
    readonly hint?: string
  }[]
}

async function diff(...argv: string[]): Promise<{ code: number; value: Shown }> {
  const { code, out, err } = await repository.litecd('diff', '-o', 'json', ...argv)
  if (out === '') throw new Error(err)
  return { code, value: JSON.parse(out) as Shown }
}

describe('ApplicationSets in litecd diff', () => {
  it('are followed: a new folder is a new Application', async () => {
    repository.write({ 'apps/c/x.yaml': configMap('c') })
    const { code, value } = await diff()
    expect(code).toBe(1)
    expect(value.applications).toMatchObject([
      {
        name: 'team-c',
        change: 'added',
        reasons: ['newly made by ApplicationSet/team: sets/team.yaml'],
        origin: { parents: ['ApplicationSet/team'] },
      },
    ])
    expect(value.problems).toEqual([])
  })

  it('show a change below an Application that they make', async () => {
    repository.write({ 'apps/b/x.yaml': configMap('b', { a: '2' }) })
    const { value } = await diff()
    expect(value.applications.map(({ name, change }) => [name, change])).toEqual([
      ['team-b', 'changed'],
    ])
  })

  it('that make nothing any more are told first', async () => {
    repository.write({ 'sets/team.yaml': set(folders.replace('apps/*', 'app/*')) })
    const { value } = await diff()
    expect(value.remarks[0]).toMatchObject({ code: 'APPSET_EMPTY' })
    expect(value.applications.map(({ change }) => change)).toEqual(['removed', 'removed'])
  })

  it('that fail after the change do not look like a deletion', async () => {
    repository.write({ 'sets/team.yaml': set(folders).replace('.path.path', '.nothing') })
    const { code, value } = await diff()
    expect(code).toBe(3)
    expect(value.applications).toEqual([])
    expect(value.problems[0]).toMatchObject({ code: 'APPSET_FAILED' })
    expect(value.problems[0]!.message).toContain('map has no entry for key "nothing"')
    expect(value.remarks[0]!.message).toContain('2 Applications are not in this report')
  })

  it('say that clusters are not known, and take them from a file', async () => {
    const others = ['one', 'two', 'three'].map((name) => clusters.replaceAll('everywhere', name))
    repository.write({ 'sets/everywhere.yaml': [clusters, ...others].join('---\n') })
    const unknown = await diff()
    expect(unknown.value.remarks).toHaveLength(1)
    expect(unknown.value.remarks[0]!.message).toMatch(/^the Applications of .* and 1 more are not/)
    repository.write({ 'sets/everywhere.yaml': clusters })
    expect(unknown.value.remarks[0]).toMatchObject({
      code: 'RENDER_UNSUPPORTED',
      hint: 'Say which clusters are registered: --clusters FILE.',
    })
    repository.write({
      'clusters.json': '[{"name": "far", "server": "https://far.example.com"}]',
    })
    const { value } = await diff('--clusters', 'clusters.json')
    expect(value.applications.map(({ name }) => name)).toEqual([
      'everywhere-far',
      'everywhere-in-cluster',
    ])
  })

  it('may come out of another Application', async () => {
    repository.write({
      'bootstrap/root.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: root, namespace: argocd}\nspec: {project: default, source: {repoURL: '${repoUrl}', path: nested, targetRevision: main}, destination: {server: https://kubernetes.default.svc, namespace: argocd}}\n`,
      'nested/set.yaml': set(folders, 'inner'),
    })
    const { value } = await diff()
    expect(value.applications.find(({ name }) => name === 'inner-a')?.origin.parents.at(-1)).toBe(
      'ApplicationSet/inner',
    )
  })
})

describe('litecd appset generate', () => {
  it('prints the Applications', async () => {
    const { code, out } = await repository.litecd(
      'appset',
      'generate',
      '-f',
      'sets/team.yaml',
      '-o',
      'json',
    )
    expect(code).toBe(0)
    const { items } = JSON.parse(out) as { items: { metadata: JSON & { name: string } }[] }
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['team-a', 'team-b'])
    expect(items[0]).toMatchObject({
      kind: 'Application',
      metadata: { namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    })
  })

  it('refuses what is no ApplicationSet, and what is no file', async () => {
    for (const file of ['apps/a/x.yaml', 'nothing.yaml']) {
      const { code, err } = await repository.litecd('appset', 'generate', '-f', file)
      expect(code).toBe(2)
      expect(err).toContain(file)
    }
  })

  it('exits with 3 where a set fails', async () => {
    repository.write({ 'sets/team.yaml': set('[{list: {elements: [{a: 1}]}}]') })
    const { code, err } = await repository.litecd('appset', 'generate', '-f', 'sets/team.yaml')
    expect(code).toBe(3)
    expect(err).toContain('map has no entry for key "path"')
  })
})
