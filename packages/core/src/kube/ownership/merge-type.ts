import type { Json } from '../../json/index.ts'

export type MergeScalar = 'numeric' | 'string' | 'boolean' | 'untyped'

/**
 * How server-side apply treats a value: what it may be, and of maps and lists what is owned as one. A type may allow
 * several shapes; the value then decides.
 */
export interface MergeType {
  readonly scalar?: MergeScalar
  readonly list?: MergeList
  readonly map?: MergeMap
}

export interface MergeList {
  readonly item: MergeType
  /** `set`: items are owned by their value; `keyed`: by the fields of `keys`; `atomic`: the list as one. */
  readonly ownership: 'atomic' | 'set' | 'keyed'
  readonly keys: readonly string[]
}

export interface MergeMap {
  readonly atomic: boolean
  /** A field that the schema names; undefined for others. */
  field(name: string): MergeType | undefined
  /** The type of all other keys; undefined when there may be none. */
  readonly rest: MergeType | undefined
  /** No field is named, and anything may be in it: ownership is never adapted to its schema. */
  readonly deduced: boolean
  /** What completes a list key that an item does not have, such as `TCP` for a port's protocol. */
  keyDefault(name: string): Json | undefined
}

const noField = (): undefined => undefined

/** A map that names no fields. */
export function mapOf(rest: MergeType, options: { atomic?: boolean; deduced?: boolean }): MergeMap {
  return {
    atomic: options.atomic ?? false,
    field: noField,
    rest,
    deduced: options.deduced ?? false,
    keyDefault: noField,
  }
}

export function atomicList(item: MergeType): MergeList {
  return { item, ownership: 'atomic', keys: [] }
}

/** Any value, owned as one. */
export const untyped: MergeType = {
  scalar: 'untyped',
  get list(): MergeList {
    return atomicList(untyped)
  },
  get map(): MergeMap {
    return mapOf(untyped, { atomic: true })
  },
}

/** Any value, for objects without a schema: maps are owned key by key, lists as one. */
export const deducedType: MergeType = {
  scalar: 'untyped',
  get list(): MergeList {
    return atomicList(untyped)
  },
  get map(): MergeMap {
    return mapOf(deducedType, { deduced: true })
  },
}

export const untypedScalar: MergeType = { scalar: 'untyped' }
