import { isLitecdError } from '../../errors/index.ts'
import { getPath, isObject, type JsonObject, mergePatch, setPath } from '../../json/index.ts'
import { encodeBase64, textToBytes } from '../../text/index.ts'
import { withDefaults } from '../defaults/index.ts'
import { groupOf, type Manifest } from '../manifest.ts'
import { applyStrategicMerge, threeWayJsonMerge, threeWayStrategicMerge } from '../merge/index.ts'
import { structOfKind, throughStruct } from '../schema/index.ts'
import type { FrozenChange } from './rule.ts'
import { frozenRules } from './rules.ts'

export type { FrozenChange } from './rule.ts'

export interface FrozenInput {
  readonly live: Manifest
  readonly target: Manifest
  /**
   * What was applied last: fields of it that the target has no more are taken out. Undefined where nothing is known,
   * so that nothing is.
   */
  readonly original: JsonObject | undefined
  /** The target takes the place of the live object as a whole, instead of being merged into it. */
  readonly replaces: boolean
  /** For claims: their class lets them grow; undefined where that is not known. */
  readonly expands?: boolean | undefined
}

/**
 * The fields of a built-in kind that a write would change although they are fixed once an object is made, in the API
 * server's words. Empty where the write passes, as far as this is about such fields, and for kinds that have none.
 *
 * Both sides are compared as Kubernetes 1.36 holds them: with defaults, quantities by their value. What admission or a
 * controller fills in (a claim's class, a Service's address) is not known where `live` is a manifest; such a change is
 * not `certain`.
 */
export function frozenChanges(input: FrozenInput): readonly FrozenChange[] {
  const { live, target } = input
  const rule = frozenRules[`${groupOf(target.apiVersion)}/${target.kind}`]
  if (rule === undefined || live === target) return []
  const before = withStatusOf(live, held(live, target))
  const after = held(outcomeOf({ ...input, live: before as Manifest }), target)
  return rule(before, after, { expands: input.expands })
}

/** Defaults say nothing about a status that nobody has seen. */
function withStatusOf(live: Manifest, object: JsonObject): JsonObject {
  const { status: _status, ...rest } = object
  return live['status'] === undefined ? rest : { ...rest, status: live['status'] }
}

function held(given: JsonObject, { apiVersion, kind }: Manifest): JsonObject {
  const object = kind === 'Secret' ? withPlainData(given) : given
  const struct = structOfKind(apiVersion, kind)
  if (struct === undefined) return object
  const typed = throughStruct(object, struct, { strict: false, fields: 'held' })
  return typed === undefined ? object : withDefaults(typed, struct)
}

/** The server keeps no `stringData`. */
function withPlainData(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret
  if (!isObject(stringData)) return secret
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    encodeBase64(textToBytes(String(value))),
  ])
  const data = isObject(rest['data']) ? rest['data'] : {}
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } }
}

/** The object as it would be stored. */
function outcomeOf({ live, target, original, replaces }: FrozenInput): JsonObject {
  if (replaces) return withAllocated(target, live)
  const { apiVersion, kind } = target
  const versions = { original: original ?? {}, modified: target, current: live }
  try {
    if (structOfKind(apiVersion, kind) === undefined) {
      return mergePatch(live, threeWayJsonMerge(versions)) as JsonObject
    }
    const patch = threeWayStrategicMerge({ ...versions, kind: { apiVersion, kind } })
    return applyStrategicMerge(live, patch, { apiVersion, kind })
  } catch (error) {
    // where no patch can be made, this is not the place to say so
    if (!isLitecdError(error)) throw error
    return target
  }
}

const allocated: { readonly [groupKind: string]: readonly (readonly string[])[] } = {
  '/Service': [
    ['spec', 'clusterIP'],
    ['spec', 'clusterIPs'],
    ['spec', 'ipFamilies'],
    ['spec', 'ipFamilyPolicy'],
  ],
  '/PersistentVolumeClaim': [
    ['spec', 'volumeName'],
    ['spec', 'storageClassName'],
  ],
}

/** An update that leaves out what the server allots keeps it. */
function withAllocated(target: Manifest, live: Manifest): Manifest {
  let result = target
  for (const path of allocated[`${groupOf(target.apiVersion)}/${target.kind}`] ?? []) {
    const value = getPath(live, ...path)
    if (value !== undefined && getPath(target, ...path) === undefined) {
      result = setPath(result, path, value)
    }
  }
  return result
}
