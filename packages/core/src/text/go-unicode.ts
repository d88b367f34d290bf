import { isAscii, replaceInvalid } from './go-string.ts'

const spaceChar = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** unicode.IsSpace. */
export function isSpace(char: string): boolean {
  return spaceChar.test(char)
}

/** strings.TrimSpace. */
export function trimSpace(text: string): string {
  return trimSpaceRight(trimSpaceLeft(text))
}

/** strings.TrimRightFunc with unicode.IsSpace; linear where a regular expression would try every start. */
export function trimSpaceRight(text: string): string {
  let end = text.length
  while (end > 0 && isSpaceUnit(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** strings.TrimLeftFunc with unicode.IsSpace. */
export function trimSpaceLeft(text: string): string {
  let start = 0
  while (start < text.length && isSpaceUnit(text.charCodeAt(start))) start++
  return text.slice(start)
}

function isSpaceUnit(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return code >= 0x80 && spaceChar.test(String.fromCharCode(code))
}

/** strings.Fields. */
export function fields(text: string): string[] {
  const out: string[] = []
  let word = ''
  for (const char of text) {
    if (!isSpace(char)) word += char
    else if (word !== '') {
      out.push(word)
      word = ''
    }
  }
  if (word !== '') out.push(word)
  return out
}

/** strconv.IsPrint and unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(char: string): boolean {
  const code = char.charCodeAt(0)
  if (code < 0x7f) return code >= 0x20
  // asked first, since building the pattern costs more than a chart's few accents
  if (code <= 0xff) return code > 0xa0 && code !== 0xad
  if (char.length === 1 && code >= 0xd800 && code <= 0xdfff) return false
  return printable.test(char)
}

const letter = /^\p{L}$/u
const upper = /^\p{Lu}$/u
const lower = /^\p{Ll}$/u
const titled = /^\p{Lt}$/u
const digit = /^\p{Nd}$/u
const number = /^\p{N}$/u
const punct = /^\p{P}$/u

export function isLetter(char: string): boolean {
  return letter.test(char)
}
export function isUpper(char: string): boolean {
  return upper.test(char)
}
export function isLower(char: string): boolean {
  return lower.test(char)
}
export function isTitle(char: string): boolean {
  return titled.test(char)
}
export function isDigit(char: string): boolean {
  return digit.test(char)
}
export function isNumber(char: string): boolean {
  return number.test(char)
}
export function isPunct(char: string): boolean {
  return punct.test(char)
}

/** unicode.ToUpper: one rune to one rune, so `ß` stays. */
export function upperRune(char: string): string {
  const mapped = char.toUpperCase()
  if (oneRune(mapped)) return mapped
  return greekIota(char) ?? char
}

/** unicode.ToLower: one rune to one rune; U+0130 gives a plain `i`. */
export function lowerRune(char: string): string {
  const mapped = char.toLowerCase()
  return oneRune(mapped) ? mapped : [...mapped][0]!
}

/** Title case of the digraphs that have one, each after its capital, itself and its small letter. */
const titleOf = new Map<string, string>()
for (const capital of [0x1c4, 0x1c7, 0x1ca, 0x1f1]) {
  for (let i = 0; i < 3; i++) {
    titleOf.set(String.fromCodePoint(capital + i), String.fromCodePoint(capital + 1))
  }
}

/** unicode.ToTitle: as upper case but for the four digraphs and Georgian letters, which have no title case. */
export function titleRune(char: string): string {
  const point = char.codePointAt(0)!
  if ((point >= 0x10d0 && point <= 0x10fa) || (point >= 0x10fd && point <= 0x10ff)) return char
  return titleOf.get(char) ?? upperRune(char)
}

function oneRune(text: string): boolean {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff)
}

/** Greek vowels with iota subscript have a one-rune capital that JavaScript's full mapping takes apart. */
function greekIota(char: string): string | undefined {
  const point = char.codePointAt(0)!
  const low = point & 0xf
  if ((point & 0xfff0) === 0x1f80 || (point & 0xfff0) === 0x1f90 || (point & 0xfff0) === 0x1fa0) {
    return low < 8 ? String.fromCodePoint(point + 8) : char
  }
  if (point === 0x1fb3 || point === 0x1fc3 || point === 0x1ff3)
    return String.fromCodePoint(point + 9)
  return undefined
}

/** strings.ToUpper. */
export function toUpper(text: string): string {
  if (isAscii(text)) return text.toUpperCase()
  let out = ''
  for (const char of replaceInvalid(text)) out += upperRune(char)
  return out
}

/** strings.ToLower. */
export function toLower(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  let out = ''
  for (const char of replaceInvalid(text)) out += lowerRune(char)
  return out
}

/** strings.Title: the first letter after every separator in title case, nothing else changed. */
export function titleWords(text: string): string {
  let previous = ' '
  let out = ''
  for (const char of replaceInvalid(text)) {
    out += isSeparator(previous) ? titleRune(char) : char
    previous = char
  }
  return out
}

function isSeparator(char: string): boolean {
  const code = char.codePointAt(0)!
  if (code <= 0x7f) return !/[0-9A-Za-z_]/.test(char)
  if (isLetter(char) || isDigit(char)) return false
  return isSpace(char)
}
