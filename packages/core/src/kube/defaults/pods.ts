import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { addQuantities, compareQuantities } from '../quantity.ts'
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
  withField,
} from './fill.ts'
import { imageTag } from './image-tag.ts'

function pullPolicy(image: Json | undefined): string {
  return imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent'
}

const container: Rule = (object) =>
  whenEmpty(object, {
    ...(isEmpty(object['imagePullPolicy']) ? { imagePullPolicy: pullPolicy(object['image']) } : {}),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  })

const volume: Rule = (object) => {
  const hasSource = Object.keys(object).some((key) => key !== 'name' && object[key] !== null)
  if (!hasSource) return { ...object, emptyDir: {} }
  const image = objectAt(object, 'image')
  if (image === undefined) return object
  const policy = { pullPolicy: pullPolicy(image['reference']) }
  return withField(object, 'image', whenEmpty(image, policy))
}

const podSpec: Rule = (object) =>
  whenNil(
    whenEmpty(object, {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
    }),
    { securityContext: {}, terminationGracePeriodSeconds: 30 },
  )

/** What holds for a Pod alone, not for the templates of other kinds. */
const pod: Rule = (object) =>
  inField(object, 'spec', (given) => {
    let spec = given
    for (const list of ['containers', 'initContainers']) {
      spec = inItems(spec, list, requestsFromLimits)
    }
    spec = podLevelResources(spec)
    spec = whenNil(spec, { enableServiceLinks: true })
    if (spec['hostNetwork'] !== true) return spec
    for (const list of ['containers', 'initContainers']) spec = inItems(spec, list, hostPorts)
    return spec
  })

function requestsFromLimits(item: JsonObject): JsonObject {
  return inField(item, 'resources', (resources) => {
    const limits = objectAt(resources, 'limits')
    if (limits === undefined) return resources
    const requests = objectAt(resources, 'requests')
    const filled = whenMissing(requests ?? {}, limits)
    // A new empty map is left out again when it is written.
    return filled === requests || Object.keys(filled).length === 0
      ? resources
      : { ...resources, requests: filled }
  })
}

function whenMissing(map: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.keys(defaults).filter((key) => !Object.hasOwn(map, key))
  if (missing.length === 0) return map
  return { ...map, ...Object.fromEntries(missing.map((key) => [key, defaults[key] as Json])) }
}

function hostPorts(item: JsonObject): JsonObject {
  return inItems(item, 'ports', (port) =>
    isEmpty(port['hostPort']) && !isEmpty(port['containerPort'])
      ? { ...port, hostPort: port['containerPort'] as Json }
      : port,
  )
}

const isHugePage = (name: string): boolean => name.startsWith('hugepages-')
const isPodLevel = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || isHugePage(name)

/** Requests and huge page limits of the pod as a whole, taken from those of its containers. */
function podLevelResources(spec: JsonObject): JsonObject {
  const resources = objectAt(spec, 'resources')
  if (resources === undefined) return spec
  let limits = objectAt(resources, 'limits') ?? {}
  const requests = objectAt(resources, 'requests') ?? {}
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return spec
  limits = whenMissing(
    limits,
    pick(
      containerTotal(spec, 'limits'),
      (name) => isHugePage(name) && !Object.hasOwn(requests, name),
    ),
  )
  let filled = requests
  if (Object.keys(limits).length > 0) {
    const own = pick(
      containerTotal(spec, 'requests'),
      (name) => isPodLevel(name) && !isHugePage(name),
    )
    filled = whenMissing(whenMissing(requests, own), pick(limits, isPodLevel))
  }
  let result = resources
  if (Object.keys(limits).length > 0 && limits !== resources['limits']) {
    result = { ...result, limits }
  }
  if (Object.keys(filled).length > 0 && filled !== resources['requests']) {
    result = { ...result, requests: filled }
  }
  return withField(spec, 'resources', result)
}

function pick(map: JsonObject, wanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([name]) => wanted(name)))
}

/**
 * What all containers need together: the sum of the containers and the sidecars, or what the greediest moment of the
 * init phase needs, if that is more.
 */
function containerTotal(spec: JsonObject, key: 'limits' | 'requests'): JsonObject {
  const total: { [name: string]: Json } = {}
  const sidecars: { [name: string]: Json } = {}
  const init: { [name: string]: Json } = {}
  for (const { list } of containersOf(spec, 'containers', key)) add(total, list)
  for (const { list, isSidecar } of containersOf(spec, 'initContainers', key)) {
    if (isSidecar) {
      add(total, list)
      add(sidecars, list)
      raise(init, sidecars)
    } else {
      const moment = { ...list }
      add(moment, sidecars)
      raise(init, moment)
    }
  }
  raise(total, init)
  return total
}

function containersOf(
  spec: JsonObject,
  field: string,
  key: string,
): readonly { readonly list: JsonObject; readonly isSidecar: boolean }[] {
  const containers = spec[field]
  if (!Array.isArray(containers)) return []
  return containers.filter(isObject).map((item: JsonObject) => ({
    list: objectAt(objectAt(item, 'resources') ?? {}, key) ?? {},
    isSidecar: item['restartPolicy'] === 'Always',
  }))
}

function add(total: { [name: string]: Json }, list: JsonObject): void {
  for (const name of Object.keys(list)) {
    const value = list[name] as string
    total[name] = Object.hasOwn(total, name) ? addQuantities(total[name] as string, value) : value
  }
}

function raise(total: { [name: string]: Json }, list: JsonObject): void {
  for (const name of Object.keys(list)) {
    const value = list[name] as string
    const higher =
      !Object.hasOwn(total, name) || compareQuantities(value, total[name] as string) > 0
    if (higher) total[name] = value
  }
}

const mode = nilRule({ defaultMode: 420 })

/** By struct; the rules of a struct apply wherever it occurs below a kind. */
export const podRules: { readonly [struct: string]: Rule } = {
  'core/v1.Pod': pod,
  'core/v1.PodSpec': podSpec,
  'core/v1.Container': container,
  'core/v1.EphemeralContainer': container,
  'core/v1.ContainerPort': emptyRule({ protocol: 'TCP' }),
  'core/v1.Probe': emptyRule({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }),
  'core/v1.HTTPGetAction': emptyRule({ path: '/', scheme: 'HTTP' }),
  'core/v1.GRPCAction': nilRule({ service: '' }),
  'core/v1.ObjectFieldSelector': emptyRule({ apiVersion: 'v1' }),
  'core/v1.FileKeySelector': nilRule({ optional: false }),
  'core/v1.Volume': volume,
  'core/v1.SecretVolumeSource': mode,
  'core/v1.ConfigMapVolumeSource': mode,
  'core/v1.DownwardAPIVolumeSource': mode,
  'core/v1.ProjectedVolumeSource': mode,
  'core/v1.ServiceAccountTokenProjection': nilRule({ expirationSeconds: 3600 }),
  'core/v1.HostPathVolumeSource': nilRule({ type: '' }),
  'core/v1.ISCSIVolumeSource': emptyRule({ iscsiInterface: 'default' }),
  'core/v1.ISCSIPersistentVolumeSource': emptyRule({ iscsiInterface: 'default' }),
  'core/v1.RBDVolumeSource': emptyRule({
    pool: 'rbd',
    user: 'admin',
    keyring: '/etc/ceph/keyring',
  }),
  'core/v1.RBDPersistentVolumeSource': emptyRule({
    pool: 'rbd',
    user: 'admin',
    keyring: '/etc/ceph/keyring',
  }),
  'core/v1.AzureDiskVolumeSource': nilRule({
    cachingMode: 'ReadWrite',
    fsType: 'ext4',
    readOnly: false,
    kind: 'Shared',
  }),
  'core/v1.ScaleIOVolumeSource': emptyRule({ storageMode: 'ThinProvisioned', fsType: 'xfs' }),
  'core/v1.ScaleIOPersistentVolumeSource': emptyRule({
    storageMode: 'ThinProvisioned',
    fsType: 'xfs',
  }),
  'core/v1.PersistentVolumeClaimSpec': nilRule({ volumeMode: 'Filesystem' }),
}
