import { isPrint, quoteGo } from '../../text/index.ts'

export type TokenType =
  | 'error'
  | 'eof'
  | 'text'
  | 'leftDelim'
  | 'rightDelim'
  | 'space'
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

export interface Token {
  readonly type: TokenType
  readonly pos: number
  readonly text: string
  /** Line at the start of the token, counted from 1. */
  readonly line: number
}

const keywords = new Set([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
])

// Most templates are lexed once by a program that has just started, where loops over characters beat expressions.
const anyWord = /[\p{L}\p{Nd}_]+/uy
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y

/** How a token is named in `unexpected X in Y`. */
export function describeToken(token: Token): string {
  if (token.type === 'eof') return 'EOF'
  if (token.type === 'error') return token.text
  if (token.type === 'keyword' || token.type === 'dot' || token.type === 'nil') {
    return `<${token.text}>`
  }
  const chars = [...token.text]
  if (new TextEncoder().encode(token.text).length > 10)
    return quoteGo(chars.slice(0, 10).join('')) + '...'
  return quoteGo(token.text)
}

/** Cuts a template into tokens; an error ends the list as a token of type 'error', as does the end. */
export function lex(input: string): readonly Token[] {
  return new Lexer(input).run()
}

class Lexer {
  private readonly input: string
  private readonly tokens: Token[] = []
  private pos = 0
  private line = 1
  /** The first line break that has not been counted. */
  private nextBreak: number
  private failed = false

  constructor(input: string) {
    this.input = input
    this.nextBreak = input.indexOf('\n')
  }

  run(): readonly Token[] {
    while (!this.failed && this.pos < this.input.length) this.text()
    if (!this.failed) this.emit('eof', this.pos, this.pos)
    return this.tokens
  }

  private lineAt(offset: number): number {
    while (this.nextBreak !== -1 && this.nextBreak < offset) {
      this.line++
      this.nextBreak = this.input.indexOf('\n', this.nextBreak + 1)
    }
    return this.line
  }

  private emit(type: TokenType, from: number, to: number): void {
    this.tokens.push({ type, pos: from, text: this.input.slice(from, to), line: this.lineAt(from) })
  }

  private fail(message: string, at: number): void {
    this.tokens.push({ type: 'error', pos: at, text: message, line: this.lineAt(at) })
    this.failed = true
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

  /** ` -}}` */
  private trimsRight(at: number): boolean {
    return (
      this.input.charCodeAt(at + 1) === 0x2d &&
      this.isSpaceAt(at) &&
      this.input.startsWith('}}', at + 2)
    )
  }

  /** How many characters of a word of letters, digits and underscores there are. */
  private wordLength(at: number): number {
    let end = at
    for (;;) {
      const code = this.input.charCodeAt(end)
      if (code >= 0x80) return this.matches(anyWord, at)
      const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
      if (!isLetter && !(code >= 0x30 && code <= 0x39) && code !== 0x5f) return end - at
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
    const open = this.input.indexOf('{{', this.pos)
    if (open === -1) {
      this.emit('text', this.pos, this.input.length)
      this.pos = this.input.length
      return
    }
    const trim = this.input.charCodeAt(open + 2) === 0x2d && this.isSpaceAt(open + 3)
    let end = open
    if (trim) {
      while (end > this.pos && this.isSpaceAt(end - 1)) end--
    }
    if (end > this.pos) this.emit('text', this.pos, end)
    this.pos = open + 2 + (trim ? 2 : 0)
    if (this.input.startsWith('/*', this.pos)) {
      this.comment()
      return
    }
    this.tokens.push({ type: 'leftDelim', pos: open, text: '{{', line: this.lineAt(open) })
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
    const trim = this.trimsRight(this.pos)
    if (!trim && !this.input.startsWith('}}', this.pos)) return false
    const start = this.pos + (trim ? 2 : 0)
    if (emit) this.emit('rightDelim', start, start + 2)
    this.pos = start + 2
    if (trim) this.pos = this.pastSpace(this.pos)
    return true
  }

  private action(): void {
    let depth = 0
    while (!this.failed) {
      const at = this.pos
      if (depth === 0) {
        if (this.rightDelim(true)) return
      } else if (this.input.startsWith('}}', at) || this.trimsRight(at)) {
        this.fail('unclosed left paren', at)
        return
      }
      const char = this.input[at]
      switch (char) {
        case undefined:
          this.fail('unclosed action', at)
          return
        case ' ':
        case '\t':
        case '\r':
        case '\n':
          this.space()
          break
        case '=':
          this.single('assign')
          break
        case ':':
          if (this.input[at + 1] === '=') {
            this.emit('declare', at, at + 2)
            this.pos = at + 2
          } else this.fail('expected :=', at)
          break
        case '|':
          this.single('pipe')
          break
        case '"':
          this.quoted('"', 'string', 'unterminated quoted string')
          break
        case "'":
          this.quoted("'", 'charConstant', 'unterminated character constant')
          break
        case '`':
          this.rawString()
          break
        case '$':
          this.name('variable', at + 1)
          break
        case '(':
          depth++
          this.single('leftParen')
          break
        case ')':
          if (--depth < 0) this.fail('unexpected right paren', at)
          else this.single('rightParen')
          break
        default:
          this.other(char, at)
      }
    }
  }

  private single(type: TokenType): void {
    this.emit(type, this.pos, this.pos + 1)
    this.pos++
  }

  /** A run of space, without the one space that belongs to a trimming delimiter. */
  private space(): void {
    const at = this.pos
    const end = this.pastSpace(at)
    if (this.trimsRight(end - 1)) {
      this.pos = end - 1
      if (this.pos > at) this.emit('space', at, this.pos)
      return
    }
    this.emit('space', at, end)
    this.pos = end
  }

  private other(char: string, at: number): void {
    if (char === '.') {
      const next = this.input[at + 1]
      if (next !== undefined && (next < '0' || next > '9')) {
        this.name('field', at + 1)
        return
      }
      this.number(at)
      return
    }
    if (char === '+' || char === '-' || (char >= '0' && char <= '9')) {
      this.number(at)
      return
    }
    const size = this.wordLength(at)
    if (size > 0) {
      this.identifier(at, at + size)
      return
    }
    const whole = String.fromCodePoint(this.input.codePointAt(at)!)
    if (whole.charCodeAt(0) <= 0x7f && isPrint(whole)) this.single('char')
    else this.fail(`unrecognized character in action: ${describeRune(whole)}`, at)
  }

  private terminated(at: number): boolean {
    const char = this.input[at]
    return char === undefined || ' \t\r\n.,|:()'.includes(char) || this.input.startsWith('}}', at)
  }

  private identifier(from: number, to: number): void {
    if (!this.checkEnd(from, to)) return
    const text = this.input.slice(from, to)
    const type: TokenType =
      text === 'nil'
        ? 'nil'
        : keywords.has(text)
          ? 'keyword'
          : text === 'true' || text === 'false'
            ? 'bool'
            : 'identifier'
    this.emit(type, from, to)
    this.pos = to
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
  private name(type: 'field' | 'variable', from: number): void {
    const start = from - 1
    if (this.terminated(from)) {
      this.emit(type === 'field' ? 'dot' : type, start, from)
      this.pos = from
      return
    }
    const end = from + this.wordLength(from)
    if (!this.checkEnd(start, end)) return
    this.emit(type, start, end)
    this.pos = end
  }

  private quoted(quote: string, type: TokenType, message: string): void {
    const start = this.pos
    let i = start + 1
    for (;;) {
      const char = this.input[i]
      if (char === '\\') {
        const next = this.input[i + 1]
        if (next === undefined || next === '\n') break
        i += 2
        continue
      }
      if (char === undefined || char === '\n') break
      i++
      if (char === quote) {
        this.emit(type, start, i)
        this.pos = i
        return
      }
    }
    this.fail(message, start)
  }

  private rawString(): void {
    const end = this.input.indexOf('`', this.pos + 1)
    if (end === -1) {
      this.fail('unterminated raw quoted string', this.pos)
      return
    }
    this.emit('rawString', this.pos, end + 1)
    this.pos = end + 1
  }

  private number(start: number): void {
    let end = this.scanNumber(start)
    let good = end >= 0
    let type: TokenType = 'number'
    if (good && (this.input[end] === '+' || this.input[end] === '-')) {
      type = 'complex'
      end = this.scanNumber(end)
      good = end >= 0 && this.input[end - 1] === 'i'
    }
    if (!good) {
      this.fail(`bad number syntax: ${quoteGo(this.input.slice(start, Math.abs(end)))}`, start)
      return
    }
    this.emit(type, start, end)
    this.pos = end
  }

  /** End of the number; negated, and one character further, when a letter or digit follows. */
  private scanNumber(start: number): number {
    const end = start + this.matches(number, start)
    if (this.wordLength(end) === 0) return end
    return -(end + String.fromCodePoint(this.input.codePointAt(end)!).length)
  }
}

/** `%#U`. */
function describeRune(char: string): string {
  const point = char.codePointAt(0)!
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return isPrint(char) ? `${code} '${char}'` : code
}
