import { sortStrings } from '../../json/index.ts'
import { formatValue } from './format.ts'
import type { State } from './state.ts'
import { SizedInt, TypedMap, TypedSlice, type Value } from './value.ts'

/**
 * Goes over a list, a map (keys in byte order) or an integer; `each` says whether to go on.
 *
 * Returns false when there was nothing to go over, so that `else` runs. Fails for what cannot be ranged over.
 */
export function rangeOver(
  state: State,
  over: Value,
  wantsIndex: boolean,
  each: (index: Value, element: Value) => boolean,
): boolean {
  if (over === undefined || over === null) return false
  if (Array.isArray(over)) return overList(state, over, 'interface {}', each)
  if (over instanceof Map) return overMap(state, over, 'interface {}', each)
  if (over instanceof TypedMap) return overMap(state, over.map, over.elementType, each)
  if (over instanceof TypedSlice) return overList(state, over.items, over.elementType, each)
  if (over instanceof Uint8Array) {
    const bytes = Array.from(over, (byte) => new SizedInt('uint8', BigInt(byte)))
    return overList(state, bytes, 'uint8', each)
  }
  if (typeof over === 'bigint') {
    if (wantsIndex) refuseIndex(state, over)
    return overInteger(over, (value) => value, each)
  }
  if (over instanceof SizedInt) {
    if (wantsIndex) refuseIndex(state, over)
    const kind = over.kind as 'int64'
    return overInteger(over.value, (value) => new SizedInt(kind, value), each)
  }
  return state.fail(`range can't iterate over ${formatValue(over)}`)
}

function refuseIndex(state: State, over: Value): never {
  state.fail(`can't use ${formatValue(over)} to iterate over more than one variable`)
}

function overList(
  state: State,
  items: readonly Value[],
  elementType: string,
  each: (index: Value, element: Value) => boolean,
): boolean {
  // Go keeps the slice header: what is appended meanwhile is not seen
  const { length } = items
  for (let i = 0; i < length; i++) {
    state.elementType = elementType
    if (!each(BigInt(i), items[i] === undefined ? null : items[i])) break
  }
  return length > 0
}

function overMap(
  state: State,
  map: ReadonlyMap<string, Value>,
  elementType: string,
  each: (index: Value, element: Value) => boolean,
): boolean {
  const keys = sortStrings([...map.keys()])
  // values as they are now: the body may change the map
  const values = keys.map((key) => map.get(key))
  for (let i = 0; i < keys.length; i++) {
    state.elementType = elementType
    if (!each(keys[i], values[i] === undefined ? null : values[i])) break
  }
  return keys.length > 0
}

function overInteger(
  limit: bigint,
  make: (value: bigint) => Value,
  each: (index: Value, element: Value) => boolean,
): boolean {
  for (let i = 0n; i < limit; i++) {
    if (!each(undefined, make(i))) break
  }
  return limit > 0n
}
