import { quoteGo } from '../../text/index.ts'
import type { Value } from './value.ts'

interface At {
  /** Offset in UTF-16 units of the text that was parsed. */
  readonly pos: number
}

export interface ListNode extends At {
  readonly type: 'list'
  readonly nodes: Node[]
}
export interface TextNode extends At {
  readonly type: 'text'
  readonly text: string
}
export interface ActionNode extends At {
  readonly type: 'action'
  readonly pipe: PipeNode
}
export interface BranchNode extends At {
  readonly type: 'if' | 'with' | 'range'
  readonly pipe: PipeNode
  readonly list: ListNode
  readonly elseList: ListNode | undefined
}
export interface JumpNode extends At {
  readonly type: 'break' | 'continue'
}
export interface TemplateNode extends At {
  readonly type: 'template'
  readonly name: string
  readonly pipe: PipeNode | undefined
}
export interface PipeNode extends At {
  readonly type: 'pipe'
  readonly assign: boolean
  readonly declared: readonly VariableNode[]
  readonly commands: readonly CommandNode[]
}
export interface CommandNode extends At {
  readonly type: 'command'
  readonly args: readonly Operand[]
}
export interface IdentifierNode extends At {
  readonly type: 'identifier'
  readonly name: string
}
export interface FieldNode extends At {
  readonly type: 'field'
  readonly fields: readonly string[]
}
export interface VariableNode extends At {
  readonly type: 'variable'
  readonly name: string
  readonly fields: readonly string[]
}
export interface ChainNode extends At {
  readonly type: 'chain'
  readonly base: Operand
  readonly fields: readonly string[]
}
export interface DotNode extends At {
  readonly type: 'dot'
}
export interface NilNode extends At {
  readonly type: 'nil'
}
export interface BoolNode extends At {
  readonly type: 'bool'
  readonly value: boolean
}
export interface StringNode extends At {
  readonly type: 'string'
  readonly value: string
  /** As written, with its quotes. */
  readonly quoted: string
}
/** What a number literal can stand for; each is undefined when it does not fit. */
export interface NumberNode extends At {
  readonly type: 'number'
  readonly text: string
  readonly int: bigint | undefined
  readonly uint: bigint | undefined
  readonly float: number | undefined
  readonly complex: Value
}

export type Operand =
  | PipeNode
  | IdentifierNode
  | FieldNode
  | VariableNode
  | ChainNode
  | DotNode
  | NilNode
  | BoolNode
  | StringNode
  | NumberNode

export type Node = ListNode | TextNode | ActionNode | BranchNode | JumpNode | TemplateNode

export type AnyNode = Node | Operand | CommandNode

/** The node printed back as Go prints it: one space between arguments, literals as written. */
export function printNode(node: AnyNode): string {
  switch (node.type) {
    case 'list':
      return node.nodes.map(printNode).join('')
    case 'text':
      return node.text
    case 'action':
      return `{{${printNode(node.pipe)}}}`
    case 'if':
    case 'with':
    case 'range': {
      const otherwise = node.elseList === undefined ? '' : `{{else}}${printNode(node.elseList)}`
      return `{{${node.type} ${printNode(node.pipe)}}}${printNode(node.list)}${otherwise}{{end}}`
    }
    case 'break':
    case 'continue':
      return `{{${node.type}}}`
    case 'template': {
      const pipe = node.pipe === undefined ? '' : ' ' + printNode(node.pipe)
      return `{{template ${quoteGo(node.name)}${pipe}}}`
    }
    case 'pipe': {
      const names = node.declared.map(printNode).join(', ')
      const head = names === '' ? '' : names + (node.assign ? ' = ' : ' := ')
      return head + node.commands.map(printNode).join(' | ')
    }
    case 'command':
      return node.args.map(inParens).join(' ')
    case 'identifier':
      return node.name
    case 'field':
      return dotted(node.fields)
    case 'variable':
      return node.name + dotted(node.fields)
    case 'chain':
      return inParens(node.base) + dotted(node.fields)
    case 'dot':
      return '.'
    case 'nil':
      return 'nil'
    case 'bool':
      return String(node.value)
    case 'string':
      return node.quoted
    case 'number':
      return node.text
  }
}

function inParens(node: Operand): string {
  return node.type === 'pipe' ? `(${printNode(node)})` : printNode(node)
}

function dotted(fields: readonly string[]): string {
  return fields.map((field) => '.' + field).join('')
}

/** Nothing but space: such a template does not replace one of the same name. */
export function isEmptyTree(node: Node): boolean {
  if (node.type === 'text')
    return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(
      node.text,
    )
  return node.type === 'list' && node.nodes.every(isEmptyTree)
}
