import type { ApplicationSource, Settings } from '../argo/index.ts'
import { isLitecdError } from '../errors/index.ts'
import {
  type FileTree,
  isInside,
  type PathChange,
  resolveLinks,
  walkFiles,
} from '../files/index.ts'
import { detectSourceType } from '../render/index.ts'

/**
 * The folder outside which a render of this source can read nothing, or undefined where only rendering can tell.
 *
 * Cheap: it lists the folder, and reads no file. Directory sources without links and Jsonnet stay in their folder.
 */
export function readBounds(
  tree: FileTree,
  source: ApplicationSource,
  settings: Settings,
): string | undefined {
  if (source.path === undefined || source.path === '') return undefined
  const real = resolveLinks(tree, source.path)
  if ('error' in real || real.path !== source.path.replace(/^\.\/|\/+$/g, '').replace(/^\.$/, '')) {
    return undefined
  }
  try {
    if (detectSourceType(tree, real.path, source, settings) !== 'Directory') return undefined
  } catch (error) {
    if (isLitecdError(error)) return undefined
    throw error
  }
  const recurse = source.directory?.recurse === true
  for (const { entry } of walkFiles(tree, real.path, () => recurse)) {
    if (entry.kind === 'link' || entry.name.endsWith('.jsonnet')) return undefined
  }
  return real.path
}

/** The changes below a folder that {@link readBounds} gave. */
export function changesInside(
  changes: readonly PathChange[],
  folder: string,
): readonly PathChange[] {
  return changes.filter((change) => isInside(change.path, folder))
}
