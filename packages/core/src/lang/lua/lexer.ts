import { LuaSyntaxError } from './values.ts'

export type TokenKind = 'name' | 'keyword' | 'number' | 'text' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  /** The word or symbol; for texts their value. */
  readonly text: string
  readonly value: number
  readonly line: number
  readonly column: number
}

const keywords = new Set([
  ...[
    'and',
    'break',
    'do',
    'else',
    'elseif',
    'end',
    'false',
    'for',
    'function',
    'goto',
    'if',
    'in',
  ],
  ...['local', 'nil', 'not', 'or', 'repeat', 'return', 'then', 'true', 'until', 'while'],
])

const escapes: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The sentence of gopher-lua's parser for what it found at a place. */
export function syntaxError(token: Token, message: string): LuaSyntaxError {
  // a word or a number is told by its end
  const column = token.kind === 'text' ? token.column : token.column + token.text.length - 1
  return new LuaSyntaxError(
    token.kind === 'end'
      ? `<string> at EOF:   ${message}\n`
      : `<string> line:${token.line}(column:${column}) near '${token.text}':   ${message}\n`,
  )
}

/** The tokens of a script whose characters are bytes. Throws LuaSyntaxError. */
export function readTokens(source: string): readonly Token[] {
  const lexer = new Lexer(source)
  const tokens: Token[] = []
  for (;;) {
    const token = lexer.next()
    tokens.push(token)
    if (token.kind === 'end') return tokens
  }
}

class Lexer {
  private readonly source: string
  private at = 0
  private line = 1
  private lineStart = 0

  constructor(source: string) {
    this.source = source
  }

  next(): Token {
    this.skipBlank()
    const start = this.at
    const at = { line: this.line, column: start - this.lineStart + 1 }
    const make = (kind: TokenKind, text: string, value = 0): Token => ({ kind, text, value, ...at })
    const char = this.source[start]
    if (char === undefined) return make('end', '')
    const word = this.take(/[A-Za-z_][A-Za-z0-9_]*/y)
    if (word !== undefined) return make(keywords.has(word) ? 'keyword' : 'name', word)
    const number = this.take(/0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y)
    if (number !== undefined) return make('number', number, Number(number))
    if (char === '"' || char === "'") return make('text', this.quoted(char, at))
    const long = this.take(/\[=*\[/y)
    if (long !== undefined) return make('text', this.longText(long, at))
    const symbol = this.take(/\.\.\.|\.\.|::|[=~<>]=|[-+*/%^#<>=(){}[\];:,.]/y)
    if (symbol === undefined) throw syntaxError(make('symbol', char), 'Invalid token')
    return make('symbol', symbol)
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private skipBlank(): void {
    for (;;) {
      const char = this.source[this.at]
      if (char === '\n') this.newLine(this.at + 1)
      else if (char === ' ' || char === '\t' || char === '\r' || char === '\v' || char === '\f') {
        this.at++
      } else if (this.source.startsWith('--', this.at)) {
        const at = { line: this.line, column: this.at - this.lineStart + 1 }
        this.at += 2
        const long = this.take(/\[=*\[/y)
        if (long !== undefined) this.longText(long, at)
        else this.take(/[^\n]*/y)
      } else if (this.at === 0 && char === '#') this.take(/[^\n]*/y)
      else return
    }
  }

  private newLine(next: number): void {
    this.at = next
    this.line++
    this.lineStart = next
  }

  private longText(opening: string, at: { line: number; column: number }): string {
    const closing = opening.replaceAll('[', ']')
    const end = this.source.indexOf(closing, this.at)
    if (end < 0) {
      throw syntaxError({ kind: 'end', text: '', value: 0, ...at }, 'unterminated multiline string')
    }
    let text = this.source.slice(this.at, end)
    for (let from = this.at; ; ) {
      const found = this.source.indexOf('\n', from)
      if (found < 0 || found >= end) break
      this.newLine(found + 1)
      from = found + 1
    }
    this.at = end + closing.length
    text = text.replaceAll('\r\n', '\n')
    return text.startsWith('\n') ? text.slice(1) : text
  }

  private quoted(quote: string, at: { line: number; column: number }): string {
    let text = ''
    this.at++
    for (;;) {
      const plain = this.take(quote === '"' ? /[^"\\\n]+/y : /[^'\\\n]+/y)
      if (plain !== undefined) text += plain
      const char = this.source[this.at]
      if (char === quote) {
        this.at++
        return text
      }
      if (char !== '\\') {
        const isEnd = this.at >= this.source.length
        const place = isEnd ? at : { line: at.line + 1, column: 0 }
        throw syntaxError(
          { kind: isEnd ? 'end' : 'text', text, value: 0, ...place },
          'unterminated string',
        )
      }
      this.at++
      text += this.escaped()
    }
  }

  private escaped(): string {
    const digits = this.take(/\d{1,3}/y)
    if (digits !== undefined) return String.fromCharCode(Number(digits) & 255)
    const char = this.source[this.at] ?? ''
    if (char === '\n') {
      this.newLine(this.at + 1)
      return '\n'
    }
    this.at++
    return escapes[char] ?? char
  }
}
