import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { application, configMap, type TestRepository, testRepository } from './repository.ts'

let repository: TestRepository

const project = (name: string, spec: object, labels: object = {}): string =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: 'argocd', labels },
    spec,
  })
const open = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*' }],
}
const inTeam = (name: string): string =>
  application(name, name).replace('project: default', 'project: team')
const notWeb = { ...open, destinations: [{ server: '*', namespace: 'db' }] }
const settings = (globalProjects: object[]): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm' },
    data: { globalProjects: JSON.stringify(globalProjects) },
  })

beforeEach(() => {
  repository = testRepository()
  repository.write({
    'apps/web.yaml': inTeam('web'),
    'apps/db.yaml': inTeam('db'),
    'apps/other.yaml': application('other', 'web'),
    'web/a.yaml': configMap('a'),
    'db/a.yaml': configMap('a'),
    'projects/team.json': project('team', open, { kind: 'team' }),
    'projects/rules.json': project('rules', {
      namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }],
    }),
  })
  repository.commit('start')
  repository.git('checkout', '--quiet', '-b', 'change')
})

afterEach(() => repository.remove())

const run = (...argv: string[]) => repository.litecd('project', 'can-deploy', ...argv)

interface JsonReport {
  summary: object
  applications: {
    application: string
    change: string
    after: { conditions: object[]; refused: object[]; loose: string[]; blocked?: string }
  }[]
  remarks: { code: string; message: string }[]
}

async function report(...argv: string[]): Promise<{ code: number; value: JsonReport }> {
  const { code, out, err } = await run('-o', 'json', ...argv)
  if (out === '') throw new Error(err)
  return { code, value: JSON.parse(out) as JsonReport }
}
const verdicts = ({ applications }: JsonReport): readonly string[] =>
  applications.map(({ application: id, change }) => `${id} ${change}`)

describe('litecd project can-deploy', () => {
  it('says that nothing changes', async () => {
    const { code, out } = await run()
    expect(out).toContain('No verdict changes; 3 permitted as before.')
    expect(code).toBe(0)
  })

  it('tells whom a change forbids, and why', async () => {
    repository.write({ 'projects/team.json': project('team', notWeb) })
    const { code, out } = await run()
    expect(out).toContain('1 Application becomes forbidden; 2 permitted as before.')
    expect(out).toContain(`- argocd/web  forbidden · project team
    InvalidSpecError: application destination server 'https://kubernetes.default.svc' and namespace 'web' do not match any of the allowed destinations in project 'team'
    /ConfigMap/web/a: namespace web is not permitted in project 'team'`)
    expect(code).toBe(1)
  })

  it('tells whom a change allows again', async () => {
    repository.write({ 'projects/team.json': project('team', notWeb) })
    repository.commit('narrow')
    repository.git('branch', '--force', 'main')
    const still = await run('--all')
    expect(still.out).toContain('No verdict changes; 1 forbidden as before, 2 permitted as before.')
    expect(still.out).toContain('argocd/web  forbidden as before · project team')
    expect(still.code).toBe(0)
    repository.write({ 'projects/team.json': project('team', open) })
    const { code, out } = await run()
    expect(out).toContain('1 Application becomes allowed')
    expect(out).toContain('+ argocd/web  allowed again')
    expect(code).toBe(1)
  })

  it('judges what Applications render to when lists of kinds change', async () => {
    const narrow = { ...open, namespaceResourceWhitelist: [{ group: 'apps', kind: '*' }] }
    repository.write({ 'projects/team.json': project('team', narrow) })
    const { value } = await report()
    expect(verdicts(value)).toEqual([
      'argocd/db forbidden',
      'argocd/other same',
      'argocd/web forbidden',
    ])
    expect(value.applications[2]?.after.refused).toEqual([
      {
        object: '/ConfigMap/web/a',
        message: 'resource :ConfigMap is not permitted in project team',
      },
    ])
  })

  it('follows global projects of argocd-cm', async () => {
    const global = {
      labelSelector: { matchLabels: { kind: 'team' } },
      projectName: 'rules',
    }
    repository.write({ 'argocd/cm.json': settings([global]) })
    const { value } = await report()
    expect(verdicts(value)).toEqual([
      'argocd/db forbidden',
      'argocd/other same',
      'argocd/web forbidden',
    ])
  })

  it('tries files in place of what the head has', async () => {
    repository.write({ 'projects/team.json': project('team', notWeb) })
    repository.write({ 'try.json.txt': project('team', { ...open, sourceRepos: [] }) })
    const { code, out } = await run('-f', `${repository.folder}/try.json.txt`)
    expect(out).toContain(
      '1 Application becomes forbidden, 1 Application forbidden for other reasons',
    )
    expect(out).toContain(
      '- argocd/db  forbidden · project team\n    InvalidSpecError: application repo',
    )
    expect(code).toBe(1)
  })

  it('tells of a project that goes, and of one that nobody knows', async () => {
    repository.write({ 'projects/team.json': null })
    repository.write({
      'apps/lost.yaml': application('lost', 'web').replace('project: default', 'project: nowhere'),
    })
    const { value } = await report()
    expect(verdicts(value)).toEqual([
      'argocd/db forbidden',
      'argocd/other same',
      'argocd/web forbidden',
    ])
    expect(value.applications[0]?.after.conditions).toEqual([
      {
        type: 'InvalidSpecError',
        message: 'Application referencing project team which does not exist',
      },
    ])
    expect(value.remarks).toContainEqual({
      code: 'PROJECT_UNKNOWN',
      message: 'not judged: argocd/lost: AppProject nowhere is not in this repository',
    })
  })

  it('warns where only a denial permits, and is strict where asked to', async () => {
    const denials = { ...open, destinations: [{ server: '*', namespace: '!kube-system' }] }
    repository.write({ 'projects/team.json': project('team', denials) })
    const { code, value } = await report()
    expect(code).toBe(0)
    expect(value.remarks.map(({ code: one }) => one)).toEqual(['PROJECT_LOOSE', 'PROJECT_LOOSE'])
    const strict = await report('--strict-project-denies')
    expect(strict.code).toBe(1)
    expect(verdicts(strict.value)).toEqual([
      'argocd/db forbidden',
      'argocd/other same',
      'argocd/web forbidden',
    ])
    expect(strict.value.remarks).toEqual([])
  })

  it('judges sync windows at a time', async () => {
    const windows = [
      { kind: 'deny', schedule: '0 22 * * *', duration: '2h', applications: ['web'] },
    ]
    repository.write({ 'projects/team.json': project('team', { ...open, syncWindows: windows }) })
    expect((await report()).code).toBe(0)
    expect((await report('--at', '2030-01-01T12:00:00Z')).code).toBe(0)
    const { code, value } = await report('--at', '2030-01-01T23:00:00Z')
    expect(code).toBe(1)
    expect(verdicts(value)).toContain('argocd/web forbidden')
  })

  it('refuses what it does not understand', async () => {
    for (const argv of [
      ['-f', 'x', '--base', 'main'],
      ['-f', 'missing.yaml'],
      ['--at', 'never'],
      ['--nonsense'],
    ]) {
      expect((await run(...argv)).code).toBe(2)
    }
    expect((await repository.litecd('project', 'x')).code).toBe(2)
    const help = await repository.litecd('project', 'can-deploy', '--help')
    expect(help.code).toBe(0)
    expect(help.out).toContain('--strict-project-denies')
  })

  it('judges one Application', async () => {
    repository.write({ 'projects/team.json': project('team', { ...open, sourceRepos: [] }) })
    const { value } = await report('--app', 'web')
    expect(verdicts(value)).toEqual(['argocd/web forbidden'])
  })
})
