import { CompareError } from '../../errors/index.ts'
import {
  isTrue,
  LuaError,
  LuaFunction,
  LuaTable,
  type LuaValue,
  numberText,
  parseNumber,
  typeOf,
} from './values.ts'

export interface LuaLimits {
  /** Statements, calls, rounds and operations. */
  readonly maxSteps: number
  /** All texts and table entries that the script ever makes, bytes. */
  readonly maxBytes: number
}

// as deep as gopher-lua's default stack of calls
const maxDepth = 200
const entryBytes = 48
const tableBytes = 160

/** One run of a script: its budget, its place in the text, and the meaning of the operators. */
export class Machine {
  readonly globals: LuaTable = new LuaTable()
  /** The metatable of all texts, when the string library is open. */
  textMeta: LuaTable | undefined
  line = 0
  private readonly lines: number[] = []
  private readonly limits: LuaLimits
  private steps: number
  private bytes: number

  constructor(limits: LuaLimits) {
    this.limits = limits
    this.steps = limits.maxSteps
    this.bytes = limits.maxBytes
  }

  step(count = 1): void {
    this.steps -= count
    if (this.steps < 0) this.exhausted(`takes more than ${this.limits.maxSteps} steps`)
  }

  allocate(bytes: number): void {
    this.bytes -= bytes
    if (this.bytes < 0) this.exhausted(`takes more than ${this.limits.maxBytes} bytes`)
  }

  private exhausted(what: string): never {
    throw new CompareError('BUDGET_EXCEEDED', `<string>:${this.line}: Lua script ${what}`, {
      data: { ...this.limits },
    })
  }

  /** Raises an error at the current line. */
  fail(message: string): never {
    throw new LuaError(`${this.position(1)}${message}`)
  }

  /** `<string>:<line>: ` of the function that many calls above the running one. */
  position(level: number): string {
    const line = level <= 1 ? this.line : this.lines[this.lines.length + 1 - level]
    return line === undefined ? '' : `<string>:${line}: `
  }

  call(callee: LuaValue, args: LuaValue[], line: number = this.line): LuaValue[] {
    this.step()
    this.line = line
    let target = callee
    if (!(target instanceof LuaFunction)) {
      target = this.metaOf(callee, '__call')
      if (!(target instanceof LuaFunction)) this.fail('attempt to call a non-function object')
      args.unshift(callee)
    }
    if (this.lines.length >= maxDepth) this.fail('stack overflow')
    if (!target.isLua) {
      const results = target.call(args)
      this.line = line
      return results
    }
    this.lines.push(line)
    // a caught error unwinds in pcall, which restores the depth
    const results = target.call(args)
    this.lines.pop()
    this.line = line
    return results
  }

  /** Runs, and gives the error that was raised instead of raising it. */
  attempt(run: () => LuaValue[]): { readonly results: LuaValue[] } | { readonly error: LuaError } {
    const depth = this.lines.length
    const { line } = this
    try {
      return { results: run() }
    } catch (error) {
      if (!(error instanceof LuaError)) throw error
      this.lines.length = depth
      this.line = line
      return { error }
    }
  }

  metaOf(value: LuaValue, event: string): LuaValue {
    if (value instanceof LuaTable) return value.metatable?.get(event)
    return typeof value === 'string' ? this.textMeta?.get(event) : undefined
  }

  index(object: LuaValue, key: LuaValue): LuaValue {
    let current = object
    for (let depth = 0; depth < 100; depth++) {
      const isTable = current instanceof LuaTable
      if (current instanceof LuaTable) {
        const value = current.get(key)
        if (value !== undefined) return value
      }
      const handler = this.metaOf(current, '__index')
      if (handler === undefined) {
        if (isTable) return undefined
        return this.fail(
          `attempt to index a non-table object(${typeOf(current)}) with key '${this.text(key)}'`,
        )
      }
      if (handler instanceof LuaFunction) return this.call(handler, [current, key])[0]
      current = handler
    }
    return this.fail('too many recursions in gettable')
  }

  setIndex(object: LuaValue, key: LuaValue, value: LuaValue): void {
    let current = object
    for (let depth = 0; depth < 100; depth++) {
      const isTable = current instanceof LuaTable
      const handler = this.metaOf(current, '__newindex')
      if (current instanceof LuaTable) {
        if (handler === undefined || current.get(key) !== undefined) {
          this.store(current, key, value)
          return
        }
      }
      if (handler === undefined && !isTable) {
        this.fail(
          `attempt to index a non-table object(${typeOf(current)}) with key '${this.text(key)}'`,
        )
      }
      if (handler instanceof LuaFunction) {
        this.call(handler, [current, key, value])
        return
      }
      current = handler
    }
    this.fail('too many recursions in settable')
  }

  store(table: LuaTable, key: LuaValue, value: LuaValue): void {
    if (key === undefined) this.fail('table index is nil')
    if (typeof key === 'number' && Number.isNaN(key)) this.fail('table index is NaN')
    this.allocate(entryBytes + 8 * table.gapBefore(key))
    const before = table.length
    table.set(key, value)
    // looking for the new end takes time, too
    if (table.length < before) this.step((before - table.length) >> 6)
  }

  newTable(): LuaTable {
    this.allocate(tableBytes)
    return new LuaTable()
  }

  /** `tostring`. */
  text(value: LuaValue): string {
    const handler = this.metaOf(value, '__tostring')
    if (handler instanceof LuaFunction) {
      const made = this.call(handler, [value])[0]
      return typeof made === 'string' ? made : this.text(made)
    }
    if (value === undefined) return 'nil'
    if (typeof value === 'string') return value
    if (typeof value === 'number') return numberText(value)
    if (typeof value === 'boolean') return String(value)
    return `${typeOf(value)}: 0xc000000000`
  }

  arithmetic(event: ArithmeticEvent, left: LuaValue, right: LuaValue): LuaValue {
    this.step()
    const a = typeof left === 'number' ? left : undefined
    const b = typeof right === 'number' ? right : undefined
    if (a !== undefined && b !== undefined) return compute[event](a, b)
    const handler = this.metaOf(left, `__${event}`) ?? this.metaOf(right, `__${event}`)
    if (handler !== undefined) return this.call(handler, [left, right])[0]
    const x = typeof left === 'string' ? (parseNumber(left) ?? left) : left
    const y = typeof right === 'string' ? (parseNumber(right) ?? right) : right
    if (typeof x === 'number' && typeof y === 'number') return compute[event](x, y)
    return this.fail(`cannot perform ${event} operation between ${typeOf(x)} and ${typeOf(y)}`)
  }

  negate(value: LuaValue): LuaValue {
    this.step()
    if (typeof value === 'number') return -value
    const handler = this.metaOf(value, '__unm')
    if (handler !== undefined) return this.call(handler, [value])[0]
    const number = typeof value === 'string' ? parseNumber(value) : undefined
    return number === undefined ? this.fail('__unm undefined') : -number
  }

  concat(left: LuaValue, right: LuaValue): LuaValue {
    this.step()
    const a = typeof left === 'number' ? numberText(left) : left
    const b = typeof right === 'number' ? numberText(right) : right
    if (typeof a === 'string' && typeof b === 'string') {
      this.allocate(a.length + b.length)
      return a + b
    }
    const handler = this.metaOf(left, '__concat') ?? this.metaOf(right, '__concat')
    if (handler !== undefined) return this.call(handler, [left, right])[0]
    return this.fail(`cannot perform concat operation between ${typeOf(left)} and ${typeOf(right)}`)
  }

  lengthOf(value: LuaValue): LuaValue {
    this.step()
    if (typeof value === 'string') return value.length
    const handler = this.metaOf(value, '__len')
    if (handler !== undefined) return this.call(handler, [value])[0]
    return value instanceof LuaTable ? value.length : this.fail('__len undefined')
  }

  equals(left: LuaValue, right: LuaValue): boolean {
    this.step()
    if (left === right) return true
    if (!(left instanceof LuaTable && right instanceof LuaTable)) return false
    const handler = this.metaOf(left, '__eq')
    if (handler === undefined || handler !== this.metaOf(right, '__eq')) return false
    return isTrue(this.call(handler, [left, right])[0])
  }

  less(left: LuaValue, right: LuaValue): boolean {
    this.step()
    if (typeof left === 'number' && typeof right === 'number') return left < right
    if (typeof left === 'string' && typeof right === 'string') return left < right
    const handler = this.metaOf(left, '__lt') ?? this.metaOf(right, '__lt')
    if (handler !== undefined) return isTrue(this.call(handler, [left, right])[0])
    return this.fail(`attempt to compare ${typeOf(left)} with ${typeOf(right)}`)
  }

  lessOrEqual(left: LuaValue, right: LuaValue): boolean {
    this.step()
    if (typeof left === 'number' && typeof right === 'number') return left <= right
    if (typeof left === 'string' && typeof right === 'string') return left <= right
    const handler = this.metaOf(left, '__le') ?? this.metaOf(right, '__le')
    if (handler !== undefined) return isTrue(this.call(handler, [left, right])[0])
    const less = this.metaOf(left, '__lt') ?? this.metaOf(right, '__lt')
    if (less !== undefined) return !isTrue(this.call(less, [right, left])[0])
    return this.fail(`attempt to compare ${typeOf(left)} with ${typeOf(right)}`)
  }
}

export type ArithmeticEvent = 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'pow'

/** The rest with the sign of the divisor. */
export function modulo(a: number, b: number): number {
  const rest = a % b
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest
}

const compute: { readonly [event in ArithmeticEvent]: (a: number, b: number) => number } = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  mod: modulo,
  pow: (a, b) => a ** b,
}
