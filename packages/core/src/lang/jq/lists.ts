import { defineKey, isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { JqFunction, JqFunctions } from './native.ts'
import { at, cannotApply, setPath } from './paths.ts'
import { compare, described, isNumber, JqError, preview, sortedKeys, truthy } from './values.ts'

/** The items of a list, or the values of an object in the order of its keys. */
export function valuesOf(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[]
  return isObject(value) ? sortedKeys(value).map((key) => value[key] as Json) : undefined
}

function list(name: string, value: Json, args: readonly Json[] = []): readonly Json[] {
  if (!Array.isArray(value)) throw cannotApply(name, args, value)
  return value as readonly Json[]
}

interface Keyed {
  readonly value: Json
  readonly key: Json
}

/** Items with what they are compared by; `keys` holds one for each item. */
function keyed(name: string, value: Json, keys: Json): readonly Keyed[] {
  const items = list(name, value, [keys])
  if (!Array.isArray(keys)) throw cannotApply(name, [keys], value)
  if (keys.length !== items.length) {
    throw new JqError(
      `${name}(${preview(keys)}) cannot be applied to ${preview(value)}: length mismatch`,
    )
  }
  return items.map((item, i) => ({ value: item, key: keys[i] as Json }))
}

type OnKeyed = (items: readonly Keyed[]) => Json

/** `name`, which compares the items themselves, and ` nameBy`, which is given their keys. */
function pair(name: string, run: OnKeyed): JqFunctions {
  const charged =
    (of: (value: Json, keys: Json) => readonly Keyed[]): JqFunction =>
    (value, [keys], charge) => {
      const items = of(value, keys ?? value)
      charge(items.length)
      return run(items)
    }
  return {
    [`${name}/0`]: charged((value) =>
      list(name, value).map((item): Keyed => ({ value: item, key: item })),
    ),
    [` ${name}By/1`]: charged((value, keys) => keyed(`${name}_by`, value, keys)),
  }
}

function sorted(items: readonly Keyed[]): readonly Keyed[] {
  return items.toSorted((a, b) => compare(a.key, b.key))
}

function groups(items: readonly Keyed[]): readonly (readonly Json[])[] {
  const out: Json[][] = []
  let last: Keyed | undefined
  for (const item of sorted(items)) {
    if (last !== undefined && compare(last.key, item.key) === 0) out.at(-1)!.push(item.value)
    else out.push([item.value])
    last = item
  }
  return out
}

/** The first of the least; of the greatest the last. */
function extreme(items: readonly Keyed[], sign: 1 | -1): Json {
  let best = items[0]
  for (const item of items.slice(1)) {
    const order = compare(best!.key, item.key)
    if (sign === 1 ? order > 0 : order <= 0) best = item
  }
  return best?.value ?? null
}

function flatten(value: Json, depth: Json): Json {
  const items = valuesOf(value)
  if (items === undefined) throw cannotApply('flatten', [], value)
  if (!isNumber(depth)) throw cannotApply('flatten', [], depth)
  if (!(Number(depth) >= 0)) {
    throw new JqError(`flatten depth should not be negative: ${preview(depth)}`)
  }
  // a fraction never becomes zero, so it counts as endless
  const levels = Number.isInteger(depth) ? Number(depth) : Number.POSITIVE_INFINITY
  return (items as unknown[]).flat(levels) as readonly Json[]
}

function transpose(value: Json): Json {
  const rows = list('transpose', value)
  if (!rows.every((row) => Array.isArray(row))) throw cannotApply('transpose', [], value)
  const width = Math.max(0, ...rows.map((row) => (row as readonly Json[]).length))
  return Array.from({ length: width }, (_, column) =>
    rows.map((row) => (row as readonly Json[])[column] ?? null),
  )
}

/** The place of an item in a sorted list, or where it would be put, as a negative number. */
function search(value: Json, wanted: Json): Json {
  const items = list('bsearch', value, [wanted])
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(items[middle] as Json, wanted) < 0) low = middle + 1
    else high = middle
  }
  const found = low < items.length && compare(items[low] as Json, wanted) === 0
  return found ? low : -low - 1
}

function fromEntries(value: Json): Json {
  const items = valuesOf(value)
  if (items === undefined) throw new JqError(`cannot iterate over: ${described(value)}`)
  const out: { [key: string]: Json } = {}
  for (const item of items) {
    const name = ['key', 'Key', 'name', 'Name'].map((key) => at(item, key)).find(truthy)
    if (typeof name !== 'string') {
      const got = name ?? at(item, 'Name')
      throw new JqError(`expected a string for object key but got: ${described(got)}`)
    }
    const has = isObject(item) && Object.hasOwn(item, 'value')
    defineKey(out, name, at(item, has ? 'value' : 'Value'))
  }
  return out
}

/** The events of `tostream`: a path with a value for each leaf, a path alone where a container ends. */
function events(value: Json): Json {
  const out: Json[] = []
  const visit = (current: Json, path: readonly Json[]): void => {
    const isFull =
      typeof current === 'object' && current !== null && Object.keys(current).length > 0
    if (!isFull) {
      out.push([path, current])
      return
    }
    const keys: readonly Json[] = Array.isArray(current)
      ? [...current.keys()]
      : sortedKeys(current as JsonObject)
    for (const key of keys) visit(at(current, key), [...path, key])
    out.push([[...path, keys.at(-1)!]])
  }
  visit(value, [])
  return out
}

/** One more event on the way back from `tostream`; `done` tells that `value` is whole. */
function streamed(state: Json, event: Json): Json {
  const before = isObject(state) && state['done'] !== true ? state : {}
  const path = at(event, 0)
  const depth = Array.isArray(path) ? path.length : 0
  if (!Array.isArray(event) || event.length !== 2) return { ...before, done: depth === 1 }
  const inner = setPath(before, ['value', ...((path ?? []) as readonly Json[])], at(event, 1))
  return { ...(inner as JsonObject), done: depth === 0 }
}

export const listFunctions: JqFunctions = {
  ...pair('sort', (items) => sorted(items).map(({ value }) => value)),
  ...pair('group', groups),
  ...pair('unique', (items) => groups(items).map((group) => group[0]!)),
  ...pair('min', (items) => extreme(items, 1)),
  ...pair('max', (items) => extreme(items, -1)),
  'reverse/0': (value) => list('reverse', value).toReversed(),
  'flatten/0': (value) => flatten(value, Number.POSITIVE_INFINITY),
  'flatten/1': (value, [depth]) => flatten(value, depth!),
  'transpose/0': transpose,
  'bsearch/1': (value, [wanted]) => search(value, wanted!),
  ' fromEntries/0': fromEntries,
  ' events/0': (value, _args, charge) => {
    const all = events(value)
    charge((all as readonly Json[]).length)
    return all
  },
  ' streamed/1': (state, [event]) => streamed(state, event!),
}
