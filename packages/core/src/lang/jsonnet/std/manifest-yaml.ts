import { parseGoFloat, parseGoInt } from '../../../text/index.ts'
import { quoteString } from '../json-text.ts'
import { fail, machine, spend } from '../machine.ts'
import { shortestText } from '../numbers.ts'
import { fieldNames, indexObject } from '../object.ts'
import { checkString, needBoolean } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, ObjectValue, typeName, type Value } from '../values.ts'
import { type Definitions, lazy, strictN } from './define.ts'
import { tooDeep } from './manifest-json.ts'

const step = '  '

interface Style {
  readonly indentArrays: boolean
  readonly quoteKeys: boolean
  readonly caller: Caller
}

/** std.manifestYamlDoc. Functions print as nothing, as in go-jsonnet. */
function print(value: Value, style: Style, indent: string, depth: number): string {
  if (depth <= 0) fail(tooDeep, style.caller)
  spend(1, style.caller)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return shortestText(value)
  if (typeof value === 'string') return scalar(value, indent)
  if (value instanceof ArrayValue) return array(value, style, indent, depth)
  if (value instanceof ObjectValue) return object(value, style, indent, depth)
  return ''
}

function scalar(text: string, indent: string): string {
  if (text === '') return '""'
  if (!text.endsWith('\n')) return quoteString(text)
  const newline = '\n' + indent + step
  return '|' + newline + text.slice(0, -1).replaceAll('\n', newline)
}

function array(value: ArrayValue, style: Style, indent: string, depth: number): string {
  const { length } = value.items
  if (length === 0) return '[]'
  const parts: string[] = []
  for (let i = 0; i < length; i++) {
    const item = value.at(i, style.caller)
    const nested = item instanceof ArrayValue || item instanceof ObjectValue
    const inner = nested ? indent + step : indent
    const own = item instanceof ArrayValue && item.items.length > 0
    parts.push('-' + (own ? '\n' + inner : ' ') + print(item, style, inner, depth - 1))
  }
  return joined(parts, indent, style.caller)
}

function object(value: ObjectValue, style: Style, indent: string, depth: number): string {
  const { caller } = style
  const names = fieldNames(value, false, caller)
  if (names.length === 0) return '{}'
  const parts = names.map((name) => {
    const field = indexObject(value, name, caller)
    const key = style.quoteKeys || !bareKey(name) ? quoteString(name) : name
    let inner = indent
    let space = ' '
    if (field instanceof ArrayValue && field.items.length > 0) {
      if (style.indentArrays) inner += step
      space = '\n' + inner
    } else if (field instanceof ObjectValue && fieldNames(field, false, caller).length > 0) {
      inner += step
      space = '\n' + inner
    }
    return key + ':' + space + print(field, style, inner, depth - 1)
  })
  return joined(parts, indent, caller)
}

function joined(parts: readonly string[], indent: string, caller: Caller): string {
  const text = checkString(parts.join('\n' + indent), caller)
  spend(text.length >> 5, caller)
  return text
}

const plainKey = /^[A-Za-z0-9_\-/.]+$/
const reserved = /^(?:true|false|yes|no|on|off|y|n|\.nan|-\.inf|\+\.inf|\.inf|null|-|---|'')$/i
const dateLike = /^(?:[0-9]*-){2}[0-9]*$/
const binary = /^[-+]?0b[0-1_]+$/
const hex = /[-+]?0x[0-9a-fA-F_]+/

/** Whether a key reads back as itself without quotes; on the safe side. */
function bareKey(key: string): boolean {
  if (!plainKey.test(key) || reserved.test(key) || dateLike.test(key)) return false
  if (binary.test(key) || hex.test(key)) return false
  if (typeof parseGoInt(key, 10) === 'bigint') return false
  return typeof parseGoFloat(key) !== 'number'
}

function manifest(value: Value, indentArrays: Value, quoteKeys: Value, caller: Caller): string {
  const style: Style = {
    indentArrays: needBoolean(indentArrays, caller),
    quoteKeys: needBoolean(quoteKeys, caller),
    caller,
  }
  return checkString(print(value, style, '', machine.limits.maxStack), caller)
}

export const manifestYamlFunctions: Definitions = {
  manifestYamlDoc: strictN(
    ['value', 'indent_array_in_object', 'quote_keys'],
    [false, true],
    ([value, indentArrays, quoteKeys], caller) =>
      manifest(value!, indentArrays!, quoteKeys!, caller),
  ),
  manifestYamlStream: lazy(
    ['value', 'indent_array_in_object', 'c_document_end', 'quote_keys'],
    ':1313:7-75',
    (args) => {
      const { caller } = args
      const value = args.get(0)
      if (!(value instanceof ArrayValue)) {
        return fail(`manifestYamlStream only takes arrays, got ${typeName(value)}`, caller)
      }
      const documents: string[] = []
      for (let i = 0; i < value.items.length; i++) {
        documents.push(manifest(value.at(i, caller), args.get(1), args.get(3), caller))
      }
      const end = needBoolean(args.get(2), caller) ? '\n...\n' : '\n'
      return checkString('---\n' + documents.join('\n---\n') + end, caller)
    },
    { defaults: [false, true, true] },
  ),
}
