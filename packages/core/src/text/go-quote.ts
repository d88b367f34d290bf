import { bytesToText } from './go-string.ts'
import { isPrint } from './go-unicode.ts'

const plain = /^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/

/** strconv.Quote: double quotes, Go escapes, printable Unicode kept. `ascii` escapes everything beyond ASCII. */
export function quoteGo(text: string, ascii = false): string {
  if (plain.test(text)) return '"' + text + '"'
  let out = '"'
  for (const char of text) out += escapeRune(char, '"', ascii)
  return out + '"'
}

/** strconv.QuoteRune. */
export function quoteRune(char: string, ascii = false): string {
  return "'" + escapeRune(char, "'", ascii) + "'"
}

function escapeRune(char: string, quote: string, ascii: boolean): string {
  const code = char.codePointAt(0)!
  if (char === quote || char === '\\') return '\\' + char
  if (code >= 0xdc80 && code <= 0xdcff) return '\\x' + (code - 0xdc00).toString(16)
  if (ascii ? code < 0x7f && code >= 0x20 : isPrint(char)) return char
  switch (code) {
    case 7:
      return '\\a'
    case 8:
      return '\\b'
    case 9:
      return '\\t'
    case 10:
      return '\\n'
    case 11:
      return '\\v'
    case 12:
      return '\\f'
    case 13:
      return '\\r'
    default:
  }
  if (code < 0x20 || code === 0x7f) return '\\x' + code.toString(16).padStart(2, '0')
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd'
  if (code < 0x10000) return '\\u' + code.toString(16).padStart(4, '0')
  return '\\U' + code.toString(16).padStart(8, '0')
}

/** strconv.CanBackquote: no backquote, no control character but tab, valid UTF-8, no byte order mark. */
export function canBackquote(text: string): boolean {
  return !/[\u0000-\u0008\u000a-\u001f\u007f`\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(
    text,
  )
}

/** strconv.Unquote for `"…"`, `` `…` `` and `'…'`; undefined when the text is no such literal. */
export function unquoteGo(literal: string): string | undefined {
  const quote = literal[0]
  if (literal.length < 2 || literal.at(-1) !== quote) return undefined
  const body = literal.slice(1, -1)
  if (quote === '`') return body.includes('`') ? undefined : body.replaceAll('\r', '')
  if (quote !== '"' && quote !== "'") return undefined
  if (body.includes('\n')) return undefined
  if (!body.includes('\\') && quote === '"') return body.includes('"') ? undefined : body
  let out = ''
  let i = 0
  let bytes: number[] = []
  const flush = (): void => {
    if (bytes.length > 0) out += bytesToText(Uint8Array.from(bytes))
    bytes = []
  }
  let runes = 0
  while (i < body.length) {
    const next = unquoteRune(body, i, quote)
    if (next === undefined) return undefined
    if (next.byte !== undefined) bytes.push(next.byte)
    else {
      flush()
      out += next.text
    }
    i = next.end
    runes++
  }
  flush()
  return quote === "'" && runes !== 1 ? undefined : out
}

const simpleEscapes: { readonly [key: string]: string } = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/**
 * strconv.UnquoteChar: the rune (or single byte, for `\xhh` and `\ooo` above 0x7f) at `i` and where it ends.
 * Undefined for an invalid letter or an unescaped quote.
 */
export function unquoteRune(
  text: string,
  i: number,
  quote: string,
): { readonly text: string; readonly byte?: number; readonly end: number } | undefined {
  const char = String.fromCodePoint(text.codePointAt(i)!)
  if (char === quote) return undefined
  if (char !== '\\') return { text: char, end: i + char.length }
  const letter = text[i + 1]
  if (letter === undefined) return undefined
  const simple = simpleEscapes[letter]
  if (simple !== undefined) return { text: simple, end: i + 2 }
  if (letter === quote && (quote === '"' || quote === "'")) return { text: letter, end: i + 2 }
  const size = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0
  if (size > 0) {
    const digits = text.slice(i + 2, i + 2 + size)
    if (digits.length < size || !/^[0-9a-fA-F]+$/.test(digits)) return undefined
    const value = Number.parseInt(digits, 16)
    if (size === 2) return byteOrRune(value, i + 4)
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return undefined
    return { text: String.fromCodePoint(value), end: i + 2 + size }
  }
  const octal = /^[0-7]{3}/.exec(text.slice(i + 1, i + 4))
  if (octal === null) return undefined
  const value = Number.parseInt(octal[0], 8)
  return value > 255 ? undefined : byteOrRune(value, i + 4)
}

function byteOrRune(
  value: number,
  end: number,
): { readonly text: string; readonly byte?: number; readonly end: number } {
  const text = String.fromCharCode(value)
  return { text, byte: value, end }
}
