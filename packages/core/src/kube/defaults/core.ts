import type { Json, JsonObject } from '../../json/index.ts'
import {
  emptyRule,
  inField,
  inItems,
  isEmpty,
  nilRule,
  objectAt,
  type Rule,
  whenEmpty,
  whenNil,
} from './fill.ts'

const service: Rule = (object) => {
  const result = inField(object, 'spec', (given) => {
    let spec = whenEmpty(given, { sessionAffinity: 'None', type: 'ClusterIP' })
    spec = sessionAffinity(spec)
    spec = inItems(spec, 'ports', servicePort)
    const type = spec['type'] as string
    const isOutside = type === 'LoadBalancer' || type === 'NodePort'
    if (isOutside || (type === 'ClusterIP' && !isEmpty(spec['externalIPs']))) {
      spec = whenEmpty(spec, { externalTrafficPolicy: 'Cluster' })
    }
    if (isOutside || type === 'ClusterIP')
      spec = whenNil(spec, { internalTrafficPolicy: 'Cluster' })
    if (type === 'LoadBalancer') spec = whenNil(spec, { allocateLoadBalancerNodePorts: true })
    return spec
  })
  if (objectAt(result, 'spec')?.['type'] !== 'LoadBalancer') return result
  return inField(result, 'status', (status) =>
    inField(status, 'loadBalancer', (balancer) =>
      inItems(balancer, 'ingress', (ingress) =>
        isEmpty(ingress['ip']) ? ingress : whenNil(ingress, { ipMode: 'VIP' }),
      ),
    ),
  )
}

function sessionAffinity(spec: JsonObject): JsonObject {
  const config = objectAt(spec, 'sessionAffinityConfig')
  if (spec['sessionAffinity'] === 'None' && config !== undefined) {
    const { sessionAffinityConfig: _, ...rest } = spec
    return rest
  }
  if (spec['sessionAffinity'] !== 'ClientIP') return spec
  const timeout = objectAt(config ?? {}, 'clientIP')?.['timeoutSeconds']
  if (timeout !== undefined && timeout !== null) return spec
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } }
}

function servicePort(given: JsonObject): JsonObject {
  const port = whenEmpty(given, { protocol: 'TCP' })
  const number = (port['port'] as Json | undefined) ?? 0
  return isEmpty(port['targetPort']) && port['targetPort'] !== number
    ? { ...port, targetPort: number }
    : port
}

const replicationController: Rule = (object) => {
  const spec = objectAt(object, 'spec') ?? {}
  const labels = templateLabels(spec)
  const selector = (inner: JsonObject): JsonObject =>
    labels === undefined || hasEntries(inner['selector']) || !hasEntries(labels)
      ? inner
      : { ...inner, selector: labels }
  return inField(labelsFromTemplate(object), 'spec', (inner) =>
    whenNil(selector(inner), { replicas: 1 }),
  )
}

/** Labels of the pod template; undefined when there are none. */
export function templateLabels(spec: JsonObject): JsonObject | undefined {
  const template = objectAt(spec, 'template')
  return template && objectAt(objectAt(template, 'metadata') ?? {}, 'labels')
}

/** The object's own labels, when it has none, are those of its pod template. */
export function labelsFromTemplate(object: JsonObject): JsonObject {
  const labels = templateLabels(objectAt(object, 'spec') ?? {})
  if (labels === undefined || !hasEntries(labels)) return object
  return inField(object, 'metadata', (metadata) =>
    hasEntries(metadata['labels']) ? metadata : { ...metadata, labels },
  )
}

export function hasEntries(map: Json | undefined): boolean {
  return typeof map === 'object' && map !== null && Object.keys(map).length > 0
}

const namespace: Rule = (object) => {
  const name = objectAt(object, 'metadata')?.['name']
  if (isEmpty(name)) return object
  return inField(object, 'metadata', (metadata) =>
    inField(metadata, 'labels', (labels) =>
      labels['kubernetes.io/metadata.name'] === name
        ? labels
        : { ...labels, 'kubernetes.io/metadata.name': name as string },
    ),
  )
}

const persistentVolume: Rule = (object) => {
  const result = inField(object, 'status', (status) => whenEmpty(status, { phase: 'Pending' }))
  return inField(result, 'spec', (spec) =>
    whenNil(whenEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' }), {
      volumeMode: 'Filesystem',
    }),
  )
}

const nodeStatus: Rule = (status) => {
  const capacity = objectAt(status, 'capacity')
  return capacity === undefined || !isEmptyMap(status['allocatable'])
    ? status
    : { ...status, allocatable: capacity }
}

function isEmptyMap(value: Json | undefined): boolean {
  return value === undefined || value === null
}

const limitRangeItem: Rule = (item) => {
  if (item['type'] !== 'Container') return item
  const limits = { ...objectAt(item, 'max'), ...objectAt(item, 'default') }
  const requests = { ...objectAt(item, 'min'), ...limits, ...objectAt(item, 'defaultRequest') }
  let result = item
  for (const [key, map] of [
    ['default', limits],
    ['defaultRequest', requests],
  ] as const) {
    const before = Object.keys(objectAt(item, key) ?? {}).length
    if (Object.keys(map).length > before) result = { ...result, [key]: map }
  }
  return result
}

export const coreRules: { readonly [struct: string]: Rule } = {
  'core/v1.Service': service,
  'core/v1.ReplicationController': replicationController,
  'core/v1.Secret': emptyRule({ type: 'Opaque' }),
  'core/v1.Namespace': namespace,
  'core/v1.NamespaceStatus': emptyRule({ phase: 'Active' }),
  'core/v1.PersistentVolume': persistentVolume,
  'core/v1.PersistentVolumeClaim': (object) =>
    inField(object, 'status', (status) => whenEmpty(status, { phase: 'Pending' })),
  'core/v1.EndpointPort': emptyRule({ protocol: 'TCP' }),
  'core/v1.NodeStatus': nodeStatus,
  'core/v1.LimitRangeItem': limitRangeItem,
  'discovery/v1.EndpointPort': nilRule({ name: '', protocol: 'TCP' }),
  'discovery/v1beta1.EndpointPort': nilRule({ name: '', protocol: 'TCP' }),
}
