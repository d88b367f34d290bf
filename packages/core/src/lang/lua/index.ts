// lang/lua: Lua 5.1 as gopher-lua runs it, with goto, without coroutines, files and processes.
// In: a script and JSON values as its globals. Out: the JSON of what it returns. Never: Kubernetes, I/O, endless runs.

import { CompareError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { compileScript } from './compile.ts'
import { EncodeIssue, fromBytes, toBytes, toJson, toLua } from './convert.ts'
import { type LuaClock, openLibraries } from './libraries.ts'
import { type LuaLimits, Machine } from './machine.ts'
import { LuaError, LuaSyntaxError, LuaTable, typeOf } from './values.ts'

export { numberText } from './values.ts'
export type { LuaClock, LuaLimits }

export interface LuaOptions {
  readonly globals: { readonly [name: string]: Json }
  /** `open` adds `string`, `math` and `os` to the base and `table`. */
  readonly libraries: 'closed' | 'open'
  /** For `os.time` and `os.date`; without one they stand at 1970. */
  readonly clock?: LuaClock
  readonly limits?: Partial<LuaLimits>
}

export interface LuaResult {
  /** Lua's name of the type of the last returned value; `nil` when there is none. */
  readonly type: string
  /** Of tables only; other results are not converted. */
  readonly json?: Json
}

// Argo CD gives a script one second
const defaultLimits: LuaLimits = { maxSteps: 2_000_000, maxBytes: 64 * 1024 * 1024 }

/**
 * Runs a script in a state of its own. Throws CompareError: LUA_FAILED with the message of gopher-lua where it cannot be
 * parsed, fails, or returns a table without a JSON form; BUDGET_EXCEEDED where it uses up its steps or bytes.
 *
 * Source: github.com/yuin/gopher-lua v1.1.2; argo-cd v3.5.1 util/lua/lua.go
 *
 * @example
 * runLua('return {a = obj.b}', { globals: { obj: { b: 1 } }, libraries: 'closed' }).json // { a: 1 }
 */
export function runLua(script: string, options: LuaOptions): LuaResult {
  const machine = new Machine({ ...defaultLimits, ...options.limits })
  try {
    openLibraries(machine, options.libraries, options.clock ?? (() => 0))
    for (const [name, value] of Object.entries(options.globals)) {
      machine.globals.set(name, toLua(machine, value))
    }
    const value = machine.call(compileScript(machine, toBytes(script)), []).at(-1)
    return value instanceof LuaTable
      ? { type: 'table', json: toJson(value) }
      : { type: typeOf(value) }
  } catch (error) {
    throw translate(error, machine)
  }
}

function translate(error: unknown, machine: Machine): unknown {
  if (error instanceof LuaError) {
    const { value } = error
    return new CompareError(
      'LUA_FAILED',
      fromBytes(machine.text(value instanceof LuaTable ? 'table' : value)),
    )
  }
  if (error instanceof LuaSyntaxError || error instanceof EncodeIssue) {
    return new CompareError('LUA_FAILED', fromBytes(error.message))
  }
  // calls and expressions nested deeper than the host's stack
  if (error instanceof RangeError) {
    return new CompareError(
      'BUDGET_EXCEEDED',
      `<string>:${machine.line}: Lua script nests too deeply`,
    )
  }
  return error
}
