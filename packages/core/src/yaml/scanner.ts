import { charLf, charSpace, charTab, isBlankOrEnd, isBreak, isBreakOrEnd } from './chars.ts'
import { CommentReader } from './comments.ts'
import { Cursor } from './cursor.ts'
import type { Mark, SourceOptions, YamlDialect } from './problem.ts'
import { budgetError } from './problem.ts'
import { scanAnchor, scanDirective, scanTag } from './scan-names.ts'
import { scanBlockScalar, scanPlain, scanQuoted } from './scan-scalars.ts'
import { tokenKinds as kinds, Token, type TokenKind } from './token.ts'

/** Deeper nesting is refused: readers and writers of values recurse, and Go's own 10,000 would end the process. */
export const maxDepth = 500

const maxKeyLength = 1024 // YAML 1.1, 9.3.1: an implicit key ends within 1,024 characters

/** A place where a `key:` without `?` may have begun. One for each flow level. */
class PendingKey implements Mark {
  possible = false
  /** It starts a line of the current mapping, so that nothing else can stand there. */
  required = false
  offset = 0
  line = 0
  column = 0
  /** The number of its token in the stream. */
  number = 0
  token: Token | undefined = undefined
}

/**
 * Cuts a text into tokens, on demand.
 *
 * Whether a scalar is a key shows only at the colon behind it. So tokens wait in a queue as long as one of them may
 * still turn out to be a key: what was read on the way decides which of two errors is reported.
 */
export class Scanner {
  readonly cursor: Cursor
  /** Only in v3, where nodes keep their comments. */
  readonly comments: CommentReader | undefined
  private readonly ahead: number
  private queue: Token[] = []
  private head = 0
  private taken = 0
  private readonly indents: number[] = []
  private readonly keys: PendingKey[] = []
  constructor(text: string, dialect: YamlDialect, options: SourceOptions) {
    this.cursor = new Cursor(text, dialect, options)
    this.comments = dialect === 'v3' ? new CommentReader(this.cursor) : undefined
    // v3 looks two tokens further, for the sake of comments
    this.ahead = dialect === 'v3' ? 2 : 0
    this.keys.push(new PendingKey())
    this.add(kinds.streamStart, this.cursor)
  }

  /** The next token. Errors: YAML_INVALID for what cannot be a token here. */
  peek(): Token {
    for (;;) {
      const waiting = this.queue.length - this.head
      if (waiting > this.ahead) {
        // Parity: a token can outlive its key, and then waits for the next key of that level, as in go-yaml.
        const level = this.queue[this.head]!.keyLevel
        if (level === -1 || !this.isAlive(this.keys[level])) break
      }
      this.scanNext()
    }
    const token = this.queue[this.head]!
    this.comments?.release(token)
    return token
  }

  /** Takes the token that `peek` showed. */
  skip(): void {
    this.head++
    this.taken++
    if (this.head > 64) {
      // the last two stay: comments ask for them
      this.queue = this.queue.slice(this.head - 2)
      this.head = 2
    }
  }

  private isAlive(key: PendingKey | undefined): key is PendingKey {
    if (key === undefined || !key.possible) return false
    const cursor = this.cursor
    if (key.line === cursor.line && !this.isTooLong(key)) return true
    if (key.required) cursor.fail("could not find expected ':'", key)
    key.possible = false
    return false
  }

  private isTooLong(key: PendingKey): boolean {
    const { text, offset } = this.cursor
    if (offset - key.offset <= maxKeyLength) return false
    let length = 0
    for (let i = key.offset; i < offset; i++) {
      if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) length++
    }
    return length > maxKeyLength
  }

  private currentKey(): PendingKey {
    return this.keys[this.keys.length - 1]!
  }

  /** The token that is about to be read may turn out to be a key. */
  private saveKey(): boolean {
    const cursor = this.cursor
    if (!cursor.keyAllowed) return false
    this.dropKey()
    const key = this.currentKey()
    key.possible = true
    key.required = cursor.flowLevel === 0 && cursor.indent === cursor.column
    key.offset = cursor.offset
    key.line = cursor.line
    key.column = cursor.column
    key.number = this.taken + this.queue.length - this.head
    return true
  }

  private dropKey(): void {
    const key = this.currentKey()
    if (!key.possible) return
    if (key.required) this.cursor.fail("could not find expected ':'", key)
    forget(key)
  }

  /** Adds a token that was saved as a possible key if `saved` says so. */
  private addKeyed(token: Token, saved: boolean): void {
    this.queue.push(token)
    if (!saved) return
    token.keyLevel = this.keys.length - 1
    this.currentKey().token = token
  }

  private add(kind: TokenKind, at: Mark): void {
    this.queue.push(new Token(kind, at))
  }

  /** Adds a token for the next `length` characters and steps over them. */
  private take(kind: TokenKind, length = 1): void {
    this.add(kind, this.cursor)
    this.cursor.offset += length
  }

  /** Opens a block collection when the column lies right of the current one; `number` puts its token before a key. */
  private indentTo(column: number, kind: TokenKind, at: Mark, number = -1): void {
    const cursor = this.cursor
    if (cursor.flowLevel > 0 || cursor.indent >= column) return
    this.indents.push(cursor.indent)
    cursor.indent = column
    this.limitDepth()
    this.insert(new Token(kind, at), number)
  }

  /** Puts a token before the one of that number, or last where that one is gone or none is named. */
  private insert(token: Token, number: number): void {
    const at = number - this.taken
    const { queue } = this
    queue.push(token)
    if (number < 0 || at < 0) return
    for (let i = queue.length - 1; i > this.head + at; i--) queue[i] = queue[i - 1]!
    queue[this.head + at] = token
  }

  /** `from` is where the scan for the next token began, before comments. */
  private dedentTo(column: number, from: Mark = this.cursor): void {
    const cursor = this.cursor
    if (cursor.flowLevel > 0 || cursor.indent <= column) return
    let at: Mark = cursor
    if (this.comments !== undefined) {
      at = { offset: from.offset - 1, line: from.line, column: from.column }
    }
    while (cursor.indent > column) {
      if (this.comments !== undefined) at = this.comments.endOfBlock(cursor.indent, at)
      this.add(kinds.blockEnd, at)
      cursor.indent = this.indents.pop()!
    }
  }

  private limitDepth(): void {
    if (this.indents.length + this.cursor.flowLevel > maxDepth) {
      const message = `yaml: exceeded max depth of ${maxDepth}`
      throw budgetError(this.cursor.options, message, this.cursor.mark())
    }
  }

  private scanNext(): void {
    const cursor = this.cursor
    if (this.comments === undefined) {
      this.skipToToken()
      this.dedentTo(cursor.column)
    } else {
      const from = cursor.mark()
      this.skipToToken()
      this.dedentTo(cursor.column, from)
    }
    const code = cursor.code()
    if (code === 0) {
      this.endStream()
      return
    }
    if (cursor.offset === cursor.lineStart) {
      if (code === 0x25) {
        this.directive()
        return
      }
      if (cursor.atDocumentIndicator()) {
        this.documentIndicator(code === 0x2d ? kinds.documentStart : kinds.documentEnd)
        return
      }
    }
    if (this.comments === undefined) {
      this.scanToken(code)
      return
    }
    // A comment behind a colon or a comma belongs to what stands before it.
    const followsToken = code === (cursor.flowLevel > 0 ? 0x2c : 0x3a)
    const owner = followsToken ? this.last() : cursor.mark()
    this.scanToken(code)
    if (this.last().kind !== kinds.blockEntry) this.comments.behind(owner)
  }

  private last(): Token {
    return this.queue[this.queue.length - 1]!
  }

  private scanToken(code: number): void {
    const cursor = this.cursor
    const inFlow = cursor.flowLevel > 0
    switch (code) {
      case 0x5b:
        this.openFlow(kinds.flowSequenceStart)
        return
      case 0x7b:
        this.openFlow(kinds.flowMappingStart)
        return
      case 0x5d:
        this.closeFlow(kinds.flowSequenceEnd)
        return
      case 0x7d:
        this.closeFlow(kinds.flowMappingEnd)
        return
      case 0x2c:
        this.dropKey()
        cursor.keyAllowed = true
        this.take(kinds.flowEntry)
        return
      case 0x2d:
        if (isBlankOrEnd(cursor.codeAt(1))) this.blockEntry()
        else this.plain()
        return
      case 0x3f:
        if (inFlow || isBlankOrEnd(cursor.codeAt(1))) this.explicitKey()
        else this.plain()
        return
      case 0x3a:
        if (inFlow || isBlankOrEnd(cursor.codeAt(1))) this.value()
        else this.plain()
        return
      case 0x2a:
      case 0x26:
        this.keyed(() => scanAnchor(cursor, code === 0x2a ? kinds.alias : kinds.anchor))
        return
      case 0x21:
        this.keyed(() => scanTag(cursor))
        return
      case 0x7c:
      case 0x3e:
        if (inFlow) break
        this.dropKey()
        cursor.keyAllowed = true
        this.queue.push(
          scanBlockScalar(cursor, code === 0x7c, (start) => this.comments?.behind(start)),
        )
        return
      case 0x27:
      case 0x22:
        this.keyed(() => scanQuoted(cursor, code))
        return
      case 0x23:
      case 0x25:
      case 0x40:
      case 0x60:
      case charTab:
        break
      default:
        this.plain()
        return
    }
    cursor.fail('found character that cannot start any token', cursor.mark())
  }

  private skipToToken(): void {
    const cursor = this.cursor
    const text = cursor.text
    const from = this.comments === undefined ? cursor : cursor.mark()
    for (;;) {
      const tabs = cursor.flowLevel > 0 || !cursor.keyAllowed
      let code = cursor.code()
      while (code === charSpace || (tabs && code === charTab)) {
        cursor.offset++
        code = cursor.code()
      }
      this.comments?.raise(this.queue)
      if (code === 0x23 && this.comments !== undefined) {
        this.comments.standing(from, this.queue)
        code = cursor.code()
      } else if (code === 0x23) {
        let at = cursor.offset
        do code = text.charCodeAt(++at)
        while (code !== charLf && !isBreakOrEnd(code))
        cursor.offset = at
      }
      if (!isBreak(code)) return
      cursor.skipBreak()
      if (cursor.flowLevel === 0) cursor.keyAllowed = true
    }
  }

  private endStream(): void {
    const cursor = this.cursor
    cursor.checkEnd()
    if (cursor.column !== 0) {
      cursor.lineStart = cursor.offset
      cursor.line++
    }
    this.dedentTo(-1)
    this.dropKey()
    cursor.keyAllowed = false
    this.add(kinds.streamEnd, cursor)
  }

  private directive(): void {
    this.dedentTo(-1)
    this.dropKey()
    this.cursor.keyAllowed = false
    this.queue.push(scanDirective(this.cursor))
  }

  private documentIndicator(kind: TokenKind): void {
    this.dedentTo(-1)
    this.dropKey()
    this.cursor.keyAllowed = false
    this.take(kind, 3)
  }

  private openFlow(kind: TokenKind): void {
    const cursor = this.cursor
    const saved = this.saveKey()
    const token = new Token(kind, cursor)
    this.addKeyed(token, saved)
    const inner = new PendingKey()
    inner.token = token
    this.keys.push(inner)
    cursor.flowLevel++
    this.limitDepth()
    cursor.keyAllowed = true
    cursor.offset++
  }

  private closeFlow(kind: TokenKind): void {
    const cursor = this.cursor
    this.dropKey()
    if (cursor.flowLevel > 0) {
      cursor.flowLevel--
      // Parity: when no key began inside, this is the bracket itself, so that `[]: x` reads as `[]` in v2.
      forget(this.keys.pop()!)
    }
    cursor.keyAllowed = false
    this.take(kind)
  }

  private blockEntry(): void {
    const cursor = this.cursor
    if (cursor.flowLevel === 0) {
      if (!cursor.keyAllowed) {
        cursor.fail('block sequence entries are not allowed in this context', cursor.mark())
      }
      this.indentTo(cursor.column, kinds.blockSequenceStart, cursor)
    }
    this.dropKey()
    cursor.keyAllowed = true
    this.take(kinds.blockEntry)
  }

  private explicitKey(): void {
    const cursor = this.cursor
    if (cursor.flowLevel === 0) {
      if (!cursor.keyAllowed) {
        cursor.fail('mapping keys are not allowed in this context', cursor.mark())
      }
      this.indentTo(cursor.column, kinds.blockMappingStart, cursor)
    }
    this.dropKey()
    cursor.keyAllowed = cursor.flowLevel === 0
    this.take(kinds.key)
  }

  private value(): void {
    const cursor = this.cursor
    const key = this.currentKey()
    if (this.isAlive(key)) {
      this.insert(new Token(kinds.key, key), key.number)
      this.indentTo(key.column, kinds.blockMappingStart, key, key.number)
      forget(key)
      cursor.keyAllowed = false
    } else {
      if (cursor.flowLevel === 0) {
        if (!cursor.keyAllowed) {
          cursor.fail('mapping values are not allowed in this context', cursor.mark())
        }
        this.indentTo(cursor.column, kinds.blockMappingStart, cursor)
      }
      cursor.keyAllowed = cursor.flowLevel === 0
    }
    this.take(kinds.value)
  }

  private plain(): void {
    const saved = this.saveKey()
    this.cursor.keyAllowed = false
    this.addKeyed(scanPlain(this.cursor), saved)
  }

  private keyed(scan: () => Token): void {
    const saved = this.saveKey()
    this.cursor.keyAllowed = false
    this.addKeyed(scan(), saved)
  }
}

function forget(key: PendingKey): void {
  key.possible = false
  if (key.token !== undefined) key.token.keyLevel = -1
}
