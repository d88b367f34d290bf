import { annotationLastApplied } from '../argo/index.ts'
import { CompareError, isLitecdError } from '../errors/index.ts'
import {
  canonicalJson,
  defineKey,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from '../json/index.ts'
import { groupOf, type Manifest } from '../kube/index.ts'
import { bytesToText, decodeBase64, quoteGo, textToBytes } from '../text/index.ts'

/** What stands for a value that must not be seen. */
export const plusSigns = '++++++++'

/** Fields of a Secret that hold no secret. Whatever else is in one is hidden: it may be a misspelt `data`. */
const openFields: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'type',
  'immutable',
])

/** True for the kind whose values must never be seen. */
export function isSecret(manifest: Manifest | undefined): boolean {
  if (manifest?.kind !== 'Secret') return false
  const { apiVersion } = manifest
  return typeof apiVersion !== 'string' || groupOf(apiVersion) === ''
}

export function isOpenField(name: string): boolean {
  return openFields.has(name)
}

/** What was applied last, whatever else is wrong with the annotations; `unreadable` when it is no object. */
export function lastAppliedWithin(object: JsonObject): Manifest | 'unreadable' | undefined {
  const annotations = getPath(object, 'metadata', 'annotations')
  if (!isObject(annotations) || !Object.hasOwn(annotations, annotationLastApplied)) return undefined
  const text = annotations[annotationLastApplied]
  if (typeof text !== 'string') return 'unreadable'
  try {
    const value = parseJson(text)
    return isObject(value) && typeof value['kind'] === 'string' ? (value as Manifest) : 'unreadable'
  } catch (error) {
    if (error instanceof SyntaxError || isLitecdError(error)) return 'unreadable'
    throw error
  }
}

/**
 * Runs a step on Secrets; an error of it is thrown anew without their values, and without its cause. Values shorter than
 * four characters cannot be told from other text and stay.
 */
export function keepingSecrets<T>(secrets: readonly (Manifest | undefined)[], step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!isLitecdError(error) || !secrets.some(isSecret)) throw error
    throw new CompareError(error.code, withoutValues(error.message, secrets))
  }
}

function withoutValues(message: string, secrets: readonly (Manifest | undefined)[]): string {
  const values = new Set<string>()
  for (const secret of secrets) if (secret !== undefined) collectValues(secret, values)
  const written = [...values].flatMap((value) => {
    const escaped = [quoteGo(value), JSON.stringify(value)].map((text) => text.slice(1, -1))
    return [value, ...escaped]
  })
  return [...new Set(written)]
    .filter((text) => text.length >= 4)
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, plusSigns), message)
}

function collectValues(secret: Manifest, values: Set<string>): void {
  for (const field of Object.keys(secret)) {
    if (!isOpenField(field)) collectLeaves(secret[field] as Json, values)
  }
  const annotations = getPath(secret, 'metadata', 'annotations')
  const text = isObject(annotations) ? annotations[annotationLastApplied] : annotations
  if (text !== undefined) collectLeaves(text, values)
  const applied = lastAppliedWithin(secret)
  if (applied !== undefined && applied !== 'unreadable') collectLeaves(applied, values)
}

function collectLeaves(value: Json, values: Set<string>): void {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) collectLeaves(item, values)
  else if (isObject(value)) for (const item of Object.values(value)) collectLeaves(item, values)
  else if (typeof value === 'string') {
    values.add(value)
    const decoded = decodeBase64(textToBytes(value))
    if (decoded instanceof Uint8Array) values.add(bytesToText(decoded))
  } else values.add(canonicalJson(value))
}

/** An object with one more key, also where the key is `__proto__`. */
export function withKey(object: JsonObject, key: string, value: Json): JsonObject {
  const copy: { [key: string]: Json } = { ...object }
  defineKey(copy, key, value)
  return copy
}
