import { isPrint, quoteGo } from '../../text/index.ts'

export type TokenType =
  | 'error'
  | 'eof'
  | 'text'
  | 'leftDelim'
  | 'rightDelim'
  | 'leftParen'
  | 'rightParen'
  | 'pipe'
  | 'assign'
  | 'declare'
  | 'char'
  | 'bool'
  | 'charConstant'
  | 'complex'
  | 'number'
  | 'string'
  | 'rawString'
  | 'identifier'
  | 'field'
  | 'variable'
  | 'keyword'
  | 'dot'
  | 'nil'

/**
 * The tokens of a template by index: what they are, and where they start and end in the text; space between them has
 * none of its own. The token `last` is of type 'eof' or 'error'. Good until the next text is lexed.
 *
 * Because: a template has tens of thousands of tokens, and most texts are lexed once by a program that has just started.
 * Objects for them would cost more than all the rest.
 */
export interface Tokens {
  readonly types: readonly TokenType[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly last: number
  /** What is wrong, where the last token is an error. */
  readonly error: string
}

/** How a token is named in `unexpected X in Y`; an error's text is its message. */
export function describeToken(type: TokenType, text: string): string {
  if (type === 'eof') return 'EOF'
  if (type === 'error') return text
  if (type === 'keyword' || type === 'dot' || type === 'nil') return `<${text}>`
  const chars = [...text]
  if (new TextEncoder().encode(text).length > 10)
    return quoteGo(chars.slice(0, 10).join('')) + '...'
  return quoteGo(text)
}

/** Cuts a template into tokens. */
export function lex(input: string): Tokens {
  return new Lexer(input).run()
}

const words: ReadonlyMap<string, TokenType> = new Map<string, TokenType>([
  ['block', 'keyword'],
  ['break', 'keyword'],
  ['continue', 'keyword'],
  ['define', 'keyword'],
  ['else', 'keyword'],
  ['end', 'keyword'],
  ['if', 'keyword'],
  ['range', 'keyword'],
  ['template', 'keyword'],
  ['with', 'keyword'],
  ['true', 'bool'],
  ['false', 'bool'],
  ['nil', 'nil'],
])

// loops over characters: a program that has just started runs them faster than expressions
const anyWord = /[\p{L}\p{Nd}_]+/uy
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y

const wordClass = 1 // letters, digits, underscores
const spaceClass = 2
const stopClass = 4 // what may follow a word, besides a closing delimiter

/** What an ASCII character is, as a sum of these. */
const classes: Uint8Array = (() => {
  const out = new Uint8Array(128)
  for (let code = 0x30; code <= 0x39; code++) out[code] = wordClass
  for (let code = 0x41; code <= 0x5a; code++) {
    out[code] = wordClass
    out[code + 0x20] = wordClass
  }
  out[0x5f] = wordClass
  for (const char of '.,|:()') out[char.charCodeAt(0)] = stopClass
  for (const char of ' \t\r\n') out[char.charCodeAt(0)] = spaceClass | stopClass
  return out
})()

// the lists are kept from text to text, unless one made them large
const most = 65_536
let types: TokenType[] = []
let starts: number[] = []
let ends: number[] = []

class Lexer implements Tokens {
  readonly types: TokenType[]
  readonly starts: number[]
  readonly ends: number[]
  last = -1
  error = ''
  private readonly input: string
  private pos = 0
  private failed = false

  constructor(input: string) {
    if (types.length > most) {
      types = []
      starts = []
      ends = []
    }
    this.types = types
    this.starts = starts
    this.ends = ends
    this.input = input
  }

  run(): Tokens {
    while (!this.failed && this.pos < this.input.length) this.text()
    if (!this.failed) this.emit('eof', this.pos, this.pos)
    return this
  }

  private emit(type: TokenType, from: number, to: number): void {
    const i = ++this.last
    this.types[i] = type
    this.starts[i] = from
    this.ends[i] = to
  }

  private fail(message: string, at: number): true {
    this.emit('error', at, at)
    this.error = message
    this.failed = true
    return true
  }

  private isSpaceAt(at: number): boolean {
    const code = this.input.charCodeAt(at)
    return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
  }

  /** The offset behind the space at `at`. */
  private pastSpace(at: number): number {
    let end = at
    while (this.isSpaceAt(end)) end++
    return end
  }

  private closesAt(at: number): boolean {
    return this.input.charCodeAt(at) === 0x7d && this.input.charCodeAt(at + 1) === 0x7d
  }

  /** ` -}}` */
  private trimsRight(at: number): boolean {
    return this.input.charCodeAt(at + 1) === 0x2d && this.isSpaceAt(at) && this.closesAt(at + 2)
  }

  /** The offset behind the word of letters, digits and underscores at `at`. */
  private pastWord(at: number): number {
    const { input } = this
    let end = at
    for (;;) {
      const code = input.charCodeAt(end)
      if (code >= 0x80) return at + this.matches(anyWord, at)
      if (classes[code] !== wordClass) return end
      end++
    }
  }

  private matches(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    const found = pattern.exec(this.input)
    return found === null ? 0 : found[0].length
  }

  /** Text up to the next action, then that action. */
  private text(): void {
    const { input, pos } = this
    const open = input.indexOf('{{', pos)
    if (open === -1) {
      this.emit('text', pos, input.length)
      this.pos = input.length
      return
    }
    const trims = input.charCodeAt(open + 2) === 0x2d && this.isSpaceAt(open + 3)
    let end = open
    if (trims) {
      while (end > pos && this.isSpaceAt(end - 1)) end--
    }
    if (end > pos) this.emit('text', pos, end)
    const inner = open + (trims ? 4 : 2)
    this.pos = inner
    if (input.charCodeAt(inner) === 0x2f && input.charCodeAt(inner + 1) === 0x2a) {
      this.comment()
      return
    }
    this.emit('leftDelim', open, open + 2)
    this.action()
  }

  private comment(): void {
    const start = this.pos
    const close = this.input.indexOf('*/', start + 2)
    if (close === -1) {
      this.fail('unclosed comment', start)
      return
    }
    this.pos = close + 2
    if (!this.rightDelim(false)) this.fail('comment ends before closing delimiter', start)
  }

  /** Passes a closing delimiter, and the space after it when it trims; false when there is none. */
  private rightDelim(emit: boolean): boolean {
    const at = this.pos
    if (this.closesAt(at)) {
      if (emit) this.emit('rightDelim', at, at + 2)
      this.pos = at + 2
      return true
    }
    if (!this.trimsRight(at)) return false
    if (emit) this.emit('rightDelim', at + 2, at + 4)
    this.pos = this.pastSpace(at + 4)
    return true
  }

  /** The tokens up to the closing delimiter. What most of them are made of is done here, without a call for each. */
  private action(): void {
    const { input, types, starts, ends } = this
    const size = input.length
    let depth = 0
    let { pos: at, last } = this
    for (;;) {
      const code = at < size ? input.charCodeAt(at) : -1
      if (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d) {
        if (input.charCodeAt(at + 1) !== 0x2d || !this.closesAt(at + 2)) {
          at++
          continue
        }
        // a closing delimiter that trims
      } else if (code === 0x2e || code === 0x24) {
        const next = at + 1 < size ? input.charCodeAt(at + 1) : -1
        if (
          next >= 0 &&
          next < 0x80 &&
          classes[next] === wordClass &&
          (next > 0x39 || code === 0x24)
        ) {
          let end = at + 2
          while (classes[input.charCodeAt(end)] === wordClass) end++
          if ((classes[input.charCodeAt(end)]! & stopClass) !== 0 || this.terminated(end)) {
            last++
            types[last] = code === 0x2e ? 'field' : 'variable'
            starts[last] = at
            ends[last] = end
            at = end
            continue
          }
        }
      } else if (code >= 0x41 && classes[code] === wordClass) {
        let end = at + 1
        while (classes[input.charCodeAt(end)] === wordClass) end++
        if ((classes[input.charCodeAt(end)]! & stopClass) !== 0 || this.terminated(end)) {
          // no reserved word is longer
          const type = end - at > 8 ? undefined : words.get(input.slice(at, end))
          last++
          types[last] = type ?? 'identifier'
          starts[last] = at
          ends[last] = end
          at = end
          continue
        }
      }
      this.pos = at
      this.last = last
      if (code === 0x28) depth++
      else if (code === 0x29) depth--
      if (this.special(code, depth)) return
      at = this.pos
      last = this.last
    }
  }

  /** Any other token at `pos`; true where the action ends, or the template is wrong. */
  private special(code: number, depth: number): boolean {
    const { input, pos: at } = this
    switch (code) {
      case -1:
        return this.fail('unclosed action', at)
      case 0x7d: // }
      case 0x20:
      case 0x09:
      case 0x0d:
      case 0x0a: {
        if (depth === 0) return this.rightDelim(true) || this.other(code, at)
        if (code !== 0x7d || this.closesAt(at)) return this.fail('unclosed left paren', at)
        return this.other(code, at)
      }
      case 0x3d: // =
        return this.single('assign')
      case 0x3a: // :
        if (input.charCodeAt(at + 1) !== 0x3d) return this.fail('expected :=', at)
        return this.token('declare', at, at + 2)
      case 0x7c: // |
        return this.single('pipe')
      case 0x22: // "
        return this.quoted(code, 'string', 'unterminated quoted string')
      case 0x27: // '
        return this.quoted(code, 'charConstant', 'unterminated character constant')
      case 0x60: // `
        return this.rawString()
      case 0x24: // $
        return this.name('variable', at + 1)
      case 0x28: // (
        return this.single('leftParen')
      case 0x29: // )
        return depth < 0 ? this.fail('unexpected right paren', at) : this.single('rightParen')
      default:
        return this.other(code, at)
    }
  }

  private single(type: TokenType): false {
    return this.token(type, this.pos, this.pos + 1)
  }

  private token(type: TokenType, from: number, to: number): false {
    this.emit(type, from, to)
    this.pos = to
    return false
  }

  private other(code: number, at: number): boolean {
    const { input } = this
    if (code === 0x2e) {
      const next = input.charCodeAt(at + 1)
      const isName = at + 1 < input.length && (next < 0x30 || next > 0x39)
      return isName ? this.name('field', at + 1) : this.number(at)
    }
    if (code === 0x2b || code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number(at)
    const end = this.pastWord(at)
    if (end > at) {
      // reserved words do not come here
      return this.checkEnd(at, end) ? this.token('identifier', at, end) : true
    }
    const whole = String.fromCodePoint(input.codePointAt(at)!)
    if (code <= 0x7f && isPrint(whole)) return this.single('char')
    return this.fail(`unrecognized character in action: ${describeRune(whole)}`, at)
  }

  private terminated(at: number): boolean {
    if (at >= this.input.length) return true
    const code = this.input.charCodeAt(at)
    return (code < 0x80 && (classes[code]! & stopClass) !== 0) || this.closesAt(at)
  }

  private checkEnd(from: number, to: number): boolean {
    if (this.terminated(to)) return true
    this.fail(
      `bad character ${describeRune(String.fromCodePoint(this.input.codePointAt(to)!))}`,
      from,
    )
    return false
  }

  /** A field or variable whose dot or dollar sign is before `from`. */
  private name(type: 'field' | 'variable', from: number): boolean {
    const start = from - 1
    if (this.terminated(from)) return this.token(type === 'field' ? 'dot' : type, start, from)
    const end = this.pastWord(from)
    return this.checkEnd(start, end) ? this.token(type, start, end) : true
  }

  private quoted(quote: number, type: TokenType, message: string): boolean {
    const { input } = this
    const start = this.pos
    for (let i = start + 1; i < input.length; i++) {
      const code = input.charCodeAt(i)
      if (code === quote) return this.token(type, start, i + 1)
      if (code === 0x0a) break
      if (code === 0x5c) {
        i++
        if (i >= input.length || input.charCodeAt(i) === 0x0a) break
      }
    }
    return this.fail(message, start)
  }

  private rawString(): boolean {
    const end = this.input.indexOf('`', this.pos + 1)
    if (end === -1) return this.fail('unterminated raw quoted string', this.pos)
    return this.token('rawString', this.pos, end + 1)
  }

  private number(start: number): boolean {
    let end = this.scanNumber(start)
    let good = end >= 0
    let type: TokenType = 'number'
    if (good && (this.input[end] === '+' || this.input[end] === '-')) {
      type = 'complex'
      end = this.scanNumber(end)
      good = end >= 0 && this.input[end - 1] === 'i'
    }
    if (good) return this.token(type, start, end)
    const text = this.input.slice(start, Math.abs(end))
    return this.fail(`bad number syntax: ${quoteGo(text)}`, start)
  }

  /** End of the number; negated, and one character further, when a letter or digit follows. */
  private scanNumber(start: number): number {
    const end = this.pastNumber(start)
    if (this.pastWord(end) === end) return end
    return -(end + String.fromCodePoint(this.input.codePointAt(end)!).length)
  }

  private pastNumber(start: number): number {
    const { input } = this
    let end = start
    while (input.charCodeAt(end) >= 0x30 && input.charCodeAt(end) <= 0x39) end++
    const next = input.charCodeAt(end)
    const isPlain = end > start && next < 0x80 && (classes[next]! & (spaceClass | stopClass)) !== 0
    // a sign, a base, a point or an exponent takes the expression
    return isPlain && next !== 0x2e ? end : start + this.matches(number, start)
  }
}

/** `%#U`. */
function describeRune(char: string): string {
  const point = char.codePointAt(0)!
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return isPrint(char) ? `${code} '${char}'` : code
}
