import { sortStrings } from './equal.ts'
import type { Json, JsonObject } from './value.ts'

/**
 * JSON text as Go's `encoding/json` writes it: keys sorted by bytes, no spaces, floats in Go's form.
 *
 * `escapeHtml` (Go's default) writes `<`, `>`, `&`, U+2028 and U+2029 as \u escapes.
 * `indent` puts every element on its own line, as `json.MarshalIndent` with an empty prefix does.
 */
export function formatJson(
  value: Json,
  options: { escapeHtml?: boolean; indent?: string; sortKeys?: boolean } = {},
): string {
  return write(
    value,
    options.escapeHtml ?? true,
    options.indent ?? '',
    options.sortKeys ?? true,
    '',
  )
}

/** Compact JSON with sorted keys and no HTML escapes: equal text exactly for equal values. */
export function canonicalJson(value: Json): string {
  return write(value, false, '', true, '')
}

function write(value: Json, html: boolean, indent: string, sort: boolean, current: string): string {
  switch (typeof value) {
    case 'string':
      return quote(value, html)
    case 'number':
      return goFloat(value)
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    default:
  }
  if (value === null || value === undefined) return 'null'
  const inner = current + indent
  const open = indent === '' ? '' : '\n' + inner
  const close = indent === '' ? '' : '\n' + current
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    let list = ''
    for (const item of value) {
      list += (list === '' ? '[' : ',') + open + write(item, html, indent, sort, inner)
    }
    return list + close + ']'
  }
  const object = value as JsonObject
  const keys = Object.keys(object)
  if (sort) sortStrings(keys)
  const colon = indent === '' ? ':' : ': '
  let text = ''
  for (const key of keys) {
    const item = object[key]
    if (item === undefined) continue
    text +=
      (text === '' ? '{' : ',') +
      open +
      quote(key, html) +
      colon +
      write(item, html, indent, sort, inner)
  }
  return text === '' ? '{}' : text + close + '}'
}

/** A string as {@link formatJson} writes it. */
export function quoteJson(text: string, escapeHtml: boolean): string {
  return quote(text, escapeHtml)
}

const special = /[\u0000-\u001f"\\<>&\u2028\u2029\ud800-\udfff]/

function quote(text: string, html: boolean): string {
  if (!special.test(text)) return '"' + text + '"'
  let out = '"'
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) out += '\\"'
    else if (code === 0x5c) out += '\\\\'
    else if (code === 0x0a) out += '\\n'
    else if (code === 0x0d) out += '\\r'
    else if (code === 0x09) out += '\\t'
    else if (code === 0x08) out += '\\b'
    else if (code === 0x0c) out += '\\f'
    else if (code < 0x20) out += hex(code)
    else if (html && (code === 0x3c || code === 0x3e || code === 0x26)) out += hex(code)
    else if (code === 0x2028 || code === 0x2029) out += hex(code)
    else if (code >= 0xd800 && code <= 0xdfff) {
      const next = code < 0xdc00 ? text.charCodeAt(i + 1) : Number.NaN
      if (next >= 0xdc00 && next <= 0xdfff) out += text[i]! + text[++i]!
      else out += '\\ufffd'
    } else out += text[i]
  }
  return out + '"'
}

function hex(code: number): string {
  return '\\u' + code.toString(16).padStart(4, '0')
}

/** A float64 as Go's `encoding/json` prints it: shortest digits, exponent form below 1e-6 and from 1e21 on. */
export function goFloat(value: number): string {
  if (Object.is(value, -0)) return '-0'
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude < 1e-6 || magnitude >= 1e21)) {
    const text = value.toExponential()
    // JavaScript and Go agree on e-7, e+21; Go's json strips the padding that %e would add.
    return text
  }
  return String(value)
}
