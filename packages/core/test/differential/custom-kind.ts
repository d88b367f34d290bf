// A custom kind whose schema has all that server-side apply knows.
import type { Json, JsonObject } from '@litecd/core/json'

const text = { type: 'string' }
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...more,
})
const map = (additionalProperties: Json, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties,
  ...more,
})
const keyed = (...keys: string[]): JsonObject => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
})
const atomic = { 'x-kubernetes-map-type': 'atomic' }
const open = { 'x-kubernetes-preserve-unknown-fields': true }
const item = object({ name: text, port: { type: 'integer', default: 80 }, value: text })

const spec = object({
  text,
  time: { ...text, format: 'date-time' },
  bytes: { ...text, format: 'byte' },
  whole: { type: 'integer', format: 'int32' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  either: { 'x-kubernetes-int-or-string': true },
  maybe: { ...object({ x: text }), nullable: true },
  maybeNumber: { type: 'integer', nullable: true },
  kept: { ...object({ x: { type: 'integer' } }), ...open },
  any: open,
  map: map(text),
  mapOfTimes: map({ ...text, format: 'date-time' }),
  mapOfObjects: map(object({ x: text, y: { type: 'integer' } })),
  atomicMap: map(text, atomic),
  bare: { type: 'object' },
  free: map(true),
  list: list(text),
  listOfObjects: list(object({ x: text })),
  set: list(text, { 'x-kubernetes-list-type': 'set' }),
  byTwo: list({ ...item, required: ['name'] }, keyed('name', 'port')),
  byOne: list({ ...item, required: ['name'] }, keyed('name')),
  atomicObject: object({ x: text, y: text }, atomic),
  nested: object({ deep: object({ x: text, list: list({ type: 'integer' }) }) }),
})

const schema: JsonObject = object({ spec, status: object({ x: text }) })

export const thingDefinition = {
  schema,
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  },
}
