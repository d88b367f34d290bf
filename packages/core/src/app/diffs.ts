import type { Adapters } from '../adapters/index.ts'
import { type Application, annotationLastApplied, type Settings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import {
  deepEqual,
  deletePath,
  isObject,
  type JsonObject,
  mergePatch,
  parseJson,
} from '../json/index.ts'
import { annotationsOf, type Manifest } from '../kube/index.ts'
import {
  applyStrategicMerge,
  threeWayJsonMerge,
  threeWayStrategicMerge,
} from '../kube/merge/index.ts'
import { structOfKind } from '../kube/schema/index.ts'
import type { Pair } from './compare.ts'

/** For each pair whether target and live differ. */
export async function diffResources(
  pairs: readonly Pair[],
  _app: Application,
  _settings: Settings,
  _adapters: Adapters,
): Promise<readonly boolean[]> {
  return pairs.map(({ target, live }) => {
    if (target === undefined) return false
    if (live === undefined) return true
    return differs(strip(target), strip(live))
  })
}

function strip(manifest: Manifest): Manifest {
  return deletePath(deletePath(manifest, 'metadata', 'creationTimestamp'), 'status')
}

function differs(target: Manifest, live: Manifest): boolean {
  const original = lastApplied(live) ?? target
  const kind = { apiVersion: target.apiVersion, kind: target.kind }
  const input = { original: noNamespace(original), modified: noNamespace(target), current: live }
  const predicted =
    structOfKind(kind.apiVersion, kind.kind) === undefined
      ? mergePatch(live, threeWayJsonMerge(input))
      : applyStrategicMerge(live, threeWayStrategicMerge({ ...input, kind }), kind)
  return !deepEqual(predicted, live)
}

function noNamespace(manifest: JsonObject): Manifest {
  return deletePath(manifest as Manifest, 'metadata', 'namespace')
}

function lastApplied(live: Manifest): Manifest | undefined {
  const text = annotationsOf(live)[annotationLastApplied]
  if (text === undefined) return undefined
  try {
    const value = parseJson(text)
    return isObject(value) ? (value as Manifest) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isLitecdError(error)) return undefined
    throw error
  }
}
