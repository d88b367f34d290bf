import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { MergeList, MergeMap, MergeScalar, MergeType } from './merge-type.ts'

/** The shapes of a type that a value can have; all of them where the value is null or of none. */
export function narrowed(type: MergeType, value: Json | undefined): MergeType {
  if (value === undefined || value === null) return type
  if (Array.isArray(value)) return type.list === undefined ? type : { list: type.list }
  if (isObject(value)) return type.map === undefined ? type : { map: type.map }
  return type.scalar === undefined ? type : { scalar: type.scalar }
}

export type Shape =
  | { readonly kind: 'map'; readonly map: MergeMap }
  | { readonly kind: 'scalar'; readonly scalar: MergeScalar }
  | { readonly kind: 'list'; readonly list: MergeList }

/** The one shape that a value is handled as. */
export function shapeOf(type: MergeType): Shape | undefined {
  if (type.map !== undefined) return { kind: 'map', map: type.map }
  if (type.scalar !== undefined) return { kind: 'scalar', scalar: type.scalar }
  return type.list && { kind: 'list', list: type.list }
}

export function shapeFor(type: MergeType, value: Json | undefined): Shape | undefined {
  return shapeOf(narrowed(type, value))
}

export function asMap(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function asList(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? (value as readonly Json[]) : undefined
}
