import { SourceError } from '../errors/index.ts'
import {
  baseName,
  cleanPath,
  dirName,
  type FileTree,
  joinPath,
  resolveLinks,
  walkFiles,
} from '../files/index.ts'

const checked = new WeakMap<FileTree, string | undefined>()

/**
 * Refuses a tree that holds a symbolic link leading out of it, anywhere: one bad link blocks every Application of the
 * repository. Dangling links inside are fine. The answer is kept per tree, so ask with the tree itself, not with a
 * recording of it.
 *
 * Source: argo-cd v3.5.1 util/app/path CheckOutOfBoundsSymlinks
 */
export function checkSymlinks(tree: FileTree, what: 'repository' | 'chart' | 'oci image'): void {
  if (!checked.has(tree)) checked.set(tree, findOutOfBounds(tree))
  const path = checked.get(tree)
  if (path === undefined) return
  throw new SourceError('SOURCE_UNSAFE', `${what} contains out-of-bounds symlinks. file: ${path}`, {
    position: { path },
    hint: 'Remove the symbolic link, or point it to a path inside the repository.',
  })
}

function findOutOfBounds(tree: FileTree): string | undefined {
  for (const { path, entry } of walkFiles(tree, '')) {
    if (entry.kind !== 'link') continue
    if (leavesTree(path, entry.target ?? '')) return path
  }
  return undefined
}

/** True when the text of the link climbs above the root at any step, or is absolute. */
function leavesTree(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const steps = path.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..') {
      if (steps.pop() === undefined) return true
    } else steps.push(step)
  }
  return false
}

export interface AppPath {
  /** Links above the last step are resolved, the last step is not. */
  readonly path: string
  /** All links are resolved. */
  readonly real: string
}

/**
 * The folder that `source.path` names, as a real path inside the tree.
 *
 * Errors, in Argo CD's words: `<p>: app path is absolute`, `outside root`, `does not exist`, `is not a directory`.
 * Source: argo-cd v3.5.1 util/app/path Path
 */
export function resolveAppPath(tree: FileTree, path: string): AppPath {
  const fail = (why: string, hint: string): never => {
    throw new SourceError('SOURCE_NOT_FOUND', `${path}: app path ${why}`, {
      hint,
      data: { path },
    })
  }
  if (path.startsWith('/'))
    fail('is absolute', 'Write the path relative to the root of the repository.')
  const clean = cleanPath(path)
  if (clean === '..' || clean.startsWith('../')) {
    fail('outside root', 'Write a path inside the repository.')
  }
  const real = resolveLinks(tree, clean)
  if ('error' in real) {
    if (real.error === 'missing') {
      if (isBelowFile(tree, clean)) {
        throw new SourceError(
          'SOURCE_NOT_FOUND',
          `stat <path to cached source>/${clean}: not a directory`,
          { data: { path }, hint: 'The path goes through a file.' },
        )
      }
      return fail('does not exist', 'Check spec.source.path and that the folder is committed.')
    }
    return fail('outside root', 'Write a path inside the repository.')
  }
  const entry = tree.entry(real.path)
  if (entry?.kind !== 'directory') {
    return fail(
      'is not a directory',
      'Name the folder that holds the file, and select the file with directory.include.',
    )
  }
  const parent = resolveLinks(tree, dirName(clean))
  const inParent = 'path' in parent ? joinPath(parent.path, baseName(clean)) : clean
  return { path: inParent, real: real.path }
}

function isBelowFile(tree: FileTree, path: string): boolean {
  const steps = path.split('/')
  return steps.some((_, index) => {
    const entry = index === 0 ? undefined : tree.entry(joinPath(...steps.slice(0, index)))
    return entry?.kind === 'file'
  })
}
