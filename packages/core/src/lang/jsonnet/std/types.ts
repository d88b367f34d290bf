import { pointLength } from '../code-points.ts'
import { indexValue } from '../index-value.ts'
import { quoteString } from '../json-text.ts'
import { fail, machine } from '../machine.ts'
import { toText } from '../manifest.ts'
import { fieldNames } from '../object.ts'
import { compare, equals, needString, primitiveEquals } from '../operators.ts'
import { type Caller, Site } from '../site.ts'
import {
  ArrayValue,
  FunctionValue,
  ObjectValue,
  typeName,
  type Value,
  wrongType,
} from '../values.ts'
import { type Definition, type Definitions, lazy, strict1, strict2 } from './define.ts'

/** std.length: visible fields, elements, code points, or parameters without default. */
export function length(value: Value, caller: Caller): number {
  if (typeof value === 'string') return pointLength(value)
  if (value instanceof ArrayValue) return value.items.length
  if (value instanceof ObjectValue) return fieldNames(value, false, caller).length
  if (value instanceof FunctionValue) return value.def.required
  return wrongType(value, undefined, caller)
}

function isType(name: string, type: string, line: number): Definition {
  const start = name.length + 9
  const path = `${line}:${start}-${start + 11} ${line}:${start + 9}-${start + 10}t`
  return lazy(['v'], `:${line}`, (args) => typeName(args.get(0)) === type, { paths: [path] })
}

/** std.__compare, which is stricter than the operators. */
function threeWay(left: Value, right: Value, caller: Caller): number {
  const type = typeName(left)
  const other = typeName(right)
  if (type !== other) fail(`Comparison requires matching types. Got ${type} and ${other}`, caller)
  if (left instanceof ArrayValue) return threeWayList(left, () => right, caller)
  if (type === 'function' || type === 'object' || type === 'boolean') {
    fail(`Values of type ${type} are not comparable.`, caller)
  }
  return Math.sign(compare(left, right, caller))
}

/** std.__compare_array takes whatever has a length and can be indexed. */
function threeWayList(left: Value, getRight: () => Value, caller: Caller): number {
  const count = length(left, caller)
  const right = getRight()
  const other = length(right, caller)
  for (let i = 0; i < Math.min(count, other); i++) {
    const x = indexValue(left, i, caller)
    const order = threeWay(x, indexValue(right, i, caller), caller)
    if (order !== 0) return order
  }
  return Math.sign(count - other)
}

function arrayOrder(test: (order: number) => Value): Definition {
  return lazy(['arr1', 'arr2'], ':1717:18-34', (args) => {
    return test(threeWayList(args.get(0), () => args.get(1), args.caller))
  })
}

export const types: Definitions = {
  type: strict1('x', typeName),
  isString: isType('isString', 'string', 30),
  isNumber: isType('isNumber', 'number', 31),
  isBoolean: isType('isBoolean', 'boolean', 32),
  isObject: isType('isObject', 'object', 33),
  isArray: isType('isArray', 'array', 34),
  isFunction: isType('isFunction', 'function', 35),
  isNull: strict1('x', (x) => x === null),
  length: strict1('x', length),
  id: strict1('x', (x) => x),
  toString: strict1('a', toText),
  equals: strict2(['x', 'y'], equals),
  primitiveEquals: strict2(['x', 'y'], primitiveEquals),
  // natives of the host; there are none
  native: strict1('x', (name, caller) => {
    needString(name, caller)
    return null
  }),
  extVar: strict1('x', (name, caller) => {
    return machine.world.extVar(needString(name, caller), caller) as Value
  }),
  trace: strict2(['str', 'rest'], (text, rest, caller) => {
    const message = needString(text, caller)
    const source = caller instanceof Site ? caller.source : undefined
    const line = source === undefined ? 0 : source.position((caller as Site).begin).line
    machine.world.trace(`TRACE: ${source?.name ?? ''}:${line} ${message}`)
    return rest
  }),
  assertEqual: lazy(['a', 'b'], ':861:7-56', (args) => {
    const { caller } = args
    const a = args.get(0)
    const b = args.get(1)
    if (equals(a, b, caller)) return true
    const shown = (value: Value): string =>
      typeof value === 'string' ? quoteString(value) : toText(value, caller)
    return fail(`Assertion failed. ${shown(a)} != ${shown(b)}`, caller)
  }),
  __compare: lazy(['v1', 'v2'], ':1707:7-75', (args) => {
    const left = args.get(0)
    return threeWay(left, args.get(1), args.caller)
  }),
  __compare_array: arrayOrder((order) => order),
  __array_less: arrayOrder((order) => order === -1),
  __array_greater: arrayOrder((order) => order === 1),
  __array_less_or_equal: arrayOrder((order) => order <= 0),
  __array_greater_or_equal: arrayOrder((order) => order >= 0),
}
