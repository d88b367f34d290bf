// lang/jq: the jq language with the meaning of gojq 0.12.19: filters, paths, updates, but no modules, input or clock.
// In: a program and JSON values. Out: JSON values, one after the other. Never: Kubernetes, I/O, endless runs.

import { CompareError } from '../../errors/index.ts'
import type { Json } from '../../json/index.ts'
import { CompileIssue, compileAst } from './compile.ts'
import { SyntaxIssue } from './lexer.ts'
import { Machine, type Node, StepsExhausted } from './machine.ts'
import { parseJq } from './parser.ts'
import { JqError } from './values.ts'

export interface JqLimits {
  /** Steps of the interpreter; a step takes some tens of nanoseconds. */
  readonly maxSteps?: number
}

export interface JqProgram {
  readonly source: string
  /**
   * The outputs for one input, computed as they are asked for. Throws CompareError: JQ_INVALID with gojq's message where
   * the program fails, BUDGET_EXCEEDED where it uses up its steps.
   */
  run(input: Json, limits?: JqLimits): Generator<Json, void, undefined>
}

// Argo CD gives a program one second
const defaultMaxSteps = 5_000_000

/**
 * Compiles a program. Throws CompareError JQ_INVALID with gojq's message where it cannot be parsed or uses a name that is
 * not defined.
 *
 * Source: github.com/itchyny/gojq v0.12.19
 *
 * @example
 * [...compileJq('del(.a[] | select(. > 1))').run({ a: [1, 2] })] // [{ a: [1] }]
 */
export function compileJq(source: string): JqProgram {
  const node = compile(source)
  return { source, run: (input, limits = {}) => run(source, node, input, limits) }
}

function compile(source: string): Node {
  try {
    return compileAst(parseJq(source))
  } catch (error) {
    if (!(error instanceof SyntaxIssue || error instanceof CompileIssue)) throw error
    throw new CompareError('JQ_INVALID', error.message, { data: { program: source } })
  }
}

function* run(
  source: string,
  node: Node,
  input: Json,
  { maxSteps = defaultMaxSteps }: JqLimits,
): Generator<Json, void, undefined> {
  const machine = new Machine(maxSteps)
  machine.start(node, input)
  for (;;) {
    const output = guarded(source, machine, maxSteps)
    if (output === undefined) return
    yield output.value
  }
}

function guarded(
  source: string,
  machine: Machine,
  maxSteps: number,
): { readonly value: Json } | undefined {
  try {
    return machine.resume()
  } catch (error) {
    if (error instanceof JqError) throw new CompareError('JQ_INVALID', error.message)
    if (error instanceof StepsExhausted) {
      throw new CompareError(
        'BUDGET_EXCEEDED',
        `jq program takes more than ${maxSteps} steps: ${source}`,
        { data: { program: source, maxSteps } },
      )
    }
    throw error
  }
}
