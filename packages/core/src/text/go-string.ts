const encoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const beyondAscii = /[^\u0000-\u007f]/

/**
 * Go strings are bytes that need not be UTF-8. Here such a string is a JavaScript string in which a byte that belongs
 * to no valid sequence is the lone surrogate U+DC00 + byte (U+DC80 to U+DCFF). Valid text is itself.
 */
export function bytesToText(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return decodeLoose(bytes)
  }
}

function decodeLoose(bytes: Uint8Array): string {
  const parts: string[] = []
  let i = 0
  while (i < bytes.length) {
    const size = sequenceLength(bytes, i)
    if (size === 0) {
      parts.push(String.fromCharCode(0xdc00 + bytes[i]!))
      i++
    } else {
      let point = size === 1 ? bytes[i]! : bytes[i]! & (0xff >> (size + 1))
      for (let k = 1; k < size; k++) point = (point << 6) | (bytes[i + k]! & 0x3f)
      parts.push(String.fromCodePoint(point))
      i += size
    }
  }
  return parts.join('')
}

/** Length of the valid UTF-8 sequence at `i`, 0 when there is none. */
function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i]!
  if (first < 0x80) return 1
  let size: number
  let low = 0x80
  let high = 0xbf
  if (first >= 0xc2 && first <= 0xdf) size = 2
  else if (first >= 0xe0 && first <= 0xef) {
    size = 3
    if (first === 0xe0) low = 0xa0
    if (first === 0xed) high = 0x9f
  } else if (first >= 0xf0 && first <= 0xf4) {
    size = 4
    if (first === 0xf0) low = 0x90
    if (first === 0xf4) high = 0x8f
  } else return 0
  for (let k = 1; k < size; k++) {
    const byte = bytes[i + k]
    if (byte === undefined || byte < low || byte > high) return 0
    low = 0x80
    high = 0xbf
  }
  return size
}

/** The bytes of a text as {@link bytesToText} made it. */
export function textToBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text)
  const out: number[] = []
  for (const char of text) {
    const point = char.codePointAt(0)!
    if (point >= 0xdc80 && point <= 0xdcff) out.push(point - 0xdc00)
    else for (const byte of encoder.encode(char)) out.push(byte)
  }
  return Uint8Array.from(out)
}

export function isAscii(text: string): boolean {
  // most texts are names, for which an expression takes longer
  if (text.length > 40) return !beyondAscii.test(text)
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** Length in bytes. */
export function byteLength(text: string): number {
  if (isAscii(text)) return text.length
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) length++
    else if (code < 0x800) length += 2
    else if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(i + 1))) {
      length += 4
      i++
    } else if (code >= 0xdc80 && code <= 0xdcff) length++
    else length += 3
  }
  return length
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** The bytes from `start` to `end`, as Go's `s[start:end]`; the caller checks the bounds. */
export function sliceBytes(text: string, start: number, end?: number): string {
  if (isAscii(text)) return text.slice(start, end)
  return bytesToText(textToBytes(text).subarray(start, end))
}

/**
 * Pieces of one text that were cut inside a character and put together again: bytes that now form valid sequences
 * become characters.
 */
export function healText(text: string): string {
  return /[\udc80-\udcff]/.test(text) ? bytesToText(textToBytes(text)) : text
}

/** Every invalid byte replaced by U+FFFD, as Go's encoders do. */
export function replaceInvalid(text: string): string {
  if (text.isWellFormed()) return text
  let out = ''
  for (const char of text) {
    const code = char.charCodeAt(0)
    out += char.length === 1 && code >= 0xd800 && code <= 0xdfff ? '\ufffd' : char
  }
  return out
}

/** Number of runes, counting an invalid byte as one. */
export function runeCount(text: string): number {
  if (isAscii(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** Orders texts by their bytes, invalid ones included; json's compareStrings is faster for valid text. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const [x, y] = [textToBytes(a), textToBytes(b)]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] !== y[i]) return x[i]! - y[i]!
  }
  return x.length - y.length
}
