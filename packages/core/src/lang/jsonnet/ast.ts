import type { FrameScope } from './scope.ts'

/** A place in a source: UTF-16 offsets, `end` exclusive. Lines and columns are worked out when an error needs them. */
export interface Span {
  readonly begin: number
  readonly end: number
}

/** What every node carries. `context` names the surroundings in a stack trace, such as `function <f>`. */
interface Base extends Span {
  context?: string | undefined
}

export interface LiteralNode extends Base {
  readonly kind: 'literal'
  /** A number literal too large for a double is Infinity here and an error when it is evaluated. */
  readonly value: null | boolean | number | string
  /** Text blocks may not be the operand of an import. */
  readonly block?: boolean
}

export interface VarNode extends Base {
  readonly kind: 'var'
  readonly name: string
  /** Set by the resolver: the frame that holds the variable, seen from `from`. `std` has no frame. */
  from?: FrameScope
  frame?: FrameScope | undefined
  slot?: number
}

export interface SelfNode extends Base {
  /** `dollar` is the self of the outermost object literal. */
  readonly kind: 'self' | 'dollar'
  from?: FrameScope
  frame?: FrameScope
}

export interface SuperIndexNode extends Base {
  readonly kind: 'superIndex' | 'inSuper'
  readonly index: Node
  from?: FrameScope
  frame?: FrameScope
}

export interface IndexNode extends Base {
  readonly kind: 'index'
  readonly target: Node
  readonly index: Node
  /** True for `a.b`, false for `a['b']`. */
  readonly dotted: boolean
}

export interface SliceNode extends Base {
  readonly kind: 'slice'
  readonly target: Node
  readonly parts: readonly [Node | undefined, Node | undefined, Node | undefined]
}

export interface NamedArgument {
  readonly name: string
  readonly value: Node
}

export interface ApplyNode extends Base {
  readonly kind: 'apply'
  readonly target: Node
  readonly positional: readonly Node[]
  readonly named: readonly NamedArgument[]
  readonly tailstrict: boolean
}

export interface BinaryNode extends Base {
  readonly kind: 'binary'
  readonly op: BinaryOperator
  readonly left: Node
  readonly right: Node
}

export interface UnaryNode extends Base {
  readonly kind: 'unary'
  readonly op: UnaryOperator
  readonly operand: Node
}

export interface ConditionalNode extends Base {
  readonly kind: 'if'
  readonly condition: Node
  readonly then: Node
  readonly otherwise: Node | undefined
}

export interface ErrorNode extends Base {
  readonly kind: 'error'
  readonly message: Node
}

export interface AssertNode extends Base {
  readonly kind: 'assert'
  readonly condition: Node
  readonly message: Node | undefined
  readonly rest: Node
}

export interface Parameter {
  readonly name: string
  readonly fallback: Node | undefined
}

export interface FunctionNode extends Base {
  readonly kind: 'function'
  readonly parameters: readonly Parameter[]
  readonly body: Node
  scope?: FrameScope
}

export interface Bind {
  readonly name: string
  readonly value: Node
  slot?: number
}

export interface LocalNode extends Base {
  readonly kind: 'local'
  readonly binds: readonly Bind[]
  readonly body: Node
  /** Set by the resolver where the binds need a frame of their own instead of slots in the surrounding one. */
  block?: FrameScope
}

export interface ImportNode extends Base {
  readonly kind: 'import' | 'importstr' | 'importbin'
  readonly path: string
}

export interface ArrayNode extends Base {
  readonly kind: 'array'
  readonly elements: readonly Node[]
}

export interface ForSpec {
  readonly name: string
  readonly source: Node
  readonly conditions: readonly Node[]
  scope?: FrameScope
}

export interface ArrayCompNode extends Base {
  readonly kind: 'arrayComp'
  readonly body: Node
  /** Outermost first. */
  readonly specs: readonly ForSpec[]
}

/** 0 inherits what the left side says (`:`), 1 is hidden (`::`), 2 is visible (`:::`). */
export type Visibility = 0 | 1 | 2

export interface FieldNode extends Span {
  readonly name: Node
  /** True for `[e]: v`. */
  readonly computed: boolean
  readonly visibility: Visibility
  readonly plus: boolean
  readonly value: Node
  /** The frame that the value runs in, seen as this field sees it. */
  scope?: FrameScope
}

export interface ObjectAssert extends Span {
  readonly condition: Node
  readonly message: Node | undefined
}

export interface ObjectNode extends Base {
  readonly kind: 'object'
  readonly fields: readonly FieldNode[]
  readonly locals: readonly Bind[]
  readonly asserts: readonly ObjectAssert[]
  /** The frame of locals and asserts. */
  scope?: FrameScope
}

export interface ObjectCompNode extends Base {
  readonly kind: 'objectComp'
  readonly field: FieldNode
  readonly locals: readonly Bind[]
  readonly specs: readonly ForSpec[]
  /** The frame of locals. */
  scope?: FrameScope
}

export interface ApplyBraceNode extends Base {
  readonly kind: 'applyBrace'
  readonly left: Node
  readonly right: Node
}

export interface ParensNode extends Base {
  readonly kind: 'parens'
  readonly inner: Node
}

export type Node =
  | LiteralNode
  | VarNode
  | SelfNode
  | SuperIndexNode
  | IndexNode
  | SliceNode
  | ApplyNode
  | ApplyBraceNode
  | BinaryNode
  | UnaryNode
  | ConditionalNode
  | ErrorNode
  | AssertNode
  | FunctionNode
  | LocalNode
  | ImportNode
  | ArrayNode
  | ArrayCompNode
  | ObjectNode
  | ObjectCompNode
  | ParensNode

export type UnaryOperator = '!' | '~' | '+' | '-'

/** Binary operators and how loosely they bind; a smaller number binds tighter. */
export const binaryOperators: Readonly<Record<string, number>> = {
  '*': 5,
  '/': 5,
  '%': 5,
  '+': 6,
  '-': 6,
  '<<': 7,
  '>>': 7,
  '>': 8,
  '>=': 8,
  '<': 8,
  '<=': 8,
  in: 8,
  '==': 9,
  '!=': 9,
  '&': 10,
  '^': 11,
  '|': 12,
  '&&': 13,
  '||': 14,
}

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '>'
  | '>='
  | '<'
  | '<='
  | 'in'
  | '=='
  | '!='
  | '&'
  | '^'
  | '|'
  | '&&'
  | '||'
