import { call1 } from '../calls.ts'
import { pointList } from '../code-points.ts'
import { fail } from '../machine.ts'
import { compare, equals, needArray, needFunction } from '../operators.ts'
import type { Caller } from '../site.ts'
import {
  ArrayValue,
  type FunctionValue,
  type Slot,
  Thunk,
  typeName,
  type Value,
} from '../values.ts'
import { type Arguments, type Definition, type Definitions, lazy, strictN } from './define.ts'
import { identity } from './identity.ts'

/** Stable sort by keys that are all numbers, all strings or all arrays. */
function sort(list: Value, keyF: Value, caller: Caller): ArrayValue {
  const array = needArray(list, caller)
  const keyOf = needFunction(keyF, caller)
  const { items } = array
  const keys = items.map((item) => keyWith(keyOf, item, caller))
  const order = items.map((_, i) => i)
  if (keys.every((key) => typeof key === 'number')) {
    order.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
  } else {
    // Parity: the original compares each element with the one before it first, and complains there.
    for (let i = 1; i < keys.length; i++) {
      if (typeName(keys[i]!) !== typeName(keys[i - 1]!) || i === 1) {
        compare(keys[i]!, keys[i - 1]!, caller)
      }
    }
    order.sort((a, b) => compare(keys[a]!, keys[b]!, caller) || a - b)
  }
  return new ArrayValue(order.map((i) => items[i]!))
}

function keyWith(keyOf: FunctionValue, item: Slot, caller: Caller): Value {
  if (keyOf !== identity) return call1(keyOf, item, caller)
  return item instanceof Thunk ? item.force(caller) : item
}

function unique(list: Value, keyF: Value, caller: Caller): ArrayValue {
  let items: readonly Slot[]
  if (list instanceof ArrayValue) items = list.items
  else if (typeof list === 'string') items = pointList(list)
  else {
    return fail(`foldl second parameter should be string or array, got ${typeName(list)}`, caller)
  }
  const kept: Slot[] = []
  let last: Value | undefined
  for (const item of items) {
    if (kept.length === 0) {
      kept.push(item)
      continue
    }
    const keyOf = needFunction(keyF, caller)
    last ??= keyWith(keyOf, kept.at(-1)!, caller)
    const key = keyWith(keyOf, item, caller)
    if (equals(last, key, caller)) continue
    kept.push(item)
    last = key
  }
  return new ArrayValue(kept)
}

interface Sides {
  readonly a: readonly Slot[]
  readonly b: readonly Slot[]
  readonly keyA: (index: number) => Value
  readonly keyB: (index: number) => Value
}

function sides(a: Value, b: Value, keyF: () => Value, caller: Caller): Sides {
  const lists = [a, b].map((list) => {
    if (typeof list === 'string') return pointList(list)
    return needArray(list, caller).items
  })
  const [left, right] = lists as [readonly Slot[], readonly Slot[]]
  const key = (items: readonly Slot[]): ((index: number) => Value) => {
    let at = -1
    let known: Value = null
    return (index) => {
      if (index !== at) known = keyWith(needFunction(keyF(), caller), items[index]!, caller)
      at = index
      return known
    }
  }
  return { a: left, b: right, keyA: key(left), keyB: key(right) }
}

/** Walks two sorted lists; `take` says which elements stay: only left, both, only right. */
function merge(take: readonly [boolean, boolean, boolean], place: string): Definition {
  return lazy(
    ['a', 'b', 'keyF'],
    place,
    (args) => {
      const both = sides(args.get(0), args.get(1), () => args.get(2), args.caller)
      return new ArrayValue(walk(both, take, args.caller))
    },
    { defaults: [identity] },
  )
}

function walk(both: Sides, take: readonly [boolean, boolean, boolean], caller: Caller): Slot[] {
  const [onlyLeft, common, onlyRight] = take
  const { a, b } = both
  const out: Slot[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const x = both.keyA(i)
    const y = both.keyB(j)
    if (equals(x, y, caller)) {
      if (common) out.push(a[i]!)
      i++
      j++
    } else if (compare(x, y, caller) < 0) {
      if (onlyLeft) out.push(a[i]!)
      i++
    } else {
      if (onlyRight) out.push(b[j]!)
      j++
    }
  }
  if (onlyLeft) for (; i < a.length; i++) out.push(a[i]!)
  if (onlyRight) for (; j < b.length; j++) out.push(b[j]!)
  return out
}

function member(args: Arguments): Value {
  const single = new ArrayValue([args.slot(0)])
  const both = sides(single, args.get(1), () => args.get(2), args.caller)
  return walk(both, [false, true, false], args.caller).length > 0
}

export const sets: Definitions = {
  sort: strictN(['arr', 'keyF'], [identity], ([list, keyF], caller) => sort(list!, keyF!, caller)),
  uniq: lazy(
    ['arr', 'keyF'],
    ':1487:5-26',
    (args) => unique(args.get(0), args.get(1), args.caller),
    { defaults: [identity] },
  ),
  set: lazy(
    ['arr', 'keyF'],
    ':1490:5-40',
    (args) => {
      const keyF = args.get(1)
      return unique(sort(args.get(0), keyF, args.caller), keyF, args.caller)
    },
    { defaults: [identity] },
  ),
  setMember: lazy(['x', 'arr', 'keyF'], ':1494:16-43', member, {
    defaults: [identity],
  }),
  setUnion: merge([true, true, true], ':1512:5-24'),
  setInter: merge([false, true, false], ':1525:5-24'),
  setDiff: merge([true, false, false], ':1540:5-24'),
}
