import { breakText, charCr, charLf, forbidden, isBlankOrEnd } from './chars.ts'
import {
  type Mark,
  type SourceOptions,
  syntaxError,
  type YamlDialect,
  yamlError,
} from './problem.ts'

const chunkBytes = 512 // go.yaml.in/yaml v2.4.3 yamlprivateh.go input_raw_buffer_size

/** A position in a text that counts lines on the way, and what every part of the scanner asks of it. */
export class Cursor implements Mark {
  /** The text, and a NUL as a mark of its end. */
  readonly text: string
  readonly dialect: YamlDialect
  readonly options: SourceOptions
  offset: number
  line = 0
  lineStart: number

  /** Column of the innermost block collection, -1 outside of all. */
  indent = -1
  flowLevel = 0
  /** Whether a `key:` may begin here. */
  keyAllowed = true

  /** The first character that cannot be read. */
  private readonly unreadable: { readonly problem: string; readonly at: Mark } | undefined

  /** `clean`: the caller knows that every character of the text may be read. */
  constructor(text: string, dialect: YamlDialect, options: SourceOptions, clean: boolean = false) {
    const bad = clean ? -1 : text.search(forbidden)
    this.unreadable =
      bad === -1 ? undefined : { problem: unreadable(text, bad), at: markAt(text, bad) }
    this.text = (bad === -1 ? text : text.slice(0, chunkStart(text, bad))) + '\0'
    this.dialect = dialect
    this.options = options
    this.offset = 0
    while (this.text.charCodeAt(this.offset) === 0xfeff && this.offset < 2) this.offset++
    this.lineStart = this.offset
  }

  get column(): number {
    return this.offset - this.lineStart
  }

  code(): number {
    return this.text.charCodeAt(this.offset)
  }

  codeAt(ahead: number): number {
    return this.text.charCodeAt(this.offset + ahead)
  }

  mark(): Mark {
    return { offset: this.offset, line: this.line, column: this.offset - this.lineStart }
  }

  /** Steps over one line break (CR LF counts as one) and returns how it reads inside a scalar. */
  skipBreak(): string {
    const code = this.text.charCodeAt(this.offset)
    this.offset += code === charCr && this.text.charCodeAt(this.offset + 1) === charLf ? 2 : 1
    this.line++
    this.lineStart = this.offset
    return breakText(code)
  }

  /** `---` or `...` in the first column with nothing but a blank after it. */
  atDocumentIndicator(): boolean {
    if (this.offset !== this.lineStart) return false
    const code = this.text.charCodeAt(this.offset)
    return (
      (code === 0x2d || code === 0x2e) &&
      this.text.charCodeAt(this.offset + 1) === code &&
      this.text.charCodeAt(this.offset + 2) === code &&
      isBlankOrEnd(this.text.charCodeAt(this.offset + 3))
    )
  }

  /** Called where the text ends: an unreadable character further on is reported only when reading gets there. */
  checkEnd(): void {
    if (this.unreadable === undefined) return
    throw yamlError(this.options, `yaml: ${this.unreadable.problem}`, this.unreadable.at)
  }

  fail(problem: string, context: Mark | undefined): never {
    if (this.code() === 0) this.checkEnd()
    throw syntaxError(this.options, this.dialect, 'scanner', problem, this.mark(), context)
  }
}

function markAt(text: string, offset: number): Mark {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\u0085\u2028\u2029]/)
  return { offset, line: before.length - 1, column: before[before.length - 1]!.length }
}

/** Bytes that are no UTF-8 stand in a text as U+DC80 to U+DCFF. */
function unreadable(text: string, index: number): string {
  const byte = text.charCodeAt(index) - 0xdc00
  if (byte < 0x80 || byte > 0xff) return 'control characters are not allowed'
  if (byte < 0xc0 || byte >= 0xf8) return 'invalid leading UTF-8 octet'
  return index + 1 < text.length
    ? 'invalid trailing UTF-8 octet'
    : 'incomplete UTF-8 octet sequence'
}

/** Where the reader's chunk that holds the character at `index` begins: nothing from there on is ever seen. */
function chunkStart(text: string, index: number): number {
  let bytes = 0
  let start = 0
  let next = chunkBytes
  for (let i = 0; i <= index; i++) {
    const code = text.charCodeAt(i)
    const width = code < 0x80 ? 1 : code < 0x800 ? 2 : (code & 0xfc00) === 0xd800 ? 4 : 3
    // A character that does not fit into the chunk moves to the next one, which is filled up to the same size.
    if (bytes + width > next) {
      start = i
      next = bytes + chunkBytes
    }
    bytes += width
    if (width === 4) i++
  }
  return start
}
