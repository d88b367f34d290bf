import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { claim, volume } from './claims.ts'
import {
  all,
  at,
  differs,
  type FrozenChange,
  fieldChanges,
  fields,
  frozen,
  type Rule,
  worded,
} from './rule.ts'
import { job, pod, statefulSet } from './workloads.ts'

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
