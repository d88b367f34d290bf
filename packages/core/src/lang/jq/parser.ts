import type { Ast, Definition, ObjectEntry, Pattern, PatternEntry, StringPart } from './ast.ts'
import { keywords, SyntaxIssue, type Token, tokenize } from './lexer.ts'

const maxDepth = 1_000

// From loose to tight. Updates and comparisons do not chain.
const levels: readonly (readonly string[])[] = [
  ['//'],
  ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='],
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]
const updates = 1
const comparisons = 4

/** Reads a program. Throws SyntaxIssue with gojq's words: the first token that cannot stand where it stands. */
export function parseJq(source: string): Ast {
  const parser = new Parser(tokenize(source))
  const ast = parser.program()
  parser.expectEnd()
  return ast
}

class Parser {
  private at = 0
  private depth = 0
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private get token(): Token {
    return this.tokens[this.at] ?? { kind: 'symbol', text: ')' }
  }

  private fail(): never {
    const { kind, text } = this.token
    throw new SyntaxIssue(
      kind === 'end' ? 'unexpected EOF' : `unexpected token ${JSON.stringify(text)}`,
    )
  }

  private is(text: string): boolean {
    return this.token.kind === 'symbol' && this.token.text === text
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false
    this.at++
    return true
  }

  private expect(text: string): void {
    if (!this.take(text)) this.fail()
  }

  private expectKind(kind: Token['kind']): string {
    const { token } = this
    if (token.kind !== kind) this.fail()
    this.at++
    return token.text
  }

  expectEnd(): void {
    if (this.at < this.tokens.length && this.token.kind !== 'end') this.fail()
  }

  program(): Ast {
    if (this.is('module') || this.is('import') || this.is('include')) {
      throw new SyntaxIssue('cannot load module: modules are not supported')
    }
    if (this.token.kind === 'end') throw new SyntaxIssue('missing query (try ".")')
    return this.query(true)
  }

  query(mayEnd = false): Ast {
    if (++this.depth > maxDepth) throw new SyntaxIssue('the program is nested too deeply')
    try {
      return this.pipe(mayEnd)
    } finally {
      this.depth--
    }
  }

  private pipe(mayEnd: boolean): Ast {
    if (this.is('def')) {
      const definition = this.definition()
      if (mayEnd && this.token.kind === 'end') throw new SyntaxIssue('missing query (try ".")')
      return { type: 'define', definition, body: this.query(mayEnd) }
    }
    let left = this.comma()
    if (this.take('|')) {
      const right = this.query()
      left = { type: 'pipe', left, right }
    }
    return left
  }

  private comma(): Ast {
    let left = this.bound()
    while (this.take(',')) {
      // what follows the comma may be a binding or a label, which reaches to the end
      const right = this.bound()
      left = { type: 'comma', left, right }
    }
    return left
  }

  private bound(): Ast {
    if (this.take('label')) {
      const name = this.expectKind('variable')
      this.expect('|')
      return { type: 'label', name, body: this.query() }
    }
    if (this.is('def')) return this.query()
    const source = this.binary(0)
    if (!this.take('as')) return source
    const patterns = [this.pattern()]
    while (this.take('?//')) patterns.push(this.pattern())
    this.expect('|')
    return { type: 'bind', source, patterns, body: this.query() }
  }

  private definition(): Definition {
    this.expect('def')
    const name = this.expectKind('name')
    const parameters: string[] = []
    if (this.take('(')) {
      do {
        parameters.push(
          this.token.kind === 'variable' ? this.expectKind('variable') : this.expectKind('name'),
        )
      } while (this.take(';'))
      this.expect(')')
    }
    this.expect(':')
    const body = this.query()
    this.expect(';')
    return { name, parameters, body }
  }

  private binary(level: number): Ast {
    const operators = levels[level]
    if (operators === undefined) return this.postfix()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = operators.find((text) => this.is(text))
      if (operator === undefined) return left
      this.at++
      // the alternative operator groups to the right
      const right = this.binary(operator === '//' ? level : level + 1)
      left = { type: 'binary', operator, left, right }
      if (level !== updates && level !== comparisons) continue
      if (operators.some((text) => this.is(text))) this.fail()
      return left
    }
  }

  private postfix(): Ast {
    if (++this.depth > maxDepth) throw new SyntaxIssue('the program is nested too deeply')
    let term = this.term()
    for (;;) {
      if (this.token.kind === 'field') {
        term = index(term, this.token.text.slice(1))
        this.at++
      } else if (this.take('?')) term = { type: 'optional', of: term }
      else if (this.is('[')) term = this.bracket(term)
      else if (this.is('.') && this.tokens[this.at + 1] !== undefined) {
        const next = this.tokens[this.at + 1]!
        if (next.kind !== 'string' && next.text !== '[') {
          this.at++
          this.fail()
        }
        this.at++
        term =
          next.kind === 'string'
            ? { type: 'index', of: term, key: this.string(undefined) }
            : this.bracket(term)
      } else {
        this.depth--
        return term
      }
    }
  }

  /** `[]`, `[e]`, `[e:]`, `[:e]`, `[e:e]` after a term. */
  private bracket(of: Ast): Ast {
    this.expect('[')
    if (this.take(']')) return { type: 'iterate', of }
    if (this.take(':')) {
      const to = this.query()
      this.expect(']')
      return { type: 'slice', of, from: undefined, to }
    }
    const key = this.query()
    if (!this.take(':')) {
      this.expect(']')
      return { type: 'index', of, key }
    }
    const to = this.is(']') ? undefined : this.query()
    this.expect(']')
    return { type: 'slice', of, from: key, to }
  }

  private term(): Ast {
    const { kind, text } = this.token
    switch (kind) {
      case 'number':
        this.at++
        return { type: 'number', text }
      case 'string':
        return this.string(undefined)
      case 'format':
        this.at++
        return this.token.kind === 'string' ? this.string(text) : { type: 'format', name: text }
      case 'field':
        this.at++
        return index({ type: 'identity' }, text.slice(1))
      case 'variable':
        this.at++
        return { type: 'variable', name: text }
      case 'name':
        this.at++
        return { type: 'call', name: text, args: this.args() }
      case 'end':
        return this.fail()
      default:
        return this.symbolTerm(text)
    }
  }

  private args(): readonly Ast[] {
    if (!this.take('(')) return []
    const args = [this.query()]
    while (this.take(';')) args.push(this.query())
    this.expect(')')
    return args
  }

  private symbolTerm(text: string): Ast {
    switch (text) {
      case '.':
        this.at++
        if (this.token.kind === 'string') {
          return { type: 'index', of: { type: 'identity' }, key: this.string(undefined) }
        }
        return this.is('[') ? this.bracket({ type: 'identity' }) : { type: 'identity' }
      case '..':
        this.at++
        return { type: 'call', name: 'recurse', args: [] }
      case 'null':
      case 'true':
      case 'false':
        this.at++
        return { type: text }
      case '(': {
        this.at++
        const of = this.query()
        this.expect(')')
        return { type: 'group', of }
      }
      case '[':
        this.at++
        return this.array()
      case '{':
        return this.object()
      case '+':
      case '-':
        this.at++
        return { type: 'sign', sign: text, of: this.postfix() }
      case 'if':
        this.at++
        return this.condition()
      case 'try': {
        this.at++
        const body = this.postfix()
        const rescue = this.take('catch') ? this.postfix() : undefined
        return { type: 'try', body, rescue }
      }
      case 'reduce':
      case 'foreach':
        this.at++
        return this.fold(text)
      case 'break':
        this.at++
        return { type: 'break', name: this.expectKind('variable') }
      default:
        return this.fail()
    }
  }

  private array(): Ast {
    if (this.take(']')) return { type: 'emptyArray' }
    const of = this.query()
    this.expect(']')
    return { type: 'array', of }
  }

  private condition(): Ast {
    const test = this.query()
    this.expect('then')
    const then = this.query()
    if (this.take('elif')) return { type: 'if', test, then, otherwise: this.condition() }
    const otherwise = this.take('else') ? this.query() : undefined
    this.expect('end')
    return { type: 'if', test, then, otherwise }
  }

  private fold(type: 'reduce' | 'foreach'): Ast {
    const source = this.binary(0)
    this.expect('as')
    const pattern = this.pattern()
    this.expect('(')
    const start = this.query()
    this.expect(';')
    const update = this.query()
    const extract = type === 'foreach' && this.take(';') ? this.query() : undefined
    this.expect(')')
    return { type, source, pattern, start, update, extract }
  }

  private string(format: string | undefined): Ast {
    const { parts = [] } = this.token
    this.expectKind('string')
    return {
      type: 'string',
      format,
      parts: parts.map((part): StringPart => {
        if (typeof part === 'string') return part
        const inner = new Parser(part)
        inner.depth = this.depth
        const ast = inner.query()
        inner.expectEnd()
        return ast
      }),
    }
  }

  private object(): Ast {
    this.expect('{')
    const entries: ObjectEntry[] = []
    while (!this.take('}')) {
      entries.push(this.entry())
      if (!this.is('}')) this.expect(',')
    }
    return { type: 'object', entries }
  }

  private entry(): ObjectEntry {
    if (this.take('(')) {
      const key = this.query()
      this.expect(')')
      this.expect(':')
      return { key, value: this.objectValue() }
    }
    const key = this.token.kind === 'string' ? this.string(undefined) : this.objectKey()
    return { key, value: this.take(':') ? this.objectValue() : undefined }
  }

  private objectKey(): string {
    const { kind, text } = this.token
    const isKey =
      kind === 'name' || kind === 'variable' || (kind === 'symbol' && keywords.has(text))
    if (!isKey || text.includes('::')) this.fail()
    this.at++
    return text
  }

  private objectValue(): Ast {
    const left = this.binary(0)
    return this.take('|') ? { type: 'pipe', left, right: this.objectValue() } : left
  }

  private pattern(): Pattern {
    if (this.token.kind === 'variable') {
      return { type: 'variable', name: this.expectKind('variable') }
    }
    if (this.take('[')) {
      const items = [this.pattern()]
      while (this.take(',')) items.push(this.pattern())
      this.expect(']')
      return { type: 'array', items }
    }
    this.expect('{')
    const entries = [this.patternEntry()]
    while (this.take(',')) entries.push(this.patternEntry())
    this.expect('}')
    return { type: 'object', entries }
  }

  private patternEntry(): PatternEntry {
    if (this.take('(')) {
      const key = this.query()
      this.expect(')')
      this.expect(':')
      return { key, variable: undefined, value: this.pattern() }
    }
    if (this.token.kind === 'string') {
      const key = this.string(undefined)
      this.expect(':')
      return { key, variable: undefined, value: this.pattern() }
    }
    const text = this.objectKey()
    const variable = text.startsWith('$') ? text : undefined
    const key = literal(variable === undefined ? text : text.slice(1))
    if (variable !== undefined && !this.is(':')) return { key, variable, value: undefined }
    this.expect(':')
    return { key, variable, value: this.pattern() }
  }
}

function literal(text: string): Ast {
  return { type: 'string', format: undefined, parts: [text] }
}

function index(of: Ast, key: string): Ast {
  return { type: 'index', of, key: literal(key) }
}
