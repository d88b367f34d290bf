import { goFloat, quoteJson, sortStrings } from '../../../json/index.ts'
import {
  ComplexNumber,
  FunctionFailure,
  formatValue,
  type GoObject,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  visit,
} from '../../../lang/gotemplate/index.ts'
import { compareBytes, encodeBase64 } from '../../../text/index.ts'
import { CycleGuard } from './cycle-guard.ts'

/** How JSON is written: with `<`, `>` and `&` escaped or not, and indented when `indent` is not empty. */
interface Style {
  readonly escapeHtml: boolean
  readonly indent: string
  readonly guard: CycleGuard
}

/**
 * A value as Go's encoder writes it, on one line unless an indent is given. Throws FunctionFailure for what cannot be
 * JSON.
 *
 * Because: charts call toJson more than anything else, so the plain shapes do without a tree in between.
 */
export function jsonText(value: Value, escapeHtml: boolean, indent = ''): string {
  return write(value, { escapeHtml, indent, guard: new CycleGuard() }, indent === '' ? '' : '\n')
}

/** `line` is the line break with the indent of the value; empty on one line. */
function write(value: Value, style: Style, line: string): string {
  switch (typeof value) {
    case 'string':
      visit()
      return quoteJson(value, style.escapeHtml)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      if (Number.isFinite(value)) return goFloat(value)
      throw new FunctionFailure(`json: unsupported value: ${formatValue(value)}`)
    default:
  }
  if (value === null || value === undefined) return 'null'
  visit()
  if (value instanceof Uint8Array) return `"${encodeBase64(value)}"`
  style.guard.enter(value)
  const text = Array.isArray(value)
    ? list(value, style, line)
    : value instanceof Map
      ? mapText(value, style, line)
      : object(value, style, line)
  style.guard.leave(value)
  return text
}

function object(value: GoObject, style: Style, line: string): string {
  if (value instanceof TypedMap) return value.isNil ? 'null' : mapText(value.map, style, line)
  if (value instanceof TypedSlice) {
    if (value.isNil) return 'null'
    if (value.elementType !== 'uint8') return list(value.items, style, line)
    const bytes = value.items.map((item) => Number((item as SizedInt).value))
    return `"${encodeBase64(Uint8Array.from(bytes))}"`
  }
  if (value instanceof SizedInt) return value.value.toString()
  if (value instanceof Struct) {
    const shown = value.json?.()
    // fields stay in their order
    if (shown instanceof Map) return entriesText([...shown.keys()], shown, style, line)
    if (shown !== undefined) return write(shown, style, line)
    const exported = [...value.fields.keys()].filter((name) => /^\p{Lu}/u.test(name))
    return entriesText(exported, value.fields, style, line)
  }
  const type = value instanceof ComplexNumber ? 'complex128' : typeName(value)
  throw new FunctionFailure(`json: unsupported type: ${type}`)
}

function list(items: readonly Value[], style: Style, line: string): string {
  if (items.length === 0) return '[]'
  const inner = line + style.indent
  let text = ''
  for (const item of items) text += (text === '' ? '[' : ',') + inner + write(item, style, inner)
  return text + line + ']'
}

function mapText(map: ReadonlyMap<string, Value>, style: Style, line: string): string {
  if (map.size === 0) return '{}'
  const keys = [...map.keys()]
  if (keys.every((key) => key.isWellFormed())) sortStrings(keys)
  else keys.sort(compareBytes)
  return entriesText(keys, map, style, line)
}

function entriesText(
  keys: readonly string[],
  of: ReadonlyMap<string, Value>,
  style: Style,
  line: string,
): string {
  if (keys.length === 0) return '{}'
  const inner = line + style.indent
  let text = ''
  for (const key of keys) {
    text +=
      (text === '' ? '{' : ',') + inner + keyText(key, style) + write(of.get(key), style, inner)
  }
  return text + line + '}'
}

const spelled = new Map<string, string>()
const mostSpelled = 4_096

/** A key with its colon. Charts have few different ones, and write them again and again. */
function keyText(key: string, { escapeHtml, indent }: Style): string {
  if (indent !== '') return quoteJson(key, escapeHtml) + ': '
  const known = spelled.get(key)
  if (known !== undefined) return known
  const quoted = quoteJson(key, escapeHtml)
  const text = quoted + ':'
  // what nothing is escaped in is the same without escapes of HTML
  if (escapeHtml && key.length <= 64 && quoted.length === key.length + 2) {
    if (spelled.size >= mostSpelled) spelled.clear()
    spelled.set(key, text)
  }
  return text
}
