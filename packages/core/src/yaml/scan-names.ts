import { hexValue, isBlank, isBlankOrEnd, isBreakOrEnd, isDigit, isWordChar } from './chars.ts'
import type { Cursor } from './cursor.ts'
import type { Mark } from './problem.ts'
import { Token, tokenKinds } from './token.ts'

const bang = 0x21
const percent = 0x25

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.code())) cursor.offset++
}

function word(cursor: Cursor): string {
  const begin = cursor.offset
  while (isWordChar(cursor.code())) cursor.offset++
  return cursor.text.slice(begin, cursor.offset)
}

const afterAnchor = '?:,]}%@`'

/** `&name` or `*name`. */
export function scanAnchor(
  cursor: Cursor,
  kind: typeof tokenKinds.anchor | typeof tokenKinds.alias,
): Token {
  const start = cursor.mark()
  cursor.offset++
  const name = word(cursor)
  const next = cursor.code()
  if (name === '' || !(isBlankOrEnd(next) || afterAnchor.includes(String.fromCharCode(next)))) {
    cursor.fail('did not find expected alphabetic or numeric character', start)
  }
  return new Token(kind, start, name)
}

/** `!suffix`, `!handle!suffix`, `!` or `!<uri>`: handle in `value`, the rest in `suffix`. */
export function scanTag(cursor: Cursor): Token {
  const start = cursor.mark()
  let handle = ''
  let suffix: string
  if (cursor.codeAt(1) === 0x3c) {
    cursor.offset += 2
    suffix = scanUri(cursor, '', start)
    if (cursor.code() !== 0x3e) cursor.fail("did not find the expected '>'", start)
    cursor.offset++
  } else {
    handle = scanHandle(cursor, false, start)
    if (handle.length > 1 && handle.endsWith('!')) {
      suffix = scanUri(cursor, '', start)
    } else {
      suffix = scanUri(cursor, handle, start)
      handle = '!'
      if (suffix === '') {
        handle = ''
        suffix = '!'
      }
    }
  }
  if (!isBlankOrEnd(cursor.code())) {
    cursor.fail('did not find expected whitespace or line break', start)
  }
  return new Token(tokenKinds.tag, start, handle, 'plain', suffix)
}

function scanHandle(cursor: Cursor, directive: boolean, start: Mark): string {
  if (cursor.code() !== bang) cursor.fail("did not find expected '!'", start)
  cursor.offset++
  const name = word(cursor)
  if (cursor.code() === bang) {
    cursor.offset++
    return '!' + name + '!'
  }
  if (directive && name !== '') cursor.fail("did not find expected '!'", start)
  return '!' + name
}

const uriMarks = ";/?:@&=+$,.!~*'()[]%"

/** A tag's URI; `head` was read already, its `!` is not part of the result. */
function scanUri(cursor: Cursor, head: string, start: Mark): string {
  let uri = head.slice(1)
  let any = head !== ''
  for (;;) {
    const code = cursor.code()
    if (!(isWordChar(code) || (code !== 0 && uriMarks.includes(String.fromCharCode(code))))) break
    if (code === percent) uri += scanUriEscapes(cursor, start)
    else {
      uri += String.fromCharCode(code)
      cursor.offset++
    }
    any = true
  }
  if (!any) cursor.fail('did not find expected tag URI', start)
  return uri
}

/** The `%XX` octets of one UTF-8 character. */
function scanUriEscapes(cursor: Cursor, start: Mark): string {
  const octets: number[] = []
  let width = 1
  do {
    const high = hexValue(cursor.codeAt(1))
    const low = hexValue(cursor.codeAt(2))
    if (cursor.code() !== percent || high === -1 || low === -1) {
      cursor.fail('did not find URI escaped octet', start)
    }
    const octet = high * 16 + low
    if (octets.length === 0) {
      width = octet < 0x80 ? 1 : octet < 0xc0 ? 0 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4
      if (width === 0 || octet >= 0xf8) {
        cursor.fail('found an incorrect leading UTF-8 octet', start)
      }
    } else if ((octet & 0xc0) !== 0x80) {
      cursor.fail('found an incorrect trailing UTF-8 octet', start)
    }
    octets.push(octet)
    cursor.offset += 3
  } while (octets.length < width)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(octets))
}

/** A `%YAML` or `%TAG` line. */
export function scanDirective(cursor: Cursor): Token {
  const start = cursor.mark()
  cursor.offset++
  const name = word(cursor)
  if (name === '') cursor.fail('could not find expected directive name', start)
  if (!isBlankOrEnd(cursor.code())) {
    cursor.fail('found unexpected non-alphabetical character', start)
  }
  let token: Token
  if (name === 'YAML') token = scanVersion(cursor, start)
  else if (name === 'TAG') token = scanTagDirective(cursor, start)
  else token = cursor.fail('found unknown directive name', start)

  skipBlanks(cursor)
  if (cursor.code() === 0x23) while (!isBreakOrEnd(cursor.code())) cursor.offset++
  if (!isBreakOrEnd(cursor.code())) {
    cursor.fail('did not find expected comment or line break', start)
  }
  if (cursor.code() !== 0) cursor.skipBreak()
  return token
}

function scanVersion(cursor: Cursor, start: Mark): Token {
  skipBlanks(cursor)
  const major = scanVersionNumber(cursor, start)
  if (cursor.code() !== 0x2e) cursor.fail("did not find expected digit or '.' character", start)
  cursor.offset++
  const minor = scanVersionNumber(cursor, start)
  return new Token(tokenKinds.versionDirective, start, `${major}.${minor}`)
}

function scanVersionNumber(cursor: Cursor, start: Mark): number {
  let value = 0
  let length = 0
  while (isDigit(cursor.code())) {
    if (++length > 2) cursor.fail('found extremely long version number', start)
    value = value * 10 + cursor.code() - 0x30
    cursor.offset++
  }
  if (length === 0) cursor.fail('did not find expected version number', start)
  return value
}

function scanTagDirective(cursor: Cursor, start: Mark): Token {
  skipBlanks(cursor)
  const handle = scanHandle(cursor, true, start)
  if (!isBlank(cursor.code())) cursor.fail('did not find expected whitespace', start)
  skipBlanks(cursor)
  const prefix = scanUri(cursor, '', start)
  if (!isBlankOrEnd(cursor.code())) {
    cursor.fail('did not find expected whitespace or line break', start)
  }
  return new Token(tokenKinds.tagDirective, start, handle, 'plain', prefix)
}
