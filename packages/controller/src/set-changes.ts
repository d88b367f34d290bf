import type { Application } from '@litecd/core/argo'
import { deepEqual, type Json, type JsonObject } from '@litecd/core/json'
import type { Manifest } from '@litecd/core/kube'
import { annotationSetRefresh } from './loops/index.ts'

/**
 * Whether a change of a set is a reason to look at it again. What its own controller writes into the status is none, unless
 * it is the progress of a rolling sync; nor is that the wish for a refresh has been fulfilled.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go shouldRequeueForApplicationSet
 */
export function concernsSetItself(
  before: Manifest,
  now: Manifest,
  progressiveSyncs: boolean,
): boolean {
  const [old, next] = [partsOf(before), partsOf(now)]
  if (progressiveSyncs && !deepEqual(old.applicationStatus, next.applicationStatus)) return true
  if (!deepEqual(old.parts, next.parts)) return true
  if (deepEqual(old.annotations, next.annotations)) return false
  return !(
    Object.hasOwn(old.annotations, annotationSetRefresh) &&
    !Object.hasOwn(next.annotations, annotationSetRefresh)
  )
}

function partsOf(manifest: Manifest): {
  readonly parts: Json
  readonly annotations: JsonObject
  readonly applicationStatus: Json
} {
  const metadata = (manifest['metadata'] ?? {}) as JsonObject
  const status = (manifest['status'] ?? {}) as JsonObject
  return {
    applicationStatus: status['applicationStatus'] ?? [],
    parts: [
      manifest['spec'] ?? null,
      metadata['labels'] ?? {},
      metadata['finalizers'] ?? [],
      metadata['deletionTimestamp'] ?? null,
    ],
    annotations: (metadata['annotations'] ?? {}) as JsonObject,
  }
}

/**
 * Whether a change of an Application is a reason to look at the set that owns it: what the set has written, and with
 * progressive syncs what its progress follows from.
 *
 * Source: argo-cd v3.5.1 applicationset/controllers/applicationset_controller.go shouldRequeueForApplication
 */
export function concernsOwner(
  before: Application,
  now: Application,
  progressiveSyncs: boolean,
): 'written' | 'progress' | undefined {
  if (!deepEqual(written(before), written(now))) return 'written'
  return progressiveSyncs && !deepEqual(progress(before), progress(now)) ? 'progress' : undefined
}

function written({ spec, metadata }: Application): Json {
  const { annotations, labels, finalizers } = metadata
  return [spec as unknown as Json, annotations ?? {}, labels ?? {}, [...(finalizers ?? [])]]
}

function progress({ status }: Application): Json {
  const { phase = null, startedAt = null } = status?.operationState ?? {}
  return [status?.health?.status ?? '', status?.sync?.status ?? '', phase, startedAt]
}
