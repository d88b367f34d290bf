// sources/git: git repositories, read in place or fetched.
// In: a folder or a URL, a revision. Out: trees, changes between them, commits. Never: writing to a user's repository.
export { advertisedRefs, remoteRefs } from './advertised.ts'
export { type CallOptions, type FetchedCommit, GitClient, type GitClientOptions } from './client.ts'
export { TokenCache } from './credentials.ts'
export { isAncestor, mergeBase, mergeBases } from './history.ts'
export type { GitCommit, GitObject, GitObjectType, GitTreeEntry } from './object.ts'
export { ObjectStore, type ObjectStoreOptions } from './object-store.ts'
export type { AdvertisedRef, RefValue } from './refs.ts'
export { findRepository, type GitRepository, openRepository } from './repository.ts'
export { isFullId, resolveAmong, shortName } from './resolve.ts'
export { expandRefName, resolveCommit, resolveRevision } from './revision.ts'
export { type Submodule, submodulesOf, withSubmodules } from './submodules.ts'
export { diffTrees, gitTree } from './tree.ts'
export {
  blobId,
  folderTree,
  openWorktree,
  type Worktree,
  type WorktreeOptions,
} from './worktree.ts'
