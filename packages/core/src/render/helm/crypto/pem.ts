import { decodeBase64, encodeBase64, textToBytes } from '../../../text/index.ts'

export interface PemBlock {
  readonly type: string
  readonly bytes: Uint8Array
}

/** A block with lines of 64 characters and a line break at the end. */
export function formatPem({ type, bytes }: PemBlock): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n')
}

/** The first block of a text; undefined when there is none. */
export function parsePem(text: string): PemBlock | undefined {
  const pattern =
    /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*\n([\s\S]*?)\n?-----END \1-----[ \t\r]*(?:\n|$)/g
  for (const match of text.matchAll(pattern)) {
    const body = match[2]!.replace(/^(?:[^\n:]+:[^\n]*\n)+\n?/, '').replace(/[ \t\r\n]/g, '')
    const bytes = decodeBase64(textToBytes(body))
    if (bytes instanceof Uint8Array) return { type: match[1]!, bytes }
  }
  return undefined
}
