import { pointAt, pointLength } from './code-points.ts'
import { fail } from './machine.ts'
import { indexObject } from './object.ts'
import { needNumber, needString } from './operators.ts'
import type { Caller } from './site.ts'
import { ArrayValue, ObjectValue, typeName, type Value } from './values.ts'

/** `value[index]` */
export function indexValue(value: Value, index: Value, caller: Caller): Value {
  if (value instanceof ObjectValue) return indexObject(value, needString(index, caller), caller)
  if (value instanceof ArrayValue) {
    return value.at(needIndex(index, value.items.length, caller), caller)
  }
  if (typeof value === 'string') {
    return pointAt(value, needIndex(index, pointLength(value), caller))
  }
  const type = typeName(value)
  // Parity: the type is shown as Go names it.
  const goName = type[0]!.toUpperCase() + type.slice(1)
  return fail(`Value non indexable: *jsonnet.value${goName}`, caller)
}

function needIndex(index: Value, length: number, caller: Caller): number {
  const number = Math.trunc(needNumber(index, caller))
  if (number >= 0 && number < length) return number
  const shown = Math.abs(number) >= 2 ** 63 ? '-9223372036854775808' : String(BigInt(number))
  return fail(`Index ${shown} out of bounds, not within [0, ${length})`, caller)
}
