import { sortStrings } from '../../json/index.ts'
import { formatValue } from './format.ts'
import type { State } from './state.ts'
import { GoObject, SizedInt, TypedMap, TypedSlice, typeName, type Value } from './value.ts'

/** What a loop goes over. */
export interface Rounds {
  readonly size: number
  readonly elementType: string
  element(i: number): Value
  index(i: number): Value
}

const none: Rounds = {
  size: 0,
  elementType: 'interface {}',
  element: () => undefined,
  index: () => undefined,
}

/**
 * The rounds over a list, a map (keys in byte order) or an integer. Fails for what cannot be ranged over.
 *
 * What the body adds to a list or does to a map is not seen: Go keeps the slice header and copies the entries.
 */
export function roundsOf(state: State, over: Value, wantsIndex: boolean): Rounds {
  if (over === undefined || over === null) return none
  if (Array.isArray(over)) return ofList(over, 'interface {}')
  if (over instanceof Map) return ofMap(over, 'interface {}')
  if (over instanceof TypedMap) return ofMap(over.map, over.elementType)
  if (over instanceof TypedSlice) return ofList(over.items, over.elementType)
  if (over instanceof Uint8Array) {
    const bytes = Array.from(over, (byte) => new SizedInt('uint8', BigInt(byte)))
    return ofList(bytes, 'uint8')
  }
  if (typeof over === 'bigint') {
    if (wantsIndex) refuseIndex(state, over)
    return ofInteger(over, (value) => value)
  }
  if (over instanceof SizedInt) {
    if (wantsIndex) refuseIndex(state, over)
    const kind = over.kind as 'int64'
    return ofInteger(over.value, (value) => new SizedInt(kind, value))
  }
  // a pointer is followed first
  const shown = formatValue(over)
  const isPointer = over instanceof GoObject && over.kind === 'ptr'
  return state.fail(`range can't iterate over ${isPointer ? shown.replace(/^&/, '') : shown}`)
}

function refuseIndex(state: State, over: Value): never {
  state.fail(`can't use ${formatValue(over)} to iterate over more than one variable`)
}

function orNil(value: Value): Value {
  return value === undefined ? null : value
}

function ofList(items: readonly Value[], elementType: string): Rounds {
  return {
    size: items.length,
    elementType,
    element: (i) => orNil(items[i]),
    index: (i) => BigInt(i),
  }
}

function ofMap(map: ReadonlyMap<string, Value>, elementType: string): Rounds {
  const keys = sortStrings([...map.keys()])
  const values = keys.map((key) => map.get(key))
  return {
    size: keys.length,
    elementType,
    element: (i) => orNil(values[i]),
    index: (i) => keys[i],
  }
}

function ofInteger(limit: bigint, make: (value: bigint) => Value): Rounds {
  return {
    size: Math.max(0, Number(limit)),
    elementType: typeName(make(0n)),
    element: (i) => make(BigInt(i)),
    index: () => undefined,
  }
}
