import { isBlank, isBreak, isBreakOrEnd } from './chars.ts'
import type { Cursor } from './cursor.ts'
import type { Mark } from './problem.ts'
import { tokenKinds as kinds, type Token } from './token.ts'

const hash = 0x23
const reach = 512 // go.yaml.in/yaml v3.0.4 scannerc.go: how far a comment is looked for

/** A comment that waits for the token it belongs to. Offsets say which token that is, and where the scan began. */
interface Pending {
  role: 'head' | 'line' | 'foot'
  text: string
  tokenOffset: number
  readonly scanOffset: number
  readonly startOffset: number
  readonly endOffset: number
  readonly line: number
  /** From 0 for comments behind a token, from 1 for those on lines of their own. */
  readonly column: number
}

/** Comments that were read but belong to no node yet. */
export interface NodeComments {
  readonly head: string
  readonly line: string
  readonly foot: string
}

/**
 * Finds comments and says which token each belongs to, as go-yaml v3 does: `head` above something, `line` behind it,
 * `foot` below it with an empty line after.
 *
 * Source: go.yaml.in/yaml v3.0.4 scannerc.go and parserc.go
 */
export class CommentReader {
  /** Read and due, for the next node that takes them. */
  head = ''
  private line = ''
  private foot = ''
  private readonly cursor: Cursor
  private waiting: Pending[] = []
  private first = 0

  constructor(cursor: Cursor) {
    this.cursor = cursor
  }

  /** Everything that is due, once. */
  take(): NodeComments {
    const { head, line, foot } = this
    this.head = this.line = this.foot = ''
    return { head, line, foot }
  }

  /** Makes due what belongs to the token or stands before it. */
  release(token: Token): void {
    while (this.first < this.waiting.length) {
      const comment = this.waiting[this.first]!
      if (comment.tokenOffset > token.offset) return
      // No head for an end: the comment waits for what follows.
      if (comment.role === 'head' && token.kind === kinds.blockEnd) return
      this[comment.role] = join(this[comment.role], comment.text)
      comment.text = ''
      this.first++
    }
    if (this.first > 64) {
      this.waiting = this.waiting.slice(this.first)
      this.first = 0
    }
  }

  /** A comment behind a token on the same line; `owner` is where the token begins that gets it. */
  behind(owner: Mark): void {
    const { cursor } = this
    let at = cursor.offset
    while (isBlank(cursor.text.charCodeAt(at)) && at - cursor.offset < reach - 1) at++
    if (cursor.text.charCodeAt(at) !== hash || this.breaksBefore() > 0) return
    cursor.offset = at
    const { line, column } = cursor
    this.waiting.push({
      role: 'line',
      text: restOfLine(cursor),
      tokenOffset: owner.offset,
      scanOffset: 0,
      startOffset: at,
      endOffset: 0,
      line,
      column,
    })
  }

  /** `- # text` above the item's content: the comment, read as one behind the dash, becomes the head of the content. */
  raise(tokens: readonly Token[]): void {
    const { waiting } = this
    if (waiting.length === 0 || tokens.length < 2) return
    const comment = waiting[waiting.length - 1]!
    if (comment.role !== 'line' || comment.text === '') return
    if (tokens[tokens.length - 1]!.kind !== kinds.blockEntry) return
    if (tokens[tokens.length - 2]!.kind !== kinds.blockSequenceStart) return
    if (isBreak(this.cursor.code())) return
    comment.role = 'head'
    if (comment.line === this.cursor.line - 1) comment.tokenOffset = this.cursor.offset
  }

  /** Comments on lines of their own, from the one at the cursor on. */
  standing(scanStart: Mark, tokens: readonly Token[]): void {
    let owner = tokens[tokens.length - 1]!
    if (owner.kind === kinds.flowEntry && tokens.length > 1) owner = tokens[tokens.length - 2]!
    new StandingComments(this.cursor, this.waiting, scanStart, owner, this.breaksBefore()).read()
  }

  /**
   * Where a block ends that was indented by `indent`: before the comments on its own level that follow it, since those
   * are its foot.
   */
  endOfBlock(indent: number, from: Mark): Mark {
    let mark = from
    let stop = from.offset
    for (let i = this.waiting.length - 1; i >= 0; i--) {
      const comment = this.waiting[i]!
      if (comment.text === '' || comment.endOffset < stop) break
      if (comment.column === indent + 1) {
        mark = { offset: comment.startOffset, line: comment.line, column: comment.column }
      }
      stop = comment.scanOffset
    }
    return mark
  }

  /** Line breaks right before the cursor, with nothing but blanks between them. */
  private breaksBefore(): number {
    const { text, offset } = this.cursor
    let count = 0
    for (let at = offset - 1; at >= 0; at--) {
      const code = text.charCodeAt(at)
      if (isBreak(code)) {
        if (!(code === 0x0d && text.charCodeAt(at + 1) === 0x0a && at + 1 < offset)) count++
      } else if (!isBlank(code)) break
    }
    return count
  }
}

function join(before: string, text: string): string {
  return before === '' ? text : `${before}\n${text}`
}

function restOfLine(cursor: Cursor): string {
  const begin = cursor.offset
  while (!isBreakOrEnd(cursor.code())) cursor.offset++
  return cursor.text.slice(begin, cursor.offset)
}

/** One run of comments on lines of their own, which may fall into a foot of what was and a head of what comes. */
class StandingComments {
  private readonly cursor: Cursor
  private readonly out: Pending[]
  private readonly ownsValue: boolean
  private readonly footLine: number
  private readonly margin: number
  private ownerOffset: number
  private scanOffset: number
  private noGapYet: boolean

  private text = ''
  private startOffset = 0
  private startLine = 0
  private startColumn = 0

  /** Where the search has got to: columns count from 1, lines as the scanner's marks do. */
  private at: number
  private line: number
  private column: number

  constructor(cursor: Cursor, out: Pending[], scanStart: Mark, owner: Token, breaks: number) {
    this.cursor = cursor
    this.out = out
    this.ownsValue = owner.kind === kinds.value
    this.ownerOffset = owner.offset
    this.scanOffset = scanStart.offset
    this.margin = Math.max(cursor.indent, 0)
    this.noGapYet = breaks <= 1
    this.at = cursor.offset
    this.line = cursor.line
    this.column = cursor.column
    // A foot begins on the line below what it belongs to.
    if (scanStart.line === 0) this.footLine = -1
    else this.footLine = cursor.line - breaks + (breaks === 0 && cursor.column > 1 ? 2 : 1)
  }

  read(): void {
    const { cursor } = this
    let limit = this.at + reach
    let gap = false
    // Parity: go-yaml looks at bytes, so behind a break of two or three of them it finds the rest of that break.
    let inside = false
    for (; this.at < limit; this.at++) {
      this.column++
      const code: number = inside ? 1 : cursor.text.charCodeAt(this.at) || 0
      if (isBlank(code)) continue
      const closes = cursor.flowLevel > 0 && (code === 0x5d || code === 0x7d)
      if (closes || isBreakOrEnd(code)) {
        if (closes || !gap) this.endLine(closes, code)
        if (!isBreak(code)) break
        this.noGapYet = false
        gap = true
        this.column = 0
        this.line++
        inside = code >= 0x80
        if (inside) this.at--
        continue
      }
      if (this.text !== '' && this.column - 1 < this.margin && this.column !== this.startColumn) {
        // Left of the block, and not where the comment before began: that one was a foot.
        this.push('foot', this.ownerOffset)
      }
      if (code !== hash) break
      gap = false
      this.addLine()
      // The break behind the comment is stepped over without counting as a line of its own.
      limit = this.at + reach
      inside = cursor.code() >= 0x80
      if (inside) this.at--
    }
    if (this.text !== '') this.pushHead()
  }

  /** An empty line, the end of the text or of a flow collection: what was collected may be a foot. */
  private endLine(closes: boolean, code: number): void {
    if (this.text === '') return
    const outside = this.startColumn - 1 < this.margin
    const isFoot =
      closes ||
      (this.noGapYet && ((this.startLine === this.footLine && !this.ownsValue) || outside))
    if (isFoot) this.push('foot', outside ? this.startOffset : this.ownerOffset)
    else if (code !== 0) this.text += '\n'
  }

  private addLine(): void {
    const { cursor } = this
    if (this.text === '') {
      this.startOffset = this.at
      this.startLine = this.line
      this.startColumn = this.column
    } else {
      this.text += '\n'
    }
    while (cursor.offset < this.at) {
      if (isBreak(cursor.code())) cursor.skipBreak()
      else cursor.offset++
    }
    this.text += restOfLine(cursor)
    this.at = cursor.offset
    this.line = cursor.line
    this.column = 0
  }

  private push(role: 'foot', tokenOffset: number): void {
    this.out.push(this.pending(role, tokenOffset, this.at))
    this.scanOffset = this.at
    this.ownerOffset = this.at
    this.text = ''
  }

  private pushHead(): void {
    this.out.push(this.pending('head', this.startOffset, this.at - 1))
  }

  private pending(role: Pending['role'], tokenOffset: number, endOffset: number): Pending {
    return {
      role,
      text: this.text,
      tokenOffset,
      scanOffset: this.scanOffset,
      startOffset: this.startOffset,
      endOffset,
      line: this.startLine,
      column: this.startColumn,
    }
  }
}
