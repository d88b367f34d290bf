import type { Json, JsonObject } from '../../json/index.ts'
import { bytesToText, textToBytes } from '../../text/index.ts'
import type { Machine } from './machine.ts'
import { LuaTable, type LuaValue, typeOf } from './values.ts'

const wide = /[^\0-\x7f]/

/** A text as Lua holds it: one byte in each unit. */
export function toBytes(text: string): string {
  if (!wide.test(text)) return text
  return Array.from(textToBytes(text), (byte) => String.fromCharCode(byte)).join('')
}

export function fromBytes(text: string): string {
  if (!wide.test(text)) return text
  return bytesToText(Uint8Array.from(text, (char) => char.charCodeAt(0)))
}

/** A value as scripts see it: null is nil, and a null in a list is not there. */
export function toLua(machine: Machine, value: Json): LuaValue {
  if (value === null) return undefined
  if (typeof value === 'string') {
    machine.allocate(value.length)
    return toBytes(value)
  }
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object') return value
  const table = machine.newTable()
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const converted = toLua(machine, item)
      if (converted !== undefined) machine.store(table, table.length + 1, converted)
    }
    return table
  }
  for (const [key, item] of Object.entries(value as JsonObject)) {
    machine.store(table, toBytes(key), toLua(machine, item))
  }
  return table
}

/** A value of Lua that JSON has no form for. */
export class EncodeIssue extends Error {}

/**
 * A value as JSON: a table without entries is a list, and so is one whose first key is a number. A table that stands in
 * two places counts as nested in itself. Throws EncodeIssue.
 */
export function toJson(value: LuaValue, seen: Set<LuaTable> = new Set()): Json {
  if (value === undefined) return null
  if (typeof value === 'string') return fromBytes(value)
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new EncodeIssue(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    )
  }
  if (typeof value === 'boolean') return value
  if (!(value instanceof LuaTable)) {
    throw new EncodeIssue(`cannot encode ${typeOf(value)} to JSON`)
  }
  if (seen.has(value)) throw new EncodeIssue('cannot encode recursively nested tables to JSON')
  seen.add(value)
  const entries = entriesOf(value)
  const [first] = entries[0] ?? []
  if (first === undefined || typeof first === 'number') {
    entries.forEach(([key], index) => {
      if (typeof key !== 'number') throw new EncodeIssue('cannot encode mixed or invalid key types')
      if (key !== index + 1) throw new EncodeIssue('cannot encode sparse array')
    })
    return entries.map(([, item]) => toJson(item, seen))
  }
  if (entries.some(([key]) => typeof key !== 'string')) {
    throw new EncodeIssue('cannot encode mixed or invalid key types')
  }
  return Object.fromEntries(
    entries.map(([key, item]) => [fromBytes(key as string), toJson(item, seen)]),
  )
}

function entriesOf(table: LuaTable): readonly (readonly [LuaValue, LuaValue])[] {
  const listed = table.list.flatMap((item, index): readonly (readonly [LuaValue, LuaValue])[] =>
    item === undefined ? [] : [[index + 1, item]],
  )
  return [...listed, ...table.placed()]
}
