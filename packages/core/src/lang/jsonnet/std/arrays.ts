import { call1, call2 } from '../calls.ts'
import { pointList } from '../code-points.ts'
import { enter, fail, machine } from '../machine.ts'
import { numberText } from '../numbers.ts'
import {
  checkLength,
  checkString,
  compare,
  needArray,
  needBoolean,
  needFunction,
  needInt,
  needString,
  plus,
  stringTooLong,
} from '../operators.ts'
import { type Caller, nowhere, Phase } from '../site.ts'
import {
  ArrayValue,
  type Frame,
  FunctionValue,
  type Slot,
  Thunk,
  typeName,
  type Value,
  wrongType,
} from '../values.ts'
import { type Arguments, type Definitions, lazy, strict1, strict2, strict3 } from './define.ts'
import { length } from './types.ts'

/** std.join: nulls are left out. */
export function join(separator: Value, list: Value, caller: Caller): Value {
  const array = needArray(list, caller)
  if (typeof separator === 'string') {
    const parts: string[] = []
    let size = 0
    for (let i = 0; i < array.items.length; i++) {
      const item = array.at(i, caller)
      if (item === null) continue
      const text = needString(item, caller)
      size += text.length + separator.length
      if (size > machine.limits.stringLength) stringTooLong(caller)
      parts.push(text)
    }
    return parts.join(separator)
  }
  if (!(separator instanceof ArrayValue)) {
    const type = typeName(separator)
    return fail(`join first parameter should be string or array, got ${type}`, caller)
  }
  const items: Slot[] = []
  let first = true
  for (let i = 0; i < array.items.length; i++) {
    const item = array.at(i, caller)
    if (item === null) continue
    const part = needArray(item, caller)
    checkLength(items.length + separator.items.length + part.items.length, caller)
    if (!first) for (const slot of separator.items) items.push(slot)
    for (const slot of part.items) items.push(slot)
    first = false
  }
  return new ArrayValue(items)
}

function makeArray(size: Value, fn: Value, caller: Caller): Value {
  const count = needInt(size, caller)
  const call = needFunction(fn, caller)
  checkLength(count, caller)
  machine.steps -= count >> 3
  const items: Slot[] = []
  for (let i = 0; i < count; i++) items.push(new Thunk(element, [call, i]))
  return new ArrayValue(items)
}

function element(frame: Frame): Value {
  return call1(frame[0] as FunctionValue, frame[1] as number, nowhere)
}

/** Elements of an array, or characters of a string. */
function itemsOf(name: string, value: Value, caller: Caller): readonly Slot[] {
  if (value instanceof ArrayValue) return value.items
  if (typeof value === 'string') return pointList(value)
  const type = typeName(value)
  return fail(`${name} second parameter should be string or array, got ${type}`, caller)
}

function foldLeft(fn: Value, list: Value, init: Value, caller: Caller): Value {
  const step = needFunction(fn, caller)
  let value = init
  for (const item of itemsOf('foldl', list, caller)) value = call2(step, value, item, caller)
  return value
}

function foldRight(fn: Value, list: Value, init: Value, caller: Caller): Value {
  const step = needFunction(fn, caller)
  const items = itemsOf('foldr', list, caller)
  let value = init
  for (let i = items.length - 1; i >= 0; i--) value = call2(step, items[i]!, value, caller)
  return value
}

function flatMap(fn: Value, list: Value, caller: Caller): Value {
  const step = needFunction(fn, caller)
  if (typeof list === 'string') {
    let out = ''
    for (const char of pointList(list)) {
      out = checkString(out + needString(call1(step, char, caller), caller), caller)
    }
    return out
  }
  if (!(list instanceof ArrayValue)) {
    const type = typeName(list)
    return fail(`std.flatMap second param must be array / string, got ${type}`, caller)
  }
  const items: Slot[] = []
  for (const item of list.items) {
    const part = needArray(call1(step, item, caller), caller)
    checkLength(items.length + part.items.length, caller)
    for (const slot of part.items) items.push(slot)
  }
  return new ArrayValue(items)
}

function filter(fn: Value, list: Value, caller: Caller): ArrayValue {
  const array = needArray(list, caller)
  const test = needFunction(fn, caller)
  const items: Slot[] = []
  for (const item of array.items) {
    if (needBoolean(call1(test, item, caller), caller)) items.push(item)
  }
  return new ArrayValue(items)
}

const mapPlace = new Phase('<std>:280:50-62', 'function <anonymous>')
const mapIndexPlace = new Phase('<std>:288:50-65', 'function <anonymous>')

/** std.map's element: the made-up function around the user's one has a frame, too. */
function mapped(frame: Frame): Value {
  enter(nowhere)
  const value = call1(frame[0] as FunctionValue, frame[1] as Slot, mapPlace)
  machine.depth--
  return value
}

function mappedWithIndex(frame: Frame): Value {
  enter(nowhere)
  const value = call2(frame[0] as FunctionValue, frame[2] as Slot, frame[1] as Slot, mapIndexPlace)
  machine.depth--
  return value
}

function map(fn: FunctionValue, list: ArrayValue | string): ArrayValue {
  const source = typeof list === 'string' ? pointList(list) : list.items
  const items: Slot[] = []
  for (const item of source) items.push(new Thunk(mapped, [fn, item]))
  return new ArrayValue(items)
}

function mapArguments(
  name: string,
  kinds: string,
  args: Arguments,
): [FunctionValue, ArrayValue | string] {
  const fn = args.get(0)
  if (!(fn instanceof FunctionValue)) {
    return fail(`std.${name} first param must be function, got ${typeName(fn)}`, args.caller)
  }
  const list = args.get(1)
  if (!(list instanceof ArrayValue) && typeof list !== 'string') {
    return fail(`std.${name} second param must be ${kinds}, got ${typeName(list)}`, args.caller)
  }
  return [fn, list]
}

function filterMap(args: Arguments): Value {
  const names = ['first', 'second']
  const [test, change] = names.map((which, i) => {
    const fn = args.get(i)
    if (fn instanceof FunctionValue) return fn
    const type = typeName(fn)
    return fail(`std.filterMap ${which} param must be function, got ${type}`, args.caller)
  })
  const list = args.get(2)
  if (!(list instanceof ArrayValue)) {
    const type = typeName(list)
    return fail(`std.filterMap third param must be array, got ${type}`, args.caller)
  }
  return map(change!, filter(test!, list, args.caller))
}

function range(from: Value, to: Value, caller: Caller): Value {
  const first = needInt(from, caller)
  const last = needInt(to, caller)
  checkLength(last - first + 1, caller)
  machine.steps -= Math.max(0, last - first) >> 3
  const items: number[] = []
  for (let i = first; i <= last; i++) items.push(i)
  return new ArrayValue(items)
}

function slice(args: Arguments): Value {
  const { caller } = args
  const step = args.get(3)
  const negative = (part: Value): boolean => compare(part, 0, caller) < 0
  const total = (): number => length(args.get(0), caller)
  const start = (): number => {
    const from = args.get(1)
    if (from === null) return 0
    return negative(from) ? Math.max(0, total() + Number(from)) : Number(from)
  }
  const stop = (): number => {
    const to = args.get(2)
    if (to === null) return total()
    return negative(to) ? total() + Number(to) : Number(to)
  }
  if (step !== null && negative(step)) {
    const shown = [start(), stop(), Number(step)].map(numberText).join(':')
    fail(`got [${shown}] but negative steps are not supported`, caller)
  }
  if (step === 0) fail(`got ${numberText(step)} but step must be greater than 0`, caller)
  const value = args.get(0)
  if (typeof value !== 'string' && !(value instanceof ArrayValue)) {
    return fail(`std.slice accepts a string or an array, but got: ${typeName(value)}`, caller)
  }
  const items: readonly Slot[] = typeof value === 'string' ? pointList(value) : value.items
  const from = start()
  const end = Math.min(stop(), items.length)
  const by = step === null ? 1 : Number(step)
  if (by === 1 && Number.isInteger(from)) {
    const picked = items.slice(from, Math.max(from, end))
    return typeof value === 'string' ? picked.join('') : new ArrayValue(picked)
  }
  checkLength((end - from) / by, caller)
  const picked: Slot[] = []
  for (let at = from; at < end; at += by) picked.push(items[Math.trunc(at)]!)
  return typeof value === 'string' ? picked.join('') : new ArrayValue(picked)
}

function repeat(args: Arguments): Value {
  const { caller } = args
  const what = args.get(0)
  if (typeof what !== 'string' && !(what instanceof ArrayValue)) {
    return fail('std.repeat first argument must be an array or a string', caller)
  }
  const count = Math.max(0, needInt(args.get(1), caller))
  if (typeof what === 'string') {
    if (what.length * count > machine.limits.stringLength) stringTooLong(caller)
    return what.repeat(count)
  }
  checkLength(what.items.length * count, caller)
  const items: Slot[] = []
  for (let i = 0; i < count; i++) for (const slot of what.items) items.push(slot)
  return new ArrayValue(items)
}

function flattenDeep(value: Value, items: Slot[], caller: Caller): void {
  if (!(value instanceof ArrayValue)) {
    items.push(value)
    return
  }
  enter(caller)
  for (let i = 0; i < value.items.length; i++) flattenDeep(value.at(i, caller), items, caller)
  machine.depth--
}

/** std.flattenArrays: a sum that begins with an empty array; summed in one go where all are arrays. */
function flattenArrays(args: Arguments): Value {
  const { caller } = args
  const list = args.get(0)
  const source = itemsOf('foldl', list, caller)
  let sum: Value = new ArrayValue([])
  let items: Slot[] | undefined = []
  for (const slot of source) {
    const part: Value = slot instanceof Thunk ? slot.force(caller) : slot
    if (items !== undefined && part instanceof ArrayValue) {
      checkLength(items.length + part.items.length, caller)
      for (const item of part.items) items.push(item)
      continue
    }
    if (items !== undefined) {
      sum = new ArrayValue(items)
      items = undefined
    }
    sum = plus(sum, part, caller)
  }
  return items === undefined ? sum : new ArrayValue(items)
}

export const arrays: Definitions = {
  makeArray: strict2(['sz', 'func'], makeArray),
  flatMap: strict2(['func', 'arr'], flatMap),
  join: strict2(['sep', 'arr'], join),
  reverse: strict1(
    'arr',
    (list, caller) => new ArrayValue(needArray(list, caller).items.toReversed()),
  ),
  filter: strict2(['func', 'arr'], filter),
  foldl: strict3(['func', 'arr', 'init'], foldLeft),
  foldr: strict3(['func', 'arr', 'init'], foldRight),
  range: strict2(['from', 'to'], range),
  map: lazy(
    ['func', 'arr'],
    ':276:7-76',
    (args) => map(...mapArguments('map', 'array / string', args)),
    {
      paths: ['275:9-29 35:18-29 35:27-28t 275:24-28t', '277:14-30 34:16-27 34:25-26t 277:26-29t'],
    },
  ),
  mapWithIndex: lazy(['func', 'arr'], ':284:7-83', (args) => {
    const [fn, list] = mapArguments('mapWithIndex', 'array', args)
    const source: readonly Slot[] = typeof list === 'string' ? pointList(list) : list.items
    return new ArrayValue(source.map((item, i) => new Thunk(mappedWithIndex, [fn, item, i])))
  }),
  filterMap: lazy(['filter_func', 'map_func', 'arr'], ':845:7-89', filterMap),
  flattenArrays: lazy(['arrs'], ':901:5-46', flattenArrays),
  flattenDeepArray: lazy(['value'], ':905:7-55', (args) => {
    const items: Slot[] = []
    flattenDeep(args.get(0), items, args.caller)
    return new ArrayValue(items)
  }),
  slice: lazy(['indexable', 'index', 'end', 'step'], ':(232:5)-(246:66)', slice),
  repeat: lazy(['what', 'count'], ':204:5-61', repeat),
  $flatMapArray: strict2(['func', 'arr'], (fn, list, caller) => {
    return list instanceof ArrayValue ? flatMap(fn, list, caller) : wrongType(list, 'array', caller)
  }),
}
