import { defineKey, type Json } from '../../../json/index.ts'
import {
  checkDepth,
  FunctionFailure,
  itemsOf,
  mapOf,
  SizedInt,
  Struct,
  TypedMap,
  TypedSlice,
  typeName,
  type Value,
  visit,
} from '../../../lang/gotemplate/index.ts'
import { formatGoTime, layoutRfc3339Nano, replaceInvalid } from '../../../text/index.ts'
import { formatYamlPretty } from '../../../yaml/index.ts'
import { TimeValue } from './time-value.ts'

/** Stands for the start of a plain scalar that must not be quoted, whatever it reads as. */
const placeholder = '\ue000litecd-time-'

/** A value as `toYamlPretty` writes it, by go-yaml's own encoder. */
export function toYamlPretty(value: Value): string {
  const times: string[] = []
  const text = formatYamlPretty(goValueOf(value, times, 0))
  return times.length === 0
    ? text
    : text.replace(new RegExp(`${placeholder}(\\d+);`, 'g'), (_, index) => times[Number(index)]!)
}

/** A value for go-yaml's own encoder, which does not pass through JSON: integers stay integers (`bigint`). */
function goValueOf(value: Value, times: string[], depth: number): Json {
  visit()
  checkDepth(depth)
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return replaceInvalid(value)
  if (typeof value !== 'object') return value
  if (value instanceof SizedInt) {
    return value.goType === 'time.Duration' ? value.text()! : value.value
  }
  if (value instanceof TypedSlice && value.isNil) return []
  const items = itemsOf(value)
  if (items !== undefined) return items.map((item) => goValueOf(item, times, depth + 1))
  if (value instanceof TypedMap && value.isNil) return {}
  const map = mapOf(value)
  if (map !== undefined) return objectOf(map, times, depth)
  if (value instanceof TimeValue) {
    return `${placeholder}${times.push(formatGoTime(value.time, layoutRfc3339Nano)) - 1};`
  }
  if (value instanceof Struct) {
    if (value.json !== undefined) return goValueOf(value.json(), times, depth + 1)
    const fields = [...value.fields].filter(([name]) => /^\p{Lu}/u.test(name))
    return objectOf(
      new Map(fields.map(([name, field]) => [name.toLowerCase(), field])),
      times,
      depth,
    )
  }
  // a panic in Go, which Helm does not catch here
  throw new FunctionFailure(`cannot marshal type: ${typeName(value)}`)
}

function objectOf(map: ReadonlyMap<string, Value>, times: string[], depth: number): Json {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of map)
    defineKey(out, replaceInvalid(key), goValueOf(value, times, depth + 1))
  return out
}
