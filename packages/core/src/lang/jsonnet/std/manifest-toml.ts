import { quoteString } from '../json-text.ts'
import { fail, machine, spend } from '../machine.ts'
import { numberText } from '../numbers.ts'
import { fieldNames, indexObject } from '../object.ts'
import { checkString, needString } from '../operators.ts'
import type { Caller } from '../site.ts'
import { ArrayValue, ObjectValue, typeName, type Value } from '../values.ts'
import { type Definitions, lazy, strictN } from './define.ts'
import { tooDeep } from './manifest-json.ts'

const bare = /^[A-Za-z0-9_-]+$/

function key(name: string): string {
  if (name === '') return "''"
  return bare.test(name) ? name : quoteString(name)
}

/** std.manifestTomlEx. */
class TomlPrinter {
  private readonly step: string
  private readonly caller: Caller

  constructor(step: string, caller: Caller) {
    this.step = step
    this.caller = caller
  }

  /** What has a header of its own: objects, and arrays of nothing but objects. */
  private isSection(value: Value): boolean {
    if (value instanceof ObjectValue) return true
    if (!(value instanceof ArrayValue) || value.items.length === 0) return false
    for (let i = 0; i < value.items.length; i++) {
      if (!(value.at(i, this.caller) instanceof ObjectValue)) return false
    }
    return true
  }

  private check(depth: number): void {
    if (depth <= 0) fail(tooDeep, this.caller)
    spend(1, this.caller)
  }

  table(
    table: ObjectValue,
    path: readonly string[],
    place: readonly string[],
    indent: string,
    depth: number,
  ): string {
    this.check(depth)
    const lines: string[] = []
    const sections: string[] = ['']
    for (const name of fieldNames(table, false, this.caller)) {
      const value = indexObject(table, name, this.caller)
      const here = [...place, name]
      if (this.isSection(value)) {
        sections.push(this.section(value, [...path, name], here, indent, depth - 1))
      } else {
        const text = `${key(name)} = ${this.value(value, here, false, depth - 1)}`
        for (const line of text.split('\n')) lines.push(indent + line)
      }
    }
    return checkString(lines.join('\n') + sections.join('\n\n'), this.caller)
  }

  private section(
    value: Value,
    path: readonly string[],
    place: readonly string[],
    indent: string,
    depth: number,
  ): string {
    this.check(depth)
    const name = path.map(key).join('.')
    const body = (table: ObjectValue, here: readonly string[]): string => {
      const newline = fieldNames(table, false, this.caller).length > 0 ? '\n' : ''
      return newline + this.table(table, path, here, indent + this.step, depth - 1)
    }
    if (value instanceof ObjectValue) return `${indent}[${name}]${body(value, place)}`
    const tables: string[] = []
    const array = value as ArrayValue
    for (let i = 0; i < array.items.length; i++) {
      const table = array.at(i, this.caller) as ObjectValue
      tables.push(`${indent}[[${name}]]${body(table, [...place, String(i)])}`)
    }
    return tables.join('\n\n')
  }

  private value(value: Value, place: readonly string[], inline: boolean, depth: number): string {
    this.check(depth)
    const at = `[${place.join(' ')}]`
    if (value === null) return fail(`Tried to manifest "null" at ${at}`, this.caller)
    if (typeof value === 'boolean') return String(value)
    if (typeof value === 'number') return numberText(value)
    if (typeof value === 'string') return quoteString(value)
    if (value instanceof ArrayValue) {
      if (value.items.length === 0) return '[]'
      const indent = inline ? '' : this.step
      const separator = inline ? ' ' : '\n'
      const items: string[] = []
      for (let i = 0; i < value.items.length; i++) {
        const item = value.at(i, this.caller)
        items.push(indent + this.value(item, [...place, String(i)], true, depth - 1))
      }
      return '[' + separator + items.join(',' + separator) + separator + ']'
    }
    if (value instanceof ObjectValue) {
      const fields = fieldNames(value, false, this.caller).map((name) => {
        const field = indexObject(value, name, this.caller)
        return `${key(name)} = ${this.value(field, [...place, name], true, depth - 1)}`
      })
      return `{ ${fields.join(', ')} }`
    }
    return fail(`Tried to manifest function at ${at}`, this.caller)
  }
}

function manifest(value: Value, step: string, caller: Caller): string {
  if (!(value instanceof ObjectValue)) {
    return fail(`TOML body must be an object. Got ${typeName(value)}`, caller)
  }
  return new TomlPrinter(step, caller).table(value, [], [], '', machine.limits.maxStack)
}

export const manifestTomlFunctions: Definitions = {
  manifestTomlEx: strictN(['value', 'indent'], [], ([value, indent], caller) =>
    manifest(value!, needString(indent!, caller), caller),
  ),
  manifestToml: lazy(['value'], ':929:24-56', (args) => manifest(args.get(0), '  ', args.caller)),
}
