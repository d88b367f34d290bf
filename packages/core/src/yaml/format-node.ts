import { RenderError } from '../errors/index.ts'
import { byteLength } from '../text/index.ts'
import { isBreak } from './chars.ts'
import { shortTag, type YamlNode } from './node.ts'
import { resolvePlain } from './resolve.ts'
import { analyzeScalar, type ScalarTraits } from './scalar-traits.ts'
import { maxDepth } from './scanner.ts'
import {
  blockHints,
  doubleQuoted,
  foldedBody,
  literalBody,
  plainText,
  type ScalarPlace,
  singleQuoted,
  type WrittenStyle,
} from './write-scalar.ts'

export interface NodeFormatOptions {
  /** Columns per level, 2 to 9; 2 as in Kustomize. */
  readonly indent?: number
  /** Dashes of a list in the column of the key above it, as Kustomize writes them; true if not given. */
  readonly compactLists?: boolean
}

/**
 * A node or a document as go-yaml v3 writes it, with its styles, tags, anchors and comments.
 *
 * Errors: BUDGET_EXCEEDED for deep nesting.
 * Source: go.yaml.in/yaml v3.0.4 encode.go and emitterc.go
 */
export function formatYamlNode(node: YamlNode, options: NodeFormatOptions = {}): string {
  return new NodeWriter(options).document(node)
}

const noWidth = Number.POSITIVE_INFINITY

/** Where a node stands. */
interface Context {
  /** An item of a block list: what is below it aligns behind the dash. */
  readonly item: boolean
  /** The value of a mapping. */
  readonly value: boolean
  /** A key; `simple` where its colon follows on the same line. */
  readonly key: false | 'simple' | 'explicit'
}

const rootContext: Context = { item: false, value: false, key: false }
const itemContext: Context = { item: true, value: false, key: false }
const flowContext: Context = { item: false, value: false, key: false }
const valueContext: Context = { item: false, value: true, key: false }
const keyContext: Context = { item: false, value: true, key: 'simple' }
const explicitKeyContext: Context = { item: false, value: true, key: 'explicit' }

/** How a scalar is written, settled before its key is known to be simple or not. */
interface Spelling {
  readonly tag: string
  readonly style: WrittenStyle
  readonly traits: ScalarTraits
}

/**
 * A writer that keeps the state that go-yaml's emitter keeps, because where comments go depends on it: `blank` says that
 * no blank is needed before the next word, `fresh` that only indentation and indicators stand on the line.
 */
class NodeWriter {
  private readonly step: number
  private readonly compact: boolean
  private out = ''
  private column = 0
  private blank = true
  private fresh = true
  private indent = -1
  private flowLevel = 0
  private depth = 0
  private footIndent = -1

  private head = ''
  private line = ''
  private foot = ''
  private tail = ''
  private keyLine = ''

  constructor(options: NodeFormatOptions) {
    const step = options.indent ?? 2
    this.step = step < 2 || step > 9 ? 2 : step
    this.compact = options.compactLists ?? true
  }

  document(node: YamlNode): string {
    let root = node
    if (node.kind === 'document') {
      this.head = node.headComment
      if (this.head !== '') {
        this.writeHead()
        this.break()
      }
      if (node.content[0] === undefined) return this.out
      root = node.content[0]
    }
    this.loadStart(root, '')
    this.writeHead()
    this.node(root, rootContext, true)
    if (node.kind === 'document' && node.footComment !== '') this.foot = node.footComment
    this.footIndent = 0
    this.writeFoot()
    this.footIndent = -1
    this.startLine()
    return this.out
  }

  // ---- the line

  private put(text: string): void {
    this.out += text
    this.column += text.length
  }

  private break(): void {
    this.out += '\n'
    this.column = 0
    this.fresh = true
  }

  /** Begins a line at the current indentation, unless the line is still empty there. */
  private startLine(): void {
    const indent = Math.max(this.indent, 0)
    if (!this.fresh || this.column > indent || (this.column === indent && !this.blank)) this.break()
    if (this.footIndent === indent) this.break()
    if (this.column < indent) this.put(' '.repeat(indent - this.column))
    this.blank = true
    this.footIndent = -1
  }

  private indicator(text: string, needsBlank: boolean, isBlank: boolean, isIndent: boolean): void {
    this.put(needsBlank && !this.blank ? ' ' + text : text)
    this.blank = isBlank
    this.fresh = this.fresh && isIndent
  }

  /** Puts text that may hold line breaks. */
  private putLines(text: string): void {
    this.out += text
    let start = text.length
    while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--
    this.column = start === 0 ? this.column + text.length : text.length - start
  }

  /** Indentation of what stands below the current node. */
  private inner(context: Context, isFlow: boolean): number {
    if (this.indent < 0) return isFlow ? this.step : 0
    if (context.item) return this.indent + 2
    return this.step * Math.floor((this.indent + this.step) / this.step)
  }

  // ---- comments

  /** Takes over the comments that stand before or behind the start of a node; others stay pending. */
  private loadStart(node: YamlNode, tail: string): void {
    if (node.headComment !== '') this.head = node.headComment
    if (node.kind === 'scalar' || node.kind === 'alias') {
      if (node.lineComment !== '') this.line = node.lineComment
      if (node.footComment !== '') this.foot = node.footComment
    }
    if (tail !== '' && node.kind !== 'alias' && node.kind !== 'sequence') this.tail = tail
  }

  private loadEnd(node: YamlNode, tail: string, context: Context): void {
    if (node.lineComment !== '') this.line = node.lineComment
    // The foot of a key is written as a tail.
    if (node.footComment !== '' && context.key === false) this.foot = node.footComment
    if (tail !== '') this.tail = tail
  }

  private writeHead(): void {
    if (this.tail !== '') {
      this.startLine()
      this.comment(this.tail)
      this.tail = ''
      this.footIndent = Math.max(this.indent, 0)
    }
    if (this.head === '') return
    this.startLine()
    this.comment(this.head)
    this.head = ''
  }

  private writeLine(): void {
    if (this.line === '') return
    if (!this.blank) this.put(' ')
    this.comment(this.line)
    this.line = ''
  }

  private writeFoot(): void {
    if (this.foot === '') return
    this.startLine()
    this.comment(this.foot)
    this.foot = ''
    this.footIndent = Math.max(this.indent, 0)
  }

  private get hasTrailing(): boolean {
    return this.line !== '' || this.foot !== '' || this.tail !== ''
  }

  private comment(text: string): void {
    let broken = false
    let marked = false
    for (const char of text) {
      if (isBreak(char.charCodeAt(0))) {
        this.out += char
        this.column = 0
        this.fresh = true
        broken = true
        marked = false
        continue
      }
      if (broken) this.startLine()
      if (!marked) {
        if (char !== '#') this.put('# ')
        marked = true
      }
      this.out += char
      this.column++
      this.fresh = false
      broken = false
    }
    if (!broken) this.break()
    this.blank = true
  }

  // ---- nodes

  /**
   * Writes a node whose start comments are loaded. `after`: comments behind it are written as soon as it has begun,
   * which for a block collection is before its first entry.
   */
  private node(node: YamlNode, context: Context, after: boolean): void {
    if (++this.depth > maxDepth) {
      throw new RenderError('BUDGET_EXCEEDED', `yaml: exceeded max depth of ${maxDepth}`)
    }
    switch (node.kind) {
      case 'alias':
        this.indicator('*', true, false, false)
        this.word(node.value)
        if (after) this.writeAfter()
        break
      case 'scalar':
        this.scalar(node, spell(node), context)
        if (after) this.writeAfter()
        break
      case 'document':
        for (const child of node.content) this.node(child, context, after)
        break
      default:
        this.collection(node, context, after)
    }
    this.depth--
  }

  private writeAfter(): void {
    if (this.flowLevel > 0 && this.hasTrailing) this.indicator(',', false, false, false)
    this.writeLine()
    this.writeFoot()
  }

  private word(text: string): void {
    this.put(text)
    this.blank = false
    this.fresh = false
  }

  private properties(node: YamlNode, tag: string): void {
    if (node.anchor !== '') {
      this.indicator('&', true, false, false)
      this.word(node.anchor)
    }
    if (tag === '') return
    if (!this.blank) this.put(' ')
    this.word(tagText(tag))
  }

  private collection(node: YamlNode, context: Context, after: boolean): void {
    const implied = node.kind === 'mapping' ? '!!map' : '!!seq'
    this.properties(node, !node.tagged && shortTag(node.tag) === implied ? '' : node.tag)
    if (after) this.writeAfter()
    const outer = this.indent
    const isFlow = this.flowLevel > 0 || node.style === 'flow' || node.content.length === 0
    if (isFlow) {
      this.flowLevel++
      if (node.kind === 'mapping') this.flowMapping(node, context)
      else this.flowSequence(node, context)
    } else if (node.kind === 'mapping') {
      this.blockMapping(node, context)
    } else {
      this.blockSequence(node, context)
    }
    this.indent = outer
    if (isFlow) {
      if (node.kind === 'sequence' && this.column === 0) this.startLine()
      this.indicator(node.kind === 'mapping' ? '}' : ']', false, false, false)
      this.writeLine()
      this.writeFoot()
    }
  }

  private blockSequence(node: YamlNode, context: Context): void {
    const onKeyLine = context.value && (this.column === 0 || !this.fresh)
    const isCompact = this.compact && onKeyLine && this.indent >= 0 && !context.item
    this.indent = this.inner(context, false) - (isCompact ? 2 : 0)
    for (const item of node.content) {
      this.loadStart(item, '')
      this.writeHead()
      this.startLine()
      this.indicator('-', true, false, true)
      this.node(item, itemContext, true)
    }
    this.loadEnd(node, '', context)
  }

  private blockMapping(node: YamlNode, context: Context): void {
    this.indent = this.inner(context, false)
    let tail = ''
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      const key = node.content[i]!
      const foot = key.footComment
      this.loadKey(key, tail)
      tail = foot
      this.writeHead()
      this.startLine()
      if (this.line !== '') {
        this.keyLine = this.line
        this.line = ''
      }
      const isSimple = this.isSimpleKey(key)
      if (isSimple) {
        this.node(key, keyContext, false)
        this.indicator(':', false, false, false)
      } else {
        this.indicator('?', true, false, true)
        this.node(key, explicitKeyContext, false)
      }
      const value = node.content[i + 1]!
      this.loadStart(value, '')
      if (!isSimple) {
        this.startLine()
        this.indicator(':', true, false, true)
      }
      this.writeKeyLine(value)
      this.node(value, valueContext, true)
    }
    this.loadEnd(node, tail, context)
    this.writeHead()
  }

  /** A key's foot comment stands below its value and is written there, as the tail of what came before. */
  private loadKey(key: YamlNode, tail: string): void {
    const { foot } = this
    this.loadStart(key, tail)
    if (key.kind === 'scalar' || key.kind === 'alias') this.foot = foot
  }

  /** A comment behind a colon: a scalar takes it as its own, a block collection leaves it where it is. */
  private writeKeyLine(value: YamlNode): void {
    if (this.keyLine === '') return
    if (value.kind === 'scalar') {
      if (this.line !== '') return
      this.line = this.keyLine
      this.keyLine = ''
    } else if (value.kind !== 'alias' && value.style !== 'flow') {
      const own = this.line
      this.line = this.keyLine
      this.writeLine()
      this.keyLine = ''
      this.line = own
    }
  }

  private flowSequence(node: YamlNode, context: Context): void {
    this.indicator('[', true, true, false)
    this.indent = this.inner(context, true)
    let comma = false
    for (const item of node.content) {
      this.loadStart(item, '')
      if (comma) this.indicator(',', false, false, false)
      this.writeHead()
      if (this.column === 0) this.startLine()
      comma = !this.hasTrailing
      this.node(item, flowContext, true)
    }
    this.loadEnd(node, '', context)
    this.flowLevel--
  }

  private flowMapping(node: YamlNode, context: Context): void {
    this.indicator('{', true, true, false)
    this.indent = this.inner(context, true)
    let comma = false
    let tail = ''
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      const key = node.content[i]!
      const foot = key.footComment
      this.loadKey(key, tail)
      tail = foot
      if (comma) this.indicator(',', false, false, false)
      this.writeHead()
      if (this.column === 0) this.startLine()
      if (this.isSimpleKey(key)) {
        this.node(key, keyContext, false)
        this.loadStart(node.content[i + 1]!, '')
        this.indicator(':', false, false, false)
      } else {
        this.indicator('?', true, false, false)
        this.node(key, explicitKeyContext, false)
        this.loadStart(node.content[i + 1]!, '')
        this.indicator(':', true, false, false)
      }
      comma = !this.hasTrailing
      this.node(node.content[i + 1]!, valueContext, true)
    }
    this.loadEnd(node, tail, context)
    if (comma && (this.head !== '' || this.foot !== '' || this.tail !== '')) {
      this.indicator(',', false, false, false)
    }
    this.writeHead()
    this.flowLevel--
  }

  private isSimpleKey(key: YamlNode): boolean {
    if (key.kind === 'alias') return byteLength(key.value) <= 128
    if (key.kind !== 'scalar') return key.content.length === 0
    const { traits, tag } = spell(key)
    if (traits.multiline) return false
    return byteLength(key.anchor) + byteLength(tagText(tag)) + byteLength(key.value) <= 128
  }

  private scalar(node: YamlNode, spelling: Spelling, context: Context): void {
    const style = this.settle(node.value, spelling, context)
    this.properties(node, spelling.tag)
    const outer = this.indent
    this.indent = this.inner(context, true)
    this.writeScalar(node.value, style)
    this.indent = outer
  }

  private settle(text: string, { style, traits }: Spelling, context: Context): WrittenStyle {
    const inFlow = this.flowLevel > 0
    let chosen = style
    if (context.key === 'simple' && traits.multiline) chosen = 'double'
    if (chosen === 'plain') {
      if (!(inFlow ? traits.flowPlain : traits.blockPlain)) chosen = 'single'
      if (text === '' && (inFlow || context.key === 'simple')) chosen = 'single'
    }
    if (chosen === 'single' && !traits.single) chosen = 'double'
    if (chosen === 'literal' || chosen === 'folded') {
      if (!traits.block || inFlow || context.key === 'simple') chosen = 'double'
    }
    return chosen
  }

  private writeScalar(text: string, style: WrittenStyle): void {
    if (style === 'literal' || style === 'folded') {
      this.indicator(
        (style === 'literal' ? '|' : '>') + blockHints(text, this.step),
        true,
        false,
        false,
      )
      if (this.line === '') this.break()
      else this.writeLine()
      this.blank = true
      const body =
        style === 'literal'
          ? literalBody(text, this.indent)
          : foldedBody(text, { column: 0, indent: this.indent, width: noWidth })
      this.putLines(body)
      this.fresh = text === '' || isBreak(text.charCodeAt(text.length - 1))
      return
    }
    if (style === 'plain' && text === '') {
      this.fresh = false
      return
    }
    if (!this.blank) this.put(' ')
    const place: ScalarPlace = { column: this.column, indent: this.indent, width: noWidth }
    if (style === 'plain') this.putLines(plainText(text, place))
    else this.putLines(style === 'single' ? singleQuoted(text, place) : doubleQuoted(text, place))
    this.blank = false
    this.fresh = false
  }
}

/** The tag that has to be written, and the style that the node asks for. */
function spell(node: YamlNode): Spelling {
  let tag = shortTag(node.tag)
  let force = false
  if (tag !== '' && !node.tagged) {
    const isText = tag === '!!str'
    if (isText && node.style !== '') tag = ''
    else if (resolvePlain(node.value, 'v3').tag === tag) tag = ''
    else if (isText) {
      tag = ''
      force = true
    }
  }
  let style: WrittenStyle = 'plain'
  if (node.style !== '' && node.style !== 'flow') style = node.style
  else if (node.value.includes('\n')) style = 'literal'
  else if (force) style = 'double'
  return { tag, style, traits: analyzeScalar(node.value, 'v3') }
}

function tagText(tag: string): string {
  if (tag === '') return ''
  const handle = tag.startsWith('!!') ? '!!' : tag.startsWith('!') ? '!' : ''
  if (handle !== '') return handle + uriText(tag.slice(handle.length))
  return `!<${uriText(tag)}>`
}

const uriChars = /[A-Za-z0-9_\-;/?:@&=+$,.~*'()[\]]/

function uriText(text: string): string {
  let out = ''
  for (const char of text) {
    if (uriChars.test(char)) out += char
    else {
      for (const byte of new TextEncoder().encode(char)) {
        out += '%' + byte.toString(16).toUpperCase().padStart(2, '0')
      }
    }
  }
  return out
}
