import { cleanPath, type FileTree, isInside, joinPath, resolveLinks } from '../../files/index.ts'
import { quoteGo } from '../../text/index.ts'

/** A file that an import names. `path` is where it was found; equal paths must mean equal content. */
export interface ImportedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Finds imported files. `from` is the path of the importing file, '' for a snippet. What it returns is a file, or why
 * there is none, in words for the error of the import.
 */
export type Importer = (from: string, path: string) => ImportedFile | string

/** go-jsonnet's words for a file that is nowhere. */
export function notFound(path: string): string {
  return `couldn't open import ${quoteGo(path)}: no match locally or in the Jsonnet library paths`
}

/**
 * Imports from a tree: beside the importing file, then in the library folders from the last to the first.
 *
 * `libraries` are paths in the tree. Absolute paths, and paths or links that leave the tree, are refused.
 */
export function treeImporter(tree: FileTree, libraries: readonly string[] = []): Importer {
  const folders = libraries.map((folder) => cleanPath(folder)).reverse()
  return (from, path) => {
    if (path.startsWith('/'))
      return `import ${quoteGo(path)} is absolute; paths stay in the repository`
    let outside = false
    const beside = from.slice(0, from.lastIndexOf('/') + 1)
    for (const folder of [beside, ...folders]) {
      const joined = joinPath(folder, path)
      if (!isInside(joined, '')) {
        outside = true
        continue
      }
      const resolved = resolveLinks(tree, joined)
      if ('error' in resolved) {
        outside ||= resolved.error === 'outside'
        continue
      }
      const bytes = tree.read(resolved.path)
      if (bytes !== undefined) return { path: joined, bytes }
    }
    if (outside) return `import ${quoteGo(path)} leaves the repository`
    return notFound(path)
  }
}
