import { CompareError } from '../errors/index.ts'
import { getPath, isObject, type Json, type JsonObject } from '../json/index.ts'
import { groupOf, type Manifest, versionOf } from '../kube/index.ts'

/** Reads of a live object as Go's typed structs give them: absent numbers are 0, absent texts ''. */
export interface Typed {
  number(...path: readonly string[]): number
  /** Undefined when absent: for Go's pointers. */
  optionalNumber(...path: readonly string[]): number | undefined
  text(...path: readonly string[]): string
  flag(...path: readonly string[]): boolean
  object(...path: readonly string[]): JsonObject | undefined
  list(...path: readonly string[]): readonly JsonObject[]
}

/**
 * A typed view of an object. Reading a field of a wrong JSON type throws CompareError DIFF_FAILED with
 * `failed to convert unstructured <what> to typed: …`, which Argo CD turns into health Unknown.
 */
export function typed(live: Manifest, what: string): Typed {
  const wrong = (path: readonly string[], value: Json): never => {
    const kind = Array.isArray(value) ? 'array' : typeof value
    throw new CompareError(
      'DIFF_FAILED',
      `failed to convert unstructured ${what} to typed: .${path.join('.')} is ${kind}`,
    )
  }
  const read = <T>(
    path: readonly string[],
    fits: (value: Json) => value is Json & T,
  ): T | undefined => {
    const value = getPath(live, ...path)
    if (value === undefined || value === null) return undefined
    return fits(value) ? value : wrong(path, value)
  }
  const isNumber = (value: Json): value is number => typeof value === 'number'
  const isText = (value: Json): value is string => typeof value === 'string'
  const isFlag = (value: Json): value is boolean => typeof value === 'boolean'
  const isList = (value: Json): value is readonly JsonObject[] =>
    Array.isArray(value) && value.every((item) => item === null || isObject(item))
  return {
    number: (...path) => read(path, isNumber) ?? 0,
    optionalNumber: (...path) => read(path, isNumber),
    text: (...path) => read(path, isText) ?? '',
    flag: (...path) => read(path, isFlag) ?? false,
    object: (...path) => read(path, isObject as (value: Json) => value is JsonObject),
    list: (...path) => (read(path, isList) ?? []).map((item) => item ?? {}),
  }
}

/** Throws `unsupported <what> GVK: …` unless the object's version is one of `versions`. */
export function requireVersion(live: Manifest, what: string, versions: readonly string[]): void {
  const version = versionOf(live.apiVersion)
  if (versions.includes(version)) return
  throw new CompareError(
    'DIFF_FAILED',
    `unsupported ${what} GVK: ${groupOf(live.apiVersion)}/${version}, Kind=${live.kind}`,
  )
}

export function textOf(object: JsonObject | undefined, field: string): string {
  const value = object?.[field]
  return typeof value === 'string' ? value : ''
}
