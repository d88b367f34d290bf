import {
  byteLength,
  isPrint,
  queryEscape,
  replaceInvalid,
  sliceBytes,
  textToBytes,
} from '../../text/index.ts'
import { equal, isTrue, less } from './compare.ts'
import { FunctionFailure } from './errors.ts'
import { sprint, sprintf, sprintln } from './format.ts'
import {
  type FunctionDef,
  integerOf,
  itemsOf,
  mapOf,
  SizedInt,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
} from './value.ts'

/** The functions of text/template itself. */
export const builtins: readonly (readonly [string, FunctionDef])[] = [
  [
    'and',
    {
      params: ['reflect.Value', 'reflect.Value'],
      variadic: true,
      shortCircuit: 'and',
      call: unreachable,
    },
  ],
  [
    'or',
    {
      params: ['reflect.Value', 'reflect.Value'],
      variadic: true,
      shortCircuit: 'or',
      call: unreachable,
    },
  ],
  ['not', { params: ['reflect.Value'], call: ([value]) => !isTrue(value) }],
  ['call', callOf()],
  ['eq', { params: ['reflect.Value', 'reflect.Value'], variadic: true, call: equalAny }],
  ['ne', { params: ['reflect.Value', 'reflect.Value'], call: ([a, b]) => !equal(a, b) }],
  ['lt', { params: ['reflect.Value', 'reflect.Value'], call: ([a, b]) => less(a, b) }],
  [
    'le',
    { params: ['reflect.Value', 'reflect.Value'], call: ([a, b]) => less(a, b) || equal(a, b) },
  ],
  [
    'gt',
    { params: ['reflect.Value', 'reflect.Value'], call: ([a, b]) => !(less(a, b) || equal(a, b)) },
  ],
  ['ge', { params: ['reflect.Value', 'reflect.Value'], call: ([a, b]) => !less(a, b) }],
  ['html', { params: ['interface {}'], variadic: true, call: (args) => escapeHtml(joined(args)) }],
  ['js', { params: ['interface {}'], variadic: true, call: (args) => escapeJs(joined(args)) }],
  [
    'urlquery',
    { params: ['interface {}'], variadic: true, call: (args) => queryEscape(joined(args)) },
  ],
  ['index', { params: ['reflect.Value', 'reflect.Value'], variadic: true, call: indexValue }],
  ['slice', { params: ['reflect.Value', 'reflect.Value'], variadic: true, call: sliceValue }],
  ['len', { params: ['reflect.Value'], call: ([value]) => length(value) }],
  ['print', { params: ['interface {}'], variadic: true, call: (args) => sprint(args) }],
  ['println', { params: ['interface {}'], variadic: true, call: (args) => sprintln(args) }],
  [
    'printf',
    {
      params: ['string', 'interface {}'],
      variadic: true,
      call: ([format, ...args]) => sprintf(format as string, args),
    },
  ],
]

function unreachable(): never {
  throw new FunctionFailure('unreachable')
}

function callValue(fn: Value, name: string | undefined): never {
  if (fn === undefined || fn === null) throw new FunctionFailure('call of nil')
  const type = typeName(fn)
  const shown = name ?? (typeof fn === 'string' ? fn : `<${type} Value>`)
  throw new FunctionFailure(`non-function ${shown} of type ${type}`)
}

/** `call` for an argument that is spelled `name`, or a piped one: nothing that templates see can be called. */
export function callOf(name?: string): FunctionDef {
  return {
    params: ['reflect.Value', 'reflect.Value'],
    variadic: true,
    call: ([fn]) => callValue(fn, name),
  }
}

function equalAny(args: readonly Value[]): boolean {
  if (args.length < 2) throw new FunctionFailure('missing argument for comparison')
  const [first, ...others] = args
  return others.some((other) => equal(first, other))
}

/** fmt.Sprint of the arguments, nil as in an action. */
function joined(args: readonly Value[]): string {
  if (args.length === 1 && typeof args[0] === 'string') return args[0]
  return sprint(args.map((arg) => (arg === null || arg === undefined ? '<no value>' : arg)))
}

const htmlEscapes: { readonly [char: string]: string } = {
  '\0': '\ufffd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
}

function escapeHtml(text: string): string {
  return text.replace(/[\0"'&<>]/g, (char) => htmlEscapes[char]!)
}

function escapeJs(text: string): string {
  return text.replace(/[\u0000-\u001f\\'"<>&=]|[^\u0000-\u007f]/gu, (char) => {
    if (char === '\\' || char === "'" || char === '"') return '\\' + char
    const point = char.codePointAt(0)!
    // a byte that is no UTF-8 stands for U+FFFD, which prints, and goes through as it is
    if (point > 0x7f && isPrint(replaceInvalid(char))) return char
    return '\\u' + point.toString(16).toUpperCase().padStart(4, '0')
  })
}

/** An index into a list or string. */
function indexArgument(index: Value, limit: number): number {
  const value = integerOf(index)
  if (value === undefined) {
    throw new FunctionFailure(
      index === undefined || index === null
        ? 'cannot index slice/array with nil'
        : `cannot index slice/array with type ${typeName(index)}`,
    )
  }
  if (value < 0n || value > BigInt(limit)) {
    throw new FunctionFailure(`index out of range: ${value}`)
  }
  return Number(value)
}

function indexValue(args: readonly Value[]): Value {
  let item = args[0]
  if (item === undefined || item === null) throw new FunctionFailure('index of untyped nil')
  for (const index of args.slice(1)) {
    if (item === undefined || item === null) throw new FunctionFailure('index of nil pointer')
    item = indexOne(item, index)
  }
  return item
}

function indexOne(item: Value, index: Value): Value {
  if (typeof item === 'string') {
    const bytes = textToBytes(item)
    const i = indexArgument(index, bytes.length)
    if (i >= bytes.length) throw outOfBounds('string')
    return new SizedInt('uint8', BigInt(bytes[i]!))
  }
  if (item instanceof Uint8Array) {
    const i = indexArgument(index, item.length)
    if (i >= item.length) throw outOfBounds('slice')
    return new SizedInt('uint8', BigInt(item[i]!))
  }
  const items = itemsOf(item)
  if (items !== undefined) {
    const i = indexArgument(index, items.length)
    if (i >= items.length) throw outOfBounds('slice')
    return items[i]
  }
  const map = mapOf(item)
  if (map === undefined)
    throw new FunctionFailure(`can't index item of type ${typeName(item).replace(/^\*/, '')}`)
  if (index === undefined || index === null) {
    throw new FunctionFailure('value is nil; should be of type string')
  }
  if (typeof index !== 'string') {
    throw new FunctionFailure(`value has type ${typeName(index)}; should be string`)
  }
  const entry = map.get(index)
  if (entry !== undefined) return entry
  return item instanceof TypedMap ? item.zero : null
}

/** Go checks an index against the length inclusively and lets reflect panic. */
function outOfBounds(what: string): FunctionFailure {
  return new FunctionFailure(`reflect: ${what} index out of range`)
}

function sliceValue(args: readonly Value[]): Value {
  const [item, ...indexes] = args
  if (item === undefined || item === null) throw new FunctionFailure('slice of untyped nil')
  if (indexes.length > 3) throw new FunctionFailure(`too many slice indexes: ${indexes.length}`)
  const items = itemsOf(item)
  if (typeof item !== 'string' && items === undefined) {
    throw new FunctionFailure(`can't slice item of type ${typeName(item)}`)
  }
  if (typeof item === 'string' && indexes.length === 3) {
    throw new FunctionFailure('cannot 3-index slice a string')
  }
  const size = typeof item === 'string' ? byteLength(item) : items!.length
  const [from = 0, to = size, end = size] = indexes.map((index) => indexArgument(index, size))
  if (from > to) throw new FunctionFailure(`invalid slice index: ${from} > ${to}`)
  if (to > end) throw new FunctionFailure(`invalid slice index: ${to} > ${end}`)
  if (typeof item === 'string') return sliceBytes(item, from, to)
  if (item instanceof TypedSlice) return new TypedSlice(item.elementType, items!.slice(from, to))
  if (item instanceof Uint8Array) return item.slice(from, to)
  return items!.slice(from, to)
}

function length(value: Value): bigint {
  if (value === null) throw new FunctionFailure('len of nil pointer')
  if (value === undefined) {
    throw new FunctionFailure('reflect: call of reflect.Value.Type on zero Value')
  }
  if (typeof value === 'string') return BigInt(byteLength(value))
  if (value instanceof Uint8Array) return BigInt(value.length)
  const items = itemsOf(value)
  if (items !== undefined) return BigInt(items.length)
  const map = mapOf(value)
  if (map !== undefined) return BigInt(map.size)
  throw new FunctionFailure(`len of type ${typeName(value).replace(/^\*/, '')}`)
}
