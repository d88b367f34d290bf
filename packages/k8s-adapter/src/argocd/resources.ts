import type { ResourceRef } from '../client/index.ts'

const group = 'argoproj.io'
const version = 'v1alpha1'

/** Applications have no status subresource: status goes with the object. */
export const applications: ResourceRef = {
  group,
  version,
  plural: 'applications',
  namespaced: true,
}
export const appProjects: ResourceRef = { group, version, plural: 'appprojects', namespaced: true }
export const applicationSets: ResourceRef = {
  group,
  version,
  plural: 'applicationsets',
  namespaced: true,
}
