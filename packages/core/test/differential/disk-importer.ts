import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportedFile, type Importer, notFound } from '@litecd/core/lang/jsonnet'

/** Files of the disk, looked up as the program looks them up. */
export function diskImporter(libraries: readonly string[]): Importer {
  const known = new Map<string, ImportedFile | string | undefined>()
  const read = (path: string): ImportedFile | string | undefined => {
    if (!known.has(path)) {
      if (!existsSync(path)) known.set(path, undefined)
      else if (statSync(path).isDirectory()) known.set(path, `read ${path}: is a directory`)
      else known.set(path, { path, bytes: readFileSync(path) })
    }
    return known.get(path)
  }
  return (from, path) => {
    const beside = from.slice(0, from.lastIndexOf('/') + 1)
    for (const folder of [beside, ...libraries.toReversed()]) {
      const joined = join(folder, path).replace(/(.)\/$/, '$1')
      const file = read(path.startsWith('/') ? path : joined)
      if (file !== undefined) return file
    }
    return notFound(path)
  }
}
