import { CompareError } from '../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
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
  return new TypedView(live, what)
}

class TypedView implements Typed {
  private readonly live: Manifest
  private readonly what: string

  constructor(live: Manifest, what: string) {
    this.live = live
    this.what = what
  }

  number(...path: readonly string[]): number {
    return this.optionalNumber(...path) ?? 0
  }

  optionalNumber(...path: readonly string[]): number | undefined {
    const value = this.at(path)
    return value === undefined || typeof value === 'number' ? value : this.wrong(path, value)
  }

  text(...path: readonly string[]): string {
    const value = this.at(path) ?? ''
    return typeof value === 'string' ? value : this.wrong(path, value)
  }

  flag(...path: readonly string[]): boolean {
    const value = this.at(path) ?? false
    return typeof value === 'boolean' ? value : this.wrong(path, value)
  }

  object(...path: readonly string[]): JsonObject | undefined {
    const value = this.at(path)
    return value === undefined || isObject(value) ? value : this.wrong(path, value)
  }

  list(...path: readonly string[]): readonly JsonObject[] {
    const value = this.at(path) ?? []
    const fits =
      Array.isArray(value) && value.every((item: Json) => item === null || isObject(item))
    if (!fits) return this.wrong(path, value)
    return value.map((item: Json) => (item ?? {}) as JsonObject)
  }

  private at(path: readonly string[]): Json | undefined {
    let current: Json | undefined = this.live
    for (const field of path) {
      if (typeof current !== 'object' || current === null) return undefined
      const holder = current as { readonly [field: string]: Json }
      current = Object.hasOwn(holder, field) ? holder[field] : undefined
    }
    return current ?? undefined
  }

  private wrong(path: readonly string[], value: Json): never {
    const kind = Array.isArray(value) ? 'array' : typeof value
    throw new CompareError(
      'DIFF_FAILED',
      `failed to convert unstructured ${this.what} to typed: .${path.join('.')} is ${kind}`,
    )
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
