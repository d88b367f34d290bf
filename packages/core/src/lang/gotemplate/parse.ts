import { quoteGo, unquoteGo } from '../../text/index.ts'
import { TemplateError } from './errors.ts'
import { describeToken, lex, type Token, type TokenType } from './lex.ts'
import {
  type BranchNode,
  type CommandNode,
  isEmptyTree,
  type ListNode,
  type Node,
  type Operand,
  type PipeNode,
  printNode,
  type VariableNode,
} from './nodes.ts'
import { parseNumber } from './number.ts'

/** One parsed template: the text of a file outside its defines, or the body of a define. */
export interface Tree {
  /** Undefined for the file itself. */
  readonly name: string | undefined
  readonly root: ListNode
  /** The whole text that positions count in. */
  readonly text: string
  readonly isEmpty: boolean
}

/** How an `end` or `else` that closes a list is handed up. */
interface Closer {
  readonly type: 'end' | 'else'
  readonly pos: number
  /** `{{else if` and `{{else with` go on with that control. */
  readonly next: 'if' | 'with' | undefined
}

const maxParens = 10_000 // go 1.26 text/template/parse maxStackDepth

const operandTypes = new Set<TokenType>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
])

/** What can only begin a pipeline. */
const notExecutable = new Set<Operand['type']>(['bool', 'dot', 'nil', 'number', 'string'])

/**
 * Parses a template text into its trees, in the order of their ends; the file itself is last.
 *
 * `name` is only used in errors, which are TemplateErrors with Go's text `template: NAME:LINE: MESSAGE`.
 */
export function parseTemplate(
  name: string,
  text: string,
  hasFunction: (name: string) => boolean,
): readonly Tree[] {
  return new Parser(name, text, hasFunction).file()
}

class Parser {
  private readonly name: string
  private readonly text: string
  private readonly hasFunction: (name: string) => boolean
  private readonly tokens: readonly Token[]
  private readonly trees = new Map<string, Tree>()
  private at = 0
  /** Index of the furthest token looked at: errors name its line. */
  private furthest = -1
  private variables: string[] = ['$']
  private rangeDepth = 0
  private parens = 0
  private actionLine = 0

  constructor(name: string, text: string, hasFunction: (name: string) => boolean) {
    this.name = name
    this.text = text
    this.hasFunction = hasFunction
    this.tokens = lex(text)
  }

  file(): readonly Tree[] {
    const root: ListNode = { type: 'list', pos: this.peek().pos, nodes: [] }
    while (this.peek().type !== 'eof') {
      if (this.peek().type === 'leftDelim') {
        const start = this.at
        this.next()
        const token = this.nextNonSpace()
        if (token.type === 'keyword' && token.text === 'define') {
          this.definition()
          continue
        }
        this.at = start
      }
      const node = this.textOrAction()
      if ('next' in node) this.fail(`unexpected ${closerText(node)}`)
      root.nodes.push(node)
    }
    const main: Tree = { name: undefined, root, text: this.text, isEmpty: isEmptyTree(root) }
    return [...this.trees.values(), main]
  }

  private fail(message: string): never {
    const line = this.tokens[Math.max(0, this.furthest)]?.line ?? 0
    throw new TemplateError('TEMPLATE_PARSE', `template: ${this.name}:${line}: ${message}`, {
      file: this.name,
      line,
    })
  }

  private token(index: number): Token {
    const i = Math.min(index, this.tokens.length - 1)
    if (i > this.furthest) this.furthest = i
    return this.tokens[i]!
  }

  private next(): Token {
    return this.token(this.at++)
  }

  private peek(): Token {
    return this.token(this.at)
  }

  private nextNonSpace(): Token {
    let token = this.next()
    while (token.type === 'space') token = this.next()
    return token
  }

  private peekNonSpace(): Token {
    while (this.peek().type === 'space') this.at++
    return this.peek()
  }

  private expect(type: TokenType, context: string): Token {
    const token = this.nextNonSpace()
    if (token.type !== type) this.unexpected(token, context)
    return token
  }

  private unexpected(token: Token, context: string): never {
    if (token.type === 'error') {
      let extra = ''
      if (this.actionLine !== 0 && this.actionLine !== token.line) {
        extra = ` in action started at ${this.name}:${this.actionLine}`
        if (token.text.endsWith(' action')) extra = extra.slice(' in action'.length)
      }
      this.fail(token.text + extra)
    }
    this.fail(`unexpected ${describeToken(token)} in ${context}`)
  }

  /** `define "name"` … `end`; defines see no outer variables. */
  private definition(): void {
    const context = 'define clause'
    const token = this.nextNonSpace()
    if (token.type !== 'string' && token.type !== 'rawString') this.unexpected(token, context)
    const name = this.unquote(token)
    this.expect('rightDelim', context)
    this.body(name, context)
  }

  private body(name: string, context: string): void {
    const saved = [this.variables, this.rangeDepth, this.parens, this.actionLine] as const
    this.variables = ['$']
    this.rangeDepth = 0
    this.parens = 0
    this.actionLine = 0
    const { list, closer } = this.itemList()
    if (closer.type !== 'end') this.fail(`unexpected ${closerText(closer)} in ${context}`)
    ;[this.variables, this.rangeDepth, this.parens, this.actionLine] = saved
    this.add({ name, root: list, text: this.text, isEmpty: isEmptyTree(list) })
  }

  private add(tree: Tree): void {
    const known = this.trees.get(tree.name!)
    if (known !== undefined && !known.isEmpty) {
      if (!tree.isEmpty) {
        this.fail(`template: multiple definition of template ${quoteGo(tree.name!)}`)
      }
      return
    }
    this.trees.set(tree.name!, tree)
  }

  private itemList(): { readonly list: ListNode; readonly closer: Closer } {
    const list: ListNode = { type: 'list', pos: this.peekNonSpace().pos, nodes: [] }
    while (this.peekNonSpace().type !== 'eof') {
      const node = this.textOrAction()
      if ('next' in node) return { list, closer: node }
      list.nodes.push(node)
    }
    this.fail('unexpected EOF')
  }

  private textOrAction(): Node | Closer {
    const token = this.nextNonSpace()
    if (token.type === 'text') return { type: 'text', pos: token.pos, text: token.text }
    if (token.type !== 'leftDelim') this.unexpected(token, 'input')
    this.actionLine = token.line
    const node = this.action()
    this.actionLine = 0
    return node
  }

  private action(): Node | Closer {
    const token = this.nextNonSpace()
    if (token.type === 'keyword') {
      switch (token.text) {
        case 'block':
          return this.block()
        case 'break':
        case 'continue':
          return this.jump(token.text, token.pos)
        case 'else':
          return this.elseControl()
        case 'end':
          return { type: 'end', pos: this.expect('rightDelim', 'end').pos, next: undefined }
        case 'if':
        case 'range':
        case 'with':
          return this.control(token.text)
        case 'template':
          return this.templateControl()
        default:
      }
    }
    this.at--
    const { pos } = this.peek()
    return { type: 'action', pos, pipe: this.pipeline('command', 'rightDelim') }
  }

  private jump(type: 'break' | 'continue', pos: number): Node {
    const token = this.nextNonSpace()
    if (token.type !== 'rightDelim') this.unexpected(token, `{{${type}}}`)
    if (this.rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`)
    return { type, pos }
  }

  private elseControl(): Closer {
    const peek = this.peekNonSpace()
    if (peek.type === 'keyword' && (peek.text === 'if' || peek.text === 'with')) {
      return { type: 'else', pos: peek.pos, next: peek.text }
    }
    return { type: 'else', pos: this.expect('rightDelim', 'else').pos, next: undefined }
  }

  private control(type: 'if' | 'range' | 'with'): BranchNode {
    const scope = this.variables.length
    const pipe = this.pipeline(type, 'rightDelim')
    if (type === 'range') this.rangeDepth++
    const { list, closer } = this.itemList()
    if (type === 'range') this.rangeDepth--
    let elseList: ListNode | undefined
    if (closer.type === 'else') {
      const token = this.peek()
      if (closer.next === type && token.type === 'keyword' && token.text === type) {
        this.next()
        elseList = { type: 'list', pos: closer.pos, nodes: [] }
        elseList.nodes.push(this.control(type))
      } else {
        const rest = this.itemList()
        elseList = rest.list
        if (rest.closer.type !== 'end') {
          this.fail(`expected end; found ${closerText(rest.closer)}`)
        }
      }
    }
    this.variables.length = scope
    return { type, pos: pipe.pos, pipe, list, elseList }
  }

  private block(): Node {
    const context = 'block clause'
    const token = this.nextNonSpace()
    const name = this.templateName(token, context)
    const pipe = this.pipeline(context, 'rightDelim')
    this.body(name, context)
    return { type: 'template', pos: token.pos, name, pipe }
  }

  private templateControl(): Node {
    const context = 'template clause'
    const token = this.nextNonSpace()
    const name = this.templateName(token, context)
    let pipe: PipeNode | undefined
    if (this.nextNonSpace().type !== 'rightDelim') {
      this.at--
      pipe = this.pipeline(context, 'rightDelim')
    }
    return { type: 'template', pos: token.pos, name, pipe }
  }

  private templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') this.unexpected(token, context)
    return this.unquote(token)
  }

  private unquote(token: Token): string {
    const { text } = token
    if (token.type === 'string' && !text.includes('\\')) return text.slice(1, -1)
    return unquoteGo(text) ?? this.fail('invalid syntax')
  }

  private pipeline(context: string, end: TokenType): PipeNode {
    const { pos } = this.peekNonSpace()
    const declared: VariableNode[] = []
    let assign = false
    for (;;) {
      const token = this.peekNonSpace()
      if (token.type !== 'variable') break
      const start = this.at
      this.next()
      const after = this.peekNonSpace()
      if (after.type === 'assign' || after.type === 'declare') {
        assign = after.type === 'assign'
        this.nextNonSpace()
        this.noteVariable(token, declared)
        break
      }
      if (after.type !== 'char' || after.text !== ',') {
        this.at = start
        break
      }
      this.nextNonSpace()
      this.noteVariable(token, declared)
      if (context !== 'range' || declared.length >= 2) {
        this.fail(`too many declarations in ${context}`)
      }
      const { type } = this.peekNonSpace()
      if (type !== 'variable' && type !== 'rightDelim' && type !== 'rightParen') {
        this.fail('range can only initialize variables')
      }
    }
    const commands = this.commands(context, end)
    return { type: 'pipe', pos, assign, declared, commands }
  }

  private noteVariable(token: Token, declared: VariableNode[]): void {
    declared.push({ type: 'variable', pos: token.pos, name: token.text, fields: [] })
    this.variables.push(token.text)
  }

  private commands(context: string, end: TokenType): CommandNode[] {
    const commands: CommandNode[] = []
    for (;;) {
      const token = this.nextNonSpace()
      if (token.type === end) break
      if (!operandTypes.has(token.type)) this.unexpected(token, context)
      this.at--
      commands.push(this.command())
    }
    if (commands.length === 0) this.fail(`missing value for ${context}`)
    for (let i = 1; i < commands.length; i++) {
      if (notExecutable.has(commands[i]!.args[0]!.type)) {
        this.fail(`non executable command in pipeline stage ${i + 1}`)
      }
    }
    return commands
  }

  private command(): CommandNode {
    const { pos } = this.peekNonSpace()
    const args: Operand[] = []
    for (;;) {
      this.peekNonSpace()
      const operand = this.operand()
      if (operand !== undefined) args.push(operand)
      const token = this.next()
      if (token.type === 'space') continue
      if (token.type === 'rightDelim' || token.type === 'rightParen') this.at--
      else if (token.type !== 'pipe') this.unexpected(token, 'operand')
      break
    }
    if (args.length === 0) this.fail('empty command')
    return { type: 'command', pos, args }
  }

  private operand(): Operand | undefined {
    const node = this.term()
    if (node === undefined) return undefined
    const first = this.peek()
    if (first.type !== 'field') return node
    const { pos } = first
    const fields: string[] = []
    while (this.peek().type === 'field') fields.push(this.next().text.slice(1))
    switch (node.type) {
      case 'field':
        return { type: 'field', pos, fields: [...node.fields, ...fields] }
      case 'variable':
        return { type: 'variable', pos, name: node.name, fields: [...node.fields, ...fields] }
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after term ${quoteGo(printNode(node))}`)
      default:
        return { type: 'chain', pos, base: node, fields }
    }
  }

  private term(): Operand | undefined {
    const token = this.nextNonSpace()
    const { pos, text } = token
    switch (token.type) {
      case 'identifier':
        if (!this.hasFunction(text)) this.fail(`function ${quoteGo(text)} not defined`)
        return { type: 'identifier', pos, name: text }
      case 'dot':
        return { type: 'dot', pos }
      case 'nil':
        return { type: 'nil', pos }
      case 'variable':
        if (!this.variables.includes(text)) this.fail(`undefined variable ${quoteGo(text)}`)
        return { type: 'variable', pos, name: text, fields: [] }
      case 'field':
        return { type: 'field', pos, fields: [text.slice(1)] }
      case 'bool':
        return { type: 'bool', pos, value: text === 'true' }
      case 'charConstant':
      case 'complex':
      case 'number': {
        const number = parseNumber(text, token.type)
        if ('error' in number) this.fail(number.error)
        return { type: 'number', pos, ...number }
      }
      case 'leftParen': {
        if (this.parens >= maxParens) this.fail('max expression depth exceeded')
        this.parens++
        const pipe = this.pipeline('parenthesized pipeline', 'rightParen')
        this.parens--
        return pipe
      }
      case 'string':
      case 'rawString':
        return { type: 'string', pos, value: this.unquote(token), quoted: text }
      default:
        this.at--
        return undefined
    }
  }
}

function closerText(closer: Closer): string {
  return `{{${closer.type}}}`
}
