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
import type { Eval, Nil, Origin, Stage } from './code.ts'
import { fieldsOf, methodOf } from './fields.ts'
import {
  type AnyNode,
  type CommandNode,
  type IdentifierNode,
  type Operand,
  type PipeNode,
  printNode,
  type VariableNode,
} from './nodes.ts'
import type { State } from './state.ts'
import { tracedChain, tracedDeclaration, tracedDot, tracedVariable } from './traced.ts'
import type { FunctionTable, ParamType, Value } from './value.ts'

/** A variable, and those that were declared before it. */
export interface Variable {
  readonly name: string
  readonly slot: number
  readonly outer: Variable | undefined
  /** Declared where `and` or `or` may not come to: at run time it may not be there. */
  isUncertain: boolean
}

/** What is at the slot of a variable that `and` or `or` did not come to. */
const undeclared: Value = []

/** Where nothing is declared. */
const noScope: Variable = { name: '', slot: 0, outer: undefined, isUncertain: false }

/** Compiles the pipelines of one template, and knows its variables. */
export class Expressions {
  /** The variable that was declared last; whoever enters a block sets it back at its end. */
  scope: Variable = { name: '$', slot: 0, outer: undefined, isUncertain: false }
  /** What kind of value the dot is where the next pipeline stands. */
  dot: Origin
  /** Number of variables so far, `$` included. */
  slots = 1
  private readonly functions: FunctionTable
  private readonly isTraced: boolean

  constructor(functions: FunctionTable, isTraced: boolean) {
    this.functions = functions
    this.isTraced = isTraced
  }

  private addVariable(name: string): number {
    const slot = this.slots++
    this.scope = { name, slot, outer: this.scope, isUncertain: false }
    return slot
  }

  /** The slots of the variables that a pipeline declares or sets. */
  slotsOf({ assign, declared }: PipeNode): readonly number[] {
    if (assign) return declared.flatMap(({ name }) => this.find(name)?.slot ?? [])
    // they are the last ones, and two may have the same name
    const slots: number[] = []
    let variable: Variable | undefined = this.scope
    for (let i = declared.length - 1; i >= 0; i--) {
      slots[i] = variable!.slot
      variable = variable!.outer
    }
    return slots
  }

  /** The innermost variable of that name. */
  find(name: string, scope: Variable = this.scope): Variable | undefined {
    let variable: Variable | undefined = scope
    while (variable !== undefined && variable.name !== name) variable = variable.outer
    return variable
  }

  /** How a variable that exists is set. */
  assignment(
    node: VariableNode,
    scope: Variable = this.scope,
  ): (state: State, value: Value) => void {
    const variable = this.find(node.name, scope)
    if (variable === undefined) {
      return (state) => state.fail(`undefined variable: ${node.name}`)
    }
    const { slot } = variable
    const set = slotSetter(slot)
    if (!variable.isUncertain) return set
    const setOther = this.assignment(node, variable.outer ?? noScope)
    return (state, value) => (state.vars[slot] === undeclared ? setOther : set)(state, value)
  }

  /** A pipeline, which declares its variables in the scope. */
  pipe(pipe: PipeNode): Eval {
    const evaluate = this.stages(pipe)
    if (pipe.declared.length === 0) return evaluate
    const setters = pipe.declared.map((variable) =>
      pipe.assign ? this.assignment(variable) : slotSetter(this.addVariable(variable.name)),
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
        return this.fields(first, base, first.fields, undefined, args, hasFinal, undefined)
      }
      case 'identifier':
        return this.call(first, command, args, hasFinal, undefined)
      case 'variable':
        return this.variable(first, args, hasFinal, undefined)
      default:
        if (args.length > 1 || hasFinal) {
          // of a pipeline in parentheses Go has not taken note yet
          return notAFunction(first, first.type !== 'pipe' ? first : hasFinal ? undefined : pipe)
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
        return this.fields(node, base, node.fields, undefined, none, false, null) as Eval
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

  /** A stage that need not come to what declares the variables since `certain`. */
  private undeclaring(certain: Variable, stage: Stage): Stage {
    const slots: number[] = []
    for (let variable = this.scope; variable !== certain; variable = variable.outer!) {
      variable.isUncertain = true
      slots.push(variable.slot)
    }
    return (state, dot, final) => {
      for (const slot of slots) state.vars[slot] = undeclared
      return stage(state, dot, final)
    }
  }

  private variable(
    node: VariableNode,
    args: readonly Operand[],
    hasFinal: boolean,
    nil: Nil,
    scope: Variable = this.scope,
  ): Stage {
    const variable = this.find(node.name, scope)
    if (variable === undefined) return failing(node, `undefined variable: ${node.name}`)
    const { slot } = variable
    const stage = this.variableAt(slot, node, args, hasFinal, nil)
    if (!variable.isUncertain) return stage
    const other = this.variable(node, args, hasFinal, nil, variable.outer ?? noScope)
    return (state, dot, final) =>
      (state.vars[slot] === undeclared ? other : stage)(state, dot, final)
  }

  private variableAt(
    slot: number,
    node: VariableNode,
    args: readonly Operand[],
    hasFinal: boolean,
    nil: Nil,
  ): Stage {
    if (node.fields.length > 0) {
      const base: Eval = (state) => state.vars[slot]
      return this.fields(node, base, node.fields, slot, args, hasFinal, nil, slot)
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
    let certain = this.scope
    for (let i = 0; i < count; i++) {
      if (i === 1) certain = this.scope
      typed[i] = this.argument(args[i + 1]!, parameterAt(definition, i))
    }
    if (definition.shortCircuit !== undefined) {
      const evals = typed.map(({ evaluate }) => evaluate)
      const stage = shortCircuit(node, definition.shortCircuit === 'or', evals, hasFinal, nil)
      return count > 1 && this.scope !== certain ? this.undeclaring(certain, stage) : stage
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

/** Fails at the node, or where none is given at the one that was entered last. */
function failing(node: AnyNode | undefined, message: string): Eval {
  return (state) => {
    if (node !== undefined) state.node = node
    return state.fail(message)
  }
}

function notAFunction(first: Operand, at: AnyNode | undefined): Eval {
  return failing(at, `can't give argument to non-function ${printNode(first)}`)
}

/** Sets a variable. */
export function slotSetter(slot: number): (state: State, value: Value) => void {
  return (state, value) => {
    state.assign(slot, value)
  }
}
