import { type Arguments, type Library, register } from './arguments.ts'
import { compileScript } from './compile.ts'
import type { Machine } from './machine.ts'
import {
  isTrue,
  LuaError,
  LuaFunction,
  LuaSyntaxError,
  LuaTable,
  type LuaValue,
  parseGoFloat,
  parseGoInteger,
  typeOf,
} from './values.ts'

/** The functions that are there whatever libraries are open. Output of `print` goes nowhere. */
export function openBase(machine: Machine): void {
  const { globals } = machine
  globals.set('_G', globals)
  globals.set('_VERSION', 'Lua 5.1')
  register(machine, globals, functions)
  const next = globals.get('next')
  const step = new LuaFunction('ipairs_iterator', ([table, index]) => {
    const place = (index as number) + 1
    const value = (table as LuaTable).get(place)
    return value === undefined ? [] : [place, value]
  })
  register(machine, globals, {
    pairs: (args) => [next, args.table(1), undefined],
    ipairs: (args) => [step, args.table(1), 0],
  })
}

const functions: Library = {
  assert: (args) => {
    if (isTrue(args.at(1))) return args.values
    const message = args.at(2)
    if (message !== undefined && typeof message !== 'string') {
      return args.wrong(2, `string expected, got ${typeOf(message)}`)
    }
    return args.machine.fail(message ?? 'assertion failed!')
  },
  collectgarbage: () => [0],
  error: (args) => {
    const message = args.at(1)
    const level = args.optionalInteger(2, 1)
    if (typeof message !== 'string' || level <= 0) throw new LuaError(message)
    // level 2 is still the function that calls this one
    throw new LuaError(`${args.machine.position(Math.max(1, level - 1))}${message}`)
  },
  getmetatable: (args) => {
    const { machine } = args
    const value = args.any(1)
    const meta = value instanceof LuaTable ? value.metatable : undefined
    const found = typeof value === 'string' ? machine.textMeta : meta
    return [found?.get('__metatable') ?? found]
  },
  load: (args) => {
    const chunk = args.function(1)
    let text = ''
    for (;;) {
      const part = args.machine.call(chunk, [])[0]
      if (typeof part !== 'string' || part === '') break
      args.machine.allocate(text.length + part.length)
      text += part
    }
    return loadText(args.machine, text)
  },
  loadstring: (args) => loadText(args.machine, args.text(1)),
  next: (args) => {
    args.machine.step()
    const entry = args.table(1).next(args.at(2))
    return entry === undefined ? [undefined] : [...entry]
  },
  pcall: (args) => protectedCall(args, args.values.slice(1), undefined),
  print: () => [],
  rawequal: (args) => [args.any(1) === args.any(2)],
  rawget: (args) => [args.table(1).get(args.any(2))],
  rawset: (args) => {
    args.machine.store(args.table(1), args.any(2), args.any(3))
    return [args.at(1)]
  },
  require: (args) => {
    const name = args.text(1)
    const loaded = (args.machine.globals.get('package') as LuaTable).get('loaded') as LuaTable
    const found = loaded.get(name)
    if (found !== undefined) return [found]
    return args.machine.fail(`module ${name} not found:\n\tno field package.preload['${name}']`)
  },
  select: (args) => {
    const first = args.at(1)
    if (first === '#') return [args.count - 1]
    if (typeof first === 'string') return args.wrong(1, `invalid string '${first}'`)
    if (typeof first !== 'number') {
      return args.wrong(1, `number or string expected, got ${typeOf(first)}`)
    }
    const index = args.integer(1)
    if (index < 0) return args.values.slice(Math.max(1, args.count + index))
    if (index === 0) args.wrong(1, 'index out of range')
    return args.values.slice(index)
  },
  setmetatable: (args) => {
    const table = args.table(1)
    const meta = args.at(2)
    if (table.metatable?.get('__metatable') !== undefined) {
      args.machine.fail('cannot change a protected metatable')
    }
    table.metatable = meta === undefined ? undefined : args.table(2)
    return [table]
  },
  tonumber: (args) => {
    const value = args.any(1)
    const base = args.optionalInteger(2, 10)
    if (typeof value === 'number') return [value]
    if (typeof value !== 'string') return [undefined]
    const text = value.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
    if (text.includes('.')) return [parseGoFloat(text)]
    const isHex = args.at(2) === undefined && /^0x/i.test(text)
    return [isHex ? parseGoInteger(text.slice(2), 16) : parseGoInteger(text, base)]
  },
  tostring: (args) => [args.machine.text(args.any(1))],
  type: (args) => [typeOf(args.any(1))],
  unpack: (args) => unpack(args),
  xpcall: (args) => protectedCall(args, args.values.slice(2), args.function(2)),
}

export function unpack(args: Arguments): LuaValue[] {
  const table = args.table(1)
  const from = args.optionalInteger(2, 1)
  const to = args.optionalInteger(3, table.length)
  const count = Math.max(0, to - from + 1)
  args.machine.step(count)
  return Array.from({ length: count }, (_, index) => table.get(from + index))
}

function protectedCall(
  args: Arguments,
  rest: LuaValue[],
  handler: LuaFunction | undefined,
): LuaValue[] {
  const { machine } = args
  const callee = args.any(1)
  const outcome = machine.attempt(() => machine.call(callee, rest))
  if ('results' in outcome) return [true, ...outcome.results]
  const { value } = outcome.error
  return [false, ...(handler === undefined ? [value] : machine.call(handler, [value]))]
}

function loadText(machine: Machine, text: string): LuaValue[] {
  try {
    return [compileScript(machine, text)]
  } catch (error) {
    if (!(error instanceof LuaSyntaxError)) throw error
    return [undefined, error.message]
  }
}
