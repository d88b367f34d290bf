/** What a command may do to the outside besides files: write, and look at where it runs. */
export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdoutIsTerminal: boolean
  stdout(text: string): void
  stderr(text: string): void
}

/**
 * A text as bytes. What is no UTF-8 stands in texts as lone surrogates, U+DC80 for byte 0x80 and so on.
 */
export function bytesOf(text: string): string | Uint8Array {
  if (text.isWellFormed()) return text
  const parts = text.split(/([\uDC80-\uDCFF])(?<![\uD800-\uDBFF]\1)/)
  return Buffer.concat(
    parts.map((part, i) =>
      i % 2 === 1 ? Buffer.from([part.charCodeAt(0) & 0xff]) : Buffer.from(part),
    ),
  )
}

/** Exit codes of every command. */
export const exitCodes = {
  same: 0,
  changes: 1,
  usage: 2,
  failed: 3,
  destroysData: 4,
} as const
