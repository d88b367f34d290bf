import { RenderError } from '../../../errors/index.ts'
import { defineKey, isObject, type Json, type JsonObject } from '../../../json/index.ts'
import { formatFloat } from '../../../text/index.ts'
import { convertPrefix, parseYaml, type WantedKeys } from '../../../yaml/index.ts'

/** The Go type that a YAML document is read into. */
export type Shape =
  | { readonly type: 'string' | 'bool' | 'any' | 'time' }
  | { readonly type: 'list'; readonly of: Shape; readonly go: string }
  | { readonly type: 'map'; readonly of: Shape; readonly go: string }
  | {
      readonly type: 'struct'
      /** The name that errors show; '' for an anonymous struct. */
      readonly name: string
      /** The whole type, where errors show it. */
      readonly go: string
      readonly fields: { readonly [key: string]: Shape }
    }

type Struct = Shape & { readonly type: 'struct' }

const unmarshalPrefix = 'error unmarshaling JSON: while decoding JSON: '

/**
 * The first document of a YAML text as `yaml.Unmarshal` of sigs.k8s.io/yaml reads it into a Go struct: keys matched
 * without regard to case, scalars turned into text where text is wanted, the first mismatch reported at the end.
 *
 * Absent and null fields are left out. Throws YAML_INVALID with Go's text.
 */
export function decodeYaml(text: string, shape: Shape, path?: string): JsonObject {
  const keys = wantedKeys(shape)
  const wanted = keys === true ? undefined : keys
  const json = parseYaml(text, { prefix: convertPrefix, path, wanted })
  const decoder = new Decoder()
  const value = decoder.decode(json, shape, undefined, [])
  if (decoder.issue !== undefined) {
    throw new RenderError('YAML_INVALID', unmarshalPrefix + decoder.issue, {
      ...(path === undefined ? {} : { position: { path } }),
    })
  }
  return isObject(value) ? value : {}
}

function wantedKeys(shape: Shape): WantedKeys | true {
  if (shape.type !== 'struct') return true
  return (key) => {
    const field = fieldOf(shape, key)
    return field !== undefined && wantedKeys(shape.fields[field]!)
  }
}

function fieldOf(shape: Struct, key: string): string | undefined {
  if (Object.hasOwn(shape.fields, key)) return key
  const folded = key.toLowerCase()
  return Object.keys(shape.fields).find((name) => name.toLowerCase() === folded)
}

class Decoder {
  issue: string | undefined

  decode(
    json: Json,
    shape: Shape,
    struct: string | undefined,
    field: readonly string[],
  ): Json | undefined {
    if (json === null) return undefined
    switch (shape.type) {
      case 'any':
        return json
      case 'bool':
        return typeof json === 'boolean' ? json : this.mismatch(json, 'bool', struct, field)
      case 'string':
      case 'time':
        if (typeof json === 'string') return json
        if (typeof json === 'object') return this.mismatch(json, 'string', struct, field)
        return scalarText(json)
      case 'list':
        if (!Array.isArray(json)) return this.mismatch(json, shape.go, struct, field)
        return json.map((item) => this.decode(item, shape.of, struct, field) ?? zero(shape.of))
      case 'map': {
        if (!isObject(json)) return this.mismatch(json, shape.go, struct, field)
        const out: { [key: string]: Json } = {}
        for (const [key, item] of Object.entries(json)) {
          defineKey(out, key, this.decode(item, shape.of, struct, field) ?? zero(shape.of))
        }
        return out
      }
      case 'struct':
        if (!isObject(json)) return this.mismatch(json, shape.go, struct, field)
        return this.struct(json, shape, field)
    }
  }

  private struct(json: JsonObject, shape: Struct, field: readonly string[]): JsonObject {
    const out: { [key: string]: Json } = {}
    for (const key of Object.keys(json).sort()) {
      const name = fieldOf(shape, key)
      if (name === undefined) continue
      const value = this.decode(json[key]!, shape.fields[name]!, shape.name, [...field, name])
      if (value !== undefined) out[name] = value
    }
    return out
  }

  private mismatch(
    json: Json,
    go: string,
    struct: string | undefined,
    field: readonly string[],
  ): undefined {
    const where =
      struct === undefined
        ? `Go value of type ${go}`
        : `Go struct field ${struct}.${field.join('.')} of type ${go}`
    this.issue ??= `json: cannot unmarshal ${kindOf(json)} into ${where}`
    return undefined
  }
}

/** What a null element leaves behind: nil for what can be nil, else the zero value. */
function zero(shape: Shape): Json {
  return shape.type === 'string' ? '' : null
}

function kindOf(json: Json): string {
  if (Array.isArray(json)) return 'array'
  if (isObject(json)) return 'object'
  return typeof json === 'boolean' ? 'bool' : typeof json === 'string' ? 'string' : 'number'
}

/** A scalar as text: floats are printed as 32-bit ones. */
export function scalarText(json: number | bigint | boolean): string {
  if (typeof json !== 'number' || Number.isInteger(json)) return String(json)
  for (let precision = 1; precision <= 9; precision++) {
    const short = Number(json.toPrecision(precision))
    if (Math.fround(short) === Math.fround(json)) return formatFloat(short, 'g', -1)
  }
  return formatFloat(json, 'g', -1)
}
