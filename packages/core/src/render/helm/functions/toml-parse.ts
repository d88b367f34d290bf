import type { Value, ValueMap } from '../../../lang/gotemplate/index.ts'
import { blanks, gaps, rune, runeOrEnd, tomlStart } from './toml-reader.ts'
import { TomlScalars } from './toml-scalars.ts'

const bareKey = /[A-Za-z0-9_-]+/y
const maxDepth = 200

/**
 * Reads a TOML 1.0 document into maps: integers are int64, times are time.Time.
 *
 * Throws a FunctionFailure `toml: line N (last key "K"): MESSAGE`; the messages are BurntSushi/toml's where a reader
 * of ours meets the same place.
 */
export function parseToml(text: string): ValueMap {
  return new Parser(tomlStart(text)).document()
}

class Parser extends TomlScalars {
  private readonly root: ValueMap = new Map()
  private table: ValueMap = this.root
  /** The table or inline table that keys belong to, and the key whose value is being read; errors name both. */
  private context: readonly string[] = []
  private currentKey = ''
  private depth = 0
  /** Tables that came to be on the way to others, and may still be defined once. */
  private readonly implicit = new Set<Value>()
  /** Inline values, to which nothing can be added. */
  private readonly closed = new Set<Value>()

  document(): ValueMap {
    for (;;) {
      this.skip(gaps)
      if (this.at >= this.text.length) return this.root
      if (this.text[this.at] === '[') this.header()
      else {
        this.pair(this.table)
        this.currentKey = ''
      }
      this.endOfLine()
    }
  }

  protected lastKey(): string {
    const table = shownKey(this.context)
    return [table, this.currentKey].filter((part) => part !== '').join('.')
  }

  private endOfLine(): void {
    this.skip(blanks)
    if (this.text[this.at] === '#') this.skip(/[^\r\n]*/y)
    const char = this.peek()
    if (char === undefined) return
    if (char !== '\n' && char !== '\r') {
      this.failAfter(
        `expected a top-level item to end with a newline, comment, or EOF, but got ${rune(char)} instead`,
      )
    }
    this.at++
  }

  private header(): void {
    const isArray = this.text.startsWith('[[', this.at)
    this.at += isArray ? 2 : 1
    const path = this.keyPath(']')
    if (isArray) {
      const char = this.peek()
      if (char !== ']') {
        this.failAfter(
          `expected end of table array name delimiter ']', but got ${rune(char)} instead`,
        )
      }
      this.at++
    }
    this.open(path, isArray)
    this.context = path
  }

  private open(path: readonly string[], isArray: boolean): void {
    const shown = shownKey(path)
    const parent = this.parentOf(path)
    this.context = path.slice(0, -1)
    const name = path.at(-1)!
    const known = parent.get(name)
    if (isArray) {
      const table: ValueMap = new Map()
      if (known === undefined) parent.set(name, [table])
      else if (Array.isArray(known) && !this.closed.has(known)) known.push(table)
      else {
        this.fail(`Key '${shown}' was already created and cannot be used as an array.`)
      }
      this.table = table
      return
    }
    if (known === undefined) {
      this.table = new Map()
      parent.set(name, this.table)
    } else if (known instanceof Map && this.implicit.delete(known)) this.table = known
    else this.fail(`Key '${shown}' has already been defined.`)
  }

  private tableIn(table: ValueMap, name: string): ValueMap | undefined {
    let next = table.get(name)
    if (next === undefined) {
      next = new Map()
      table.set(name, next)
      this.implicit.add(next)
    }
    if (Array.isArray(next) && !this.closed.has(next)) next = next.at(-1)
    return next instanceof Map && !this.closed.has(next) ? next : undefined
  }

  /** The table that a header lies in. */
  private parentOf(path: readonly string[]): ValueMap {
    let table = this.root
    for (const [i, name] of path.slice(0, -1).entries()) {
      const next = this.tableIn(table, name)
      if (next === undefined) {
        this.fail(`Key '${shownKey(path.slice(0, i + 1))}' was already created as a hash.`)
      }
      table = next
    }
    return table
  }

  /** The table that a dotted key leads to. Parity: the second key that goes through a table defines it. */
  private dotted(from: ValueMap, parents: readonly string[], start: number): ValueMap {
    const outer = this.context
    let table = from
    for (const [i, name] of parents.entries()) {
      const isKnown = table.has(name)
      const next = this.tableIn(table, name)
      if (next === undefined) {
        this.context = [...outer, ...parents.slice(0, i + 1)]
        // the last one matters when the value is put into it
        const isLast = i === parents.length - 1
        if (isLast) {
          this.skip(blanks)
          this.value()
        }
        this.at = start
        this.fail(
          `Key '${shownKey(this.context)}' ${isLast ? 'has already been defined' : 'was already created as a hash'}.`,
        )
      }
      if (isKnown) this.implicit.delete(next)
      table = next
    }
    this.context = [...outer, ...parents]
    return table
  }

  /** The parts of a key and the character that ends them. */
  private keyPath(end: '=' | ']'): string[] {
    const path: string[] = []
    for (;;) {
      this.skip(blanks)
      this.checkPart(end, path.length === 0)
      const char = this.peek()
      if (char === '"' || char === "'") path.push(this.string())
      else path.push(this.take(bareKey) ?? '')
      this.skip(blanks)
      const after = this.peek()
      if (after === '.' || after === end) {
        this.at++
        if (after === end) return path
        continue
      }
      if (end === ']') {
        this.failAfter(`expected '.' or ']' to end table name, but got ${rune(after)} instead`)
      }
      if (after === undefined) this.failAfter("unexpected EOF; expected key separator '='")
      const message = `expected '.' or '=', but got ${rune(after)} instead`
      if (after === '\n') this.fail(message)
      this.failAfter(message)
    }
  }

  /** Fails where a part of a key cannot begin. */
  private checkPart(end: '=' | ']', isFirst: boolean): void {
    const char = this.peek()
    const isEnd = char === undefined || char === end
    if (end === ']') {
      if (isEnd) this.fail('unexpected end of table name (table names cannot be empty)')
      if (char === '.') this.fail('unexpected table separator (table names cannot be empty)')
      return
    }
    if (isEnd) this.fail(`unexpected '='${isFirst ? ': key name appears blank' : ''}`)
    if (char === '.') this.fail(`unexpected '.'${isFirst ? ": keys cannot start with a '.'" : ''}`)
  }

  private pair(table: ValueMap): void {
    const start = this.at
    const path = this.keyPath('=')
    const { context } = this
    const name = path.at(-1)!
    this.currentKey = name
    const parent = this.dotted(table, path.slice(0, -1), start)
    this.skip(blanks)
    const value = this.value()
    const known = parent.get(name)
    const isImplicit = known !== undefined && this.implicit.delete(known)
    // Parity: a value for such a table is dropped, but for a list, which takes its place
    if (isImplicit && !(value instanceof Map)) {
      if (Array.isArray(value)) parent.set(name, value)
      this.context = context
      return
    }
    if (parent.has(name)) {
      this.at = start
      this.fail(`Key '${shownKey([...this.context, name])}' has already been defined.`)
    }
    parent.set(name, value)
    this.context = context
  }

  private value(): Value {
    const char = this.peek()
    if (char === '[') return this.array()
    if (char === '{') return this.inlineTable()
    const value = this.scalar()
    if (value !== undefined) return value
    if (char === undefined) return this.failAfter('unexpected EOF; expected value')
    const message = `expected value but found ${rune(char)} instead`
    return char === '\n' ? this.fail(message) : this.failAfter(message)
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > maxDepth) this.fail('nested too deeply')
    const value = read()
    this.depth--
    return value
  }

  private array(): Value[] {
    return this.nested(() => {
      const items: Value[] = []
      this.at++
      for (;;) {
        this.skip(gaps)
        const first = this.peek()
        if (first === ']') break
        if (first === ',') this.failAfter('unexpected comma')
        items.push(this.value())
        this.skip(gaps)
        const char = this.peek()
        if (char === ',') this.at++
        else if (char !== ']') {
          this.failAfter(
            `expected a comma (',') or array terminator (']'), but got ${runeOrEnd(char)}`,
          )
        }
      }
      this.at++
      this.closed.add(items)
      return items
    })
  }

  private inlineTable(): ValueMap {
    return this.nested(() => {
      const table: ValueMap = new Map()
      const { context, currentKey } = this
      this.context = [...context, currentKey]
      this.currentKey = ''
      this.at++
      this.skip(gaps)
      while (this.peek() !== '}') {
        if (this.peek() === ',') this.failAfter('unexpected comma')
        this.pair(table)
        this.skip(gaps)
        const char = this.peek()
        if (char === ',') {
          this.at++
          this.skip(gaps)
        } else if (char !== '}') {
          this.failAfter(
            `expected a comma or an inline table terminator '}', but got ${runeOrEnd(char)} instead`,
          )
        }
      }
      this.at++
      this.context = context
      this.currentKey = currentKey
      this.closed.add(table)
      return table
    })
  }
}

/** A key as errors write it. */
function shownKey(path: readonly string[]): string {
  return path.map(shownPart).join('.')
}

/** A part of a key as errors write it. */
function shownPart(part: string): string {
  return /^[A-Za-z0-9_-]+$/.test(part) ? part : `"${part}"`
}
