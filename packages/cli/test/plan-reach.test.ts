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
    'apps/broken.yaml': application('broken', 'broken'),
    'apps/nowhere.yaml': application('nowhere', 'nowhere'),
    'apps/far.yaml': application('far', 'far').replace(repoUrl, 'https://elsewhere.example.com/x'),
    'web/a.yaml': configMap('a'),
    'broken/a.yaml': 'kind: [\n',
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})
afterEach(() => repository.remove())

const planned = async (): Promise<string[]> => {
  const { out } = await repository.litecd('plan', '--offline', '-o', 'json')
  const { applications } = JSON.parse(out) as { applications: { name: string }[] }
  return applications.map(({ name }) => name)
}

describe('a plan against the base', () => {
  it('leaves out what failed before where the change does not touch it', async () => {
    repository.write({ 'web/b.yaml': configMap('b') })
    expect(await planned()).toEqual(['web'])
  })

  it('shows what fails as before where the change touches it', async () => {
    repository.write({ 'broken/b.yaml': configMap('b'), 'broken/a.yaml': 'kind: {\n' })
    expect(await planned()).toEqual(['broken'])
  })

  it('says what could be done about a failure', async () => {
    repository.write({
      'apps/far2.yaml': application('far2', 'x').replace(repoUrl, 'https://far.example.com/x'),
    })
    const { out } = await repository.litecd('plan', '--offline')
    expect(out).toContain('\n  Leave out --offline, or name this checkout with --repo')
  })

  it('tells that no Application sees this repository', async () => {
    repository.git('remote', 'set-url', 'origin', 'https://other.example.com/x')
    const { out } = await repository.litecd('plan', '--offline')
    expect(out).toContain('note: no Application has its source in this repository')
    expect(out).toContain('say so with --repo URL')
  })
})
