import { ExpressionCompiler, type Run } from './expressions.ts'
import type { Machine } from './machine.ts'
import { type Frame, FunctionScope } from './scope.ts'
import { isTrue, LuaFunction, LuaSyntaxError, type LuaValue, parseNumber } from './values.ts'

/** What a statement asks of the blocks around it; undefined: go on. */
type Signal =
  | undefined
  | { readonly kind: 'break' }
  | { readonly kind: 'goto'; readonly label: string }
  | { readonly kind: 'return'; readonly values: LuaValue[] }
type Statement = (frame: Frame) => Signal

interface Block {
  readonly labels: Set<string>
  readonly isLoop: boolean
}

const breakSignal: Signal = { kind: 'break' }

/** The main function of a script whose characters are bytes. Throws LuaSyntaxError. */
export function compileScript(machine: Machine, source: string): LuaFunction {
  return new Compiler(machine, source).script()
}

/** The recursive descent over statements; each gives what runs it. */
class Compiler extends ExpressionCompiler {
  private blocks: Block[] = []
  private gotos: {
    readonly label: string
    readonly blocks: readonly Block[]
    readonly line: number
  }[] = []

  script(): LuaFunction {
    const body = this.body(() => this.block(() => this.peek().kind === 'end'))
    return new LuaFunction(
      'main chunk',
      (args) => returned(body({ slots: [], captured: [], rest: args })),
      true,
    )
  }

  protected override functionBody(name: string, isMethod: boolean): Run {
    this.expect('(')
    const names: string[] = isMethod ? ['self'] : []
    let takesRest = false
    while (!this.accept(')')) {
      if (this.accept('...')) {
        takesRest = true
        this.expect(')')
        break
      }
      names.push(this.name())
      if (!this.is(')')) this.expect(',')
    }
    const scope = new FunctionScope(this.scope, takesRest)
    const outer = this.scope
    this.scope = scope
    const slots = names.map((one) => scope.declare(one))
    const body = this.body(() => this.block(() => this.is('end')))
    this.expect('end')
    this.scope = outer
    const { machine } = this
    const { captures } = scope
    return (frame) => {
      machine.allocate(64)
      const captured = captures.map(({ from, index }) =>
        from === 'slot' ? frame.slots[index]! : frame.captured[index]!,
      )
      const call = (args: LuaValue[]): LuaValue[] => {
        const inner: Frame = {
          slots: [],
          captured,
          rest: takesRest ? args.slice(slots.length) : [],
        }
        slots.forEach((slot, index) => {
          inner.slots[slot] = { value: args[index] }
        })
        return returned(body(inner))
      }
      return new LuaFunction(name, call, true)
    }
  }

  /** Labels and loops of one function are no concern of another. */
  private body(compile: () => Statement): Statement {
    const { blocks, gotos } = this
    this.blocks = []
    this.gotos = []
    const statement = compile()
    for (const { label, blocks: around, line } of this.gotos) {
      if (!around.some(({ labels }) => labels.has(label))) {
        throw new LuaSyntaxError(
          `compile error near line(${line}) <string>: no visible label '${label}' for <goto> at line ${line}`,
        )
      }
    }
    this.blocks = blocks
    this.gotos = gotos
    return statement
  }

  /** Statements up to a closing word, which is left to the caller. */
  private block(
    isEnd: () => boolean,
    isLoop = false,
    before?: () => void,
    after?: () => void,
  ): Statement {
    this.enter()
    this.scope.open()
    const block: Block = { labels: new Set(), isLoop }
    this.blocks.push(block)
    before?.()
    const statements: Statement[] = []
    const labels = new Map<string, number>()
    while (!isEnd()) {
      if (this.peek().kind === 'end') this.unexpected()
      if (this.accept(';')) continue
      if (this.accept('::')) {
        const label = this.name()
        this.expect('::')
        labels.set(label, statements.length)
        block.labels.add(label)
        continue
      }
      if (this.accept('return')) {
        statements.push(this.returnStatement(isEnd))
        this.accept(';')
        if (!isEnd()) this.unexpected()
        break
      }
      statements.push(this.statement())
    }
    after?.()
    this.blocks.pop()
    this.scope.close()
    this.leave()
    const { machine } = this
    return (frame) => {
      for (let index = 0; index < statements.length; index++) {
        machine.step()
        const signal = statements[index]!(frame)
        if (signal === undefined) continue
        const place = signal.kind === 'goto' ? labels.get(signal.label) : undefined
        if (place === undefined) return signal
        index = place - 1
      }
      return undefined
    }
  }

  private returnStatement(isEnd: () => boolean): Statement {
    if (isEnd() || this.is(';')) return () => ({ kind: 'return', values: [] })
    const values = this.expressionList()
    return (frame) => ({ kind: 'return', values: values(frame) })
  }

  private statement(): Statement {
    const token = this.peek()
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'if':
          return this.ifStatement()
        case 'while':
          return this.whileStatement()
        case 'for':
          return this.forStatement()
        case 'repeat':
          return this.repeatStatement()
        case 'local':
          return this.localStatement()
        case 'function':
          return this.functionStatement()
        case 'do': {
          this.skip()
          const body = this.block(() => this.is('end'))
          this.expect('end')
          return body
        }
        case 'break':
          if (!this.blocks.some(({ isLoop }) => isLoop)) {
            throw new LuaSyntaxError(
              `compile error near line(${token.line}) <string>: no loop to break`,
            )
          }
          this.skip()
          return () => breakSignal
        case 'goto': {
          this.skip()
          const label = this.name()
          this.gotos.push({ label, blocks: [...this.blocks], line: token.line })
          return () => ({ kind: 'goto', label })
        }
      }
    }
    return this.expressionStatement()
  }

  private ifStatement(): Statement {
    const branches: { test: Run; body: Statement }[] = []
    let otherwise: Statement | undefined
    const isEnd = (): boolean => this.is('end') || this.is('else') || this.is('elseif')
    do {
      this.skip()
      const test = this.expression()
      this.expect('then')
      branches.push({ test, body: this.block(isEnd) })
    } while (this.is('elseif'))
    if (this.accept('else')) otherwise = this.block(() => this.is('end'))
    this.expect('end')
    return (frame) => {
      for (const { test, body } of branches) if (isTrue(test(frame))) return body(frame)
      return otherwise?.(frame)
    }
  }

  private whileStatement(): Statement {
    this.skip()
    const test = this.expression()
    this.expect('do')
    const body = this.block(() => this.is('end'), true)
    this.expect('end')
    const { machine } = this
    return (frame) => {
      while (isTrue(test(frame))) {
        machine.step()
        const signal = body(frame)
        if (signal === undefined) continue
        return signal.kind === 'break' ? undefined : signal
      }
      return undefined
    }
  }

  private repeatStatement(): Statement {
    this.skip()
    let test: Run = () => true
    // the condition sees the locals of the body
    const body = this.block(
      () => this.is('until'),
      true,
      undefined,
      () => {
        this.expect('until')
        test = this.expression()
      },
    )
    const { machine } = this
    return (frame) => {
      do {
        machine.step()
        const signal = body(frame)
        if (signal !== undefined) return signal.kind === 'break' ? undefined : signal
      } while (!isTrue(test(frame)))
      return undefined
    }
  }

  private forStatement(): Statement {
    const { line } = this.peek()
    this.skip()
    const names = [this.name()]
    if (this.accept('=')) return this.countingFor(names[0]!, line)
    while (this.accept(',')) names.push(this.name())
    this.expect('in')
    const source = this.expressionList()
    this.expect('do')
    let slots: number[] = []
    const declare = (): void => {
      slots = names.map((name) => this.scope.declare(name))
    }
    const body = this.block(() => this.is('end'), true, declare)
    this.expect('end')
    const { machine } = this
    return (frame) => {
      const [next, state, first] = source(frame)
      let control = first
      for (;;) {
        machine.step()
        const values = machine.call(next, [state, control], line)
        control = values[0]
        if (control === undefined) return undefined
        slots.forEach((slot, index) => {
          frame.slots[slot] = { value: values[index] }
        })
        const signal = body(frame)
        if (signal !== undefined) return signal.kind === 'break' ? undefined : signal
      }
    }
  }

  private countingFor(name: string, line: number): Statement {
    const bounds = [this.expression()]
    this.expect(',')
    bounds.push(this.expression())
    if (this.accept(',')) bounds.push(this.expression())
    this.expect('do')
    let slot = 0
    const declare = (): void => {
      slot = this.scope.declare(name)
    }
    const body = this.block(() => this.is('end'), true, declare)
    this.expect('end')
    const { machine } = this
    return (frame) => {
      const [from = 0, to = 0, step = 1] = bounds.map((bound, index) => {
        const value = bound(frame)
        const number = typeof value === 'string' ? parseNumber(value) : value
        if (typeof number === 'number') return number
        machine.line = line
        return machine.fail(`for statement ${['init', 'limit', 'step'][index]!} must be a number`)
      })
      for (let at = from; step >= 0 ? at <= to : at >= to; at += step) {
        machine.step()
        frame.slots[slot] = { value: at }
        const signal = body(frame)
        if (signal !== undefined) return signal.kind === 'break' ? undefined : signal
      }
      return undefined
    }
  }

  private localStatement(): Statement {
    this.skip()
    if (this.accept('function')) {
      const name = this.name()
      const slot = this.scope.declare(name)
      const make = this.functionBody(name, false)
      return (frame) => {
        // the body sees its own name
        const box = { value: undefined as LuaValue }
        frame.slots[slot] = box
        box.value = make(frame)
        return undefined
      }
    }
    const names = [this.name()]
    while (this.accept(',')) names.push(this.name())
    const values = this.accept('=') ? this.expressionList() : undefined
    const slots = names.map((name) => this.scope.declare(name))
    return (frame) => {
      const list = values?.(frame)
      slots.forEach((slot, index) => {
        frame.slots[slot] = { value: list?.[index] }
      })
      return undefined
    }
  }

  private functionStatement(): Statement {
    this.skip()
    let { line } = this.peek()
    let full = this.name()
    let target = this.variable(full)
    let isMethod = false
    while (this.is('.') || this.is(':')) {
      isMethod = this.is(':')
      this.skip()
      ;({ line } = this.peek())
      const key = this.name()
      full += `${isMethod ? ':' : '.'}${key}`
      target = this.member(target, () => key, line)
      if (isMethod) break
    }
    const make = this.functionBody(full, isMethod)
    const { assign } = target
    return (frame) => {
      assign!(frame, make(frame))
      return undefined
    }
  }

  private expressionStatement(): Statement {
    const start = this.peek()
    const first = this.suffixed()
    if (!this.is('=') && !this.is(',')) {
      if (first.many === undefined || !first.isCall) throw this.unexpectedAt(start)
      const { many } = first
      return (frame) => {
        many(frame)
        return undefined
      }
    }
    const targets = [first]
    while (this.accept(',')) targets.push(this.suffixed())
    if (targets.some(({ assign }) => assign === undefined)) throw this.unexpectedAt(this.peek())
    this.expect('=')
    const values = this.expressionList()
    const [only] = targets
    if (targets.length === 1) {
      return (frame) => {
        only!.assign!(frame, values(frame)[0])
        return undefined
      }
    }
    return (frame) => {
      const list = values(frame)
      targets.forEach((target, index) => {
        target.assign!(frame, list[index])
      })
      return undefined
    }
  }
}

function returned(signal: Signal): LuaValue[] {
  return signal?.kind === 'return' ? signal.values : []
}
