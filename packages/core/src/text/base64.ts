const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Standard alphabet with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let out = ''
  let i = 0
  for (; i + 2 < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!
    out +=
      alphabet[group >> 18]! +
      alphabet[(group >> 12) & 63]! +
      alphabet[(group >> 6) & 63]! +
      alphabet[group & 63]!
  }
  const left = bytes.length - i
  if (left === 1) {
    const group = bytes[i]! << 16
    out += alphabet[group >> 18]! + alphabet[(group >> 12) & 63]! + '=='
  } else if (left === 2) {
    const group = (bytes[i]! << 16) | (bytes[i + 1]! << 8)
    out +=
      alphabet[group >> 18]! + alphabet[(group >> 12) & 63]! + alphabet[(group >> 6) & 63]! + '='
  }
  return out
}

const values = new Int16Array(128).fill(-1)
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i

/**
 * Go's base64.StdEncoding: padding is required, CR and LF are skipped.
 *
 * Returns the bytes, or where in the text (counted in bytes) the first error is.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | { readonly errorAt: number } {
  const out: number[] = []
  const length = text.length
  let i = 0
  const skip = (): void => {
    while (i < length && (text[i] === 10 || text[i] === 13)) i++
  }
  for (;;) {
    let group = 0
    let count = 0
    for (;;) {
      skip()
      if (i >= length) {
        if (count === 0) return Uint8Array.from(out)
        return { errorAt: i - count }
      }
      const code = text[i++]!
      const value = code < 128 ? values[code]! : -1
      if (value >= 0) {
        group = (group << 6) | value
        if (++count === 4) break
        continue
      }
      if (code !== 0x3d || count < 2) return { errorAt: i - 1 }
      if (count === 2) {
        skip()
        if (i >= length) return { errorAt: length }
        if (text[i] !== 0x3d) return { errorAt: i }
        i++
      }
      skip()
      if (i < length) return { errorAt: i }
      if (count === 2) out.push(group >> 4)
      else out.push(group >> 10, (group >> 2) & 255)
      return Uint8Array.from(out)
    }
    out.push(group >> 16, (group >> 8) & 255, group & 255)
  }
}

/** Standard base32 alphabet with padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let out = ''
  for (let i = 0; i < bytes.length; i += 5) {
    const chunk = bytes.subarray(i, i + 5)
    let bits = 0n
    for (let k = 0; k < 5; k++) bits = (bits << 8n) | BigInt(chunk[k] ?? 0)
    let text = ''
    for (let k = 0; k < 8; k++) {
      text = base32Alphabet[Number(bits & 31n)]! + text
      bits >>= 5n
    }
    const used = Math.ceil((chunk.length * 8) / 5)
    out += text.slice(0, used).padEnd(8, '=')
  }
  return out
}

/** Go's base32.StdEncoding; see {@link decodeBase64}. */
export function decodeBase32(text: Uint8Array): Uint8Array | { readonly errorAt: number } {
  // Go removes line breaks first, so offsets count without them
  const clean = text.filter((code) => code !== 10 && code !== 13)
  const out: number[] = []
  let i = 0
  while (i < clean.length) {
    const group: number[] = []
    let end = false
    while (group.length < 8 && !end) {
      const code = clean[i]
      if (code === undefined) return { errorAt: i - group.length }
      i++
      if (code === 0x3d && group.length >= 2) {
        if (clean.length - i + group.length < 7) return { errorAt: clean.length }
        for (let k = 0; k < 7 - group.length; k++) {
          if (clean[i + k] !== 0x3d) return { errorAt: i + k - 1 }
        }
        if (group.length === 3 || group.length === 6 || group.length === 1)
          return { errorAt: i - 1 }
        end = true
      } else {
        const value = code < 128 ? base32Alphabet.indexOf(String.fromCharCode(code)) : -1
        if (value < 0) return { errorAt: i - 1 }
        group.push(value)
      }
    }
    let bits = 0n
    for (let k = 0; k < 8; k++) bits = (bits << 5n) | BigInt(group[k] ?? 0)
    const size = Math.floor((group.length * 5) / 8)
    for (let k = 0; k < size; k++) out.push(Number((bits >> BigInt(32 - 8 * k)) & 255n))
    if (end) break
  }
  return Uint8Array.from(out)
}
