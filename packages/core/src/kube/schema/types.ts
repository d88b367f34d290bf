import type { Json } from '../../json/index.ts'

/** What the Go type of a field makes of JSON. `raw` is any JSON, kept as it is. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'bytes'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'raw'
  | 'fields'

export type FieldType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarType }
  | { readonly kind: 'pointer'; readonly to: FieldType }
  | { readonly kind: 'list'; readonly of: FieldType }
  | { readonly kind: 'map'; readonly of: FieldType }
  | { readonly kind: 'struct'; readonly struct: StructType }

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly omitEmpty: boolean
  readonly omitZero: boolean
  /** Strategic merge: 'merge' for lists merged by key or as sets, 'replace' for atomic maps, '' for the default. */
  readonly patchStrategy: 'merge' | 'replace' | ''
  /** Strategic merge: a patch names all keys that may stay. */
  readonly retainKeys: boolean
  /** Strategic merge: the key of list elements; '' for lists of scalars and for all else. */
  readonly mergeKey: string
  /**
   * Server-side apply: how the value is owned. Lists: 'atomic' (the default), 'set', or 'keyed' by `listKeys`; maps and
   * structs: 'granular' (the default) or 'atomic'. Undefined leaves it to the type.
   */
  readonly ownership: 'atomic' | 'set' | 'keyed' | 'granular' | undefined
  readonly listKeys: readonly string[]
  /** The default that completes a list key, such as `TCP` for a port's protocol. */
  readonly keyDefault: Json | undefined
}

/** One Go struct of the Kubernetes API. */
export interface StructType {
  /** `core/v1.Container` */
  readonly name: string
  /** Server-side apply: false when client-go's own merge schema does not have it. */
  readonly hasMergeSchema: boolean
  /** Server-side apply: the whole struct is owned at once. */
  readonly atomic: boolean
  readonly fields: readonly Field[]
  /** By JSON name, or as Go's decoder finds it: by a name that differs in case only. */
  field(name: string): Field | undefined
}
