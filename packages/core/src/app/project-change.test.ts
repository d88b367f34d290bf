import { describe, expect, it } from 'vitest'
import {
  type Application,
  type AppProject,
  type AppProjectSpec,
  defaultSettings,
} from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import { judgeProject, type ProjectQuestion, permissionChange } from './project-change.ts'

const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' }
const app = {
  metadata: { name: 'a', namespace: 'argocd' },
  spec: {
    project: 'p',
    source: { repoURL: 'https://x/y', path: 'a' },
    destination: { server: cluster.server, namespace: 'web' },
  },
} as unknown as Application
const all: AppProjectSpec = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
}
const project = (spec: AppProjectSpec): AppProject =>
  ({ metadata: { name: 'p' }, spec }) as AppProject
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', namespace: 'web' },
} as Manifest
const namespaceObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'web' },
} as Manifest
const question: ProjectQuestion = {
  app,
  cluster,
  clusters: [cluster],
  objects: [
    { manifest: deployment, scope: 'Namespaced' },
    { manifest: namespaceObject, scope: 'Cluster' },
    { manifest: { ...deployment, kind: 'Odd' }, scope: undefined },
  ],
  now: Date.UTC(2030, 0, 1, 12, 0, 30),
}
const cluster1 = [{ group: '', kind: 'Namespace' }]
const judge = (spec: AppProjectSpec) => judgeProject(question, project(spec), defaultSettings)

describe('judgeProject', () => {
  it('permits', () => {
    const verdict = judge({ ...all, clusterResourceWhitelist: cluster1 })
    expect(verdict).toEqual({ conditions: [], refused: [], loose: [] })
  })

  it('tells conditions, refused objects, closed windows and loose permissions', () => {
    const verdict = judge({
      sourceRepos: ['!https://z/*'],
      destinations: [{ server: '*', namespace: 'other' }],
      namespaceResourceBlacklist: [{ group: 'apps', kind: 'Deployment' }],
      syncWindows: [{ kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] }],
    })
    expect(verdict.conditions).toEqual([
      {
        type: 'InvalidSpecError',
        message: `application destination server '${cluster.server}' and namespace 'web' do not match any of the allowed destinations in project 'p'`,
      },
    ])
    expect(verdict.refused.map(({ message }) => message)).toEqual([
      'resource apps:Deployment is not permitted in project p',
      'resource :Namespace is not permitted in project p',
    ])
    expect(verdict.blocked).toBe('a sync window keeps automated syncs from beginning now')
    expect(verdict.loose).toHaveLength(1)
  })

  it('tells that there is no project', () => {
    const { conditions } = judgeProject(question, undefined, defaultSettings)
    expect(conditions.map(({ message }) => message)).toEqual([
      'Application referencing project p which does not exist',
    ])
  })

  it('says nothing about objects where the cluster is not known', () => {
    const blind = { ...question, cluster: undefined }
    expect(judgeProject(blind, project(all), defaultSettings).refused).toEqual([])
  })
})

describe('permissionChange', () => {
  const good = judge({ ...all, clusterResourceWhitelist: cluster1 })
  const bad = judge(all)
  const worse = judge({ ...all, sourceRepos: [] })

  it.each([
    ['nothing', good, good, 'same'],
    ['a new Application that is permitted', undefined, good, 'same'],
    ['a new Application that is not', undefined, bad, 'forbidden'],
    ['from good to bad', good, bad, 'forbidden'],
    ['from bad to good', bad, good, 'allowed'],
    ['from bad to worse', bad, worse, 'changed'],
    ['bad all the time', bad, bad, 'still-forbidden'],
  ] as const)('%s', (_, before, after, change) => {
    expect(permissionChange(before, after)).toBe(change)
  })
})
