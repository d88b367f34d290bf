import type {
  Bind,
  FieldNode,
  ForSpec,
  LiteralNode,
  Node,
  ObjectAssert,
  Parameter,
  Span,
  Visibility,
} from './ast.ts'
import { showToken, type Token, type TokenKind } from './token.ts'

const visibilities: Readonly<Record<string, Visibility>> = { ':': 0, '::': 1, ':::': 2 }

/** What object literals need of the parser around them. */
export interface ExpressionParser {
  peek(): Token
  next(): Token
  expect(kind: TokenKind): Token
  atOperator(operator: string): boolean
  fail(at: Span, message: string): never
  expression(): Node
  bind(others: readonly Bind[]): Bind
  parameters(what: string): readonly Parameter[]
  stringLiteral(token: Token): LiteralNode
  forSpecs(close: '"]"' | '"}"'): { readonly specs: readonly ForSpec[]; readonly last: Token }
}

/** The part of the parser that reads object literals and object comprehensions. */
export class ObjectParser {
  private readonly parser: ExpressionParser

  constructor(parser: ExpressionParser) {
    this.parser = parser
  }

  /** What follows an opening brace, which has been read. */
  remainder(open: Token): Node {
    const parser: ExpressionParser = this.parser
    const { begin } = open
    const fields: FieldNode[] = []
    const locals: Bind[] = []
    const asserts: ObjectAssert[] = []
    const names = new Set<string>()
    let comma = true
    for (;;) {
      const token = parser.next()
      if (token.kind === '"}"') {
        return { kind: 'object', fields, locals, asserts, begin, end: token.end }
      }
      if (token.kind === 'for') return this.comprehension(open, token, fields, locals, asserts)
      if (!comma) parser.fail(token, 'Expected a comma before next field')
      switch (token.kind) {
        case '"["':
        case 'IDENTIFIER':
        case 'STRING_DOUBLE':
        case 'STRING_SINGLE':
        case 'STRING_BLOCK':
        case 'VERBATIM_STRING_DOUBLE':
        case 'VERBATIM_STRING_SINGLE':
          fields.push(this.field(token, names))
          break
        case 'local':
          locals.push(parser.bind(locals))
          break
        case 'assert':
          asserts.push(this.assertion(token))
          break
        default:
          parser.fail(token, `Unexpected: ${showToken(token)} while parsing field definition`)
      }
      comma = parser.peek().kind === '","'
      if (comma) parser.next()
    }
  }

  private field(token: Token, names: Set<string>): FieldNode {
    const parser: ExpressionParser = this.parser
    const computed = token.kind === '"["'
    let name: Node
    if (computed) {
      name = parser.expression()
      parser.expect('"]"')
    } else if (token.kind === 'IDENTIFIER') {
      name = { kind: 'literal', value: token.data, begin: -1, end: -1 }
    } else {
      name = parser.stringLiteral(token)
    }
    const method = parser.peek().kind === '"("'
    if (method) parser.next()
    const parameters = method ? parser.parameters('method parameter') : []
    const { plus, visibility } = this.assignment()
    if (plus && method) {
      parser.fail(token, `Cannot use +: syntax sugar in a method: ${token.data}`)
    }
    if (!computed) {
      if (names.has(token.data)) parser.fail(token, `Duplicate field: ${token.data}`)
      names.add(token.data)
    }
    const body = parser.expression()
    const value: Node = method ? methodNode(parameters, body) : body
    return { name, computed, visibility, plus, value, begin: token.begin, end: body.end }
  }

  private assignment(): { readonly plus: boolean; readonly visibility: Visibility } {
    const operator = this.parser.expect('OPERATOR')
    const plus = operator.data.startsWith('+')
    const visibility = visibilities[plus ? operator.data.slice(1) : operator.data]
    if (visibility === undefined) {
      this.parser.fail(operator, `Expected one of :, ::, :::, +:, +::, +:::, got: ${operator.data}`)
    }
    return { plus, visibility }
  }

  private assertion(token: Token): ObjectAssert {
    const condition = this.parser.expression()
    let message: Node | undefined
    if (this.parser.atOperator(':')) {
      this.parser.next()
      message = this.parser.expression()
    }
    return { condition, message, begin: token.begin, end: (message ?? condition).end }
  }

  private comprehension(
    open: Token,
    token: Token,
    fields: readonly FieldNode[],
    locals: readonly Bind[],
    asserts: readonly ObjectAssert[],
  ): Node {
    const parser: ExpressionParser = this.parser
    if (asserts.length > 0) parser.fail(token, 'Object comprehension cannot have asserts')
    const [field, ...more] = fields
    if (field === undefined || more.length > 0) {
      parser.fail(token, 'Object comprehension can only have one field')
    }
    if (field.visibility !== 0) {
      parser.fail(token, 'Object comprehensions cannot have hidden fields')
    }
    if (!field.computed) parser.fail(token, 'Object comprehensions can only have [e] fields')
    const { specs, last } = parser.forSpecs('"}"')
    return { kind: 'objectComp', field, locals, specs, begin: open.begin, end: last.end }
  }
}

function methodNode(parameters: readonly Parameter[], body: Node): Node {
  return { kind: 'function', parameters, body, begin: -1, end: -1 }
}
