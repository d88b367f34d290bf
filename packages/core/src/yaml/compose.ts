import { RenderError } from '../errors/index.ts'
import type { NodeComments } from './comments.ts'
import { shortTag, YamlNode } from './node.ts'
import {
  type Mark,
  type SourceOptions,
  syntaxError,
  type YamlDialect,
  yamlError,
} from './problem.ts'
import { resolvePlain } from './resolve.ts'
import { Scanner } from './scanner.ts'
import { tokenKinds as kinds, type Token, type TokenKind } from './token.ts'

const noComments: NodeComments = { head: '', line: '', foot: '' }

const defaultHandles: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
])

/** Builds the nodes of one document after the other. */
export class Composer {
  private readonly scanner: Scanner
  private readonly dialect: YamlDialect
  private readonly options: SourceOptions
  private anchors = new Map<string, YamlNode>()
  private handles = new Map<string, string>()
  private started = false
  /** A head comment of a list item, kept for the collection that the item turns out to be. */
  private stem = ''

  constructor(text: string, dialect: YamlDialect, options: SourceOptions) {
    this.scanner = new Scanner(text, dialect, options)
    this.dialect = dialect
    this.options = options
  }

  /** The next document, undefined at the end. Errors: YAML_INVALID in Go's words, BUDGET_EXCEEDED for deep nesting. */
  next(): YamlNode | undefined {
    const scanner = this.scanner
    const first = !this.started
    if (first) {
      scanner.peek()
      scanner.skip()
      this.started = true
    }
    let token = scanner.peek()
    if (!first) {
      while (token.kind === kinds.documentEnd) {
        scanner.skip()
        token = scanner.peek()
      }
    }
    if (token.kind === kinds.streamEnd) return undefined

    const document = this.node('document', token)
    // v3 keeps anchors from one document to the next
    if (this.dialect === 'v2') this.anchors = new Map()
    const implicit =
      first &&
      token.kind !== kinds.versionDirective &&
      token.kind !== kinds.tagDirective &&
      token.kind !== kinds.documentStart
    this.handles = this.directives()
    if (implicit) {
      this.splitDocumentHead(document)
      document.content.push(this.blockNode(false))
    } else {
      token = scanner.peek()
      if (token.kind !== kinds.documentStart) {
        this.fail('did not find expected <document start>', token)
      }
      scanner.skip()
      document.content.push(this.documentContent())
    }
    if (scanner.peek().kind === kinds.documentEnd) scanner.skip()
    const { head, foot } = this.takeComments()
    document.footComment = foot === '' ? head : foot
    return document
  }

  /** Comments above the last empty line before the content are the document's own. */
  private splitDocumentHead(document: YamlNode): void {
    const { comments } = this.scanner
    if (comments === undefined) return
    const { head } = comments
    const gap =
      head.endsWith('\n') && head.length > 1 ? head.length - 1 : head.lastIndexOf('\n\n') + 1
    if (gap <= 0) return
    document.headComment = head.slice(0, gap === head.length - 1 ? gap : gap - 1)
    comments.head = head.slice(gap + 1)
  }

  private takeComments(): NodeComments {
    this.stem = ''
    return this.scanner.comments?.take() ?? noComments
  }

  private comment(node: YamlNode): void {
    if (this.scanner.comments === undefined) return
    const { head, line, foot } = this.takeComments()
    node.headComment = head
    node.lineComment = line
    node.footComment = foot
  }

  private commentEnd(node: YamlNode): void {
    if (this.scanner.comments === undefined) return
    const { line, foot } = this.takeComments()
    node.lineComment = line
    node.footComment = foot
  }

  /**
   * A head comment read before a dash belongs to the collection behind it, not to the first entry of that.
   *
   * Parity: go-yaml drops an error found on the way and scans on from where it stopped; the error shows up again when
   * the next node is read, unless that one has an error of its own.
   */
  private splitStem(length: number): RenderError | undefined {
    const { comments } = this.scanner
    if (comments === undefined || length === 0) return undefined
    try {
      const { kind } = this.scanner.peek()
      if (kind === kinds.blockSequenceStart || kind === kinds.blockMappingStart) {
        this.stem = comments.head.slice(0, length)
        comments.head = comments.head.slice(length + 1)
      }
      return undefined
    } catch (error) {
      if (error instanceof RenderError && error.code === 'YAML_INVALID') return error
      throw error
    }
  }

  private directives(): Map<string, string> {
    const scanner = this.scanner
    const handles = new Map<string, string>()
    let version = false
    for (;;) {
      const token = scanner.peek()
      if (token.kind === kinds.versionDirective) {
        if (version) this.fail('found duplicate %YAML directive', token)
        if (token.value !== '1.1') this.fail('found incompatible YAML document', token)
        version = true
      } else if (token.kind === kinds.tagDirective) {
        if (handles.has(token.value)) this.fail('found duplicate %TAG directive', token)
        handles.set(token.value, token.suffix)
      } else {
        break
      }
      scanner.skip()
    }
    for (const [handle, prefix] of defaultHandles) {
      if (!handles.has(handle)) handles.set(handle, prefix)
    }
    return handles
  }

  private documentContent(): YamlNode {
    const token = this.scanner.peek()
    switch (token.kind) {
      case kinds.versionDirective:
      case kinds.tagDirective:
      case kinds.documentStart:
      case kinds.documentEnd:
      case kinds.streamEnd:
        return this.empty(token)
      default:
        return this.blockNode(false)
    }
  }

  private fail(problem: string, at: Mark, context?: Mark): never {
    throw syntaxError(this.options, this.dialect, 'parser', problem, at, context)
  }

  private node(kind: YamlNode['kind'], at: Mark): YamlNode {
    const node = new YamlNode(kind)
    node.line = at.line + 1
    node.column = at.column + 1
    return node
  }

  private empty(at: Mark, shift = 0): YamlNode {
    const node = this.node('scalar', at)
    node.column += shift
    if (this.dialect === 'v3') node.tag = '!!null'
    return node
  }

  private blockNode(indentless: boolean): YamlNode {
    return this.parseNode(true, indentless)
  }

  private parseNode(block: boolean, indentless: boolean): YamlNode {
    const scanner = this.scanner
    let token = scanner.peek()
    if (token.kind === kinds.alias) return this.alias(token)

    const start = token
    let anchor = ''
    let tagToken: Token | undefined
    if (token.kind === kinds.anchor || token.kind === kinds.tag) {
      if (token.kind === kinds.anchor) anchor = token.value
      else tagToken = token
      scanner.skip()
      token = scanner.peek()
      if (token.kind === kinds.tag && tagToken === undefined) {
        tagToken = token
        scanner.skip()
        token = scanner.peek()
      } else if (token.kind === kinds.anchor && anchor === '') {
        anchor = token.value
        scanner.skip()
        token = scanner.peek()
      }
    }
    const tag = tagToken === undefined ? '' : this.resolveTag(tagToken, start)

    switch (token.kind) {
      case kinds.blockEntry:
        if (indentless) return this.indentlessSequence(this.open('sequence', start, tag, anchor))
        break
      case kinds.scalar:
        return this.scalar(token, start, tag, anchor)
      case kinds.flowSequenceStart:
        return this.flowSequence(this.open('sequence', start, tag, anchor, true), token)
      case kinds.flowMappingStart:
        return this.flowMapping(this.open('mapping', start, tag, anchor, true), token)
      case kinds.blockSequenceStart:
        if (block) return this.blockSequence(this.open('sequence', start, tag, anchor), token)
        break
      case kinds.blockMappingStart:
        if (block) return this.blockMapping(this.open('mapping', start, tag, anchor), token)
        break
      default:
    }
    if (anchor !== '' || tag !== '') {
      const node = this.empty(start)
      this.setTag(node, tag, '')
      this.setAnchor(node, anchor)
      return node
    }
    return this.fail('did not find expected node content', token, start)
  }

  private resolveTag(token: Token, start: Mark): string {
    if (token.value === '') return token.suffix
    const prefix = this.handles.get(token.value)
    const tag = prefix === undefined ? '' : prefix + token.suffix
    if (tag === '') this.fail('found undefined tag handle', token, start)
    return tag
  }

  /** In v2 only a written tag is kept, in v3 every node gets one and `!` counts for nothing. */
  private setTag(node: YamlNode, tag: string, implied: string): void {
    if (this.dialect === 'v2') {
      node.tag = shortTag(tag)
      node.tagged = tag !== ''
    } else if (tag !== '' && tag !== '!') {
      node.tag = shortTag(tag)
      node.tagged = true
    } else {
      node.tag = implied === '' ? resolvePlain(node.value, 'v3').tag : implied
    }
  }

  private setAnchor(node: YamlNode, anchor: string): void {
    if (anchor === '') return
    node.anchor = anchor
    this.anchors.set(anchor, node)
  }

  private open(
    kind: 'mapping' | 'sequence',
    start: Mark,
    tag: string,
    anchor: string,
    flow = false,
  ): YamlNode {
    const node = this.node(kind, start)
    if (flow) node.style = 'flow'
    this.setTag(node, tag, kind === 'mapping' ? '!!map' : '!!seq')
    this.setAnchor(node, anchor)
    if (flow) this.comment(node)
    else {
      node.headComment = this.stem
      this.stem = ''
    }
    return node
  }

  private scalar(token: Token, start: Mark, tag: string, anchor: string): YamlNode {
    const node = this.node('scalar', start)
    node.value = token.value
    if (token.style !== 'plain') node.style = token.style
    const implied = token.style !== 'plain' ? '!!str' : token.value === '<<' ? '!!merge' : ''
    this.setTag(node, tag, implied)
    this.setAnchor(node, anchor)
    this.comment(node)
    this.scanner.skip()
    return node
  }

  private alias(token: Token): YamlNode {
    const node = this.node('alias', token)
    node.value = token.value
    node.target = this.anchors.get(token.value)
    if (node.target === undefined) {
      throw yamlError(this.options, `yaml: unknown anchor '${token.value}' referenced`, token)
    }
    this.comment(node)
    this.scanner.skip()
    return node
  }

  private blockSequence(node: YamlNode, start: Token): YamlNode {
    const scanner = this.scanner
    scanner.skip()
    for (;;) {
      const token = scanner.peek()
      if (token.kind === kinds.blockEnd) {
        scanner.skip()
        return node
      }
      if (token.kind !== kinds.blockEntry) {
        this.fail("did not find expected '-' indicator", token, start)
      }
      node.content.push(this.item(token, false))
    }
  }

  private indentlessSequence(node: YamlNode): YamlNode {
    const scanner = this.scanner
    for (;;) {
      const token = scanner.peek()
      if (token.kind !== kinds.blockEntry) return node
      node.content.push(this.item(token, true))
    }
  }

  /** What stands behind a dash. */
  private item(dash: Token, indentless: boolean): YamlNode {
    const scanner = this.scanner
    const headLength = scanner.comments?.head.length ?? 0
    scanner.skip()
    const lost = this.splitStem(headLength)
    const { kind } = scanner.peek()
    const isEmpty =
      kind === kinds.blockEntry || (indentless ? endsPair(kind) : kind === kinds.blockEnd)
    if (lost !== undefined && (isEmpty || startsNode.has(kind))) throw lost
    return isEmpty ? this.empty(dash, 1) : this.blockNode(false)
  }

  private blockMapping(node: YamlNode, start: Token): YamlNode {
    const scanner = this.scanner
    const { content } = node
    scanner.skip()
    for (;;) {
      const token = scanner.peek()
      if (token.kind === kinds.blockEnd) {
        this.commentEnd(node)
        scanner.skip()
        if (node.footComment !== '' && content.length > 1) {
          content[content.length - 2]!.footComment = node.footComment
          node.footComment = ''
        }
        return node
      }
      if (token.kind !== kinds.key) this.fail('did not find expected key', token, start)
      scanner.skip()
      const key = endsPair(scanner.peek().kind) ? this.empty(token, 1) : this.blockNode(true)
      content.push(key)
      if (key.footComment !== '' && content.length > 2) {
        // It stands left of the value before, and so below it.
        content[content.length - 3]!.footComment = key.footComment
        key.footComment = ''
      }
      const value = this.blockValue()
      content.push(value)
      passFoot(key, value)
    }
  }

  private blockValue(): YamlNode {
    const scanner = this.scanner
    const colon = scanner.peek()
    if (colon.kind !== kinds.value) return this.empty(colon)
    scanner.skip()
    return endsPair(scanner.peek().kind) ? this.empty(colon, 1) : this.blockNode(true)
  }

  private flowSequence(node: YamlNode, start: Token): YamlNode {
    const scanner = this.scanner
    scanner.skip()
    for (let first = true; ; first = false) {
      let token = scanner.peek()
      if (!first && token.kind !== kinds.flowSequenceEnd) {
        if (token.kind !== kinds.flowEntry) {
          this.fail("did not find expected ',' or ']'", token, start)
        }
        scanner.skip()
        token = scanner.peek()
      }
      if (token.kind === kinds.flowSequenceEnd) {
        this.commentEnd(node)
        scanner.skip()
        return node
      }
      node.content.push(token.kind === kinds.key ? this.flowPair(token) : this.flowNode())
    }
  }

  /** `[a: b]` is a list of one mapping with one pair. */
  private flowPair(start: Token): YamlNode {
    const scanner = this.scanner
    const node = this.open('mapping', start, '', '')
    node.style = 'flow'
    scanner.skip()
    const token = scanner.peek()
    let key: YamlNode
    if (endsFlowItem(token.kind, kinds.flowSequenceEnd) || token.kind === kinds.value) {
      // Parity: the token itself is swallowed, so that `[? : a]` and `[?, a]` read oddly in Go too.
      scanner.skip()
      key = this.empty(token, 1)
    } else {
      key = this.flowNode()
    }
    const value = this.flowPairValue()
    node.content.push(key, value)
    passFoot(key, value)
    return node
  }

  private flowPairValue(): YamlNode {
    const scanner = this.scanner
    const token = scanner.peek()
    if (token.kind === kinds.value) {
      scanner.skip()
      if (!endsFlowItem(scanner.peek().kind, kinds.flowSequenceEnd)) return this.flowNode()
    }
    return this.empty(token)
  }

  private flowMapping(node: YamlNode, start: Token): YamlNode {
    const scanner = this.scanner
    scanner.skip()
    for (let first = true; ; first = false) {
      let token = scanner.peek()
      if (!first && token.kind !== kinds.flowMappingEnd) {
        if (token.kind !== kinds.flowEntry) {
          this.fail("did not find expected ',' or '}'", token, start)
        }
        scanner.skip()
        token = scanner.peek()
      }
      if (token.kind === kinds.flowMappingEnd) {
        this.commentEnd(node)
        scanner.skip()
        return node
      }
      let key: YamlNode
      let value: YamlNode
      if (token.kind === kinds.key) {
        scanner.skip()
        token = scanner.peek()
        const noKey = endsFlowItem(token.kind, kinds.flowMappingEnd) || token.kind === kinds.value
        key = noKey ? this.empty(token) : this.flowNode()
        value = this.flowValue()
      } else {
        key = this.flowNode()
        value = this.empty(scanner.peek())
      }
      node.content.push(key, value)
      passFoot(key, value)
    }
  }

  private flowValue(): YamlNode {
    const scanner = this.scanner
    let token = scanner.peek()
    if (token.kind === kinds.value) {
      scanner.skip()
      token = scanner.peek()
      if (!endsFlowItem(token.kind, kinds.flowMappingEnd)) return this.flowNode()
    }
    return this.empty(token)
  }

  private flowNode(): YamlNode {
    return this.parseNode(false, false)
  }
}

/** What stands below a value stands below its key. */
function passFoot(key: YamlNode, value: YamlNode): void {
  if (key.footComment !== '' || value.footComment === '') return
  key.footComment = value.footComment
  value.footComment = ''
}

const startsNode: ReadonlySet<TokenKind> = new Set([
  kinds.alias,
  kinds.anchor,
  kinds.tag,
  kinds.scalar,
  kinds.flowSequenceStart,
  kinds.flowMappingStart,
  kinds.blockSequenceStart,
  kinds.blockMappingStart,
])

function endsPair(kind: TokenKind): boolean {
  return kind === kinds.key || kind === kinds.value || kind === kinds.blockEnd
}

function endsFlowItem(kind: TokenKind, end: TokenKind): boolean {
  return kind === kinds.flowEntry || kind === end
}
