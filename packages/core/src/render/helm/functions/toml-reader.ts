import { FunctionFailure } from '../../../lang/gotemplate/index.ts'
import { quoteGo, quoteRune, textToBytes } from '../../../text/index.ts'

export const blanks: RegExp = /[ \t]*/y
export const gaps: RegExp = /(?:[ \t\r\n]|#[^\n]*)*/y

/** Control characters, carriage returns without a line feed, and bytes that are no UTF-8. */
const forbidden = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f\udc80-\udcff]|\r(?!\n)/u

/**
 * A document without its byte order mark. Throws a FunctionFailure for what looks like UTF-16: a NULL among the first six
 * bytes.
 */
export function tomlStart(text: string): string {
  const start = text.replace(/^(?:\ufeff|\udcff\udcfe|\udcfe\udcff)/, '')
  if (textToBytes(start.slice(0, 6)).subarray(0, 6).includes(0)) {
    throw new FunctionFailure(
      'toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8',
    )
  }
  return start
}

/** A place in a TOML document, and failures that name it as BurntSushi/toml does. */
export abstract class TomlReader {
  protected readonly text: string
  protected at = 0
  /** Where the first forbidden character is; nobody gets past it. */
  private readonly barrier: number

  constructor(text: string) {
    this.text = text
    const found = text.search(forbidden)
    this.barrier = found === -1 ? text.length : found
  }

  /** The key that errors name; '' where there is none. */
  protected abstract lastKey(): string

  /** Fails on the line of the place, before anything there is read; `back` lines earlier. */
  protected fail(message: string, back: number = 0): never {
    const line = this.text.slice(0, this.at).split('\n').length - back
    const key = this.lastKey()
    throw new FunctionFailure(
      `toml: line ${line}${key === '' ? '' : ` (last key ${quoteGo(key)})`}: ${message}`,
    )
  }

  /** Fails after the character at the place is read, which matters when it is a line break; the end has none to read. */
  protected failAfter(message: string): never {
    const isEnd = this.at >= this.text.length
    if (!isEnd) this.at++
    return this.fail(message, isEnd && this.text.endsWith('\n') ? 1 : 0)
  }

  /** Fails where the text has something between two offsets that may not stand anywhere in a document. */
  protected checkCharacters(from: number, to: number): void {
    if (this.barrier < from || this.barrier >= to || this.barrier === this.text.length) return
    this.at = this.barrier
    const code = this.text.charCodeAt(this.at)
    const hex = (code > 0xff ? code - 0xdc00 : code).toString(16).padStart(2, '0')
    this.fail(
      code > 0xff
        ? `invalid UTF-8 byte: 0x${hex}`
        : `TOML files cannot contain control characters: '0x${hex}'`,
    )
  }

  /** The character at the place, undefined at the end; fails when it is forbidden. */
  protected peek(): string | undefined {
    const code = this.text.codePointAt(this.at)
    if (code === undefined) return undefined
    this.checkCharacters(this.at, this.at + 1)
    return String.fromCodePoint(code)
  }

  protected skip(pattern: RegExp): void {
    const from = this.at
    const end = from + (this.take(pattern)?.length ?? 0)
    this.checkCharacters(from, end)
    this.at = end
  }

  protected take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.at += match[0].length
    return match[0]
  }
}

/** `%q` of a character; the end of the text is a zero. */
export function rune(char: string | undefined): string {
  return char === undefined ? "'\\x00'" : quoteRune(char)
}

/** A character as it is, in quotes. */
export function runeOrEnd(char: string | undefined): string {
  return char === undefined ? 'end of file' : `'${char}'`
}
