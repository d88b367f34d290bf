import { checkArgument } from './arguments.ts'
import type { Eval, Nil, Stage } from './code.ts'
import { isTrue } from './compare.ts'
import { BudgetError, FunctionFailure, hostLimit, TemplateError } from './errors.ts'
import type { AnyNode, CommandNode, IdentifierNode } from './nodes.ts'
import type { State } from './state.ts'
import { isLookup, tracedCall } from './traced.ts'
import type { FunctionDef, ParamType, Value } from './value.ts'

/** An argument of a function, and the type that its value is checked against. */
export interface TypedArgument {
  readonly evaluate: Eval
  /** `reflect.Value` where there is nothing to check. */
  readonly type: ParamType
}

/** An argument whose parameter is known only when the method is. */
export type UntypedArgument = (state: State, dot: Value, type: ParamType) => Value

/** The type of an argument by its place. */
export function parameterAt(definition: FunctionDef, index: number): ParamType {
  const { params } = definition
  return params[Math.min(index, params.length - 1)] ?? 'interface {}'
}

/** What is wrong with the number of arguments. */
export function arityIssue(
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

/** A call of a function whose number of arguments is right. */
export function callOfFunction(
  node: IdentifierNode,
  whole: CommandNode | IdentifierNode,
  definition: FunctionDef,
  typed: readonly TypedArgument[],
  hasFinal: boolean,
  nil: Nil,
  isTraced: boolean,
): Stage {
  const { name } = node
  const finalType = parameterAt(definition, typed.length)
  const seen = isTraced && isLookup(name)
  const count = typed.length
  // includes nest through here, so frames must be few and small
  return (state, dot, final) => {
    state.node = node
    const args = argumentsOf(typed, state, dot, hasFinal)
    if (hasFinal) args[count] = checkArgument(state, finalType, final)
    const { run } = state
    run.step()
    run.chargeArguments(args)
    let value: Value
    try {
      value = definition.call(args, state)
    } catch (error) {
      return calledBadly(state, name, whole, error)
    }
    if (seen) tracedCall(name, state, args, value)
    run.chargeResult(value)
    return value ?? nil
  }
}

function checked({ evaluate, type }: TypedArgument, state: State, dot: Value): Value {
  const value = evaluate(state, dot)
  if (type === 'reflect.Value' || (type === 'string' && typeof value === 'string')) return value
  return checkArgument(state, type, value)
}

/** The arguments that are written out, with room for the final one: an array that grows takes room for many. */
function argumentsOf(
  typed: readonly TypedArgument[],
  state: State,
  dot: Value,
  hasFinal: boolean,
): Value[] {
  const count = typed.length
  if (hasFinal) {
    if (count === 0) return [undefined]
    if (count === 1) return [checked(typed[0]!, state, dot), undefined]
  } else if (count === 1) return [checked(typed[0]!, state, dot)]
  else if (count === 2) return [checked(typed[0]!, state, dot), checked(typed[1]!, state, dot)]
  const args = new Array<Value>(hasFinal ? count + 1 : count)
  for (let i = 0; i < count; i++) args[i] = checked(typed[i]!, state, dot)
  return args
}

/** A call of a method of a value, which was found while running. */
export function callMethod(
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

/** `and` and `or`, which evaluate no more arguments than they need. */
export function shortCircuit(
  node: IdentifierNode,
  stopAt: boolean,
  args: readonly Eval[],
  hasFinal: boolean,
  nil: Nil,
): Stage {
  return (state, dot, final) => {
    state.node = node
    state.run.step()
    let value: Value
    for (let i = 0; i < args.length; i++) {
      value = args[i]!(state, dot)
      if (isTrue(value) === stopAt) return value === null ? nil : value
    }
    const last = hasFinal ? final : value
    return last === null ? nil : last
  }
}
