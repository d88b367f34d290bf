import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { application, configMap, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'apps/web.yaml': application('web', 'web'),
    'web/a.yaml': configMap('a'),
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

describe('litecd diff in odd places', () => {
  it('knows the repository by its https URL in a clone by ssh', async () => {
    repository.git('remote', 'set-url', 'origin', 'git@git.example.com:team/platform.git')
    repository.write({ 'web/b.yaml': configMap('b') })
    const { code, out } = await repository.litecd('diff', '--offline')
    expect(code).toBe(1)
    expect(out).toContain('+ v1 ConfigMap web/b')
  })

  it('says so where no Application is about this repository', async () => {
    repository.git('remote', 'remove', 'origin')
    const { code, out } = await repository.litecd('diff', '--offline')
    expect(code).toBe(0)
    expect(out).toContain('no Application has its source in this repository (it has no remote)')
    expect(out).toContain('--repo URL')
    const told = await repository.litecd(
      ...['diff', '--repo', 'https://git.example.com/team/platform'],
    )
    expect(told.out).not.toContain('no Application has its source')
  })

  it('says so where only a folder was looked at', async () => {
    const { code, out } = await repository.litecd('diff', 'web')
    expect(code).toBe(0)
    expect(out).toContain('only the folder web was looked at')
    expect((await repository.litecd('diff', 'apps')).out).not.toContain('only the folder')
  })

  it('names the flag of the command in a bare repository', async () => {
    repository.git('config', 'core.bare', 'true')
    const { code, err } = await repository.litecd('render')
    expect(code).toBe(2)
    expect(err).toContain('--revision REF')
  })
})

describe('litecd diff and Applications that fail', () => {
  const broken = 'apiVersion: v1\nkind: ConfigMap\nmetadata: [\n'

  it('leaves one alone whose failure the change does not touch', async () => {
    repository.git('checkout', '--quiet', 'main')
    repository.write({
      'apps/web.yaml': application('web', 'gone'),
      'apps/bad.yaml': application('bad', 'bad'),
      'bad/a.yaml': broken,
    })
    repository.commit('break')
    repository.git('checkout', '--quiet', '-B', 'change')
    repository.write({ 'README.md': 'words\n' })
    expect((await repository.litecd('diff')).code).toBe(0)
    repository.write({ 'bad/a.yaml': configMap('a') })
    const mended = await repository.litecd('diff')
    expect(mended.code).toBe(1)
    expect(mended.out).toContain('why: bad/a.yaml changed')
    repository.write({ 'bad/a.yaml': `${broken}x`, 'gone/a.yaml': configMap('a') })
    const both = await repository.litecd('diff')
    expect(both.code).toBe(3)
    expect(both.out).toContain('! bad  cannot be rendered')
    expect(both.out).toContain('~ web')
  })
})

describe('litecd diff and Applications that are deleted', () => {
  it('takes one that could not be rendered for deleted, not for failed', async () => {
    repository.git('checkout', '--quiet', 'main')
    repository.write({ 'apps/web.yaml': application('web', 'gone') })
    repository.commit('break')
    repository.git('checkout', '--quiet', '-B', 'change')
    repository.write({ 'apps/web.yaml': null })
    const { code, out } = await repository.litecd('diff')
    expect(code).toBe(1)
    expect(out).toContain('- web  Application deleted')
    expect(out).toContain('what it has in the cluster is not known here')
    expect((await repository.litecd('diff', '-o', 'markdown')).out).toContain('is not known here')
  })
})

describe('scopes of custom kinds', () => {
  it('are learnt from definitions in the same Application', async () => {
    repository.write({
      'web/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: planets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Planet, plural: planets}
  versions: [{name: v1, served: true, storage: true}]
`,
      'web/planet.yaml': 'apiVersion: example.com/v1\nkind: Planet\nmetadata: {name: mars}\n',
    })
    const { out } = await repository.litecd('diff')
    expect(out).toContain('+ example.com/v1 Planet mars')
  })
})

describe('litecd render', () => {
  it('masks what kubectl applied last to a Secret', async () => {
    repository.write({
      'web/s.yaml': `apiVersion: v1
kind: Secret
metadata:
  name: s
  annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}
Data: {a: hunter2}
`,
    })
    const { code, out } = await repository.litecd('render')
    expect(code).toBe(0)
    expect(out).toContain('kind: Secret')
    expect(out).not.toContain('hunter2')
    expect((await repository.litecd('render', '--show-secrets')).out).toContain('hunter2')
  })
})
