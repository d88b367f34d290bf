import { compareStrings, isObject, type Json, type JsonObject } from '../json/index.ts'

/** A Kubernetes object as a value. Never changed in place. */
export interface Manifest extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
}

/** Group '' is the core group. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

/** Namespace '' is cluster-scoped (or not known yet). */
export interface ResourceKey extends GroupKind {
  readonly namespace: string
  readonly name: string
}

/** The group of an apiVersion: `apps` for `apps/v1`, '' for `v1`. */
export function groupOf(apiVersion: string): string {
  // what a repository holds is not always what the type promises
  if (typeof apiVersion !== 'string') return ''
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

/** The version of an apiVersion: `v1` for `apps/v1`. */
export function versionOf(apiVersion: string): string {
  if (typeof apiVersion !== 'string') return ''
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

/** `apps/v1` from group and version; `v1` for the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

function metadataField(manifest: JsonObject, field: string): Json | undefined {
  const metadata = manifest['metadata']
  return isObject(metadata) && Object.hasOwn(metadata, field) ? metadata[field] : undefined
}

function metadataText(manifest: JsonObject, field: string): string {
  const value = metadataField(manifest, field)
  return typeof value === 'string' ? value : ''
}

export function nameOf(manifest: JsonObject): string {
  return metadataText(manifest, 'name')
}

export function namespaceOf(manifest: JsonObject): string {
  return metadataText(manifest, 'namespace')
}

export function keyOf(manifest: Manifest): ResourceKey {
  return {
    group: groupOf(manifest.apiVersion),
    kind: manifest.kind,
    namespace: namespaceOf(manifest),
    name: nameOf(manifest),
  }
}

function stringMap(value: Json | undefined): { readonly [key: string]: string } {
  if (!isObject(value)) return {}
  const out: { [key: string]: string } = {}
  for (const key of Object.keys(value)) {
    const item = value[key]
    // apimachinery's NestedStringMap: one value of another type and the whole map counts as absent
    if (typeof item !== 'string') return {}
    out[key] = item
  }
  return out
}

/** Annotations; empty when absent or not a map of strings. */
export function annotationsOf(manifest: JsonObject): { readonly [key: string]: string } {
  return stringMap(metadataField(manifest, 'annotations'))
}

/** One annotation, as {@link annotationsOf} gives it, without a copy of the others. */
export function annotationOf(manifest: JsonObject, key: string): string | undefined {
  const annotations = metadataField(manifest, 'annotations')
  if (!isObject(annotations) || !Object.hasOwn(annotations, key)) return undefined
  for (const name of Object.keys(annotations)) {
    if (typeof annotations[name] !== 'string') return undefined
  }
  return annotations[key] as string
}

/** Labels; empty when absent or not a map of strings. */
export function labelsOf(manifest: JsonObject): { readonly [key: string]: string } {
  return stringMap(metadataField(manifest, 'labels'))
}

/** `group/Kind/namespace/name`, the form in which Argo CD sorts and prints keys. */
export function formatKey(key: ResourceKey): string {
  return `${key.group}/${key.kind}/${key.namespace}/${key.name}`
}

export function sameKey(a: ResourceKey, b: ResourceKey): boolean {
  return (
    a.name === b.name && a.kind === b.kind && a.namespace === b.namespace && a.group === b.group
  )
}

/** Byte order of {@link formatKey}, as `status.resources` is sorted. */
export function compareKeys(a: ResourceKey, b: ResourceKey): number {
  return compareStrings(formatKey(a), formatKey(b))
}
