import { goJsonString } from '../json-text.ts'
import { fail, machine, spend } from '../machine.ts'
import { shortestText } from '../numbers.ts'
import { fieldNames, indexObject } from '../object.ts'
import { checkString, needString } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, ObjectValue, type Value } from '../values.ts'
import { type Definitions, lazy, strictN } from './define.ts'

interface Style {
  readonly indent: string
  readonly newline: string
  readonly colon: string
  readonly caller: Caller
}

export const tooDeep = 'max manifest depth exceeded, possible infinite recursion'

/** std.manifestJsonEx. Numbers print shortest, and empty arrays and objects keep their blank line. */
function print(
  value: Value,
  style: Style,
  path: readonly string[],
  current: string,
  depth: number,
): string {
  const { caller, newline } = style
  if (depth <= 0) fail(tooDeep, caller)
  spend(1 + (current.length >> 5), caller)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return goJsonString(value)
  if (typeof value === 'number') return shortestText(value)
  const inner = current + style.indent
  let parts: string[]
  let brackets = '[]'
  if (value instanceof ArrayValue) {
    parts = []
    for (let i = 0; i < value.items.length; i++) {
      const item = value.at(i, caller)
      parts.push(inner + print(item, style, [...path, String(i)], inner, depth - 1))
    }
  } else if (value instanceof ObjectValue) {
    brackets = '{}'
    parts = fieldNames(value, false, caller).map((name) => {
      const field = indexObject(value, name, caller)
      const key = goJsonString(name)
      return inner + key + style.colon + print(field, style, [...path, name], inner, depth - 1)
    })
  } else {
    return fail(`tried to manifest function at [${path.join(' ')}]`, caller)
  }
  const body = parts.join(',' + newline)
  spend(body.length >> 5, caller)
  return checkString(brackets[0] + newline + body + newline + current + brackets[1], caller)
}

function manifest(
  value: Value,
  indent: string,
  newline: string,
  colon: string,
  caller: Caller,
): string {
  return print(value, { indent, newline, colon, caller }, [], '', machine.limits.maxStack)
}

export const manifestJsonFunctions: Definitions = {
  manifestJsonEx: strictN(
    ['value', 'indent', 'newline', 'key_val_sep'],
    ['\n', ': '],
    ([value, indent, newline, colon], caller) =>
      manifest(
        value!,
        needString(indent!, caller),
        needString(newline!, caller),
        needString(colon!, caller),
        caller,
      ),
  ),
  manifestJson: lazy(['value'], ':1059:24-60', (args) =>
    manifest(args.get(0), '    ', '\n', ': ', args.caller),
  ),
  manifestJsonMinified: lazy(['value'], ':1061:32-71', (args) =>
    manifest(args.get(0), '', '', ':', args.caller),
  ),
}
