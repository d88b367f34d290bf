const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Text of standard base64 with padding; line breaks are ignored, bytes that are no UTF-8 become U+FFFD.
 *
 * Returns undefined for anything else, as Go's StdEncoding refuses it.
 */
export function decodeBase64(text: string): string | undefined {
  const clean = text.replace(/[\r\n]/g, '')
  if (clean.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) return undefined
  const body = clean.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4))
  let buffer = 0
  let bits = 0
  let length = 0
  for (const char of body) {
    buffer = ((buffer << 6) | alphabet.indexOf(char)) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[length++] = (buffer >> bits) & 0xff
    }
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
