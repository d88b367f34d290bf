import {
  canonicalJson,
  compareStrings,
  deletePath,
  isObject,
  type Json,
  type JsonObject,
} from '../json/index.ts'
import { groupOf, type Manifest, structNamed, throughStruct } from '../kube/index.ts'
import { encodeBase64, textToBytes } from '../text/index.ts'

/**
 * What holds for all objects and for a few kinds before they are compared, whatever the rules say: no creation time,
 * Secrets by their data, no empty rules of roles, Endpoints in one order.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go Normalize
 */
export function normalizeKind(manifest: Manifest, ignoreAggregatedRoles: boolean): Manifest {
  const object = deletePath(manifest, 'metadata', 'creationTimestamp')
  const group = groupOf(textOf(object.apiVersion))
  const kind = textOf(object.kind)
  if (group === '' && kind === 'Secret') return normalizeSecret(object)
  if (group === '' && kind === 'Endpoints') return normalizeEndpoints(object)
  if (group === 'rbac.authorization.k8s.io' && (kind === 'Role' || kind === 'ClusterRole')) {
    return normalizeRole(object, ignoreAggregatedRoles)
  }
  return object
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * A Secret with `stringData` folded into `data`, base64 written anew and null values as empty ones. What no Secret can
 * hold is left as it is; other kinds come back unchanged.
 */
export function normalizeSecret(manifest: Manifest): Manifest {
  let secret = manifest
  if (isObject(secret['stringData'])) {
    const { stringData, ...rest } = secret
    const data: { [key: string]: Json } = { ...(isObject(rest['data']) ? rest['data'] : {}) }
    for (const [key, value] of Object.entries(stringData as JsonObject)) {
      data[key] = typeof value === 'string' ? encodeBase64(textToBytes(value)) : value
    }
    secret = { ...rest, data } as unknown as Manifest
  }
  const struct = structNamed('core/v1.Secret')!
  const held = throughStruct(secret, struct, { strict: false, fields: 'held' })
  const data = held?.['data']
  if (!isObject(data)) return secret
  const filled = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value ?? '']))
  // Parity: an empty map is left out where it is written, and what is read back is null.
  return {
    ...secret,
    data: Object.keys(filled).length === 0 ? null : filled,
  } as unknown as Manifest
}

function normalizeRole(role: Manifest, ignoreAggregatedRoles: boolean): Manifest {
  const aggregated = ignoreAggregatedRoles && isObject(role['aggregationRule'])
  const rules = role['rules']
  const isEmpty = Array.isArray(rules) && rules.length === 0
  return aggregated || isEmpty ? { ...role, rules: null } : role
}

/**
 * Endpoints in one order: addresses by IP and UID. Ports and subsets stand in the order of their text; Argo CD takes a
 * hash for these, which decides nothing but how they are shown.
 */
function normalizeEndpoints(endpoints: Manifest): Manifest {
  const struct = structNamed('core/v1.Endpoints')!
  const typed = throughStruct(endpoints, struct, { strict: false, fields: 'all' })
  if (typed === undefined) return endpoints
  const subsets = typed['subsets']
  if (!Array.isArray(subsets)) return typed as Manifest
  const sorted = subsets.filter(isObject).map((subset: JsonObject) => ({
    ...subset,
    ...sortedField(subset, 'addresses', compareAddresses),
    ...sortedField(subset, 'notReadyAddresses', compareAddresses),
    ...sortedField(withProtocols(subset), 'ports', compareTexts),
  }))
  return { ...(typed as Manifest), subsets: sorted.sort(compareTexts) }
}

function withProtocols(subset: JsonObject): JsonObject {
  const ports = subset['ports']
  if (!Array.isArray(ports)) return subset
  return {
    ports: ports.map((port: Json) =>
      isObject(port) && (port['protocol'] ?? '') === '' ? { ...port, protocol: 'TCP' } : port,
    ),
  }
}

function sortedField(
  subset: JsonObject,
  field: string,
  compare: (a: Json, b: Json) => number,
): JsonObject {
  const list = subset[field]
  return Array.isArray(list) ? { [field]: list.toSorted(compare) } : {}
}

function compareAddresses(a: Json, b: Json): number {
  const key = (address: Json): readonly [string, string] => {
    const fields = isObject(address) ? address : {}
    const reference = fields['targetRef']
    return [textOf(fields['ip']), isObject(reference) ? ` ${textOf(reference['uid'])}` : '']
  }
  const [left, right] = [key(a), key(b)]
  return compareStrings(left[0], right[0]) || compareStrings(left[1], right[1])
}

function compareTexts(a: Json, b: Json): number {
  return compareStrings(canonicalJson(a), canonicalJson(b))
}
