import { quoteGo, unquoteGo } from '../../text/index.ts'
import { TemplateError } from './errors.ts'
import { describeToken, lex, type TokenType } from './lex.ts'
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
  private readonly types: readonly TokenType[]
  private readonly starts: readonly number[]
  private readonly ends: readonly number[]
  private readonly last: number
  private readonly error: string
  private readonly trees = new Map<string, Tree>()
  private at = 0
  /** Index of the furthest token looked at: errors name its line. */
  private furthest = -1
  private variables: string[] = ['$']
  private rangeDepth = 0
  private parens = 0
  /** Offset of the action that is being read; -1 between actions. */
  private actionStart = -1
  // Lists grow on piles and are then cut off: an array that grows by itself reserves room for what never comes.
  private readonly nodes: Node[] = []
  private nodesTop = 0
  private readonly operands: Operand[] = []
  private operandsTop = 0

  constructor(name: string, text: string, hasFunction: (name: string) => boolean) {
    this.name = name
    this.text = text
    this.hasFunction = hasFunction
    const tokens = lex(text)
    this.types = tokens.types
    this.starts = tokens.starts
    this.ends = tokens.ends
    this.last = tokens.last
    this.error = tokens.error
  }

  file(): readonly Tree[] {
    const from = this.nodesTop
    const pos = this.starts[this.peek()]!
    for (;;) {
      const first = this.peek()
      const type = this.types[first]
      if (type === 'eof') break
      if (type === 'leftDelim') {
        const start = this.at
        this.next()
        const token = this.next()
        if (this.isKeyword(token, 'define')) {
          this.definition()
          continue
        }
        this.at = start
      }
      const node = this.textOrAction()
      if ('next' in node) this.fail(`unexpected ${closerText(node)}`)
      this.nodes[this.nodesTop++] = node
    }
    const root: ListNode = { type: 'list', pos, nodes: this.takeNodes(from) }
    const main: Tree = { name: undefined, root, text: this.text, isEmpty: isEmptyTree(root) }
    return [...this.trees.values(), main]
  }

  private fail(message: string): never {
    const line = this.lineOf(Math.max(0, this.furthest))
    throw new TemplateError('TEMPLATE_PARSE', `template: ${this.name}:${line}: ${message}`, {
      file: this.name,
      line,
    })
  }

  /** The line where a token starts, counted from 1. */
  private lineOf(token: number): number {
    return this.lineAt(this.starts[token]!)
  }

  private lineAt(offset: number): number {
    let line = 1
    for (
      let i = this.text.indexOf('\n');
      i !== -1 && i < offset;
      i = this.text.indexOf('\n', i + 1)
    ) {
      line++
    }
    return line
  }

  private textOf(token: number): string {
    return this.text.slice(this.starts[token], this.ends[token])
  }

  private isKeyword(token: number, text: string): boolean {
    return this.types[token] === 'keyword' && this.textOf(token) === text
  }

  /** The nodes that were put on the pile since it was as high as `from`. */
  private takeNodes(from: number): Node[] {
    const taken = this.nodes.slice(from, this.nodesTop)
    this.nodesTop = from
    return taken
  }

  private takeOperands(from: number): Operand[] {
    const taken = this.operands.slice(from, this.operandsTop)
    this.operandsTop = from
    return taken
  }

  private next(): number {
    const token = this.peek()
    this.at++
    return token
  }

  private peek(): number {
    let token = this.at
    if (token > this.last) token = this.last
    if (token > this.furthest) this.furthest = token
    return token
  }

  /** Passes a token of that type, and gives its offset. */
  private expect(type: TokenType, context: string): number {
    const token = this.next()
    if (this.types[token] !== type) this.unexpected(token, context)
    return this.starts[token]!
  }

  private unexpected(token: number, context: string): never {
    const type = this.types[token]!
    if (type === 'error') {
      const { error } = this
      let extra = ''
      if (this.actionStart >= 0) {
        const line = this.lineAt(this.actionStart)
        if (line !== this.lineOf(token)) {
          extra = ` in action started at ${this.name}:${line}`
          if (error.endsWith(' action')) extra = extra.slice(' in action'.length)
        }
      }
      this.fail(error + extra)
    }
    this.fail(`unexpected ${describeToken(type, this.textOf(token))} in ${context}`)
  }

  /** `define "name"` … `end`; defines see no outer variables. */
  private definition(): void {
    const context = 'define clause'
    const name = this.templateName(this.next(), context)
    this.expect('rightDelim', context)
    this.body(name, context)
  }

  private body(name: string, context: string): void {
    const saved = [this.variables, this.rangeDepth, this.parens, this.actionStart] as const
    this.variables = ['$']
    this.rangeDepth = 0
    this.parens = 0
    this.actionStart = -1
    const { list, closer } = this.itemList()
    if (closer.type !== 'end') this.fail(`unexpected ${closerText(closer)} in ${context}`)
    ;[this.variables, this.rangeDepth, this.parens, this.actionStart] = saved
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
    const from = this.nodesTop
    let token = this.peek()
    const pos = this.starts[token]!
    while (this.types[token] !== 'eof') {
      const node = this.textOrAction()
      if ('next' in node) {
        return { list: { type: 'list', pos, nodes: this.takeNodes(from) }, closer: node }
      }
      this.nodes[this.nodesTop++] = node
      token = this.peek()
    }
    this.fail('unexpected EOF')
  }

  private textOrAction(): Node | Closer {
    const token = this.next()
    const type = this.types[token]
    const pos = this.starts[token]!
    if (type === 'text') return { type, pos, text: this.textOf(token) }
    if (type !== 'leftDelim') this.unexpected(token, 'input')
    this.actionStart = pos
    const node = this.action()
    this.actionStart = -1
    return node
  }

  private action(): Node | Closer {
    const token = this.next()
    if (this.types[token] === 'keyword') {
      const text = this.textOf(token)
      switch (text) {
        case 'block':
          return this.block()
        case 'break':
        case 'continue':
          return this.jump(text, this.starts[token]!)
        case 'else':
          return this.elseControl()
        case 'end':
          return { type: 'end', pos: this.expect('rightDelim', 'end'), next: undefined }
        case 'if':
        case 'range':
        case 'with':
          return this.control(text)
        case 'template':
          return this.templateControl()
        default:
      }
    }
    this.at--
    const pos = this.starts[this.peek()]!
    return { type: 'action', pos, pipe: this.pipeline('command', 'rightDelim') }
  }

  private jump(type: 'break' | 'continue', pos: number): Node {
    const token = this.next()
    if (this.types[token] !== 'rightDelim') this.unexpected(token, `{{${type}}}`)
    if (this.rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`)
    return { type, pos }
  }

  private elseControl(): Closer {
    const peek = this.peek()
    if (this.types[peek] === 'keyword') {
      const next = this.textOf(peek)
      if (next === 'if' || next === 'with') {
        return { type: 'else', pos: this.starts[peek]!, next }
      }
    }
    return { type: 'else', pos: this.expect('rightDelim', 'else'), next: undefined }
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
      if (closer.next === type && this.isKeyword(token, type)) {
        this.next()
        elseList = { type: 'list', pos: closer.pos, nodes: [this.control(type)] }
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
    const token = this.next()
    const name = this.templateName(token, context)
    const pipe = this.pipeline(context, 'rightDelim')
    this.body(name, context)
    return { type: 'template', pos: this.starts[token]!, name, pipe }
  }

  private templateControl(): Node {
    const context = 'template clause'
    const token = this.next()
    const name = this.templateName(token, context)
    let pipe: PipeNode | undefined
    if (this.types[this.next()] !== 'rightDelim') {
      this.at--
      pipe = this.pipeline(context, 'rightDelim')
    }
    return { type: 'template', pos: this.starts[token]!, name, pipe }
  }

  private templateName(token: number, context: string): string {
    const type = this.types[token]
    if (type !== 'string' && type !== 'rawString') this.unexpected(token, context)
    return this.unquote(type, this.textOf(token))
  }

  private unquote(type: 'string' | 'rawString', text: string): string {
    if (!text.includes(type === 'string' ? '\\' : '\r')) return text.slice(1, -1)
    return unquoteGo(text) ?? this.fail('invalid syntax')
  }

  private pipeline(context: string, end: TokenType): PipeNode {
    const pos = this.starts[this.peek()]!
    let declared = noVariables
    let assign = false
    for (;;) {
      const token = this.peek()
      if (this.types[token] !== 'variable') break
      const start = this.at
      this.next()
      const after = this.peek()
      const type = this.types[after]
      if (type === 'assign' || type === 'declare') {
        assign = type === 'assign'
        this.next()
        declared = [...declared, this.noteVariable(token)]
        break
      }
      if (type !== 'char' || this.textOf(after) !== ',') {
        this.at = start
        break
      }
      this.next()
      declared = [...declared, this.noteVariable(token)]
      if (context !== 'range' || declared.length >= 2) {
        this.fail(`too many declarations in ${context}`)
      }
      const then = this.types[this.peek()]
      if (then !== 'variable' && then !== 'rightDelim' && then !== 'rightParen') {
        this.fail('range can only initialize variables')
      }
    }
    const commands = this.commands(context, end)
    return { type: 'pipe', pos, assign, declared, commands }
  }

  private noteVariable(token: number): VariableNode {
    const name = this.textOf(token)
    this.variables.push(name)
    return { type: 'variable', pos: this.starts[token]!, name, fields: noFields }
  }

  private commands(context: string, end: TokenType): readonly CommandNode[] {
    const { types } = this
    let commands: readonly CommandNode[] | undefined
    for (;;) {
      const token = this.next()
      const type = types[token]!
      if (type === end) break
      if (!beginsOperand(type)) this.unexpected(token, context)
      this.at--
      const command = this.command()
      commands = commands === undefined ? [command] : [...commands, command]
    }
    if (commands === undefined) this.fail(`missing value for ${context}`)
    for (let i = 1; i < commands.length; i++) {
      if (notExecutable.has(commands[i]!.args[0]!.type)) {
        this.fail(`non executable command in pipeline stage ${i + 1}`)
      }
    }
    return commands
  }

  private command(): CommandNode {
    const pos = this.starts[this.peek()]!
    const from = this.operandsTop
    for (;;) {
      const operand = this.operand()
      const token = this.peek()
      if (operand !== undefined) {
        this.operands[this.operandsTop++] = operand
        // only space stands between tokens
        if (this.starts[token]! > this.ends[token - 1]!) continue
      }
      this.at++
      const type = this.types[token]
      if (type === 'rightDelim' || type === 'rightParen') this.at--
      else if (type !== 'pipe') this.unexpected(token, 'operand')
      break
    }
    if (this.operandsTop === from) this.fail('empty command')
    return { type: 'command', pos, args: this.takeOperands(from) }
  }

  private operand(): Operand | undefined {
    const node = this.term()
    if (node === undefined) return undefined
    const first = this.peek()
    if (this.types[first] !== 'field' || this.starts[first]! > this.ends[first - 1]!) return node
    const pos = this.starts[first]!
    const fields = this.fields()
    switch (node.type) {
      case 'variable':
        return { type: 'variable', pos, name: node.name, fields }
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

  /** The names of the fields that follow each other from here on. */
  private fields(): readonly string[] {
    const { types } = this
    const from = this.at
    let token = this.peek()
    do {
      this.at++
      token = this.peek()
    } while (types[token] === 'field' && this.starts[token] === this.ends[token - 1])
    if (this.at - from === 1) return [this.fieldName(from)]
    const names = new Array<string>(this.at - from)
    for (let i = 0; i < names.length; i++) names[i] = this.fieldName(from + i)
    return names
  }

  private fieldName(token: number): string {
    return this.text.slice(this.starts[token]! + 1, this.ends[token])
  }

  private term(): Operand | undefined {
    const token = this.next()
    const type = this.types[token]!
    const pos = this.starts[token]!
    switch (type) {
      case 'identifier': {
        const name = this.textOf(token)
        if (!this.hasFunction(name)) this.fail(`function ${quoteGo(name)} not defined`)
        return { type, pos, name }
      }
      case 'dot':
      case 'nil':
        return { type, pos }
      case 'variable': {
        const name = this.textOf(token)
        if (!this.variables.includes(name)) this.fail(`undefined variable ${quoteGo(name)}`)
        return { type, pos, name, fields: noFields }
      }
      case 'field': {
        this.at = token
        const fields = this.fields()
        // a longer chain counts from its second field
        return { type, pos: fields.length === 1 ? pos : this.starts[token + 1]!, fields }
      }
      case 'bool':
        return { type, pos, value: this.textOf(token) === 'true' }
      case 'charConstant':
      case 'complex':
      case 'number': {
        const number = parseNumber(this.textOf(token), type)
        if ('error' in number) this.fail(number.error)
        const { text, int, uint, float, complex } = number
        return { type: 'number', pos, text, int, uint, float, complex }
      }
      case 'leftParen': {
        if (this.parens >= maxParens) this.fail('max expression depth exceeded')
        this.parens++
        const pipe = this.pipeline('parenthesized pipeline', 'rightParen')
        this.parens--
        return pipe
      }
      case 'string':
      case 'rawString': {
        const quoted = this.textOf(token)
        return { type: 'string', pos, value: this.unquote(type, quoted), quoted }
      }
      default:
        this.at--
        return undefined
    }
  }
}

function beginsOperand(type: TokenType): boolean {
  switch (type) {
    case 'bool':
    case 'charConstant':
    case 'complex':
    case 'dot':
    case 'field':
    case 'identifier':
    case 'number':
    case 'nil':
    case 'rawString':
    case 'string':
    case 'variable':
    case 'leftParen':
      return true
    default:
      return false
  }
}

const noVariables: readonly VariableNode[] = []
const noFields: readonly string[] = []

function closerText(closer: Closer): string {
  return `{{${closer.type}}}`
}
