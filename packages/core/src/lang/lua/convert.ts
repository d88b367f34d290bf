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

/** A value as JSON: a table without entries is a list. Throws EncodeIssue. */
export function toJson(value: LuaValue, around: readonly LuaTable[] = []): Json {
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
  if (around.includes(value))
    throw new EncodeIssue('cannot encode recursively nested tables to JSON')
  const inside = [...around, value]
  const placed = [...value.placed()]
  if (placed.length === 0) {
    return value.list.map((item) => {
      if (item === undefined) throw new EncodeIssue('cannot encode sparse array')
      return toJson(item, inside)
    })
  }
  const isMixed = value.length > 0 || placed.some(([key]) => typeof key !== 'string')
  if (isMixed) {
    const isSparse = placed.every(([key]) => typeof key === 'number')
    throw new EncodeIssue(
      isSparse ? 'cannot encode sparse array' : 'cannot encode mixed or invalid key types',
    )
  }
  return Object.fromEntries(
    placed.map(([key, item]) => [fromBytes(key as string), toJson(item, inside)]),
  )
}
