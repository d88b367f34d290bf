import { describe, expect, it } from 'vitest'
import {
  type Application,
  type AppProject,
  type AppProjectSpec,
  defaultSettings,
} from '../argo/index.ts'
import type { JsonObject } from '../json/index.ts'
import { validateApplication } from './validate.ts'

const server = 'https://kubernetes.default.svc'
const clusters = [
  { server, name: 'in-cluster' },
  { server: 'https://one', name: 'twin' },
  { server: 'https://two', name: 'twin' },
]
const all: AppProjectSpec = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
}
const unverified = { ...defaultSettings, verifiesCommits: false }
const project = (spec: AppProjectSpec = all): AppProject =>
  ({ metadata: { name: 'p' }, spec }) as AppProject
const app = (spec: JsonObject, metadata: JsonObject = {}): Application =>
  ({
    metadata: { name: 'a', namespace: 'argocd', ...metadata },
    spec: {
      project: 'p',
      source: { repoURL: 'https://x/y', path: 'a' },
      destination: { server, namespace: 'web' },
      ...spec,
    },
  }) as unknown as Application
const told = (
  of: Application,
  by: AppProject | undefined = project(),
  settings = unverified,
): readonly string[] =>
  validateApplication(of, by, clusters, settings).map(({ type, message }) => `${type}: ${message}`)

describe('validateApplication', () => {
  // what Argo CD v3.5.1 TestValidatePermissions and its neighbours expect, in our words
  it.each<[string, JsonObject, AppProjectSpec, string[]]>([
    ['all is well', {}, all, []],
    [
      'no source',
      { source: {} },
      all,
      [
        'InvalidSpecError: spec.source.repoURL and either spec.source.path or spec.source.chart are required',
      ],
    ],
    [
      'neither path nor chart',
      { source: { repoURL: 'https://x/y' } },
      all,
      [
        'InvalidSpecError: spec.source.repoURL and either spec.source.path or spec.source.chart are required',
      ],
    ],
    [
      'a chart without a revision',
      { source: { repoURL: 'https://x/y', chart: 'c' } },
      all,
      [
        'InvalidSpecError: spec.source.targetRevision is required if the manifest source is a helm chart',
      ],
    ],
    [
      'a repository that is not permitted',
      {},
      { ...all, sourceRepos: ['https://z/*'] },
      ["InvalidSpecError: application repo https://x/y is not permitted in project 'p'"],
    ],
    [
      'a destination that is not permitted, by server',
      {},
      { ...all, destinations: [] },
      [
        `InvalidSpecError: application destination server '${server}' and namespace 'web' do not match any of the allowed destinations in project 'p'`,
      ],
    ],
    [
      'a destination that is not permitted, by name',
      { destination: { name: 'in-cluster', namespace: 'web' } },
      { ...all, destinations: [{ server: 'https://other', namespace: '*' }] },
      [
        "InvalidSpecError: application destination server 'in-cluster' and namespace 'web' do not match any of the allowed destinations in project 'p'",
      ],
    ],
    [
      'both not permitted',
      {},
      {},
      [
        "InvalidSpecError: application repo https://x/y is not permitted in project 'p'",
        `InvalidSpecError: application destination server '${server}' and namespace 'web' do not match any of the allowed destinations in project 'p'`,
      ],
    ],
    [
      'a cluster that is not there',
      { destination: { name: 'gone', namespace: 'web' } },
      all,
      ['InvalidSpecError: there are no clusters with this name: gone'],
    ],
    [
      'a cluster that is there twice',
      { destination: { name: 'twin', namespace: 'web' } },
      all,
      ['InvalidSpecError: there are 2 clusters with the same name: [https://one https://two]'],
    ],
    [
      'both names of a cluster',
      { destination: { name: 'in-cluster', server, namespace: 'web' } },
      all,
      [
        `InvalidSpecError: application destination can't have both name and server defined: in-cluster ${server}`,
      ],
    ],
    [
      'no cluster at all',
      { destination: { namespace: 'web' } },
      all,
      ['InvalidSpecError: Destination server missing from app spec'],
    ],
    [
      'two sources, one not permitted',
      {
        sources: [
          { repoURL: 'https://x/y', path: 'a' },
          { repoURL: 'https://z/y', path: 'a' },
        ],
      },
      { ...all, sourceRepos: ['https://x/*'] },
      ["InvalidSpecError: application repo https://z/y is not permitted in project 'p'"],
    ],
  ])('%s', (_, spec, permits, want) => {
    expect(told(app(spec), project(permits))).toEqual(want)
  })

  it('names a project that is missing, and a namespace that may not use it', () => {
    const missing = validateApplication(app({}), undefined, clusters, defaultSettings)
    expect(missing).toEqual([
      {
        type: 'InvalidSpecError',
        message: 'Application referencing project p which does not exist',
      },
    ])
    expect(told(app({}, { namespace: 'team' }))).toEqual([
      "UnknownError: application 'a' in namespace 'team' is not permitted to use project 'p'",
    ])
  })
})

describe('signed commits', () => {
  const settings = defaultSettings
  const signed = { ...all, signatureKeys: [{ keyID: 'KEY' }] }

  it('that a project asks for keep a comparison from beginning', () => {
    expect(told(app({}), project(signed), settings)).toEqual([
      "ComparisonError: GIT/GPG: project 'p' asks for signed commits of https://x/y, and to verify them is not supported yet by this version of litecd",
    ])
  })

  it('are asked for git alone, source by source', () => {
    const sources = [
      { repoURL: 'https://x/charts', chart: 'c', targetRevision: '1.0.0' },
      { repoURL: 'oci://x/y', path: '.' },
      { repoURL: 'https://x/y', path: 'a' },
      { repoURL: 'https://x/z', path: 'a', name: 'z' },
    ]
    expect(
      told(app({ sources }), project(signed), settings).map((one) => one.slice(0, 60)),
    ).toEqual([
      "ComparisonError: GIT/GPG: source 3 of 4: project 'p' asks fo",
      "ComparisonError: GIT/GPG: source z: project 'p' asks for sig",
    ])
  })

  it('are not asked for where the installation does not look', () => {
    expect(told(app({}), project(signed))).toEqual([])
  })

  it('cannot be asked for by policies that contradict each other', () => {
    const policy = { repos: [{ url: '*' }], gpg: { mode: 'none' } }
    const spec = { ...all, sourceIntegrity: { git: { policies: [policy, policy] } } }
    expect(told(app({}), project(spec), settings)).toEqual([
      'ComparisonError: GIT/GPG: multiple (2) git source integrity policies found for repo URL: https://x/y',
    ])
  })
})
