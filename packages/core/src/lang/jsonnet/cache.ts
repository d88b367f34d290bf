import type { ImportedFile } from './importer.ts'
import { loadProgram, type Program } from './program.ts'
import { Source } from './source.ts'
import { textOfBytes } from './std/encodings.ts'

interface Version {
  readonly text: string
  readonly program: Program
}

const versionsOfPath = 4
const defaultCharacters = 1 << 25

/**
 * Compiled files, for reuse by later evaluations: a file whose content is the same at the same path is not read again.
 * It holds no values, so nothing of one evaluation is seen by another.
 *
 * A few versions of each path are kept, and the files that have not been used for longest go when the texts of all
 * together exceed `characters`.
 */
export class JsonnetCache {
  private readonly versions = new Map<string, readonly Version[]>()
  private readonly characters: number
  private held = 0

  constructor(characters: number = defaultCharacters) {
    this.characters = characters
  }

  /** The program of a file. */
  program(file: ImportedFile): Program {
    const text = textOf(file.bytes)
    const known = this.versions.get(file.path) ?? []
    const version = known.find((other) => other.text === text)
    if (version !== undefined) {
      this.keep(file.path, version, known)
      return version.program
    }
    const program = loadProgram(new Source(file.path, file.path, text))
    this.held += text.length
    this.keep(file.path, { text, program }, known)
    return program
  }

  /** Puts a version first and forgets what is too much. */
  private keep(path: string, version: Version, known: readonly Version[]): void {
    const others = known.filter((other) => other !== version)
    for (const old of others.splice(versionsOfPath - 1)) this.held -= old.text.length
    this.versions.delete(path)
    this.versions.set(path, [version, ...others])
    for (const [oldest, versions] of this.versions) {
      if (this.held <= this.characters || oldest === path) return
      this.versions.delete(oldest)
      for (const { text } of versions) this.held -= text.length
    }
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
