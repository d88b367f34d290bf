import {
  compareStrings,
  defineKey,
  isObject,
  type Json,
  type JsonObject,
} from '../../json/index.ts'
import { codePoints, compare, described, isNumber, JqError, preview, toInteger } from './values.ts'

const maxIndex = 1_000_000

function expected(what: string, value: Json): JqError {
  return new JqError(`expected ${what} but got: ${described(value)}`)
}

/** `.[key]` on a value. */
export function at(value: Json, key: Json): Json {
  if (typeof key === 'string') {
    if (value === null) return null
    if (!isObject(value)) throw expected('an object', value)
    return Object.hasOwn(value, key) ? (value[key] as Json) : null
  }
  if (isNumber(key)) {
    if (value === null) return null
    if (Array.isArray(value))
      return (value[position(key, value.length)] as Json | undefined) ?? null
    if (typeof value !== 'string') throw expected('an array', value)
    const chars = codePoints(value)
    return chars[position(key, chars.length)] ?? null
  }
  if (Array.isArray(key)) {
    if (value === null) return null
    if (!Array.isArray(value)) throw expected('an array', value)
    return occurrences(value, key)
  }
  if (isObject(key)) {
    if (value === null) return null
    if (!Object.hasOwn(key, 'start') || !Object.hasOwn(key, 'end')) throw noSlice(key)
    return slice(value, key['start'] as Json, key['end'] as Json)
  }
  throw wrongKey(value, key)
}

function wrongKey(value: Json, key: Json): JqError {
  if (Array.isArray(value)) return expected('a number for indexing an array', key)
  if (typeof value === 'string') return expected('a number for indexing a string', key)
  return expected('a string for object key', key)
}

function noSlice(key: Json): JqError {
  return new JqError(`expected "start" and "end" for slicing but got: ${described(key)}`)
}

/** -1 where nothing is there. */
function position(key: Json, length: number): number {
  const index = toInteger(key)!
  const from = index < 0 ? index + length : index
  return from >= 0 && from < length ? from : -1
}

/** Where a list occurs in another one. */
export function occurrences(list: readonly Json[], part: readonly Json[]): readonly number[] {
  const found: number[] = []
  if (part.length === 0) return found
  for (let i = 0; i + part.length <= list.length; i++) {
    if (part.every((item, j) => compare(list[i + j] as Json, item) === 0)) found.push(i)
  }
  return found
}

export function slice(value: Json, start: Json, end: Json): Json {
  if (value === null) return null
  if (Array.isArray(value)) {
    const [from, to] = bounds(start, end, value.length, 'an array')
    // a path through the slice of a whole list goes on from the list itself
    return to - from === value.length ? value : value.slice(from, to)
  }
  if (typeof value !== 'string') throw expected('an array', value)
  const chars = codePoints(value)
  const [from, to] = bounds(start, end, chars.length, 'a string')
  return chars.slice(from, to).join('')
}

function bounds(start: Json, end: Json, length: number, what: string): readonly [number, number] {
  const clamp = (index: number, low: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, low), length)
  const number = (value: Json, whole: (value: number) => number): number => {
    if (!isNumber(value)) throw expected(`a number for indexing ${what}`, value)
    return toInteger(whole(Number(value)))!
  }
  const from = start === null ? 0 : clamp(number(start, Math.trunc), 0)
  const to = end === null ? length : clamp(number(end, Math.ceil), from)
  return [from, to]
}

export function getPath(value: Json, path: Json): Json {
  if (!Array.isArray(path)) throw cannotApply('getpath', [path], value)
  let current = value
  for (const key of path as readonly Json[]) {
    const isContainer = current === null || typeof current === 'object'
    if (!isContainer) throw cannotApply('getpath', [path], value)
    current = wrapped('getpath', [path], value, () => at(current, key))
  }
  return current
}

export function cannotApply(name: string, args: readonly Json[], value: Json): JqError {
  const shown = args.length === 0 ? name : `${name}(${args.map(preview).join('; ')})`
  return new JqError(`${shown} cannot be applied to: ${described(value)}`)
}

/** Runs a step of a function; its error tells the call too. */
export function wrapped<T>(name: string, args: readonly Json[], value: Json, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof JqError)) throw error
    const shown = args.length === 0 ? name : `${name}(${args.map(preview).join('; ')})`
    throw new JqError(`${shown} cannot be applied to ${preview(value)}: ${error.message}`)
  }
}

// stands for what is to be deleted, so that indexes stay as they are until all is marked
const gone = Symbol('gone')
type Slot = Json | typeof gone
/** Copies that were made for this change and may be changed again in place. */
type Owned = Set<object>

export function setPath(value: Json, path: Json, leaf: Json): Json {
  if (!Array.isArray(path)) throw cannotApply('setpath', [path], value)
  return wrapped('setpath', [path, leaf], value, () =>
    update(value, path, 0, leaf, new Set()),
  ) as Json
}

/** Deletes all paths at once: indexes in later paths still count the items that earlier ones name. */
export function deletePaths(value: Json, paths: Json): Json {
  if (!Array.isArray(paths)) throw cannotApply('delpaths', [paths], value)
  let marked: Slot = value
  const own: Owned = new Set()
  for (const path of paths as readonly Json[]) {
    marked = wrapped('delpaths', [paths], value, () => {
      if (!Array.isArray(path)) throw expected('an array', path)
      return update(marked, path, 0, gone, own)
    })
  }
  return marked === value ? value : swept(marked)
}

function update(value: Slot, path: readonly Json[], depth: number, leaf: Slot, own: Owned): Slot {
  if (depth === path.length) return leaf
  const key = path[depth] as Json
  if (typeof key === 'string') return updateKey(value, key, path, depth, leaf, own)
  if (isNumber(key)) return updateIndex(value, key, path, depth, leaf, own)
  if (isObject(key)) return updateSlice(value, key, path, depth, leaf, own)
  throw Array.isArray(value)
    ? expected('a number for indexing an array', key)
    : expected('a string for object key', key)
}

function owned(value: Slot, own: Owned, copy: () => object): object {
  if (typeof value === 'object' && value !== null && own.has(value)) return value
  const made = copy()
  own.add(made)
  return made
}

function updateKey(
  value: Slot,
  key: string,
  path: readonly Json[],
  depth: number,
  leaf: Slot,
  own: Owned,
): Slot {
  if (value === gone) return gone
  if (value !== null && !isObject(value)) throw expected('an object', value)
  const has = value !== null && Object.hasOwn(value, key)
  if (!has && leaf === gone) return value
  const child = update(has ? (value[key] as Json) : null, path, depth + 1, leaf, own)
  const copy = owned(value, own, () => ({ ...value })) as { [key: string]: Json }
  defineKey(copy, key, child as Json)
  return copy
}

function updateIndex(
  value: Slot,
  key: Json,
  path: readonly Json[],
  depth: number,
  leaf: Slot,
  own: Owned,
): Slot {
  if (value === gone) return gone
  if (value !== null && !Array.isArray(value)) throw expected('an array', value)
  const list = (value ?? []) as readonly Json[]
  const given = toInteger(key)!
  const index = given < 0 ? given + list.length : given
  if (leaf === gone && (index < 0 || index >= list.length)) return value
  if (index < 0) throw new JqError(`array index should not be negative: ${preview(key)}`)
  if (index >= maxIndex && index >= list.length) {
    throw new JqError(`array index too large: ${preview(key)}`)
  }
  const child = update(list[index] ?? null, path, depth + 1, leaf, own)
  const copy = owned(value, own, () => [...list]) as Json[]
  while (copy.length < index) copy.push(null)
  copy[index] = child as Json
  return copy
}

function updateSlice(
  value: Slot,
  key: JsonObject,
  path: readonly Json[],
  depth: number,
  leaf: Slot,
  own: Owned,
): Slot {
  if (value === gone) return gone
  if (value !== null && !Array.isArray(value)) throw expected('an array', value)
  if (!Object.hasOwn(key, 'start') || !Object.hasOwn(key, 'end')) throw noSlice(key)
  const list = (value ?? []) as readonly Json[]
  const [from, to] = bounds(key['start'] as Json, key['end'] as Json, list.length, 'an array')
  if (from === to && leaf === gone) return value
  const part = update(list.slice(from, to), path, depth + 1, leaf, own)
  if (part === gone) {
    return list.map((item, i) => (i >= from && i < to ? gone : item) as Json)
  }
  if (!Array.isArray(part)) throw expected('an array', part)
  return [...list.slice(0, from), ...(part as readonly Json[]), ...list.slice(to)]
}

function swept(value: Slot): Json {
  if (value === gone) return null
  if (Array.isArray(value)) {
    return value.filter((item: Slot) => item !== gone).map((item: Slot) => swept(item))
  }
  if (!isObject(value)) return value
  const out: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) {
    const item = value[key] as Slot
    if (item !== gone) defineKey(out, key, swept(item))
  }
  return out
}

/** Keys in the order of their bytes, as every jq built-in visits them. */
export function orderedEntries(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.keys(object)
    .sort(compareStrings)
    .map((key) => [key, object[key] as Json])
}
