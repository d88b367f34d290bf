// Character classes of YAML 1.1. Codes are UTF-16 units; 0 is the mark after the last character of a scanned text.

export const charTab = 0x09
export const charLf = 0x0a
export const charCr = 0x0d
export const charSpace = 0x20
const nel = 0x85
const lineSeparator = 0x2028
const paragraphSeparator = 0x2029

export function isBreak(code: number): boolean {
  return (
    code === charLf ||
    code === charCr ||
    code === nel ||
    code === lineSeparator ||
    code === paragraphSeparator
  )
}

export function isBlank(code: number): boolean {
  return code === charSpace || code === charTab
}

/** A line break or the end of the text. */
export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code)
}

/** A space, a tab, a line break or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  if (code > charSpace && code < nel) return false
  return code === charSpace || code === charTab || code === 0 || isBreak(code)
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The value of a hexadecimal digit, -1 for any other character. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  if (code >= 0x41 && code <= 0x46) return code - 0x37
  if (code >= 0x61 && code <= 0x66) return code - 0x57
  return -1
}

/** A letter, a digit, `_` or `-`: what names of anchors, directives and tag handles are made of. */
export function isWordChar(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d
  )
}

/** How a line break reads inside a scalar: LS and PS stay what they are, every other one is a line feed. */
export function breakText(code: number): string {
  return code === lineSeparator || code === paragraphSeparator ? String.fromCharCode(code) : '\n'
}

/** Characters that the reader refuses wherever they stand. */
export const forbidden: RegExp =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff\ud800-\udfff]/u
