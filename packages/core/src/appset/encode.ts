import { type ApplicationSource, type ApplicationSpec, encodeSource } from '../argo/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'

type Encoder = (value: Json) => Json | undefined

const kept: Encoder = (value) => value ?? undefined
const unlessEmpty: Encoder = (value) => (isEmpty(value) ? undefined : value)
/** A block whose presence means something; in it only what is set. */
const block =
  (fields: { readonly [field: string]: Encoder } = {}): Encoder =>
  (value) =>
    isObject(value) ? encodeFields(value, (key) => fields[key] ?? unlessEmpty) : undefined
const source: Encoder = (value) =>
  isObject(value)
    ? (encodeSource(value as unknown as ApplicationSource) as unknown as Json)
    : undefined
const list =
  (item: Encoder): Encoder =>
  (value) =>
    Array.isArray(value) && value.length > 0
      ? value.map((one: Json) => item(one) ?? null)
      : undefined

const specFields: { readonly [field: string]: Encoder } = {
  source,
  sources: list(source),
  sourceHydrator: block({ drySource: block(), syncSource: block(), hydrateTo: block() }),
  destination: block(),
  project: (value) => value ?? '',
  syncPolicy: block({
    automated: block({ enabled: kept }),
    retry: block({ backoff: block({ factor: kept }) }),
    managedNamespaceMetadata: block(),
  }),
  ignoreDifferences: list(block({ kind: kept })),
  info: list(block({ name: kept, value: kept })),
  revisionHistoryLimit: kept,
}

/**
 * A spec as Argo CD's encoder stores it: without fields that it does not know, empty texts, false, 0, empty lists and
 * maps; blocks whose presence means something stay.
 *
 * Source: the json tags of argo-cd v3.5.1 pkg/apis/application/v1alpha1/types.go
 */
export function encodeSpec(spec: ApplicationSpec): ApplicationSpec {
  const known = encodeFields(spec as unknown as JsonObject, (key) => specFields[key])
  return { destination: {}, project: '', ...known } as unknown as ApplicationSpec
}

/** Labels, annotations or finalizers; undefined where there are none. */
export function unlessNone<T extends object>(value: T | null | undefined): T | undefined {
  return value === null || value === undefined || Object.keys(value).length === 0
    ? undefined
    : value
}

function encodeFields(
  object: JsonObject,
  encoderOf: (key: string) => Encoder | undefined,
): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(object)) {
    const encoded = encoderOf(key)?.(value)
    if (encoded !== undefined) out[key] = encoded
  }
  return out
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === false || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}
