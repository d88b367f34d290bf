import type { FileTree } from '@litecd/core/files'

/** The tree with other trees in place of some of its folders. A mount hides what was below it. */
export function mountTrees(base: FileTree, mounts: ReadonlyMap<string, FileTree>): FileTree {
  if (mounts.size === 0) return base
  const find = (path: string): { readonly tree: FileTree; readonly path: string } => {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const tree = mounts.get(at)
      if (tree !== undefined) return { tree, path: path.slice(at.length + 1) }
    }
    return { tree: base, path }
  }
  return {
    entry(path) {
      const found = find(path)
      return found.path === '' && found.tree !== base
        ? base.entry(path)
        : found.tree.entry(found.path)
    },
    read(path) {
      const found = find(path)
      return found.tree.read(found.path)
    },
    list(path) {
      const found = find(path)
      return found.tree.list(found.path)
    },
    contentId(path) {
      const found = find(path)
      return found.tree.contentId?.(found.path)
    },
  }
}
