import { deepEqual, getPath, isObject, type Json } from '@litecd/core/json'
import { handOverFields, type ManagedFieldsEntry, type Manifest } from '@litecd/core/kube'
import { lastApplied } from './messages.ts'

function entriesOf(object: Manifest): readonly ManagedFieldsEntry[] {
  const found = getPath(object, 'metadata', 'managedFields')
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** Managers that wrote the last-applied annotation by updates: those that applied on the client side. */
export function clientSideManagers(object: Manifest): readonly string[] {
  const path = ['fieldsV1', 'f:metadata', 'f:annotations', `f:${lastApplied}`]
  const owners = entriesOf(object).filter(
    (entry) => entry['operation'] === 'Update' && getPath(entry, ...path) !== undefined,
  )
  return [...new Set(owners.map((entry) => String(entry['manager'])))]
}

/**
 * The JSON patch that hands the fields of client-side managers to `to`, which owns them by apply from then on; it fails
 * with a conflict when the object has changed meanwhile. Undefined when there is nothing to hand over.
 */
export function upgradePatch(
  object: Manifest,
  managers: readonly string[],
  to: string,
): Json | undefined {
  const before = entriesOf(object)
  const after = managers.reduce((entries, manager) => handOverFields(entries, manager, to), before)
  if (deepEqual([...before], [...after])) return undefined
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [...after] },
    {
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: getPath(object, 'metadata', 'resourceVersion') ?? '',
    },
  ]
}
