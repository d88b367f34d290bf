import { quoteGo } from '../../text/index.ts'
import { checkArgument, constantFor, idealConstant } from './arguments.ts'
import { callOf } from './builtins.ts'
import {
  arityIssue,
  callOfFunction,
  parameterAt,
  shortCircuit,
  type TypedArgument,
  type UntypedArgument,
} from './calls.ts'
import type { Eval, Exec, Nil, Origin, Stage } from './code.ts'
import { isTrue } from './compare.ts'
import { isStackOverflow } from './errors.ts'
import { fieldsOf, methodOf } from './fields.ts'
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
  tracedBranch,
  tracedChain,
  tracedDeclaration,
  tracedDot,
  tracedLoop,
  tracedStatement,
  tracedVariable,
} from './traced.ts'
import { tracerOf } from './tracer.ts'
import { type FunctionTable, GoObject, type ParamType, type Value } from './value.ts'

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

/** A variable, and those that were declared before it. */
interface Variable {
  readonly name: string
  readonly slot: number
  readonly origin: Origin
  readonly outer: Variable | undefined
}

const nothing: Exec = () => 0

/**
 * Because: most programs run most of a template once, right after their start, so that making code is what takes their
 * time. Branches are compiled when they are first taken, texts need no code, and expressions are one function each.
 */
class Compiler {
  private readonly functions: FunctionTable
  /** A file's own statements leave marks. */
  private readonly isFile: boolean
  private readonly isTraced: boolean
  /** The variable that was declared last. */
  private scope: Variable = { name: '$', slot: 0, origin: 'value', outer: undefined }
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
    const { nodes } = list
    if (nodes.length === 0) return nothing
    if (this.isTraced) return this.tracedList(nodes)
    const parts = new Array<string | Exec>(nodes.length)
    for (let i = 0; i < parts.length; i++) {
      const node = nodes[i]!
      parts[i] = node.type === 'text' ? node.text : this.statement(node)
    }
    if (!this.isFile) {
      return (state, dot) => {
        for (let i = 0; i < parts.length; i++) {
          const part = parts[i]!
          if (typeof part === 'string') state.write(part)
          else {
            const signal = part(state, dot)
            if (signal !== 0) return signal
          }
        }
        return 0
      }
    }
    return (state, dot) => {
      for (let i = 0; i < parts.length; i++) {
        if (state.marks !== undefined) state.mark(state.marks, nodes[i]!.pos)
        const part = parts[i]!
        if (typeof part === 'string') state.write(part)
        else {
          const signal = part(state, dot)
          if (signal !== 0) return signal
        }
      }
      return 0
    }
  }

  private tracedList(nodes: readonly Node[]): Exec {
    const parts = nodes.map((node) => tracedStatement(node.pos, this.statement(node)))
    return (state, dot) => {
      for (let i = 0; i < parts.length; i++) {
        const signal = parts[i]!(state, dot)
        if (signal !== 0) return signal
      }
      return 0
    }
  }

  /** A list that is compiled in the scope of where it stands when it is reached for the first time. */
  private later(list: ListNode, origin: Origin): Exec {
    const { scope } = this
    let exec: Exec | undefined
    return (state, dot) => {
      exec ??= this.within(scope, origin, list)
      return exec(state, dot)
    }
  }

  private within(scope: Variable, origin: Origin, list: ListNode): Exec {
    const before = { scope: this.scope, dot: this.dot }
    this.scope = scope
    this.dot = origin
    const exec = this.list(list)
    this.scope = before.scope
    this.dot = before.dot
    return exec
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
    const before = this.scope
    const evaluate = this.pipe(node.pipe)
    const { scope, dot: outer } = this
    const isWith = node.type === 'with'
    const inner = isWith ? 'value' : outer
    const { list, elseList } = node
    let exec: Exec
    if (this.isTraced) {
      const otherwise = elseList === undefined ? undefined : this.later(elseList, outer)
      exec = tracedBranch(node.pos, evaluate, isWith, this.later(list, inner), otherwise)
    } else {
      let then: Exec | undefined
      let otherwise: Exec | undefined
      exec = (state, dot) => {
        const value = evaluate(state, dot)
        if (isTrue(value)) {
          then ??= this.within(scope, inner, list)
          return then(state, isWith ? value : dot)
        }
        if (elseList === undefined) return 0
        otherwise ??= this.within(scope, outer, elseList)
        return otherwise(state, dot)
      }
    }
    this.scope = before
    return exec
  }

  private range(node: BranchNode): Exec {
    const before = this.scope
    const { pipe, elseList } = node
    const evaluate = this.pipe(pipe, 'element')
    const targets = pipe.declared.map((variable) =>
      pipe.assign ? this.assignment(variable) : slotSetter(this.find(variable.name)!.slot),
    )
    // with two variables the first is the index
    const setElement = targets.at(-1)
    const setIndex = targets.length > 1 ? targets[0] : undefined
    const list = this.later(node.list, 'element')
    const otherwise = elseList === undefined ? undefined : this.later(elseList, this.dot)
    const slots = this.slotsOf(pipe)
    this.scope = before
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
    this.scope = { name, slot, origin, outer: this.scope }
    return slot
  }

  private slotsOf(pipe: PipeNode): readonly number[] {
    return pipe.declared.flatMap(({ name }) => this.find(name)?.slot ?? [])
  }

  private find(name: string): Variable | undefined {
    let variable: Variable | undefined = this.scope
    while (variable !== undefined && variable.name !== name) variable = variable.outer
    return variable
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
    const { commands } = pipe
    if (commands.length === 1) return this.command(commands[0]!, pipe, false) as Eval
    const stages = commands.map((command, i) => this.command(command, pipe, i > 0))
    return (state, dot) => {
      let value: Value
      for (let i = 0; i < stages.length; i++) value = stages[i]!(state, dot, value)
      return value
    }
  }

  private command(command: CommandNode, pipe: PipeNode, hasFinal: boolean): Stage {
    const { args } = command
    const first = args[0]!
    switch (first.type) {
      case 'field':
        return this.fields(first, undefined, first.fields, this.dot, args, hasFinal, undefined)
      case 'chain': {
        const base = this.operand(first.base)
        return this.fields(first, base, first.fields, 'value', args, hasFinal, undefined)
      }
      case 'identifier':
        return this.call(first, command, args, hasFinal, undefined)
      case 'variable':
        return this.variable(first, args, hasFinal, undefined)
      default:
        if (args.length > 1 || hasFinal) {
          return notAFunction(first, first.type === 'pipe' ? pipe : first)
        }
        return first.type === 'pipe' ? this.pipe(first) : this.literal(first, undefined)
    }
  }

  /** A literal or dot as a command of its own. */
  private literal(node: Operand, nil: Nil): Eval {
    switch (node.type) {
      case 'dot': {
        const plain: Eval = (state, dot) => {
          state.node = node
          return dot === null ? nil : dot
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
        return this.fields(node, undefined, node.fields, this.dot, none, false, null) as Eval
      case 'chain': {
        const base = this.operand(node.base)
        return this.fields(node, base, node.fields, 'value', none, false, null) as Eval
      }
      case 'identifier':
        return this.call(node, node, none, false, null) as Eval
      case 'variable':
        return this.variable(node, none, false, null) as Eval
      case 'pipe':
        return this.pipe(node)
      default:
        return this.literal(node, null)
    }
  }

  private argument(node: Operand, type: ParamType): TypedArgument {
    const literal = constantFor(type, node)
    if (literal === undefined) return { evaluate: this.operand(node), type }
    const evaluate =
      'error' in literal ? failing(node, literal.error) : constant(node, literal.value)
    return { evaluate, type: 'reflect.Value' }
  }

  private variable(
    node: VariableNode,
    args: readonly Operand[],
    hasFinal: boolean,
    nil: Nil,
  ): Stage {
    const variable = this.find(node.name)
    if (variable === undefined) return failing(node, `undefined variable: ${node.name}`)
    const { slot, origin } = variable
    if (node.fields.length > 0) {
      const base: Eval = (state) => state.vars[slot]
      return this.fields(node, base, node.fields, origin, args, hasFinal, nil, slot)
    }
    if (args.length > 1 || hasFinal) return notAFunction(node, node)
    const plain: Eval = (state) => {
      state.node = node
      const value = state.vars[slot]
      return value === null ? nil : value
    }
    return this.isTraced ? tracedVariable(slot, plain) : plain
  }

  /**
   * `.a.b.c` on the dot (`base` undefined) or on a value; only the last field may be a method with arguments. The first
   * of `args`, where there are any, is the chain itself.
   */
  private fields(
    node: AnyNode,
    base: Eval | undefined,
    fields: readonly string[],
    origin: Origin,
    args: readonly Operand[],
    hasFinal: boolean,
    nil: Nil,
    slot?: number,
  ): Stage {
    if (args.length > 1 || hasFinal) {
      const untyped = args.slice(1).map((operand) => this.untypedArgument(operand))
      return methodOf(node, base, fields, origin, untyped, hasFinal)
    }
    if (!this.isTraced) return fieldsOf(node, base, fields, origin, nil)
    return tracedChain(base, slot, fields, (from) => fieldsOf(node, from, fields, origin, nil))
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

  /** The first of `args`, where there are any, is the name of the function. */
  private call(
    node: IdentifierNode,
    whole: CommandNode | IdentifierNode,
    args: readonly Operand[],
    hasFinal: boolean,
    nil: Nil,
  ): Stage {
    const { name } = node
    const found = this.functions.get(name)
    if (found === undefined) return failing(node, `${quoteGo(name)} is not a defined function`)
    const definition = name === 'call' && args.length > 1 ? callOf(printNode(args[1]!)) : found
    const count = Math.max(0, args.length - 1)
    const wrong = arityIssue(definition, name, count, hasFinal)
    if (wrong !== undefined) return failing(node, wrong)
    const typed = new Array<TypedArgument>(count)
    for (let i = 0; i < count; i++) {
      typed[i] = this.argument(args[i + 1]!, parameterAt(definition, i))
    }
    if (definition.shortCircuit !== undefined) {
      const evals = typed.map(({ evaluate }) => evaluate)
      return shortCircuit(node, definition.shortCircuit === 'or', evals, hasFinal, nil)
    }
    return callOfFunction(node, whole, definition, typed, hasFinal, nil, this.isTraced)
  }
}

const none: readonly Operand[] = []

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
