import {
  charLf,
  charSpace,
  charTab,
  hexValue,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDigit,
} from './chars.ts'
import type { Cursor } from './cursor.ts'
import type { Mark } from './problem.ts'
import { Token, tokenKinds } from './token.ts'

const colon = 0x3a
const hash = 0x23
const singleQuote = 0x27
const doubleQuote = 0x22
const backslash = 0x5c

function isFlowIndicator(code: number): boolean {
  // , ? [ ] { }
  return (
    code === 0x2c ||
    code === 0x3f ||
    code === 0x5b ||
    code === 0x5d ||
    code === 0x7b ||
    code === 0x7d
  )
}

/** What stands between two pieces of a flow scalar when line breaks lie between them. */
function fold(first: string, others: string): string {
  if (first === '\n') return others === '' ? ' ' : others
  return first + others
}

/** A scalar without quotes, over as many lines as belong to it. */
export function scanPlain(cursor: Cursor): Token {
  const start = cursor.mark()
  const text = cursor.text
  const indent = cursor.indent + 1
  const inFlow = cursor.flowLevel > 0
  let value = ''
  let between = ''
  let crossed = false
  for (;;) {
    if (cursor.offset === cursor.lineStart && cursor.atDocumentIndicator()) break
    let code = cursor.code()
    if (code === hash) break

    const begin = cursor.offset
    let at = begin
    while (!isBlankOrEnd(code)) {
      if (code === colon && isBlankOrEnd(text.charCodeAt(at + 1))) break
      if (inFlow && isFlowIndicator(code)) break
      code = text.charCodeAt(++at)
    }
    if (at > begin) {
      cursor.offset = at
      value = value === '' ? text.slice(begin, at) : value + between + text.slice(begin, at)
      between = ''
      crossed = false
    }
    if (!isBlank(code) && !isBreak(code)) break

    const blanks = at
    let firstBreak = ''
    let otherBreaks = ''
    while (isBlank(code) || isBreak(code)) {
      if (isBlank(code)) {
        if (crossed && code === charTab && cursor.column < indent) {
          cursor.fail('found a tab character that violates indentation', start)
        }
        cursor.offset++
      } else if (crossed) {
        otherBreaks += cursor.skipBreak()
      } else {
        crossed = true
        firstBreak = cursor.skipBreak()
      }
      code = cursor.code()
    }
    between = crossed ? fold(firstBreak, otherBreaks) : text.slice(blanks, cursor.offset)
    if (!inFlow && cursor.column < indent) break
  }
  if (crossed) cursor.keyAllowed = true
  return new Token(tokenKinds.scalar, start, value)
}

const simpleEscapes: ReadonlyMap<number, string> = new Map([
  [0x30, '\0'],
  [0x61, '\x07'],
  [0x62, '\b'],
  [0x74, '\t'],
  [charTab, '\t'],
  [0x6e, '\n'],
  [0x76, '\v'],
  [0x66, '\f'],
  [0x72, '\r'],
  [0x65, '\x1b'],
  [charSpace, ' '],
  [doubleQuote, '"'],
  [singleQuote, "'"],
  [backslash, '\\'],
  [0x4e, '\x85'],
  [0x5f, '\xa0'],
  [0x4c, '\u2028'],
  [0x50, '\u2029'],
])

const hexEscapes: ReadonlyMap<number, number> = new Map([
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
])

/** A scalar in quotes; `quote` is the character that opens it. */
export function scanQuoted(cursor: Cursor, quote: number): Token {
  const start = cursor.mark()
  const text = cursor.text
  const single = quote === singleQuote
  let value = ''
  cursor.offset++
  for (;;) {
    if (cursor.atDocumentIndicator()) cursor.fail('found unexpected document indicator', start)
    if (cursor.code() === 0) cursor.fail('found unexpected end of stream', start)

    let crossed = false
    let begin = cursor.offset
    let code = cursor.code()
    while (!isBlankOrEnd(code)) {
      if (code === quote) {
        if (!single || text.charCodeAt(cursor.offset + 1) !== singleQuote) break
        value += text.slice(begin, cursor.offset + 1)
        cursor.offset += 2
        begin = cursor.offset
      } else if (code === backslash && !single) {
        value += text.slice(begin, cursor.offset)
        const next = cursor.codeAt(1)
        if (isBreak(next)) {
          cursor.offset++
          cursor.skipBreak()
          begin = cursor.offset
          crossed = true
          break
        }
        value += scanEscape(cursor, next, start)
        begin = cursor.offset
      } else {
        cursor.offset++
      }
      code = cursor.code()
    }
    value += text.slice(begin, cursor.offset)
    code = cursor.code()
    if (code === quote) break

    const blanks = cursor.offset
    let firstBreak = ''
    let otherBreaks = ''
    const escaped = crossed
    while (isBlank(code) || isBreak(code)) {
      if (isBlank(code)) cursor.offset++
      else if (crossed) otherBreaks += cursor.skipBreak()
      else {
        crossed = true
        firstBreak = cursor.skipBreak()
      }
      code = cursor.code()
    }
    if (!crossed) value += text.slice(blanks, cursor.offset)
    else value += escaped ? otherBreaks : fold(firstBreak, otherBreaks)
  }
  cursor.offset++
  return new Token(tokenKinds.scalar, start, value, single ? 'single' : 'double')
}

function scanEscape(cursor: Cursor, letter: number, start: Mark): string {
  const plain = simpleEscapes.get(letter)
  if (plain !== undefined) {
    cursor.offset += 2
    return plain
  }
  const length = hexEscapes.get(letter)
  if (length === undefined) return cursor.fail('found unknown escape character', start)
  cursor.offset += 2
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = hexValue(cursor.codeAt(i))
    if (digit === -1) cursor.fail('did not find expected hexdecimal number', start)
    value = value * 16 + digit
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    cursor.fail('found invalid Unicode character escape code', start)
  }
  cursor.offset += length
  return String.fromCodePoint(value)
}

/**
 * A literal (`|`) or folded (`>`) scalar.
 *
 * `onComment` is called before a comment behind the indicator is skipped.
 */
export function scanBlockScalar(
  cursor: Cursor,
  literal: boolean,
  onComment?: (start: Mark) => void,
): Token {
  const start = cursor.mark()
  const text = cursor.text
  cursor.offset++
  const { chomp, increment } = scanBlockHeader(cursor, start)
  while (isBlank(cursor.code())) cursor.offset++
  if (cursor.code() === hash) {
    onComment?.(start)
    while (!isBreakOrEnd(cursor.code())) cursor.offset++
  }
  if (!isBreakOrEnd(cursor.code())) {
    cursor.fail('did not find expected comment or line break', start)
  }
  if (cursor.code() !== 0) cursor.skipBreak()

  const body = new BlockBody(cursor, start)
  if (increment > 0) body.indent = Math.max(cursor.indent, 0) + increment
  let breaks = body.leadIn()
  let value = ''
  let lineBreak = ''
  let afterBlank = false
  while (cursor.column === body.indent && cursor.code() !== 0) {
    const startsBlank = isBlank(cursor.code())
    if (!literal && lineBreak === '\n' && !afterBlank && !startsBlank) {
      value += breaks === '' ? ' ' : breaks
    } else {
      value += lineBreak + breaks
    }
    afterBlank = startsBlank

    const begin = cursor.offset
    let at = begin
    let code = cursor.code()
    while (code !== charLf && !isBreakOrEnd(code)) code = text.charCodeAt(++at)
    cursor.offset = at
    value += text.slice(begin, at)
    lineBreak = code === 0 ? '' : cursor.skipBreak()
    breaks = body.leadIn()
  }
  if (chomp !== '-') value += lineBreak
  if (chomp === '+') value += breaks
  return new Token(tokenKinds.scalar, start, value, literal ? 'literal' : 'folded')
}

function scanBlockHeader(cursor: Cursor, start: Mark): { chomp: string; increment: number } {
  let chomp = ''
  let increment = 0
  for (let i = 0; i < 2; i++) {
    const code = cursor.code()
    if (chomp === '' && (code === 0x2b || code === 0x2d)) {
      chomp = code === 0x2b ? '+' : '-'
      cursor.offset++
    } else if (increment === 0 && isDigit(code)) {
      if (code === 0x30) cursor.fail('found an indentation indicator equal to 0', start)
      increment = code - 0x30
      cursor.offset++
    }
  }
  return { chomp, increment }
}

/** The indentation of a block scalar, 0 until the first line that is not empty has told it. */
class BlockBody {
  indent = 0
  private readonly cursor: Cursor
  private readonly start: Mark

  constructor(cursor: Cursor, start: Mark) {
    this.cursor = cursor
    this.start = start
  }

  /** Steps over empty lines and indentation; returns the breaks that it saw. */
  leadIn(): string {
    const cursor = this.cursor
    let breaks = ''
    let widest = 0
    for (;;) {
      while ((this.indent === 0 || cursor.column < this.indent) && cursor.code() === charSpace) {
        cursor.offset++
      }
      widest = Math.max(widest, cursor.column)
      const code = cursor.code()
      if ((this.indent === 0 || cursor.column < this.indent) && code === charTab) {
        cursor.fail('found a tab character where an indentation space is expected', this.start)
      }
      if (!isBreak(code)) break
      breaks += cursor.skipBreak()
    }
    if (this.indent === 0) this.indent = Math.max(widest, cursor.indent + 1, 1)
    return breaks
  }
}
