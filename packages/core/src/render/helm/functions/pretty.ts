import { defineKey, type Json } from '../../../json/index.ts'
import {
  itemsOf,
  mapOf,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { replaceInvalid } from '../../../text/index.ts'

/** A value for go-yaml's own encoder, which does not pass through JSON: integers stay integers (`bigint`). */
export function goValueOf(value: Value): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return replaceInvalid(value)
  if (typeof value !== 'object') return value
  if (value instanceof SizedInt) {
    return value.goType === 'time.Duration' ? value.text()! : value.value
  }
  if (value instanceof TypedSlice && value.isNil) return []
  const items = itemsOf(value)
  if (items !== undefined) return items.map(goValueOf)
  if (value instanceof TypedMap && value.isNil) return {}
  const map = mapOf(value)
  if (map !== undefined) return objectOf(map)
  if (value instanceof Struct) {
    if (value.json !== undefined) return value.json()
    const fields = [...value.fields].filter(([name]) => /^\p{Lu}/u.test(name))
    return objectOf(new Map(fields.map(([name, field]) => [name.toLowerCase(), field])))
  }
  return null
}

function objectOf(map: ReadonlyMap<string, Value>): Json {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of map) defineKey(out, replaceInvalid(key), goValueOf(value))
  return out
}
