import { getPath, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { structNamed } from '../schema/index.ts'
import { mergeTypeOfKind } from './kinds.ts'
import {
  atomicList,
  deducedType,
  type MergeList,
  type MergeMap,
  type MergeScalar,
  type MergeType,
  mapOf,
  untypedScalar,
} from './merge-type.ts'
import { structType } from './struct-types.ts'

/** The schema of a kind for server-side apply; undefined for kinds that nobody described. */
export type MergeTypes = (apiVersion: string, kind: string) => MergeType | undefined

/** The schemas of the built-in kinds and of the kinds that some CustomResourceDefinitions define. */
export function mergeTypesWith(definitions: Iterable<JsonObject>): MergeTypes {
  const schemas = new Map<string, { readonly definition: JsonObject; readonly schema: Json }>()
  for (const definition of definitions) {
    const [group, kind] = [
      getPath(definition, 'spec', 'group'),
      getPath(definition, 'spec', 'names', 'kind'),
    ]
    const versions = getPath(definition, 'spec', 'versions')
    if (typeof group !== 'string' || typeof kind !== 'string' || !Array.isArray(versions)) continue
    for (const version of versions as readonly Json[]) {
      if (!isObject(version) || typeof version['name'] !== 'string') continue
      const schema = getPath(version, 'schema', 'openAPIV3Schema') ?? null
      schemas.set(`${group}/${version['name']} ${kind}`, { definition, schema })
    }
  }
  const types = new Map<string, MergeType>()
  return (apiVersion, kind) => {
    const name = `${apiVersion} ${kind}`
    const known = mergeTypeOfKind(apiVersion, kind) ?? types.get(name)
    const found = schemas.get(name)
    if (known !== undefined || found === undefined) return known
    const keepsAll = getPath(found.definition, 'spec', 'preserveUnknownFields') === true
    const type = rootType(keepsAll ? null : found.schema)
    types.set(name, type)
    return type
  }
}

const anyObject: MergeType = { map: mapOf(deducedType, { deduced: true }) }
const text: MergeType = { scalar: 'string' }

/** What every object has. */
function ownFields(): { readonly [name: string]: MergeType } {
  return { apiVersion: text, kind: text, metadata: structType(structNamed('meta/v1.ObjectMeta')!) }
}

function rootType(schema: Json): MergeType {
  if (!isObject(schema) || schema['x-kubernetes-preserve-unknown-fields'] === true) return anyObject
  const map = new SchemaMap(schema, ownFields())
  return schema['nullable'] === true ? deducedType : { map }
}

/**
 * A schema as the API server publishes it in OpenAPI v2, which is where Argo CD reads it: values that may be null, or of
 * which unknown fields are kept, are of no known type; defaults are gone.
 *
 * Source: k8s.io/apiextensions-apiserver v0.36.1 pkg/controller/openapi; k8s.io/kube-openapi pkg/schemaconv
 */
function typeOfSchema(schema: Json | undefined): MergeType {
  if (!isObject(schema) || schema['nullable'] === true) return deducedType
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  switch (schema['type']) {
    case 'object':
      return keepsUnknown ? deducedType : { map: mapOfSchema(schema) }
    case 'array':
      if (keepsUnknown || !isObject(schema['items'])) return deducedType
      return { list: listOfSchema(schema, schema['items']) }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    case 'boolean':
      return { scalar: 'boolean' }
    case 'string':
      return ['', 'byte', undefined].includes(schema['format'] as string | undefined)
        ? text
        : untypedScalar
    default:
      return deducedType
  }
}

function mapOfSchema(schema: JsonObject): MergeMap {
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? ownFields() : {}
  const properties = schema['properties']
  const isStruct = isObject(properties) && Object.keys(properties).length > 0
  if (isStruct || Object.keys(embedded).length > 0) return new SchemaMap(schema, embedded)
  const rest = schema['additionalProperties']
  const type = isObject(rest) ? typeOfSchema(rest) : deducedType
  const untyped: MergeScalar = 'untyped'
  return mapOf(type, { atomic: isAtomicMap(schema), deduced: type.scalar === untyped })
}

function isAtomicMap(schema: JsonObject): boolean {
  return schema['x-kubernetes-map-type'] === 'atomic'
}

function listOfSchema(schema: JsonObject, items: JsonObject): MergeList {
  const item = typeOfSchema(items)
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { item, ownership: 'set', keys: [] }
    case 'map': {
      const keys = schema['x-kubernetes-list-map-keys']
      const names = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
      return { item, ownership: 'keyed', keys: names }
    }
    default:
      return atomicList(item)
  }
}

/** The properties of a schema; their types are made when they are asked for. */
class SchemaMap implements MergeMap {
  readonly atomic: boolean
  readonly rest: undefined = undefined
  readonly deduced: boolean = false
  readonly #properties: JsonObject
  readonly #types: Map<string, MergeType>

  constructor(schema: JsonObject, own: { readonly [name: string]: MergeType }) {
    const properties = schema['properties']
    this.#properties = isObject(properties) ? properties : {}
    this.#types = new Map(Object.entries(own))
    this.atomic = isAtomicMap(schema)
  }

  field(name: string): MergeType | undefined {
    const known = this.#types.get(name)
    if (known !== undefined || !Object.hasOwn(this.#properties, name)) return known
    const type = typeOfSchema(this.#properties[name])
    this.#types.set(name, type)
    return type
  }

  keyDefault(): undefined {
    return undefined
  }
}
