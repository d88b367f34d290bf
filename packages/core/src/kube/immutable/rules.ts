import {
  deepEqual,
  deletePath,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  setPath,
} from '../../json/index.ts'

export interface FrozenChange {
  /** `spec.selector` */
  readonly field: string
  /** The API server's words about it. */
  readonly message: string
  /** False where the value in the cluster is not known and may happen to be the new one. */
  readonly certain: boolean
}

export interface RuleFacts {
  /** The class of a claim lets it grow; undefined where that is not known. */
  readonly expands: boolean | undefined
}

/** Both sides as the API server holds them, defaults set. */
type Rule = (before: JsonObject, after: JsonObject, facts: RuleFacts) => readonly FrozenChange[]

const immutable = 'field is immutable'

/**
 * By `group/Kind`.
 *
 * Source: k8s.io/kubernetes v1.36.1 pkg/apis (validation.go of each group), k8s.io/apiextensions-apiserver v0.36.1
 */
export const frozenRules: { readonly [groupKind: string]: Rule } = {
  'apps/Deployment': fields('spec.selector'),
  'apps/DaemonSet': fields('spec.selector'),
  'apps/ReplicaSet': fields('spec.selector'),
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  '/Service': service,
  '/PersistentVolumeClaim': claim,
  '/PersistentVolume': volume,
  '/ConfigMap': sealed('data', 'binaryData'),
  '/Secret': all(fields('type'), sealed('data')),
  '/Pod': pod,
  'storage.k8s.io/StorageClass': all(
    fields('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
  ),
  'storage.k8s.io/CSIDriver': fields('spec.attachRequired', 'spec.volumeLifecycleModes'),
  'storage.k8s.io/VolumeAttributesClass': worded({
    driverName: 'updates to driverName are forbidden.',
    parameters: 'updates to parameters are forbidden.',
  }),
  'storage.k8s.io/VolumeAttachment': fields('spec'),
  'rbac.authorization.k8s.io/RoleBinding': worded({ roleRef: 'cannot change roleRef' }),
  'rbac.authorization.k8s.io/ClusterRoleBinding': worded({ roleRef: 'cannot change roleRef' }),
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'scheduling.k8s.io/PriorityClass': all(
    worded({ value: 'may not be changed in an update.' }),
    fields('preemptionPolicy'),
  ),
  'networking.k8s.io/IngressClass': fields('spec.controller'),
  'node.k8s.io/RuntimeClass': fields('handler'),
  'discovery.k8s.io/EndpointSlice': fields('addressType'),
  'resource.k8s.io/ResourceClaim': fields('spec'),
  'resource.k8s.io/ResourceClaimTemplate': fields('spec'),
  'certificates.k8s.io/CertificateSigningRequest': fields('spec'),
}

function at(object: JsonObject, field: string): Json | undefined {
  return getPath(object, ...field.split('.'))
}

function differs(before: JsonObject, after: JsonObject, field: string): boolean {
  return !deepEqual(at(before, field) ?? null, at(after, field) ?? null)
}

function frozen(field: string, message: string = immutable, certain = true): FrozenChange {
  return { field, message, certain }
}

function fieldChanges(
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
): readonly FrozenChange[] {
  return names.filter((name) => differs(before, after, name)).map((name) => frozen(name))
}

function fields(...names: readonly string[]): Rule {
  return (before, after) => fieldChanges(before, after, names)
}

function worded(words: { readonly [field: string]: string }): Rule {
  return (before, after) =>
    Object.entries(words)
      .filter(([field]) => differs(before, after, field))
      .map(([field, message]) => frozen(field, message))
}

function all(...rules: readonly Rule[]): Rule {
  return (before, after, facts) => rules.flatMap((rule) => rule(before, after, facts))
}

/** Objects that say `immutable: true` keep it and what they hold. */
function sealed(...names: readonly string[]): Rule {
  const message = 'field is immutable when `immutable` is set'
  return (before, after) => {
    if (before['immutable'] !== true) return []
    return ['immutable', ...names]
      .filter((name) => differs(before, after, name))
      .map((name) => frozen(name, message))
  }
}

const statefulSetFree = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

function statefulSet(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const [was, is] = [specOf(before), specOf(after)].map(withPlainClaims) as [JsonObject, JsonObject]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => !statefulSetFree.has(field) && !deepEqual(was[field] ?? null, is[field] ?? null),
  )
  const message =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
  return changed.map((field) => frozen(`spec.${field}`, message))
}

/** The server fills in kind and status of claim templates; they mean nothing. */
function withPlainClaims(spec: JsonObject): JsonObject {
  const claims = spec['volumeClaimTemplates']
  if (!Array.isArray(claims)) return spec
  const plain = claims.map((claim) => {
    if (!isObject(claim)) return claim
    const { apiVersion: _version, kind: _kind, status: _status, ...rest } = claim
    const { volumeMode, ...claimSpec } = specOf(rest)
    return {
      ...deletePath(rest, 'metadata', 'creationTimestamp'),
      spec: { ...claimSpec, volumeMode: volumeMode ?? 'Filesystem' },
    }
  })
  return { ...spec, volumeClaimTemplates: plain }
}

function specOf(object: JsonObject): JsonObject {
  const spec = object['spec']
  return isObject(spec) ? spec : {}
}

function job(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const plain = fieldChanges(before, after, [
    'spec.selector',
    'spec.completionMode',
    'spec.podFailurePolicy',
    'spec.backoffLimitPerIndex',
    'spec.managedBy',
    'spec.successPolicy',
  ])
  const indexed = at(after, 'spec.completionMode') === 'Indexed'
  const completions = differs(before, after, 'spec.completions')
  // an indexed job may grow and shrink together with its parallelism
  const elastic = indexed && at(after, 'spec.completions') === at(after, 'spec.parallelism')
  const suspended = at(before, 'spec.suspend') === true
  const template = suspended ? fixedTemplate : (object: JsonObject) => at(object, 'spec.template')
  return [
    ...plain,
    ...(completions && !elastic ? [frozen('spec.completions')] : []),
    ...(deepEqual(template(before) ?? null, template(after) ?? null)
      ? []
      : [frozen('spec.template')]),
  ]
}

/** What of a pod template stays fixed while its job is suspended: not where it runs, nor what it may use. */
function fixedTemplate(object: JsonObject): Json | undefined {
  let template = at(object, 'spec.template')
  if (!isObject(template)) return template
  for (const path of [
    ['metadata', 'labels'],
    ['metadata', 'annotations'],
    ['spec', 'nodeSelector'],
    ['spec', 'tolerations'],
    ['spec', 'schedulingGates'],
    ['spec', 'affinity', 'nodeAffinity'],
  ]) {
    template = deletePath(template as JsonObject, ...path)
  }
  for (const list of ['containers', 'initContainers']) {
    const containers = getPath(template, 'spec', list)
    if (!Array.isArray(containers)) continue
    const bare = containers.map((one) => (isObject(one) ? deletePath(one, 'resources') : one))
    template = setPath(template as JsonObject, ['spec', list], bare)
  }
  return template
}

/** Addresses and families stay as long as a Service has any; moving from and to ExternalName gives them up. */
function service(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  if ([before, after].some((side) => at(side, 'spec.type') === 'ExternalName')) return []
  const once = 'may not change once set'
  const out: FrozenChange[] = []
  const [was, is] = [before, after].map((side) => at(side, 'spec.clusterIP') || undefined)
  if (is !== undefined && was !== is) {
    // without an address in the manifest the cluster has given it one
    out.push(frozen('spec.clusterIPs[0]', once, was !== undefined || is === 'None'))
  }
  const [family, wanted] = [before, after].map((side) => firstOf(at(side, 'spec.ipFamilies')))
  if (wanted !== undefined && family !== undefined && family !== wanted) {
    out.push(frozen('spec.ipFamilies[0]', once))
  }
  const balanced = [before, after].every((side) => at(side, 'spec.type') === 'LoadBalancer')
  if (balanced && differs(before, after, 'spec.loadBalancerClass')) {
    out.push(frozen('spec.loadBalancerClass', once))
  }
  return out
}

function firstOf(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined
}

const claimWords =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

const expansionWords =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

function claim(
  before: JsonObject,
  after: JsonObject,
  { expands }: RuleFacts,
): readonly FrozenChange[] {
  const [was, is] = [specOf(before), specOf(after)]
  const out: FrozenChange[] = []
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (field === 'volumeAttributesClassName' || field === 'resources') continue
    if (deepEqual(was[field] ?? null, is[field] ?? null)) continue
    const filledIn = field === 'storageClassName' || field === 'volumeName'
    // what nobody set the cluster has filled in, and one may happen to say the same
    const certain = !filledIn || was[field] !== undefined
    out.push(frozen(`spec.${field}`, claimWords, certain))
  }
  const size = (spec: JsonObject): number | undefined =>
    quantityOf(getPath(spec, 'resources', 'requests', 'storage'))
  const [old, wanted] = [size(was), size(is)]
  const field = 'spec.resources.requests.storage'
  const phase = at(before, 'status.phase')
  if (old !== undefined && wanted !== undefined && wanted < old) {
    out.push(frozen(field, 'field can not be less than status.capacity'))
  } else if (old !== wanted && phase !== undefined && phase !== 'Bound') {
    out.push(frozen(field, claimWords))
  } else if (old !== wanted && expands !== true) {
    out.push(frozen(field, expansionWords, expands === false))
  }
  if (
    !deepEqual(
      getPath(was, 'resources', 'limits') ?? null,
      getPath(is, 'resources', 'limits') ?? null,
    )
  ) {
    out.push(frozen('spec.resources.limits', claimWords))
  }
  return out
}

const volumeFree = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
])

function volume(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const [was, is] = [specOf(before), specOf(after)]
  const source = (spec: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => !volumeFree.has(field)))
  const out: FrozenChange[] = []
  if (!deepEqual(source(was), source(is))) {
    const words = 'spec.persistentvolumesource is immutable after creation'
    out.push(frozen('spec.persistentvolumesource', words))
  }
  if (!deepEqual(was['volumeMode'] ?? null, is['volumeMode'] ?? null)) {
    out.push(frozen('volumeMode'))
  }
  return out
}

/** Only images, tolerations that are added, deadlines and gates of a pod change. */
function pod(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const [was, is] = [before, after].map((side) => {
    let spec = specOf(side)
    for (const list of ['containers', 'initContainers']) {
      const containers = spec[list]
      if (!Array.isArray(containers)) continue
      const bare = containers.map((one) => (isObject(one) ? deletePath(one, 'image') : one))
      spec = { ...spec, [list]: bare }
    }
    const {
      activeDeadlineSeconds: _deadline,
      tolerations: _tolerations,
      terminationGracePeriodSeconds: _grace,
      schedulingGates: _gates,
      ...rest
    } = spec
    return rest
  })
  if (deepEqual(was as JsonObject, is as JsonObject)) return []
  const words =
    'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
    '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
    '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
  return [frozen('spec', words)]
}

/** A definition keeps its scope and names, and every version in which objects may be stored. */
function definition(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
  const out = fieldChanges(before, after, [
    'spec.scope',
    'spec.names.kind',
    'spec.group',
    'spec.names.plural',
  ])
  const versions = (object: JsonObject): readonly JsonObject[] => {
    const list = at(object, 'spec.versions')
    return Array.isArray(list) ? list.filter(isObject) : []
  }
  const kept = new Set(versions(after).map(({ name }) => name))
  const known = at(before, 'status.storedVersions')
  const stored = Array.isArray(known)
    ? known
    : versions(before).flatMap(({ name, storage }) => (storage === true ? [name] : []))
  const lost = stored.filter((name): name is string => typeof name === 'string' && !kept.has(name))
  return [
    ...out,
    ...lost.map((name, index) =>
      frozen(
        `status.storedVersions[${index}]`,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
          `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ]
}

const factors: { readonly [suffix: string]: number } = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** A quantity as a number, good enough to compare sizes; undefined for what is none. */
export function quantityOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const match = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(value)
  const number = match === null ? Number.NaN : Number(match[1])
  return Number.isNaN(number) ? undefined : number * factors[match?.[2] ?? '']!
}
