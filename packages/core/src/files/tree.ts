import { dirName, joinPath } from './path.ts'

/** One name in a folder. `target` is the text of a symbolic link, not resolved. */
export interface TreeEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link'
  readonly target?: string
}

/**
 * A finished checkout: synchronous on purpose, so that rendering is a plain function.
 *
 * Paths are '/'-separated, without leading or trailing slash and without '.', '..' or empty segments; '' is the root.
 * Nothing here follows symbolic links: {@link resolveLinks} does, and only inside the tree.
 */
export interface FileTree {
  /** What is at the path itself (a link is a link); undefined when nothing is. */
  entry(path: string): TreeEntry | undefined
  /** Bytes of a regular file; undefined for anything else. */
  read(path: string): Uint8Array | undefined
  /** Entries of a folder in byte order of their names; undefined when the path is no folder. */
  list(path: string): readonly TreeEntry[] | undefined
  /**
   * A name for the content of a file that is equal exactly when the bytes are (a git blob id, say);
   * undefined where the tree cannot tell without reading.
   */
  contentId?(path: string): string | undefined
}

/** All entries below `dir` that are no folders, depth first in byte order of names, as Go's filepath.Walk visits them. */
export function* walkFiles(
  tree: FileTree,
  dir: string,
  enter: (path: string) => boolean = () => true,
): Generator<{ readonly path: string; readonly entry: TreeEntry }> {
  for (const entry of tree.list(dir) ?? []) {
    const path = joinPath(dir, entry.name)
    if (entry.kind !== 'directory') yield { path, entry }
    else if (enter(path)) yield* walkFiles(tree, path, enter)
  }
}

const maxLinks = 40 // what Linux follows before ELOOP

/**
 * Follows symbolic links at every step of `path`.
 *
 * Returns the real path inside the tree, or what is wrong: 'outside' when a link leaves the tree (an absolute target
 * always does), 'loop' after 40 links, 'missing' when nothing is there.
 */
export function resolveLinks(
  tree: FileTree,
  path: string,
):
  | { readonly path: string }
  | { readonly error: 'outside' | 'loop' | 'missing'; readonly at: string } {
  let budget = maxLinks
  let done = ''
  let rest = path === '' ? [] : path.split('/')
  while (rest.length > 0) {
    const [name, ...after] = rest as [string, ...string[]]
    if (name === '' || name === '.') {
      rest = after
      continue
    }
    if (name === '..') {
      if (done === '') return { error: 'outside', at: path }
      done = dirName(done)
      rest = after
      continue
    }
    const next = joinPath(done, name)
    const entry = tree.entry(next)
    if (entry === undefined) return { error: 'missing', at: next }
    if (entry.kind === 'link') {
      if (--budget < 0) return { error: 'loop', at: next }
      const target = entry.target ?? ''
      if (target.startsWith('/')) return { error: 'outside', at: next }
      rest = [...target.split('/'), ...after]
      continue
    }
    if (entry.kind === 'file' && after.length > 0) return { error: 'missing', at: next }
    done = next
    rest = after
  }
  return { path: done }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const utf16le = new TextDecoder('utf-16le', { ignoreBOM: true })
const utf16be = new TextDecoder('utf-16be', { ignoreBOM: true })

/** Text of bytes: UTF-8, or UTF-16 where a byte order mark says so; the mark is dropped, invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16le.decode(bytes.subarray(2))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16be.decode(bytes.subarray(2))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return utf8.decode(bytes.subarray(3))
  }
  return utf8.decode(bytes)
}

/** Text of a regular file by {@link decodeText}; undefined when it is not there. */
export function readText(tree: FileTree, path: string): string | undefined {
  const bytes = tree.read(path)
  return bytes === undefined ? undefined : decodeText(bytes)
}
