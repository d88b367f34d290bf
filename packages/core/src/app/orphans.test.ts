import { describe, expect, it } from 'vitest'
import type { LiveRoot } from '../adapters/index.ts'
import type { AppProject } from '../argo/index.ts'
import { keyOf, type Manifest, nameOf } from '../kube/index.ts'
import { orphansOf } from './orphans.ts'

const object = (apiVersion: string, kind: string, name: string, namespace = 'web'): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
})
const role = object('rbac.authorization.k8s.io/v1', 'Role', 'stray')
const set = object('apps/v1', 'ReplicaSet', 'old')
const pod = object('v1', 'Pod', 'old-1')

const project = (spec: AppProject['spec']): AppProject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'p' },
  spec,
})

async function namesOf(
  spec: AppProject['spec'],
  roots: readonly (Manifest | LiveRoot)[],
  managed: readonly Manifest[] = [],
): Promise<readonly string[]> {
  const found = await orphansOf(
    {
      project: project(spec),
      namespace: 'web',
      managed: managed.map(keyOf),
      isKnown: (instance) => instance === 'other',
    },
    {
      topLevel: async () =>
        roots.map((one) =>
          'manifest' in one ? (one as LiveRoot) : { manifest: one, instance: undefined },
        ),
      descendants: async (above) => (above.includes(set) ? [pod] : []),
    },
  )
  return found.map(nameOf)
}

describe('orphaned resources', () => {
  it('are looked for only when the project asks', async () => {
    expect(await namesOf({}, [role])).toEqual([])
    expect(await namesOf({ orphanedResources: {} }, [role])).toEqual(['stray'])
  })

  it('leave out what is managed, by this Application or another that exists', async () => {
    const roots = [
      object('v1', 'ConfigMap', 'mine'),
      { manifest: object('v1', 'ConfigMap', 'theirs'), instance: 'other' },
      { manifest: object('v1', 'ConfigMap', 'of-one-that-is-gone'), instance: 'gone' },
    ]
    expect(
      await namesOf({ orphanedResources: {} }, roots, [object('v1', 'ConfigMap', 'mine')]),
    ).toEqual(['of-one-that-is-gone'])
  })

  it('leave out what every namespace has', async () => {
    const roots = [
      object('v1', 'ServiceAccount', 'default'),
      object('v1', 'ConfigMap', 'kube-root-ca.crt'),
      object('v1', 'Service', 'kubernetes', 'default'),
      object('v1', 'Service', 'kubernetes'),
    ]
    expect(await namesOf({ orphanedResources: {} }, roots)).toEqual(['kubernetes'])
  })

  it('take an absent group of an ignore entry for the core group, an absent kind or name for any', async () => {
    const roots = [object('v1', 'ConfigMap', 'stray-1'), role]
    const ignoring = (...ignore: { group?: string; kind?: string; name?: string }[]) =>
      namesOf({ orphanedResources: { ignore } }, roots)
    expect(await ignoring({ kind: 'Role' })).toEqual(['stray-1', 'stray'])
    expect(await ignoring({ name: 'stray*' })).toEqual(['stray'])
    expect(await ignoring({ group: 'rbac*' })).toEqual(['stray-1'])
    expect(await ignoring({ group: '*' })).toEqual([])
  })

  it('count what is below them, and only kinds that the project permits', async () => {
    expect(await namesOf({ orphanedResources: {} }, [set])).toEqual(['old', 'old-1'])
    const namespaceResourceBlacklist = [{ group: '', kind: 'Pod' }]
    expect(await namesOf({ orphanedResources: {}, namespaceResourceBlacklist }, [set])).toEqual([
      'old',
    ])
  })
})
