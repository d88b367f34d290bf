import { StaticFailure } from './failure.ts'
import type { Source } from './source.ts'

const simple: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * The value of what stands between the quotes of a string literal.
 *
 * Two surrogate escapes in a row join; a pair that does not fit becomes U+FFFD. Throws StaticFailure.
 */
export function unescapeString(raw: string, source: Source, begin: number, end: number): string {
  if (!raw.includes('\\')) return raw
  const fail = (message: string): never => {
    // Parity: go-jsonnet repeats the location here.
    throw new StaticFailure(source, begin, end, `${source.range(begin, end)} ${message}`)
  }
  const hex = (at: number, what: string): number => {
    const digits = raw.slice(at, at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      fail(`Unicode ${what} was malformed: ${raw.slice(0, 4)}`)
    }
    return Number.parseInt(digits, 16)
  }
  let out = ''
  let at = 0
  for (;;) {
    const slash = raw.indexOf('\\', at)
    if (slash === -1) return out + raw.slice(at)
    out += raw.slice(at, slash)
    const letter = String.fromCodePoint(raw.codePointAt(slash + 1) ?? 0x5c)
    const value = simple[letter]
    at = slash + 2
    if (value !== undefined) {
      out += value
      continue
    }
    if (letter !== 'u') fail(`Unknown escape sequence in string literal: \\${letter}`)
    if (at + 4 > raw.length) fail('Truncated unicode escape sequence in string literal.')
    const code = hex(at, 'escape sequence')
    at += 4
    if (code < 0xd800 || code > 0xdfff) {
      out += String.fromCharCode(code)
      continue
    }
    if (at + 6 > raw.length) {
      fail('Truncated unicode surrogate pair escape sequence in string literal.')
    }
    if (!raw.startsWith('\\u', at)) {
      fail('Unicode surrogate pair escape sequence missing low surrogate in string literal.')
    }
    const low = hex(at + 2, 'low surrogate escape sequence')
    at += 6
    const joins = code < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
    out += joins ? String.fromCharCode(code, low) : '\ufffd'
  }
}
