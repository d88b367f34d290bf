import type { JsonObject } from '../../json/index.ts'
import type { FieldType } from '../schema/index.ts'

/**
 * Additions and changes are found between `current` and `wanted`, deletions between `previous` and `wanted`. Without
 * `current` all of `wanted` is new; without `previous` nothing is deleted.
 */
export interface Versions<T> {
  readonly current: T | undefined
  readonly previous: T | undefined
  readonly wanted: T
}

export interface ObjectPatch {
  readonly patch: JsonObject
  /** True when the comparison with `current` gave something, ordering directives included. */
  readonly adds: boolean
  /** True when the comparison with `previous` gave something. */
  readonly deletes: boolean
}

/** Compares objects of a type; the function that the list code calls for each item. */
export type DiffObjects = (
  versions: Versions<JsonObject>,
  type: FieldType,
  retainKeys: boolean,
) => ObjectPatch
