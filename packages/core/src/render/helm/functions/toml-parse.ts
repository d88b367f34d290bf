import {
  FunctionFailure,
  int64,
  type Value,
  type ValueMap,
} from '../../../lang/gotemplate/index.ts'
import {
  fixedZone,
  parseGoInt,
  parseGoTime,
  quoteGo,
  quoteRune,
  TimeIssue,
  utc,
  type Zone,
} from '../../../text/index.ts'
import { TimeValue } from './time-value.ts'

const maxDepth = 200

/**
 * Reads a TOML 1.0 document into maps: integers are int64, times are time.Time.
 *
 * Throws a FunctionFailure `toml: line N (last key "K"): MESSAGE`; the messages are BurntSushi/toml's where a reader
 * of ours meets the same place.
 */
export function parseToml(text: string): ValueMap {
  return new Parser(text.replace(/^\ufeff/, '')).document()
}

const bareKey = /[A-Za-z0-9_-]+/y
const letters = /\p{L}+/uy
const blanks = /[ \t]*/y
const gaps = /(?:[ \t\r\n]|#[^\n]*)*/y
const dateTime =
  /\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/y
const numeric =
  /[+-]?(?:0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|inf|nan|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]+)?)/y

/** Control characters, and bytes that are no UTF-8. */
const forbidden = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f\udc80-\udcff]/u

function forbiddenText(char: string | undefined): string | undefined {
  if (char === undefined || !forbidden.test(char)) return undefined
  const code = char.charCodeAt(0)
  const hex = (code > 0xff ? code - 0xdc00 : code).toString(16).padStart(2, '0')
  return code > 0xff
    ? `invalid UTF-8 byte: 0x${hex}`
    : `TOML files cannot contain control characters: '0x${hex}'`
}

class Parser {
  private readonly text: string
  private at = 0
  private readonly root: ValueMap = new Map()
  private table: ValueMap = this.root
  /** The table or inline table that keys belong to, and the key whose value is being read; errors name both. */
  private context: readonly string[] = []
  private currentKey = ''
  private depth = 0
  /** Tables that a header or inline value has closed for further definition. */
  private readonly defined = new Set<Value>()
  private readonly closed = new Set<Value>()

  constructor(text: string) {
    this.text = text
  }

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

  private fail(message: string): never {
    const line = this.text.slice(0, this.at).split('\n').length
    const path = this.context.map(shownPart)
    if (this.currentKey !== '') path.push(this.currentKey)
    const key = path.length === 0 ? '' : ` (last key ${quoteGo(path.join('.'))})`
    const reason = forbiddenText(this.text[this.at]) ?? message
    throw new FunctionFailure(`toml: line ${line}${key}: ${reason}`)
  }

  /** Fails where a text has something between two offsets that may not stand anywhere in a document. */
  private checkCharacters(from: number, to: number): void {
    const at = this.text.slice(from, to).search(forbidden)
    if (at === -1) return
    this.at = from + at
    this.fail('')
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at
    const end = this.at + pattern.exec(this.text)![0].length
    this.checkCharacters(this.at, end)
    this.at = end
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at += match[0].length
    return match[0]
  }

  private endOfLine(): void {
    this.skip(blanks)
    if (this.text[this.at] === '#') this.skip(/[^\n]*/y)
    if (this.text[this.at] === '\r' && this.text[this.at + 1] === '\n') this.at++
    const char = this.text[this.at]
    if (char === undefined) return
    if (char !== '\n') {
      this.fail(
        `expected a top-level item to end with a newline, comment, or EOF, but got ${rune(char)} instead`,
      )
    }
    this.at++
  }

  private header(): void {
    const isArray = this.text.startsWith('[[', this.at)
    this.at += isArray ? 2 : 1
    this.skip(blanks)
    const first = this.text[this.at]
    if (first === ']' || first === undefined) {
      this.fail('unexpected end of table name (table names cannot be empty)')
    }
    const path = this.keyPath(']')
    if (!this.text.startsWith(isArray ? ']]' : ']', this.at)) {
      const close = this.text.startsWith(']', this.at)
      if (close) this.at++
      const wanted = close
        ? "expected end of table array name delimiter ']'"
        : "expected '.' or ']' to end table name"
      const got = rune(this.text[this.at])
      this.at++ // it is read already, which tells when it is a line break
      this.fail(`${wanted}, but got ${got} instead`)
    }
    this.at += isArray ? 2 : 1
    this.context = path.slice(0, -1)
    this.open(path, isArray)
    this.context = path
  }

  private open(path: readonly string[], isArray: boolean): void {
    const shown = path.map(shownPart).join('.')
    const parent = this.descend(this.root, path.slice(0, -1), 'was already created as a hash')
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
    } else if (known instanceof Map && !this.defined.has(known) && !this.closed.has(known)) {
      this.table = known
    } else this.fail(`Key '${shown}' has already been defined.`)
    this.defined.add(this.table)
  }

  private descend(from: ValueMap, path: readonly string[], problem: string): ValueMap {
    let table = from
    for (const name of path) {
      let next = table.get(name)
      if (next === undefined) {
        next = new Map()
        table.set(name, next)
      }
      if (Array.isArray(next) && !this.closed.has(next)) next = next.at(-1)
      if (!(next instanceof Map) || this.closed.has(next)) {
        this.fail(`Key '${path.join('.')}' ${problem}.`)
      }
      table = next
    }
    return table
  }

  private keyPath(end: string): string[] {
    const path: string[] = []
    for (;;) {
      this.skip(blanks)
      const char = this.text[this.at]
      if (path.length > 0 && end === '=' && (char === '=' || char === undefined)) {
        this.fail("unexpected '='")
      }
      path.push(this.key(end))
      this.skip(blanks)
      if (this.text[this.at] !== '.') return path
      this.at++
    }
  }

  private key(end: string): string {
    const char = this.text[this.at]
    const wanted = end === ']' ? "'.' or ']' to end table name" : "'.' or '='"
    if (char === '"' || char === "'") {
      if (!this.text.startsWith(char.repeat(3), this.at)) return this.string()
      return this.fail(`expected ${wanted}, but got ${rune(char)} instead`)
    }
    const bare = this.take(bareKey)
    if (bare !== undefined) return bare
    if (char === '=' && end === '=') {
      return this.fail("unexpected '=': key name appears blank")
    }
    if (char === '.') {
      return this.fail(
        end === ']'
          ? 'unexpected table separator (table names cannot be empty)'
          : "unexpected '.': keys cannot start with a '.'",
      )
    }
    if (char === undefined) return this.fail("unexpected EOF; expected key separator '='")
    return this.fail(`expected ${wanted}, but got ${rune(char)} instead`)
  }

  private pair(table: ValueMap): void {
    const path = this.keyPath('=')
    const char = this.text[this.at]
    if (char === undefined) this.fail("unexpected EOF; expected key separator '='")
    if (char !== '=') this.fail(`expected '.' or '=', but got ${rune(char)} instead`)
    this.at++
    const { context } = this
    this.context = [...context, ...path.slice(0, -1)]
    this.currentKey = path.at(-1)!
    const parent = this.descend(table, path.slice(0, -1), 'has already been defined')
    const name = path.at(-1)!
    this.skip(blanks)
    const value = this.value()
    if (parent.has(name)) {
      const full = [...this.context, name].map(shownPart).join('.')
      this.fail(`Key '${full}' has already been defined.`)
    }
    parent.set(name, value)
    this.context = context
  }

  private value(): Value {
    const char = this.text[this.at]
    if (char === undefined) return this.fail('unexpected EOF; expected value')
    if (char === '"' || char === "'") {
      const triple = char.repeat(3)
      return this.text.startsWith(triple, this.at) ? this.multiline(triple) : this.string()
    }
    if (char === '[') return this.array()
    if (char === '{') return this.inlineTable()
    if (!/inf|nan/y.test(this.text.slice(this.at, this.at + 3))) {
      const word = this.take(letters)
      if (word !== undefined) {
        if (word === 'true' || word === 'false') return word === 'true'
        return this.fail(`expected value but found ${quoteGo(word)} instead`)
      }
    }
    const date = this.take(dateTime)
    if (date !== undefined) return this.date(date)
    if (char === '.') return this.fail("floats must start with a digit, not '.'")
    const number = this.take(numeric)
    if (number !== undefined) return this.number(number)
    return this.fail(`expected value but found ${rune(char)} instead`)
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
        if (this.text[this.at] === ']') break
        if (this.text[this.at] === ',') this.fail('unexpected comma')
        items.push(this.value())
        this.skip(gaps)
        const char = this.text[this.at]
        if (char === ',') this.at++
        else if (char !== ']') {
          this.fail(
            `expected a comma (',') or array terminator (']'), but got ${char === undefined ? 'end of file' : rune(char)}`,
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
      while (this.text[this.at] !== '}') {
        if (this.text[this.at] === ',') this.fail('unexpected comma')
        this.pair(table)
        this.skip(gaps)
        const char = this.text[this.at]
        if (char === ',') {
          this.at++
          this.skip(gaps)
        } else if (char !== '}') {
          this.fail(
            `expected a comma or an inline table terminator '}', but got ${char === undefined ? 'end of file' : rune(char)} instead`,
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

  private string(): string {
    const quote = this.text[this.at]!
    const end = quote === "'" ? this.text.indexOf("'", this.at + 1) : this.basicEnd()
    const line = this.text.indexOf('\n', this.at)
    if (end === -1) this.fail(`unexpected EOF; expected ${quote === "'" ? `"'"` : `'"'`}`)
    if (line !== -1 && line < end) this.fail('strings cannot contain newlines')
    this.checkCharacters(this.at, end)
    const body = this.text.slice(this.at + 1, end)
    this.at = end + 1
    return quote === "'" ? body : this.unescape(body)
  }

  private basicEnd(): number {
    for (let i = this.at + 1; i < this.text.length; i++) {
      if (this.text[i] === '\\') i++
      else if (this.text[i] === '"') return i
    }
    return -1
  }

  private multiline(triple: string): string {
    let end = this.at + 3
    for (;;) {
      if (end >= this.text.length) this.fail(`unexpected EOF; expected '${triple}'`)
      if (triple === '"""' && this.text[end] === '\\') end += 2
      else if (this.text.startsWith(triple, end)) break
      else end++
    }
    // up to two more quotes belong to the text
    while (this.text[end + 3] === triple[0]) end++
    this.checkCharacters(this.at, end)
    const body = this.text.slice(this.at + 3, end).replace(/^\r?\n/, '')
    this.at = end + 3
    if (triple === "'''") return body
    return this.unescape(body.replace(/\\[ \t]*\r?\n[ \t\r\n]*/g, ''))
  }

  private unescape(body: string): string {
    const simple: { readonly [letter: string]: string } = {
      b: '\b',
      t: '\t',
      n: '\n',
      f: '\f',
      r: '\r',
      e: '\u001b',
      '"': '"',
      '\\': '\\',
    }
    return body.replace(
      /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.?))/gs,
      (_, four?: string, eight?: string, two?: string, letter?: string) => {
        const hex = four ?? eight ?? two
        if (hex !== undefined) {
          const point = Number.parseInt(hex, 16)
          if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
            this.fail(`Escaped character '\\u${hex}' is not valid UTF-8.`)
          }
          return String.fromCodePoint(point)
        }
        const known = Object.hasOwn(simple, letter!) ? simple[letter!] : undefined
        return known ?? this.fail(`invalid escape in string '\\${letter}'`)
      },
    )
  }

  private number(text: string): Value {
    if (/_$|__|^[+-]?_|_[.eE]|[.eE]_/.test(text)) {
      const kind = /[.eE]/.test(text) && !text.startsWith('0x') ? 'float' : 'integer'
      this.fail(`Invalid ${kind} ${quoteGo(text)}: underscores must be surrounded by digits`)
    }
    const clean = text.replaceAll('_', '')
    if (/inf$/.test(clean)) {
      return clean.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    }
    if (/nan$/.test(clean)) return Number.NaN
    if (/^[+-]?0[0-9]/.test(clean)) {
      const kind = /[.eE]/.test(clean) ? 'float' : 'integer'
      this.fail(`Invalid ${kind} ${quoteGo(text)}: cannot have leading zeroes`)
    }
    if (!/^0[xob]/.test(clean) && /[.eE]/.test(clean)) {
      if (/\.(?![0-9])/.test(clean)) {
        this.fail(`Invalid float ${quoteGo(text)}: '.' must be followed by one or more digits`)
      }
      return Number(clean)
    }
    const value = parseGoInt(clean, 0)
    if (typeof value !== 'bigint') return this.fail(`${clean} is out of range for int64`)
    return int64(value)
  }

  private date(text: string): Value {
    const local = (name: string): Zone => ({ ...fixedZone(name, 0), name })
    const clean = text.replace(/^(\d{4}-\d{2}-\d{2})[Tt ]/, '$1T').replace(/z$/, 'Z')
    const layouts: readonly (readonly [string, Zone])[] = [
      ['2006-01-02T15:04:05.999999999Z07:00', utc],
      ['2006-01-02T15:04:05.999999999', local('datetime-local')],
      ['2006-01-02', local('date-local')],
      ['15:04:05.999999999', local('time-local')],
      ['2006-01-02T15:04Z07:00', utc],
      ['2006-01-02T15:04', local('datetime-local')],
      ['15:04', local('time-local')],
    ]
    for (const [layout, zone] of layouts) {
      const time = parseGoTime(layout, clean, zone)
      if (!(time instanceof TimeIssue)) return new TimeValue(time)
    }
    return this.fail(`invalid datetime: ${quoteGo(text)}`)
  }
}

/** A part of a key as errors write it. */
function shownPart(part: string): string {
  return /^[A-Za-z0-9_-]+$/.test(part) ? part : `"${part}"`
}

/** `%q` of a rune; the end of the text is a zero. */
function rune(char: string | undefined): string {
  if (char === undefined) return "'\\x00'"
  return quoteRune(char)
}
