import {
  annotationsOf,
  groupOf,
  labelsOf,
  type Manifest,
  nameOf,
  namespaceOf,
  type ResourceKey,
} from '../kube/index.ts'
import { annotationInstallationId, annotationTrackingId } from './annotations.ts'

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
  const annotations = annotationsOf(live)
  const text = annotations[annotationTrackingId]
  if (text === undefined) return undefined
  if ((annotations[annotationInstallationId] ?? '') !== tracking.installationId) return undefined
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
  const text = annotationsOf(live)[annotationTrackingId]
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
