import { RenderError } from '../../../errors/index.ts'
import { defineKey, isObject, type Json, type JsonObject } from '../../../json/index.ts'
import { convertPrefix, parseYaml, splitYamlDocuments } from '../../../yaml/index.ts'

/**
 * Values from a text: every document a map, later ones merged over earlier ones.
 *
 * Throws YAML_INVALID with Helm's text. Source: helm v4.2.1 pkg/chart/loader LoadValues
 */
export function parseValues(text: string, path?: string): JsonObject {
  let values: JsonObject = {}
  for (const piece of splitYamlDocuments(text)) {
    if (piece.badSeparator !== undefined) {
      throw new RenderError(
        'YAML_INVALID',
        `error reading yaml document: invalid Yaml document separator: ${piece.badSeparator}`,
        path === undefined ? {} : { position: { path, line: piece.line } },
      )
    }
    values = mergeMaps(values, documentOf(piece.text, piece.line, path))
  }
  return values
}

function documentOf(text: string, line: number, path: string | undefined): JsonObject {
  const head = 'cannot unmarshal yaml document: '
  const json = parseYaml(text, { numbers: 'float64', prefix: head + convertPrefix, path, line })
  if (json === null) return {}
  if (isObject(json)) return json
  throw new RenderError(
    'YAML_INVALID',
    `${head}error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kindOf(json)} into Go value of type map[string]interface {}`,
    path === undefined ? {} : { position: { path, line } },
  )
}

function kindOf(json: Json): string {
  if (Array.isArray(json)) return 'array'
  return typeof json === 'boolean' ? 'bool' : typeof json === 'string' ? 'string' : 'number'
}

/** Maps merged at every depth; anything else of `over` replaces, null too. */
export function mergeMaps(under: JsonObject, over: JsonObject): JsonObject {
  if (Object.keys(under).length === 0) return over
  const out: { [key: string]: Json } = { ...under }
  for (const key of Object.keys(over)) {
    const value = over[key]!
    const old = Object.hasOwn(out, key) ? out[key] : undefined
    defineKey(out, key, isObject(value) && isObject(old) ? mergeMaps(old, value) : value)
  }
  return out
}
