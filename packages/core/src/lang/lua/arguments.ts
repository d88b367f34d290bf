import type { Machine } from './machine.ts'
import { LuaFunction, LuaTable, type LuaValue, numberText, parseNumber, typeOf } from './values.ts'

/** The arguments of a call of a library function, read as the library asks. Wrong ones raise Lua errors. */
export class Arguments {
  readonly machine: Machine
  readonly values: LuaValue[]
  private readonly callee: string

  constructor(machine: Machine, callee: string, values: LuaValue[]) {
    this.machine = machine
    this.callee = callee
    this.values = values
  }

  get count(): number {
    return this.values.length
  }

  /** By position from 1. */
  at(position: number): LuaValue {
    return this.values[position - 1]
  }

  wrong(position: number, message: string): never {
    this.machine.fail(`bad argument #${position} to ${this.callee} (${message})`)
  }

  any(position: number): LuaValue {
    if (this.values.length < position) this.wrong(position, 'value expected')
    return this.at(position)
  }

  text(position: number): string {
    const value = this.at(position)
    if (typeof value === 'string') return value
    if (typeof value === 'number') return numberText(value)
    return this.wrong(position, `string expected, got ${typeOf(value)}`)
  }

  /** Unlike {@link text}, no number. */
  optionalText(position: number, otherwise: string): string {
    const value = this.at(position)
    if (value === undefined || typeof value === 'string') return value ?? otherwise
    return this.wrong(position, `string expected, got ${typeOf(value)}`)
  }

  number(position: number): number {
    const value = this.at(position)
    const number = typeof value === 'string' ? parseNumber(value) : value
    if (typeof number === 'number') return number
    return this.wrong(position, `number expected, got ${typeOf(value)}`)
  }

  /** Unlike {@link number}, no text. */
  integer(position: number): number {
    const value = this.at(position)
    if (typeof value !== 'number') {
      return this.wrong(position, `number expected, got ${typeOf(value)}`)
    }
    return Number.isNaN(value) ? 0 : Math.trunc(value)
  }

  optionalInteger(position: number, otherwise: number): number {
    return this.at(position) === undefined ? otherwise : this.integer(position)
  }

  table(position: number): LuaTable {
    const value = this.at(position)
    if (value instanceof LuaTable) return value
    return this.wrong(position, `table expected, got ${typeOf(value)}`)
  }

  function(position: number): LuaFunction {
    const value = this.at(position)
    if (value instanceof LuaFunction) return value
    return this.wrong(position, `function expected, got ${typeOf(value)}`)
  }
}

export type Library = { readonly [name: string]: (args: Arguments) => LuaValue[] }

/** Puts the functions of a library into a table. */
export function register(machine: Machine, table: LuaTable, library: Library): void {
  for (const [name, run] of Object.entries(library)) {
    table.set(name, new LuaFunction(name, (values) => run(new Arguments(machine, name, values))))
  }
}
