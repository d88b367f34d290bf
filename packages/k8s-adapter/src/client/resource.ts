import type { GroupKind } from '@litecd/core/kube'

/** A kind as one API server serves it in one version. */
export interface ApiResource extends GroupKind {
  readonly version: string
  /** `deployments`: how it is called in URLs. */
  readonly plural: string
  readonly namespaced: boolean
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, … */
  readonly verbs: readonly string[]
  /** `status`, `scale`, … */
  readonly subresources: readonly string[]
}

/** What a URL needs to know. */
export type ResourceRef = Pick<ApiResource, 'group' | 'version' | 'plural' | 'namespaced'>

function ref(group: string, version: string, plural: string, namespaced: boolean): ResourceRef {
  return { group, version, plural, namespaced }
}

/** Kinds that are asked for by name, without looking them up. */
export const namespaces: ResourceRef = ref('', 'v1', 'namespaces', false)
export const configMaps: ResourceRef = ref('', 'v1', 'configmaps', true)
export const secrets: ResourceRef = ref('', 'v1', 'secrets', true)
export const coreEvents: ResourceRef = ref('', 'v1', 'events', true)
export const crds: ResourceRef = ref(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  false,
)

export interface Place {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
}

/** `/apis/apps/v1/namespaces/web/deployments/front/status`; without a namespace: the kind across all of them. */
export function resourcePath(resource: ResourceRef, place: Place = {}): string {
  const root =
    resource.group === ''
      ? `/api/${resource.version}`
      : `/apis/${resource.group}/${resource.version}`
  const within =
    resource.namespaced && place.namespace
      ? `/namespaces/${encodeURIComponent(place.namespace)}`
      : ''
  const name = place.name === undefined ? '' : `/${encodeURIComponent(place.name)}`
  const sub = place.subresource === undefined ? '' : `/${place.subresource}`
  return `${root}${within}/${resource.plural}${name}${sub}`
}
