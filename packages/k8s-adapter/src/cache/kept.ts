import { annotationIgnoreDefaultLinks, annotationLinkPrefix } from '@litecd/core/argo'
import { getPath, isObject, type Json, type JsonObject } from '@litecd/core/json'
import { annotationsOf, type GroupKind, type Manifest, namespaceOf } from '@litecd/core/kube'
import { ownersOf, uidOf } from '../cluster/index.ts'

/** What the cache holds of one object. */
export interface Kept extends GroupKind {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  /** UIDs of owners; none for a root. */
  readonly owners: readonly string[]
  /** Tracking name; undefined when nobody tracks it. */
  readonly instance: string | undefined
  /** The object as the server has it, or the little of it that a resource tree shows. */
  readonly object: Manifest
  readonly whole: boolean
}

/** Kinds of which more than metadata is kept although nobody tracks the object: images and addresses of children. */
const shown: ReadonlySet<string> = new Set([
  '/Pod',
  'networking.k8s.io/Ingress',
  'extensions/Ingress',
  'gateway.networking.k8s.io/Gateway',
])

export function isShown(kind: GroupKind): boolean {
  return shown.has(`${kind.group}/${kind.kind}`)
}

function imagesOf(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).map(({ name, image }) => ({ name: name ?? '', image: image ?? '' }))
}

/** Of a pod its images, of what has addresses the whole, of everything else its metadata. */
function shownPart(object: Manifest, kind: GroupKind): JsonObject {
  if (!isShown(kind)) return {}
  if (kind.kind === 'Pod') {
    const containers = imagesOf(getPath(object, 'spec', 'containers'))
    const initContainers = imagesOf(getPath(object, 'spec', 'initContainers'))
    return { spec: { containers, ...(initContainers.length > 0 ? { initContainers } : {}) } }
  }
  return { spec: object['spec'] ?? {}, status: object['status'] ?? {} }
}

/** Fields of metadata that a tree, an orphan search or a deletion looks at. */
function leanMetadata(object: Manifest): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const lean: { [key: string]: Json } = {}
  for (const field of [
    'name',
    'namespace',
    'uid',
    'ownerReferences',
    'deletionTimestamp',
    'creationTimestamp',
  ]) {
    if (metadata[field] !== undefined) lean[field] = metadata[field]
  }
  const kept = Object.entries(annotationsOf(object)).filter(
    ([key]) =>
      key.startsWith(annotationLinkPrefix) ||
      key === annotationIgnoreDefaultLinks ||
      key.startsWith('kubernetes.io/service-account.') ||
      key === 'olm.operatorGroup',
  )
  if (kept.length > 0) lean['annotations'] = Object.fromEntries(kept)
  return lean
}

/** What is to be kept of an object of a kind; `whole` when the watch shows bodies. */
export function keptOf(
  seen: Manifest,
  { group, kind }: GroupKind,
  apiVersion: string,
  whole: boolean,
  instanceOf: (live: Manifest) => string | undefined,
): Kept {
  // A metadata watch calls everything PartialObjectMetadata.
  const object: Manifest = { ...seen, apiVersion, kind }
  const owners = ownersOf(object)
  const instance = instanceOf(object)
  const isRoot = owners.length === 0 && instance !== undefined
  return {
    group,
    kind,
    namespace: namespaceOf(object),
    name: String(getPath(object, 'metadata', 'name') ?? ''),
    uid: uidOf(object),
    owners,
    instance,
    object: isRoot
      ? object
      : { apiVersion, kind, metadata: leanMetadata(object), ...shownPart(object, { group, kind }) },
    whole: isRoot && whole,
  }
}
