import { isObject, type Json, type JsonObject } from '../json/index.ts'
import type { ApplicationSource } from './application.ts'

/** Blocks whose mere presence means something: an empty one is stored as `{}`. */
const blocks: ReadonlySet<string> = new Set(['helm', 'kustomize', 'directory', 'plugin'])

/**
 * A source as Argo CD's encoder stores it: empty texts, false, empty lists and maps are left out; empty type blocks stay.
 *
 * Source: the `omitempty` tags of argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go
 */
export function encodeSource(source: ApplicationSource): ApplicationSource {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(source as unknown as JsonObject)) {
    if (blocks.has(key)) {
      if (isObject(value)) out[key] = encodeObject(value)
    } else if (!isEmpty(value) || key === 'repoURL') out[key] = value
  }
  return out as unknown as ApplicationSource
}

function encodeObject(object: JsonObject): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(object)) {
    // free-form values are kept as they were written
    const encoded = key === 'valuesObject' ? value : encodeValue(value)
    if (!isEmpty(encoded)) out[key] = encoded
  }
  return out
}

function encodeValue(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => encodeValue(item))
  return isObject(value) ? encodeObject(value) : value
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}
