import { RenderError } from '../errors/index.ts'
import { compareStrings, getPath, isObject, type Json, setPath } from '../json/index.ts'
import {
  annotationOf,
  groupOf,
  labelsOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
  versionOf,
} from '../kube/index.ts'
import {
  annotationInstallationId,
  annotationTrackingId,
  labelInstanceLegacy,
} from './annotations.ts'

export type TrackingMethod = 'annotation' | 'label' | 'annotation+label'

export interface Tracking {
  readonly method: TrackingMethod
  readonly labelKey: string
  /** '' when no installation id is set. */
  readonly installationId: string
}

export interface TrackingId extends ResourceKey {
  readonly instance: string
}

/** `<instance>:<group>/<kind>:<namespace>/<name>` */
export function formatTrackingId(id: TrackingId): string {
  return `${id.instance}:${id.group}/${id.kind}:${id.namespace}/${id.name}`
}

/**
 * The parts of a tracking id; undefined when it is malformed. The text is split at ':' into at most three parts, so a
 * name with a ':' stays in the last one.
 *
 * Source: argo-cd v3.5.1 util/argo/resource_tracking.go
 */
export function parseTrackingId(text: string): TrackingId | undefined {
  const first = text.indexOf(':')
  const second = first === -1 ? -1 : text.indexOf(':', first + 1)
  if (second === -1) return undefined
  const groupKind = text.slice(first + 1, second).split('/')
  const place = text.slice(second + 1).split('/')
  if (groupKind.length !== 2 || place.length !== 2) return undefined
  return {
    instance: text.slice(0, first),
    group: groupKind[0]!,
    kind: groupKind[1]!,
    namespace: place[0]!,
    name: place[1]!,
  }
}

/** The tracking name of a live object: whose it says it is. Undefined when it says nothing that counts. */
export function trackingNameOf(live: Manifest, tracking: Tracking): string | undefined {
  if (tracking.method === 'label') return labelsOf(live)[tracking.labelKey] || undefined
  const text = annotationOf(live, annotationTrackingId)
  if (text === undefined) return undefined
  if ((annotationOf(live, annotationInstallationId) ?? '') !== tracking.installationId)
    return undefined
  return parseTrackingId(text)?.instance || undefined
}

/**
 * False for an object whose tracking annotation was copied from another object: such an object is neither compared as
 * the Application's own nor synced or pruned.
 *
 * Source: argo-cd v3.5.1 controller/state.go isSelfReferencedObj
 */
export function isSelfReferenced(
  live: Manifest | undefined,
  target: Manifest | undefined,
  instance: string,
  tracking: Tracking,
): boolean {
  if (live === undefined || tracking.method === 'label') return true
  if (target !== undefined) {
    const namespace = namespaceOf(live)
    return (
      nameOf(live) === nameOf(target) &&
      live.kind === target.kind &&
      groupOf(live.apiVersion) === groupOf(target.apiVersion) &&
      (namespace === namespaceOf(target) || namespace === '')
    )
  }
  const text = annotationOf(live, annotationTrackingId)
  if (text === undefined) return true
  const id = parseTrackingId(text)
  if (id === undefined) return true
  const namespace = namespaceOf(live)
  return (
    id.instance === instance &&
    id.name === nameOf(live) &&
    id.kind === live.kind &&
    id.group === groupOf(live.apiVersion) &&
    (id.namespace === namespace || namespace === '')
  )
}

/**
 * A copy of the manifest that says whose it is, by the configured method.
 *
 * Cluster-scoped objects get `fallbackNamespace` in their id too: scope is not known here.
 * Errors: RenderError MANIFEST_INVALID in apimachinery's words where labels or annotations are no maps of strings.
 * Source: argo-cd v3.5.1 util/argo/resource_tracking.go SetAppInstance
 */
export function setTracking(
  manifest: Manifest,
  instance: string,
  fallbackNamespace: string,
  tracking: Tracking,
): Manifest {
  switch (tracking.method) {
    case 'label':
      return setInstanceLabel(manifest, tracking.labelKey, instance)
    case 'annotation+label':
      return setInstanceLabel(
        setTrackingId(manifest, instance, fallbackNamespace, tracking),
        tracking.labelKey,
        truncateLabel(instance),
      )
    default:
      return setTrackingId(manifest, instance, fallbackNamespace, tracking)
  }
}

function setTrackingId(
  manifest: Manifest,
  instance: string,
  fallbackNamespace: string,
  tracking: Tracking,
): Manifest {
  const annotations = { ...readStringMap(manifest, 'annotations') }
  annotations[annotationTrackingId] = formatTrackingId({
    instance,
    group: typeof manifest.apiVersion === 'string' ? groupOf(manifest.apiVersion) : '',
    kind: typeof manifest.kind === 'string' ? manifest.kind : '',
    namespace: namespaceOf(manifest) || fallbackNamespace,
    name: nameOf(manifest),
  })
  if (tracking.installationId === '') delete annotations[annotationInstallationId]
  else annotations[annotationInstallationId] = tracking.installationId
  return setPath(manifest, ['metadata', 'annotations'], annotations)
}

const workloadKinds: ReadonlySet<string> = new Set([
  'apps/Deployment',
  'apps/ReplicaSet',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'extensions/Deployment',
  'extensions/ReplicaSet',
  'extensions/StatefulSet',
  'extensions/DaemonSet',
  'batch/Job',
])

function setInstanceLabel(manifest: Manifest, key: string, value: string): Manifest {
  let labels: { readonly [key: string]: string }
  try {
    labels = readStringMap(manifest, 'labels')
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    throw new RenderError(
      'MANIFEST_INVALID',
      `failed to set app instance label: ${error.message}`,
      {
        cause: error,
      },
    )
  }
  const labelled = setPath(manifest, ['metadata', 'labels'], { ...labels, [key]: value })
  if (key !== labelInstanceLegacy) return labelled
  const group = typeof manifest.apiVersion === 'string' ? groupOf(manifest.apiVersion) : ''
  if (!workloadKinds.has(`${group}/${manifest.kind}`)) return labelled
  const inner = getPath(labelled, 'spec', 'template', 'metadata', 'labels')
  return setPath(labelled, ['spec', 'template', 'metadata', 'labels'], {
    ...(isObject(inner) ? inner : {}),
    [key]: value,
  })
}

function truncateLabel(instance: string): string {
  if (instance.length <= 63) return instance
  const cut = instance.slice(0, 63).replace(/[^A-Za-z0-9]+$/, '')
  if (cut === '') {
    throw new RenderError(
      'MANIFEST_INVALID',
      'failed to set app instance label: unable to truncate label to not end with a special character',
    )
  }
  return cut
}

function readStringMap(
  manifest: Manifest,
  field: 'labels' | 'annotations',
): { readonly [key: string]: string } {
  const value = getPath(manifest, 'metadata', field)
  const owner = `${describeGvk(manifest)} ${namespaceOf(manifest)}/${nameOf(manifest)}`
  const fail = (why: string): never => {
    const prefix =
      field === 'annotations'
        ? `failed to get annotations for ${owner}: `
        : `failed to get labels from target object ${owner}: `
    throw new RenderError('MANIFEST_INVALID', `${prefix}.metadata.${field} accessor error: ${why}`)
  }
  const metadata = manifest['metadata']
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    return fail(
      `${goText(metadata)} is of the type ${goType(metadata)}, expected map[string]interface{}`,
    )
  }
  if (value === undefined || value === null) return {}
  if (!isObject(value)) {
    return fail(`${goText(value)} is of the type ${goType(value)}, expected map[string]interface{}`)
  }
  const out: { [key: string]: string } = {}
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') out[key] = item
    else {
      return fail(
        `contains non-string value in the map under key "${key}": ${goText(item)} is of the type ${goType(item)}, expected string`,
      )
    }
  }
  return out
}

function describeGvk(manifest: Manifest): string {
  const apiVersion = typeof manifest.apiVersion === 'string' ? manifest.apiVersion : ''
  return `${groupOf(apiVersion)}/${versionOf(apiVersion)}, Kind=${manifest.kind}`
}

/** Go's %T of a decoded JSON value. */
function goType(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

/** Go's %v of a decoded JSON value. */
function goText(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (isObject(value)) {
    const parts = Object.keys(value)
      .sort(compareStrings)
      .map((key) => `${key}:${goText(value[key] as Json)}`)
    return `map[${parts.join(' ')}]`
  }
  return String(value)
}
