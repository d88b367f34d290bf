import type { ForSpec, LiteralNode, NamedArgument, Node, Parameter, UnaryOperator } from './ast.ts'
import { type BinaryOperator, type Bind, binaryOperators } from './ast.ts'
import { StaticFailure } from './failure.ts'
import { lex } from './lexer.ts'
import { type ExpressionParser, ObjectParser } from './parser-object.ts'
import type { Source } from './source.ts'
import { showToken, type Token, type TokenKind } from './token.ts'
import { unescapeString } from './unescape.ts'

/** The syntax tree of a source. Throws StaticFailure with go-jsonnet's words and place. */
export function parse(source: Source): Node {
  return new Parser(source).program()
}

const loosest = 14

/** A cursor over tokens with a method for every construct. */
export class Parser implements ExpressionParser {
  readonly source: Source
  private readonly tokens: readonly Token[]
  private readonly objects: ObjectParser
  private at = 0

  constructor(source: Source) {
    this.source = source
    this.tokens = lex(source)
    this.objects = new ObjectParser(this)
  }

  program(): Node {
    const node = this.expression()
    const rest = this.peek()
    if (rest.kind !== 'end of file') this.fail(rest, `Did not expect: ${showToken(rest)}`)
    return node
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!
  }

  next(): Token {
    const token = this.peek()
    this.at++
    return token
  }

  expect(kind: TokenKind, context = ''): Token {
    const token = this.next()
    if (token.kind !== kind) {
      this.fail(token, `Expected token ${kind} but got ${showToken(token)}${context}`)
    }
    return token
  }

  expectOperator(operator: string): void {
    const token = this.next()
    if (token.kind !== 'OPERATOR' || token.data !== operator) {
      this.fail(token, `Expected operator ${operator} but got ${showToken(token)}`)
    }
  }

  atOperator(operator: string): boolean {
    const token = this.peek()
    return token.kind === 'OPERATOR' && token.data === operator
  }

  fail(at: { readonly begin: number; readonly end: number }, message: string): never {
    throw new StaticFailure(this.source, at.begin, at.end, message)
  }

  /** Anything, as far to the right as it goes. */
  expression(): Node {
    return this.binary(loosest)
  }

  private binary(limit: number): Node {
    let left = this.prefixed()
    for (;;) {
      const token = this.peek()
      if (token.kind === 'OPERATOR') {
        if (token.data === ':' || token.data === '::') return left
        if (!Object.hasOwn(binaryOperators, token.data)) {
          this.fail(token, `Not a binary operator: ${token.data}`)
        }
      } else if (token.kind !== 'in') return left
      const tightness = binaryOperators[token.data]!
      if (tightness > limit) return left
      this.next()
      if (token.kind === 'in' && this.peek().kind === 'super') {
        const { end } = this.next()
        left = { kind: 'inSuper', index: left, begin: left.begin, end }
        continue
      }
      const right = this.binary(tightness - 1)
      const op = token.data as BinaryOperator
      left = { kind: 'binary', op, left, right, begin: left.begin, end: right.end }
    }
  }

  private prefixed(): Node {
    const token = this.peek()
    switch (token.kind) {
      case 'assert':
        return this.assertion()
      case 'error': {
        const { begin } = this.next()
        const message = this.expression()
        return { kind: 'error', message, begin, end: message.end }
      }
      case 'if':
        return this.conditional()
      case 'function':
        return this.lambda()
      case 'import':
      case 'importstr':
      case 'importbin':
        return this.importation(token.kind)
      case 'local':
        return this.local()
      case 'OPERATOR': {
        if (!'!~+-'.includes(token.data) || token.data.length !== 1) {
          this.fail(token, `Not a unary operator: ${token.data}`)
        }
        const { begin } = this.next()
        const operand = this.prefixed()
        const op = token.data as UnaryOperator
        return { kind: 'unary', op, operand, begin, end: operand.end }
      }
      default:
        return this.applied()
    }
  }

  private assertion(): Node {
    const { begin } = this.next()
    const condition = this.expression()
    let message: Node | undefined
    if (this.atOperator(':')) {
      this.next()
      message = this.expression()
    }
    this.expect('";"')
    const rest = this.expression()
    return { kind: 'assert', condition, message, rest, begin, end: rest.end }
  }

  private conditional(): Node {
    const { begin } = this.next()
    const condition = this.expression()
    this.expect('then')
    const then = this.expression()
    let otherwise: Node | undefined
    if (this.peek().kind === 'else') {
      this.next()
      otherwise = this.expression()
    }
    return { kind: 'if', condition, then, otherwise, begin, end: (otherwise ?? then).end }
  }

  private lambda(): Node {
    const { begin } = this.next()
    const open = this.next()
    if (open.kind !== '"("') this.fail(open, `Expected ( but got ${showToken(open)}`)
    const parameters = this.parameters('function parameter')
    const body = this.expression()
    return { kind: 'function', parameters, body, begin, end: body.end }
  }

  private importation(kind: 'import' | 'importstr' | 'importbin'): Node {
    const { begin } = this.next()
    const file = this.expression()
    if (file.kind !== 'literal' || typeof file.value !== 'string') {
      this.fail(file, 'Computed imports are not allowed')
    }
    if (file.block) this.fail(file, 'Block string literals not allowed in imports')
    return { kind, path: file.value, begin, end: file.end }
  }

  private local(): Node {
    const { begin } = this.next()
    const binds: Bind[] = []
    for (;;) {
      binds.push(this.bind(binds))
      const delimiter = this.next()
      if (delimiter.kind === '";"') break
      if (delimiter.kind !== '","') {
        this.fail(delimiter, `Expected , or ; but got ${showToken(delimiter)}`)
      }
    }
    const body = this.expression()
    return { kind: 'local', binds, body, begin, end: body.end }
  }

  /** `x = e` or `f(a) = e`, with a name that none of `others` has. */
  bind(others: readonly Bind[]): Bind {
    const name = this.expect('IDENTIFIER')
    if (others.some((other) => other.name === name.data)) {
      this.fail(name, `Duplicate local var: ${name.data}`)
    }
    let parameters: readonly Parameter[] | undefined
    if (this.peek().kind === '"("') {
      this.next()
      parameters = this.parameters('function parameter')
    }
    this.expectOperator('=')
    const body = this.expression()
    if (parameters === undefined) return { name: name.data, value: body }
    const { begin } = name
    return {
      name: name.data,
      value: { kind: 'function', parameters, body, begin, end: body.end },
    }
  }

  /** What stands between the parentheses of a definition; the opening one has been read. */
  parameters(what: string): readonly Parameter[] {
    const parameters: Parameter[] = []
    this.commaSeparated(what, () => {
      const name = this.expect('IDENTIFIER', ' while parsing parameter')
      let fallback: Node | undefined
      if (this.atOperator('=')) {
        this.next()
        fallback = this.expression()
      }
      parameters.push({ name: name.data, fallback })
    })
    return parameters
  }

  private commaSeparated(what: string, element: () => void): Token {
    let comma = true
    for (;;) {
      const token = this.peek()
      if (token.kind === '")"') return this.next()
      if (!comma) {
        this.fail(token, `Expected a comma before next ${what}, got ${showToken(token)}`)
      }
      element()
      comma = this.peek().kind === '","'
      if (comma) this.next()
    }
  }

  private applied(): Node {
    let target = this.terminal()
    for (;;) {
      const token = this.peek()
      const { begin } = target
      switch (token.kind) {
        case '"."': {
          this.next()
          const name = this.expect('IDENTIFIER')
          target = {
            kind: 'index',
            target,
            index: nameLiteral(name),
            dotted: true,
            begin,
            end: name.end,
          }
          break
        }
        case '"["':
          this.next()
          target = this.brackets(target)
          break
        case '"("':
          this.next()
          target = this.call(target)
          break
        case '"{"': {
          const right = this.objects.remainder(this.next())
          target = { kind: 'applyBrace', left: target, right, begin, end: right.end }
          break
        }
        default:
          return target
      }
    }
  }

  private call(target: Node): Node {
    const positional: Node[] = []
    const named: NamedArgument[] = []
    const close = this.commaSeparated('function argument', () => {
      const first = this.peek()
      const after = this.peek(1)
      if (first.kind === 'IDENTIFIER' && after.kind === 'OPERATOR' && after.data === '=') {
        this.next()
        this.next()
        named.push({ name: first.data, value: this.expression() })
        return
      }
      const value = this.expression()
      if (named.length > 0) {
        this.fail(first, 'Positional argument after a named argument is not allowed')
      }
      positional.push(value)
    })
    const tailstrict = this.peek().kind === 'tailstrict'
    if (tailstrict) this.next()
    const { begin } = target
    return { kind: 'apply', target, positional, named, tailstrict, begin, end: close.end }
  }

  /** An index or a slice; the opening bracket has been read. */
  private brackets(target: Node): Node {
    const parts: [Node | undefined, Node | undefined, Node | undefined] = [
      undefined,
      undefined,
      undefined,
    ]
    let colons = 0
    let ready = true
    let last = this.peek()
    while (colons < 3) {
      last = this.peek()
      const { kind, data } = last
      if (kind === '"]"') {
        this.next()
        break
      }
      if (kind === 'OPERATOR' && (data === ':' || data === '::')) {
        this.next()
        colons += data.length
        ready = true
      } else if (ready) {
        parts[colons] = this.expression()
        ready = false
      } else {
        this.fail(last, `Expected token "]" but got ${showToken(last)}`)
      }
    }
    if (colons > 2) this.fail(last, 'Invalid slice: too many colons')
    if (colons === 0 && ready) this.fail(last, 'ast.Index requires an expression')
    const { begin } = target
    if (colons > 0) return { kind: 'slice', target, parts, begin, end: last.end }
    return { kind: 'index', target, index: parts[0]!, dotted: false, begin, end: last.end }
  }

  private terminal(): Node {
    const token = this.next()
    const { begin, end } = token
    switch (token.kind) {
      case 'NUMBER':
        return { kind: 'literal', value: Number(token.data), begin, end }
      case 'STRING_DOUBLE':
      case 'STRING_SINGLE':
      case 'STRING_BLOCK':
      case 'VERBATIM_STRING_DOUBLE':
      case 'VERBATIM_STRING_SINGLE':
        return this.stringLiteral(token)
      case 'true':
      case 'false':
        return { kind: 'literal', value: token.kind === 'true', begin, end }
      case 'null':
        return { kind: 'literal', value: null, begin, end }
      case 'IDENTIFIER':
        return { kind: 'var', name: token.data, begin, end }
      case '"$"':
        return { kind: 'dollar', begin, end }
      case 'self':
        return { kind: 'self', begin, end }
      case 'super':
        return this.superIndex(token)
      case '"{"':
        return this.objects.remainder(token)
      case '"["':
        return this.array(token)
      case '"("': {
        const inner = this.expression()
        const close = this.expect('")"')
        return { kind: 'parens', inner, begin, end: close.end }
      }
      case 'end of file':
        return this.fail(token, 'Unexpected end of file')
      default:
        return this.fail(token, `Unexpected: ${showToken(token)} while parsing terminal`)
    }
  }

  stringLiteral(token: Token): LiteralNode {
    const { begin, end } = token
    if (token.kind === 'STRING_DOUBLE' || token.kind === 'STRING_SINGLE') {
      const value = unescapeString(token.data, this.source, begin, end)
      return { kind: 'literal', value, begin, end }
    }
    return { kind: 'literal', value: token.data, block: token.kind === 'STRING_BLOCK', begin, end }
  }

  private superIndex(token: Token): Node {
    const next = this.next()
    let index: Node
    if (next.kind === '"."') index = nameLiteral(this.expect('IDENTIFIER'))
    else if (next.kind === '"["') {
      index = this.expression()
      this.expect('"]"')
    } else this.fail(token, 'Expected . or [ after super')
    return { kind: 'superIndex', index, begin: token.begin, end: token.end }
  }

  private array(open: Token): Node {
    const { begin } = open
    const elements: Node[] = []
    let comma = true
    for (;;) {
      const token = this.peek()
      if (token.kind === '"]"') {
        return { kind: 'array', elements, begin, end: this.next().end }
      }
      if (token.kind === 'for' && elements.length === 1) {
        this.next()
        const { specs, last } = this.forSpecs('"]"')
        return { kind: 'arrayComp', body: elements[0]!, specs, begin, end: last.end }
      }
      if (!comma) this.fail(token, 'Expected a comma before next array element')
      elements.push(this.expression())
      comma = this.peek().kind === '","'
      if (comma) this.next()
    }
  }

  /** `for x in e if c for …` up to and with the closing token; the first `for` has been read. */
  forSpecs(close: '"]"' | '"}"'): { readonly specs: readonly ForSpec[]; readonly last: Token } {
    const specs: ForSpec[] = []
    for (;;) {
      const name = this.expect('IDENTIFIER')
      this.expect('in')
      const source = this.expression()
      const conditions: Node[] = []
      let token = this.next()
      for (; token.kind === 'if'; token = this.next()) conditions.push(this.expression())
      specs.push({ name: name.data, source, conditions })
      if (token.kind === close) return { specs, last: token }
      if (token.kind !== 'for') {
        this.fail(token, `Expected for, if or ${close} after for clause, got: ${showToken(token)}`)
      }
    }
  }
}

function nameLiteral(token: Token): LiteralNode {
  // Parity: a name after a dot has no place of its own in stack traces.
  return { kind: 'literal', value: token.data, begin: -1, end: -1 }
}
