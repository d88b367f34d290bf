import { mapOf, type Value, type ValueMap, visit } from '../../../lang/gotemplate/index.ts'
import { isEmpty } from './convert.ts'

/**
 * mergo's merge of string maps into `target`, in place. Without `overwrite` a key of the target stays unless it is
 * empty (nil, '', 0, false, nothing in it); with it the source wins. Nested maps are merged, lists replaced, and a map
 * that only the source has is shared, not copied.
 */
export function mergeInto(target: ValueMap, source: ValueMap, overwrite: boolean): void {
  // a map merged into itself must not be walked while it grows
  for (const [key, value] of [...source]) mergeKey(target, key, value, overwrite)
}

function mergeKey(target: ValueMap, key: string, value: Value, overwrite: boolean): void {
  visit()
  if (value === null || value === undefined) {
    if (overwrite) target.set(key, null)
    return
  }
  const present = target.get(key)
  const from = mapOf(value)
  const into = mapOf(present)
  if (from !== undefined && into !== undefined) {
    if (from === into) return
    mergeInto(into, from, overwrite)
    if (into.size > 0) return
  }
  if (overwrite || isEmpty(present)) target.set(key, value)
}
