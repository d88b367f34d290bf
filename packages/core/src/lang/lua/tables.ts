import { type Arguments, type Library, register } from './arguments.ts'
import type { Machine } from './machine.ts'
import { isTrue, type LuaFunction, LuaTable, type LuaValue, numberText, typeOf } from './values.ts'

/** Opens the library `table`. */
export function openTable(machine: Machine): LuaTable {
  const table = new LuaTable()
  register(machine, table, functions)
  machine.globals.set('table', table)
  return table
}

const functions: Library = {
  concat: (args) => {
    const table = args.table(1)
    const separator = args.optionalText(2, '')
    const from = args.optionalInteger(3, 1)
    const to = args.optionalInteger(4, table.length)
    args.machine.step(Math.max(0, to - from + 1))
    const parts: string[] = []
    for (let index = from; index <= to; index++) {
      const value = table.get(index)
      if (typeof value !== 'string' && typeof value !== 'number') {
        return args.machine.fail(
          `invalid value (${typeOf(value)}) at index ${index} in table for concat`,
        )
      }
      const text = typeof value === 'number' ? numberText(value) : value
      args.machine.allocate(text.length + separator.length)
      parts.push(text)
    }
    return [parts.join(separator)]
  },
  getn: (args) => [args.table(1).length],
  insert: (args) => {
    const table = args.table(1)
    if (args.count === 1) return args.machine.fail('wrong number of arguments')
    const value = args.at(args.count === 2 ? 2 : 3)
    const end = table.length + 1
    const place = args.count === 2 ? end : args.integer(2)
    if (place < 1 || place >= end) {
      args.machine.store(table, place < 1 ? end : place, value)
      return []
    }
    args.machine.step(end - place)
    args.machine.allocate(48)
    table.list.splice(place - 1, 0, value)
    return []
  },
  maxn: (args) => {
    const table = args.table(1)
    let highest = table.length
    for (const [key] of table.placed()) {
      if (typeof key === 'number' && key > highest) highest = key
    }
    return [highest]
  },
  remove: (args) => {
    const table = args.table(1)
    const place = args.optionalInteger(2, table.length)
    if (place < 1 || place > table.length) return [undefined]
    args.machine.step(table.length - place + 1)
    const [removed] = table.list.splice(place - 1, 1)
    return [removed]
  },
  sort: (args) => {
    sort(args, args.table(1).list, args.at(2) === undefined ? undefined : args.function(2))
    return []
  },
}

/** A merge sort: its comparisons are bounded whatever the order function says. */
function sort(args: Arguments, list: LuaValue[], order: LuaFunction | undefined): void {
  const { machine } = args
  const before = (a: LuaValue, b: LuaValue): boolean =>
    order === undefined ? machine.less(a, b) : isTrue(machine.call(order, [a, b])[0])
  const sorted = [...list].sort((a, b) => {
    machine.step()
    if (before(a, b)) return -1
    return before(b, a) ? 1 : 0
  })
  sorted.forEach((value, index) => {
    list[index] = value
  })
}
