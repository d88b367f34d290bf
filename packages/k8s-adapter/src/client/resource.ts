import { ClusterError } from '@litecd/core/errors'
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

/**
 * `/apis/apps/v1/namespaces/web/deployments/front/status`; without a namespace: the kind across all of them.
 *
 * Throws ClusterError CLUSTER_REFUSED for a name that would lead to another place: an empty one to the whole collection.
 * Source: k8s.io/client-go v0.36.1 rest/request.go Name, k8s.io/apimachinery api/validation/path
 */
export function resourcePath(resource: ResourceRef, place: Place = {}): string {
  if (place.name !== undefined) checkSegment('name', place.name)
  if (place.namespace) checkSegment('namespace', place.namespace)
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

function checkSegment(what: 'name' | 'namespace', text: string): void {
  if (text === '') throw refused(`resource ${what} may not be empty`)
  const wrong = text === '.' || text === '..' ? text : /[/%]/.exec(text)?.[0]
  if (wrong === undefined) return
  const rule = wrong === text ? `may not be '${text}'` : `may not contain '${wrong}'`
  const shown = what === 'name' ? 'resource name' : what
  throw refused(`invalid ${shown} ${JSON.stringify(text)}: [${rule}]`)
}

function refused(message: string): ClusterError {
  return new ClusterError('CLUSTER_REFUSED', message, {
    hint: 'Give the object a name that Kubernetes accepts; quote one that YAML takes for a boolean or a number.',
  })
}
