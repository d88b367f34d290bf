import {
  deepEqual,
  deletePath,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  setPath,
} from '../../json/index.ts'
import { at, differs, type FrozenChange, fieldChanges, frozen, specOf } from './rule.ts'

const statefulSetFree = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
])

export function statefulSet(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
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

export function job(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
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

/** Only images, tolerations that are added, deadlines and gates of a pod change. */
export function pod(before: JsonObject, after: JsonObject): readonly FrozenChange[] {
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
