import { compareStrings } from '../../../json/index.ts'
import {
  checkDepth,
  FunctionFailure,
  itemsOf,
  kindOf,
  mapOf,
  SizedInt,
  Struct,
  type Value,
  visit,
} from '../../../lang/gotemplate/index.ts'
import { floatText, formatGoTime, layoutRfc3339Nano } from '../../../text/index.ts'
import { TimeValue } from './time-value.ts'

type Shape = 'nil' | 'scalar' | 'array' | 'table' | 'tables'

/**
 * TOML as BurntSushi/toml 1.6 writes it: scalars before tables, keys in byte order, nested tables indented, nils left out.
 *
 * Throws a FunctionFailure with its error text.
 */
export function formatToml(value: Value): string {
  if (value === null || value === undefined) {
    throw new FunctionFailure('reflect: call of reflect.Value.Type on zero Value')
  }
  const writer = new Writer()
  writer.entry([], value)
  return writer.out
}

class Writer {
  out = ''

  /** A value under its full key; a table opens a section of its own. */
  entry(key: readonly string[], value: Value): void {
    checkDepth(key.length)
    switch (shapeOf(value)) {
      case 'nil':
        return
      case 'table':
        if (key.length === 1) this.newline()
        if (key.length > 0) {
          this.out += `${indent(key)}[${key.map(keyText).join('.')}]`
          this.newline()
        }
        this.entries(key, value)
        return
      case 'tables':
        if (key.length === 0) {
          throw new FunctionFailure('toml: top-level values must be Go maps or structs')
        }
        for (const item of itemsOf(value)!) {
          this.newline()
          this.out += `${indent(key)}[[${key.map(keyText).join('.')}]]`
          this.newline()
          this.entries(key, item)
        }
        return
      default:
        if (kindOf(value) === 'complex128') {
          const of = key.length === 0 ? " for key ''" : ''
          throw new FunctionFailure(`unsupported type${of}: complex128`)
        }
        if (key.length === 0) this.out += inline(value)
        else {
          this.out += `${indent(key)}${keyText(key.at(-1)!)} = ${inline(value)}`
          this.newline()
        }
    }
  }

  private entries(key: readonly string[], value: Value): void {
    const { direct, tables } = partition(value)
    for (const [name, item] of [...direct, ...tables]) this.entry([...key, name], item)
  }

  private newline(): void {
    if (this.out !== '') this.out += '\n'
  }
}

function indent(key: readonly string[]): string {
  return '  '.repeat(key.length - 1)
}

type Entries = readonly (readonly [string, Value])[]

/** The entries that are no tables, then those that are, both sorted (a struct keeps the order of its fields). */
function partition(value: Value): { readonly direct: Entries; readonly tables: Entries } {
  const map = mapOf(value)
  const all =
    map === undefined
      ? [...(value as Struct).fields].filter(([name]) => /^\p{Lu}/u.test(name))
      : [...map].sort(([a], [b]) => compareStrings(a, b))
  const isTable = ([, item]: readonly [string, Value]): boolean =>
    shapeOf(item) === 'table' || shapeOf(item) === 'tables'
  return { direct: all.filter((entry) => !isTable(entry)), tables: all.filter(isTable) }
}

function shapeOf(value: Value): Shape {
  visit()
  if (value === null || value === undefined) return 'nil'
  if (mapOf(value) !== undefined) return 'table'
  if (value instanceof Struct) {
    return value instanceof TimeValue || value.json !== undefined ? 'scalar' : 'table'
  }
  const items = itemsOf(value)
  if (items !== undefined) {
    const shapes = items.map(shapeOf)
    if (items.some((item) => kindOf(item) === 'complex128')) {
      throw new FunctionFailure('unsupported type: complex128')
    }
    if (shapes.includes('nil')) {
      throw new FunctionFailure('toml: cannot encode array with nil element')
    }
    return items.length > 0 && shapes.every((shape) => shape === 'table') ? 'tables' : 'array'
  }
  return 'scalar'
}

function inline(value: Value): string {
  visit()
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return floatLiteral(value)
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
  }
  if (value instanceof SizedInt) {
    return value.goType === 'time.Duration' ? quoted(value.text()!) : value.value.toString()
  }
  if (value instanceof TimeValue) return timeLiteral(value)
  if (value instanceof Struct && value.json !== undefined) return inline(value.json())
  const items = itemsOf(value)
  if (items !== undefined) return `[${items.map(inline).join(', ')}]`
  const { direct, tables } = partition(value)
  const text = (entries: Entries, more: boolean): string =>
    entries
      .map(([name, item], i) =>
        item === null || item === undefined
          ? ''
          : `${keyText(name)} = ${inline(item)}${more || i !== entries.length - 1 ? ', ' : ''}`,
      )
      .join('')
  return `{${text(direct, tables.length > 0)}${text(tables, false)}}`
}

function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  const text = floatText(value)
  return /[e.]/.test(text) ? text : text + '.0'
}

/** Times that were read without a zone or without a date are written that way. */
function timeLiteral(value: TimeValue): string {
  const layouts: { readonly [zone: string]: string } = {
    'datetime-local': '2006-01-02T15:04:05.999999999',
    'date-local': '2006-01-02',
    'time-local': '15:04:05.999999999',
  }
  return formatGoTime(value.time, layouts[value.time.zone.name] ?? layoutRfc3339Nano)
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key)
}

const named: { readonly [char: string]: string } = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

function quoted(text: string): string {
  const body = text.replace(
    /[\u0000-\u001f"\\\u007f]/g,
    (char) => named[char] ?? '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0'),
  )
  return `"${body}"`
}
