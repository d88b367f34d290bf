import { SourceError } from '@litecd/core/errors'
import { type GitProgram, type GitRunOptions, gitProgram } from '../../process/index.ts'
import type { ObjectStoreOptions } from './object-store.ts'

/** Arguments that make the git program fetch the objects named on its input, and nothing else. */
export function bringArguments(remote: string): readonly string[] {
  return [
    '-c',
    'fetch.negotiationAlgorithm=noop',
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--recurse-submodules=no',
    '--filter=blob:none',
    '--stdin',
    remote,
  ]
}

/**
 * How a user's partial clone gets the objects it lacks: as the git program itself does, with the user's configuration.
 * Without the program they stay missing.
 */
export function bringFrom(
  remote: string,
  gitDir: string,
  git: GitProgram | undefined = gitProgram(),
): NonNullable<ObjectStoreOptions['bring']> {
  return (ids) => {
    if (git === undefined) return undefined
    bringNow(git, remote, ids, { cwd: gitDir, userConfig: true })
    return undefined
  }
}

/** Fetches objects while everything else stands still. @throws SourceError SOURCE_UNREACHABLE */
export function bringNow(
  git: GitProgram,
  remote: string,
  ids: readonly string[],
  options: Omit<GitRunOptions, 'signal'>,
): void {
  const input = ids.join('\n') + '\n'
  const result = git.runSync(bringArguments(remote), { ...options, input })
  if (result.status === 0) return
  throw new SourceError(
    'SOURCE_UNREACHABLE',
    `objects that a partial clone lacks could not be fetched: ${result.stderr.trim()}`,
    { retryable: true },
  )
}
