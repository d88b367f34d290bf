import type { Json, JsonObject } from '../../../json/index.ts'
import type { GoRegexp } from '../../../text/index.ts'

/** Drafts by their number; 2019 and 2020 are 2019-09 and 2020-12. */
export type Draft = 4 | 6 | 7 | 2019 | 2020

/** A schema made ready. Which keywords are read depends on the draft. */
export interface Schema {
  /** Absolute URL with the pointer as fragment. */
  readonly location: string
  readonly draft: Draft
  /** Set for `true`, `false` and `{}`. */
  bool?: boolean
  ref?: Schema
  recursiveRef?: Schema
  recursiveAnchor?: boolean
  dynamicRef?: { readonly target: Schema; readonly anchor: string }
  dynamicAnchor?: string
  /** The schema of the resource that it belongs to, for dynamic references. */
  resource: Schema
  dynamicAnchors?: Map<string, Schema>
  types?: readonly string[]
  constant?: { readonly value: Json }
  enumeration?: readonly Json[]
  format?: string
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  not?: Schema
  condition?: Schema
  then?: Schema
  otherwise?: Schema
  properties?: ReadonlyMap<string, Schema>
  patternProperties?: readonly { readonly regexp: GoRegexp; readonly schema: Schema }[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  dependencies?: ReadonlyMap<string, readonly string[] | Schema>
  dependentSchemas?: ReadonlyMap<string, Schema>
  dependentRequired?: ReadonlyMap<string, readonly string[]>
  unevaluatedProperties?: Schema
  required?: readonly string[]
  minProperties?: number
  maxProperties?: number
  /** One schema for all, or one for each place (drafts before 2020). */
  items?: Schema | readonly Schema[]
  additionalItems?: boolean | Schema
  prefixItems?: readonly Schema[]
  items2020?: Schema
  contains?: Schema
  minContains?: number
  maxContains?: number
  unevaluatedItems?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: GoRegexp
  minimum?: number | bigint
  maximum?: number | bigint
  exclusiveMinimum?: number | bigint
  exclusiveMaximum?: number | bigint
  multipleOf?: number | bigint
  /** Whether every property or item counts as evaluated here, for `unevaluated…`. */
  allPropertiesEvaluated: boolean
  allItemsEvaluated: boolean
  itemsEvaluated: number
}

export type SchemaSource = JsonObject | boolean
