import { quoteGo } from '../../text/index.ts'
import { checkArgument, constantFor, idealConstant } from './arguments.ts'
import { callOf } from './builtins.ts'
import { isTrue } from './compare.ts'
import { BudgetError, FunctionFailure, isStackOverflow, TemplateError } from './errors.ts'
import { formatValue } from './format.ts'
import type {
  AnyNode,
  BranchNode,
  CommandNode,
  IdentifierNode,
  ListNode,
  Node,
  Operand,
  PipeNode,
  TemplateNode,
  VariableNode,
} from './nodes.ts'
import { printNode } from './nodes.ts'
import type { Tree } from './parse.ts'
import { roundsOf } from './range.ts'
import { State } from './state.ts'
import {
  isLookup,
  tracedBranch,
  tracedCall,
  tracedChain,
  tracedDeclaration,
  tracedDot,
  tracedLoop,
  tracedStatement,
  tracedVariable,
} from './traced.ts'
import { tracerOf } from './tracer.ts'
import {
  type FunctionDef,
  type FunctionTable,
  GoObject,
  type ParamType,
  Struct,
  TypedMap,
  typeName,
  type Value,
} from './value.ts'

/** What a statement asks the loop around it to do: go on, break, continue. */
export type Signal = 0 | 1 | 2
type Exec = (state: State, dot: Value) => Signal
type Eval = (state: State, dot: Value) => Value
/** A stage of a pipeline; `final` is the value of the stage before, where there is one. */
type Stage = (state: State, dot: Value, final: Value) => Value

export interface CompiledTree {
  readonly exec: Exec
  /** Number of variables, `$` included. */
  readonly slots: number
}

const compiled = new WeakMap<
  Tree,
  { readonly functions: FunctionTable; readonly code: CompiledTree }
>()

/** Turns a tree into closures, once for each table of functions. */
export function compileTree(tree: Tree, functions: FunctionTable): CompiledTree {
  const known = compiled.get(tree)
  if (known !== undefined && known.functions === functions) return known.code
  const code = new Compiler(functions, tree.name === undefined, false).tree(tree.root)
  compiled.set(tree, { functions, code })
  return code
}

const compiledTraced: typeof compiled = new WeakMap()

/** The same for runs with a tracer, which must be there. */
export function compileTraced(tree: Tree, functions: FunctionTable): CompiledTree {
  const known = compiledTraced.get(tree)
  if (known !== undefined && known.functions === functions) return known.code
  const code = new Compiler(functions, tree.name === undefined, true).tree(tree.root)
  compiledTraced.set(tree, { functions, code })
  return code
}

/** Where a dot or variable got its value, for the type that errors name. */
type Origin = 'value' | 'element'

interface Variable {
  readonly name: string
  readonly slot: number
  readonly origin: Origin
}

class Compiler {
  private readonly functions: FunctionTable
  /** A file's own statements leave marks. */
  private readonly isFile: boolean
  private readonly isTraced: boolean
  private scope: Variable[] = [{ name: '$', slot: 0, origin: 'value' }]
  private slots = 1
  private dot: Origin = 'value'

  constructor(functions: FunctionTable, isFile: boolean, isTraced: boolean) {
    this.functions = functions
    this.isFile = isFile
    this.isTraced = isTraced
  }

  tree(root: ListNode): CompiledTree {
    const exec = this.list(root)
    return { exec, slots: this.slots }
  }

  private list(list: ListNode): Exec {
    const parts = list.nodes.map((node) => this.marked(node, this.statement(node)))
    if (parts.length === 0) return () => 0
    if (parts.length === 1) return parts[0]!
    return (state, dot) => {
      for (let i = 0; i < parts.length; i++) {
        const signal = parts[i]!(state, dot)
        if (signal !== 0) return signal
      }
      return 0
    }
  }

  /**
   * A list that is compiled when it is reached for the first time; `keep` then takes it in place of what is returned.
   *
   * Because: most branches of most charts are never taken, and compiling them takes long in a first render.
   */
  private later(list: ListNode, keep: (exec: Exec) => void): Exec {
    const scope = [...this.scope]
    const { dot } = this
    return (state, value) => {
      const before = { scope: this.scope, dot: this.dot }
      this.scope = [...scope]
      this.dot = dot
      const exec = this.list(list)
      this.scope = before.scope
      this.dot = before.dot
      keep(exec)
      return exec(state, value)
    }
  }

  private marked(node: Node, exec: Exec): Exec {
    const { pos } = node
    if (this.isTraced) return tracedStatement(pos, exec)
    if (!this.isFile) return exec
    return (state, dot) => {
      if (state.marks !== undefined) state.mark(state.marks, pos)
      return exec(state, dot)
    }
  }

  private statement(node: Node): Exec {
    switch (node.type) {
      case 'text': {
        const { text } = node
        return (state) => {
          state.write(text)
          return 0
        }
      }
      case 'action':
        return this.action(node.pipe)
      case 'if':
      case 'with':
        return this.branch(node)
      case 'range':
        return this.range(node)
      case 'template':
        return this.template(node)
      case 'break':
        return () => 1
      case 'continue':
        return () => 2
      case 'list':
        return this.list(node)
    }
  }

  private action(pipe: PipeNode): Exec {
    const evaluate = this.pipe(pipe)
    if (pipe.declared.length > 0) {
      return (state, dot) => {
        evaluate(state, dot)
        return 0
      }
    }
    return (state, dot) => {
      const value = evaluate(state, dot)
      state.write(typeof value === 'string' ? value : printable(value))
      return 0
    }
  }

  private branch(node: BranchNode): Exec {
    const mark = this.scope.length
    const evaluate = this.pipe(node.pipe)
    const outer = this.dot
    const isWith = node.type === 'with'
    const inner = this.scope.length
    if (isWith) this.dot = 'value'
    let list = this.later(node.list, (exec) => {
      list = exec
    })
    this.dot = outer
    this.scope.length = inner
    let otherwise =
      node.elseList === undefined
        ? undefined
        : this.later(node.elseList, (exec) => {
            otherwise = exec
          })
    this.scope.length = mark
    if (this.isTraced) return tracedBranch(node.pos, evaluate, isWith, list, otherwise)
    return (state, dot) => {
      const value = evaluate(state, dot)
      if (isTrue(value)) return list(state, isWith ? value : dot)
      return otherwise === undefined ? 0 : otherwise(state, dot)
    }
  }

  private range(node: BranchNode): Exec {
    const mark = this.scope.length
    const { pipe } = node
    const evaluate = this.pipe(pipe, 'element')
    const targets = pipe.declared.map((variable) =>
      pipe.assign
        ? this.assignment(variable)
        : slotSetter(this.scope.findLast(({ name }) => name === variable.name)!.slot),
    )
    // with two variables the first is the index
    const setElement = targets.at(-1)
    const setIndex = targets.length > 1 ? targets[0] : undefined
    const outer = this.dot
    const inner = this.scope.length
    this.dot = 'element'
    let list = this.later(node.list, (exec) => {
      list = exec
    })
    this.dot = outer
    this.scope.length = inner
    let otherwise =
      node.elseList === undefined
        ? undefined
        : this.later(node.elseList, (exec) => {
            otherwise = exec
          })
    const slots = this.slotsOf(pipe)
    this.scope.length = mark
    if (this.isTraced) {
      return (state, dot) => {
        const tracer = tracerOf(state.run)!
        const loop = tracedLoop(state, dot, evaluate)
        const outerType = state.elementType
        const rounds = roundsOf(state, loop.over, setIndex !== undefined)
        const { size } = rounds
        for (let i = 0; i < size; i++) {
          const element = rounds.element(i)
          const reads = loop.readsOf(rounds, i)
          state.elementType = rounds.elementType
          state.run.step()
          state.run.checkSize(state.out.length)
          setElement?.(state, element)
          setIndex?.(state, rounds.index(i))
          for (const slot of slots) tracer.assign(state, slot, reads)
          if (tracer.inside(reads, false, node.pos, () => list(state, element)) === 1) break
        }
        state.elementType = outerType
        if (size > 0 || otherwise === undefined) return 0
        return otherwise(state, dot)
      }
    }
    return (state, dot) => {
      const over = evaluate(state, dot)
      const outerType = state.elementType
      const rounds = roundsOf(state, over, setIndex !== undefined)
      const { size } = rounds
      for (let i = 0; i < size; i++) {
        const element = rounds.element(i)
        state.elementType = rounds.elementType
        state.run.step()
        state.run.checkSize(state.out.length)
        setElement?.(state, element)
        setIndex?.(state, rounds.index(i))
        if (list(state, element) === 1) break
      }
      state.elementType = outerType
      if (size > 0 || otherwise === undefined) return 0
      return otherwise(state, dot)
    }
  }

  private template(node: TemplateNode): Exec {
    const evaluate = node.pipe === undefined ? undefined : this.pipe(node.pipe)
    const { functions } = this
    const compile = this.isTraced ? compileTraced : compileTree
    return (state, dot) => {
      state.node = node
      const template = state.set.lookup(node.name)
      if (template === undefined) return state.fail(`template ${quoteGo(node.name)} not defined`)
      const data = evaluate?.(state, dot)
      const code = compile(template.tree, functions)
      const { run } = state
      if (state.depth >= run.limits.depth) tooDeep(state, node)
      run.step()
      const inner = new State(template, state, data, code.slots)
      tracerOf(run)?.enter(template)
      try {
        code.exec(inner, data)
      } catch (error) {
        // a host's stack ends long before Go's; where that much is left again, say what Go would say
        if (isStackOverflow(error) && state.depth > 200) tooDeep(state, node)
        throw error
      }
      tracerOf(run)?.leave(inner.out)
      state.write(inner.out)
      return 0
    }
  }

  private addVariable(name: string, origin: Origin): number {
    const slot = this.slots++
    this.scope.push({ name, slot, origin })
    return slot
  }

  private slotsOf(pipe: PipeNode): readonly number[] {
    return pipe.declared.flatMap(({ name }) => this.find(name)?.slot ?? [])
  }

  private find(name: string): Variable | undefined {
    return this.scope.findLast((variable) => variable.name === name)
  }

  private assignment(node: VariableNode): (state: State, value: Value) => void {
    const variable = this.find(node.name)
    if (variable === undefined) {
      return (state) => state.fail(`undefined variable: ${node.name}`)
    }
    return slotSetter(variable.slot)
  }

  /** `origin`: what kind of value its declared variables will hold. */
  private pipe(pipe: PipeNode, origin: Origin = 'value'): Eval {
    const evaluate = this.stages(pipe)
    if (pipe.declared.length === 0) return evaluate
    const setters = pipe.declared.map((variable) =>
      pipe.assign ? this.assignment(variable) : slotSetter(this.addVariable(variable.name, origin)),
    )
    if (this.isTraced) {
      return tracedDeclaration(evaluate, this.slotsOf(pipe), (state, value) => {
        for (const set of setters) set(state, value)
      })
    }
    return (state, dot) => {
      const value = evaluate(state, dot)
      for (const set of setters) set(state, value)
      return value
    }
  }

  private stages(pipe: PipeNode): Eval {
    const [only] = pipe.commands
    if (pipe.commands.length === 1 && only!.args[0]!.type === 'identifier') {
      return this.call(only!.args[0]!, only!, only!.args.slice(1), false, undefined) as Eval
    }
    const stages = pipe.commands.map((command, i) => this.command(command, pipe, i > 0))
    const first = stages[0]!
    if (stages.length === 1) {
      return (state, dot) => {
        const value = first(state, dot, undefined)
        return value === null ? undefined : value
      }
    }
    return (state, dot) => {
      let value: Value
      for (let i = 0; i < stages.length; i++) {
        value = stages[i]!(state, dot, value)
        if (value === null) value = undefined
      }
      return value
    }
  }

  private command(command: CommandNode, pipe: PipeNode, hasFinal: boolean): Stage {
    const first = command.args[0]!
    const rest = command.args.slice(1)
    const takesArguments = rest.length > 0 || hasFinal
    switch (first.type) {
      case 'field':
        return this.chain(first, undefined, first.fields, this.dot, rest, hasFinal)
      case 'chain':
        return this.chain(first, this.operand(first.base), first.fields, 'value', rest, hasFinal)
      case 'identifier':
        return this.call(first, command, rest, hasFinal, null)
      case 'variable':
        return this.variable(first, rest, hasFinal)
      case 'pipe':
        return takesArguments ? notAFunction(first, pipe) : this.pipe(first)
      default:
        if (takesArguments) return notAFunction(first, first)
        return this.literal(first)
    }
  }

  /** A literal or dot as a command of its own. */
  private literal(node: Operand): Eval {
    switch (node.type) {
      case 'dot': {
        const plain: Eval = (state, dot) => {
          state.node = node
          return dot
        }
        return this.isTraced ? tracedDot(plain) : plain
      }
      case 'nil':
        return failing(node, 'nil is not a command')
      case 'bool':
      case 'string':
        return constant(node, node.value)
      case 'number': {
        const result = idealConstant(node)
        return 'error' in result ? failing(node, result.error) : constant(node, result.value)
      }
      default:
        return this.operand(node)
    }
  }

  /** A node as an argument whose type does not matter. */
  private operand(node: Operand): Eval {
    switch (node.type) {
      case 'field':
        return this.chain(node, undefined, node.fields, this.dot, [], false) as Eval
      case 'chain':
        return this.chain(node, this.operand(node.base), node.fields, 'value', [], false) as Eval
      case 'identifier':
        return this.call(node, node, [], false, null) as Eval
      case 'variable':
        return this.variable(node, [], false) as Eval
      case 'pipe':
        return this.pipe(node)
      default:
        return this.literal(node)
    }
  }

  private argument(node: Operand, type: ParamType): Eval {
    const literal = constantFor(type, node)
    if (literal !== undefined) {
      return 'error' in literal ? failing(node, literal.error) : constant(node, literal.value)
    }
    const evaluate = this.operand(node)
    switch (type) {
      case 'reflect.Value':
        return evaluate
      case 'string':
        return (state, dot) => {
          const value = evaluate(state, dot)
          return typeof value === 'string' ? value : checkArgument(state, type, value)
        }
      default:
        return (state, dot) => checkArgument(state, type, evaluate(state, dot))
    }
  }

  private variable(node: VariableNode, rest: readonly Operand[], hasFinal: boolean): Stage {
    const variable = this.find(node.name)
    if (variable === undefined) return failing(node, `undefined variable: ${node.name}`)
    const { slot, origin } = variable
    if (node.fields.length > 0) {
      const base: Eval = (state) => state.vars[slot]
      return this.chain(node, base, node.fields, origin, rest, hasFinal, slot)
    }
    if (rest.length > 0 || hasFinal) return notAFunction(node, node)
    const plain: Eval = (state) => {
      state.node = node
      return state.vars[slot]
    }
    return this.isTraced ? tracedVariable(slot, plain) : plain
  }

  /** `.a.b.c` on the dot (`base` undefined) or on a value; only the last field may be a method with arguments. */
  private chain(
    node: AnyNode,
    base: Eval | undefined,
    fields: readonly string[],
    origin: Origin,
    rest: readonly Operand[],
    hasFinal: boolean,
    slot?: number,
  ): Stage {
    const make = (from: Eval | undefined): Stage =>
      this.untracedChain(node, from, fields, origin, rest, hasFinal)
    const isPlain = rest.length === 0 && !hasFinal
    return this.isTraced && isPlain ? tracedChain(base, slot, fields, make) : make(base)
  }

  private untracedChain(
    node: AnyNode,
    base: Eval | undefined,
    fields: readonly string[],
    origin: Origin,
    rest: readonly Operand[],
    hasFinal: boolean,
  ): Stage {
    const last = fields.length - 1
    const path = fields.join('.')
    if (rest.length === 0 && !hasFinal) {
      const isChain = node.type === 'chain'
      return (state, dot) => {
        state.node = node
        let value = base === undefined ? dot : base(state, dot)
        if (state.run.reads !== undefined && !isChain && value === state.run.root) {
          state.run.reads.add(path)
        }
        let holder: Value
        for (let i = 0; i <= last; i++) {
          const receiver = value
          if (receiver instanceof Map) {
            const entry = receiver.get(fields[i]!)
            value = entry === undefined ? missing(state, fields[i]!) : entry
          } else value = fieldOf(state, node, receiver, fields[i]!, i === 0 ? origin : holder)
          holder = receiver
        }
        return value
      }
    }
    const finish = this.method(node, fields[last]!, rest, hasFinal)
    return (state, dot, final) => {
      state.node = node
      let value = base === undefined ? dot : base(state, dot)
      let holder: Value
      for (let i = 0; i < last; i++) {
        const receiver = value
        value = fieldOf(state, node, receiver, fields[i]!, i === 0 ? origin : holder)
        holder = receiver
      }
      return finish(state, dot, value, last === 0 ? origin : holder, final)
    }
  }

  /** The last field of a chain that was given arguments: a method, or an error. */
  private method(
    node: AnyNode,
    name: string,
    rest: readonly Operand[],
    hasFinal: boolean,
  ): (state: State, dot: Value, receiver: Value, holder: Value | Origin, final: Value) => Value {
    const args = rest.map((operand) => this.untypedArgument(operand))
    return (state, dot, receiver, holder, final) => {
      if (receiver === undefined) return undefined
      const definition = receiver instanceof GoObject ? receiver.method(name) : undefined
      if (definition !== undefined) {
        return callMethod(state, dot, definition, name, node, args, hasFinal, final)
      }
      if (receiver instanceof Map || receiver instanceof TypedMap) {
        state.fail(`${name} is not a method but has arguments`)
      }
      if (receiver instanceof Struct && receiver.fields.has(name)) {
        state.fail(`${name} has arguments but cannot be invoked as function`)
      }
      return fieldOf(state, node, receiver, name, holder)
    }
  }

  /** An argument whose parameter is known only when the method is. */
  private untypedArgument(node: Operand): UntypedArgument {
    if (['bool', 'string', 'number', 'nil'].includes(node.type)) {
      return (state, _dot, type) => {
        state.node = node
        const literal = constantFor(type, node)!
        return 'error' in literal ? state.fail(literal.error) : literal.value
      }
    }
    const evaluate = this.operand(node)
    return (state, dot, type) => checkArgument(state, type, evaluate(state, dot))
  }

  /** `nil` is what a nil result becomes: a nil interface as an argument, nothing where it ends a pipeline. */
  private call(
    node: IdentifierNode,
    whole: CommandNode | IdentifierNode,
    rest: readonly Operand[],
    hasFinal: boolean,
    nil: null | undefined,
  ): Stage {
    const { name } = node
    const found = this.functions.get(name)
    if (found === undefined) return failing(node, `${quoteGo(name)} is not a defined function`)
    const definition = name === 'call' && rest[0] !== undefined ? callOf(printNode(rest[0])) : found
    const wrong = arityIssue(definition, name, rest.length, hasFinal)
    if (wrong !== undefined) return failing(node, wrong)
    const typed = rest.map((operand, i) => this.argument(operand, parameterAt(definition, i)))
    if (definition.shortCircuit !== undefined) {
      return shortCircuit(node, definition.shortCircuit === 'or', typed, hasFinal)
    }
    const finalType = parameterAt(definition, rest.length)
    const seen = this.isTraced && isLookup(name)
    const count = typed.length
    const [first, second] = typed
    // includes nest through here, so frames must be few and small
    return (state, dot, final) => {
      state.node = node
      let args: Value[]
      if (count === 1) args = [first!(state, dot)]
      else if (count === 2) args = [first!(state, dot), second!(state, dot)]
      else args = evaluateAll(typed, state, dot)
      if (hasFinal) args.push(checkArgument(state, finalType, final))
      state.run.step()
      state.run.chargeArguments(args)
      let value: Value
      try {
        value = definition.call(args, state)
      } catch (error) {
        return calledBadly(state, name, whole, error)
      }
      if (seen) tracedCall(name, state, args, value)
      state.run.chargeResult(value)
      return value ?? nil
    }
  }
}

function evaluateAll(evals: readonly Eval[], state: State, dot: Value): Value[] {
  const args = new Array<Value>(evals.length)
  for (let i = 0; i < evals.length; i++) args[i] = evals[i]!(state, dot)
  return args
}

type UntypedArgument = (state: State, dot: Value, type: ParamType) => Value

function parameterAt(definition: FunctionDef, index: number): ParamType {
  const { params } = definition
  return params[Math.min(index, params.length - 1)] ?? 'interface {}'
}

function arityIssue(
  definition: FunctionDef,
  name: string,
  written: number,
  hasFinal: boolean,
): string | undefined {
  const given = written + (hasFinal ? 1 : 0)
  const { params } = definition
  if (definition.variadic === true) {
    const least = params.length - 1
    return given < least
      ? `wrong number of args for ${name}: want at least ${least} got ${written}`
      : undefined
  }
  return given === params.length
    ? undefined
    : `wrong number of args for ${name}: want ${params.length} got ${given}`
}

function callMethod(
  state: State,
  dot: Value,
  definition: FunctionDef,
  name: string,
  node: AnyNode,
  operands: readonly UntypedArgument[],
  hasFinal: boolean,
  final: Value,
): Value {
  const wrong = arityIssue(definition, name, operands.length, hasFinal)
  if (wrong !== undefined) state.fail(wrong)
  const args = operands.map((operand, i) => operand(state, dot, parameterAt(definition, i)))
  if (hasFinal) {
    args.push(checkArgument(state, parameterAt(definition, operands.length), final))
  }
  state.run.step()
  let value: Value
  try {
    value = definition.call(args, state)
  } catch (error) {
    return calledBadly(state, name, node, error)
  }
  state.run.chargeResult(value)
  return value ?? null
}

/** Wraps what goes wrong into `error calling NAME: …`. */
function calledBadly(state: State, name: string, node: AnyNode, error: unknown): never {
  if (error instanceof BudgetError) throw error
  if (error instanceof FunctionFailure || error instanceof TemplateError) {
    state.node = node
    state.fail(`error calling ${name}: ${error.message}`, error)
  }
  throw hostLimit(error) ?? error
}

/** The host's own limits: a call stack, a string or an array that cannot grow further. */
export function hostLimit(error: unknown): BudgetError | undefined {
  if (isStackOverflow(error)) {
    return new BudgetError(
      'template budget exceeded: templates nested deeper than the stack of the host allows',
    )
  }
  return error instanceof RangeError
    ? new BudgetError(`template budget exceeded: ${error.message}`)
    : undefined
}

function shortCircuit(
  node: IdentifierNode,
  stopAt: boolean,
  args: readonly Eval[],
  hasFinal: boolean,
): Stage {
  return (state, dot, final) => {
    state.node = node
    state.run.step()
    let value: Value
    for (let i = 0; i < args.length; i++) {
      value = args[i]!(state, dot)
      if (isTrue(value) === stopAt) return value
    }
    return hasFinal ? final : value
  }
}

function constant(node: Operand, value: Value): Eval {
  return (state) => {
    state.node = node
    return value
  }
}

function failing(node: AnyNode, message: string): Eval {
  return (state) => {
    state.node = node
    return state.fail(message)
  }
}

function notAFunction(first: Operand, at: AnyNode): Eval {
  return failing(at, `can't give argument to non-function ${printNode(first)}`)
}

function slotSetter(slot: number): (state: State, value: Value) => void {
  return (state, value) => {
    state.vars[slot] = value
  }
}

/** What a key that a map does not have gives. */
function missing(state: State, name: string): Value {
  switch (state.run.missingKey) {
    case 'zero':
      return null
    case 'default':
      return undefined
    case 'error':
      return state.fail(`map has no entry for key ${quoteGo(name)}`)
  }
}

/**
 * One step of a field chain without arguments. `holder` is what the receiver was taken out of, or where it came from:
 * errors name the static type it has there.
 */
function fieldOf(
  state: State,
  node: AnyNode,
  receiver: Value,
  name: string,
  holder: Value | Origin,
): Value {
  if (receiver === undefined) {
    if (state.run.missingKey === 'error') {
      return state.fail(`nil data; no entry for key ${quoteGo(name)}`)
    }
    return undefined
  }
  if (receiver === null) return state.fail(`nil pointer evaluating interface {}.${name}`)
  if (receiver instanceof Map) {
    const entry = receiver.get(name)
    return entry === undefined ? missing(state, name) : entry
  }
  if (receiver instanceof GoObject) {
    const method = receiver.method(name)
    if (method !== undefined) {
      return callMethod(state, undefined, method, name, node, [], false, undefined)
    }
    if (receiver instanceof TypedMap) {
      const entry = receiver.map.get(name)
      return entry === undefined ? receiver.zero : entry
    }
    if (receiver instanceof Struct && receiver.fields.has(name)) {
      if (/^\p{Lu}/u.test(name)) return receiver.fields.get(name)
      const type = staticType(state, receiver, holder)
      return state.fail(`${name} is an unexported field of struct type ${type}`)
    }
  }
  return state.fail(`can't evaluate field ${name} in type ${staticType(state, receiver, holder)}`)
}

function staticType(state: State, receiver: Value, holder: Value | Origin): string {
  if (holder === 'element') return state.elementType
  if (holder instanceof Map) return 'interface {}'
  if (holder instanceof TypedMap) return holder.elementType
  return typeName(receiver)
}

function tooDeep(state: State, node: TemplateNode): never {
  state.node = node
  return state.fail('exceeded maximum template depth (100000)')
}

/** What an action prints: nil is `<no value>`. */
function printable(value: Value): string {
  if (value === undefined || value === null) return '<no value>'
  if (value instanceof GoObject) {
    const text = value.addressableText()
    if (text !== undefined) return text
    // a pointer is followed before it is printed
    if (value.kind === 'ptr') return formatValue(value).replace(/^&/, '')
  }
  return formatValue(value)
}
