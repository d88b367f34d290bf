/** What a token is; punctuation and keywords are their own kind. */
export interface Token {
  readonly kind: 'name' | 'variable' | 'field' | 'number' | 'format' | 'string' | 'symbol' | 'end'
  /** The text in the source, as error messages show it. */
  readonly text: string
  /** Of strings: literal pieces, and the tokens of interpolations between them. */
  readonly parts?: readonly (string | readonly Token[])[]
}

/** Where a program cannot be read, in gojq's words. */
export class SyntaxIssue extends Error {}

export const keywords: ReadonlySet<string> = new Set([
  ...['or', 'and', 'module', 'import', 'include', 'def', 'as', 'label', 'break', 'null', 'true'],
  ...['false', 'if', 'then', 'elif', 'else', 'end', 'try', 'catch', 'reduce', 'foreach'],
])

const symbols = [
  ...['?//', '//=', '|=', '+=', '-=', '*=', '/=', '%=', '==', '!=', '<=', '>=', '//', '..'],
  ...[
    '=',
    '<',
    '>',
    '|',
    ',',
    '.',
    '?',
    '+',
    '-',
    '*',
    '/',
    '%',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ':',
    ';',
  ],
]

const space = /[\t\n\r ]+/y
const comment = /#(?:\\(?:\\|\r\n|\n|\r|[^\\\r\n]?)|[^\\\r\n])*/y
const name = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)?/y
const variable = /\$[A-Za-z_]\w*(?:::[A-Za-z_]\w*)?/y
const field = /\.[A-Za-z_]\w*/y
const format = /@\w+/y
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y
// what a number may not touch
const brokenNumber = /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d*)?[A-Za-z_.]?/y

/** Splits a program into tokens. Throws SyntaxIssue. */
export function tokenize(source: string): readonly Token[] {
  const lexer = new Lexer(source)
  const tokens = lexer.tokens(false)
  return tokens
}

class Lexer {
  private at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** Up to the end, or up to the parenthesis that closes an interpolation. */
  tokens(inString: boolean): readonly Token[] {
    const tokens: Token[] = []
    let open = 0
    for (;;) {
      this.skip()
      if (this.at >= this.source.length) {
        tokens.push({ kind: 'end', text: '' })
        return tokens
      }
      const token = this.token()
      if (inString && token.kind === 'symbol') {
        if (token.text === '(') open++
        if (token.text === ')' && open-- === 0) return tokens
      }
      tokens.push(token)
    }
  }

  private skip(): void {
    while (this.match(space) !== undefined || this.match(comment) !== undefined) {}
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (found === null || found[0] === '') return undefined
    this.at += found[0].length
    return found[0]
  }

  private token(): Token {
    const { source } = this
    const start = this.at
    const char = source[start]!
    if (char === '"') return this.string()
    const word = this.match(name)
    if (word !== undefined) return { kind: keywords.has(word) ? 'symbol' : 'name', text: word }
    if (/^(?:\d|\.\d)/.test(source.slice(start, start + 2))) return this.number(start)
    for (const [kind, pattern] of [
      ['variable', variable],
      ['field', field],
      ['format', format],
    ] as const) {
      const text = this.match(pattern)
      if (text !== undefined) return { kind, text }
    }
    const symbol = symbols.find((text) => source.startsWith(text, start))
    if (symbol !== undefined) {
      this.at += symbol.length
      return { kind: 'symbol', text: symbol }
    }
    const odd = String.fromCodePoint(source.codePointAt(start)!)
    this.at += odd.length
    return { kind: 'symbol', text: odd }
  }

  private number(start: number): Token {
    const text = this.match(number)!
    this.at = start
    const touching = this.match(brokenNumber)!
    if (touching.length > text.length) {
      throw new SyntaxIssue(`invalid token ${JSON.stringify(touching)}`)
    }
    return { kind: 'number', text }
  }

  private string(): Token {
    const { source } = this
    const start = this.at
    const parts: (string | readonly Token[])[] = []
    let text = ''
    this.at++
    for (;;) {
      const char = source[this.at]
      if (char === undefined) throw new SyntaxIssue('unterminated string literal')
      if (char === '"') {
        this.at++
        parts.push(text)
        return { kind: 'string', text: source.slice(start, this.at), parts }
      }
      if (char !== '\\') {
        text += char
        this.at++
      } else if (source[this.at + 1] === '(') {
        this.at += 2
        parts.push(text, this.tokens(true))
        text = ''
      } else text += this.escaped()
    }
  }

  private escaped(): string {
    const { source } = this
    const start = this.at
    const char = source[start + 1]
    if (char === undefined) throw new SyntaxIssue('unterminated string literal')
    if (char === 'u') {
      const digits = /^[0-9a-fA-F]{0,4}/.exec(source.slice(start + 2))![0]
      if (digits.length < 4) {
        const upTo = source.slice(start, start + 2 + digits.length)
        throw new SyntaxIssue(`invalid escape sequence "${upTo}" in string literal`)
      }
      this.at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain: { readonly [char: string]: string } = {
      ...{ '"': '"', '/': '/', '\\': '\\', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
    }
    const meaning = Object.hasOwn(plain, char) ? plain[char] : undefined
    if (meaning === undefined) {
      throw new SyntaxIssue(`invalid escape sequence "\\${char}" in string literal`)
    }
    this.at += 2
    return meaning
  }
}
