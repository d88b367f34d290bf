import type { FileTree } from '@litecd/core/files'

/** A tree that knows exactly what it is: a full commit id even where an abbreviation was asked for. */
export interface FetchedTree extends FileTree {
  readonly revision: string
}
