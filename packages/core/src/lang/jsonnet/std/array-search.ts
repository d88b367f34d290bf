import { call1 } from '../calls.ts'
import { fail } from '../machine.ts'
import { compare, equals, needArray, needFunction, needInt, plus } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, typeName, type Value } from '../values.ts'
import { type Definition, type Definitions, lazy, optional, strict2, strictN } from './define.ts'
import { identity } from './identity.ts'

/** std.minArray and std.maxArray: the first element whose key is smallest or largest. */
function extreme(better: (order: number) => boolean): Definition {
  return strictN(['arr', 'keyF', 'onEmpty'], [identity, optional], (values, caller) => {
    const array = needArray(values[0]!, caller)
    const keyOf = needFunction(values[1]!, caller)
    if (array.items.length === 0) {
      if (values[2] !== undefined) return values[2]
      fail('Expected at least one element in array. Got none', caller)
    }
    let best = array.at(0, caller)
    let bestKey = call1(keyOf, best, caller)
    for (let i = 1; i < array.items.length; i++) {
      const item = array.at(i, caller)
      const key = call1(keyOf, item, caller)
      if (better(compare(bestKey, key, caller))) {
        best = item
        bestKey = key
      }
    }
    return best
  })
}

function allOrAny(name: string, stop: boolean, place: string): Definition {
  return lazy(['arr'], place, (args) => {
    const { caller } = args
    const array = args.get(0)
    if (!(array instanceof ArrayValue)) {
      return fail(`${name}() parameter should be an array, got ${typeName(array)}`, caller)
    }
    for (let i = 0; i < array.items.length; i++) {
      const item = array.at(i, caller)
      if (typeof item !== 'boolean') {
        const shown = plus('', item, caller)
        fail(`element "${shown}" of type ${typeName(item)} is not a boolean`, caller)
      }
      if (item === stop) return stop
    }
    return !stop
  })
}

function removeAt(list: Value, index: Value, caller: Caller): Value {
  const array = needArray(list, caller)
  const at = needInt(index, caller)
  if (at < 0 || at >= array.items.length) {
    fail(`Index ${at} out of bounds, not within [0, ${array.items.length})`, caller)
  }
  return new ArrayValue(array.items.toSpliced(at, 1))
}

function indexIn(array: ArrayValue, value: Value, caller: Caller): number {
  for (let i = 0; i < array.items.length; i++) {
    if (equals(array.at(i, caller), value, caller)) return i
  }
  return -1
}

/** What looks through an array and tells something about it, or takes one element away. */
export const arraySearch: Definitions = {
  count: lazy(['arr', 'x'], ':255:19-66', (args) => {
    const { caller } = args
    const array = needArray(args.get(0), caller)
    let count = 0
    for (let i = 0; i < array.items.length; i++) {
      if (equals(array.at(i, caller), args.get(1), caller)) count++
    }
    return count
  }),
  find: lazy(['value', 'arr'], ':1668:7-77', (args) => {
    const { caller } = args
    const array = args.get(1)
    if (!(array instanceof ArrayValue)) {
      const type = typeName(array)
      return fail(`find second parameter should be an array, got ${type}`, caller)
    }
    const found: number[] = []
    for (let i = 0; i < array.items.length; i++) {
      if (equals(array.at(i, caller), args.get(0), caller)) found.push(i)
    }
    return new ArrayValue(found)
  }),
  contains: strict2(['arr', 'elem'], (list, value, caller) => {
    return indexIn(needArray(list, caller), value, caller) !== -1
  }),
  remove: strict2(['arr', 'elem'], (list, value, caller) => {
    const array = needArray(list, caller)
    const at = indexIn(array, value, caller)
    return at === -1 ? array : removeAt(array, at, caller)
  }),
  removeAt: strict2(['arr', 'i'], removeAt),
  all: allOrAny('all', false, ':(1680:9)-(1684:23)'),
  any: allOrAny('any', true, ':(1695:9)-(1699:23)'),
  minArray: extreme((order) => order > 0),
  maxArray: extreme((order) => order < 0),
}
