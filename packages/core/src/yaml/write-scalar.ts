import { isBlankOrEnd, isBreak } from './chars.ts'
import { isPrintable } from './scalar-traits.ts'

export type WrittenStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** Where a scalar stands while it is written. */
export interface ScalarPlace {
  /** Column of the line so far. */
  readonly column: number
  /** Indentation of the lines that follow. */
  readonly indent: number
  /** Columns after which a space becomes a line break; Infinity for never. */
  readonly width: number
}

const newline = '\n'

function lineStart(indent: number): string {
  return newline + ' '.repeat(indent)
}

export function plainText(text: string, place: ScalarPlace): string {
  if (place.column + text.length <= place.width || !text.includes(' ')) return text
  return foldSpaces(text, place, 0, text.length)
}

export function singleQuoted(text: string, place: ScalarPlace): string {
  const quoted = text.includes("'") ? text.replaceAll("'", "''") : text
  if (hasBreak(text)) return `'${breakLines(text, place)}'`
  if (place.column + 1 + quoted.length <= place.width || !text.includes(' ')) return `'${quoted}'`
  const inner = { ...place, column: place.column + 1 }
  // The first and the last character never turn into a line break.
  return `'${foldSpaces(quoted, inner, 1, quoted.length - 1)}'`
}

/** Single spaces between `from` and `to` become line breaks where the line is full. */
function foldSpaces(text: string, place: ScalarPlace, from: number, to: number): string {
  let out = ''
  let start = 0
  let column = place.column
  for (let i = 0; i < text.length; i++) {
    if (
      text.charCodeAt(i) === 0x20 &&
      column > place.width &&
      i >= from &&
      i < to &&
      text.charCodeAt(i + 1) !== 0x20 &&
      (i === 0 || text.charCodeAt(i - 1) !== 0x20)
    ) {
      out += text.slice(start, i) + lineStart(place.indent)
      start = i + 1
      column = place.indent
    } else {
      column++
    }
  }
  return out + text.slice(start)
}

const breakPattern = /[\n\r\u0085\u2028\u2029]/

function hasBreak(text: string): boolean {
  return breakPattern.test(text)
}

/** A single-quoted text with line breaks in it: a line feed is doubled, so that reading folds it back into one. */
function breakLines(text: string, place: ScalarPlace): string {
  let out = ''
  let column = place.column + 1
  let afterSpace = false
  let afterBreak = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    const code = text.charCodeAt(i)
    if (char === ' ') {
      const folds =
        place.width < column &&
        !afterSpace &&
        i > 0 &&
        i < text.length - 1 &&
        text.charCodeAt(i + 1) !== 0x20
      if (folds) {
        out += lineStart(place.indent)
        column = place.indent
      } else {
        out += char
        column++
      }
      afterSpace = true
    } else if (isBreak(code)) {
      if (!afterBreak && char === newline) out += newline
      out += char
      column = 0
      afterBreak = true
    } else {
      if (afterBreak) {
        out += ' '.repeat(place.indent)
        column = place.indent
      }
      out += char === "'" ? "''" : char
      column += char === "'" ? 2 : 1
      afterSpace = false
      afterBreak = false
    }
  }
  return out
}

const escapeLetters: ReadonlyMap<number, string> = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0xa0, '_'],
  [0x2028, 'L'],
  [0x2029, 'P'],
])

export function doubleQuoted(text: string, place: ScalarPlace): string {
  // Parity: go-yaml asks whether the text, not the character, begins with a byte order mark
  const escapeAll = text.charCodeAt(0) === 0xfeff
  let out = '"'
  let column = place.column + 1
  let afterSpace = false
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (
      escapeAll ||
      code > 0xffff ||
      !isPrintable(code) ||
      isBreak(code) ||
      code === 0x22 ||
      code === 0x5c
    ) {
      const escaped = escapeOf(code)
      out += escaped
      column += escaped.length
      afterSpace = false
      if (code > 0xffff) i++
    } else if (code === 0x20) {
      if (!afterSpace && column > place.width && i > 0 && i < text.length - 1) {
        out += lineStart(place.indent)
        column = place.indent
        if (text.charCodeAt(i + 1) === 0x20) {
          out += '\\'
          column++
        }
      } else {
        out += ' '
        column++
      }
      afterSpace = true
    } else {
      out += text[i]
      column++
      afterSpace = false
    }
  }
  return out + '"'
}

function escapeOf(code: number): string {
  const letter = escapeLetters.get(code)
  if (letter !== undefined) return '\\' + letter
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return '\\x' + hex.padStart(2, '0')
  return code <= 0xffff ? '\\u' + hex.padStart(4, '0') : '\\U' + hex.padStart(8, '0')
}

/** What stands behind `|` or `>`: the indentation where the text hides it, and what happens at its end. */
export function blockHints(text: string, step: number): string {
  const first = text.charCodeAt(0)
  const indent = text !== '' && (first === 0x20 || isBreak(first)) ? String(step) : ''
  if (text === '' || !isBreak(text.charCodeAt(text.length - 1))) return indent + '-'
  if (text.length === 1 || isBreak(text.charCodeAt(text.length - 2))) return indent + '+'
  return indent
}

/** The lines of a literal scalar, each indented; ends as the text ends. */
export function literalBody(text: string, indent: number): string {
  const pad = ' '.repeat(indent)
  let out = ''
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (!isBreak(text.charCodeAt(i))) continue
    if (i > start) out += pad + text.slice(start, i)
    out += text[i]
    start = i + 1
  }
  return start < text.length ? out + pad + text.slice(start) : out
}

/** The lines of a folded scalar. */
export function foldedBody(text: string, place: ScalarPlace): string {
  const pad = ' '.repeat(place.indent)
  let out = ''
  let column = 0
  let atStart = true
  let leadingSpaces = true
  // Parity: go-yaml looks for the end of the breaks at the start of the text, not at the break that it writes
  let leadingBreaks = 0
  while (leadingBreaks < text.length && isBreak(text.charCodeAt(leadingBreaks))) leadingBreaks++
  const opensBlank = leadingBreaks >= text.length || isBlankOrEnd(text.charCodeAt(leadingBreaks))
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isBreak(code)) {
      if (!atStart && !leadingSpaces && code === 0x0a && !opensBlank) out += newline
      out += text[i]
      column = 0
      atStart = true
      continue
    }
    if (atStart) {
      out += pad
      column = place.indent
      leadingSpaces = code === 0x20 || code === 0x09
    }
    const folds =
      !atStart && code === 0x20 && text.charCodeAt(i + 1) !== 0x20 && column > place.width
    if (folds) {
      out += newline + pad
      column = place.indent
    } else {
      out += text[i]
      column++
    }
    atStart = false
  }
  return out
}
