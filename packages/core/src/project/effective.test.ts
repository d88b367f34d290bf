import { describe, expect, it } from 'vitest'
import type { AppProject } from '../argo/index.ts'
import { effectiveProject, type ProjectScoped } from './effective.ts'
import { permitsDestination } from './permissions.ts'

const project = (name: string, spec: AppProject['spec'], labels = {}): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name, labels },
  spec,
})
const scoped: ProjectScoped = {
  repositories: [
    { url: 'https://x/a', project: 'team' },
    { url: 'https://x/b', project: 'other' },
  ],
  clusters: [
    { server: 'https://one', name: 'one', project: 'team', namespaces: [] },
    { server: 'https://two', name: 'two', project: 'team', namespaces: ['a', 'b'] },
  ],
}

describe('effectiveProject', () => {
  it('adds what is scoped to the project', () => {
    const { spec } = effectiveProject(
      project('team', { sourceRepos: ['r'] }),
      scoped,
      [],
      () => undefined,
    )
    expect(spec.sourceRepos).toEqual(['r', 'https://x/a'])
    expect(spec.destinations).toEqual([
      { server: 'https://one', namespace: '*' },
      { server: 'https://two', namespace: 'a' },
      { server: 'https://two', namespace: 'b' },
    ])
  })

  it('joins the lists of global projects that select it, and stops at one that is missing', () => {
    const all = project('all', { namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] })
    const globals = [
      { labelSelector: { matchLabels: { a: 'b' } }, projectName: 'all' },
      { labelSelector: {}, projectName: 'gone' },
      { labelSelector: {}, projectName: 'all' },
    ]
    const find = (name: string): AppProject | undefined => (name === 'all' ? all : undefined)
    const none = { repositories: [], clusters: [] }
    const fits = effectiveProject(project('x', {}, { a: 'b' }), none, globals, find)
    expect(fits.spec.namespaceResourceBlacklist).toEqual([{ group: '', kind: 'Secret' }])
    const not = effectiveProject(project('x', {}), none, globals, find)
    expect(not.spec.namespaceResourceBlacklist).toBeUndefined()
  })
})

it('permitOnlyProjectScopedClusters leaves only those, whatever the destinations say', () => {
  const spec = {
    permitOnlyProjectScopedClusters: true,
    destinations: [{ server: '*', namespace: '*' }],
  }
  const team = effectiveProject(project('team', spec), scoped, [], () => undefined)
  const at = (server: string, name: string): boolean =>
    permitsDestination(team, { server, name, namespace: 'a' })
  expect(at('https://one', 'x')).toBe(true)
  expect(at('https://elsewhere', 'two')).toBe(true)
  expect(at('https://three', 'three')).toBe(false)
})

describe('global projects', () => {
  const none = { repositories: [], clusters: [] }
  const exists = (operator: string): object => ({ matchExpressions: [{ key: 'is-x', operator }] })

  // Argo CD v3.5.1 TestGetGlobalProjects
  it.each<[string, object, string[]]>([
    ['with the label', { 'is-x': 'yep' }, ['x']],
    ['without it', {}, ['non-x']],
  ])('are chosen by the labels of the project: %s', (_, labels, want) => {
    const found = (name: string): AppProject => project(name, { sourceRepos: [name] })
    const globals = [
      { projectName: 'x', labelSelector: exists('Exists') },
      { projectName: 'non-x', labelSelector: exists('DoesNotExist') },
    ] as Parameters<typeof effectiveProject>[2]
    expect(
      effectiveProject(project('p', {}, labels), none, globals, found).spec.sourceRepos,
    ).toEqual(want)
  })

  // Argo CD v3.5.1 Test_mergeVirtualProject
  it('add their lists behind those of the project, and nothing else', () => {
    const own: AppProject['spec'] = {
      clusterResourceBlacklist: [{ group: '', kind: 'Namespace' }],
      clusterResourceWhitelist: [{ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }],
      destinationServiceAccounts: [{ server: 'a', namespace: 'a', defaultServiceAccount: 'own' }],
      destinations: [{ server: 'a', namespace: 'a' }],
      namespaceResourceBlacklist: [{ group: '', kind: 'Service' }],
      namespaceResourceWhitelist: [{ group: '', kind: 'Pod' }],
      sourceRepos: ['a'],
      syncWindows: [{ kind: 'allow', schedule: '* * * * *', duration: '24h' }],
      sourceNamespaces: ['a'],
    }
    const all: AppProject['spec'] = {
      clusterResourceBlacklist: [{ group: '*', kind: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      destinationServiceAccounts: [{ server: '*', namespace: '*', defaultServiceAccount: 'all' }],
      destinations: [{ server: '*', namespace: '*' }],
      namespaceResourceBlacklist: [{ group: '*', kind: '*' }],
      namespaceResourceWhitelist: [{ group: '*', kind: '*' }],
      sourceRepos: ['b'],
      syncWindows: [{ kind: 'deny', schedule: '0 0 * * *', duration: '24h' }],
      sourceNamespaces: ['b'],
      orphanedResources: { warn: true },
      permitOnlyProjectScopedClusters: true,
      signatureKeys: [{ keyID: 'K' }],
    }
    const globals = [{ projectName: 'all', labelSelector: {} }]
    const { spec } = effectiveProject(project('p', own), none, globals, () => project('all', all))
    for (const [field, list] of Object.entries(own)) {
      const added = field === 'sourceNamespaces' ? [] : (all as Record<string, unknown[]>)[field]
      expect([field, (spec as Record<string, unknown>)[field]]).toEqual([
        field,
        [...(list as unknown[]), ...(added ?? [])],
      ])
    }
    expect(spec.orphanedResources).toBeUndefined()
    expect(spec.permitOnlyProjectScopedClusters).toBeUndefined()
    expect(spec.signatureKeys).toBeUndefined()
  })

  it('turn all kinds into theirs where the project names none', () => {
    const kinds = { namespaceResourceWhitelist: [{ group: 'apps', kind: 'Deployment' }] }
    const globals = [{ projectName: 'all', labelSelector: {} }]
    const { spec } = effectiveProject(project('p', {}), none, globals, () => project('all', kinds))
    expect(spec.namespaceResourceWhitelist).toEqual(kinds.namespaceResourceWhitelist)
  })

  it('are not added to themselves', () => {
    const globals = [{ projectName: 'all', labelSelector: {} }]
    const all = project('all', { sourceRepos: ['a'] })
    expect(effectiveProject(all, none, globals, () => all).spec.sourceRepos).toEqual(['a'])
  })
})
