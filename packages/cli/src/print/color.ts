import type { Io } from '../io.ts'

export interface Palette {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const paint =
  (on: boolean, open: number, close: number) =>
  (text: string): string =>
    on && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text

export function palette(on: boolean): Palette {
  return {
    bold: paint(on, 1, 22),
    dim: paint(on, 2, 22),
    red: paint(on, 31, 39),
    green: paint(on, 32, 39),
    yellow: paint(on, 33, 39),
    cyan: paint(on, 36, 39),
  }
}

/** `--color` wins, then NO_COLOR and FORCE_COLOR, then whether the output is a terminal. */
export function wantsColor(choice: string | undefined, io: Io): boolean {
  if (choice === 'always') return true
  if (choice === 'never') return false
  if ((io.env['NO_COLOR'] ?? '') !== '') return false
  if ((io.env['FORCE_COLOR'] ?? '') !== '') return io.env['FORCE_COLOR'] !== '0'
  return io.stdoutIsTerminal && io.env['TERM'] !== 'dumb'
}

const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Text from a repository, made harmless for a terminal: control and direction characters show as escapes. */
export function harmless(text: string): string {
  return text.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same for text that must stay on its line: whoever names a file decides about no line of a report. */
export function harmlessLine(text: string): string {
  return harmless(text.replaceAll('\n', '\\n'))
}
