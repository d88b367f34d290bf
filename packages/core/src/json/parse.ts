import { defineKey } from './clone.ts'
import type { Json } from './value.ts'

/** What is wrong with a JSON text, and where: `offset` counts UTF-16 units from 0. */
export interface JsonIssue {
  readonly message: string
  readonly offset: number
}

const sixteenDigits = /\d{16}/

/**
 * Reads one JSON value. Integers beyond the safe range come back as `bigint`; a duplicate key keeps the last value.
 *
 * Errors: calls `fail` with the issue; it must throw. The text of the message is Go's where Go's is known.
 */
export function parseJson(text: string, fail: (issue: JsonIssue) => never = throwSyntax): Json {
  if (!sixteenDigits.test(text)) {
    try {
      return JSON.parse(text) as Json
    } catch {
      // the slow path below finds the place and the words
    }
  }
  return new Parser(text, fail).document()
}

/**
 * The first JSON value at or after `offset`, and where it ends; undefined when only white space is left. What follows
 * the value is not looked at, as with Go's json.Decoder.
 */
export function parseJsonAt(
  text: string,
  offset: number,
  fail: (issue: JsonIssue) => never = throwSyntax,
): { readonly value: Json; readonly end: number } | undefined {
  return new Parser(text, fail, offset).next()
}

function throwSyntax(issue: JsonIssue): never {
  throw new SyntaxError(issue.message)
}

const maxDepth = 10_000 // Go 1.26 encoding/json/scanner.go maxNestingDepth

/** As strconv.Quote writes them, but for the quotes. */
const asciiEscapes = new Map([
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])

function shownAscii(char: string): string {
  const code = char.charCodeAt(0)
  return code < 0x20 || code === 0x7f ? '\\x' + code.toString(16).padStart(2, '0') : char
}

class Parser {
  private position = 0
  private depth = 0
  private whole = false
  private readonly text: string
  private readonly fail: (issue: JsonIssue) => never

  constructor(text: string, fail: (issue: JsonIssue) => never, position = 0) {
    this.text = text
    this.fail = fail
    this.position = position
  }

  next(): { readonly value: Json; readonly end: number } | undefined {
    this.space()
    if (this.position >= this.text.length) return undefined
    const value = this.topValue()
    return { value, end: this.position }
  }

  document(): Json {
    this.whole = true
    const value = this.topValue()
    this.space()
    if (this.position < this.text.length) this.unexpected('after top-level value')
    return value
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.position++
    }
  }

  /**
   * Fails at the current position. `partial` is set inside a token that needs more: at the end of a whole text Go's
   * scanner then complains about the space that it appends.
   */
  private unexpected(where: string, partial = false): never {
    const offset = this.position
    if (offset >= this.text.length) {
      const message =
        partial && this.whole ? `invalid character ' ' ${where}` : 'unexpected end of JSON input'
      return this.fail({ message, offset })
    }
    return this.fail({ message: `invalid character ${this.shown(offset)} ${where}`, offset })
  }

  /** Go looks at bytes: of a character beyond ASCII it shows the first one. */
  private shown(offset: number): string {
    const char = String.fromCodePoint(this.text.codePointAt(offset)!)
    if (char === "'") return `'\\''`
    const code = char.charCodeAt(0)
    // a byte that is no UTF-8, as text/go-string keeps it
    if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff) {
      return `'${String.fromCharCode(code - 0xdc00)}'`
    }
    if (char <= '\u007f') return `'${asciiEscapes.get(char) ?? shownAscii(char)}'`
    const [byte] = new TextEncoder().encode(char)
    return `'${String.fromCharCode(byte!)}'`
  }

  private topValue(): Json {
    try {
      return this.value()
    } catch (error) {
      // a caller that is deep itself may leave less stack than the greatest depth takes
      if (!(error instanceof RangeError)) throw error
      return this.tooDeep()
    }
  }

  private tooDeep(): never {
    return this.fail({ message: 'exceeded max depth', offset: this.position })
  }

  private value(): Json {
    this.space()
    const char = this.text[this.position]
    switch (char) {
      case '{':
        return this.object()
      case '[':
        return this.array()
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private enter(): void {
    if (++this.depth > maxDepth) this.tooDeep()
  }

  private object(): Json {
    this.enter()
    this.position++
    const object: { [key: string]: Json } = {}
    this.space()
    if (this.text[this.position] === '}') {
      this.position++
      this.depth--
      return object
    }
    for (;;) {
      this.space()
      if (this.text[this.position] !== '"') {
        this.unexpected('looking for beginning of object key string')
      }
      const key = this.string()
      this.space()
      if (this.text[this.position] !== ':') this.unexpected('after object key')
      this.position++
      defineKey(object, key, this.value())
      this.space()
      const next = this.text[this.position]
      if (next === ',') this.position++
      else if (next === '}') {
        this.position++
        this.depth--
        return object
      } else this.unexpected('after object key:value pair')
    }
  }

  private array(): Json {
    this.enter()
    this.position++
    const items: Json[] = []
    this.space()
    if (this.text[this.position] === ']') {
      this.position++
      this.depth--
      return items
    }
    for (;;) {
      items.push(this.value())
      this.space()
      const next = this.text[this.position]
      if (next === ',') this.position++
      else if (next === ']') {
        this.position++
        this.depth--
        return items
      } else this.unexpected('after array element')
    }
  }

  private string(): string {
    const start = this.position
    let end = start + 1
    for (;;) {
      const code = this.text.charCodeAt(end)
      if (Number.isNaN(code)) {
        this.position = this.text.length
        this.unexpected('in string literal')
      }
      if (code === 0x22) break
      if (code < 0x20) {
        this.position = end
        this.fail({
          message: `invalid character ${this.shown(end)} in string literal`,
          offset: end,
        })
      }
      if (code === 0x5c) {
        const escaped = this.text[end + 1]
        if (escaped === 'u') {
          for (let i = 2; i < 6; i++) {
            if (!/[0-9a-fA-F]/.test(this.text[end + i] ?? '')) {
              this.position = end + i
              this.unexpected('in \\u hexadecimal character escape', true)
            }
          }
          end += 4
        } else if (escaped === undefined || !'"\\/bfnrt'.includes(escaped)) {
          this.position = end + 1
          this.unexpected('in string escape code', true)
        }
        end++
      }
      end++
    }
    this.position = end + 1
    return JSON.parse(this.text.slice(start, end + 1)) as string
  }

  private word<T extends Json>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      if (this.text[this.position + i] !== word[i]) {
        this.position += i
        this.unexpected(`in literal ${word} (expecting '${word[i]}')`, true)
      }
    }
    this.position += word.length
    return value
  }

  private number(): Json {
    const match = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
    match.lastIndex = this.position
    const found = match.exec(this.text)
    if (!found) {
      if (this.text[this.position] === '-') {
        this.position++
        this.unexpected('in numeric literal', true)
      }
      this.unexpected('looking for beginning of value')
    }
    this.position += found[0].length
    this.endOfNumber(found[1] !== undefined, found[2] !== undefined)
    const value = Number(found[0])
    if (found[1] === undefined && found[2] === undefined && !Number.isSafeInteger(value)) {
      const exact = BigInt(found[0])
      // Go's unstructured decoder keeps int64 and turns anything larger into float64.
      if (exact >= -(2n ** 63n) && exact < 2n ** 63n) return exact
    }
    return value
  }

  /** Fails where a point or an exponent was begun. */
  private endOfNumber(fraction: boolean, exponent: boolean): void {
    const next = this.text[this.position]
    if (next === '.' && !fraction && !exponent) {
      this.position++
      this.unexpected('after decimal point in numeric literal', true)
    }
    if ((next === 'e' || next === 'E') && !exponent) {
      const sign = this.text[this.position + 1]
      this.position += sign === '+' || sign === '-' ? 2 : 1
      this.unexpected('in exponent of numeric literal', true)
    }
  }
}
