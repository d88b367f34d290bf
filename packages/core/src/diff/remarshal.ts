import { isObject, type Json, type JsonObject } from '../json/index.ts'
import { type Manifest, structOfKind, throughStruct } from '../kube/index.ts'

/**
 * An object of a built-in kind in the form in which Kubernetes itself would write the fields that it has. One field that
 * its struct cannot hold (unknown, of another type, no quantity), and the object comes back as it is.
 *
 * Source: argo-cd v3.5.1 gitops-engine/pkg/diff/diff.go remarshal
 */
export function remarshal(manifest: Manifest): Manifest {
  const struct = structOf(manifest)
  if (struct === undefined) return manifest
  const typed = throughStruct(manifest, struct, { strict: true, fields: 'given' })
  return (typed ?? manifest) as Manifest
}

/** The struct behind an object; undefined for custom resources and for objects without a kind. */
export function structOf(manifest: JsonObject): ReturnType<typeof structOfKind> {
  const { apiVersion, kind } = manifest
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined
  return structOfKind(apiVersion, kind)
}

/** `live` without the keys that `wanted` does not have; in lists item by item, and items beyond `wanted` stay whole. */
export function pruneTo(wanted: JsonObject, live: JsonObject): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(wanted)) {
    if (Object.hasOwn(live, key)) out[key] = pruneValue(wanted[key] as Json, live[key] as Json)
  }
  return out
}

function pruneValue(wanted: Json, live: Json): Json {
  if (isObject(wanted) && isObject(live)) return pruneTo(wanted, live)
  if (Array.isArray(wanted) && Array.isArray(live)) return pruneList(wanted, live)
  return live
}

export function pruneList(wanted: readonly Json[], live: readonly Json[]): readonly Json[] {
  return live.map((item, i) => (i < wanted.length ? pruneValue(wanted[i] as Json, item) : item))
}
