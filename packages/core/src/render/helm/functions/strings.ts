import { sortStrings } from '../../../json/index.ts'
import {
  FunctionFailure,
  itemsOf,
  type Run,
  sprintf,
  TypedMap,
  TypedSlice,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import {
  adler32,
  byteLength,
  bytesToText,
  compareBytes,
  decodeBase32,
  decodeBase64,
  encodeBase32,
  encodeBase64,
  healText,
  isLower,
  isSpace,
  isTitle,
  isUpper,
  lowerRune,
  parseGoInt,
  quoteGo,
  replaceInvalid,
  runeCount,
  sha1,
  sha256,
  sha512,
  sliceBytes,
  textToBytes,
  titleRune,
  titleWords,
  toHex,
  toLower,
  toUpper,
  trimSpace,
  upperRune,
} from '../../../text/index.ts'
import { camelCase, separateCase } from './case.ts'
import { joinText, textOf } from './convert.ts'
import { define, type FunctionList } from './define.ts'
import { Latest } from './remember.ts'

const mostDigested = 32
const longestDigested = 65_536

/** A digest. Charts put that of the same few texts, such as their configuration, into every pod: the latest are kept. */
function digest(sum: (bytes: Uint8Array) => string): ReturnType<typeof define> {
  const latest = new Latest<string>(mostDigested)
  return define('s', ([text], { run }) => {
    run.charge(text.length >> 3)
    const make = (): string => sum(textToBytes(text))
    return text.length > longestDigested ? make() : latest.of(text, make)
  })
}

/** Functions that look up what kind each character is take a microsecond for one. */
function perCharacter(change: (text: string) => string): ReturnType<typeof define> {
  return define('s', ([text], { run }) => {
    run.charge(text.length * 8)
    return change(text)
  })
}

export const stringFunctions: FunctionList = [
  ['hello', define('', () => 'Hello!')],
  ['abbrev', define('is', ([width, s]) => abbreviate(s, 0, Number(width), width < 4n))],
  [
    'abbrevboth',
    define('iis', ([left, right, s]) =>
      abbreviate(s, Number(left), Number(right), right < 4n || (left > 0n && right < 7n)),
    ),
  ],
  ['trunc', define('is', ([count, s]) => truncate(Number(count), s))],
  ['trim', define('s', ([s]) => trimSpace(s))],
  ['upper', define('s', ([s]) => toUpper(s))],
  ['lower', define('s', ([s]) => toLower(s))],
  ['title', perCharacter(titleWords)],
  ['untitle', perCharacter(untitle)],
  ['substr', define('iis', ([start, end, s]) => substring(Number(start), Number(end), s))],
  [
    'repeat',
    define('is', ([count, s], { run }) => {
      run.checkSize(Number(count) * s.length)
      return repeat(s, Number(count))
    }),
  ],
  ['trimall', define('ss', ([cutset, s]) => trimAll(s, cutset))],
  ['trimAll', define('ss', ([cutset, s]) => trimAll(s, cutset))],
  [
    'trimSuffix',
    define('ss', ([suffix, s]) =>
      suffix !== '' && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s,
    ),
  ],
  [
    'trimPrefix',
    define('ss', ([prefix, s]) => (s.startsWith(prefix) ? s.slice(prefix.length) : s)),
  ],
  ['nospace', define('s', ([s]) => deleteWhiteSpace(s))],
  ['initials', define('s', ([s]) => initials(s))],
  ['swapcase', perCharacter(swapCase)],
  ['snakecase', perCharacter((s) => separateCase(s, '_'))],
  ['camelcase', perCharacter(camelCase)],
  ['kebabcase', perCharacter((s) => separateCase(s, '-'))],
  ['wrap', define('is', ([width, s]) => wrap(s, Number(width), '\n', false))],
  [
    'wrapWith',
    define('iss', ([width, separator, s]) =>
      wrap(s, Number(width), separator === '' ? '\n' : separator, true),
    ),
  ],
  ['contains', define('ss', ([part, s]) => s.includes(part))],
  ['hasPrefix', define('ss', ([prefix, s]) => s.startsWith(prefix))],
  ['hasSuffix', define('ss', ([suffix, s]) => s.endsWith(suffix))],
  [
    'quote',
    define('a*', (args) =>
      notNil(args)
        .map((arg) => quoteGo(textOf(arg)))
        .join(' '),
    ),
  ],
  [
    'squote',
    define('a*', (args) =>
      notNil(args)
        .map((arg) => `'${sprintf('%v', [arg])}'`)
        .join(' '),
    ),
  ],
  [
    'cat',
    define('a*', (args) => {
      const rest = notNil(args)
      return sprintf(rest.map(() => '%v').join(' '), rest)
    }),
  ],
  ['indent', define('is', ([count, s], context) => indent(Number(count), s, context.run))],
  ['nindent', define('is', ([count, s], context) => '\n' + indent(Number(count), s, context.run))],
  ['replace', define('sss', ([before, after, s], { run }) => replace(s, before, after, run))],
  ['plural', define('ssi', ([one, many, count]) => (count === 1n ? one : many))],
  ['sha1sum', digest((bytes) => toHex(sha1(bytes)))],
  ['sha256sum', digest((bytes) => toHex(sha256(bytes)))],
  ['sha512sum', digest((bytes) => toHex(sha512(bytes)))],
  ['adler32sum', digest((bytes) => String(adler32(bytes)))],
  ['toString', define('a', ([value]) => textOf(value))],
  [
    'atoi',
    define('s', ([s]) => {
      const value = parseGoInt(s, 10)
      if (typeof value === 'bigint') return value
      // Atoi gives the nearest number when the text is one that does not fit
      return value === 'range' ? (s.startsWith('-') ? -(1n << 63n) : (1n << 63n) - 1n) : 0n
    }),
  ],
  ['split', define('ss', ([separator, s], { run }) => numbered(splitText(s, separator, run)))],
  [
    'splitn',
    define('sis', ([separator, n, s], { run }) => numbered(splitN(s, separator, Number(n), run))),
  ],
  [
    'splitList',
    define('ss', ([separator, s], { run }) => stringSlice(splitText(s, separator, run))),
  ],
  ['toStrings', define('a', ([value]) => stringSlice(stringsOf(value)))],
  ['join', define('sa', ([separator, value]) => joinText(stringsOf(value), separator))],
  ['sortAlpha', define('a', ([value]) => stringSlice(sortAlpha(value)))],
  ['b64enc', define('s', ([s]) => encodeBase64(textToBytes(s)))],
  ['b64dec', define('s', ([s]) => decoded(decodeBase64(textToBytes(s)), 'base64'))],
  ['b32enc', define('s', ([s]) => encodeBase32(textToBytes(s)))],
  ['b32dec', define('s', ([s]) => decoded(decodeBase32(textToBytes(s)), 'base32'))],
]

function notNil(args: readonly Value[]): Value[] {
  return args.filter((arg) => arg !== null && arg !== undefined)
}

/** A `[]string`. */
export function stringSlice(items: readonly string[]): TypedSlice {
  return new TypedSlice('string', items)
}

function decoded(result: Uint8Array | { readonly errorAt: number }, name: string): string {
  return result instanceof Uint8Array
    ? bytesToText(result)
    : `illegal ${name} data at input byte ${result.errorAt}`
}

/** sprig's strslice: the texts of a list without nils; anything else as the only one. */
export function stringsOf(value: Value): string[] {
  if (value === null || value === undefined) return []
  const items = itemsOf(value)
  return items === undefined ? [textOf(value)] : notNil(items).map(textOf)
}

function sortAlpha(value: Value): string[] {
  if (value === null || value === undefined) return ['<nil>']
  if (itemsOf(value) === undefined) return [textOf(value)]
  const texts = stringsOf(value)
  return texts.every((text) => text.isWellFormed()) ? sortStrings(texts) : texts.sort(compareBytes)
}

function numbered(parts: readonly string[]): TypedMap {
  return new TypedMap('map[string]string', new Map(parts.map((part, i) => [`_${i}`, part])), {
    elementType: 'string',
    zero: '',
  })
}

/** strings.Split: an empty separator gives the characters. */
function splitText(text: string, separator: string, run: Run): string[] {
  // parts take many times the memory of the text, so they are counted first where there may be many
  if (text.length > 65_536) run.checkItems(countOf(text, separator))
  return separator === '' ? [...text] : text.split(separator)
}

/** How often a part is in a text, or how many characters the text has. */
function countOf(text: string, part: string): number {
  if (part === '') return runeCount(text)
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}

/** strings.SplitN. */
function splitN(text: string, separator: string, n: number, run: Run): string[] {
  if (n === 0) return []
  const parts = splitText(text, separator, run)
  if (n < 0 || parts.length <= n) return parts
  return [...parts.slice(0, n - 1), parts.slice(n - 1).join(separator)]
}

function repeat(text: string, count: number): string {
  if (count < 0) throw new FunctionFailure('strings: negative Repeat count')
  return text.repeat(count)
}

function indent(count: number, text: string, run: { checkSize(size: number): void }): string {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  run.checkSize(text.length + count * lines)
  const pad = repeat(' ', count)
  return pad + text.replaceAll('\n', '\n' + pad)
}

function truncate(count: number, text: string): string {
  const length = byteLength(text)
  if (count < 0) return length + count > 0 ? sliceBytes(text, length + count) : text
  return length > count ? sliceBytes(text, 0, count) : text
}

function substring(start: number, end: number, text: string): string {
  const length = byteLength(text)
  const check = (from: number, to: number): string => {
    if (to > length)
      throw new FunctionFailure(
        `runtime error: slice bounds out of range [:${to}] with length ${length}`,
      )
    if (to < 0) throw new FunctionFailure(`runtime error: slice bounds out of range [:${to}]`)
    if (from > to)
      throw new FunctionFailure(`runtime error: slice bounds out of range [${from}:${to}]`)
    return sliceBytes(text, from, to)
  }
  if (start < 0) return check(0, end)
  if (end < 0 || end > length) return check(start, length)
  return check(start, end)
}

function trimAll(text: string, cutset: string): string {
  // bytes that are no UTF-8 are all the same character here
  const cut = new Set(replaceInvalid(cutset))
  const isCut = (char: string): boolean => cut.has(replaceInvalid(char))
  const chars = [...text]
  let start = 0
  let end = chars.length
  while (start < end && isCut(chars[start]!)) start++
  while (end > start && isCut(chars[end - 1]!)) end--
  return chars.slice(start, end).join('')
}

function replace(text: string, before: string, after: string, run: Run): string {
  const count = countOf(text, before) + (before === '' ? 1 : 0)
  if (count === 0) return text
  run.checkSize(text.length + count * (after.length - before.length))
  run.charge(count)
  if (before === '') return inPieces(text, after)
  return healText(replaceEach(text, before, after))
}

/** How many pieces are put together at once: a text of millions of small ones takes many times its memory. */
const piecesAtOnce = 10_000

function replaceEach(text: string, before: string, after: string): string {
  const parts: string[] = []
  let pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(before); at !== -1; at = text.indexOf(before, from)) {
    pieces.push(text.slice(from, at), after)
    from = at + before.length
    if (pieces.length >= piecesAtOnce) {
      parts.push(pieces.join(''))
      pieces = []
    }
  }
  return [...parts, ...pieces, text.slice(from)].join('')
}

/** A separator in front of every character and at the end. */
function inPieces(text: string, separator: string): string {
  const parts: string[] = []
  let pieces: string[] = []
  for (const char of text) {
    pieces.push(separator, char)
    if (pieces.length >= piecesAtOnce) {
      parts.push(pieces.join(''))
      pieces = []
    }
  }
  return [...parts, ...pieces, separator].join('')
}

function isWhiteByte(byte: number): boolean {
  return isSpace(String.fromCharCode(byte))
}

/** Looks at bytes as if each was a Latin-1 character: what is kept of a longer character is garbled. */
function deleteWhiteSpace(text: string): string {
  const bytes = textToBytes(text)
  const kept = bytes.filter((byte) => !isWhiteByte(byte))
  if (kept.length === bytes.length) return text
  return Array.from(kept, (byte) => String.fromCharCode(byte)).join('')
}

function initials(text: string): string {
  let gap = true
  let out = ''
  for (const byte of textToBytes(text)) {
    if (isWhiteByte(byte)) gap = true
    else if (gap) {
      out += String.fromCharCode(byte)
      gap = false
    }
  }
  return out
}

function untitle(text: string): string {
  let next = true
  let out = ''
  for (const char of replaceInvalid(text)) {
    const space = isSpace(char)
    out += !space && next ? lowerRune(char) : char
    next = space
  }
  return out
}

function swapCase(text: string): string {
  let white = true
  let out = ''
  for (const char of replaceInvalid(text)) {
    if (isUpper(char) || isTitle(char)) {
      out += lowerRune(char)
      white = false
    } else if (isLower(char)) {
      out += white ? titleRune(char) : upperRune(char)
      white = false
    } else {
      out += char
      white = isSpace(char)
    }
  }
  return out
}

/** The middle of a text with `...` where something was left out, at most `width` bytes long. */
function abbreviate(text: string, left: number, width: number, unchanged: boolean): string {
  const length = byteLength(text)
  if (unchanged || length <= width) return text
  let offset = Math.min(left, length)
  if (length - offset < width - 3) offset = length - (width - 3)
  if (offset <= 4) return sliceBytes(text, 0, width - 3) + '...'
  if (offset + width - 3 < length) {
    return '...' + abbreviate(sliceBytes(text, offset), 0, width - 3, false)
  }
  return '...' + sliceBytes(text, length - (width - 3))
}

/** Breaks at spaces, counting bytes; `cutWords` breaks longer words too. */
function wrap(text: string, width: number, separator: string, cutWords: boolean): string {
  if (text === '') return ''
  const size = Math.max(1, width)
  const bytes = textToBytes(text)
  const space = 0x20
  const parts: string[] = []
  const piece = (from: number, to: number): string => bytesToText(bytes.subarray(from, to))
  let offset = 0
  while (bytes.length - offset > size) {
    if (bytes[offset] === space) {
      offset++
      continue
    }
    let at = bytes.subarray(offset, offset + size + 1).lastIndexOf(space)
    if (at !== -1) {
      parts.push(piece(offset, offset + at))
      offset += at + 1
    } else if (cutWords) {
      parts.push(piece(offset, offset + size))
      offset += size
    } else {
      at = bytes.indexOf(space, offset + size)
      if (at === -1) {
        parts.push(piece(offset, bytes.length))
        return parts.join(separator)
      }
      parts.push(piece(offset, at))
      offset = at + 1
    }
  }
  return [...parts, piece(offset, bytes.length)].join(separator)
}
