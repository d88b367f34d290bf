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
