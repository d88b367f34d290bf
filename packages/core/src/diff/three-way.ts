import { annotationLastApplied } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import {
  deepEqual,
  deletePath,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  mergePatch,
  parseJson,
  setPath,
} from '../json/index.ts'
import {
  annotationsOf,
  applyStrategicMerge,
  groupOf,
  type Manifest,
  threeWayJsonMerge,
  threeWayStrategicMerge,
} from '../kube/index.ts'
import { withContext } from './context.ts'
import { addDefaults } from './defaults.ts'
import { pruneList, pruneTo, structOf } from './remarshal.ts'

/** What live is, and what it would be after the target was applied. */
export interface Prediction {
  readonly modified: boolean
  readonly normalizedLive: Manifest
  readonly predictedLive: Manifest
}

export function prediction(normalizedLive: JsonObject, predictedLive: JsonObject): Prediction {
  return {
    modified: !deepEqual(normalizedLive, predictedLive),
    normalizedLive: normalizedLive as Manifest,
    predictedLive: predictedLive as Manifest,
  }
}

/**
 * What `kubectl apply` would make of `live`, given what was applied last: the kind of `original` decides whether its
 * patch is a strategic merge with defaults (built-in kinds) or a JSON merge.
 *
 * Throws CompareError PATCH_FAILED where no patch can be made.
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go ThreeWayDiff
 */
export function threeWayDiff(
  original: JsonObject,
  target: JsonObject,
  live: JsonObject,
): Prediction {
  const before = withoutPlace(original)
  const modified = withoutPlace(target)
  const struct = structOf(original)
  if (struct === undefined) {
    const current = pruneTo(before, live)
    const patch = threeWayJsonMerge({ original: before, modified, current })
    return prediction(live, mergePatch(live, patch) as JsonObject)
  }
  const { apiVersion, kind } = original as Manifest
  const gvk = { apiVersion, kind }
  const current = withPlainClaims(before, live)
  // the misspelled word is Argo CD's
  const patch = withContext('failed to construct thre way merge patch', () =>
    threeWayStrategicMerge({ original: before, modified, current, kind: gvk }),
  )
  if (Object.keys(patch).length === 0) {
    const normalizedLive = addDefaults(live, gvk, 'predicted')
    return prediction(normalizedLive, normalizedLive)
  }
  const applied = withContext('failed to construct strategic merge patch', () =>
    applyStrategicMerge(live, patch, gvk),
  )
  const predicted = addDefaults(applied, gvk, 'predicted')
  return prediction(addDefaults(live, gvk, 'live'), predicted)
}

/** Without last-applied: the target stands for it, so nothing is ever seen as removed. */
export function twoWayDiff(target: JsonObject, live: JsonObject): Prediction {
  return threeWayDiff(target, target, live)
}

/** Targets often have no namespace; live objects do, and with an empty map of annotations it is the same. */
function withoutPlace(object: JsonObject): JsonObject {
  const result = deletePath(object, 'metadata', 'namespace')
  const metadata = result['metadata']
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'annotations')) return result
  const annotations = metadata['annotations']
  const isEmpty =
    annotations === null || (isObject(annotations) && Object.keys(annotations).length === 0)
  return isEmpty ? deletePath(result, 'metadata', 'annotations') : result
}

/** The API server gives volume claim templates defaults that nobody else knows; they are not compared. */
function withPlainClaims(original: JsonObject, live: JsonObject): JsonObject {
  const { apiVersion, kind } = original as Manifest
  const group = groupOf(apiVersion)
  if (kind !== 'StatefulSet' || (group !== 'apps' && group !== 'extensions')) return live
  const path = ['spec', 'volumeClaimTemplates'] as const
  const wanted = getPath(original, ...path)
  const claims = getPath(live, ...path)
  if (!Array.isArray(wanted) || !Array.isArray(claims)) return live
  return setPath(live, path, pruneList(wanted, claims) as Json)
}

/**
 * What was applied last, from the annotation that kubectl leaves. Undefined when there is none; 'unreadable' when it
 * holds no object.
 */
export function lastAppliedOf(live: JsonObject): Manifest | 'unreadable' | undefined {
  const text = annotationsOf(live)[annotationLastApplied]
  if (text === undefined) return undefined
  try {
    const value = parseJson(text)
    const isManifest = isObject(value) && typeof value['kind'] === 'string' && value['kind'] !== ''
    return isManifest ? (value as Manifest) : 'unreadable'
  } catch (error) {
    if (error instanceof SyntaxError || isLitecdError(error)) return 'unreadable'
    throw error
  }
}
