import {
  compareStrings,
  deepEqual,
  isObject,
  type Json,
  type JsonObject,
} from '../../json/index.ts'
import { patchMarker } from './directives.ts'
import { goText } from './go-values.ts'
import { checkOrder, identity, indexOf, sortedBy } from './order.ts'
import type { FieldPatch } from './patch-schema.ts'
import type { DiffObjects, Versions } from './versions.ts'

export interface ListPatch {
  /** What stands under the name of the list in the patch. */
  readonly items: readonly Json[]
  /** Scalars to take away. */
  readonly deletions: readonly Json[]
  /** The order to set; empty when none is set. */
  readonly order: readonly Json[]
  readonly adds: boolean
  readonly deletes: boolean
  /** Throws when the items contradict the order, which is found out where additions and deletions are joined. */
  readonly check?: () => void
}

type Lists = Versions<readonly Json[]>

/** Lists of scalars that are merged as sets, such as finalizers. */
export function diffScalarLists({ current, previous, wanted }: Lists): ListPatch {
  const items = current === undefined ? wanted : sortedBy(subtract(wanted, current), wanted, '')
  const gone = previous === undefined ? [] : subtract(previous, wanted)
  const deletions = byText(
    gone.filter((item, i) => indexOf(gone, item, '') === i),
    goText,
  )
  // Parity: the library sorts the live list before it looks whether the order changed, so an unsorted list that is the
  // same on both sides gets its order set again.
  const reordered =
    current !== undefined && current.length > 0 && !deepEqual(byText(current, goText), [...wanted])
  const deletes = deletions.length > 0
  const order = reordered || deletes ? wanted : []
  return { items, deletions, order, adds: items.length > 0 || reordered, deletes }
}

/** What of `list` has no partner in `other`, by printed form; repeated items need as many partners. */
function subtract(list: readonly Json[], other: readonly Json[]): readonly Json[] {
  const partners = new Map<string, number>()
  for (const item of other) partners.set(goText(item), (partners.get(goText(item)) ?? 0) + 1)
  return list.filter((item) => {
    const left = partners.get(goText(item)) ?? 0
    if (left > 0) partners.set(goText(item), left - 1)
    return left === 0
  })
}

/**
 * Sorted by printed form. Of equal ones the later comes first: so the library's sort leaves lists of up to twelve, and
 * that decides which of two ports with one number stand for each other.
 */
function byText<T>(list: readonly T[], text: (item: T) => string): T[] {
  return list
    .map((item, at) => ({ item, at, text: text(item) }))
    .sort((a, b) => compareStrings(a.text, b.text) || b.at - a.at)
    .map(({ item }) => item)
}

/** Lists of objects that are merged by a key. */
export function diffKeyedLists(
  { current, previous, wanted }: Lists,
  field: FieldPatch,
  diffObjects: DiffObjects,
): ListPatch {
  const { mergeKey } = field
  const live = current ?? []
  const last = previous ?? []
  if (live.length === 0 && last.length === 0) {
    return { items: wanted, deletions: [], order: [], adds: wanted.length > 0, deletes: false }
  }
  const now = partners(live, wanted, mergeKey)
  const before = partners(last, wanted, mergeKey)
  const deletions = before.left.map((item) => ({
    [mergeKey]: identity(item, mergeKey),
    [patchMarker]: 'delete',
  }))
  const twins = [live, last, wanted].some((list) => hasTwins(list, mergeKey))
  const join = twins && current !== previous ? apart : together
  const sameOrder =
    live.length === wanted.length &&
    live.every((item, i) => deepEqual(identity(item, mergeKey), identity(wanted[i]!, mergeKey)))
  const { changes, adds, deletes, check } = join(
    { hasLive: live.length > 0, now: now.of, before: before.of, wanted, deletions },
    field,
    diffObjects,
  )
  const ordersAdds = live.length > 0 && (adds || !sameOrder)
  const ordersDeletes = deletes || deletions.length > 0
  return {
    items: changes,
    deletions: [],
    order: ordersAdds || ordersDeletes ? keysOf(wanted, mergeKey) : [],
    adds: adds || ordersAdds,
    deletes: ordersDeletes,
    ...(check === undefined ? {} : { check }),
  }
}

interface Paired {
  /** False when the live object has no such list or an empty one: all items are new. */
  readonly hasLive: boolean
  /** For each wanted item what stands for it in the live list and in the last applied one. */
  readonly now: readonly (JsonObject | undefined)[]
  readonly before: readonly (JsonObject | undefined)[]
  readonly wanted: readonly Json[]
  readonly deletions: readonly JsonObject[]
}

interface Changes {
  readonly changes: readonly Json[]
  readonly adds: boolean
  readonly deletes: boolean
  readonly check?: () => void
}

/** Additions and deletions of an item in one patch. */
function together(
  { now, before, wanted, deletions }: Paired,
  field: FieldPatch,
  diffObjects: DiffObjects,
): Changes {
  const changes: JsonObject[] = []
  let adds = false
  let deletes = false
  for (const at of inOrderOfKeys(wanted, field.mergeKey)) {
    const item = wanted[at] as JsonObject
    const versions = { current: now[at], previous: before[at], wanted: item }
    const inner = diffObjects(versions, field.type, field.retainKeys)
    const isNew = now[at] === undefined
    adds ||= isNew || inner.adds
    deletes ||= inner.deletes
    if (isNew) changes.push(inner.patch)
    else if (inner.adds || inner.deletes) changes.push(withKey(inner.patch, item, field.mergeKey))
  }
  return { changes: sortedBy([...changes, ...deletions], wanted, field.mergeKey), adds, deletes }
}

/**
 * The same where several items share one key. The additions of one item then meet the deletions of whichever item of
 * that key comes first, a removed twin included, as the library joins them.
 */
function apart(
  { hasLive, now, before, wanted, deletions }: Paired,
  field: FieldPatch,
  diffObjects: DiffObjects,
): Changes {
  const { mergeKey } = field
  const additions: JsonObject[] = hasLive ? [] : (wanted as JsonObject[])
  const removals: JsonObject[] = []
  for (const at of inOrderOfKeys(wanted, mergeKey)) {
    const item = wanted[at] as JsonObject
    if (hasLive && now[at] === undefined) additions.push(item)
    else if (hasLive) {
      const versions = { current: now[at], previous: undefined, wanted: item }
      const inner = diffObjects(versions, field.type, field.retainKeys)
      if (inner.adds) additions.push(withKey(inner.patch, item, mergeKey))
    }
    if (before[at] !== undefined) {
      const versions = { current: item, previous: before[at], wanted: item }
      const inner = diffObjects(versions, field.type, field.retainKeys)
      if (inner.deletes) removals.push(withKey(inner.patch, item, mergeKey))
    }
  }
  const added = (hasLive ? sortedBy(additions, wanted, mergeKey) : additions) as JsonObject[]
  const flags = {
    adds: additions.length > 0,
    deletes: removals.length > 0,
    ...(hasLive ? { check: () => checkOrder(added, keysOf(wanted, mergeKey), mergeKey) } : {}),
  }
  const changes = [...sortedBy(removals, wanted, mergeKey), ...deletions] as JsonObject[]
  if (changes.length === 0) return { changes: added, ...flags }
  for (const addition of added) {
    const at = indexOf(changes, identity(addition, mergeKey), mergeKey)
    if (at < 0) changes.push(addition)
    else changes[at] = joined(changes[at]!, addition)
  }
  return { changes: sortedBy(changes, wanted, mergeKey), ...flags }
}

function joined(removal: JsonObject, addition: JsonObject): JsonObject {
  const out: { [key: string]: Json } = { ...removal, ...addition }
  for (const key of Object.keys(addition)) {
    const inner = removal[key]
    const outer = addition[key] as Json
    if (isObject(inner) && isObject(outer)) out[key] = joined(inner, outer)
  }
  return out
}

function keysOf(list: readonly Json[], mergeKey: string): readonly Json[] {
  return list.map((item) => ({ [mergeKey]: identity(item, mergeKey) }))
}

function withKey(patch: JsonObject, item: Json, mergeKey: string): JsonObject {
  return { ...patch, [mergeKey]: identity(item, mergeKey) }
}

function hasTwins(list: readonly Json[], mergeKey: string): boolean {
  if (list.length < 2) return false
  return new Set(list.map((item) => goText(identity(item, mergeKey)))).size < list.length
}

function inOrderOfKeys(list: readonly Json[], mergeKey: string): readonly number[] {
  return byText([...list.keys()], (at) => goText(identity(list[at]!, mergeKey)))
}

/** For each wanted item the item of `base` that it stands for, and what of `base` is left over. */
function partners(
  base: readonly Json[],
  wanted: readonly Json[],
  mergeKey: string,
): { readonly of: readonly (JsonObject | undefined)[]; readonly left: readonly Json[] } {
  const of: (JsonObject | undefined)[] = wanted.map(() => undefined)
  if (base.length === 0) return { of, left: [] }
  const text = (item: Json): string => goText(identity(item, mergeKey))
  const waiting = new Map<string, Json[]>()
  for (const item of byText(base, text)) {
    const list = waiting.get(text(item))
    if (list === undefined) waiting.set(text(item), [item])
    else list.push(item)
  }
  for (const at of inOrderOfKeys(wanted, mergeKey)) {
    of[at] = waiting.get(text(wanted[at]!))?.shift() as JsonObject | undefined
  }
  return { of, left: byText([...waiting.values()].flat(), text) }
}
