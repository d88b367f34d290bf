import {
  createMergePatch,
  deepEqual,
  defineKey,
  isObject,
  type Json,
  type JsonObject,
  mergePatch,
} from '../json/index.ts'
import {
  applyStrategicMerge,
  type Manifest,
  structOfKind,
  threeWayStrategicMerge,
} from '../kube/index.ts'

/** An object and the same without the fields that are ignored; undefined where a rule ignores all of it. */
export interface NormalizedObject {
  readonly manifest: Manifest
  readonly normalized: Manifest | undefined
}

/**
 * The target with the live object's values at every ignored field, so that a sync leaves those alone
 * (`RespectIgnoreDifferences=true`). Built-in kinds are merged strategically, others by RFC 7386. `status` is never
 * taken over: under server-side apply it would become ours.
 *
 * Throws CompareError PATCH_FAILED where the live object does not fit its kind.
 *
 * Source: argo-cd v3.5.1 controller/sync.go normalizeTargetResources
 */
export function keepIgnored(target: NormalizedObject, live: NormalizedObject): Manifest {
  if (target.normalized === undefined) return target.manifest
  const before = withoutStatus(live.normalized ?? {})
  const after = withoutStatus(live.manifest)
  const kind = { apiVersion: target.normalized.apiVersion, kind: target.normalized.kind }
  const merged =
    structOfKind(kind.apiVersion, kind.kind) === undefined
      ? (mergePatch(target.normalized, createMergePatch(before, after) ?? {}) as JsonObject)
      : applyStrategicMerge(
          target.normalized,
          threeWayStrategicMerge({ original: after, modified: after, current: before, kind }),
          kind,
        )
  return repair(merged, target.manifest, target.normalized, live.normalized ?? {}) as Manifest
}

function withoutStatus(manifest: JsonObject): JsonObject {
  const { status: _status, ...rest } = manifest
  return rest
}

/**
 * A field that strategic merge replaces as a whole drags its neighbours along. What the rules left alone in the target
 * gets its own value back, and what they left alone in the live object and the target does not have goes again.
 */
function repair(
  merged: JsonObject,
  target: JsonObject,
  normalized: JsonObject,
  normalizedLive: JsonObject,
): JsonObject {
  const out: { [key: string]: Json } = { ...merged }
  for (const key of Object.keys(target)) {
    const [own, rest, now] = [target[key], fieldOf(normalized, key), fieldOf(merged, key)]
    if (isObject(own) && isObject(rest) && isObject(now)) {
      const liveRest = fieldOf(normalizedLive, key)
      defineKey(out, key, repair(now, own, rest, isObject(liveRest) ? liveRest : {}))
    } else if (rest !== undefined && deepEqual(rest, own) && !deepEqual(now, own)) {
      defineKey(out, key, own as Json)
    }
  }
  for (const key of Object.keys(merged)) {
    if (!Object.hasOwn(target, key) && Object.hasOwn(normalizedLive, key)) delete out[key]
  }
  return out
}

function fieldOf(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
