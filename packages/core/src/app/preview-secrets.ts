import { annotationLastApplied } from '../argo/index.ts'
import { RenderError } from '../errors/index.ts'
import { deepEqual, defineKey, deletePath, isObject, type Json, setPath } from '../json/index.ts'
import { groupOf, type Manifest } from '../kube/index.ts'
import type { RenderFailure } from './render.ts'

/** What stands in place of a value. */
const mask = '++++++++'

/** Fields of a Secret that hold no secret; whatever else stands there may be a misspelt `data`. */
const openFields = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable'])

/** True for the kind whose values must never be printed. */
export function isSecret(manifest: Manifest): boolean {
  return manifest.kind === 'Secret' && groupOf(manifest.apiVersion ?? 'v1') === ''
}

/** A manifest for printing: the same, but a Secret's values are masked. Its keys stay. */
export function maskSecret(manifest: Manifest): Manifest {
  return isSecret(manifest) ? masked(manifest) : manifest
}

function masked(manifest: Manifest): Manifest {
  const out: { [field: string]: Json } = {}
  for (const [field, value] of Object.entries(manifest as { readonly [field: string]: Json })) {
    defineKey(out, field, openFields.has(field) ? value : maskValue(value))
  }
  const shown = out as unknown as Manifest
  const annotations = isObject(shown.metadata) ? shown.metadata['annotations'] : undefined
  return isObject(annotations) && Object.hasOwn(annotations, annotationLastApplied)
    ? setPath(shown, ['metadata', 'annotations', annotationLastApplied], mask)
    : shown
}

function maskValue(value: Json): Json {
  if (!isObject(value)) return mask
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) defineKey(out, key, mask)
  return out
}

/** An object that does not say its kind may be a Secret. */
export function maskKindless(manifest: Manifest): Manifest {
  return typeof manifest.kind === 'string' && manifest.kind !== '' ? manifest : masked(manifest)
}

/** What of a Secret may be compared field by field. */
export function withoutSecretValues(manifest: Manifest): Manifest {
  const open = Object.entries(manifest).filter(([field]) => openFields.has(field))
  const rest = Object.fromEntries(open) as unknown as Manifest
  return deletePath(rest, 'metadata', 'annotations', annotationLastApplied)
}

export interface SecretKeyChange {
  readonly key: string
  readonly change: 'add' | 'remove' | 'modify'
}

/** The keys of two Secrets that differ, sorted. Fields that no Secret has count as keys. */
export function secretChanges(before: Manifest, after: Manifest): readonly SecretKeyChange[] {
  const old = valuesOf(before)
  const now = valuesOf(after)
  const out: SecretKeyChange[] = []
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    if (!old.has(key)) out.push({ key, change: 'add' })
    else if (!now.has(key)) out.push({ key, change: 'remove' })
    else if (!deepEqual(old.get(key), now.get(key))) out.push({ key, change: 'modify' })
  }
  return out
}

function valuesOf(manifest: Manifest): ReadonlyMap<string, Json> {
  const out = new Map<string, Json>()
  for (const [field, value] of Object.entries(manifest as { readonly [field: string]: Json })) {
    if (openFields.has(field) || field === 'stringData') continue
    if (field !== 'data' || !isObject(value)) out.set(field, value)
    else for (const [key, item] of Object.entries(value)) out.set(key, item)
  }
  // What stands as text wins over what stands in base64; the two must not look equal by accident.
  const { stringData } = manifest
  if (!isObject(stringData))
    return stringData === undefined ? out : out.set('stringData', stringData)
  for (const [key, item] of Object.entries(stringData)) out.set(key, { text: item })
  return out
}

const quotations: readonly (readonly [RegExp, string])[] = [
  [/(cannot decode !!\S+ )`[^`]*`/g, '$1`…`'],
  [/(unknown anchor )'[^']*'/g, "$1'…'"],
  [/(anchor )'[^']*'( value contains itself)/g, "$1'…'$2"],
]

/** Messages of the YAML reader quote the value at which they stop; the position tells as much. */
export function withoutQuotations(failure: RenderFailure): RenderFailure {
  const { error } = failure
  const clean = (text: string): string =>
    quotations.reduce((out, [pattern, by]) => out.replace(pattern, by), text)
  if (!(error instanceof RenderError) || clean(error.message) === error.message) return failure
  const { position, hint, retryable, data } = error
  return {
    ...failure,
    message: clean(failure.message),
    error: new RenderError(error.code, clean(error.message), { position, hint, retryable, data }),
  }
}
