/** A file on its way into a chart. */
export interface BufferedFile {
  /** Inside the chart, '/'-separated. */
  readonly name: string
  readonly bytes: Uint8Array
}

export const maxFileSize: number = 5 * 1024 * 1024 // helm v4.2.1 MaxDecompressedFileSize

/** Without a UTF-8 byte order mark. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
