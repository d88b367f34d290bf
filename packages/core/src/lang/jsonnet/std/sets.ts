import { call1 } from '../calls.ts'
import { pointList } from '../code-points.ts'
import { indexValue } from '../index-value.ts'
import { fail, spend } from '../machine.ts'
import { compare, equals, needArray, needFunction, plus } from '../operators.ts'
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
import { length } from './types.ts'

/** Stable sort by keys that are all numbers, all strings or all arrays. */
function sort(list: Value, keyF: Value, caller: Caller): ArrayValue {
  const array = needArray(list, caller)
  const keyOf = needFunction(keyF, caller)
  const { items } = array
  const keys = items.map((item) => keyWith(keyOf, item, caller))
  const order = items.map((_, i) => i)
  spend(items.length * 2, caller)
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

function unique(list: Value, keyF: () => Value, caller: Caller): ArrayValue {
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
    const keyOf = needFunction(keyF(), caller)
    last ??= keyWith(keyOf, kept.at(-1)!, caller)
    const key = keyWith(keyOf, item, caller)
    if (equals(last, key, caller)) continue
    kept.push(item)
    last = key
  }
  return new ArrayValue(kept)
}

/** One of the lists of a set operation: anything with a length, which fails when it cannot be indexed. */
class Side {
  readonly items: readonly Slot[]
  private readonly value: Value
  private readonly keyF: () => Value
  private readonly caller: Caller
  private keyAt = -1
  private known: Value = null

  constructor(value: Value, keyF: () => Value, caller: Caller) {
    this.value = value
    this.keyF = keyF
    this.caller = caller
    const count = length(value, caller)
    if (value instanceof ArrayValue) this.items = value.items
    else if (typeof value === 'string') this.items = pointList(value)
    else {
      const at = (i: number): Thunk => new Thunk(() => indexValue(value, i, caller), [])
      this.items = Array.from({ length: count }, (_, i) => at(i))
    }
  }

  key(index: number): Value {
    if (index !== this.keyAt) {
      const keyOf = needFunction(this.keyF(), this.caller)
      this.known = keyWith(keyOf, this.items[index]!, this.caller)
      this.keyAt = index
    }
    return this.known
  }

  addRest(out: readonly Slot[], from: number): Value {
    return rest(this.value, out, from, this.caller)
  }
}

/** Elements so far plus those of a list from `from` on, as the original adds a slice. */
function rest(value: Value, out: readonly Slot[], from: number, caller: Caller): Value {
  if (typeof value === 'string') {
    return plus(new ArrayValue([...out]), pointList(value).slice(from).join(''), caller)
  }
  if (!(value instanceof ArrayValue)) {
    return fail(`std.slice accepts a string or an array, but got: ${typeName(value)}`, caller)
  }
  return new ArrayValue(out.concat(value.items.slice(from)))
}

/** Walks two sorted lists; `take` says which elements stay: only left, both, only right. */
function merge(take: readonly [boolean, boolean, boolean], place: string): Definition {
  return lazy(
    ['a', 'b', 'keyF'],
    place,
    (args) => {
      const keyF = (): Value => args.get(2)
      const left = args.get(0)
      // the union alone does not evaluate both sides before it looks at them
      if (!take[2]) args.get(1)
      const a = new Side(left, keyF, args.caller)
      if (a.items.length === 0 && !take[2]) return new ArrayValue([])
      if (a.items.length === 0) return rest(args.get(1), [], 0, args.caller)
      return walk(a, new Side(args.get(1), keyF, args.caller), take, args.caller)
    },
    { defaults: [identity] },
  )
}

function walk(a: Side, b: Side, take: readonly [boolean, boolean, boolean], caller: Caller): Value {
  const [onlyLeft, common, onlyRight] = take
  const out: Slot[] = []
  let i = 0
  let j = 0
  while (i < a.items.length && j < b.items.length) {
    const x = a.key(i)
    const y = b.key(j)
    if (equals(x, y, caller)) {
      if (common) out.push(a.items[i]!)
      i++
      j++
    } else if (compare(x, y, caller) < 0) {
      if (onlyLeft) out.push(a.items[i]!)
      i++
    } else {
      if (onlyRight) out.push(b.items[j]!)
      j++
    }
  }
  if (i >= a.items.length) return onlyRight ? b.addRest(out, j) : new ArrayValue(out)
  return onlyLeft ? a.addRest(out, i) : new ArrayValue(out)
}

function member(args: Arguments): Value {
  const keyF = (): Value => args.get(2)
  const single = new Side(new ArrayValue([args.slot(0)]), keyF, args.caller)
  const found = walk(
    single,
    new Side(args.get(1), keyF, args.caller),
    [false, true, false],
    args.caller,
  )
  return (found as ArrayValue).items.length > 0
}

export const sets: Definitions = {
  sort: strictN(['arr', 'keyF'], [identity], ([list, keyF], caller) => sort(list!, keyF!, caller)),
  uniq: lazy(
    ['arr', 'keyF'],
    ':1487:5-26',
    (args) => unique(args.get(0), () => args.get(1), args.caller),
    { defaults: [identity] },
  ),
  set: lazy(
    ['arr', 'keyF'],
    ':1490:5-40',
    (args) => {
      const list = args.get(0)
      const keyF = args.get(1)
      return unique(sort(list, keyF, args.caller), () => keyF, args.caller)
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
