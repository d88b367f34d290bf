/** What a command may do to the outside besides files: write, and look at where it runs. */
export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdoutIsTerminal: boolean
  stdout(text: string): void
  stderr(text: string): void
}

/** Exit codes of every command. */
export const exitCodes = {
  same: 0,
  changes: 1,
  usage: 2,
  failed: 3,
} as const
