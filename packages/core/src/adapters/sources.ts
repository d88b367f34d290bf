import type { FileTree, PathChange } from '../files/index.ts'

/**
 * Something to fetch, as data: engines ask with it, hosts answer with a tree.
 *
 * - git: `revision` is a branch, tag, SHA, semver constraint over tags or '' (HEAD); `paths` narrows what must be there.
 * - helm: a chart of a Helm repository; `revision` is a version or constraint. The tree's root is the chart. The `url`
 *   of a dependency may also be `oci://host/path` (a registry) or `@name` (the repository whose Secret has that name).
 * - oci: an OCI image or chart (`url` starts with `oci://`, no tag); `revision` is a tag, digest or constraint.
 * - http: one file; the tree holds it under its last path segment. `revision` is ''.
 */
export type SourceRequest =
  | {
      readonly type: 'git'
      readonly url: string
      readonly revision: string
      readonly tagPrefix?: string
      readonly submodules?: boolean
      readonly timeoutMs?: number
      readonly paths?: readonly string[]
    }
  | {
      readonly type: 'helm'
      readonly url: string
      readonly chart: string
      readonly revision: string
      readonly passCredentials?: boolean
    }
  | { readonly type: 'oci'; readonly url: string; readonly revision: string }
  | { readonly type: 'http'; readonly url: string; readonly revision: '' }

export interface FetchedSource {
  readonly request: SourceRequest
  /** Commit SHA, chart version, digest; '' for plain files. */
  readonly revision: string
  readonly tree: FileTree
}

export interface FetchOptions {
  readonly signal?: AbortSignal
  /** Ask the repository again instead of a cache of revisions (comparison level 3). */
  readonly noRevisionCache?: boolean
  /** Project whose repository credentials may be used. */
  readonly project?: string
}

/** A tree that may know exactly what it is: the full commit where an abbreviation was asked for. */
export interface FetchedTree extends FileTree {
  readonly revision?: string
}

/**
 * Brings sources. Both throw SourceError: SOURCE_UNREACHABLE (retryable), SOURCE_REFUSED, SOURCE_NOT_FOUND,
 * SOURCE_REVISION_UNKNOWN, SOURCE_CORRUPT.
 *
 * What failed for a chart is told in `data` as far as it is known: `stage` is `index`, `name`, `chart`, `version`, `tags`
 * or `archive`, `reason` is what helm would say, `repository` and `url` the places, `flags` the credentials, masked.
 */
export interface SourceFetcher {
  /** Branch, tag, range → SHA, version, digest. */
  resolve(request: SourceRequest, options?: FetchOptions): Promise<string>
  /** The tree at an exact revision, as `resolve` gave it. */
  fetch(request: SourceRequest, revision: string, options?: FetchOptions): Promise<FetchedTree>
  /** Paths that differ between two commits of a git repository; a host that cannot tell leaves it out. */
  changes?(
    request: SourceRequest & { readonly type: 'git' },
    from: string,
    to: string,
    options?: FetchOptions,
  ): Promise<readonly PathChange[]>
}
