import { compareStrings, isObject, type Json } from '../../json/index.ts'

/** The name of the Go type that a JSON value decodes to; lists must be of one type to be merged. */
export function goTypeOf(value: Json): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int64'
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64'
    default:
  }
  if (value === null) return '<nil>'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** A JSON value as Go's `%v` prints it. */
export function goText(value: Json | undefined): string {
  if (value === undefined || value === null) return '<nil>'
  if (typeof value === 'number') return goNumber(value)
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).sort(compareStrings)
  return `map[${keys.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}

function goNumber(value: number): string {
  if (goTypeOf(value) === 'int64') return String(value)
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  }
  return String(value)
}
