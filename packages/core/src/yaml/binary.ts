import { decodeBase64 } from '../text/index.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of a `!!binary` scalar; bytes that are no UTF-8 become U+FFFD. Undefined when it is no base64. */
export function binaryText(value: string): string | undefined {
  const bytes = decodeBase64(encoder.encode(value))
  return 'errorAt' in bytes ? undefined : decoder.decode(bytes)
}
