import type { ImportedFile } from './importer.ts'
import { loadProgram, type Program } from './program.ts'
import { Source } from './source.ts'
import { textOfBytes } from './std/encodings.ts'

/**
 * Compiled files, for reuse by later evaluations: a file whose bytes are the same at the same path is not read again.
 * It holds no values, so nothing of one evaluation is seen by another.
 */
export class JsonnetCache {
  private readonly programs = new Map<
    string,
    { readonly text: string; readonly program: Program }
  >()

  /** The program of a file. */
  program(file: ImportedFile): Program {
    const text = textOf(file.bytes)
    const known = this.programs.get(file.path)
    if (known !== undefined && known.text === text) return known.program
    const program = loadProgram(new Source(file.path, file.path, text))
    this.programs.set(file.path, { text, program })
    return program
  }
}

const texts = new WeakMap<Uint8Array, string>()

/** Text of a file, remembered as long as its bytes are. */
export function textOf(bytes: Uint8Array): string {
  let text = texts.get(bytes)
  if (text === undefined) {
    text = textOfBytes(bytes)
    texts.set(bytes, text)
  }
  return text
}
