import { canonicalJson, deepEqual, isObject, type Json, type JsonObject } from '../json/index.ts'
import type { Manifest } from '../kube/index.ts'
import { type Field, type FieldType, type StructType, structOfKind } from '../kube/schema/index.ts'
import type { PathStep } from './path.ts'

/** One difference between two states of an object. Values are what stood there; a whole subtree where one side has none. */
export interface FieldChange {
  readonly path: readonly PathStep[]
  readonly change: 'add' | 'remove' | 'modify' | 'move'
  readonly before?: Json
  readonly after?: Json
}

/**
 * What differs between two manifests of one object, as a person would say it: list elements are matched by the key that
 * their kind gives them (containers by name, ports by number), and an element that only changed its place is a move.
 *
 * Lists of kinds that litecd does not know are matched by `name`, `key`, `id` or `type` where that is unique on both
 * sides, else by position. Secrets must be masked before they come here.
 */
export function fieldChanges(before: Manifest, after: Manifest): readonly FieldChange[] {
  const out: FieldChange[] = []
  const type = after.kind === before.kind ? structOfKind(after.apiVersion, after.kind) : undefined
  compareObjects(
    before,
    after,
    type === undefined ? undefined : { kind: 'struct', struct: type },
    [],
    out,
  )
  return out
}

function unwrap(type: FieldType | undefined): FieldType | undefined {
  return type?.kind === 'pointer' ? unwrap(type.to) : type
}

function compareValues(
  before: Json,
  after: Json,
  type: FieldType | undefined,
  field: Field | undefined,
  path: readonly PathStep[],
  out: FieldChange[],
): void {
  if (deepEqual(before, after)) return
  if (isObject(before) && isObject(after)) compareObjects(before, after, unwrap(type), path, out)
  else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, unwrap(type), field, path, out)
  } else out.push({ path, change: 'modify', before, after })
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  type: FieldType | undefined,
  path: readonly PathStep[],
  out: FieldChange[],
): void {
  const struct: StructType | undefined = type?.kind === 'struct' ? type.struct : undefined
  const valueType = type?.kind === 'map' ? type.of : undefined
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const below = [...path, key]
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    const now = Object.hasOwn(after, key) ? after[key] : undefined
    if (old === undefined) out.push({ path: below, change: 'add', after: now as Json })
    else if (now === undefined) out.push({ path: below, change: 'remove', before: old })
    else {
      const field = struct?.field(key)
      compareValues(old, now, field?.type ?? valueType, field, below, out)
    }
  }
}

function compareLists(
  before: readonly Json[],
  after: readonly Json[],
  type: FieldType | undefined,
  field: Field | undefined,
  path: readonly PathStep[],
  out: FieldChange[],
): void {
  const itemType = type?.kind === 'list' ? type.of : undefined
  const keyOf = keyFunction(before, after, field)
  if (keyOf === undefined) {
    compareByIndex(before, after, itemType, path, out)
    return
  }
  const oldByKey = new Map(before.map((item) => [keyOf.id(item), item]))
  const newByKey = new Map(after.map((item) => [keyOf.id(item), item]))
  for (const [id, item] of oldByKey) {
    if (!newByKey.has(id))
      out.push({ path: [...path, keyOf.step(item)], change: 'remove', before: item })
  }
  const moved = movedKeys(
    [...oldByKey.keys()].filter((id) => newByKey.has(id)),
    [...newByKey.keys()].filter((id) => oldByKey.has(id)),
  )
  for (const [id, item] of newByKey) {
    const below = [...path, keyOf.step(item)]
    const old = oldByKey.get(id)
    if (old === undefined) out.push({ path: below, change: 'add', after: item })
    else {
      if (moved.has(id)) {
        out.push({
          path: below,
          change: 'move',
          before: before.indexOf(old),
          after: after.indexOf(item),
        })
      }
      compareValues(old, item, itemType, undefined, below, out)
    }
  }
}

interface KeyFunction {
  readonly id: (item: Json) => string
  readonly step: (item: Json) => PathStep
}

const guesses = ['name', 'key', 'id', 'type', 'containerPort', 'port', 'mountPath', 'host', 'path']

/** How the elements of both lists are told apart; undefined when only their position can. */
function keyFunction(
  before: readonly Json[],
  after: readonly Json[],
  field: Field | undefined,
): KeyFunction | undefined {
  const all = [...before, ...after]
  if (all.every((item) => typeof item === 'string')) {
    const scalar: KeyFunction = { id: (item) => String(item), step: (item) => ({ value: item }) }
    return unique(before, scalar) && unique(after, scalar) ? scalar : undefined
  }
  if (!all.every(isObject)) return undefined
  const known = [
    ...(field !== undefined && field.listKeys.length > 0 ? [field.listKeys] : []),
    ...(field !== undefined && field.mergeKey !== '' ? [[field.mergeKey]] : []),
  ]
  for (const fields of [...known, ...guesses.map((guess) => [guess])]) {
    const defaults = field?.keyDefault
    const keys: KeyFunction = {
      id: (item) =>
        canonicalJson(fields.map((name) => (item as JsonObject)[name] ?? defaults ?? null)),
      step: (item) =>
        Object.fromEntries(
          fields.flatMap((name) => {
            const value = (item as JsonObject)[name]
            return value === undefined ? [] : [[name, value]]
          }),
        ),
    }
    const present = all.every((item) => (item as JsonObject)[fields[0]!] !== undefined)
    if (present && unique(before, keys) && unique(after, keys)) return keys
  }
  return undefined
}

function unique(list: readonly Json[], keys: KeyFunction): boolean {
  return new Set(list.map(keys.id)).size === list.length
}

/** The fewest elements that must move to turn one order into the other: all but a longest common subsequence. */
function movedKeys(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const rank = new Map(before.map((id, index) => [id, index]))
  // A longest increasing subsequence of old positions stays where it is.
  const tails: number[] = []
  const previous: number[] = []
  const order = after.map((id) => rank.get(id)!)
  order.forEach((value, index) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (order[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? tails[low - 1]! : -1
    tails[low] = index
  })
  const staying = new Set<string>()
  for (let index = tails.at(-1) ?? -1; index !== -1; index = previous[index]!) {
    staying.add(after[index]!)
  }
  return new Set(after.filter((id) => !staying.has(id)))
}

function compareByIndex(
  before: readonly Json[],
  after: readonly Json[],
  itemType: FieldType | undefined,
  path: readonly PathStep[],
  out: FieldChange[],
): void {
  const shared = Math.min(before.length, after.length)
  for (let i = 0; i < shared; i++) {
    compareValues(before[i] as Json, after[i] as Json, itemType, undefined, [...path, i], out)
  }
  for (let i = shared; i < before.length; i++) {
    out.push({ path: [...path, i], change: 'remove', before: before[i] as Json })
  }
  for (let i = shared; i < after.length; i++) {
    out.push({ path: [...path, i], change: 'add', after: after[i] as Json })
  }
}
