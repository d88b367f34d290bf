import { CompareError } from '../../errors/index.ts'
import { isObject, type Json } from '../../json/index.ts'
import { numberText } from '../../lang/lua/index.ts'

// What Argo CD's checks, which are scripts, do with values of a type that they do not expect: they stop, and the message
// tells the line and the types. Lists and maps are both tables there; a text has no fields, but may be asked for some.

type Value = Json | undefined

/** The name of a value's type in messages. */
export function typeName(value: Value): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value === 'object') return 'table'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** Throws CompareError LUA_FAILED with the place as Argo CD's engine tells it. */
export function stop(line: number | string, message: string): never {
  throw new CompareError('LUA_FAILED', `<string>:${line}: ${message}`)
}

export function cannotIndex(line: number | string, value: Value, field: string): never {
  return stop(line, `attempt to index a non-table object(${typeName(value)}) with key '${field}'`)
}

/** A field of what may turn out to have none. */
export function fieldOf(line: number, value: Value, field: string): Value {
  if (isObject(value ?? null)) {
    const object = value as { readonly [key: string]: Json }
    return Object.hasOwn(object, field) ? (object[field] ?? undefined) : undefined
  }
  return Array.isArray(value) || typeof value === 'string'
    ? undefined
    : cannotIndex(line, value, field)
}

/** The field at the end of a path whose every step is taken for granted. */
export function pathOf(line: number, value: Value, ...path: readonly string[]): Value {
  return path.reduce<Value>((current, field) => fieldOf(line, current, field), value)
}

/** The items of a list; a map has none. */
export function itemsOf(line: number, value: Value): readonly Json[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null)
  if (isObject(value ?? null)) return []
  return stop(line, `bad argument #1 to ipairs (table expected, got ${typeName(value)})`)
}

/** The values of a list or of a map. */
export function valuesOf(line: number, value: Value): readonly Json[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null)
  if (isObject(value ?? null)) {
    return Object.values(value as { readonly [key: string]: Json }).filter((item) => item !== null)
  }
  return stop(line, `bad argument #1 to pairs (table expected, got ${typeName(value)})`)
}

/** How many items a list has, or bytes a text. */
export function lengthOf(line: number, value: Value): number {
  if (Array.isArray(value)) return value.filter((item) => item !== null).length
  if (isObject(value ?? null)) return 0
  return typeof value === 'string' ? value.length : stop(line, '__len undefined')
}

/** How many items a list has, for checks that take only tables. */
export function countAt(line: number, value: Value): number {
  if (typeof value === 'object') return lengthOf(line, value)
  return stop(line, `bad argument #1 to getn (table expected, got ${typeName(value)})`)
}

/** Texts of a list one after another. */
export function concat(line: number, list: readonly Json[], between: string): string {
  const odd = list.findIndex((item) => !isText(item))
  if (odd === -1) return list.map((item) => textOf(item as string | number)).join(between)
  return stop(
    line,
    `invalid value (${typeName(list[odd])}) at index ${odd + 1} in table for concat`,
  )
}

/** Puts texts and numbers together, from the end. */
export function join(line: number, ...parts: readonly Value[]): string {
  let end: Value = parts.at(-1)
  for (let index = parts.length - 2; index >= 0; index--) {
    const part = parts[index]
    if (!isText(part) || !isText(end)) {
      return stop(
        line,
        `cannot perform concat operation between ${typeName(part)} and ${typeName(end)}`,
      )
    }
    end = textOf(part) + textOf(end)
  }
  return textOf(end as string | number)
}

/** Whether a value may stand in a text. */
export function isText(value: Value): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value)
}

/** A text or a number as it stands in a message. */
export function textOf(value: string | number | bigint): string {
  return typeof value === 'string' ? value : numberText(Number(value))
}

/** The difference of two numbers; texts of digits are numbers, too. */
export function minus(line: number, left: Value, right: Value): number {
  const [a, b] = [toNumber(left), toNumber(right)]
  if (a !== undefined && b !== undefined) return a - b
  return stop(line, `cannot perform sub operation between ${typeName(left)} and ${typeName(right)}`)
}

/** The sum of two numbers; texts of digits are numbers, too. */
export function plus(line: number, left: Value, right: Value): number {
  const [a, b] = [toNumber(left), toNumber(right)]
  if (a !== undefined && b !== undefined) return a + b
  return stop(line, `cannot perform add operation between ${typeName(left)} and ${typeName(right)}`)
}

/** A number, or what a text of digits stands for. */
export function toNumber(value: Value): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value)
    ? Number(value)
    : undefined
}

/** Whether the first of two numbers, or of two texts, is less. */
export function isLess(line: number, left: Value, right: Value): boolean {
  const [a, b] = [plainNumber(left), plainNumber(right)]
  if (typeof a === 'number' && typeof b === 'number') return a < b
  if (typeof a === 'string' && typeof b === 'string') return a < b
  return stop(line, `attempt to compare ${typeName(left)} with ${typeName(right)}`)
}

/** Not less, with the same demands. */
export function isAtMost(line: number, left: Value, right: Value): boolean {
  return !isLess(line, left, right) ? equal(left, right) : true
}

function equal(left: Value, right: Value): boolean {
  return plainNumber(left) === plainNumber(right)
}

function plainNumber(value: Value): Value {
  return typeof value === 'bigint' ? Number(value) : value
}

/** What counts as true: everything but nothing and false. */
export function isSet(value: Value): boolean {
  return value !== undefined && value !== null && value !== false
}
