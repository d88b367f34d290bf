import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files by key in one folder. A file is there whole or not at all; whatever goes wrong reads as not there. */
export class DiskCache {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  read(key: string): Buffer | undefined {
    try {
      return readFileSync(this.pathOf(key))
    } catch {
      return undefined // absent, or removed under our hands: it is fetched again
    }
  }

  write(key: string, bytes: Uint8Array): void {
    const path = this.pathOf(key)
    const temporary = `${path}.${randomUUID()}`
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(temporary, bytes, { mode: 0o600 })
      renameSync(temporary, path)
    } catch {
      // a cache that cannot be written costs time, not correctness
      rmSync(temporary, { force: true })
    }
  }

  /** Where the file of a key is, or would be: a name of the form of a UUID. */
  pathOf(key: string): string {
    const digits = createHash('sha256').update(key).digest('hex').slice(0, 32)
    return join(this.#folder, digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  }
}
