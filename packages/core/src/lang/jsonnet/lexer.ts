import { quoteRune } from '../../text/index.ts'
import { StaticFailure } from './failure.ts'
import type { Source } from './source.ts'
import { keywords, type Token, type TokenKind } from './token.ts'

/** Tokens of a source, ending with `end of file`. Throws StaticFailure. */
export function lex(source: Source): readonly Token[] {
  const lexer = new Lexer(source)
  lexer.run()
  return lexer.tokens
}

const punctuation: Readonly<Record<string, TokenKind>> = {
  '{': '"{"',
  '}': '"}"',
  '[': '"["',
  ']': '"]"',
  ',': '","',
  '.': '"."',
  '(': '"("',
  ')': '")"',
  ';': '";"',
}

const space = /[ \t\r\n]*/y
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y
const symbols = '!$:~+-&|^=<>*/%'
const lineIndent = /[ \t]*/y

class Lexer {
  readonly tokens: Token[] = []
  private readonly source: Source
  private readonly text: string
  private at = 0

  constructor(source: Source) {
    this.source = source
    this.text = source.text
  }

  run(): void {
    const text = this.text
    for (;;) {
      this.at = skip(space, text, this.at)
      if (this.at >= text.length) break
      const char = text[this.at]!
      const kind = punctuation[char]
      if (kind !== undefined) {
        this.at++
        this.tokens.push({ kind, data: char, begin: this.at - 1, end: this.at })
        continue
      }
      const code = text.charCodeAt(this.at)
      if (isIdentifierStart(code)) this.word()
      else if (code >= 0x30 && code <= 0x39) this.number()
      else if (char === '"' || char === "'") this.quoted(char)
      else if (char === '@') this.verbatim()
      else if (char === '#' || text.startsWith('//', this.at)) this.lineComment()
      else if (text.startsWith('/*', this.at)) this.blockComment()
      else if (text.startsWith('|||', this.at)) this.textBlock()
      else if (symbols.includes(char)) this.operator()
      else this.fail(this.at, `Could not lex the character ${shown(text.codePointAt(this.at))}`)
    }
    this.push('end of file', '', text.length, text.length)
  }

  private push(kind: TokenKind, data: string, begin: number, end: number): void {
    this.tokens.push({ kind, data, begin, end })
  }

  private fail(at: number, message: string): never {
    throw new StaticFailure(this.source, at, at, message)
  }

  private word(): void {
    const begin = this.at
    this.at = skip(identifier, this.text, begin)
    const data = this.text.slice(begin, this.at)
    this.push(keywords.has(data) ? (data as TokenKind) : 'IDENTIFIER', data, begin, this.at)
  }

  private lineComment(): void {
    const newline = this.text.indexOf('\n', this.at)
    this.at = newline === -1 ? this.text.length : newline
  }

  private blockComment(): void {
    const close = this.text.indexOf('*/', this.at + 2)
    if (close === -1) this.fail(this.at, 'Multi-line comment has no terminating */')
    this.at = close + 2
  }

  /** JSON's numbers without a sign, with `_` allowed between digits. */
  private number(): void {
    const begin = this.at
    if (this.text[begin] === '0') {
      this.at++
      if (this.text[this.at] === '_') {
        this.fail(this.at, "Couldn't lex number, _ not allowed after leading 0")
      }
    } else {
      this.digits()
    }
    if (this.text[this.at] === '.') {
      this.at++
      this.needDigit('decimal point')
      this.digits()
    }
    if (this.text[this.at] === 'e' || this.text[this.at] === 'E') {
      this.at++
      let after = "'E'"
      if (this.text[this.at] === '+' || this.text[this.at] === '-') {
        this.at++
        after = 'exponent sign'
      }
      this.needDigit(after)
      this.digits()
    }
    this.push('NUMBER', this.text.slice(begin, this.at).replaceAll('_', ''), begin, this.at)
  }

  private digits(): void {
    for (;;) {
      while (isDigit(this.text.charCodeAt(this.at))) this.at++
      if (this.text[this.at] !== '_') return
      this.at++
      this.needDigit("'_'")
    }
  }

  private needDigit(after: string): void {
    if (isDigit(this.text.charCodeAt(this.at))) return
    const junk = shown(this.text.codePointAt(this.at))
    this.fail(this.at, `Couldn't lex number, junk after ${after}: ${junk}`)
  }

  private quoted(quote: string): void {
    const begin = this.at
    let end = begin + 1
    for (;;) {
      const char = this.text[end]
      if (char === undefined) this.fail(begin, 'Unterminated String')
      if (char === quote) break
      end += char === '\\' && end + 1 < this.text.length ? 2 : 1
    }
    this.at = end + 1
    const kind = quote === '"' ? 'STRING_DOUBLE' : 'STRING_SINGLE'
    this.push(kind, this.text.slice(begin + 1, end), begin, this.at)
  }

  private verbatim(): void {
    const begin = this.at
    const quote = this.text[begin + 1]
    if (quote !== '"' && quote !== "'") {
      const junk = this.text.codePointAt(begin + 1) ?? -1
      this.fail(begin, `Couldn't lex verbatim string, junk after '@': ${junk}`)
    }
    let end = begin + 2
    for (;;) {
      end = this.text.indexOf(quote, end)
      if (end === -1) this.fail(begin, 'Unterminated String')
      if (this.text[end + 1] !== quote) break
      end += 2
    }
    this.at = end + 1
    const data = this.text.slice(begin + 2, end).replaceAll(quote + quote, quote)
    const kind = quote === '"' ? 'VERBATIM_STRING_DOUBLE' : 'VERBATIM_STRING_SINGLE'
    this.push(kind, data, begin, this.at)
  }

  private textBlock(): void {
    const { text } = this
    const begin = this.at
    let at = begin + 3
    const chomp = text[at] === '-'
    if (chomp) at++
    while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++
    if (text[at] !== '\n') this.fail(begin, 'Text block requires new line after |||.')
    at++
    let data = ''
    while (text[at] === '\n') {
      data += '\n'
      at++
    }
    const indent = text.slice(at, skip(lineIndent, text, at))
    if (indent === '') this.fail(begin, "Text block's first line must start with whitespace")
    for (;;) {
      at += indent.length
      const newline = text.indexOf('\n', at)
      if (newline === -1) this.fail(begin, 'Unexpected EOF')
      data += text.slice(at, newline + 1)
      at = newline + 1
      while (text[at] === '\n') {
        data += '\n'
        at++
      }
      if (text.startsWith(indent, at)) continue
      at = skip(lineIndent, text, at)
      if (!text.startsWith('|||', at)) this.fail(begin, 'Text block not terminated with |||')
      this.at = at + 3
      this.push('STRING_BLOCK', chomp ? data.slice(0, -1) : data, begin, this.at)
      return
    }
  }

  private operator(): void {
    const { text } = this
    const begin = this.at
    let end = begin + 1
    for (; end < text.length && symbols.includes(text[end]!); end++) {
      // Parity: any slash ends the run, not only one that opens a comment, and so do two bars.
      if (text[end] === '/' || text.startsWith('||', end)) break
    }
    // Parity: a run that ends in one of these is cut back to its first character, so `1==-1` is an error.
    if ('+-~!$'.includes(text[end - 1]!)) end = begin + 1
    this.at = end
    const data = text.slice(begin, end)
    this.push(data === '$' ? '"$"' : 'OPERATOR', data, begin, end)
  }
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function isIdentifierStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** A character for a message; the end of the text shows as an invalid one. */
function shown(code: number | undefined): string {
  return code === undefined ? "'\\ufffd'" : quoteRune(String.fromCodePoint(code), true)
}
