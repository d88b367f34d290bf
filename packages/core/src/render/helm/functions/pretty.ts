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
import { encodeBase64, formatGoTime, layoutRfc3339Nano, textToBytes } from '../../../text/index.ts'
import { formatYamlPretty } from '../../../yaml/index.ts'
import { TimeValue } from './time-value.ts'

/** Stands for a plain scalar that must not be quoted, whatever it reads as; a number and `;` follow. */
const scalarMark = '\ue000litecd-scalar-'
/** Stands before the name of a field, which keeps its place among the others; the place and `;` follow. */
const fieldMark = '\ue001litecd-field-'

/** A value as `toYamlPretty` writes it, by go-yaml's own encoder. */
export function toYamlPretty(value: Value): string {
  const scalars: string[] = []
  const text = formatYamlPretty(goValueOf(value, scalars, 0))
  const ordered = text.includes(fieldMark)
    ? text.replace(new RegExp(`${fieldMark}\\d+;`, 'g'), '')
    : text
  if (!text.includes(scalarMark)) return ordered
  return ordered
    .replace(new RegExp(`\\|\\n *${scalarMark};\\n`, 'g'), '!!binary |\n')
    .replace(new RegExp(`${scalarMark}(\\d+);`, 'g'), (_, index) => scalars[Number(index)]!)
}

/** A value for go-yaml's own encoder, which does not pass through JSON: integers stay integers (`bigint`). */
function goValueOf(value: Value, scalars: string[], depth: number): Json {
  visit()
  checkDepth(depth)
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return textOf(value, scalars)
  if (typeof value !== 'object') return value
  if (value instanceof SizedInt) {
    return value.goType === 'time.Duration' ? value.text()! : value.value
  }
  if (value instanceof TypedSlice && value.isNil) return []
  const items = itemsOf(value)
  if (items !== undefined) return items.map((item) => goValueOf(item, scalars, depth + 1))
  if (value instanceof TypedMap && value.isNil) return {}
  const map = mapOf(value)
  if (map !== undefined) return objectOf(map, scalars, depth)
  if (value instanceof TimeValue) {
    return marked(formatGoTime(value.time, layoutRfc3339Nano), scalars)
  }
  if (value instanceof Struct) {
    const shown = value.json?.()
    // what marshals itself as text does so here too; names of fields for JSON do not count
    if (typeof shown === 'string') return textOf(shown, scalars)
    const fields = [...value.fields].filter(([name]) => /^\p{Lu}/u.test(name))
    return objectOf(
      new Map(fields.map(([name, field], i) => [`${fieldMark}${i};${name.toLowerCase()}`, field])),
      scalars,
      depth,
    )
  }
  // a panic in Go, which Helm does not catch here
  throw new FunctionFailure(`cannot marshal type: ${typeName(value)}`)
}

function marked(scalar: string, scalars: string[]): string {
  return `${scalarMark}${scalars.push(scalar) - 1};`
}

/** Lines of base64 in go-yaml have this many characters. Source: go-yaml v3.0.4 resolve.go encodeBase64 */
const base64Line = 70

/** A text; what is no UTF-8 is written as base64, on lines of their own when it is long. */
function textOf(text: string, scalars: string[]): string {
  if (text.isWellFormed()) return text
  const base64 = encodeBase64(textToBytes(text))
  if (base64.length < base64Line) return marked(`!!binary ${base64}`, scalars)
  const lines = base64.match(new RegExp(`.{1,${base64Line}}`, 'g'))!
  return `${scalarMark};\n${lines.join('\n')}\n`
}

function objectOf(map: ReadonlyMap<string, Value>, scalars: string[], depth: number): Json {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of map)
    defineKey(out, textOf(key, scalars), goValueOf(value, scalars, depth + 1))
  return out
}
