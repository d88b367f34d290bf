import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import { type DefinitionField, definitionOf, fieldsOf } from './facts/index.ts'

/** What a strategic merge asks about a field. */
export interface Schema {
  /** Of a map: the schema of a field. */
  field(name: string): Schema | undefined
  /** Of a list: the schema of its elements. */
  elements(): Schema | undefined
  /** Of a list that merges: its keys, none for a list of scalars. */
  readonly mergeKeys: readonly string[] | undefined
}

/** All types of one build. */
export interface Schemas {
  type(apiVersion: string, kind: string): Schema | undefined
  /** A schema written in a comment. */
  inline(schema: JsonObject): Schema
}

/** A definition of the built-in table, or a field of one. */
class BuiltIn implements Schema {
  readonly mergeKeys: readonly string[] | undefined
  private readonly definition: string | undefined
  private readonly isMap: boolean
  private fields: Map<string, BuiltIn> | undefined

  constructor(field: Omit<DefinitionField, 'name'>) {
    this.definition = field.definition
    this.mergeKeys = field.mergeKeys
    this.isMap = field.isMap
  }

  field(name: string): Schema | undefined {
    if (this.definition === undefined) return undefined
    if (this.isMap) return definition(this.definition)
    this.fields ??= new Map(
      fieldsOf(this.definition).map((field) => [field.name, new BuiltIn(field)]),
    )
    return this.fields.get(name)
  }

  elements(): Schema | undefined {
    return this.definition === undefined ? undefined : definition(this.definition)
  }
}

const known = new Map<string, BuiltIn>()

function definition(name: string): Schema {
  let schema = known.get(name)
  if (schema === undefined) {
    schema = new BuiltIn({ definition: name, mergeKeys: undefined, isMap: false })
    known.set(name, schema)
  }
  return schema
}

function builtInType(apiVersion: string, kind: string): Schema | undefined {
  const name = definitionOf(apiVersion, kind)
  return name === undefined ? undefined : definition(name)
}

export const builtInSchemas: Schemas = {
  type: builtInType,
  inline: (schema) => new OpenApi(schema, {}),
}

/** An OpenAPI v2 schema. */
class OpenApi implements Schema {
  private readonly schema: JsonObject
  private readonly definitions: JsonObject

  constructor(schema: JsonObject, definitions: JsonObject) {
    this.schema = schema
    this.definitions = definitions
  }

  private follow(schema: Json | undefined): OpenApi | undefined {
    let found = schema
    for (let steps = 0; steps < 100; steps++) {
      if (!isObject(found)) return undefined
      const ref = found['$ref']
      if (typeof ref !== 'string') return new OpenApi(found, this.definitions)
      found = this.definitions[ref.replace('#/definitions/', '')]
    }
    return undefined
  }

  field(name: string): Schema | undefined {
    const properties = this.schema['properties']
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      return this.follow(properties[name])
    }
    return this.follow(this.schema['additionalProperties'])
  }

  elements(): Schema | undefined {
    const { type } = this.schema
    const isArray = type === 'array' || (Array.isArray(type) && type[0] === 'array')
    return isArray ? this.follow(this.schema['items']) : undefined
  }

  get mergeKeys(): readonly string[] | undefined {
    const strategy = this.schema['x-kubernetes-patch-strategy']
    if (typeof strategy !== 'string' || !strategy.split(',').includes('merge')) return undefined
    const list = this.schema['x-kubernetes-list-map-keys']
    if (Array.isArray(list)) return list.filter((key) => typeof key === 'string')
    const key = this.schema['x-kubernetes-patch-merge-key']
    return typeof key === 'string' ? [key] : []
  }
}

/** The types of an OpenAPI v2 document that stands in for the built-in ones. */
export function openApiSchemas(document: JsonObject): Schemas {
  const definitions = isObject(document['definitions']) ? document['definitions'] : {}
  const types = new Map<string, JsonObject>()
  for (const definition of Object.values(definitions)) {
    if (!isObject(definition)) continue
    const gvks = definition['x-kubernetes-group-version-kind']
    for (const gvk of Array.isArray(gvks) ? (gvks as readonly Json[]) : []) {
      if (!isObject(gvk)) continue
      const group = String(gvk['group'] ?? '')
      const version = String(gvk['version'] ?? '')
      const apiVersion = group === '' ? version : `${group}/${version}`
      types.set(`${apiVersion} ${String(gvk['kind'] ?? '')}`, definition)
    }
  }
  return {
    type: (apiVersion, kind) => {
      const schema = types.get(`${apiVersion} ${kind}`)
      return schema === undefined ? undefined : new OpenApi(schema, definitions)
    },
    inline: (schema) => new OpenApi(schema, definitions),
  }
}
