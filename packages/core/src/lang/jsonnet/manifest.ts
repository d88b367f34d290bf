import { defineKey, type Json } from '../../json/index.ts'
import { quoteString } from './json-text.ts'
import { budgetExceeded, enter, fail, machine } from './machine.ts'
import { numberText } from './numbers.ts'
import { checkAsserts, fieldNames, indexObject } from './object.ts'
import { type Caller, Phase } from './site.ts'
import { ArrayValue, ObjectValue, type Value } from './values.ts'

const checking = new Phase('Checking object assertions')

/**
 * The text of a value: over several lines with an indent of three, or on one line.
 *
 * Source: go-jsonnet 0.22 interpreter.go manifestJSON, serializeJSON
 */
export function manifestText(value: Value, lines: boolean, caller: Caller): string {
  const printer = new Printer(lines, caller)
  printer.print(value, lines ? '\n' : '', caller)
  return printer.out
}

class Printer {
  out = ''
  private readonly lines: boolean
  private readonly start: Caller

  constructor(lines: boolean, start: Caller) {
    this.lines = lines
    this.start = start
  }

  print(value: Value, newline: string, caller: Caller): void {
    enter(caller)
    if (typeof value === 'string') this.out += quoteString(value)
    else if (typeof value === 'number') this.out += numberText(value)
    else if (value === null || typeof value === 'boolean') this.out += String(value)
    else if (value instanceof ObjectValue) this.object(value, newline)
    else if (value instanceof ArrayValue) this.array(value, newline)
    else noFunction(caller)
    machine.depth--
  }

  private array(value: ArrayValue, newline: string): void {
    const { length } = value.items
    if (length === 0) {
      this.out += '[ ]'
      return
    }
    const inner = this.lines ? newline + '   ' : ''
    const separator = this.lines ? ',' + inner : ', '
    for (let i = 0; i < length; i++) {
      this.out += i === 0 ? '[' + inner : separator
      this.print(value.at(i, i), inner, i)
    }
    this.out += newline + ']'
    this.check()
  }

  private object(value: ObjectValue, newline: string): void {
    const names = fieldNames(value, false, this.start)
    if (value.pending) checkAsserts(value, checking)
    if (names.length === 0) {
      this.out += '{ }'
      return
    }
    const inner = this.lines ? newline + '   ' : ''
    const separator = this.lines ? ',' + inner : ', '
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!
      const field = indexObject(value, name, name)
      this.out += (i === 0 ? '{' + inner : separator) + quoteString(name) + ': '
      this.print(field, inner, name)
    }
    this.out += newline + '}'
    this.check()
  }

  private check(): void {
    const limit = machine.limits.output
    if (this.out.length > limit) {
      budgetExceeded(`more than ${limit} characters of output`, this.start)
    }
  }
}

/** The value as JSON; its order of work and its errors are those of {@link manifestText}. */
export function manifestJson(value: Value, caller: Caller): Json {
  enter(caller)
  const json = toJson(value, caller)
  machine.depth--
  return json
}

function toJson(value: Value, caller: Caller): Json {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof ArrayValue) {
    const items: Json[] = []
    for (let i = 0; i < value.items.length; i++) items.push(manifestJson(value.at(i, i), i))
    return items
  }
  if (value instanceof ObjectValue) {
    const names = fieldNames(value, false, caller)
    if (value.pending) checkAsserts(value, checking)
    const object: { [key: string]: Json } = {}
    for (const name of names) {
      defineKey(object, name, manifestJson(indexObject(value, name, name), name))
    }
    return object
  }
  return noFunction(caller)
}

/** Parity: the frame that has just been opened does not show. */
function noFunction(caller: Caller): never {
  machine.depth--
  return fail("couldn't manifest function as JSON", caller)
}

/** std.toString: strings as they are, everything else on one line. */
export function toText(value: Value, caller: Caller): string {
  if (typeof value === 'string') return value
  return manifestText(value, false, caller)
}
