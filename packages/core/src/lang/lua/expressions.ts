import { readTokens, syntaxError, type Token } from './lexer.ts'
import type { ArithmeticEvent, Machine } from './machine.ts'
import { type Frame, FunctionScope } from './scope.ts'
import { isTrue, type LuaSyntaxError, type LuaValue } from './values.ts'

export type Run = (frame: Frame) => LuaValue
export type RunMany = (frame: Frame) => LuaValue[]

/** An expression that has been compiled. */
export interface Expression {
  readonly one: Run
  /** For calls and `...`: all their values. */
  readonly many?: RunMany
  readonly isCall?: boolean
  /** For variables and members. */
  readonly assign?: (frame: Frame, value: LuaValue) => void
}

// left binding power, right binding power
const binary: { readonly [operator: string]: readonly [number, number] } = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
}
const unaryPower = 8
const arithmetic: { readonly [operator: string]: ArithmeticEvent } = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'mod',
  '^': 'pow',
}
// so that neither the compiler nor what it makes can use up the stack of the host
const maxNesting = 100

/** The recursive descent over expressions. */
export abstract class ExpressionCompiler {
  protected readonly machine: Machine
  protected scope: FunctionScope = new FunctionScope(undefined, true)
  private readonly tokens: readonly Token[]
  private at = 0
  private nesting = 0

  constructor(machine: Machine, source: string) {
    this.machine = machine
    machine.step(source.length)
    this.tokens = readTokens(source)
  }

  protected abstract functionBody(name: string, isMethod: boolean): Run

  protected peek(): Token {
    return this.tokens[this.at]!
  }

  protected skip(): void {
    if (this.at < this.tokens.length - 1) this.at++
  }

  protected is(text: string): boolean {
    const token = this.peek()
    return (token.kind === 'keyword' || token.kind === 'symbol') && token.text === text
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false
    this.skip()
    return true
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.unexpected()
  }

  protected name(): string {
    const token = this.peek()
    if (token.kind !== 'name') this.unexpected()
    this.skip()
    return token.text
  }

  protected unexpected(): never {
    throw this.unexpectedAt(this.peek())
  }

  protected unexpectedAt(token: Token): LuaSyntaxError {
    return syntaxError(token, 'syntax error')
  }

  protected enter(): void {
    if (++this.nesting > maxNesting)
      throw syntaxError(this.peek(), 'chunk has too many syntax levels')
  }

  protected leave(): void {
    this.nesting--
  }

  protected expressionList(): RunMany {
    const list = [this.compiled(0)]
    while (this.accept(',')) list.push(this.compiled(0))
    return spread(list)
  }

  protected expression(): Run {
    return this.compiled(0).one
  }

  private compiled(power: number): Expression {
    this.enter()
    let left = this.operand()
    for (;;) {
      const token = this.peek()
      const powers =
        token.kind === 'symbol' || token.kind === 'keyword' ? binary[token.text] : undefined
      if (powers === undefined || powers[0] <= power) break
      this.skip()
      // a chain nests what runs it as deeply as parentheses would
      this.enter()
      left = { one: this.operation(token, left.one, this.compiled(powers[1]).one) }
      this.leave()
    }
    this.leave()
    return left
  }

  private operation({ text, line }: Token, left: Run, right: Run): Run {
    const { machine } = this
    const event = arithmetic[text]
    if (event !== undefined) {
      return (frame) => {
        const a = left(frame)
        const b = right(frame)
        machine.line = line
        return machine.arithmetic(event, a, b)
      }
    }
    if (text === 'and') {
      return (frame) => {
        const value = left(frame)
        return isTrue(value) ? right(frame) : value
      }
    }
    if (text === 'or') {
      return (frame) => {
        const value = left(frame)
        return isTrue(value) ? value : right(frame)
      }
    }
    const operate = this.comparison(text)
    return (frame) => {
      const a = left(frame)
      const b = right(frame)
      machine.line = line
      return operate(a, b)
    }
  }

  private comparison(operator: string): (a: LuaValue, b: LuaValue) => LuaValue {
    const { machine } = this
    switch (operator) {
      case '==':
        return (a, b) => machine.equals(a, b)
      case '~=':
        return (a, b) => !machine.equals(a, b)
      case '<':
        return (a, b) => machine.less(a, b)
      case '>':
        return (a, b) => machine.less(b, a)
      case '<=':
        return (a, b) => machine.lessOrEqual(a, b)
      case '>=':
        return (a, b) => machine.lessOrEqual(b, a)
      default:
        return (a, b) => machine.concat(a, b)
    }
  }

  private operand(): Expression {
    const token = this.peek()
    const { machine } = this
    switch (token.kind) {
      case 'number': {
        this.skip()
        const { value } = token
        return { one: () => value }
      }
      case 'text': {
        this.skip()
        const { text } = token
        return { one: () => text }
      }
      case 'keyword':
        if (token.text === 'nil') return this.constant(undefined)
        if (token.text === 'true') return this.constant(true)
        if (token.text === 'false') return this.constant(false)
        if (token.text === 'function') {
          this.skip()
          return { one: this.functionBody('anonymous', false) }
        }
        if (token.text === 'not') {
          const value = this.unary()
          return { one: (frame) => !isTrue(value(frame)) }
        }
        break
      case 'symbol':
        if (token.text === '{') return { one: this.table() }
        if (token.text === '...') {
          if (!this.scope.takesRest)
            throw syntaxError(token, "cannot use '...' outside a vararg function")
          this.skip()
          return { one: (frame) => frame.rest[0], many: (frame) => [...frame.rest] }
        }
        if (token.text === '-' || token.text === '#') {
          const value = this.unary()
          const { line } = token
          const isLength = token.text === '#'
          return {
            one: (frame) => {
              const operand = value(frame)
              machine.line = line
              return isLength ? machine.lengthOf(operand) : machine.negate(operand)
            },
          }
        }
    }
    return this.suffixed()
  }

  private unary(): Run {
    this.skip()
    return this.compiled(unaryPower).one
  }

  private constant(value: LuaValue): Expression {
    this.skip()
    return { one: () => value }
  }

  /** A name or a parenthesis with what hangs on it: members, calls, methods. */
  protected suffixed(): Expression {
    let current: Expression
    if (this.accept('(')) {
      const inner = this.expression()
      this.expect(')')
      current = { one: inner }
    } else {
      const name = this.name()
      current = this.variable(name)
    }
    let levels = 0
    for (;;) {
      const token = this.peek()
      if (token.kind === 'text' || (token.kind === 'symbol' && '([.:{'.includes(token.text))) {
        if (token.text === '::' && token.kind === 'symbol') break
        this.enter()
        levels++
        current = this.suffix(current, token)
      } else break
    }
    for (; levels > 0; levels--) this.leave()
    return current
  }

  private suffix(object: Expression, token: Token): Expression {
    const { line } = token
    if (token.kind === 'symbol' && token.text === '.') {
      this.skip()
      const key = this.name()
      return this.member(object, () => key, line)
    }
    if (token.kind === 'symbol' && token.text === '[') {
      this.skip()
      const key = this.expression()
      this.expect(']')
      return this.member(object, key, line)
    }
    const { machine } = this
    if (token.kind === 'symbol' && token.text === ':') {
      this.skip()
      const key = this.name()
      const args = this.callArguments()
      const { one } = object
      return callOf((frame) => {
        const self = one(frame)
        machine.line = line
        const method = machine.index(self, key)
        return machine.call(method, [self, ...args(frame)], line)
      })
    }
    const args = this.callArguments()
    const { one } = object
    return callOf((frame) => {
      const callee = one(frame)
      return machine.call(callee, args(frame), line)
    })
  }

  private callArguments(): RunMany {
    const token = this.peek()
    if (token.kind === 'text') {
      this.skip()
      return () => [token.text]
    }
    if (this.is('{')) {
      const table = this.table()
      return (frame) => [table(frame)]
    }
    this.expect('(')
    if (this.accept(')')) return () => []
    const list = this.expressionList()
    this.expect(')')
    return list
  }

  protected variable(name: string): Expression {
    const { machine } = this
    const found = this.scope.find(name)
    if (found.kind === 'global') {
      return {
        one: () => machine.index(machine.globals, name),
        assign: (_frame, value) => machine.setIndex(machine.globals, name, value),
      }
    }
    const { index } = found
    if (found.kind === 'captured') {
      return {
        one: (frame) => frame.captured[index]!.value,
        assign: (frame, value) => {
          frame.captured[index]!.value = value
        },
      }
    }
    return {
      one: (frame) => frame.slots[index]!.value,
      assign: (frame, value) => {
        frame.slots[index]!.value = value
      },
    }
  }

  protected member(object: Expression, key: Run, line: number): Expression {
    const { machine } = this
    const { one } = object
    return {
      one: (frame) => {
        const target = one(frame)
        const name = key(frame)
        machine.line = line
        return machine.index(target, name)
      },
      assign: (frame, value) => {
        const target = one(frame)
        const name = key(frame)
        machine.line = line
        machine.setIndex(target, name, value)
      },
    }
  }

  private table(): Run {
    this.expect('{')
    const items: Expression[] = []
    const fields: { readonly key: Run; readonly value: Run }[] = []
    while (!this.accept('}')) {
      if (this.accept('[')) {
        const key = this.expression()
        this.expect(']')
        this.expect('=')
        fields.push({ key, value: this.expression() })
      } else if (this.peek().kind === 'name' && this.isAssignment()) {
        const name = this.name()
        this.expect('=')
        fields.push({ key: () => name, value: this.expression() })
      } else items.push(this.compiled(0))
      if (!this.accept(',') && !this.accept(';') && !this.is('}')) this.unexpected()
    }
    const list = spread(items)
    const { machine } = this
    return (frame) => {
      const table = machine.newTable()
      for (const { key, value } of fields) machine.store(table, key(frame), value(frame))
      list(frame).forEach((value, index) => {
        machine.store(table, index + 1, value)
      })
      return table
    }
  }

  private isAssignment(): boolean {
    const next = this.tokens[this.at + 1]!
    return next.kind === 'symbol' && next.text === '='
  }
}

function callOf(many: RunMany): Expression {
  return { one: (frame) => many(frame)[0], many, isCall: true }
}

/** The values of a list; its last expression gives all its values. */
function spread(list: readonly Expression[]): RunMany {
  const ones = list.map(({ one }) => one)
  const last = list.at(-1)?.many
  if (last === undefined) return (frame) => ones.map((one) => one(frame))
  const before = ones.slice(0, -1)
  return (frame) => {
    const values = before.map((one) => one(frame))
    for (const value of last(frame)) values.push(value)
    return values
  }
}
