import { call2 } from '../calls.ts'
import { enter, fail, machine, spend } from '../machine.ts'
import {
  fieldNames,
  hasField,
  indexObject,
  leafObject,
  plainObject,
  plainShape,
  removeKey,
} from '../object.ts'
import { needBoolean, needObject, needString } from '../operators.ts'
import { type Caller, Phase } from '../site.ts'
import {
  ArrayValue,
  type Code,
  type Frame,
  FunctionValue,
  ObjectValue,
  type Slot,
  Thunk,
  typeName,
  type Value,
} from '../values.ts'
import {
  type Arguments,
  type Definition,
  type Definitions,
  lazy,
  strict2,
  strict3,
} from './define.ts'

/** An object whose fields are worked out when they are read; each has its own frame. */
function lateObject(
  names: readonly string[],
  code: Code,
  frameOf: (name: string) => Frame,
): ObjectValue {
  const fields = names.map((name) => {
    const frame = frameOf(name)
    return { name, visibility: 0 as const, constant: undefined, code, framed: false, frame }
  })
  return leafObject(plainShape(fields), [])
}

const valuePlace = new Phase('<std>:1582:6-10', 'thunk from <function <anonymous>>')
const pairPlace = new Phase('<std>:1588:23-27', 'object <anonymous>')
const keyPlace = new Phase('<std>:296:14-29', 'object <anonymous>')
const patchPlace = new Phase('<std>:1556:13-29', 'object <anonymous>')

const fieldValue: Code = (frame) =>
  indexObject(frame[0] as ObjectValue, frame[1] as string, frame[2] as Caller)

function list(
  hidden: boolean,
  item: (object: ObjectValue, name: string) => Slot,
  path: string,
): Definition {
  return lazy(
    ['o'],
    hidden ? ':1573:5-32' : ':1570:5-33',
    (args) => {
      const object = needObject(args.get(0), args.caller)
      const names = fieldNames(object, hidden, args.caller)
      return new ArrayValue(names.map((name) => item(object, name)))
    },
    { paths: [path] },
  )
}

const lateValue = (object: ObjectValue, name: string): Slot =>
  new Thunk(fieldValue, [object, name, valuePlace])

const pair = (object: ObjectValue, name: string): Slot => {
  const frame: Frame = [object, name, pairPlace]
  const key = {
    name: 'key',
    visibility: 0 as const,
    constant: name,
    code: fieldValue,
    framed: false,
    frame,
  }
  return leafObject(plainShape([key, { ...key, name: 'value', constant: undefined }]), [])
}

function has(hidden: boolean, line: number): Definition {
  const whole = `${line}:5-${hidden ? 32 : 33}`
  return lazy(
    ['o', 'f'],
    `:${whole}`,
    (args) => {
      const object = args.get(0)
      const name = args.get(1)
      const fields = needObject(object, args.caller)
      return hasField(fields, needString(name, args.caller), hidden, args.caller)
    },
    { paths: [`${whole} ${line}:21-22t`, `${whole} ${line}:24-25t`] },
  )
}

const mappedField: Code = (frame) => {
  const value = new Thunk(fieldValue, [frame[1], frame[2], keyPlace])
  return call2(frame[0] as FunctionValue, frame[2] as string, value, keyPlace)
}

function mapWithKey(args: Arguments): Value {
  const fn = args.get(0)
  if (!(fn instanceof FunctionValue)) {
    const type = typeName(fn)
    return fail(`std.mapWithKey first param must be function, got ${type}`, args.caller)
  }
  const object = args.get(1)
  if (!(object instanceof ObjectValue)) {
    const type = typeName(object)
    return fail(`std.mapWithKey second param must be object, got ${type}`, args.caller)
  }
  const names = fieldNames(object, false, args.caller)
  return lateObject(names, mappedField, (name) => [fn, object, name])
}

const patchedField: Code = (frame) => {
  const [target, patch, name] = frame as [ObjectValue | undefined, ObjectValue, string]
  if (!hasField(patch, name, false, patchPlace)) return indexObject(target!, name, patchPlace)
  const change = indexObject(patch, name, patchPlace)
  const known = target !== undefined && hasField(target, name, false, patchPlace)
  enter(patchPlace)
  const value = mergePatch(
    () => (known ? indexObject(target, name, patchPlace) : null),
    change,
    patchPlace,
  )
  machine.depth--
  return value
}

/** RFC 7386, field by field when it is read. */
function mergePatch(target: () => Value, patch: Value, caller: Caller): Value {
  if (!(patch instanceof ObjectValue)) return patch
  const base = target()
  const object = base instanceof ObjectValue ? base : undefined
  const patched = fieldNames(patch, false, caller)
  const gone = new Set(patched.filter((name) => indexObject(patch, name, caller) === null))
  const kept = object === undefined ? [] : fieldNames(object, false, caller)
  const names = new Set([...kept, ...patched].filter((name) => !gone.has(name)))
  return lateObject([...names], patchedField, (name) => [object, patch, name])
}

function isContent(value: Value, caller: Caller): boolean {
  if (value === null) return false
  if (value instanceof ArrayValue) return value.items.length > 0
  if (value instanceof ObjectValue) return fieldNames(value, false, caller).length > 0
  return true
}

/** Without nulls, empty arrays and empty objects, deeply. */
function prune(value: Value, caller: Caller): Value {
  enter(caller)
  spend(8, caller)
  let pruned = value
  if (value instanceof ArrayValue) {
    const items: Value[] = []
    for (let i = 0; i < value.items.length; i++) {
      const item = prune(value.at(i, caller), caller)
      if (isContent(item, caller)) items.push(item)
    }
    pruned = new ArrayValue(items)
  } else if (value instanceof ObjectValue) {
    const entries: [string, Value][] = []
    for (const name of fieldNames(value, false, caller)) {
      const field = prune(indexObject(value, name, caller), caller)
      if (isContent(field, caller)) entries.push([name, field])
    }
    pruned = plainObject(entries)
  }
  machine.depth--
  return pruned
}

function get(args: Arguments): Value {
  const { caller } = args
  const object = args.get(0)
  const name = args.get(1)
  const hidden = args.get(3)
  const fields = needObject(object, caller)
  const key = needString(name, caller)
  if (!hasField(fields, key, needBoolean(hidden, caller), caller)) return args.get(2)
  return indexObject(fields, key, caller)
}

export const objects: Definitions = {
  objectFields: list(false, (_, name) => name, '1570:5-33 1570:24-25t'),
  objectFieldsAll: list(true, (_, name) => name, '1573:5-32 1573:24-25t'),
  objectFieldsEx: strict2(['obj', 'hidden'], (object, hidden, caller) => {
    const fields = needObject(object, caller)
    return new ArrayValue([...fieldNames(fields, needBoolean(hidden, caller), caller)])
  }),
  objectHas: has(false, 1576),
  objectHasAll: has(true, 1579),
  objectHasEx: strict3(['obj', 'fname', 'hidden'], (object, name, hidden, caller) => {
    const fields = needObject(object, caller)
    const key = needString(name, caller)
    return hasField(fields, key, needBoolean(hidden, caller), caller)
  }),
  objectValues: list(false, lateValue, '1582:5-40b 1582:20-39 1570:5-33 1570:24-25t 1582:37-38t'),
  objectValuesAll: list(true, lateValue, '1585:5-43b 1585:20-42 1573:5-32 1573:24-25t 1585:40-41t'),
  objectKeysValues: list(false, pair, '1588:5-59b 1588:39-58 1570:5-33 1570:24-25t 1588:56-57t'),
  objectKeysValuesAll: list(true, pair, '1591:5-62b 1591:39-61 1573:5-32 1573:24-25t 1591:59-60t'),
  objectRemoveKey: strict2(['obj', 'key'], (object, key, caller) => {
    const fields = needObject(object, caller)
    return removeKey(fields, needString(key, caller), caller)
  }),
  mapWithKey: lazy(['func', 'obj'], ':292:7-83', mapWithKey),
  mergePatch: lazy(['target', 'patch'], ':1540:5-24', (args) =>
    mergePatch(() => args.get(0), args.get(1), args.caller),
  ),
  prune: lazy(['a'], ':1644:8-22', (args) => prune(args.get(0), args.caller)),
  get: lazy(['o', 'f', 'default', 'inc_hidden'], ':1567:8-41', get, {
    defaults: [null, true],
    paths: [
      '1567:8-41 1567:24-25t',
      '1567:8-41 1567:27-28t',
      '1567:57-64',
      '1567:8-41 1567:30-40t',
    ],
  }),
  $objectFlatMerge: lazy(['x'], '', (args) => args.get(0)),
}
