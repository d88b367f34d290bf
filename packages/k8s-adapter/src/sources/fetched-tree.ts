import type { FetchedTree as CoreTree } from '@litecd/core/adapters'

/** A tree that knows exactly what it is: a full commit id even where an abbreviation was asked for. */
export interface FetchedTree extends CoreTree {
  readonly revision: string
}
