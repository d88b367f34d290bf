import { SourceError } from '@litecd/core/errors'
import { type FileTree, readText } from '@litecd/core/files'
import { mountTrees } from '../mount.ts'
import { lastValue, parseGitConfig } from './config.ts'
import { localPath } from './local-transport.ts'
import { modeSubmodule, modeTree } from './object.ts'
import type { GitRepository } from './repository.ts'

const maxDepth = 10

/** A submodule of a commit: where it is mounted, and what is mounted there. */
export interface Submodule {
  readonly path: string
  readonly url: string
  readonly commit: string
}

/**
 * The submodules of a commit, if it has a `.gitmodules` file. A relative URL is resolved against that of the
 * repository itself.
 *
 * @throws SourceError SOURCE_NOT_FOUND for a submodule without a URL
 */
export function submodulesOf(
  repository: GitRepository,
  commit: string,
  tree: FileTree,
  url: string,
): readonly Submodule[] {
  const text = readText(tree, '.gitmodules')
  if (text === undefined) return []
  const config = parseGitConfig(text)
  const urls = new Map<string, string>()
  for (const key of config.keys()) {
    const name = /^submodule\.(.*)\.path$/s.exec(key)?.[1]
    const path = name === undefined ? undefined : lastValue(config, key)
    const own = name === undefined ? undefined : lastValue(config, `submodule.${name}.url`)
    if (path !== undefined && own !== undefined) urls.set(path.replace(/\/+$/, ''), own)
  }
  const found: Submodule[] = []
  const walk = (id: string, prefix: string): void => {
    for (const entry of repository.tree(id)) {
      const path = prefix + entry.name
      if (entry.mode === modeTree) walk(entry.id, `${path}/`)
      else if (entry.mode === modeSubmodule) {
        const own = urls.get(path)
        if (own === undefined) {
          throw failed(`fatal: No url found for submodule path '${path}' in .gitmodules`)
        }
        found.push({ path, url: resolveUrl(url, own), commit: entry.id })
      }
    }
  }
  walk(repository.commit(commit).tree, '')
  return found
}

/**
 * The tree of a commit with its submodules, and theirs, in place.
 *
 * @throws SourceError with Argo CD's words when one cannot be fetched. As in git, a submodule may not be on this machine
 */
export async function withSubmodules(
  repository: GitRepository,
  commit: string,
  tree: FileTree,
  url: string,
  fetch: (
    url: string,
    commit: string,
  ) => Promise<{
    readonly repository: GitRepository
    readonly id: string
    readonly tree: FileTree
  }>,
  depth = 0,
): Promise<FileTree> {
  const submodules = submodulesOf(repository, commit, tree, url)
  if (submodules.length === 0) return tree
  if (depth >= maxDepth) throw failed(`fatal: submodules are nested more than ${maxDepth} deep`)
  const mounts = new Map<string, FileTree>()
  for (const submodule of submodules) {
    if (localPath(submodule.url) !== undefined) throw failed("fatal: transport 'file' not allowed")
    try {
      const got = await fetch(submodule.url, submodule.commit)
      mounts.set(
        submodule.path,
        await withSubmodules(got.repository, got.id, got.tree, submodule.url, fetch, depth + 1),
      )
    } catch (error) {
      if (!(error instanceof SourceError) || error.message.startsWith(failure)) throw error
      throw failed(
        `fatal: clone of '${submodule.url}' into submodule path '${submodule.path}' failed: ${error.message}`,
        error,
      )
    }
  }
  return mountTrees(tree, mounts)
}

const failure = 'Failed to checkout FETCH_HEAD: failed to update submodules: '

function failed(words: string, cause?: SourceError): SourceError {
  return new SourceError(
    cause?.code ?? 'SOURCE_NOT_FOUND',
    `${failure}\`git submodule update --init --recursive\` failed exit status 1: ${words}`,
    { retryable: cause?.retryable, cause },
  )
}

/** Source: git-submodule(1), "add": URLs that begin with ./ or ../ are relative to the superproject's remote. */
function resolveUrl(base: string, url: string): string {
  if (!url.startsWith('./') && !url.startsWith('../')) return url
  let left = base.replace(/\/+$/, '')
  let rest = url
  for (;;) {
    if (rest.startsWith('./')) rest = rest.slice(2)
    else if (rest.startsWith('../')) {
      rest = rest.slice(3)
      const slash = left.lastIndexOf('/')
      const colon = left.lastIndexOf(':')
      // `host:repo`: what follows the colon is the path
      if (slash > colon + 2 || (slash > colon && left[colon + 1] !== '/'))
        left = left.slice(0, slash)
      else if (colon !== -1 && left[colon + 1] !== '/') return `${left.slice(0, colon)}:${rest}`
    } else return `${left}/${rest}`
  }
}
