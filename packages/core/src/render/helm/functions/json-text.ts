import { formatJson, goFloat, quoteJson, sortStrings } from '../../../json/index.ts'
import { TypedMap, type Value, visit } from '../../../lang/gotemplate/index.ts'
import { replaceInvalid } from '../../../text/index.ts'
import { jsonOf } from './convert.ts'

/**
 * A value as compact JSON, as Go's encoder writes it. Throws FunctionFailure for what cannot be JSON.
 *
 * Because: charts call toJson more than anything else, so the plain shapes do without a tree in between.
 */
export function jsonText(value: Value, escapeHtml: boolean): string {
  switch (typeof value) {
    case 'string':
      visit()
      return quoteJson(replaceInvalid(value), escapeHtml)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      if (Number.isFinite(value)) return goFloat(value)
      break
    default:
  }
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) {
    visit()
    let list = ''
    for (const item of value) list += (list === '' ? '[' : ',') + jsonText(item, escapeHtml)
    return list === '' ? '[]' : list + ']'
  }
  if (value instanceof Map) {
    visit()
    return mapText(value, escapeHtml)
  }
  if (value instanceof TypedMap && !value.isNil) {
    visit()
    return mapText(value.map, escapeHtml)
  }
  return formatJson(jsonOf(value), { escapeHtml })
}

function mapText(map: ReadonlyMap<string, Value>, escapeHtml: boolean): string {
  const keys = [...map.keys()]
  // two keys that are no UTF-8 may come out as one
  if (!keys.every((key) => key.isWellFormed())) {
    return formatJson(jsonOf(map as Value), { escapeHtml })
  }
  let text = ''
  for (const key of sortStrings(keys)) {
    text += (text === '' ? '{' : ',') + quoteJson(key, escapeHtml) + ':'
    text += jsonText(map.get(key), escapeHtml)
  }
  return text === '' ? '{}' : text + '}'
}
