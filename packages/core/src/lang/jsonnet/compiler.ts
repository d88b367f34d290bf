import type { Node } from './ast.ts'
import type { Site } from './site.ts'
import type { Source } from './source.ts'
import type { Code, Delay } from './values.ts'

/**
 * How the value of an expression is used: in the middle of something, as the value of the function around it, or as
 * the last operand of an operator, which go-jsonnet takes for a tail position as well.
 */
export type Tail = 'none' | 'tail' | 'operand'

/** What the parts of the compiler ask of each other. */
export interface Compiler {
  readonly source: Source
  code(node: Node, tail?: Tail): Code
  /** Code for a value that is not needed yet. */
  delay(node: Node): Delay
  /** The node as a place in stack traces. */
  site(node: Node): Site
  /** The same place without its surroundings, as go-jsonnet has it for what it rewrites. */
  bare(node: { readonly begin: number; readonly end: number }): Site
}
