import { defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { fail } from './fail.ts'

/** What Go's decoder expects: the shape of a struct. */
export type Shape =
  | 'string'
  | 'bool'
  | 'int'
  | 'int64'
  | 'any'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly fields: { readonly [name: string]: Shape }; readonly go?: string }

export interface ShapeOptions {
  /** Name of the struct, for messages. */
  readonly struct: string
  /** Refuse fields that the shape does not name. */
  readonly strict: boolean
}

/**
 * Reads a value as Go's encoding/json decodes it into structs: names ignore case, null leaves a field out, nothing is
 * converted.
 *
 * Errors: KUSTOMIZE_FAILED in Go's words.
 */
export function readShape(value: Json, shape: Shape, options: ShapeOptions): Json {
  return new Reader(options).read(value, shape, '') ?? {}
}

class Reader {
  private readonly options: ShapeOptions
  /** The innermost struct, which Go names in messages. */
  private inside: string

  constructor(options: ShapeOptions) {
    this.options = options
    this.inside = options.struct
  }

  /** undefined for null. */
  read(value: Json, shape: Shape, path: string): Json | undefined {
    if (value === null) return undefined
    if (shape === 'any') return value
    if (typeof shape === 'string') return this.scalar(value, shape, path)
    if ('list' in shape) {
      if (!Array.isArray(value)) return this.refuse(value, goType(shape), path)
      return value.map((item: Json) => this.read(item, shape.list, path) ?? zero(shape.list))
    }
    if (!isObject(value)) return this.refuse(value, goType(shape, this.options.struct), path)
    if ('map' in shape) return this.map(value, shape.map, path)
    const outside = this.inside
    if (path !== '') this.inside = shape.go?.replace('types.', '') ?? ''
    const read = this.struct(value, shape, path)
    this.inside = outside
    return read
  }

  private scalar(value: Json, shape: 'string' | 'bool' | 'int' | 'int64', path: string): Json {
    if (shape === 'string' && typeof value === 'string') return value
    if (shape === 'bool' && typeof value === 'boolean') return value
    if (shape === 'int' || shape === 'int64') {
      if (typeof value === 'bigint') return value
      if (typeof value === 'number' && Number.isInteger(value)) return value
      if (typeof value === 'number') {
        return fail(
          `json: cannot unmarshal number ${value} into Go struct field ${this.field(path)} of type ${shape}`,
        )
      }
    }
    return this.refuse(value, shape, path)
  }

  private map(value: JsonObject, shape: Shape, path: string): Json {
    const out: { [key: string]: Json } = {}
    for (const [key, item] of Object.entries(value)) {
      defineKey(out, key, this.read(item, shape, path) ?? zero(shape))
    }
    return out
  }

  private struct(
    value: JsonObject,
    shape: { readonly fields: { readonly [name: string]: Shape } },
    path: string,
  ): Json {
    const out: { [key: string]: Json } = {}
    for (const [key, item] of Object.entries(value)) {
      const name = Object.hasOwn(shape.fields, key)
        ? key
        : Object.keys(shape.fields).find((known) => known.toLowerCase() === key.toLowerCase())
      if (name === undefined) {
        if (this.options.strict) fail(`json: unknown field ${JSON.stringify(key)}`)
        continue
      }
      const read = this.read(item, shape.fields[name]!, path === '' ? name : `${path}.${name}`)
      if (read !== undefined) out[name] = read
    }
    return out
  }

  private field(path: string): string {
    return path === '' ? this.options.struct : `${this.inside}.${path}`
  }

  private refuse(value: Json, type: string, path: string): never {
    const found = Array.isArray(value)
      ? 'array'
      : typeof value === 'bigint'
        ? 'number'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value
    if (path === '') {
      return fail(`json: cannot unmarshal ${found} into Go value of type types.${type}`)
    }
    return fail(
      `json: cannot unmarshal ${found} into Go struct field ${this.field(path)} of type ${type}`,
    )
  }
}

function zero(shape: Shape): Json {
  if (shape === 'string') return ''
  if (shape === 'bool') return false
  if (shape === 'int' || shape === 'int64') return 0
  if (shape === 'any') return null
  return 'list' in shape ? [] : {}
}

function goType(shape: Shape, struct: string = 'struct'): string {
  if (typeof shape === 'object' && 'fields' in shape && shape.go !== undefined) return shape.go
  if (shape === 'any') return 'interface {}'
  if (typeof shape === 'string') return shape
  if ('list' in shape) return `[]${goType(shape.list)}`
  return 'map' in shape ? `map[string]${goType(shape.map)}` : struct
}
