import { expect, it } from 'vitest'
import type { Application, AppProject, AppProjectSpec } from '../argo/index.ts'
import { loosePermissions } from './loose.ts'

const server = 'https://kubernetes.default.svc'
const clusters = [{ server, name: 'in-cluster' }]
const app = {
  metadata: { name: 'a' },
  spec: {
    source: { repoURL: 'https://example.com/x', path: 'a' },
    destination: { server, namespace: 'web' },
  },
} as unknown as Application
const project = (spec: AppProjectSpec): AppProject =>
  ({ metadata: { name: 'p' }, spec }) as AppProject
const all = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] }

it.each<[string, AppProjectSpec, string[]]>([
  ['nothing where all is allowed', all, []],
  [
    'nothing where denials only deny',
    {
      sourceRepos: ['*', '!https://y/*'],
      destinations: [...all.destinations, { server: '*', namespace: '!kube-system' }],
    },
    [],
  ],
  ['nothing where it is denied anyway', { sourceRepos: [], destinations: [] }, []],
  [
    'what denials alone permit',
    {
      sourceRepos: ['!https://y/*'],
      destinations: [{ server: '*', namespace: '!kube-system' }],
    },
    [
      "project 'p' permits repo https://example.com/x only because a pattern with ! does not hit it: add one that allows it",
      `project 'p' permits namespace 'web' of ${server} only because a pattern with ! does not hit it: add one that allows it`,
    ],
  ],
])('tells %s', (_, spec, want) => {
  expect(loosePermissions(app, project(spec), clusters)).toEqual(want)
})
