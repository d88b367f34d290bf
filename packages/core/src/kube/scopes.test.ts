import { describe, expect, it } from 'vitest'
import { scopeOfBuiltIn } from './scopes.ts'

describe('scopeOfBuiltIn', () => {
  it.each([
    ['', 'Pod', 'Namespaced'],
    ['', 'Namespace', 'Cluster'],
    ['', 'Node', 'Cluster'],
    ['', 'PersistentVolume', 'Cluster'],
    ['', 'PersistentVolumeClaim', 'Namespaced'],
    ['apps', 'Deployment', 'Namespaced'],
    ['authorization.k8s.io', 'LocalSubjectAccessReview', 'Namespaced'],
    ['authorization.k8s.io', 'SubjectAccessReview', 'Cluster'],
    ['rbac.authorization.k8s.io', 'ClusterRole', 'Cluster'],
    ['rbac.authorization.k8s.io', 'Role', 'Namespaced'],
    ['storage.k8s.io', 'CSIStorageCapacity', 'Namespaced'],
    ['storage.k8s.io', 'StorageClass', 'Cluster'],
    ['networking.k8s.io', 'IngressClass', 'Cluster'],
    ['networking.k8s.io', 'IPAddress', 'Cluster'],
    ['apiextensions.k8s.io', 'CustomResourceDefinition', 'Cluster'],
    ['apiregistration.k8s.io', 'APIService', 'Cluster'],
  ])('%s/%s is %s', (group, kind, scope) => {
    expect(scopeOfBuiltIn({ group, kind })).toBe(scope)
  })

  it.each([
    ['example.com', 'Deployment'],
    ['', 'Deployment'],
    ['', 'toString'],
    ['argoproj.io', 'Application'],
  ])('does not know %s/%s', (group, kind) => {
    expect(scopeOfBuiltIn({ group, kind })).toBeUndefined()
  })
})
