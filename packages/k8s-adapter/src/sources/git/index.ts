// sources/git: git repositories, read in place or fetched.
// In: a folder or a URL, a revision. Out: trees, changes between them, commits. Never: writing to a user's repository.
export { isAncestor, mergeBase, mergeBases } from './history.ts'
export type { GitCommit, GitObject, GitObjectType, GitTreeEntry } from './object.ts'
export { ObjectStore, type ObjectStoreOptions } from './object-store.ts'
export type { AdvertisedRef, RefValue } from './refs.ts'
export { findRepository, type GitRepository, openRepository } from './repository.ts'
export { expandRefName, resolveCommit, resolveRevision } from './revision.ts'
export { diffTrees, gitTree } from './tree.ts'
export {
  blobId,
  folderTree,
  openWorktree,
  type Worktree,
  type WorktreeOptions,
} from './worktree.ts'
