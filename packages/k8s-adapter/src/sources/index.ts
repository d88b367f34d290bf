// sources: SourceFetcher over git, Helm repositories, OCI registries and plain files.
// In: requests, what is known of repositories. Out: exact revisions and trees. Never: a Kubernetes API, writing to what is read.

export type { FetchedTree } from './fetched-tree.ts'
export { createSourceFetcher, type SourceFetcherOptions, type Sources } from './fetcher.ts'
export * from './git/index.ts'
export { mountTrees } from './mount.ts'
export {
  noRepositories,
  normalizeGitUrl,
  parseRepositorySecret,
  plainRepository,
  type RepositoryList,
  type RepositorySettings,
  repositoryFor,
  sameUrl,
} from './repository.ts'
export { isConstraint, isVersion, maxVersion, type VersionAnswer } from './versions.ts'
