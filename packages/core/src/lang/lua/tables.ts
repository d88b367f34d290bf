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
    const { length } = table
    const wanted = args.optionalInteger(3, 1)
    if (args.count === 3 && (wanted > length || wanted < 1)) return ['']
    // places outside of the table do not count
    const from = Math.max(Math.min(wanted, length), 1)
    const to = Math.min(args.optionalInteger(4, length), length)
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
    const end = table.list.length
    if (args.count === 2) {
      args.machine.store(table, table.length + 1, value)
      return []
    }
    const place = args.integer(2)
    if (place < 1 || place > end) {
      args.machine.store(table, place, value)
      return []
    }
    args.machine.step(end - place + 1)
    args.machine.allocate(48)
    table.insert(place, value)
    return []
  },
  maxn: (args) => [args.table(1).length],
  remove: (args) => {
    const table = args.table(1)
    const end = table.list.length
    const wanted = args.count === 1 ? end : args.integer(2)
    if (end === 0 || wanted > end) return [undefined]
    const place = wanted < 1 ? end : wanted
    args.machine.step(end - place + 1)
    return [table.removeAt(place)]
  },
  sort: (args) => {
    sort(args, args.table(1), args.count === 1 ? undefined : args.function(2))
    return []
  },
}

const shortList = 12 // Go 1.26 sort: up to this by insertion, which shows in what an order function is asked

/** By insertion, or by merging: the comparisons are bounded whatever the order function says. */
function sort(args: Arguments, table: LuaTable, order: LuaFunction | undefined): void {
  const { machine } = args
  const list = [...table.list]
  const before = (a: LuaValue, b: LuaValue): boolean =>
    order === undefined ? machine.less(a, b) : isTrue(machine.call(order, [a, b])[0])
  const put = (index: number, value: LuaValue): void => table.set(index + 1, value)
  if (list.length <= shortList) {
    for (let from = 1; from < list.length; from++) {
      for (let at = from; at > 0 && before(table.list[at], table.list[at - 1]); at--) {
        const moved = table.list[at]
        put(at, table.list[at - 1])
        put(at - 1, moved)
      }
    }
    return
  }
  if (list.includes(undefined))
    before(
      undefined,
      list.find((one) => one !== undefined),
    )
  const sorted = list.sort((a, b) => {
    machine.step()
    if (before(a, b)) return -1
    return before(b, a) ? 1 : 0
  })
  for (const [index, value] of sorted.entries()) put(index, value)
}
