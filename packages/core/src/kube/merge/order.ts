import { deepEqual, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { isDeletion, patchMarker } from './directives.ts'
import { goText } from './go-values.ts'
import { patchFailed } from './patch-schema.ts'

/** What identifies a list item: the value under the merge key, or the item itself where there is no merge key. */
export function identity(item: Json, mergeKey: string): Json {
  if (mergeKey === '') return item
  if (!isObject(item))
    throw patchFailed(`expected a map[string]interface {}, but received a ${goText(item)}`)
  const value = Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined
  if (value === undefined) throw noMergeKey(item, mergeKey)
  return value
}

export function noMergeKey(item: JsonObject, mergeKey: string): Error {
  return patchFailed(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`)
}

export function indexOf(list: readonly Json[], wanted: Json, mergeKey: string): number {
  return list.findIndex((item) => deepEqual(identity(item, mergeKey), wanted))
}

/** Items in the order in which their identities first stand in `order`; deletions keep their order and come last. */
export function sortedBy(
  items: readonly Json[],
  order: readonly Json[],
  mergeKey: string,
): readonly Json[] {
  for (const item of order) identity(item, mergeKey)
  const keep = mergeKey === '' ? items : items.filter((item) => !isDeletion(item))
  const deletions = mergeKey === '' ? [] : items.filter(isDeletion)
  const ranked = keep.map((item) => ({
    item,
    rank: indexOf(order, identity(item, mergeKey), mergeKey),
  }))
  return [...ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item), ...deletions]
}

/**
 * A merged list in its final order: what the patch names stands as the patch orders it; what only the live object has
 * keeps its own order and goes before the first named item that it preceded in the live object.
 */
export function interleave(
  merged: readonly Json[],
  patchOrder: readonly Json[],
  liveOrder: readonly Json[],
  mergeKey: string,
): readonly Json[] {
  const named: Json[] = []
  const liveOnly: Json[] = []
  for (const item of merged) {
    const list = indexOf(patchOrder, identity(item, mergeKey), mergeKey) >= 0 ? named : liveOnly
    list.push(item)
  }
  const right = sortedBy(named, patchOrder, mergeKey)
  const left = sortedBy(liveOnly, liveOrder, mergeKey)
  const out: Json[] = []
  let next = 0
  for (const item of right) {
    const at = indexOf(liveOrder, identity(item, mergeKey), mergeKey)
    while (at >= 0 && next < left.length) {
      const rank = indexOf(liveOrder, identity(left[next]!, mergeKey), mergeKey)
      if (rank < 0 || rank >= at) break
      out.push(left[next++]!)
    }
    out.push(item)
  }
  return [...out, ...left.slice(next)]
}

/** Every item of the patch list must stand in the order list, and in the same order. */
export function checkOrder(items: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (items.length === 0 || order.length === 0) return
  let at = 0
  for (const item of items) {
    if (isObject(item) && Object.hasOwn(item, patchMarker)) continue
    const wanted = identity(item, mergeKey)
    while (at < order.length && !deepEqual(identity(order[at]!, mergeKey), wanted)) at++
    if (at === order.length) {
      throw patchFailed(
        `The order in patch list:\n${goText(items)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
      )
    }
    at++
  }
}
