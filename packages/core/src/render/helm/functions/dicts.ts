import {
  FunctionFailure,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  type ValueMap,
  visit,
} from '../../../lang/gotemplate/index.ts'
import { textOf } from './convert.ts'
import { define, type FunctionList } from './define.ts'
import { mergeInto } from './merge.ts'
import { stringSlice } from './strings.ts'

const merge = (overwrite: boolean): ReturnType<typeof define> =>
  define('mm*', ([target, ...sources], { run }) => {
    const into: ValueMap = target ?? new Map()
    if (target === undefined && sources.every((source) => source === undefined)) return nilMap()
    for (const source of sources as (ValueMap | undefined)[]) {
      if (source === undefined) continue
      run.charge(source.size)
      mergeInto(into, source, overwrite)
    }
    return into
  })

const costOfKey = 20

const deepCopyOf = define('a', ([value]) => {
  if (value === null || value === undefined) {
    throw new FunctionFailure('reflect: call of reflect.Value.Type on zero Value')
  }
  return deepCopy(value)
})

export const dictFunctions: FunctionList = [
  [
    'dict',
    define('a*', (args) => {
      const map: ValueMap = new Map()
      for (let i = 0; i < args.length; i += 2) {
        map.set(textOf(args[i]), i + 1 < args.length ? (args[i + 1] ?? null) : '')
      }
      return map
    }),
  ],
  ['get', define('ms', ([map, key]) => (map?.has(key) ? map.get(key) : ''))],
  [
    'set',
    define('msa', ([map, key, value], { run }) => {
      if (map === undefined) throw new FunctionFailure('assignment to entry in nil map')
      // a map that grows takes memory that no result shows
      if (!map.has(key)) run.charge(costOfKey)
      map.set(key, value ?? null)
      return map
    }),
  ],
  [
    'unset',
    define('ms', ([map, key]) => {
      map?.delete(key)
      return map ?? nilMap()
    }),
  ],
  ['hasKey', define('ms', ([map, key]) => map?.has(key) ?? false)],
  [
    'pluck',
    define('sm*', ([key, ...maps]) =>
      maps.filter((map) => map?.has(key)).map((map) => map.get(key)),
    ),
  ],
  // Go's order is random here; ours is the order in which the keys came in
  ['keys', define('m*', (maps) => stringSlice(maps.flatMap((map) => [...(map?.keys() ?? [])])))],
  ['values', define('m', ([map]) => [...(map?.values() ?? [])])],
  [
    'pick',
    define('ms*', ([map, ...keys]) => {
      const out: ValueMap = new Map()
      for (const key of keys) if (map?.has(key)) out.set(key, map.get(key))
      return out
    }),
  ],
  [
    'omit',
    define('ms*', ([map, ...keys]) => {
      const out: ValueMap = new Map(map ?? [])
      for (const key of keys) out.delete(key)
      return out
    }),
  ],
  ['dig', define('a*', (args) => dig(args))],
  ['merge', merge(false)],
  ['mustMerge', merge(false)],
  ['mergeOverwrite', merge(true)],
  ['mustMergeOverwrite', merge(true)],
  ['deepCopy', deepCopyOf],
  ['mustDeepCopy', deepCopyOf],
]

/** A nil `map[string]interface {}`. */
export function nilMap(): TypedMap {
  return new TypedMap('map[string]interface {}', new Map(), { isNil: true })
}

/** An assertion of Go that a value is of a type. */
function conversion(value: Value, wanted: string): FunctionFailure {
  const is = value === null || value === undefined ? 'nil' : typeName(value)
  return new FunctionFailure(`interface conversion: interface {} is ${is}, not ${wanted}`)
}

function dig(args: readonly Value[]): Value {
  if (args.length < 3) throw new FunctionFailure('dig needs at least three arguments')
  const fallback = args.at(-2)
  let step: Value = args.at(-1)
  if (!(step instanceof Map)) throw conversion(step, 'map[string]interface {}')
  for (const key of args.slice(0, -2)) if (typeof key !== 'string') throw conversion(key, 'string')
  for (const key of args.slice(0, -2) as string[]) {
    // only a plain map will do: a named one is another type
    if (!(step instanceof Map)) throw conversion(step, 'map[string]interface {}')
    if (!step.has(key)) return fallback
    step = step.get(key)
  }
  return step
}

function copiedMap(map: ReadonlyMap<string, Value>): ValueMap {
  const copy: ValueMap = new Map()
  for (const [key, item] of map) {
    copy.set(key, typeof item === 'object' && item !== null ? deepCopy(item) : item)
  }
  return copy
}

/** Maps and lists copied at every depth; other values are never changed in place. */
export function deepCopy(value: Value): Value {
  visit()
  if (Array.isArray(value)) return value.map(deepCopy)
  if (value instanceof Map) return copiedMap(value)
  if (value instanceof TypedMap) return value.copiedWith(copiedMap(value.map))
  if (value instanceof TypedSlice) return value.copiedWith(value.items.map(deepCopy))
  if (value instanceof Struct) return (value.exportedOnly?.() ?? value).copied()
  return value
}
