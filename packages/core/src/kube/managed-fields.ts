import { defineKey, isObject, type Json, type JsonObject } from '../json/index.ts'

/** One entry of `metadata.managedFields`, as the API server writes it. */
export type ManagedFieldsEntry = JsonObject

/**
 * Hands the fields of one manager's client-side applies (operation Update) over to another manager's server-side ones
 * (operation Apply). Where the new owner has no entry yet, the first of the old ones becomes it; entries of the old owner
 * with another apiVersion are dropped. Returns the same list when there is nothing to hand over.
 *
 * Source: k8s.io/client-go v0.36.1 util/csaupgrade
 */
export function handOverFields(
  entries: readonly ManagedFieldsEntry[],
  from: string,
  to: string,
): readonly ManagedFieldsEntry[] {
  const isOld = (entry: ManagedFieldsEntry): boolean => isEntry(entry, from, 'Update')
  if (!entries.some(isOld)) return entries
  const present = entries.findIndex((entry) => isEntry(entry, to, 'Apply'))
  const index = present === -1 ? entries.findIndex(isOld) : present
  const heir: ManagedFieldsEntry = { ...entries[index]!, manager: to, operation: 'Apply' }
  const old = entries.find(
    (entry, i) => i !== index && isOld(entry) && entry['apiVersion'] === heir['apiVersion'],
  )
  const fields = uniteFields(fieldsOf(heir), old === undefined ? {} : fieldsOf(old))
  return entries.flatMap((entry, i) => {
    if (i === index) return [{ ...heir, fieldsV1: fields }]
    return isOld(entry) ? [] : [entry]
  })
}

function isEntry(entry: ManagedFieldsEntry, manager: string, operation: string): boolean {
  return (
    entry['manager'] === manager &&
    entry['operation'] === operation &&
    (entry['subresource'] ?? '') === ''
  )
}

function fieldsOf(entry: ManagedFieldsEntry): JsonObject {
  const fields = entry['fieldsV1']
  return isObject(fields) ? fields : {}
}

/**
 * The union of two field sets in their trie form. An empty object is a field that is owned itself; one with children is
 * owned itself only where it holds `.`.
 */
export function uniteFields(a: JsonObject, b: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...a }
  for (const key of Object.keys(b)) {
    const known = Object.hasOwn(a, key) ? a[key] : undefined
    const added = b[key]
    if (!isObject(known)) defineKey(out, key, added as Json)
    else if (isObject(added)) defineKey(out, key, uniteField(known, added))
  }
  return out
}

function uniteField(a: JsonObject, b: JsonObject): JsonObject {
  const [aIsLeaf, bIsLeaf] = [Object.keys(a).length === 0, Object.keys(b).length === 0]
  if (aIsLeaf && bIsLeaf) return {}
  if (aIsLeaf) return { '.': {}, ...b }
  return bIsLeaf ? { ...a, '.': {} } : uniteFields(a, b)
}
